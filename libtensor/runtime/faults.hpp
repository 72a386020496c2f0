// What fails on request, for tests: a driver grants more memory than there is, and refuses nothing
// that is in order.
#pragma once

namespace usmtensor {

enum class Fault {
  allocation,   // allocate() fails as if nothing helped
  driver,       // the driver has no memory: the pools are emptied, and it is asked again
  command,      // a queue refuses a command
  command_part, // a queue refuses a command when a part of it was submitted
  barrier,      // a queue refuses a barrier
  load,         // a kernel's binary from disk is refused
  compile,      // a kernel does not compile
};

// Lets `after` pass, then fails each `every`-th until it failed `count`. Replaces what was planned
// before; a count of 0 plans nothing.
void plan_faults(Fault fault, long after, long count, long every);
// How many are still to fail.
long planned_faults(Fault fault);

// Asked once for each allocation, command and so on.
bool fails(Fault fault);

} // namespace usmtensor
