// The gate through which threads enter the driver. A fork or the exit of the process closes it, so
// that no other thread uses the driver meanwhile.
#pragma once
#include <atomic>

namespace usmtensor {

// The thread may use the driver during the life of this object. Construct it before taking a lock,
// so that no lock is held at a fork, and without the GIL, because it waits at a closed gate. May be
// nested.
class DriverScope {
public:
  enum IfOpen { if_open };
  DriverScope();
  explicit DriverScope(IfOpen); // does not wait
  ~DriverScope();
  DriverScope(const DriverScope &) = delete;
  DriverScope &operator=(const DriverScope &) = delete;
  explicit operator bool() const { return inside_; } // true if the thread may use the driver

private:
  bool inside_ = true;
};

// True if the calling thread was ever inside. Threads of the SYCL runtime never are
// (postponed.hpp).
bool thread_has_entered();

// For tests: called by each thread that enters where it may have to wait.
extern std::atomic<void (*)()> gate_watch;

// True if no queue has pending work. With `wait`, it first waits for that work. Call it twice
// before a fork by a thread that holds the GIL: first with `wait` and without the GIL, because host
// tasks may need it; then with the GIL, because other threads may have submitted more. The fork
// itself waits only for a limited time. Defined in fork.cpp.
bool ready_for_fork(bool wait);

// Closes the gate until the fork is complete, and waits until the other threads are outside.
// Returns true if they are. The wait is limited, because one of them may wait for the GIL, which
// the calling thread holds.
bool close_gate_for_fork();
void open_gate_after_fork_parent();
void open_gate_after_fork_child();
// True if this process lacks the driver's threads. Commands then run in a thread that waits for
// them or for their queue, but not in a thread that waits for a barrier of an out-of-order queue.
bool is_child_of_fork();
// Call this for each queue of a device other than a CPU: their drivers do not survive a fork.
void note_non_cpu_driver();
// True if the parent of this process used such a driver.
bool driver_was_lost();

// Call these before and after using memory outside of the gate: when the host works on operands. A
// fork does not wait for it, because it may need the GIL. An exit does, because the driver then
// unmaps the memory. begin_memory_use() waits at a gate that is closed for an exit. May be nested.
void begin_memory_use();
void end_memory_use();

// During the life of this object an exit does not wait for its thread. The thread uses no memory
// meanwhile, because it waits for another thread, which may wait at the gate.
class MemoryUsePause {
public:
  MemoryUsePause();
  ~MemoryUsePause();
  MemoryUsePause(const MemoryUsePause &) = delete;
  MemoryUsePause &operator=(const MemoryUsePause &) = delete;
};

// Closes the gate before the process exits. The calling thread continues, so that it can wait for
// all work.
void close_gate_at_exit();
// Lets the other threads continue after some seconds. By then the process has ended, unless it
// waits for one of them.
void open_gate_later();
// True if this is the exiting thread.
bool closed_at_exit_by_this_thread();

} // namespace usmtensor
