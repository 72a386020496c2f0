// Order is a property of the memory: which queues work on it.
#pragma once
#include "handles.hpp"

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace usmtensor {

// The queues of one context that arrays over one memory live on. Allocations of the same bytes,
// ours and those that came back through other libraries, have one Order between them.
class Order {
public:
  void add(const QueueRef &queue);
  // Appends those that are not `queue` and not in the list yet.
  void others(const Queue &queue, std::vector<QueueRef> &list);

  std::atomic<int> host_views{0}; // while positive, commands complete before they return

private:
  friend class KnownRanges;
  const char *begin_ = nullptr, *end_ = nullptr; // as known outside of the library
  std::size_t users_ = 0;                        // allocations that count on being known

  std::mutex mutex_;
  std::vector<QueueRef> queues_;
};

// From now on `queue` works on the memory too.
void share(Allocation &memory, const QueueRef &queue);

// The memory's pointer leaves the library: what comes back of it shall be found to be the same
// memory, and the block never returns to the pool.
void escape(Allocation &memory);

// To be called for memory of somebody else, before it is used: whoever knows these bytes already
// shares their order.
void join_order(Allocation &memory);

// To be called by the destructor of an allocation.
void leave_order(Allocation &memory);

// Waits for all work on a memory.
void drain(const Allocation &memory);

// For tests that show what ordering is worth: false leaves it to chance.
void set_ordering(bool enabled);
bool ordering_enabled();

// While a host view is alive, commands on its bytes complete before they return, whoever handed the
// bytes in. Opening one waits for the work on them; marking does not.
void open_host_view(Allocation &memory);
void mark_host_view(Allocation &memory);
void close_host_view(Allocation &memory);

} // namespace usmtensor
