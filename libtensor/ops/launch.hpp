// Launching kernels: what the operation families share.
#pragma once
#include "device_class.hpp"
#include "layout/simplify.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"
#include "runtime/scratch.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace usmtensor {

// More work-items than this do not go into one launch: kernels take their ids as 32-bit numbers.
inline constexpr std::int64_t launch_limit = std::int64_t(1) << 30;

// The axes that travel as kernel arguments; more go through a block in USM.
inline constexpr int scalar_axes = 4;

// Work-items for a kernel that gives each an even share of the elements.
std::int64_t shares(std::int64_t size);

// The block that tells a kernel of the axes beyond the fourth; empty where there are none. The
// command that reads it calls launched().
template <int N> ScratchRing::Lease outer_axes(const Queue &queue, const IterationSpace<N> &space);

template <class... Arguments>
void launch(sycl::queue &queue, const sycl::kernel &kernel, std::int64_t items, int group,
            const Arguments &...arguments) {
  const std::size_t groups = static_cast<std::size_t>((items + group - 1) / group);
  sycl::ext::oneapi::experimental::nd_launch(
      queue, sycl::nd_range<1>(groups * group, static_cast<std::size_t>(group)), kernel,
      arguments...);
}

// Bytes above which an output does not stay in the caches anyway, so that kernels bypass them.
inline constexpr std::int64_t stream_bytes = std::int64_t(1) << 24;

// Calls run with pieces of the space that are small enough for one launch each.
template <int N, class Run> void split(IterationSpace<N> &space, std::int64_t limit, Run &&run) {
  if (space.size <= limit)
    return run();
  auto &axis = *std::max_element(space.axes, space.axes + space.ndim,
                                 [](const auto &a, const auto &b) { return a.extent < b.extent; });
  const std::int64_t extent = axis.extent, size = space.size, half = extent / 2;
  auto piece = [&](std::int64_t n) {
    axis.extent = n;
    space.size = size / extent * n;
    split(space, limit, run);
  };
  piece(half);
  for (int k = 0; k < N; ++k)
    space.offsets[k] += half * axis.strides[k];
  piece(extent - half);
  for (int k = 0; k < N; ++k)
    space.offsets[k] -= half * axis.strides[k];
  axis.extent = extent;
  space.size = size;
}

// The address of an element by its offset in elements.
inline void *element(const View &view, DType dtype, std::int64_t offset) {
  return view.data + offset * static_cast<std::int64_t>(itemsize(dtype));
}

// Compact device memory for an array of the same shape and type as another.
struct Temporary {
  Temporary(const QueueRef &queue, const View &model);
  Memory memory;
  std::vector<std::int64_t> strides;
  View view;
};

// A space as the kernels' arguments; axes that it lacks have extent 1.
template <int N> struct Geometry {
  explicit Geometry(const IterationSpace<N> &space) {
    outer_count = space.ndim > scalar_axes ? space.ndim - scalar_axes : 0;
    for (int axis = 0; axis < scalar_axes; ++axis) {
      extents[axis] = axis < space.ndim ? space.axes[axis].extent : 1;
      for (int k = 0; k < N; ++k)
        strides[k][axis] = axis < space.ndim ? space.axes[axis].strides[k] : 0;
    }
  }
  std::int64_t extents[scalar_axes];
  std::int64_t strides[N][scalar_axes];
  std::int32_t outer_count;
};

} // namespace usmtensor
