// The order of commands is tracked per memory: each has the queues with commands on it. All
// allocations of the same bytes share it, the library's own and foreign ones.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace usmtensor {

class Order; // order.cpp

// Bytes with an order.
class OrderedBytes {
public:
  char *const pointer;
  const std::size_t nbytes;
  const QueueRef queue; // its own queue

  // True if other queues may have commands on it, or it is known outside of the library.
  bool is_shared() const { return order_.load(std::memory_order_acquire); }
  // True if its address is known outside of the library, so that user commands may use it. This
  // includes memory that the library has adopted.
  bool is_exported() const { return exported_.load(std::memory_order_acquire); }

protected:
  OrderedBytes(QueueRef own, char *bytes, std::size_t count)
      : pointer(bytes), nbytes(count), queue(std::move(own)) {}
  // Takes over the order; the other object may only be destroyed.
  OrderedBytes(OrderedBytes &&other) noexcept
      : pointer(other.pointer), nbytes(other.nbytes), queue(other.queue),
        order_(other.order_.exchange(nullptr)), owner_(std::move(other.owner_)),
        exported_(other.exported_.exchange(false)) {}
  ~OrderedBytes() = default;

private:
  friend class Order;

  std::atomic<Order *> order_{nullptr}; // null as long as only its own queue has commands on it
  std::shared_ptr<Order> owner_;        // owns the order; written once, before order_
  std::atomic<bool> exported_{false};
};

// From now on `queue` may also have commands on the memory.
void share(OrderedBytes &memory, const QueueRef &queue);

// Call this before the address becomes known outside of the library. Memory that is imported later
// and overlaps these bytes shares their order.
void make_exported(OrderedBytes &memory);

// Called by the destructor of an allocation. If the bytes stay allocated, they keep their order
// until all commands on them are complete.
void leave_order(OrderedBytes &memory, bool bytes_stay);

// Appends the queues with commands on a memory, except `queue` and the queues already in the list.
void other_queues(const OrderedBytes &memory, const Queue &queue, std::vector<QueueRef> &list);

// Events after all commands of other queues, for which commands of `queue` must wait. The host
// waits for queues whose events cannot be used. Requires a DriverScope.
std::vector<sycl::event> barriers_of(const std::vector<QueueRef> &others, const Queue &queue);
// Waits for all commands on a memory.
void drain(const OrderedBytes &memory);

// While a host view is open, submitting a command on its bytes waits until the command is complete,
// for all allocations of these bytes. Opening a view waits for the commands on them; marking does
// not.
void open_host_view(OrderedBytes &memory);
void mark_host_view(OrderedBytes &memory);
void close_host_view(OrderedBytes &memory);
bool has_host_view(const OrderedBytes &memory);

// Call these before and after a fork, so that no lock is held in the child.
void lock_order_for_fork();
void unlock_order_after_fork();

} // namespace usmtensor
