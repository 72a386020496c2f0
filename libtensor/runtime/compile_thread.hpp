// One thread compiles all kernels, because the runtime's compiler warms up per thread: the first
// compilation of a thread takes 100 ms, and each later one 20 ms.
#pragma once
#include <functional>

namespace usmtensor {

// Enqueues a job, which must not throw, before or after the jobs that wait. The thread starts with
// the first job, and enters the gate for each job. At exit the gate stops it, and the exiting
// thread runs its own jobs.
void run_on_compile_thread(std::function<void()> job, bool before_others = false);

// Waits until the thread has finished its job. Call it at exit, after the gate is closed: a
// compilation may take longer than the gate waits, and the driver must not be destroyed meanwhile.
void wait_for_compile_job();

// For the child of a fork, which has no compile thread: the next job starts one.
void renew_compile_thread();

} // namespace usmtensor
