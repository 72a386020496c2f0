// Submitting commands to a queue; for the .cpp files.
#pragma once
#include "function_ref.hpp"
#include "native_queue.hpp"
#include "queue.hpp"
#include "translate.hpp"

#include <mutex>
#include <vector>

namespace usmtensor {

// A scoped submission. On an out-of-order queue, it excludes submissions of other threads. Do not
// nest it, and do not hold the GIL, because it may wait.
class Submission {
public:
  explicit Submission(const Queue &queue) : queue_(queue) {
    bound_pending(queue);
    lock_ = queue.in_order ? std::unique_lock(queue.marker_mutex) : queue.native->submission_lock();
  }
  // Counts after submitting, because a thread that reads the count may wait for the command.
  ~Submission() { queue_.submitted.fetch_add(1); }

  // If a command fails, waits for the parts that it has submitted, because nothing orders them.
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
  std::unique_lock<std::mutex> lock_;
};

} // namespace usmtensor
