#include "memory.hpp"

#include "error.hpp"
#include "order.hpp"
#include "queue.hpp"

#include <sycl/sycl.hpp>

#include <string>

namespace usmtensor {

namespace {

constexpr std::size_t default_alignment = 64;

sycl::usm::alloc to_sycl(UsmKind kind) {
  switch (kind) {
  case UsmKind::device:
    return sycl::usm::alloc::device;
  case UsmKind::shared:
    return sycl::usm::alloc::shared;
  case UsmKind::host:
    return sycl::usm::alloc::host;
  case UsmKind::unknown:
    break;
  }
  return sycl::usm::alloc::unknown;
}

const char *name(UsmKind kind) {
  constexpr const char *names[] = {"unknown", "device", "shared", "host"};
  return names[static_cast<int>(kind)];
}

sycl::aspect required_aspect(UsmKind kind) {
  switch (kind) {
  case UsmKind::shared:
    return sycl::aspect::usm_shared_allocations;
  case UsmKind::host:
    return sycl::aspect::usm_host_allocations;
  default:
    return sycl::aspect::usm_device_allocations;
  }
}

[[noreturn]] void allocation_failed(const Queue &queue, UsmKind kind, std::size_t nbytes) {
  const std::string device = queue.device->get_info<sycl::info::device::name>();
  if (!queue.device->has(required_aspect(kind)))
    throw Error(ErrorKind::value, "device \"" + device + "\" has no USM of kind \"" + name(kind) +
                                      "\" (aspect usm_" + name(kind) + "_allocations)");
  throw Error(ErrorKind::allocation,
              "cannot allocate " + std::to_string(nbytes) + " bytes of USM of kind \"" +
                  name(kind) + "\" on device \"" + device + "\" (global memory " +
                  std::to_string(queue.device->get_info<sycl::info::device::global_mem_size>()) +
                  " bytes)");
}

} // namespace

Allocation::~Allocation() {
  leave_order(*this);
  if (release)
    release();
}

Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment) {
  // Zero bytes would give nullptr, which consumers of the exchange protocols do not take.
  const std::size_t asked = nbytes ? nbytes : 1;
  void *pointer = nullptr;
  try {
    pointer = sycl::aligned_alloc(alignment ? alignment : default_alignment, asked, *queue->device,
                                  *queue->context, to_sycl(kind));
  } catch (const sycl::exception &) { // the device lacks the kind: said below
  }
  if (!pointer)
    allocation_failed(*queue, kind, nbytes);
  return adopt(queue, pointer, nbytes, kind, [pointer, context = queue->context] {
    try {
      sycl::free(pointer, *context);
    } catch (const sycl::exception &) { // a destructor has nobody to tell
    }
  });
}

Memory adopt(const QueueRef &queue, void *pointer, std::size_t nbytes, UsmKind kind,
             std::function<void()> release) {
  auto memory = std::make_shared<Allocation>();
  memory->pointer = static_cast<char *>(pointer);
  memory->nbytes = nbytes;
  memory->kind = kind;
  memory->queue = queue;
  memory->release = std::move(release);
  return memory;
}

UsmKind pointer_kind(const void *pointer, const ContextRef &context) {
  switch (sycl::get_pointer_type(pointer, *context)) {
  case sycl::usm::alloc::device:
    return UsmKind::device;
  case sycl::usm::alloc::shared:
    return UsmKind::shared;
  case sycl::usm::alloc::host:
    return UsmKind::host;
  default:
    return UsmKind::unknown;
  }
}

DeviceRef pointer_device(const void *pointer, const ContextRef &context) {
  try {
    return std::make_shared<sycl::device>(sycl::get_pointer_device(pointer, *context));
  } catch (const sycl::exception &error) {
    throw Error(ErrorKind::value,
                std::string("pointer is not a USM pointer of the context: ") + error.what());
  }
}

bool host_accessible(const Allocation &memory) {
  return memory.kind != UsmKind::device || memory.queue->cpu;
}

} // namespace usmtensor
