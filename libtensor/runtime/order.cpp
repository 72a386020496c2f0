#include "order.hpp"

#include "discrete.hpp"
#include "gate.hpp"
#include "memory.hpp"
#include "submission.hpp"
#include "translate.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace usmtensor {

namespace {

std::atomic<bool> ordering{true};

bool contains(const std::vector<QueueRef> &list, const Queue &queue) {
  return std::any_of(list.begin(), list.end(),
                     [&](const QueueRef &one) { return equal(*one, queue); });
}

} // namespace

// The memory that is known outside of the library, by address: disjoint ranges.
class KnownRanges {
public:
  std::mutex mutex;

  std::shared_ptr<Order> find(const char *begin, const char *end) const {
    const auto next = ranges_.lower_bound(end);
    if (next == ranges_.begin())
      return nullptr;
    const auto &order = std::prev(next)->second;
    return begin < order->end_ ? order : nullptr;
  }
  void add(const char *begin, const char *end, const std::shared_ptr<Order> &order) {
    if (order->users_++ != 0) {
      ranges_.erase(order->begin_);
      begin = std::min(begin, order->begin_);
      end = std::max(end, order->end_);
    }
    order->begin_ = begin;
    order->end_ = end;
    ranges_[begin] = order;
  }
  void remove(Order &order) {
    if (--order.users_ == 0)
      ranges_.erase(order.begin_);
  }

private:
  std::map<const char *, std::shared_ptr<Order>> ranges_;
};

namespace {

KnownRanges &known_ranges() {
  static KnownRanges &ranges = *new KnownRanges; // memory may be freed at the very end
  return ranges;
}

// Whatever reuses the block works on its own queue: there it comes after the others' commands.
void wait_for_others(const Queue &queue, const std::vector<QueueRef> &others) {
  std::vector<sycl::event> events;
  for (const QueueRef &other : others)
    if (!knows_events(queue, *other))
      wait(*other);
    else
      events.push_back(Submission(*other).barrier());
  if (!events.empty())
    Submission(queue).barrier(events);
}

const char *end_of(const Allocation &memory) {
  return memory.pointer + std::max<std::size_t>(memory.nbytes, 1);
}

// Under the lock of the known ranges.
void set_order(Allocation &memory, std::shared_ptr<Order> order) {
  order->add(memory.queue);
  memory.order_owner = std::move(order);
  memory.order.store(memory.order_owner.get(), std::memory_order_release);
}

void make_known(Allocation &memory) {
  KnownRanges &known = known_ranges();
  std::lock_guard<std::mutex> lock(known.mutex);
  if (memory.known)
    return;
  std::shared_ptr<Order> order = memory.order_owner;
  if (!order) {
    order = known.find(memory.pointer, end_of(memory));
    set_order(memory, order ? std::move(order) : std::make_shared<Order>());
  }
  known.add(memory.pointer, end_of(memory), memory.order_owner);
  memory.known = true;
}

} // namespace

void Order::add(const QueueRef &queue) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (!contains(queues_, *queue))
    queues_.push_back(queue);
}

void Order::others(const Queue &queue, std::vector<QueueRef> &list) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const QueueRef &one : queues_)
    if (!equal(*one, queue) && !contains(list, *one))
      list.push_back(one);
}

void share(Allocation &memory, const QueueRef &queue) {
  if (equal(*memory.queue, *queue))
    return;
  {
    std::lock_guard<std::mutex> lock(known_ranges().mutex);
    if (!memory.order_owner)
      set_order(memory, std::make_shared<Order>());
  }
  memory.order_owner->add(queue);
}

void escape(Allocation &memory) {
  if (!memory.escaped.load(std::memory_order_relaxed)) {
    make_known(memory);
    reveal_for_good(memory);
  }
}

void join_order(Allocation &memory) { make_known(memory); }

void leave_order(Allocation &memory) {
  Order *order = memory.order.load(std::memory_order_acquire);
  if (!order)
    return;
  const Passage passage;
  std::vector<QueueRef> others;
  order->others(*memory.queue, others);
  try {
    wait_for_others(*memory.queue, others);
  } catch (const std::exception &) { // a destructor has nobody to tell
  }
  if (!memory.known)
    return;
  KnownRanges &known = known_ranges();
  std::lock_guard<std::mutex> lock(known.mutex);
  known.remove(*memory.order_owner);
}

void drain(const Allocation &memory) {
  if (!ordering_enabled())
    return;
  const Passage passage;
  std::vector<QueueRef> others;
  if (Order *order = memory.order.load(std::memory_order_acquire))
    order->others(*memory.queue, others);
  const auto which = memory.known.load(std::memory_order_acquire) ? Commands::all : Commands::ours;
  wait(*memory.queue, which);
  for (const QueueRef &queue : others)
    wait(*queue, which);
}

void set_ordering(bool enabled) { ordering = enabled; }

bool ordering_enabled() { return ordering.load(std::memory_order_relaxed); }

void open_host_view(Allocation &memory) {
  // First the mark, then the wait: a command of another thread either sees it or is waited for.
  mark_host_view(memory);
  drain(memory);
}

void mark_host_view(Allocation &memory) {
  if (!memory.known.load(std::memory_order_acquire))
    make_known(memory);
  memory.order_owner->host_views.fetch_add(1);
}

void close_host_view(Allocation &memory) { memory.order_owner->host_views.fetch_sub(1); }

} // namespace usmtensor
