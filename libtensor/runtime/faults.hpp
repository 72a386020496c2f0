// Allocations that fail on request, for tests: what happens without memory cannot be tried
// otherwise, as a driver grants more than there is.
#pragma once

namespace usmtensor {

enum class Fault {
  allocation, // allocate() fails as if nothing helped
  driver,     // the driver has no memory: the pools are emptied, and it is asked again
};

// Lets `after` pass, then fails each `every`-th until it failed `count`. Replaces what was planned
// before; a count of 0 plans nothing.
void plan_faults(Fault fault, long after, long count, long every);
// How many are still to fail.
long planned_faults(Fault fault);

// Asked once for each allocation.
bool allocation_fails();
bool driver_allocation_fails();

} // namespace usmtensor
