// A fork must find no pending command, because the child could never wait for it, and no lock that
// another thread holds, because the child lacks that thread.
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

// The driver's threads go to sleep a moment after their last command. A child that is made before
// that finds their locks taken, and waits for ever.
constexpr std::chrono::milliseconds usual_moment{10}, between_looks{1};
// On a busy machine the moment is longer. The limit is for threads of the user, which may always
// run.
constexpr int most_looks = 200;
// For commands: a host task may wait for the GIL, which the forking thread holds.
constexpr std::chrono::seconds longest_wait{5};

// Whether another thread of this process is running or ready to run.
bool others_run() {
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
  std::this_thread::sleep_for(usual_moment);
  // Asleep twice, because a thread may also sleep for a moment between two locks.
  for (int looks = 0, asleep = 0; looks < most_looks && asleep < 2; ++looks) {
    std::this_thread::sleep_for(between_looks);
    asleep = others_run() ? 0 : asleep + 1;
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

void before() {
  if (close_gate_for_fork()) {
    const std::vector<QueueRef> queues = all_queues();
    wait_for_all(queues, Clock::now() + longest_wait);
    if (!queues.empty())
      wait_for_parked_threads();
  }
  lock_operands_for_fork();
  kernel_store_before_fork();
  lock_order_for_fork();
  lock_pools_for_fork();
}

void in_parent() {
  unlock_pools_after_fork();
  unlock_order_after_fork();
  kernel_store_after_fork_parent();
  unlock_operands_after_fork_parent();
  open_gate_after_fork_parent();
}

void in_child() {
  unlock_pools_after_fork();
  unlock_order_after_fork();
  kernel_store_after_fork_child();
  forget_postponed_releases();
  unlock_operands_after_fork_child();
  open_gate_after_fork_child();
}

[[maybe_unused]] const int registered = pthread_atfork(before, in_parent, in_child);

} // namespace

bool ready_for_fork(bool wait) {
  const Passage passage(Passage::if_open);
  if (!passage) // at the exit of the process
    return false;
  if (wait) // their queues are no more among all queues
    make_postponed_releases();
  // If the driver has threads, a deadline makes the waits poll: the runtime blocks all submissions
  // while a thread waits for a host task, and a submitting thread may hold the GIL.
  const Clock::duration longest = wait ? std::chrono::hours(1000) : Clock::duration(between_looks);
  return wait_for_all(all_queues(), wait && is_child_of_fork() ? never : Clock::now() + longest);
}

} // namespace usmtensor
