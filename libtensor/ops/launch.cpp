#include "launch.hpp"

#include "runtime/test_hooks.hpp"

#include <algorithm>
#include <thread>

namespace usmtensor {

bool use_cpu_kernels(const Queue &queue) {
  const int forced = test_hooks.device_class.load(std::memory_order_relaxed);
  return forced == 0 ? queue.cpu : forced == 1;
}

std::int64_t shares(std::int64_t size) {
  // A few per thread even out what the threads' speeds differ; small spaces are not worth a second.
  static const std::int64_t most = 4 * std::max(1u, std::thread::hardware_concurrency());
  constexpr std::int64_t worthwhile = 8192;
  return std::clamp<std::int64_t>(size / worthwhile, 1, most);
}

} // namespace usmtensor
