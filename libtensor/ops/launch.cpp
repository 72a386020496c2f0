#include "launch.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace usmtensor {
namespace {

std::atomic<int> forced_class{0};

} // namespace

void force_device_class(int device_class) { forced_class = device_class; }

bool use_cpu_kernels(const Queue &queue) {
  const int forced = forced_class.load(std::memory_order_relaxed);
  return forced == 0 ? queue.cpu : forced == 1;
}

std::int64_t shares(std::int64_t size) {
  // A few per thread even out what the threads' speeds differ; small spaces are not worth a second.
  static const std::int64_t most = 4 * std::max(1u, std::thread::hardware_concurrency());
  constexpr std::int64_t worthwhile = 8192;
  return std::clamp<std::int64_t>(size / worthwhile, 1, most);
}

} // namespace usmtensor
