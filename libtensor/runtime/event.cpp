#include "event.hpp"

#include "gate.hpp"
#include "native_queue.hpp"
#include "translate.hpp"

#include <sycl/event.hpp>

#include <algorithm>
#include <mutex>
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

// Admits one thread at a time to a wait inside the driver, until the end of the object. The OpenCL
// CPU driver has room for one thread that waits. For another one, its scheduler oneTBB makes the
// wait a task, and lets the thread execute commands. Inside of a command the thread may then
// execute this task, and waits for the command itself.
class DriverWait {
public:
  explicit DriverWait(sycl::backend backend)
      : limited_(backend == sycl::backend::opencl && !is_child_of_fork()) {}
  // Waits for the thread inside. Returns true if the caller may wait in the driver now.
  bool enter(Clock::duration timeout = {}) { return !limited_ || turn_.try_lock_for(timeout); }

private:
  static inline std::timed_mutex &mutex_ = *new std::timed_mutex; // threads may wait at exit

  const bool limited_;
  std::unique_lock<std::timed_mutex> turn_{mutex_, std::defer_lock};
};

} // namespace

EventRef completed_event() { return std::make_shared<sycl::event>(); }

bool wait(const EventRef &event, Clock::time_point deadline) {
  using std::chrono::microseconds;
  const DriverScope scope;
  fail_if_planned(Fault::event);
  const auto is_pending = [&] {
    const EventStatus found = progress(event);
    return found == EventStatus::submitted || found == EventStatus::running;
  };
  if (deadline == never && (is_child_of_fork() || event->get_wait_list().empty())) {
    // Poll in increasing intervals while another thread is inside, because a wake-up costs as much
    // as a short command.
    const Clock::time_point start = Clock::now();
    const auto pause = [&]() -> Clock::duration {
      const Clock::duration passed = Clock::now() - start;
      return passed < microseconds(100) ? Clock::duration()
                                        : std::min<Clock::duration>(passed / 4, microseconds(1000));
    };
    DriverWait driver_wait(event->get_backend());
    while (!driver_wait.enter(pause())) {
      if (!is_pending())
        return true;
      std::this_thread::yield();
    }
    event->wait();
    return true;
  }
  // Poll. The runtime may hold the command back until a host task is done. A wait would submit it,
  // but would also block the submissions of other threads.
  while (is_pending() && Clock::now() < deadline)
    std::this_thread::sleep_for(microseconds(20));
  return !is_pending();
}

bool wait(const NativeQueue &queue, Clock::time_point deadline) {
  auto lock = queue.submission_lock();
  if (deadline == never && (queue.is_in_order() || is_child_of_fork())) {
    DriverWait driver_wait(queue.ask([](const sycl::queue &q) { return q.get_backend(); }));
    if (driver_wait.enter()) {
      queue.wait();
      return true;
    }
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
