// Releases that have to wait for the next call of the library.
//
// Other libraries drop their handles in host tasks, on a thread of the SYCL runtime. There a
// release that waits for the task's queue would never end, and one that submits a command may not
// end either: the runtime blocks submissions while a thread waits for a host task. Such a thread
// never calls the library in another way, and the program has not made it. So it postpones its
// releases.
#pragma once
#include <atomic>
#include <functional>

namespace usmtensor {

// Whether releases of the calling thread may wait: it has called the library, or the program knows
// it.
bool may_release();
// Sets the function that tells whether the program has made the calling thread.
void set_thread_check(bool (*is_known)());
// Keeps a release for the next call. Takes no lock and waits for nothing. If the system lacks the
// memory for it, it is never called.
void postpone(std::function<void()> release) noexcept;
extern std::atomic<bool> releases_are_postponed;
// Calls the postponed releases, without the GIL: they may wait.
void make_postponed_releases() noexcept;
// The child of a fork leaves them to its parent.
void forget_postponed_releases();

} // namespace usmtensor
