// USM allocations: who owns them, who may touch them, and on which queues.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace usmtensor {

// Values as in dpctl's get_usm_type_enum.
enum class UsmKind : std::uint8_t { unknown = 0, device = 1, shared = 2, host = 3 };

class Order; // order.hpp: the queues that work on a memory beside its own

struct Allocation {
  char *pointer = nullptr;
  std::size_t nbytes = 0;
  UsmKind kind = UsmKind::unknown;
  QueueRef queue;                      // its own: the first that works on it
  std::atomic<Order *> order{nullptr}; // null as long as no other queue does; see order.hpp
  std::shared_ptr<Order> order_owner;  // what order points to; written once, before it
  std::atomic<bool> escaped{false};    // its pointer left the library: it never returns to the pool
  std::atomic<bool> known{false};      // order.cpp: its range is registered
  std::function<void()> release;       // of adopted memory: called once, by the destructor
  std::size_t block = 0;               // bytes of the pool's block under it; 0 for adopted memory
  mutable std::atomic<std::int32_t> dlpack_id{-1}; // dlpack_device.hpp: once it was asked for
  bool reusable = false;                           // the block may return to the pool
  mutable int commands = 0;                        // that run on it; counted in discrete mode only

  Allocation() = default;
  Allocation(const Allocation &) = delete;
  Allocation &operator=(const Allocation &) = delete;
  ~Allocation();
};

// A new allocation. Zero bytes get a real pointer too. alignment 0 means the library's own (64).
Memory allocate(const QueueRef &queue, UsmKind kind, std::size_t nbytes, std::size_t alignment = 0);
// The same from the pool alone, or null: never waits and never asks the driver, so that a caller
// need not let other threads go on. And back: whether the pool alone could take the last handle.
Memory allocate_pooled(const QueueRef &queue, UsmKind kind, std::size_t nbytes,
                       std::size_t alignment = 0);
bool return_to_pool(Memory &memory) noexcept;
// Memory that belongs to somebody else; release is called when the last handle goes. Whoever knows
// these bytes already shares their order.
Memory adopt(const QueueRef &queue, void *pointer, std::size_t nbytes, UsmKind kind,
             std::function<void()> release);
// Gives USM of somebody else to the driver: a release for adopt().
std::function<void()> freeing(const QueueRef &queue, void *pointer);

// What the driver knows of a pointer in a context; unknown for foreign or freed memory.
UsmKind pointer_kind(const void *pointer, const ContextRef &context);
DeviceRef pointer_device(const void *pointer, const ContextRef &context);

// The one predicate that lets host code touch a memory: shared and host kind always, device kind
// only where the device is a CPU (and discrete mode is off).
bool host_accessible(const Allocation &memory);

} // namespace usmtensor
