#include "order.hpp"

#include "event.hpp"
#include "gate.hpp"
#include "queue.hpp"
#include "settings.hpp"
#include "submission.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <mutex>

namespace usmtensor {

namespace {

bool contains(const std::vector<QueueRef> &list, const Queue &queue) {
  return std::any_of(list.begin(), list.end(),
                     [&](const QueueRef &one) { return equal(*one, queue); });
}

const char *end_of(const OrderedBytes &memory) {
  return memory.pointer + std::max<std::size_t>(memory.nbytes, 1);
}

} // namespace

// The queues with commands on a memory.
class Order : public std::enable_shared_from_this<Order> {
public:
  struct Member {
    QueueRef queue;
    EventRef last; // after the last command on the memory; null while an allocation is alive
  };

  // Null if only the memory's own queue has commands on it.
  static Order *of(const OrderedBytes &memory) {
    Order *order = memory.order_.load(std::memory_order_acquire);
    while (Order *const next = order ? order->absorber_.load(std::memory_order_acquire) : nullptr)
      order = next;
    return order;
  }

  void add(const Member &member) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto same = [&](const Member &one) {
      return !one.last && equal(*one.queue, *member.queue);
    };
    if (member.last || std::none_of(members_.begin(), members_.end(), same))
      members_.push_back(member);
  }

  void collect_others(const Queue &queue, std::vector<QueueRef> &list) {
    std::lock_guard<std::mutex> lock(mutex_);
    drop_completed_queues();
    for (const Member &one : members_)
      if (!equal(*one.queue, queue) && !contains(list, *one.queue))
        list.push_back(one.queue);
  }

  // Call this when no allocation of the memory is left: its queues will submit no more commands.
  void retire() {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto alive = [](const Member &one) { return !one.last; };
    members_.erase(std::remove_if(members_.begin(), members_.end(), alive), members_.end());
  }

  bool has_no_commands() {
    std::lock_guard<std::mutex> lock(mutex_);
    drop_completed_queues();
    return members_.empty();
  }

  // The following require the lock of the exported ranges.

  static Order &join(OrderedBytes &memory, std::shared_ptr<Order> order) {
    order->add({memory.queue, nullptr});
    memory.owner_ = std::move(order);
    memory.order_.store(memory.owner_.get(), std::memory_order_release);
    return *memory.owner_;
  }

  static void set_exported(OrderedBytes &memory) { memory.exported_ = true; }

  // Merges the orders of two memories that turn out to overlap.
  void absorb(Order &other) {
    {
      std::lock_guard<std::mutex> lock(other.mutex_); // add() locks this->mutex_ inside
      for (const Member &one : other.members_)
        add(one);
    }
    host_views += other.host_views;
    users += other.users;
    begin = std::min(begin, other.begin);
    end = std::max(end, other.end);
    other.absorber_owner_ = shared_from_this();
    other.absorber_.store(this, std::memory_order_release);
  }
  bool is_absorbed() const { return absorber_owner_ != nullptr; }

  std::atomic<int> host_views{0};
  const char *begin = nullptr, *end = nullptr; // the exported range
  std::size_t users = 0;                       // the number of exported allocations

private:
  void drop_completed_queues() {
    const auto completed = [](const Member &one) {
      return one.last && translated(one.queue.get(), [&] { return is_complete(one.last); });
    };
    members_.erase(std::remove_if(members_.begin(), members_.end(), completed), members_.end());
  }

  std::mutex mutex_;
  std::vector<Member> members_;
  std::atomic<Order *> absorber_{nullptr};
  std::shared_ptr<Order> absorber_owner_; // written once, before absorber_
};

namespace {

// The memory whose address is known outside of the library, as disjoint ranges.
class ExportedRanges {
public:
  static ExportedRanges &get() {
    static ExportedRanges &ranges =
        *new ExportedRanges; // memory may be freed while the process ends
    return ranges;
  }

  std::mutex mutex;

  void add(OrderedBytes &memory) {
    if (memory.is_exported())
      return;
    drop_completed();
    const char *begin = memory.pointer, *end = end_of(memory);
    auto next = ranges_.lower_bound(begin);
    if (next != ranges_.begin() && std::prev(next)->second->end > begin)
      --next;
    const auto overlaps = [&] { return next != ranges_.end() && next->first < end; };
    Order *order = Order::of(memory);
    if (!order)
      order = &Order::join(memory, overlaps() ? next->second : std::make_shared<Order>());
    order->begin = order->begin ? std::min(order->begin, begin) : begin;
    order->end = std::max(order->end, end);
    for (; overlaps(); next = ranges_.erase(next))
      if (next->second.get() != order)
        order->absorb(*next->second);
    ++order->users;
    ranges_[order->begin] = order->shared_from_this();
    Order::set_exported(memory);
  }

  // Removes an allocation. The commands before the events in `last` still use its bytes.
  void remove(const OrderedBytes &memory, const std::vector<Order::Member> &last) {
    Order *const order = Order::of(memory);
    for (const Order::Member &one : last)
      order->add(one);
    if (--order->users != 0)
      return;
    order->retire();
    if (order->has_no_commands())
      forget(*order);
    else
      retired_.push_back(order->shared_from_this());
  }

private:
  // Amortised clean-up: checks two retired ranges per added range.
  void drop_completed() {
    const DriverScope scope(DriverScope::if_open);
    if (!scope)
      return;
    for (int checks = 0; checks < 2 && !retired_.empty(); ++checks) {
      const std::shared_ptr<Order> order = std::move(retired_.front());
      retired_.pop_front();
      if (order->is_absorbed() || order->users != 0)
        continue; // the memory was imported again
      if (order->has_no_commands())
        forget(*order);
      else
        retired_.push_back(order);
    }
  }

  // An order may have retired several times. It is erased only once, because another order may have
  // its bytes afterwards.
  void forget(const Order &order) {
    const auto found = ranges_.find(order.begin);
    if (found != ranges_.end() && found->second.get() == &order)
      ranges_.erase(found);
  }

  std::map<const char *, std::shared_ptr<Order>> ranges_;
  std::deque<std::shared_ptr<Order>> retired_; // without allocations, but with pending commands
};

// Makes the memory's own queue wait for the other queues. A block is reused only on its own queue,
// so the new commands come after those of the other queues.
void wait_for_others(const Queue &queue, const std::vector<QueueRef> &others) {
  translated(&queue, [&] {
    const std::vector<sycl::event> events = barriers_of(others, queue);
    if (!events.empty())
      Submission(queue).barrier(events);
  });
}

// Adds an event after all commands of a queue, unless the queue is exported to be idle.
void add_last_event(std::vector<Order::Member> &list, const QueueRef &queue) {
  if (!is_idle(*queue))
    translated(queue.get(), [&] {
      list.push_back({queue, std::make_shared<sycl::event>(Submission(*queue).barrier())});
    });
}

} // namespace

void share(OrderedBytes &memory, const QueueRef &queue) {
  if (equal(*memory.queue, *queue))
    return;
  std::lock_guard<std::mutex> lock(ExportedRanges::get().mutex);
  Order *const order = Order::of(memory);
  (order ? *order : Order::join(memory, std::make_shared<Order>())).add({queue, nullptr});
}

void make_exported(OrderedBytes &memory) {
  if (memory.is_exported())
    return;
  ExportedRanges &exported = ExportedRanges::get();
  std::lock_guard<std::mutex> lock(exported.mutex);
  exported.add(memory);
}

void leave_order(OrderedBytes &memory, bool bytes_stay) {
  if (!memory.is_shared())
    return;
  const DriverScope scope;
  std::vector<QueueRef> others;
  std::vector<Order::Member> last;
  other_queues(memory, *memory.queue, others);
  try {
    wait_for_others(*memory.queue, others);
    if (memory.is_exported() && bytes_stay) {
      add_last_event(last, memory.queue);
      for (const QueueRef &queue : others)
        add_last_event(last, queue);
    }
  } catch (const std::exception &) { // wait for the work; a destructor cannot report errors
    last.clear();
    try {
      drain(memory);
    } catch (const std::exception &) {
    }
  }
  if (!memory.is_exported())
    return;
  ExportedRanges &exported = ExportedRanges::get();
  std::lock_guard<std::mutex> lock(exported.mutex);
  exported.remove(memory, last);
}

void other_queues(const OrderedBytes &memory, const Queue &queue, std::vector<QueueRef> &list) {
  if (Order *order = Order::of(memory))
    order->collect_others(queue, list);
  else if (!equal(*memory.queue, queue) && !contains(list, *memory.queue))
    list.push_back(memory.queue);
}

std::vector<sycl::event> barriers_of(const std::vector<QueueRef> &others, const Queue &queue) {
  std::vector<sycl::event> events;
  for (const QueueRef &other : others)
    if (can_wait_for(queue, *other)) // even if it seems idle: other threads may submit meanwhile
      events.push_back(Submission(*other).barrier());
    else // its events cannot be used in a barrier, so the host waits
      wait(*other);
  return events;
}

void drain(const OrderedBytes &memory) {
  if (!settings.ordering)
    return;
  const auto which = memory.is_exported() ? Commands::all : Commands::ours;
  wait(*memory.queue, which);
  if (!memory.is_shared())
    return;
  const DriverScope scope;
  std::vector<QueueRef> others;
  other_queues(memory, *memory.queue, others);
  for (const QueueRef &queue : others)
    wait(*queue, which);
}

void open_host_view(OrderedBytes &memory) {
  // Mark first, then wait: a command of another thread either sees the mark, or drain() waits for
  // it.
  mark_host_view(memory);
  drain(memory);
}

void mark_host_view(OrderedBytes &memory) {
  ExportedRanges &exported = ExportedRanges::get();
  std::lock_guard<std::mutex> lock(exported.mutex);
  exported.add(memory);
  ++Order::of(memory)->host_views;
}

void close_host_view(OrderedBytes &memory) {
  std::lock_guard<std::mutex> lock(ExportedRanges::get().mutex);
  --Order::of(memory)->host_views;
}

bool has_host_view(const OrderedBytes &memory) {
  const Order *const order = Order::of(memory);
  return order && order->host_views > 0;
}

void lock_order_for_fork() { ExportedRanges::get().mutex.lock(); }

void unlock_order_after_fork() { ExportedRanges::get().mutex.unlock(); }

} // namespace usmtensor
