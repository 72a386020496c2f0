// What a fork has to leave behind: no command pending, because the child could never wait for it,
// and no lock taken by a thread that the child does not have.
#include "gate.hpp"
#include "kernel_store.hpp"
#include "pool.hpp"
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

// The driver's threads park a moment after their last command: a child of the moment before finds
// their locks taken, and waits for them for ever.
constexpr std::chrono::milliseconds usual_moment{10}, between_looks{1};
// On a busy machine that takes longer. A thread of the user may run all the time.
constexpr int most_looks = 200;
// For commands: a task of the host may wait for the GIL, which the thread that forks holds.
constexpr std::chrono::seconds longest_wait{5};

// Whether a thread of this process, but the caller's, is running or ready to.
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
  // Asleep twice: between two locks a thread may sleep for a moment, too.
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
    } catch (const std::exception &) { // the fork goes on; who waits next is told
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
  kernel_store_before_fork();
  lock_pools_for_fork();
}

void in_parent() {
  unlock_pools_after_fork();
  kernel_store_after_fork_parent();
  open_gate_after_fork_parent();
}

void in_child() {
  unlock_pools_after_fork();
  kernel_store_after_fork_child();
  open_gate_after_fork_child();
}

[[maybe_unused]] const int registered = pthread_atfork(before, in_parent, in_child);

} // namespace

bool ready_for_fork(bool wait) {
  const Passage passage;
  // Where threads do the work it only looks: the runtime lets nobody submit while a thread waits
  // for a task of the host, and who wants to submit may hold the GIL.
  const Clock::duration longest = wait ? std::chrono::hours(1000) : Clock::duration(between_looks);
  return wait_for_all(all_queues(), wait && is_child_of_fork() ? never : Clock::now() + longest);
}

} // namespace usmtensor
