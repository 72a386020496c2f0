// USM allocations: their owners, their queues, and host access.
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
  mutable std::atomic<std::int32_t> dlpack_id{-1}; // cached by dlpack_device_id()

  // A block of the queue's pool for the kind, or foreign memory if there is no block.
  Allocation(const QueueRef &queue, UsmKind kind, std::size_t nbytes, char *pointer,
             const Pool::Block &block = {});
  ~Allocation();

private:
  // Takes over the resources of the other allocation.
  Allocation(Allocation &&other) noexcept;

  friend Memory adopt(const QueueRef &, void *, std::size_t, UsmKind, std::function<void()>);
  friend bool return_to_pool(Memory &) noexcept;
  friend void escape(Allocation &);

  Pool &pool() const;
  bool has_nothing_to_release() const { return !block_.pointer && !release_ && !is_shared(); }
  void postpone_release() noexcept;

  Pool::Block block_{};              // without pointer: adopted, or returned to the pool
  std::function<void()> release_;    // for adopted memory: called once, by the destructor
  std::atomic<bool> escaped_{false}; // its pointer was exported: it never returns to the pool
};

// A new allocation. Zero bytes also get a valid pointer. Alignment 0 means the default (64).
Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment = 0);
// A new allocation from the pool, or null. Never waits and never calls the driver, so the caller
// may hold a lock. return_to_pool() is the reverse: it returns true and resets the handle if that
// was the last handle and the pool took the block.
Memory allocate_pooled(const QueueRef &queue, UsmKind kind, std::size_t nbytes,
                       std::size_t alignment = 0);
bool return_to_pool(Memory &memory) noexcept;
// Wraps foreign memory; `release` is called with the last handle. Allocations of the same bytes
// share their order.
Memory adopt(const QueueRef &queue, void *pointer, std::size_t nbytes, UsmKind kind,
             std::function<void()> release);
// A release for adopt() that frees USM.
std::function<void()> usm_release(const QueueRef &queue, void *pointer);

// Call this before the memory's pointer is exported. The library then recognises the memory if the
// pointer is imported again, and the block never returns to the pool.
void escape(Allocation &memory);

// The USM kind of a pointer, from the driver; unknown if it is not USM of the context.
UsmKind pointer_kind(const void *pointer, const ContextRef &context);
DeviceRef pointer_device(const void *pointer, const ContextRef &context);

// True if host code may access the memory. Memory of kind shared or host always is accessible; kind
// device only if the device is a CPU and discrete mode is off.
bool host_accessible(const Allocation &memory);

} // namespace usmtensor
