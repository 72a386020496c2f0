// Events: the handle on one command.
#pragma once
#include "handles.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace usmtensor {

using Clock = std::chrono::steady_clock;
constexpr auto never = Clock::time_point::max();

// Values as in dpctl's event_status_type.
enum class EventStatus : std::uint8_t { unknown = 1, submitted, running, complete };
enum class EventTime : std::uint8_t { submit, start, end };

EventRef completed_event();
// Whether it is complete by then.
bool wait(const EventRef &event, Clock::time_point deadline = never);
// Errors name the place if it is not null.
void wait(const EventRef &event, const Place *place);
EventStatus status(const EventRef &event, const Place *place);
bool is_complete(const EventRef &event);
std::vector<EventRef> wait_list(const EventRef &event);
Backend backend(const EventRef &event);
// Nanoseconds by the device's clock, for an event of a queue with enable_profiling; an Error else.
std::uint64_t profiling_time(const EventRef &event, const Place *place, EventTime time);

// A handle on a copy of a sycl::event.
EventRef adopt_event(const void *event);

} // namespace usmtensor
