// What a launch costs at the least: the floor that benchmarks compare operations with.
#pragma once
#include "runtime/handles.hpp"

namespace usmtensor {

struct LaunchFloor {
  double submit; // seconds to submit an empty kernel, median
  double total;  // the same until the queue has run it
};

// On a new in-order queue of the same device, past the choke point.
LaunchFloor launch_floor(const QueueRef &queue, int repeats);

} // namespace usmtensor
