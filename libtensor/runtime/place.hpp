// The place of commands: a SYCL queue and its properties for operations, looked up once.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace usmtensor {

// The properties of a device that decide the choice of kernels and of work-items.
struct DeviceDescription {
  bool cpu;
  std::uint32_t compute_units;
  std::size_t max_group;               // the most work-items of a work-group
  std::vector<std::size_t> sub_groups; // their sizes
  std::uint64_t local_memory, cache;   // bytes
};

struct Place {
  std::shared_ptr<NativeQueue> native;
  ContextRef context;
  DeviceRef device;
  std::shared_ptr<KernelTable> kernels; // of this context and device
  bool in_order;
  DeviceDescription description; // chooses kernels
  bool cpu;                      // the device is a CPU: the host may touch device memory
  bool opencl;                   // the backend is OpenCL
  bool fp16, fp64;               // the device has half, double precision
};

} // namespace usmtensor
