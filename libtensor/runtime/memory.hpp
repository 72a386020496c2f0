// USM allocations: their owners, their queues, and the access of the host.
#pragma once
#include "handles.hpp"
#include "order.hpp"
#include "pool.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace usmtensor {

class Allocation : public OrderedBytes {
public:
  const UsmKind kind;
  mutable std::atomic<std::int32_t> dlpack_id{-1}; // dlpack_device.hpp: once it was asked for

  // Foreign memory, or a block of the pool of the queue and kind.
  Allocation(const QueueRef &queue, UsmKind kind, std::size_t nbytes, char *pointer,
             const Pool::Block &block = {});
  ~Allocation();

  // To be called before a memcpy or memset of a queue: the owner of foreign memory may free it as
  // soon as it gets it back, and sycl::free does not wait for all copies.
  void note_copy() const {
    if (!block_.pointer)
      copied_.store(true, std::memory_order_relaxed);
  }

private:
  // Takes over what the other one has to release.
  Allocation(Allocation &&other) noexcept;

  friend Memory adopt(const QueueRef &, void *, std::size_t, UsmKind, std::function<void()>);
  friend bool return_to_pool(Memory &) noexcept;
  friend void escape(Allocation &);

  Pool &pool() const;
  bool has_nothing_to_release() const { return !block_.pointer && !release_ && !is_shared(); }
  void postpone_release() noexcept;

  Pool::Block block_{};              // no pointer: adopted, or returned to the pool
  std::function<void()> release_;    // of adopted memory: called once, by the destructor
  std::atomic<bool> escaped_{false}; // its pointer left the library: it never returns to the pool
  mutable std::atomic<bool> copied_{false};
};

// A new allocation. Zero bytes get a real pointer too. alignment 0 means the library's own (64).
Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment = 0);
// A new allocation from the pool alone, or null: never waits and never asks the driver, so that a
// caller may keep a lock. And back: whether the pool alone could take the last handle.
Memory allocate_pooled(const QueueRef &queue, UsmKind kind, std::size_t nbytes,
                       std::size_t alignment = 0);
bool return_to_pool(Memory &memory) noexcept;
// Foreign memory; release is called when the last handle goes. All allocations of these bytes share
// their order.
Memory adopt(const QueueRef &queue, void *pointer, std::size_t nbytes, UsmKind kind,
             std::function<void()> release);
// Gives foreign USM to the driver: a release for adopt().
std::function<void()> freeing(const QueueRef &queue, void *pointer);

// The memory's pointer leaves the library: the library recognises the memory when the pointer comes
// back, and the block never returns to the pool.
void escape(Allocation &memory);

// The kind of memory at a pointer, by the driver; unknown for memory outside of the context.
UsmKind pointer_kind(const void *pointer, const ContextRef &context);
DeviceRef pointer_device(const void *pointer, const ContextRef &context);

// The one predicate that lets host code touch a memory: shared and host kind always, device kind
// only where the device is a CPU (and discrete mode is off).
bool host_accessible(const Allocation &memory);

} // namespace usmtensor
