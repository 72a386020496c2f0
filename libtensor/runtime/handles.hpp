// Shared handles to SYCL objects, without including SYCL: what the layers above pass around.
#pragma once
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

struct Queue;      // queue.hpp
struct Allocation; // memory.hpp
class KernelTable; // kernel_store.hpp
using QueueRef = std::shared_ptr<Queue>;
using Memory = std::shared_ptr<Allocation>;

} // namespace usmtensor
