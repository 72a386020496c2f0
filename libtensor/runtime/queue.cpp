#include "queue.hpp"

#include "device.hpp"
#include "gate.hpp"
#include "kernel_store.hpp"
#include "native_queue.hpp"
#include "opencl_api.hpp"
#include "postponed.hpp"
#include "scratch.hpp"
#include "settings.hpp"
#include "translate.hpp"

#include <sycl/context.hpp>
#include <sycl/device.hpp>
#include <sycl/properties/queue_properties.hpp>

#include <deque>
#include <list>
#include <memory>
#include <utility>

namespace usmtensor {
namespace {

// The queues for which a fork must wait. Never destroyed: queues may outlive static objects.
struct LiveQueues {
  std::mutex mutex;
  std::list<std::weak_ptr<Queue>> queues;
};

LiveQueues &live_queues() {
  static LiveQueues &live = *new LiveQueues;
  return live;
}

void add_live(const QueueRef &queue) {
  auto &[mutex, queues] = live_queues();
  std::lock_guard<std::mutex> lock(mutex);
  queues.remove_if([](const std::weak_ptr<Queue> &one) { return one.expired(); });
  queues.push_back(queue);
}

bool known_idle(const Queue &queue, Commands which, std::uint64_t submitted) {
  return queue.finished.load(std::memory_order_acquire) >= submitted &&
         (which == Commands::ours || !queue.exposed.load(std::memory_order_acquire));
}

void note_finished(const Queue &queue, std::uint64_t count) {
  if (count == queue.submitted.load(std::memory_order_relaxed))
    queue.pending_time.store(0, std::memory_order_relaxed);
  std::uint64_t finished = queue.finished.load(std::memory_order_relaxed);
  while (finished < count &&
         !queue.finished.compare_exchange_weak(finished, count, std::memory_order_acq_rel))
    ;
}

// Keeps an OpenCL queue for a second. Its last command has a reference to it for a moment after the
// event is complete. The OpenCL CPU driver hangs if that reference is the last one.
void keep_for_a_second(OpenClQueue queue) {
  struct Ended {
    Clock::time_point time;
    OpenClQueue queue;
  };
  static std::mutex &mutex = *new std::mutex;
  static std::deque<Ended> &kept = *new std::deque<Ended>;
  const Clock::time_point now = Clock::now();
  std::vector<Ended> old; // released after the unlock
  std::lock_guard<std::mutex> lock(mutex);
  for (; !kept.empty() && now - kept.front().time > std::chrono::seconds(1); kept.pop_front())
    old.push_back(std::move(kept.front()));
  kept.push_back({now, std::move(queue)});
}

// The deleter of the last handle.
void delete_queue(Queue *queue) {
  if (!may_release())
    return postpone([queue] { delete_queue(queue); });
  const DriverScope scope;
  if (process_is_exiting()) // the driver may already be destroyed
    return;
  if (queue->native)
    try {
      wait(*queue->native);
      if (queue->opencl)
        keep_for_a_second(queue->native->ask(opencl_queue));
    } catch (const std::exception &) { // a destructor cannot report it
    }
  delete queue;
}

QueueRef wrap(NativeQueue native) {
  const sycl::device device = native.ask([](const sycl::queue &sycl) { return sycl.get_device(); });
  const sycl::context context =
      native.ask([](const sycl::queue &sycl) { return sycl.get_context(); });
  return translated(&context, &device, ErrorKind::queue_creation, [&] {
    fail_if_planned(Fault::queue);
    const QueueRef result(new Queue, delete_queue);
    result->kernels = kernel_table(context, device);
    note_context(context);
    if (!device.is_cpu())
      note_non_cpu_driver();
    result->in_order = native.is_in_order();
    result->description = describe(device);
    result->opencl = device.get_backend() == sycl::backend::opencl;
    result->native = std::make_shared<NativeQueue>(std::move(native));
    result->context = std::make_shared<sycl::context>(context);
    result->device = std::make_shared<sycl::device>(device);
    result->fp16 = has_aspect(result->device, "fp16");
    result->fp64 = has_aspect(result->device, "fp64");
    result->host_usm = has_aspect(result->device, "usm_host_allocations");
    result->scratch = std::make_unique<ScratchBlocks>(*result);
    add_live(result); // last, because other threads use it from now on
    return result;
  });
}

sycl::property_list property_list(QueueProperties properties) {
  namespace property = sycl::property::queue;
  if (properties.in_order && properties.enable_profiling)
    return {property::in_order(), property::enable_profiling()};
  if (properties.in_order)
    return {property::in_order()};
  if (properties.enable_profiling)
    return {property::enable_profiling()};
  return {};
}

} // namespace

Queue::Queue() = default;
Queue::~Queue() = default;

QueueRef make_queue(const ContextRef &context, const DeviceRef &device,
                    QueueProperties properties) {
  const DriverScope scope;
  return translated(
      context.get(), context ? nullptr : device.get(), ErrorKind::queue_creation, [&] {
        const sycl::property_list list = property_list(properties);
        // The handler is passed explicitly: runtimes before 2026.2 lack the overload without it.
        return wrap(NativeQueue(context ? sycl::queue(*context, *device, list)
                                        : sycl::queue(*device, sycl::async_handler(), list)));
      });
}

QueueRef adopt_queue(const void *sycl_queue) {
  static std::mutex &adoption = *new std::mutex; // two threads may adopt one queue
  const DriverScope scope;
  const NativeQueue wanted(*static_cast<const sycl::queue *>(sycl_queue));
  std::vector<QueueRef> known; // destroyed after the unlock, because that may wait
  const std::lock_guard<std::mutex> lock(adoption);
  known = all_queues();
  QueueRef queue;
  for (const QueueRef &one : known)
    if (*one->native == wanted)
      queue = one;
  if (!queue)
    queue = wrap(wanted);
  queue->exposed = true;
  return queue;
}

bool equal(const Queue &a, const Queue &b) { return &a == &b || *a.native == *b.native; }

bool same_device_and_context(const Queue &a, const Queue &b) {
  return &a == &b || (*a.device == *b.device && *a.context == *b.context);
}

bool is_like_cpu(const Queue &queue) {
  const int forced = settings.device_class.load(std::memory_order_relaxed);
  return forced ? static_cast<DeviceClass>(forced - 1) == DeviceClass::cpu
                : queue.description.is_cpu();
}

bool can_wait_for(const Queue &a, const Queue &b) {
  return (a.context == b.context || *a.context == *b.context) && !is_child_of_fork();
}

std::size_t hash(const Queue &queue) { return queue.native->ask(std::hash<sycl::queue>()); }

const void *address(const Queue &queue) {
  queue.exposed = true;
  return queue.native->ask([](const sycl::queue &sycl) { return &sycl; });
}

bool has_profiling(const Queue &queue) {
  return queue.native->ask([](const sycl::queue &sycl) {
    return sycl.has_property<sycl::property::queue::enable_profiling>();
  });
}

Backend backend(const Queue &queue) {
  return queue.native->ask([](const sycl::queue &sycl) { return translated(sycl.get_backend()); });
}

bool wait(const Queue &queue, Commands which, Clock::time_point deadline) {
  const std::uint64_t submitted = queue.submitted.load(); // loaded after a host view is marked
  if (known_idle(queue, which, submitted))
    return true;
  const DriverScope scope;
  if (!translated(&queue, [&] { return wait(*queue.native, deadline); }))
    return false;
  note_finished(queue, submitted);
  return true;
}

bool known_idle(const Queue &queue, Commands which) {
  return known_idle(queue, which, queue.submitted.load(std::memory_order_acquire));
}

bool is_idle(const Queue &queue, Commands which) {
  const std::uint64_t submitted = queue.submitted.load(std::memory_order_acquire);
  if (known_idle(queue, which, submitted))
    return true;
  const DriverScope scope(DriverScope::if_open);
  if (!scope || !queue.in_order)
    return false;
  return translated(&queue, [&] {
    // A submission may wait for a host task that needs the GIL, which this thread may hold.
    const std::unique_lock<std::mutex> lock(queue.marker_mutex, std::try_to_lock);
    if (!lock)
      return false;
    for (;;) {
      const bool fresh = !queue.marker;
      if (fresh) {
        const auto marker = queue.native->last_event();
        queue.marker = marker ? std::make_shared<sycl::event>(*marker) : completed_event();
        queue.commands_at_marker = submitted;
      }
      if (!is_complete(queue.marker))
        return false;
      queue.marker = nullptr;
      note_finished(queue, queue.commands_at_marker);
      if (fresh || known_idle(queue, which, submitted))
        return true;
    }
  });
}

void bound_pending(const Queue &queue) {
  constexpr std::uint64_t max_pending = 512, min_pending = 16; // commands, of about 3.4 KB each
  constexpr std::int64_t max_nanoseconds = 50'000'000;
  const std::uint64_t finished = queue.finished.load(std::memory_order_acquire);
  const std::uint64_t pending = queue.submitted.load(std::memory_order_relaxed) - finished;
  if (pending >= max_pending ||
      (pending >= min_pending &&
       queue.pending_time.load(std::memory_order_relaxed) > max_nanoseconds)) {
    wait(queue, Commands::ours);
    queue.pending_time = 0; // even if other threads submitted meanwhile
  }
}

std::vector<QueueRef> all_queues() {
  auto &[mutex, queues] = live_queues();
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<QueueRef> result;
  for (const std::weak_ptr<Queue> &one : queues)
    if (QueueRef queue = one.lock())
      result.push_back(std::move(queue));
  return result;
}

} // namespace usmtensor
