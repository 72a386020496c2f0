// What happens between a command and the queue; for the .cpp files.
#pragma once
#include "event.hpp"
#include "queue.hpp"
#include "submit.hpp"
#include "test_hooks.hpp"

#include <sycl/exception.hpp>
#include <sycl/queue.hpp>

#include <mutex>
#include <vector>

namespace usmtensor {

inline void fail_if_planned(Fault fault) {
  if (fails(fault))
    throw sycl::exception(sycl::make_error_code(sycl::errc::runtime),
                          "a test asked for this failure");
}

// The only way of commands into a queue. While it lives, its thread submits them; to a queue that
// is out of order it alone. Do not nest them, nor hold the GIL: it may wait.
class Submission {
public:
  explicit Submission(const Queue &queue) : queue_(queue) {
    bound_pending(queue);
    if (queue.turn)
      turn_ = std::unique_lock<std::mutex>(*queue.turn);
  }
  // Counted when they are there, for whoever reads the count and waits then.
  ~Submission() { queue_.submitted.fetch_add(1); }

  // When a command fails, the parts that it submitted are done as the error leaves: nothing orders
  // them.
  void run(const Command &command) const {
    try {
      fail_if_planned(Fault::command);
      command(*queue_.sycl);
      fail_if_planned(Fault::command_part);
    } catch (...) {
      queue_.sycl->wait();
      throw;
    }
  }
  sycl::event barrier() const {
    fail_if_planned(Fault::barrier);
    return queue_.sycl->ext_oneapi_submit_barrier();
  }
  sycl::event barrier(const std::vector<sycl::event> &after) const {
    fail_if_planned(Fault::barrier);
    return queue_.sycl->ext_oneapi_submit_barrier(after);
  }

private:
  const Queue &queue_;
  std::unique_lock<std::mutex> turn_;
};

} // namespace usmtensor
