// Submissions of tests and benchmarks that do not pass `submit`. A part of the module _hooks, which
// users do not load.
#pragma once
#include "runtime/handles.hpp"
#include "runtime/settings.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace usmtensor {

// Lets `after` steps pass, then fails each `every`-th until `count` have failed. Replaces the
// earlier plan; a count of 0 ends it.
void plan_faults(Fault fault, long after, long count, long every);
// The number of failures that are left.
long planned_faults(Fault fault);

// Lets a step take some more seconds. 0: no longer.
void delay(Fault fault, double seconds);

// Records the threads that enter the gate, where they may have to wait, with the GIL: a closed gate
// would then stop all threads.
void watch_gate(bool on);
// Their native call stacks since the last question.
std::vector<std::string> entries_with_gil();
// Throws the error of a driver with this message.
void throw_error(const std::string &message);

// The least time of a launch of a kernel that takes some arrays and their length.
struct LaunchFloor {
  double submit; // seconds to submit an empty kernel, median
  double total;  // seconds until the queue has run it
};

// On a new in-order queue of the device, without `submit`. 1 to 3 arrays: each adds time, because
// drivers look up its allocation.
LaunchFloor launch_floor(const QueueRef &queue, int repeats, int arrays);

// The number of commands that the library submitted to a queue.
std::uint64_t submitted_commands(const QueueRef &queue);

// A copy that begins only after some time, as a user might submit it, without `submit`. Tests check
// whether later commands wait for it.
void submit_late_copy(const QueueRef &queue, char *destination, const char *source,
                      std::size_t nbytes, double seconds);

// Puts a block into the pool with a pending command of the library, which sets all its bytes to
// 0x7f, as another thread might just before an allocation.
void drop_pending_block(const QueueRef &queue, std::size_t nbytes);

// A host task as a user might submit it. The runtime gives the driver no later commands until it is
// complete.
void submit_late_host_task(const QueueRef &queue, double seconds);

} // namespace usmtensor
