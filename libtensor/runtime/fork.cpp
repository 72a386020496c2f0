// What a fork has to leave behind: no command pending, because the child could never wait for it,
// and no lock taken by a thread that the child does not have.
#include "gate.hpp"
#include "kernel_store.hpp"
#include "pool.hpp"
#include "queue.hpp"

#include <chrono>
#include <pthread.h>
#include <thread>

namespace usmtensor {

namespace {

void before() {
  close_gate_for_fork();
  try {
    if (wait_for_all_queues())
      // The driver's threads park a moment after their last command; a child of the moment before
      // would wait for them for ever.
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  } catch (...) { // the fork goes on; who waits next is told
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

} // namespace usmtensor
