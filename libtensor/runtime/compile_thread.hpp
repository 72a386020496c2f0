// One thread compiles all kernels, because the runtime's compiler warms up per thread: the first
// compilation of a thread takes 100 ms, each later one 20.
#pragma once
#include <functional>

namespace usmtensor {

// Queues a job, which must not throw. The thread starts with the first job, and passes the gate for
// each. At exit the gate stops this thread, and the exiting thread runs its jobs itself.
void run_on_compile_thread(std::function<void()> job);

// Waits until the thread has ended its job. Call it at exit, after the gate is closed: a
// compilation may take longer than the gate waits, and the driver must not be destroyed meanwhile.
void wait_for_compile_job();

// In the child of a fork, which has no compile thread; the next job starts one.
void renew_compile_thread();

} // namespace usmtensor
