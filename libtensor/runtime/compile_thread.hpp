// The one thread that compiles: the runtime's compiler warms up per thread, so a first compilation
// takes 100 ms on every thread and each later one 20.
#pragma once
#include <functional>

namespace usmtensor {

// Queues a job, which must not throw; the thread starts with the first one. It passes the gate for
// each. At exit the thread that exits compiles for itself: this one is held back.
void run_on_compile_thread(std::function<void()> job);

// In the child of a fork, which has no compile thread; the next job starts one.
void renew_compile_thread();

} // namespace usmtensor
