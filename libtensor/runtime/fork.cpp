// Prepares for os.fork. At a fork no command may be pending, because the child could never wait for
// it. No other thread may hold a lock, because the child lacks that thread.
#include "gate.hpp"
#include "kernel_store.hpp"
#include "operand_lock.hpp"
#include "order.hpp"
#include "pool.hpp"
#include "postponed.hpp"
#include "queue.hpp"

#include <chrono>
#include <dirent.h>
#include <fstream>
#include <memory>
#include <pthread.h>
#include <string>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace usmtensor {

namespace {

// The driver's threads go to sleep shortly after their last command. Before that they may hold
// locks, for which a child would wait for ever.
constexpr std::chrono::milliseconds initial_wait{10}, poll_interval{1};
// On a busy machine this takes longer. The number of polls is limited, because user threads may
// always be running.
constexpr int max_polls = 200;
// Limit for commands: a host task may wait for the GIL, which the forking thread holds.
constexpr std::chrono::seconds max_wait{5};

// True if another thread of this process is running or ready to run.
bool other_threads_run() {
  const std::string self = std::to_string(syscall(SYS_gettid));
  const std::unique_ptr<DIR, int (*)(DIR *)> tasks(opendir("/proc/self/task"), closedir);
  if (!tasks)
    return false;
  while (const dirent *task = readdir(tasks.get())) {
    if (task->d_name[0] == '.' || self == task->d_name)
      continue;
    std::ifstream file(std::string("/proc/self/task/") + task->d_name + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(") "); // the state follows the name
    if (name != std::string::npos && line.compare(name + 2, 1, "R") == 0)
      return true;
  }
  return false;
}

void wait_for_parked_threads() {
  std::this_thread::sleep_for(initial_wait);
  // Require two idle polls in a row, because a thread may also sleep briefly between two locks.
  for (int polls = 0, idle = 0; polls < max_polls && idle < 2; ++polls) {
    std::this_thread::sleep_for(poll_interval);
    idle = other_threads_run() ? 0 : idle + 1;
  }
}

bool wait_for_all(const std::vector<QueueRef> &queues, Clock::time_point deadline) {
  bool done = true;
  for (const QueueRef &queue : queues)
    try {
      done &= wait(*queue, Commands::all, deadline);
    } catch (const std::exception &) { // the fork continues; the next wait raises the error
    }
  return done;
}

void before_fork() {
  if (close_gate_for_fork()) {
    const std::vector<QueueRef> queues = all_queues();
    wait_for_all(queues, Clock::now() + max_wait);
    if (!queues.empty())
      wait_for_parked_threads();
  }
  lock_operands_for_fork();
  kernel_store_before_fork();
  lock_order_for_fork();
  lock_pools_for_fork();
}

void after_fork_in_parent() {
  unlock_pools_after_fork();
  unlock_order_after_fork();
  kernel_store_after_fork_parent();
  unlock_operands_after_fork_parent();
  open_gate_after_fork_parent();
}

void after_fork_in_child() {
  unlock_pools_after_fork();
  unlock_order_after_fork();
  kernel_store_after_fork_child();
  forget_postponed_releases();
  unlock_operands_after_fork_child();
  open_gate_after_fork_child();
}

[[maybe_unused]] const int registered =
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);

} // namespace

bool ready_for_fork(bool wait) {
  const DriverScope scope(DriverScope::if_open);
  if (!scope) // the process is exiting
    return false;
  if (wait) // all_queues() does not have the queues of postponed releases
    run_postponed_releases();
  // If the driver has threads, waits get a deadline, so that they poll: the runtime blocks all
  // submissions while a thread waits for a host task, and a submitting thread may hold the GIL.
  const Clock::duration limit = wait ? std::chrono::hours(1000) : Clock::duration(poll_interval);
  return wait_for_all(all_queues(), wait && is_child_of_fork() ? never : Clock::now() + limit);
}

} // namespace usmtensor
