#include "indexing.hpp"

#include "launch.hpp"
#include "runtime/memory.hpp"
#include "transfer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
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
  return (*queue->kernels)[ids[width_index(itemsize(view.dtype))]];
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

// An operand whose elements lie one after the other.
struct Line {
  Line(const View &view) : memory(view.memory), data(view.data) {}
  Line(const Memory &memory) : memory(memory.get()), data(memory ? memory->pointer : nullptr) {}
  const Allocation *memory;
  void *data;
};

// Runs a kernel whose work-items have a share of the elements each; of one to three inputs.
template <std::size_t N, class... Scalars>
void run_shared(const QueueRef &queue, const sycl::kernel &kernel, std::int64_t items,
                std::int64_t size, const Line &out, const Line (&in)[N],
                const Scalars &...scalars) {
  std::array<const void *, N> inputs;
  std::transform(in, in + N, inputs.begin(), [](const Line &line) { return line.data; });
  const auto arguments = std::tuple_cat(std::tuple(out.data), inputs, std::tuple(size, scalars...));
  submit(*queue, {in[0].memory, in[N / 2].memory, in[N - 1].memory}, {out.memory},
         [&](sycl::queue &q) {
           auto run = [&](const auto &...all) {
             launch(q, kernel, items, group_of(*queue), all...);
           };
           std::apply(run, arguments);
         });
}

// Where the shares do not matter.
template <class... Scalars>
void run_anyhow(const QueueRef &queue, KernelId id, const View &in, const View &out,
                const Scalars &...scalars) {
  if (const std::int64_t size = in.size())
    run_shared(queue, (*queue->kernels)[id], work_items(*queue, size), size, out, {in}, scalars...);
}

// What a kernel says of each share, in `memory` and here; waits.
template <class... Scalars>
std::vector<std::int64_t> number_of_each_share(const QueueRef &queue, KernelId id, const View &in,
                                               Memory &memory, const Scalars &...scalars) {
  const std::int64_t size = in.size(), parts = even_shares(*queue, size);
  if (size == 0)
    return {};
  const int group = group_of(*queue);
  std::vector<std::int64_t> numbers((parts + group - 1) / group * group);
  const std::size_t nbytes = numbers.size() * sizeof(std::int64_t);
  memory = allocate(queue, UsmKind::device, nbytes + sizeof(std::int64_t)); // for their sum, too
  run_shared(queue, (*queue->kernels)[id], parts, size, memory, {in}, scalars...);
  copy_to_host(queue, *memory, memory->pointer, numbers.data(), nbytes);
  return numbers;
}

} // namespace

void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values) {
  static const Ids ids = by_width("gather_rows", "i8_");
  const IterationSpace<3> space(values.ndim, values.shape,
                                {values.strides, base.strides, index.strides});
  if (space.size == 0)
    return;
  run_strided(*queue, kernel(queue, ids, values), work_items(*queue, space.size), group_of(*queue),
              space, {base.memory, index.memory}, {values.memory},
              {element(values, values.dtype, space.offsets[0]),
               element(base, base.dtype, space.offsets[1]),
               element(index, index.dtype, space.offsets[2])},
              0, axis.shift, axis.low, axis.high, axis.stride);
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
  // Where places may repeat, each work-item reads all of the index.
  std::int64_t items = work_items(*queue, space.size);
  if (!unique)
    items = use_cpu_kernels(*queue) ? (items + 3) / 4 : std::min<std::int64_t>(items, 4096);
  run_strided(*queue, kernel(queue, ids, values), items, group_of(*queue), space,
              {values.memory, index.memory}, {base.memory},
              {element(base, base.dtype, space.offsets[0]),
               element(values, values.dtype, space.offsets[1]),
               element(index, index.dtype, space.offsets[2])},
              0, axis.shift, axis.low, axis.high, axis.stride, std::int32_t(unique));
}

std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t extent,
                          bool is_unsigned) {
  static const KernelId id = kernel_id("outside_range_shared_i8_i8");
  Memory memory;
  for (const std::int64_t position :
       number_of_each_share(queue, id, index, memory, is_unsigned ? 0 : -extent, extent))
    if (position >= 0)
      return position;
  return -1;
}

void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis,
                 bool is_unsigned, bool is_first, const View &offsets) {
  static const KernelId id = kernel_id("add_offset_shared_i8_i8");
  run_anyhow(queue, id, index, offsets, axis.shift, axis.low, axis.high, axis.stride,
             std::int32_t(is_unsigned), std::int32_t(is_first));
}

void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets) {
  static const KernelId id = kernel_id("add_digit_shared_i8_i8");
  run_anyhow(queue, id, positions, offsets, inner, extent, stride, std::int32_t(is_first));
}

TrueCount count_true(const QueueRef &queue, const View &mask) {
  static const KernelId id = kernel_id("count_true_shared_b1_i8");
  TrueCount result;
  std::vector<std::int64_t> counts = number_of_each_share(queue, id, mask, result.starts);
  for (std::int64_t &number : counts)
    result.count += std::exchange(number, result.count);
  counts.push_back(result.count);
  if (result.starts)
    copy_from_host(queue, *result.starts, result.starts->pointer, counts.data(),
                   counts.size() * sizeof(std::int64_t));
  return result;
}

void true_positions(const QueueRef &queue, const View &mask, const TrueCount &found,
                    const View &positions) {
  static const KernelId id = kernel_id("positions_shared_b1_i8_i8");
  const std::int64_t size = mask.size();
  if (found.count != 0)
    run_shared(queue, (*queue->kernels)[id], even_shares(*queue, size), size, positions,
               {mask, found.starts}, streams(found.count, positions));
}

void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &found,
              const View &destination) {
  static const Ids ids = by_width("compress_shared", "b1_i8_");
  const std::int64_t size = mask.size();
  if (found.count != 0)
    run_shared(queue, kernel(queue, ids, source), even_shares(*queue, size), size, destination,
               {source, mask, found.starts}, stride(source), streams(found.count, source));
}

void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &found,
           const View &values) {
  static const Ids ids = by_width("place_shared", "b1_i8_");
  const std::int64_t size = mask.size();
  if (size != 0)
    run_shared(queue, kernel(queue, ids, destination), even_shares(*queue, size), size, destination,
               {values, mask, found.starts}, stride(destination), values.size(), stride(values));
}

} // namespace usmtensor
