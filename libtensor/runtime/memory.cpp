#include "memory.hpp"

#include "discrete.hpp"
#include "error.hpp"
#include "gate.hpp"
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

namespace {

void fill(Allocation &memory, const QueueRef &queue, UsmKind kind, std::size_t nbytes,
          const Pool::Block &block) {
  memory.pointer = block.pointer;
  memory.nbytes = nbytes;
  memory.kind = kind;
  memory.queue = queue;
  memory.block = block.nbytes;
  memory.reusable = block.reusable;
}

} // namespace

Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment) {
  auto memory = std::make_shared<Allocation>();
  fill(*memory, queue, kind, nbytes, queue->pools.of(*queue, kind).take(nbytes, alignment));
  return memory;
}

Memory allocate_pooled(const QueueRef &queue, UsmKind kind, std::size_t nbytes,
                       std::size_t alignment) {
  auto memory = std::make_shared<Allocation>();
  const Pool::Block block = queue->pools.of(*queue, kind).take_kept(nbytes, alignment);
  if (!block.pointer)
    return nullptr;
  fill(*memory, queue, kind, nbytes, block);
  return memory;
}

bool return_to_pool(Memory &memory) noexcept {
  if (memory.use_count() != 1 || !memory->block || memory->escaped || memory->order ||
      !memory->queue->pools.of(*memory->queue, memory->kind)
           .keep({memory->pointer, memory->block, memory->reusable}))
    return false;
  memory->block = 0;
  memory.reset();
  return true;
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

std::function<void()> freeing(const QueueRef &queue, void *pointer) {
  return [queue, pointer] {
    const Passage passage;
    if (process_exits())
      return;
    try {
      if (!queue->opencl) // there sycl::free waits for the commands that use the block
        queue->sycl->wait();
      sycl::free(pointer, *queue->context);
    } catch (const sycl::exception &) { // a destructor has nobody to tell
    }
  };
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
