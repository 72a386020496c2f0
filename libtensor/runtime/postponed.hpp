// Releases that are postponed to the next call of the library.
//
// Other libraries drop their handles in host tasks, on a thread of the SYCL runtime. There, a
// release that waits for the task's queue would never return. One that submits a command might not
// return either, because the runtime blocks submissions while a thread waits for a host task. Such
// a thread was not started by the program, and never calls the library otherwise. So it postpones
// releases.
#pragma once
#include <atomic>
#include <functional>

namespace usmtensor {

// True if releases on the calling thread may wait: it has called the library before, or was started
// by the program.
bool may_release();
// Sets the function that returns true if the program started the calling thread.
void set_thread_check(bool (*is_known)());
// Postpones a release. Takes no lock and never waits. If memory is exhausted, the release is
// dropped.
void postpone(std::function<void()> release) noexcept;
extern std::atomic<bool> releases_are_postponed;
// Calls the postponed releases. Call it without the GIL, because they may wait.
void run_postponed_releases() noexcept;
// For the child of a fork: the parent calls them.
void forget_postponed_releases();

} // namespace usmtensor
