#include "event.hpp"

#include "gate.hpp"
#include "native_queue.hpp"
#include "translate.hpp"

#include <sycl/event.hpp>

#include <atomic>
#include <thread>

namespace usmtensor {

namespace {

EventStatus progress(const EventRef &event) {
  using sycl::info::event_command_status;
  fail_if_planned(Fault::event);
  const auto found = event->get_info<sycl::info::event::command_execution_status>();
  return found == event_command_status::submitted  ? EventStatus::submitted
         : found == event_command_status::running  ? EventStatus::running
         : found == event_command_status::complete ? EventStatus::complete
                                                   : EventStatus::unknown;
}

// True if the calling thread may wait inside the driver, until the end of the object. The OpenCL
// CPU driver has room for one thread that waits. For another one, its scheduler oneTBB makes the
// wait a task, and lets the thread execute commands. Inside of a command the thread may then
// execute this task, and waits for the command itself.
class DriverWait {
public:
  explicit DriverWait(sycl::backend backend)
      : limited_(backend == sycl::backend::opencl && !is_child_of_fork()),
        allowed_(!limited_ || !taken_.exchange(true)) {}
  DriverWait(const DriverWait &) = delete;
  ~DriverWait() {
    if (limited_ && allowed_)
      taken_ = false;
  }
  explicit operator bool() const { return allowed_; }

private:
  static inline std::atomic<bool> taken_{false};
  const bool limited_, allowed_;
};

} // namespace

EventRef completed_event() { return std::make_shared<sycl::event>(); }

bool wait(const EventRef &event, Clock::time_point deadline) {
  const DriverScope scope;
  fail_if_planned(Fault::event);
  if (deadline == never && (is_child_of_fork() || event->get_wait_list().empty()))
    if (const DriverWait allowed(event->get_backend()); allowed) {
      event->wait();
      return true;
    }
  // Poll. The runtime may hold the command back until a host task is done. A wait would submit it,
  // but would also block the submissions of other threads.
  constexpr std::chrono::microseconds poll_interval{20};
  const auto is_pending = [&] {
    const EventStatus found = progress(event);
    return found == EventStatus::submitted || found == EventStatus::running;
  };
  while (is_pending() && Clock::now() < deadline)
    std::this_thread::sleep_for(poll_interval);
  return !is_pending();
}

bool wait(const NativeQueue &queue, Clock::time_point deadline) {
  auto lock = queue.submission_lock();
  if (deadline == never && (queue.is_in_order() || is_child_of_fork()))
    if (const DriverWait allowed(queue.ask([](const sycl::queue &q) { return q.get_backend(); }));
        allowed) {
      queue.wait();
      return true;
    }
  const auto last = std::make_shared<sycl::event>(queue.barrier());
  lock = {};
  return wait(last, deadline);
}

void wait(const EventRef &event, const QueueInfo *queue) {
  translated(queue, [&] { wait(event); });
}

EventStatus status(const EventRef &event, const QueueInfo *queue) {
  const DriverScope scope;
  return translated(queue, [&] { return progress(event); });
}

bool is_complete(const EventRef &event) { return progress(event) == EventStatus::complete; }

std::vector<EventRef> wait_list(const EventRef &event) { return handles(event->get_wait_list()); }

Backend backend(const EventRef &event) { return translated(event->get_backend()); }

std::uint64_t profiling_time(const EventRef &event, const QueueInfo *queue, EventTime time) {
  namespace query = sycl::info::event_profiling;
  const DriverScope scope;
  return translated(queue, [&] {
    fail_if_planned(Fault::event);
    return time == EventTime::submit  ? event->get_profiling_info<query::command_submit>()
           : time == EventTime::start ? event->get_profiling_info<query::command_start>()
                                      : event->get_profiling_info<query::command_end>();
  });
}

EventRef adopt_event(const void *event) {
  return std::make_shared<sycl::event>(*static_cast<const sycl::event *>(event));
}

} // namespace usmtensor
