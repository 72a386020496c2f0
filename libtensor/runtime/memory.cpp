#include "memory.hpp"

#include "discrete.hpp"
#include "error.hpp"
#include "order.hpp"
#include "pool.hpp"
#include "queue.hpp"

#include <sycl/sycl.hpp>

#include <string>

namespace usmtensor {

Allocation::~Allocation() {
  leave_order(*this);
  if (block)
    queue->pools.of(*queue, kind).give({pointer, block, reusable}, escaped);
  else if (release)
    release();
}

Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment) {
  auto memory = std::make_shared<Allocation>();
  const Pool::Block block = queue->pools.of(*queue, kind).take(nbytes, alignment);
  memory->pointer = block.pointer;
  memory->nbytes = nbytes;
  memory->kind = kind;
  memory->queue = queue;
  memory->block = block.nbytes;
  memory->reusable = block.reusable;
  return memory;
}

Memory adopt(const QueueRef &queue, void *pointer, std::size_t nbytes, UsmKind kind,
             std::function<void()> release) {
  auto memory = std::make_shared<Allocation>();
  memory->pointer = static_cast<char *>(pointer);
  memory->nbytes = nbytes;
  memory->kind = kind;
  memory->queue = queue;
  join_order(*memory);
  memory->release = std::move(release); // last: nothing is given up when this fails
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
  return memory.kind != UsmKind::device || (memory.queue->cpu && !discrete_mode());
}

} // namespace usmtensor
