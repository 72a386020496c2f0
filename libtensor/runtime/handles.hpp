// Shared handles to SYCL objects for the layers above, without SYCL's headers; and the properties
// of a queue, which are queried once.
#pragma once
#include "device_description.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sycl {
inline namespace _V1 {
class platform;
class device;
class context;
class queue;
class event;
class kernel;
} // namespace _V1
} // namespace sycl

namespace usmtensor {

using PlatformRef = std::shared_ptr<sycl::platform>;
using DeviceRef = std::shared_ptr<sycl::device>;
using ContextRef = std::shared_ptr<sycl::context>;
using EventRef = std::shared_ptr<sycl::event>;

// Values as in dpctl's backend_type; unknown for a backend that dpctl does not name.
enum class Backend : std::uint8_t { unknown = 0, all = 1, cuda, hip, level_zero, opencl };

// Values as in dpctl's get_usm_type_enum.
enum class UsmKind : std::uint8_t { unknown = 0, device = 1, shared = 2, host = 3 };

struct Queue;      // queue.hpp
class NativeQueue; // native_queue.hpp
class Allocation;  // memory.hpp
class KernelTable; // kernel_store.hpp
using QueueRef = std::shared_ptr<Queue>;
using Memory = std::shared_ptr<Allocation>;

struct QueueInfo {
  std::shared_ptr<NativeQueue> native;
  ContextRef context;
  DeviceRef device;
  std::shared_ptr<KernelTable> kernels; // for this context and device
  bool in_order;
  DeviceDescription description;
  bool opencl;               // the backend is OpenCL
  bool fp16, fp64, host_usm; // the device supports float16, float64, USM of kind host
};

} // namespace usmtensor
