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

template <int N> ScratchRing::Lease outer_axes(const Queue &queue, const IterationSpace<N> &space) {
  if (space.ndim <= scalar_axes)
    return {};
  const std::size_t count = static_cast<std::size_t>(space.ndim - scalar_axes) * (1 + N);
  ScratchRing::Lease block = queue.scratch->take(*queue.device, count * sizeof(std::int64_t));
  auto *out = static_cast<std::int64_t *>(block.data());
  for (int axis = scalar_axes; axis < space.ndim; ++axis) {
    *out++ = space.axes[axis].extent;
    out = std::copy_n(space.axes[axis].strides, N, out);
  }
  return block;
}

template ScratchRing::Lease outer_axes(const Queue &, const IterationSpace<1> &);
template ScratchRing::Lease outer_axes(const Queue &, const IterationSpace<2> &);
template ScratchRing::Lease outer_axes(const Queue &, const IterationSpace<3> &);
template ScratchRing::Lease outer_axes(const Queue &, const IterationSpace<4> &);

} // namespace usmtensor
