// The gate before the driver: a fork and the end of the process need a time in which no other
// thread is inside.
#pragma once

namespace usmtensor {

// While it lives, its thread may use the driver. Taken before any lock, so that a fork finds none
// taken; without the GIL, as it waits where the gate is closed. May be nested.
class Passage {
public:
  enum IfOpen { if_open };
  Passage();
  explicit Passage(IfOpen); // does not wait
  ~Passage();
  Passage(const Passage &) = delete;
  Passage &operator=(const Passage &) = delete;
  explicit operator bool() const { return inside_; } // whether it may use the driver

private:
  bool inside_ = true;
};

// Whether no queue has work left, having waited for it if asked to. To be called before a fork by a
// thread that holds the GIL: to wait without it, as tasks of the host may need it, then with it, as
// others may have submitted more. What the fork itself waits for is bounded. In fork.cpp.
bool ready_for_fork(bool wait);

// Waits until the other threads are out, for a bounded time, as one of them may wait for what the
// calling thread holds (the GIL), and says whether they are; lets none in until the fork is done.
bool close_gate_for_fork();
void open_gate_after_fork_parent();
void open_gate_after_fork_child();
// Whether this process lacks the driver's threads: commands run in whoever waits, for their queue
// or for them, but not for a barrier of an out-of-order queue.
bool is_child_of_fork();

// The same before the process exits, for a bounded time: the threads that do not take part are
// gone by then, unless somebody waits for one of them. The calling thread may go on.
void close_gate_at_exit();
// Whether this is the thread that ends the process.
bool closed_at_exit_by_this_thread();

} // namespace usmtensor
