// Where commands run: a queue of SYCL and what operations ask about it, looked up once.
#pragma once
#include "handles.hpp"

#include <memory>

namespace usmtensor {

struct Place {
  std::shared_ptr<sycl::queue> sycl;
  ContextRef context;
  DeviceRef device;
  std::shared_ptr<KernelTable> kernels; // of this context and device
  bool in_order;
  bool cpu;        // the device is a CPU: chooses kernel variants, and host access to device memory
  bool opencl;     // the backend is OpenCL
  bool fp16, fp64; // the device has half, double precision
};

} // namespace usmtensor
