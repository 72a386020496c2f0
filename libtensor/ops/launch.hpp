// Launching kernels: what the operation families share.
#pragma once
#include "device_class.hpp"
#include "layout/simplify.hpp"
#include "runtime/handles.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/queue.hpp"
#include "runtime/scratch.hpp"

#include <sycl/sycl.hpp>

#include <cstdint>

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
