// The one thread that compiles: the runtime's compiler warms up per thread, so a first compilation
// takes 100 ms on every thread and each later one 20.
#pragma once
#include <functional>

namespace usmtensor {

// Queues a job, which must not throw; the thread starts with the first one.
void run_on_compile_thread(std::function<void()> job);

// Work that a fork and the exit of the process wait for, on the caller's own thread.
class CompilerWork {
public:
  CompilerWork();
  ~CompilerWork();
  CompilerWork(const CompilerWork &) = delete;
  CompilerWork &operator=(const CompilerWork &) = delete;
};

// Lets nothing start until the fork is done, and waits for what is under way.
void hold_compiler();
void release_compiler();
// In the child, which has no compile thread; the next job starts one.
void renew_compiler();

// Before the process exits: waits for what is under way, for a bounded time, and holds back what
// other threads want. The calling thread may go on; it compiles on its own from now on.
void stop_compiler();
bool stopped_by_this_thread();
// Holds the other threads back for a while, so that they do not use the device while it goes.
void wait_if_stopped();

} // namespace usmtensor
