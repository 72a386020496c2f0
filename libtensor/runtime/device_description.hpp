// The properties of a device that the choice of kernels and of work-items depends on.
#pragma once
#include "handles.hpp"

#include <cstdint>
#include <vector>

namespace usmtensor {

struct DeviceDescription {
  bool cpu;
  std::uint32_t compute_units;
  std::size_t max_group;               // the most work-items of a work-group
  std::vector<std::size_t> sub_groups; // their sizes
  std::uint64_t local_memory, cache;   // bytes, 0 where the device does not tell
};

DeviceDescription describe(const sycl::device &device);

} // namespace usmtensor
