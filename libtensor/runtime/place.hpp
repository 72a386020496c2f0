// Where commands run: a queue of SYCL and what operations ask about it, looked up once.
#pragma once
#include "device_description.hpp"
#include "handles.hpp"

#include <memory>

namespace usmtensor {

struct Place {
  std::shared_ptr<sycl::queue> sycl;
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
