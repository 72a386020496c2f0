#include "compile_thread.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>

#include <signal.h>

namespace usmtensor {
namespace {

using Clock = std::chrono::steady_clock;

// The longest that an exit waits for a compilation under way.
constexpr std::chrono::seconds exit_waits{20};
// How long threads that do not take part in the exit are held back: the process is gone by then,
// unless somebody waits for one of them.
constexpr std::chrono::seconds exit_holds{5};

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  int under_way = 0;
  bool started = false;
  bool held = false; // for a fork
  bool stopped = false;
  std::thread::id exiting;
  Clock::time_point resume;
};

// Never destroyed: the thread uses it until the process is gone. A child takes a new one, because
// nobody knows in what state the fork has caught mutex and waiters.
std::atomic<State *> &current() {
  static std::atomic<State *> state{new State};
  return state;
}

void wait_for_permission(State &state, std::unique_lock<std::mutex> &lock) {
  while (state.held || (state.stopped && state.exiting != std::this_thread::get_id() &&
                        Clock::now() < state.resume))
    if (state.held)
      state.changed.wait(lock);
    else
      state.changed.wait_until(lock, state.resume);
}

void end(State &state) {
  std::lock_guard<std::mutex> lock(state.mutex);
  --state.under_way;
  state.changed.notify_all();
}

void work(State &state) {
  for (;;) {
    std::unique_lock<std::mutex> lock(state.mutex);
    state.changed.wait(lock, [&] { return !state.jobs.empty(); });
    wait_for_permission(state, lock);
    std::function<void()> job = std::move(state.jobs.front());
    state.jobs.pop_front();
    ++state.under_way;
    lock.unlock();
    job();
    job = nullptr; // what it holds goes before anybody may take the thread for idle
    end(state);
  }
}

void start(State &state) {
  // Signals belong to the threads of the program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    // Detached, and ended by the end of the process: joining it while libraries are torn down
    // could wait for ever.
    std::thread(work, std::ref(state)).detach();
    state.started = true;
  } catch (...) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace

void run_on_compile_thread(std::function<void()> job) {
  State &state = *current();
  {
    std::unique_lock<std::mutex> lock(state.mutex);
    if (!state.started && !state.stopped)
      start(state);
    if (state.started && !(state.stopped && state.exiting == std::this_thread::get_id())) {
      state.jobs.push_back(std::move(job));
      state.changed.notify_all();
      return;
    }
  }
  // No thread can be had, or this is the thread that ends the process.
  const CompilerWork working;
  job();
}

CompilerWork::CompilerWork() {
  State &state = *current();
  std::unique_lock<std::mutex> lock(state.mutex);
  wait_for_permission(state, lock);
  ++state.under_way;
}

CompilerWork::~CompilerWork() { end(*current()); }

void hold_compiler() {
  State &state = *current();
  std::unique_lock<std::mutex> lock(state.mutex);
  state.changed.wait(lock, [&] { return !state.held; });
  state.held = true;
  state.changed.wait(lock, [&] { return state.under_way == 0; });
}

void release_compiler() {
  State &state = *current();
  std::lock_guard<std::mutex> lock(state.mutex);
  state.held = false;
  state.changed.notify_all();
}

void renew_compiler() { current() = new State; }

void stop_compiler() {
  State &state = *current();
  std::unique_lock<std::mutex> lock(state.mutex);
  const auto now = Clock::now();
  if (!state.stopped) {
    state.stopped = true;
    state.exiting = std::this_thread::get_id();
    state.resume = now + exit_holds;
  }
  state.changed.wait_until(lock, now + exit_waits, [&] { return state.under_way == 0; });
}

void wait_if_stopped() {
  State &state = *current();
  std::unique_lock<std::mutex> lock(state.mutex);
  wait_for_permission(state, lock);
}

bool stopped_by_this_thread() {
  State &state = *current();
  std::lock_guard<std::mutex> lock(state.mutex);
  return state.stopped && state.exiting == std::this_thread::get_id();
}

} // namespace usmtensor
