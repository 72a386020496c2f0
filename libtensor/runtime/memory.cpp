#include "memory.hpp"

#include "discrete.hpp"
#include "postponed.hpp"
#include "queue.hpp"
#include "settings.hpp"
#include "translate.hpp"

#include <sycl/usm.hpp>

#include <new>
#include <utility>

namespace usmtensor {

namespace {

// Returns the result of a driver query about a pointer.
template <class Query>
auto query_pointer(const sycl::context &context, ErrorKind kind, Query &&query) {
  return translated(&context, nullptr, kind, [&] {
    fail_if_planned(Fault::pointer);
    return query();
  });
}

// Frees the deferred memory of a pool whose commands are complete.
void free_completed(const Queue &queue, Pool &pool) noexcept {
  if (pool.deferred_bytes() == 0)
    return;
  try {
    is_idle(queue, Commands::ours); // updates queue.finished
  } catch (const std::exception &) {
  }
  pool.free_completed(queue.finished);
}

} // namespace

Allocation::Allocation(const QueueRef &own, UsmKind its_kind, std::size_t count, char *bytes,
                       const Pool::Block &block)
    : OrderedBytes(own, bytes, count), kind(its_kind), block_(block) {}

Allocation::Allocation(Allocation &&other) noexcept
    : OrderedBytes(std::move(other)), kind(other.kind), block_(std::exchange(other.block_, {})),
      release_(std::exchange(other.release_, nullptr)), escaped_(other.escaped_.load()) {}

Allocation::~Allocation() {
  if (has_nothing_to_release())
    return;
  if (!may_release()) {
    postpone_release();
    return;
  }
  leave_order(*this, !block_.pointer);
  if (block_.pointer) {
    pool().give(block_, escaped_, queue->submitted);
    free_completed(*queue, pool());
  } else if (release_) {
    // The owner may free the memory as soon as it is released, and sycl::free does not wait for all
    // commands.
    if (settings.ordering && !known_idle(*queue, Commands::ours)) {
      pool().give(std::move(release_), nbytes, queue->submitted);
      free_completed(*queue, pool());
    } else {
      release_();
    }
  }
}

void Allocation::postpone_release() noexcept {
  if (auto *const self = new (std::nothrow) Allocation(std::move(*this)))
    postpone([self] { delete self; });
}

Pool &Allocation::pool() const { return queue->pools.of(*queue, kind); }

Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment) {
  run_postponed_releases();
  Pool &pool = queue->pools.of(*queue, kind);
  if (pool.defers_too_much())
    wait(*queue, Commands::ours);
  free_completed(*queue, pool);
  const Pool::Block block = pool.take(nbytes, alignment);
  return std::make_shared<Allocation>(queue, kind, nbytes, block.pointer, block);
}

Memory allocate_pooled(const QueueRef &queue, UsmKind kind, std::size_t nbytes,
                       std::size_t alignment) {
  Pool &pool = queue->pools.of(*queue, kind);
  // In these cases an allocation has other work to do first, which may wait.
  if (pool.deferred_bytes() != 0 || releases_are_postponed.load(std::memory_order_relaxed))
    return nullptr;
  const Pool::Block block = pool.take_pooled(nbytes, alignment);
  return block.pointer ? std::make_shared<Allocation>(queue, kind, nbytes, block.pointer, block)
                       : nullptr;
}

bool return_to_pool(Memory &memory) noexcept {
  if (memory.use_count() != 1 || !memory->block_.pointer || memory->escaped_ ||
      memory->is_shared() || !memory->pool().keep(memory->block_))
    return false;
  memory->block_ = {};
  memory.reset();
  return true;
}

Memory adopt(const QueueRef &queue, void *pointer, std::size_t nbytes, UsmKind kind,
             std::function<void()> release) {
  auto memory = std::make_shared<Allocation>(queue, kind, nbytes, static_cast<char *>(pointer));
  make_exported(*memory);
  memory->release_ = std::move(release); // last, so that an error above releases nothing
  return memory;
}

void escape(Allocation &memory) {
  if (memory.escaped_.load(std::memory_order_relaxed))
    return;
  make_exported(memory);
  memory.escaped_ = true;
  if (hides(memory.queue->description.device_class, memory.kind))
    reveal(memory.pointer);
}

std::function<void()> usm_release(const QueueRef &queue, void *pointer) {
  return [queue, pointer] { free_usm(*queue, pointer); };
}

UsmKind pointer_kind(const void *pointer, const ContextRef &context) {
  using sycl::usm::alloc;
  const alloc kind = query_pointer(*context, ErrorKind::sycl,
                                   [&] { return sycl::get_pointer_type(pointer, *context); });
  return kind == alloc::device   ? UsmKind::device
         : kind == alloc::shared ? UsmKind::shared
         : kind == alloc::host   ? UsmKind::host
                                 : UsmKind::unknown;
}

DeviceRef pointer_device(const void *pointer, const ContextRef &context) {
  return std::make_shared<sycl::device>(query_pointer(
      *context, ErrorKind::value, [&] { return sycl::get_pointer_device(pointer, *context); }));
}

bool host_accessible(const Allocation &memory) {
  return memory.kind != UsmKind::device || (memory.queue->description.is_cpu() && !discrete_mode());
}

} // namespace usmtensor
