#include "compile_thread.hpp"

#include "gate.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <signal.h>

namespace usmtensor {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  bool started = false;
  std::atomic<bool> running{false}; // a job is running, inside the gate
};

// Never destroyed: the thread uses it until the process ends. The child of a fork makes a new one,
// because the fork may leave the mutex in any state.
std::atomic<State *> &current() {
  static std::atomic<State *> state{new State};
  return state;
}

void work(State &state) {
  for (;;) {
    std::unique_lock<std::mutex> lock(state.mutex);
    state.changed.wait(lock, [&] { return !state.jobs.empty(); });
    std::function<void()> job = std::move(state.jobs.front());
    state.jobs.pop_front();
    lock.unlock();
    const DriverScope scope;
    state.running = true;
    job();
    job = nullptr; // free its captures before the thread counts as idle
    state.running = false;
  }
}

void start(State &state) {
  // Signals are handled by the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    // Detached: it runs until the process ends. A join during the destruction of libraries could
    // wait for ever.
    std::thread(work, std::ref(state)).detach();
    state.started = true;
  } catch (...) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

} // namespace

void run_on_compile_thread(std::function<void()> job, bool before_others) {
  if (!closed_at_exit_by_this_thread()) {
    State &state = *current();
    std::lock_guard<std::mutex> lock(state.mutex);
    if (!state.started)
      start(state);
    if (state.started) {
      state.jobs.insert(before_others ? state.jobs.begin() : state.jobs.end(), std::move(job));
      state.changed.notify_all();
      return;
    }
  }
  // The system cannot start a thread, or this is the exiting thread.
  const DriverScope scope;
  job();
}

void wait_for_compile_job() {
  while (current().load()->running)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void renew_compile_thread() { current() = new State; }

} // namespace usmtensor
