// The submission of a command to a queue; for the .cpp files.
#pragma once
#include "function_ref.hpp"
#include "native_queue.hpp"
#include "queue.hpp"
#include "translate.hpp"

#include <mutex>
#include <vector>

namespace usmtensor {

// A turn at a queue: while it lives, its thread submits; to an out-of-order queue it alone. Do not
// nest them, nor hold the GIL: it may wait.
class Submission {
public:
  explicit Submission(const Queue &queue) : queue_(queue) {
    bound_pending(queue);
    turn_ = queue.native->turn();
  }
  // Counts the commands when they are there: a thread that reads the count may wait for them.
  ~Submission() { queue_.submitted.fetch_add(1); }

  // When a command fails, the parts that it submitted are done as the error leaves: nothing orders
  // them.
  void run(const Command &command) const {
    try {
      fail_if_planned(Fault::command);
      queue_.native->submit(command);
      fail_if_planned(Fault::command_part);
    } catch (...) {
      queue_.native->wait();
      throw;
    }
  }
  sycl::event barrier() const {
    fail_if_planned(Fault::barrier);
    return queue_.native->barrier();
  }
  sycl::event barrier(const std::vector<sycl::event> &after) const {
    fail_if_planned(Fault::barrier);
    return queue_.native->barrier(after);
  }

private:
  const Queue &queue_;
  std::unique_lock<std::mutex> turn_;
};

} // namespace usmtensor
