// Order is a property of the memory: the queues that work on it. Allocations of equal bytes, own
// and foreign ones, share it.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace usmtensor {

class Order; // order.cpp

// Some bytes and their place in an order.
class OrderedBytes {
public:
  char *const pointer;
  const std::size_t nbytes;
  const QueueRef queue; // its own: the first that works on it

  // Whether other queues may work on it, or others know of it.
  bool is_shared() const { return order_.load(std::memory_order_acquire); }
  // Whether others know of it, so that commands of theirs may work on it.
  bool is_known() const { return known_.load(std::memory_order_acquire); }

protected:
  OrderedBytes(QueueRef own, char *bytes, std::size_t count)
      : pointer(bytes), nbytes(count), queue(std::move(own)) {}
  // The same place in the order; the other one is only to be destroyed.
  OrderedBytes(OrderedBytes &&other) noexcept
      : pointer(other.pointer), nbytes(other.nbytes), queue(other.queue),
        order_(other.order_.exchange(nullptr)), owner_(std::move(other.owner_)),
        known_(other.known_.exchange(false)) {}
  ~OrderedBytes() = default;

private:
  friend class Order;

  std::atomic<Order *> order_{nullptr}; // null as long as no other queue works on it
  std::shared_ptr<Order> owner_;        // of the order; written once, before order_
  std::atomic<bool> known_{false};
};

// From now on `queue` works on the memory too.
void share(OrderedBytes &memory, const QueueRef &queue);

// The address is known outside of the library. Bytes that come in later and overlap the memory
// share its order.
void make_known(OrderedBytes &memory);

// To be called by the destructor of an allocation. Bytes that stay when it goes stay known until
// all commands on them are done.
void leave_order(OrderedBytes &memory, bool bytes_stay);

// Appends the queues that work on a memory, but for `queue` and the queues in the list.
void other_queues(const OrderedBytes &memory, const Queue &queue, std::vector<QueueRef> &list);

// Events behind all commands of other queues, for commands of `queue` to wait for. The host waits
// for queues whose events they may not wait for. In a passage.
std::vector<sycl::event> barriers_of(const std::vector<QueueRef> &others, const Queue &queue);
// Waits for all work on a memory.
void drain(const OrderedBytes &memory);

// While a host view is alive, commands on its bytes complete before they return, by whichever
// handle the bytes came in. Opening one waits for the work on them; marking does not.
void open_host_view(OrderedBytes &memory);
void mark_host_view(OrderedBytes &memory);
void close_host_view(OrderedBytes &memory);
bool has_host_view(const OrderedBytes &memory);

// Around a fork, so that the child finds no lock taken.
void lock_order_for_fork();
void unlock_order_after_fork();

} // namespace usmtensor
