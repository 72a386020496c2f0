// How the host passes arguments to a kernel, and the kernels that are functions of the host.
#pragma once
#include <cstdint>

namespace usmtensor {

struct Argument {
  std::uint64_t bits;
  std::uint8_t nbytes;
  bool pointer; // drivers have to know which arguments are addresses
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

// What a module of such kernels tells, by its function usmtensor_host_module.
struct HostModule {
  const HostFamily *families; // in the order of the packs
  bool (*has_mathematics)();
};

} // namespace usmtensor
