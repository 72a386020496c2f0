#include "indexing.hpp"

#include "launch.hpp"
#include "runtime/memory.hpp"
#include "runtime/submit.hpp"
#include "transfer.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace usmtensor {
namespace {

using Ids = std::vector<KernelId>;

// The kernels of a name for elements of 1 to 16 bytes.
Ids by_width(const std::string &name, const std::string &more) {
  Ids ids;
  for (const char *width : {"w1", "w2", "w4", "w8", "w16"})
    ids.push_back(kernel_id(name + "_" + width + "_" + more + width));
  return ids;
}

const sycl::kernel &kernel(const QueueRef &queue, const Ids &ids, const View &view) {
  int width = 0;
  for (std::size_t size = itemsize(view.dtype); size > 1; size /= 2)
    ++width;
  return (*queue->kernels)[ids[width]];
}

std::int64_t count(const View &view) {
  std::int64_t size = 1;
  for (int axis = 0; axis < view.ndim; ++axis)
    size *= view.shape[axis];
  return size;
}

std::int64_t stride(const View &view) { return view.shape[0] > 1 ? view.strides[0] : 1; }

// Into how many shares a kernel that goes through all elements divides them: they are summed up on
// the host.
std::int64_t even_shares(const Queue &queue, std::int64_t size) {
  return use_cpu_kernels(queue) ? shares(size) : std::min<std::int64_t>(size / 64 + 1, 4096);
}

// Work-items of kernels whose shares do not matter.
std::int64_t work_items(const Queue &queue, std::int64_t size) {
  return use_cpu_kernels(queue) ? shares(size) : std::min(size, launch_limit);
}

// Whether an output is too large for the caches, so that kernels bypass them.
std::int32_t streams(std::int64_t size, const View &view) {
  return size * std::int64_t(itemsize(view.dtype)) >= stream_bytes;
}

int group_of(const Queue &queue) { return use_cpu_kernels(queue) ? 1 : 64; }

template <class... Scalars>
void run_shared(const QueueRef &queue, KernelId id, const View &in, const View &out,
                const Scalars &...scalars) {
  const std::int64_t size = count(in);
  if (size == 0)
    return;
  const sycl::kernel &run = (*queue->kernels)[id];
  submit(*queue, {in.memory}, {out.memory}, [&](sycl::queue &q) {
    launch(q, run, work_items(*queue, size), group_of(*queue), static_cast<void *>(out.data),
           static_cast<const void *>(in.data), size, scalars...);
  });
}

} // namespace

void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values) {
  static const Ids ids = by_width("gather_rows", "i8_");
  const IterationSpace<3> space(values.ndim, values.shape,
                                {values.strides, base.strides, index.strides});
  if (space.size == 0)
    return;
  const sycl::kernel &run = kernel(queue, ids, values);
  const Geometry<3> g(space);
  const auto &n = g.extents;
  const auto &v = g.strides[0], &b = g.strides[1], &i = g.strides[2];
  const std::int32_t stream = 0;
  ScratchRing::Lease block = outer_axes(*queue, space);
  submit(*queue, {base.memory, index.memory}, {values.memory}, [&](sycl::queue &q) {
    launch(q, run, work_items(*queue, space.size), group_of(*queue),
           element(values, values.dtype, space.offsets[0]),
           element(base, base.dtype, space.offsets[1]),
           element(index, index.dtype, space.offsets[2]), space.size, n[0], n[1], n[2], n[3], v[0],
           v[1], v[2], v[3], b[0], b[1], b[2], b[3], i[0], i[1], i[2], i[3], block.data(),
           g.outer_count, stream, axis.shift, axis.low, axis.high, axis.stride);
    block.launched(q);
  });
}

void scatter(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
             const View &values, bool unique) {
  static const Ids ids = by_width("scatter_owned", "i8_");
  // The index comes first: its axes keep their order, those that it does not have lie inside.
  IterationSpace<3> space(values.ndim, values.shape, {index.strides, base.strides, values.strides});
  if (space.size == 0)
    return;
  std::rotate(space.offsets, space.offsets + 1, space.offsets + 3);
  for (int k = 0; k < space.ndim; ++k)
    std::rotate(space.axes[k].strides, space.axes[k].strides + 1, space.axes[k].strides + 3);
  const sycl::kernel &run = kernel(queue, ids, values);
  const Geometry<3> g(space);
  const auto &n = g.extents;
  const auto &b = g.strides[0], &v = g.strides[1], &i = g.strides[2];
  const std::int32_t stream = 0, once = unique;
  // Where places may repeat, each work-item reads all of the index.
  std::int64_t items = work_items(*queue, space.size);
  if (!unique)
    items = use_cpu_kernels(*queue) ? (items + 3) / 4 : std::min<std::int64_t>(items, 4096);
  ScratchRing::Lease block = outer_axes(*queue, space);
  submit(*queue, {values.memory, index.memory}, {base.memory}, [&](sycl::queue &q) {
    launch(q, run, items, group_of(*queue), element(base, base.dtype, space.offsets[0]),
           element(values, values.dtype, space.offsets[1]),
           element(index, index.dtype, space.offsets[2]), space.size, n[0], n[1], n[2], n[3], b[0],
           b[1], b[2], b[3], v[0], v[1], v[2], v[3], i[0], i[1], i[2], i[3], block.data(),
           g.outer_count, stream, axis.shift, axis.low, axis.high, axis.stride, once);
    block.launched(q);
  });
}

std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t extent,
                          bool is_unsigned) {
  static const KernelId id = kernel_id("outside_range_shared_i8_i8");
  const std::int64_t size = count(index), low = is_unsigned ? 0 : -extent;
  if (size == 0)
    return -1;
  const sycl::kernel &run = (*queue->kernels)[id];
  const std::int64_t parts = even_shares(*queue, size);
  const int group = group_of(*queue);
  std::vector<std::int64_t> found((parts + group - 1) / group * group, -1);
  const Memory memory = allocate(queue, UsmKind::device, found.size() * sizeof(std::int64_t));
  submit(*queue, {index.memory}, {memory.get()}, [&](sycl::queue &q) {
    launch(q, run, parts, group, static_cast<void *>(memory->pointer),
           static_cast<const void *>(index.data), size, low, extent);
  });
  copy_to_host(queue, *memory, memory->pointer, found.data(), found.size() * sizeof(std::int64_t));
  for (const std::int64_t position : found)
    if (position >= 0)
      return position;
  return -1;
}

void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis,
                 bool is_unsigned, bool is_first, const View &offsets) {
  static const KernelId id = kernel_id("add_offset_shared_i8_i8");
  run_shared(queue, id, index, offsets, axis.shift, axis.low, axis.high, axis.stride,
             std::int32_t(is_unsigned), std::int32_t(is_first));
}

void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets) {
  static const KernelId id = kernel_id("add_digit_shared_i8_i8");
  run_shared(queue, id, positions, offsets, inner, extent, stride, std::int32_t(is_first));
}

TrueCount count_true(const QueueRef &queue, const View &mask) {
  static const KernelId id = kernel_id("count_true_shared_b1_i8");
  const std::int64_t size = count(mask);
  if (size == 0)
    return {};
  const sycl::kernel &run = (*queue->kernels)[id];
  const std::int64_t parts = even_shares(*queue, size);
  const int group = group_of(*queue);
  std::vector<std::int64_t> counts((parts + group - 1) / group * group);
  const std::size_t nbytes = counts.size() * sizeof(std::int64_t);
  TrueCount result{allocate(queue, UsmKind::device, nbytes), 0};
  Allocation &memory = *result.starts;
  submit(*queue, {mask.memory}, {&memory}, [&](sycl::queue &q) {
    launch(q, run, parts, group, static_cast<void *>(memory.pointer),
           static_cast<const void *>(mask.data), size);
  });
  copy_to_host(queue, memory, memory.pointer, counts.data(), nbytes);
  for (std::int64_t &number : counts) {
    const std::int64_t start = result.count;
    result.count += number;
    number = start;
  }
  copy_from_host(queue, memory, memory.pointer, counts.data(), nbytes);
  return result;
}

void true_positions(const QueueRef &queue, const View &mask, const TrueCount &found,
                    const View &positions) {
  static const KernelId id = kernel_id("positions_shared_b1_i8_i8");
  const std::int64_t size = count(mask);
  if (found.count == 0)
    return;
  const sycl::kernel &run = (*queue->kernels)[id];
  submit(*queue, {mask.memory, found.starts.get()}, {positions.memory}, [&](sycl::queue &q) {
    launch(q, run, even_shares(*queue, size), group_of(*queue), static_cast<void *>(positions.data),
           static_cast<const void *>(mask.data), static_cast<const void *>(found.starts->pointer),
           size, streams(found.count, positions));
  });
}

void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &found,
              const View &destination) {
  static const Ids ids = by_width("compress_shared", "b1_i8_");
  const std::int64_t size = count(mask);
  if (found.count == 0)
    return;
  const sycl::kernel &run = kernel(queue, ids, source);
  submit(*queue, {source.memory, mask.memory, found.starts.get()}, {destination.memory},
         [&](sycl::queue &q) {
           launch(q, run, even_shares(*queue, size), group_of(*queue),
                  static_cast<void *>(destination.data), static_cast<const void *>(source.data),
                  static_cast<const void *>(mask.data),
                  static_cast<const void *>(found.starts->pointer), size, stride(source),
                  streams(found.count, source));
         });
}

void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &found,
           const View &values) {
  static const Ids ids = by_width("place_shared", "b1_i8_");
  const std::int64_t size = count(mask), available = count(values);
  if (size == 0)
    return;
  const sycl::kernel &run = kernel(queue, ids, destination);
  const void *const starts = found.starts ? found.starts->pointer : nullptr;
  submit(*queue, {values.memory, mask.memory, found.starts.get()}, {destination.memory},
         [&](sycl::queue &q) {
           launch(q, run, even_shares(*queue, size), group_of(*queue),
                  static_cast<void *>(destination.data), static_cast<const void *>(values.data),
                  static_cast<const void *>(mask.data), starts, size, stride(destination),
                  available, stride(values));
         });
}

} // namespace usmtensor
