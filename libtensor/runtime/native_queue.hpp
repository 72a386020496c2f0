// The sycl::queue of a Queue; for the .cpp files.
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

// The only owner of a sycl::queue. Every command is submitted through it.
class NativeQueue {
public:
  explicit NativeQueue(sycl::queue queue)
      : queue_(std::move(queue)), mutex_(is_in_order() ? nullptr : &mutex_of(queue_)) {}

  bool is_in_order() const { return queue_.is_in_order(); }
  // Hold this lock while submitting. The OpenCL CPU driver crashes or hangs if two threads submit
  // to an out-of-order queue at the same time. `wait` also submits: a command that depends on all
  // others.
  std::unique_lock<std::mutex> submission_lock() const {
    return mutex_ ? std::unique_lock(*mutex_) : std::unique_lock<std::mutex>();
  }

  // On OpenCL, these require the submission lock.
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
  // Shared by all objects with the same sycl::queue. A thread holds only one of these at a time.
  static std::mutex &mutex_of(const sycl::queue &queue) {
    static std::mutex mutexes[61];
    return mutexes[std::hash<sycl::queue>()(queue) / 64 % std::size(mutexes)];
  }

  mutable sycl::queue queue_;
  std::mutex *mutex_; // null for an in-order queue, which needs no lock
};

} // namespace usmtensor
