// Shared handles to SYCL objects for the layers above, without SYCL's headers.
#pragma once
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

} // namespace usmtensor
