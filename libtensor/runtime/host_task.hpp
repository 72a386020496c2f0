// Commands of a queue that the host runs.
#pragma once
#include <atomic>

namespace usmtensor {

// One such command. The driver does not know it, so sycl::free does not wait for it.
class HostTask {
public:
  HostTask() { ++pending_; }
  ~HostTask() { finish(); }
  HostTask(const HostTask &) = delete;
  HostTask &operator=(const HostTask &) = delete;

  void finish() {
    if (!finished_.exchange(true))
      --pending_;
  }
  // Whether there is one that is not finished.
  static bool pending() { return pending_.load() != 0; }

private:
  static inline std::atomic<int> pending_{0};
  std::atomic<bool> finished_{false};
};

} // namespace usmtensor
