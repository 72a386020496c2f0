// What tests and benchmarks do past the choke point. It is a part of the module _hooks, which users
// do not load.
#pragma once
#include "runtime/handles.hpp"
#include "runtime/test_hooks.hpp"

#include <cstddef>
#include <cstdint>

namespace usmtensor {

// Lets `after` pass, then fails each `every`-th until it failed `count`. Replaces what was planned
// before; a count of 0 plans nothing.
void plan_faults(Fault fault, long after, long count, long every);
// How many are still to fail.
long planned_faults(Fault fault);

// What a launch of a kernel that takes some arrays and their length costs at the least.
struct LaunchFloor {
  double submit; // seconds to submit an empty kernel, median
  double total;  // the same until the queue has run it
};

// On a new in-order queue of the same device, past the choke point; 1 to 3 arrays. Each counts, as
// drivers look up where it lies.
LaunchFloor launch_floor(const QueueRef &queue, int repeats, int arrays);

// How many commands of ours were submitted to a queue.
std::uint64_t submitted_commands(const QueueRef &queue);

// A copy as a user might submit it, past the choke point, that begins only after some time. Shows
// in tests whether others wait for it.
void submit_late_copy(const QueueRef &queue, char *destination, const char *source,
                      std::size_t nbytes, double seconds);

// The next allocation finds what another thread left in the pool a moment before: a block of a size
// with a command of ours pending, which sets all of its bytes to 0x7f.
void drop_pending_block(const QueueRef &queue, std::size_t nbytes);

// A task of the host as a user might submit it; what comes after it is not given to the driver
// before it is done.
void submit_late_host_task(const QueueRef &queue, double seconds);

} // namespace usmtensor
