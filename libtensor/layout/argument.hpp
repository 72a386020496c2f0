// The arguments that the host passes to a kernel, and kernels as functions of the host.
#pragma once
#include <cstdint>

namespace usmtensor {

struct Argument {
  std::uint64_t bits;
  std::uint8_t nbytes;
  bool pointer; // drivers need to know addresses
};

// A kernel as a function of the host: its arguments, and the number of parts of the work.
using HostKernel = void (*)(const Argument *arguments, std::int64_t parts);

// The kernels of a family by their numbers, some of them null; a list of families ends with null.
struct HostFamily {
  struct Entry {
    HostKernel kernel;
    bool mathematics; // it calls the functions of host/math_library.hpp
  };
  const Entry *entries;
  std::uint32_t count;
};

struct KeySort; // of host/key_sort.hpp

// The contents of a module, as its function usmtensor_host_module returns them.
struct HostModule {
  const HostFamily *families; // in the order of the packs
  bool (*has_mathematics)();
  bool (*sort)(const KeySort &rows);
};

} // namespace usmtensor
