// What a fork has to leave behind: no command pending, because the child could never wait for it,
// and no lock taken by a thread that the child does not have.
#include "kernel_store.hpp"
#include "pool.hpp"
#include "queue.hpp"

#include <pthread.h>

namespace usmtensor {

namespace {

void before() {
  try {
    wait_for_all_queues();
  } catch (...) { // the fork goes on; who waits next is told
  }
  kernel_store_before_fork();
  lock_pools_for_fork();
}

void in_parent() {
  unlock_pools_after_fork();
  kernel_store_after_fork_parent();
}

void in_child() {
  unlock_pools_after_fork();
  kernel_store_after_fork_child();
}

[[maybe_unused]] const int registered = pthread_atfork(before, in_parent, in_child);

} // namespace

} // namespace usmtensor
