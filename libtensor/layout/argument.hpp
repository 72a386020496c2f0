// Kernel arguments, and kernels as host functions.
#pragma once
#include <cstdint>

namespace usmtensor {

struct Argument {
  std::uint64_t bits;
  std::uint8_t nbytes;
  bool pointer; // drivers must be told which arguments are addresses
};

// A kernel as a host function. Its work is divided into `parts` parts.
using HostKernel = void (*)(const Argument *arguments, std::int64_t parts);

// The kernels of a family; some are null. A list of families is terminated by null entries.
struct HostFamily {
  struct Entry {
    HostKernel kernel;
    bool mathematics; // calls functions of host/math_library.hpp
  };
  const Entry *entries;
  std::uint32_t count;
};

struct KeySort; // host/key_sort.hpp

// The contents of a host module, returned by its function usmtensor_host_module.
struct HostModule {
  const HostFamily *families; // in the order of the packs
  bool (*has_mathematics)();
  bool (*sort)(const KeySort &rows);
};

} // namespace usmtensor
