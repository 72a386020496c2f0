#include "event.hpp"

#include "gate.hpp"
#include "translate.hpp"

#include <sycl/event.hpp>

#include <thread>

namespace usmtensor {

namespace {

bool is_pending(const sycl::event &event) {
  using sycl::info::event_command_status;
  const auto status = event.get_info<sycl::info::event::command_execution_status>();
  return status == event_command_status::submitted || status == event_command_status::running;
}

} // namespace

EventRef completed_event() { return std::make_shared<sycl::event>(); }

bool wait(const sycl::event &event, Clock::time_point deadline) {
  const Passage passage;
  sycl::event same = event;
  if (deadline == never && (is_child_of_fork() || same.get_wait_list().empty())) {
    same.wait();
    return true;
  }
  // The runtime may hold it back until a host task is done, and lets it go when somebody waits.
  constexpr std::chrono::microseconds between_looks{20};
  while (is_pending(same) && Clock::now() < deadline)
    std::this_thread::sleep_for(between_looks);
  return !is_pending(same);
}

void wait(const EventRef &event) { wait(*event, never); }

bool is_complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete;
}

EventStatus status(const EventRef &event) {
  using sycl::info::event_command_status;
  switch (event->get_info<sycl::info::event::command_execution_status>()) {
  case event_command_status::submitted:
    return EventStatus::submitted;
  case event_command_status::running:
    return EventStatus::running;
  case event_command_status::complete:
    return EventStatus::complete;
  default:
    return EventStatus::unknown;
  }
}

std::vector<EventRef> wait_list(const EventRef &event) { return handles(event->get_wait_list()); }

Backend backend(const EventRef &event) { return translated(event->get_backend()); }

std::uint64_t profiling_time(const EventRef &event, EventTime time) {
  namespace query = sycl::info::event_profiling;
  switch (time) {
  case EventTime::submit:
    return event->get_profiling_info<query::command_submit>();
  case EventTime::start:
    return event->get_profiling_info<query::command_start>();
  default:
    return event->get_profiling_info<query::command_end>();
  }
}

void *release_copy(const EventRef &event) { return new sycl::event(*event); }

EventRef adopt_event(const void *event) {
  return std::make_shared<sycl::event>(*static_cast<const sycl::event *>(event));
}

void delete_event(void *event) { delete static_cast<sycl::event *>(event); }

} // namespace usmtensor
