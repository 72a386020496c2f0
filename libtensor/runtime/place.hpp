// Where commands run: a queue of SYCL and what operations ask about it, looked up once.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace usmtensor {

// The properties of a device that the choice of kernels and of work-items depends on.
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
