// Launching kernels: what the operation families share.
#pragma once
#include "device_class.hpp"
#include "layout/simplify.hpp"
#include "layout/strides.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"
#include "runtime/scratch.hpp"
#include "runtime/submit.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <tuple>
#include <vector>

namespace usmtensor {

// More work-items than this do not go into one launch: kernels take their ids as 32-bit numbers.
inline constexpr std::int64_t launch_limit = std::int64_t(1) << 30;

// The axes that travel as kernel arguments; more go through a block in USM.
inline constexpr int scalar_axes = 4;

// Work-items for a kernel that gives each an even share of the elements.
std::int64_t shares(std::int64_t size);

// The block that tells a kernel of the axes beyond the fourth; null where there are none. The
// command that reads it calls launched().
template <int N> ScratchRing::Lease outer_axes(const Queue &queue, const IterationSpace<N> &space) {
  if (space.ndim <= scalar_axes)
    return {};
  const std::size_t count = static_cast<std::size_t>(space.ndim - scalar_axes) * (1 + N);
  ScratchRing::Lease block = queue.scratch->take(count * sizeof(std::int64_t));
  auto *out = reinterpret_cast<std::int64_t *>(block->data);
  for (int axis = scalar_axes; axis < space.ndim; ++axis) {
    *out++ = space.axes[axis].extent;
    out = std::copy_n(space.axes[axis].strides, N, out);
  }
  return block;
}

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

// The place of an element size among 1, 2, 4, 8, 16.
inline int width_index(std::size_t size) { return __builtin_ctzll(size); }

// Looks a kernel up by name once; ids are kept as id + 1.
template <class MakeName> KernelId cached_id(std::atomic<KernelId> &slot, MakeName make_name) {
  KernelId id = slot.load(std::memory_order_relaxed);
  if (id == 0) {
    id = kernel_id(make_name()) + 1;
    slot.store(id, std::memory_order_relaxed);
  }
  return id - 1;
}

// Compact device memory for an array of the same shape and type as another.
struct Temporary {
  Temporary(const QueueRef &queue, const View &model)
      : memory(allocate(queue, UsmKind::device, model.size() * itemsize(model.dtype))),
        strides(model.ndim) {
    compact_strides(model.ndim, model.shape, 'C', strides.data());
    view = {memory->pointer, model.dtype, model.ndim, model.shape, strides.data(), memory.get()};
  }
  Memory memory;
  std::vector<std::int64_t> strides;
  View view;
};

// Runs a kernel over a strided space. `data` are the operands' first elements, the output's first;
// more: what its loop and its functor want beside them.
template <int N, class... More>
void run_strided(const Queue &queue, const sycl::kernel &kernel, std::int64_t items, int group,
                 const IterationSpace<N> &space, Operands reads, Operands writes,
                 const std::array<void *, N> &data, const More &...more) {
  std::array<std::int64_t, scalar_axes> extents;
  std::array<std::int64_t, N * scalar_axes> strides{};
  extents.fill(1); // of axes that the space lacks
  for (int axis = 0; axis < std::min(space.ndim, scalar_axes); ++axis) {
    extents[axis] = space.axes[axis].extent;
    for (std::size_t k = 0; k < N; ++k)
      strides[k * scalar_axes + axis] = space.axes[axis].strides[k];
  }
  ScratchRing::Lease outer = outer_axes(queue, space);
  const std::int32_t outer_count = std::max(space.ndim - scalar_axes, 0);
  submit(queue, reads, writes, [&](sycl::queue &q) {
    std::apply([&](const auto &...arguments) { launch(q, kernel, items, group, arguments...); },
               std::tuple_cat(data, std::tuple(space.size), extents, strides,
                              std::tuple(outer ? outer->data : nullptr, outer_count, more...)));
    if (outer)
      outer->launched(q);
  });
}

// Runs a kernel of one element per work-item, in as many launches as it takes: for each
// part(launch, first element, count), of which `launch` takes the kernel's arguments.
template <class Part>
void run_flat(const Queue &queue, const sycl::kernel &kernel, std::int64_t size, Operands reads,
              Operands writes, Part &&part) {
  const int group = use_cpu_kernels(queue) ? 1024 : 256;
  submit(queue, reads, writes, [&](sycl::queue &q) {
    for (std::int64_t first = 0; first < size; first += launch_limit) {
      const std::int64_t count = std::min(size - first, launch_limit);
      part([&](const auto &...arguments) { launch(q, kernel, count, group, arguments...); }, first,
           count);
    }
  });
}

} // namespace usmtensor
