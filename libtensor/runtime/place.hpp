// The place of commands: a SYCL queue and its properties for operations, looked up once.
#pragma once
#include "handles.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace usmtensor {

enum class DeviceClass : std::uint8_t { cpu, gpu, other };

// The properties of a device that decide the choice of kernels and of work-items. The limits in
// bytes in plan.cpp are fixed, and do not follow the caches.
struct DeviceDescription {
  bool is_cpu() const { return device_class == DeviceClass::cpu; }

  DeviceClass device_class;
  std::uint32_t compute_units;
  std::size_t max_group;      // the most work-items of a work-group
  std::uint64_t local_memory; // bytes
  bool cuda;                  // the backend is CUDA, whose kernels are compiled from their source
};

struct Place {
  std::shared_ptr<NativeQueue> native;
  ContextRef context;
  DeviceRef device;
  std::shared_ptr<KernelTable> kernels; // of this context and device
  bool in_order;
  DeviceDescription description;
  bool opencl;               // the backend is OpenCL
  bool fp16, fp64, host_usm; // the device has half and double precision, USM of kind host
};

} // namespace usmtensor
