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

// A new queue and its kernels take milliseconds, so the most recent queues are kept alive.
constexpr std::size_t max_recent = 8;

struct Entry {
  std::weak_ptr<Queue> queue;
  bool of_device; // the default queue of the device, requested without a context
};

// Never destroyed: queues must outlive everything that may still use them at exit.
struct DefaultQueues {
  std::mutex mutex;
  std::list<Entry> entries;
  std::list<QueueRef> permanent, recent; // keep the queues alive; recent: the newest last

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
  QueueRef find_or_make(const ContextRef &context, const DeviceRef &device) {
    const bool is_permanent = !context && !parent(device);
    const DriverScope scope;
    QueueRef oldest; // destroyed after the unlock, because that may take a while
    std::lock_guard<std::mutex> lock(mutex);
    QueueRef queue = find(context, device);
    if (!queue) {
      queue = make_queue(context, device, {true, false});
      entries.push_back({queue, !context});
      if (is_permanent) {
        permanent.push_back(queue);
        queue->kernels->warm_up();
      }
    }
    if (!is_permanent) {
      recent.remove(queue);
      recent.push_back(queue);
      if (recent.size() > max_recent) {
        oldest = std::move(recent.front());
        recent.pop_front();
      }
    }
    return queue;
  }
};

} // namespace

QueueRef default_queue(const DeviceRef &device) {
  return DefaultQueues::get().find_or_make(nullptr, device);
}

QueueRef default_queue(const ContextRef &context, const DeviceRef &device) {
  const bool is_default = !parent(device) && equal(default_context(platform_of(device)), context);
  return DefaultQueues::get().find_or_make(is_default ? nullptr : context, device);
}

} // namespace usmtensor
