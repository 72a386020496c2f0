#include "gate.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace usmtensor {
namespace {

using Clock = std::chrono::steady_clock;

// How long an exit and a fork wait for the threads inside.
constexpr std::chrono::seconds exit_timeout{20}, fork_timeout{5};
// How long an exit stops the other threads after its waits.
constexpr std::chrono::seconds exit_hold_time{5};

// Waiting threads poll. Waits are rare and short, and polling has no state that a fork could copy
// in the middle of a change, unlike a condition variable.
constexpr std::chrono::microseconds poll_interval{200};

enum State { open, forking, ended };
std::atomic<State> state{open};
std::atomic<std::thread::id> closer; // the thread that closed the gate
std::atomic<Clock::duration> resume; // when the other threads may continue after an exit
std::atomic<long> inside{0};         // the number of threads inside
thread_local long depth = 0;         // nested scopes of this thread
thread_local bool has_entered = false;
std::atomic<long> users{0}; // threads that use memory and do not wait at the gate
thread_local long uses = 0; // nested uses of this thread
std::atomic<bool> child{false}, non_cpu_driver{false}, lost{false};

bool is_closed_by_this_thread() { return state != open && closer == std::this_thread::get_id(); }

bool closed_for_this_thread() {
  const State now = state;
  return now != open && closer != std::this_thread::get_id() &&
         !(now == ended && Clock::now().time_since_epoch() > resume.load());
}

bool exit_stops_this_thread() { return state == ended && closed_for_this_thread(); }

template <class Condition> void wait_while(Condition &&condition) {
  while (condition())
    std::this_thread::sleep_for(poll_interval);
}

// Closes the gate. Returns `open`, or the state that prevented it.
State close(State reason) {
  State found = open;
  while (!state.compare_exchange_weak(found, reason) && found != ended) {
    found = open;
    std::this_thread::sleep_for(poll_interval);
  }
  if (found == open)
    closer = std::this_thread::get_id();
  return found;
}

bool others_inside() { return inside > (depth > 0 ? 1 : 0); }

bool others_use_memory() { return users > (uses > 0 ? 1 : 0); }

// True if a condition becomes false within a time.
template <class Condition> bool ends_within(Clock::duration timeout, Condition &&condition) {
  const Clock::time_point deadline = Clock::now() + timeout;
  wait_while([&] { return condition() && Clock::now() < deadline; });
  return !condition();
}

// Counts before checking: either this thread sees the closed gate, or the closing thread sees this
// one.
bool enter() {
  inside.fetch_add(1);
  if (!closed_for_this_thread())
    return true;
  inside.fetch_sub(1);
  return false;
}

// Counts before checking: either this thread sees that an exit has begun, or the exit sees this
// thread.
void enter_memory_use() {
  users.fetch_add(1);
  while (depth == 0 && exit_stops_this_thread()) { // an exit waits for the threads inside
    users.fetch_sub(1);
    wait_while(exit_stops_this_thread);
    users.fetch_add(1);
  }
}

} // namespace

std::atomic<void (*)()> gate_watch{nullptr};

bool thread_has_entered() { return has_entered; }

DriverScope::DriverScope() {
  if (const auto watch = gate_watch.load(std::memory_order_relaxed))
    if (depth == 0 && !is_closed_by_this_thread())
      watch();
  while (depth == 0 && !enter()) {
    const MemoryUsePause pause;
    wait_while(closed_for_this_thread);
  }
  ++depth;
  has_entered = true;
}

DriverScope::DriverScope(IfOpen) : inside_(depth > 0 || enter()) {
  if (inside_) {
    ++depth;
    has_entered = true;
  }
}

DriverScope::~DriverScope() {
  if (inside_ && --depth == 0)
    inside.fetch_sub(1, std::memory_order_release);
}

void begin_memory_use() {
  if (uses++ == 0)
    enter_memory_use();
}

void end_memory_use() {
  if (--uses == 0)
    users.fetch_sub(1, std::memory_order_release);
}

MemoryUsePause::MemoryUsePause() {
  if (uses > 0)
    users.fetch_sub(1);
}

MemoryUsePause::~MemoryUsePause() {
  if (uses > 0)
    enter_memory_use();
}

bool close_gate_for_fork() {
  // A fork during an exit does not wait.
  return close(forking) == ended || ends_within(fork_timeout, others_inside);
}

void open_gate_after_fork_parent() {
  State found = forking;
  state.compare_exchange_strong(found, open);
}

void open_gate_after_fork_child() {
  child = true;
  lost = non_cpu_driver.load();
  inside = depth > 0 ? 1 : 0;
  users = uses > 0 ? 1 : 0;
  open_gate_after_fork_parent();
}

void note_non_cpu_driver() { non_cpu_driver = true; }

bool driver_was_lost() { return lost; }

bool is_child_of_fork() { return child.load(std::memory_order_relaxed); }

void close_gate_at_exit() {
  if (state != ended)
    resume = Clock::duration::max();
  if (close(ended) != ended)
    ends_within(exit_timeout, [] { return others_inside() || others_use_memory(); });
}

void open_gate_later() { resume = (Clock::now() + exit_hold_time).time_since_epoch(); }

bool closed_at_exit_by_this_thread() {
  return state == ended && closer == std::this_thread::get_id();
}

} // namespace usmtensor
