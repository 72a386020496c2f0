// The queue of SYCL behind a Queue; for the .cpp files.
#pragma once
#include "handles.hpp"

#include <sycl/queue.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace usmtensor {

// The only class that holds a sycl::queue. Every command is submitted through it.
class NativeQueue {
public:
  explicit NativeQueue(sycl::queue queue)
      : queue_(std::move(queue)), turns_(is_in_order() ? nullptr : &turns_of(queue_)) {}

  bool is_in_order() const { return queue_.is_in_order(); }
  // A thread holds this while it submits. The OpenCL CPU driver crashes or hangs when two threads
  // submit to an out-of-order queue at once. `wait` submits too: a command that depends on all
  // others.
  std::unique_lock<std::mutex> turn() const {
    return turns_ ? std::unique_lock(*turns_) : std::unique_lock<std::mutex>();
  }

  // On OpenCL, hold the turn for the following.
  template <class Command> void submit(Command &&command) const { command(queue_); }
  sycl::event barrier() const { return queue_.ext_oneapi_submit_barrier(); }
  sycl::event barrier(const std::vector<sycl::event> &after) const {
    return queue_.ext_oneapi_submit_barrier(after);
  }
  void wait() const { queue_.wait(); }

  std::optional<sycl::event> last_event() const { return queue_.ext_oneapi_get_last_event(); }
  template <class Question> decltype(auto) ask(Question &&question) const {
    return question(std::as_const(queue_));
  }
  friend bool operator==(const NativeQueue &a, const NativeQueue &b) {
    return a.queue_ == b.queue_;
  }

private:
  // One for all objects of one sycl::queue, which come and go. Never held with another.
  static std::mutex &turns_of(const sycl::queue &queue) {
    static std::mutex turns[61];
    return turns[std::hash<sycl::queue>()(queue) / 64 % std::size(turns)];
  }

  mutable sycl::queue queue_;
  std::mutex *turns_; // null for an in-order queue, which needs no turns
};

} // namespace usmtensor
