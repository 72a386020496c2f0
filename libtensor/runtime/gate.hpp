// The gate before the driver. A fork and the exit of the process close it, because they need a time
// in which no other thread uses the driver.
#pragma once
#include <atomic>

namespace usmtensor {

// During the life of a passage, its thread may use the driver. Take it before any lock, so that a
// fork finds no lock taken, and without the GIL, because it waits at a closed gate. May be nested.
class Passage {
public:
  enum IfOpen { if_open };
  Passage();
  explicit Passage(IfOpen); // does not wait
  ~Passage();
  Passage(const Passage &) = delete;
  Passage &operator=(const Passage &) = delete;
  explicit operator bool() const { return inside_; } // whether the thread may use the driver

private:
  bool inside_ = true;
};

// Whether the calling thread was ever inside. Threads of the SYCL runtime never are
// (postponed.hpp).
bool thread_has_entered();

// For tests: called by each thread that enters where it may have to wait.
extern std::atomic<void (*)()> gate_watch;

// Whether no queue has work left; with `wait`, after waiting for it. Call it before a fork by a
// thread that holds the GIL: first with `wait` and without the GIL, because host tasks may need it,
// then with the GIL, because other threads may have submitted more. The wait of the fork itself is
// bounded. In fork.cpp.
bool ready_for_fork(bool wait);

// Closes the gate until the fork is complete, waits until the other threads are out, and returns
// whether they are. The wait is bounded, because one of them may wait for the GIL of the calling
// thread.
bool close_gate_for_fork();
void open_gate_after_fork_parent();
void open_gate_after_fork_child();
// Whether this process lacks the driver's threads. Commands then run in a thread that waits for
// them or for their queue, but not in one that waits for a barrier of an out-of-order queue.
bool is_child_of_fork();
// For each queue of a device that is no CPU: the drivers of such devices do not survive a fork.
void note_other_driver();
// Whether the parent had one.
bool driver_was_lost();

// Around the use of memory outside of the gate: the work of the host on operands. A fork does not
// wait for it, because it may need the GIL. An exit does, because the end of the driver unmaps the
// memory. begin_memory_use() waits at a gate that is closed for an exit. May be nested.
void begin_memory_use();
void end_memory_use();

// During the life of this object an exit does not wait for its thread, which waits for another
// thread and meanwhile uses no memory: the other thread may wait at the gate.
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
// Lets the other threads continue some time after these waits. By then the process is gone, unless
// it waits for one of them.
void open_gate_later();
// Whether this is the exiting thread.
bool closed_at_exit_by_this_thread();

} // namespace usmtensor
