// Shared handles to SYCL objects for the layers above, without SYCL's headers; and the
// place of commands: a SYCL queue and its properties for operations, looked up once.
#pragma once
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

// Values as in dpctl's backend_type; unknown for a backend that dpctl has no name for.
enum class Backend : std::uint8_t { unknown = 0, all = 1, cuda, hip, level_zero, opencl };

// Values as in dpctl's get_usm_type_enum.
enum class UsmKind : std::uint8_t { unknown = 0, device = 1, shared = 2, host = 3 };

struct Queue;      // queue.hpp
class NativeQueue; // native_queue.hpp
class Allocation;  // memory.hpp
class KernelTable; // kernel_store.hpp
using QueueRef = std::shared_ptr<Queue>;
using Memory = std::shared_ptr<Allocation>;

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
