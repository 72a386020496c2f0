// Events, which are handles to commands.
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
// Waits until the deadline. Returns true if the command is complete.
bool wait(const EventRef &event, Clock::time_point deadline = never);
// The same for the commands submitted so far.
bool wait(const NativeQueue &queue, Clock::time_point deadline = never);
// Errors refer to the queue's context and device, if the queue is not null.
void wait(const EventRef &event, const QueueInfo *queue);
EventStatus status(const EventRef &event, const QueueInfo *queue);
bool is_complete(const EventRef &event);
std::vector<EventRef> wait_list(const EventRef &event);
Backend backend(const EventRef &event);
// Nanoseconds of the device's clock. An Error unless the event's queue has enable_profiling.
std::uint64_t profiling_time(const EventRef &event, const QueueInfo *queue, EventTime time);

// A handle to a copy of a sycl::event.
EventRef adopt_event(const void *event);

} // namespace usmtensor
