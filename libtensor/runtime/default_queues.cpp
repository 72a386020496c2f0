#include "default_queues.hpp"

#include "device.hpp"
#include "gate.hpp"
#include "kernel_store.hpp"
#include "queue.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>

#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace usmtensor {
namespace {

// A new queue and its kernels take milliseconds, so some stay without a user.
constexpr std::size_t kept = 8;

struct Entry {
  std::weak_ptr<Queue> queue;
  bool of_device; // the queue for the device without a context
};

// Never destroyed: queues must outlive everything that may still use them at exit.
struct DefaultQueues {
  std::mutex mutex;
  std::list<Entry> entries;
  std::list<QueueRef> of_roots, recent; // keep the queues alive; recent: the newest last

  static DefaultQueues &get() {
    static DefaultQueues &queues = *new DefaultQueues;
    return queues;
  }

  QueueRef find(const ContextRef &context, const DeviceRef &device) {
    entries.remove_if([](const Entry &entry) { return entry.queue.expired(); });
    for (const Entry &entry : entries)
      if (QueueRef queue = entry.queue.lock())
        if (*queue->device == *device && (context ? *queue->context == *context : entry.of_device))
          return queue;
    return nullptr;
  }

  // A null context means the context that the runtime chooses for the device.
  QueueRef of(const ContextRef &context, const DeviceRef &device) {
    const bool for_good = !context && !parent(device);
    const Passage passage;
    QueueRef oldest; // its destruction may take a while, so it comes after the unlock
    std::lock_guard<std::mutex> lock(mutex);
    QueueRef queue = find(context, device);
    if (!queue) {
      queue = make_queue(context, device, {true, false});
      entries.push_back({queue, !context});
      if (for_good) {
        of_roots.push_back(queue);
        queue->kernels->warm_up();
      }
    }
    if (!for_good) {
      recent.remove(queue);
      recent.push_back(queue);
      if (recent.size() > kept) {
        oldest = std::move(recent.front());
        recent.pop_front();
      }
    }
    return queue;
  }
};

} // namespace

QueueRef default_queue(const DeviceRef &device) { return DefaultQueues::get().of(nullptr, device); }

QueueRef default_queue(const ContextRef &context, const DeviceRef &device) {
  const bool usual = !parent(device) && equal(default_context(platform_of(device)), context);
  return DefaultQueues::get().of(usual ? nullptr : context, device);
}

} // namespace usmtensor
