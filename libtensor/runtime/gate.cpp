#include "gate.hpp"

#include <atomic>
#include <chrono>
#include <thread>

namespace usmtensor {
namespace {

using Clock = std::chrono::steady_clock;

// Limits of the waits of an exit and a fork for the threads inside.
constexpr std::chrono::seconds exit_waits{20}, fork_waits{5};
// The time for which an exit stops the other threads after its waits.
constexpr std::chrono::seconds exit_holds{5};

// A waiting thread checks at this interval. Waits are rare and short, and unlike a condition
// variable polling has no state that a fork could catch half-way.
constexpr std::chrono::microseconds between_looks{200};

enum State { open, forking, ended };
std::atomic<State> state{open};
std::atomic<std::thread::id> closer; // the thread that closed it
std::atomic<Clock::duration> resume; // when the other threads may continue after an exit
std::atomic<long> inside{0};         // a count of threads, not of passages
thread_local long depth = 0;         // passages of this thread
thread_local bool has_entered = false;
std::atomic<bool> child{false}, other_driver{false}, lost{false};

bool is_closed_by_this_thread() { return state != open && closer == std::this_thread::get_id(); }

bool closed_for_this_thread() {
  const State now = state;
  return now != open && closer != std::this_thread::get_id() &&
         !(now == ended && Clock::now().time_since_epoch() > resume.load());
}

// Returns `open`, or the state that kept the gate from closing.
State close(State reason) {
  State found = open;
  while (!state.compare_exchange_weak(found, reason) && found != ended) {
    found = open;
    std::this_thread::sleep_for(between_looks);
  }
  if (found == open)
    closer = std::this_thread::get_id();
  return found;
}

bool others_inside() { return inside > (depth > 0 ? 1 : 0); }

// Whether the other threads leave within a time.
bool alone_after(Clock::duration longest) {
  const Clock::time_point deadline = Clock::now() + longest;
  while (others_inside() && Clock::now() < deadline)
    std::this_thread::sleep_for(between_looks);
  return !others_inside();
}

// Either this thread sees that the gate is closed, or the closing thread sees this one.
bool enter() {
  inside.fetch_add(1);
  if (!closed_for_this_thread())
    return true;
  inside.fetch_sub(1);
  return false;
}

} // namespace

std::atomic<void (*)()> gate_watch{nullptr};

bool thread_has_entered() { return has_entered; }

Passage::Passage() {
  if (const auto watch = gate_watch.load(std::memory_order_relaxed))
    if (depth == 0 && !is_closed_by_this_thread())
      watch();
  while (depth == 0 && !enter())
    while (closed_for_this_thread())
      std::this_thread::sleep_for(between_looks);
  ++depth;
  has_entered = true;
}

Passage::Passage(IfOpen) : inside_(depth > 0 || enter()) {
  if (inside_) {
    ++depth;
    has_entered = true;
  }
}

Passage::~Passage() {
  if (inside_ && --depth == 0)
    inside.fetch_sub(1, std::memory_order_release);
}

bool close_gate_for_fork() {
  // During an exit a fork does not wait.
  return close(forking) == ended || alone_after(fork_waits);
}

void open_gate_after_fork_parent() {
  State found = forking;
  state.compare_exchange_strong(found, open);
}

void open_gate_after_fork_child() {
  child = true;
  lost = other_driver.load();
  inside = depth > 0 ? 1 : 0;
  open_gate_after_fork_parent();
}

void note_other_driver() { other_driver = true; }

bool driver_was_lost() { return lost; }

bool is_child_of_fork() { return child.load(std::memory_order_relaxed); }

void close_gate_at_exit() {
  if (state != ended)
    resume = Clock::duration::max();
  if (close(ended) != ended)
    alone_after(exit_waits);
}

void open_gate_later() { resume = (Clock::now() + exit_holds).time_since_epoch(); }

bool closed_at_exit_by_this_thread() {
  return state == ended && closer == std::this_thread::get_id();
}

} // namespace usmtensor
