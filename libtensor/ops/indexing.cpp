#include "indexing.hpp"

#include "copy.hpp"
#include "launch.hpp"

#include "runtime/settings.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

std::int64_t stride(const View &view) { return view.shape[0] > 1 ? view.strides[0] : 1; }

// Runs a kernel that writes a number for each share of `in`, and returns these numbers; waits. If
// `memory` is given, they are also stored there, unless the host runs one share.
template <class Scalars>
std::vector<std::int64_t>
compute_share_numbers(const QueueRef &queue, const SignatureKernels<Scalars, 2> &kernels,
                      const View &in, const std::common_type_t<Scalars> &scalars, Caller &caller,
                      Memory *memory = nullptr) {
  IterationSpace space(in.size(), 2);
  if (space.size == 0)
    return {};
  Operand operands[] = {{}, in};
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, caller);
  std::vector<std::int64_t> numbers(plan.results());
  if (plan.host && (!memory || plan.shares == 1)) {
    operands[0].data = reinterpret_cast<char *>(numbers.data());
    run(*queue, kernels, plan, space, operands, scalars);
    return numbers;
  }
  caller.release();
  const std::size_t nbytes = numbers.size() * sizeof(std::int64_t);
  // One more element is reserved for their sum.
  const Memory written = allocate(queue, plan, operands, nbytes + sizeof(std::int64_t));
  operands[0] = written;
  run(*queue, kernels, plan, space, operands, scalars);
  copy_with_host(queue, *written, numbers.data(), written->pointer, nbytes);
  if (memory)
    *memory = written;
  return numbers;
}

// Kernels that take indices as an operand. If a row has only one index, it is a plain copy, whose
// elements cost no arithmetic.
template <class Scalars, int N>
SignatureKernels<Scalars, N> by_index(SignatureKernels<Scalars, N> kernels,
                                      const IterationSpace &space, int operand) {
  if (space.ndim > 0 && space.axes[0].strides[operand] == 0)
    kernels.cost = 0;
  return kernels;
}

bool gather(const QueueRef &queue, const View &base, IndexedAxis axis, const View &index,
            const View &values, const FunctionRef<bool &> *inside, Caller &caller) {
  IterationSpace space(values.ndim, values.shape,
                       {values.strides, base.strides, index.strides, index.strides});
  for (int k = 0; k < space.ndim; ++k)
    space.axes[k].strides[3] = 0; // a single flag
  space.offsets[3] = 0;
  Operand operands[] = {values, base, index, {}};
  const DType type = join_elements(space, values.dtype, operands, &axis.stride);
  if (space.size == 0)
    return true;
  const auto kernels = by_index(kernels::gather(type, index.dtype), space, 2);
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, caller);
  std::uint8_t outside = 0;
  Memory flag;
  if (inside && plan.host) {
    operands[3].data = reinterpret_cast<char *>(&outside);
  } else if (inside && gather_checks(queue)) {
    // The host can read host memory without a command.
    flag = allocate(queue, queue->host_usm ? UsmKind::host : UsmKind::device, 1);
    copy_with_host(queue, *flag, flag->pointer, &outside, 1);
    operands[3] = flag;
  } else if (inside) {
    bool all = false;
    (*inside)(all);
    if (!all)
      return false;
  }
  run(*queue, kernels, plan, space, operands,
      {.shift = axis.shift, .low = axis.low, .high = axis.high, .stride = axis.stride});
  if (flag)
    copy_with_host(queue, *flag, &outside, flag->pointer, 1);
  return !outside;
}

} // namespace

void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values, Caller &caller) {
  gather(queue, base, axis, index, values, nullptr, caller);
}

bool gather_checks(const QueueRef &queue) { return !is_like_cpu(*queue); }

bool checked_gather(const QueueRef &queue, const View &base, const IndexedAxis &axis,
                    const View &index, const View &values, FunctionRef<bool &> inside,
                    Caller &caller) {
  return gather(queue, base, axis, index, values, &inside, caller);
}

namespace {

// For devices other than CPUs: the 1-D index with only the last entry for each destination.
Memory last_indices(const QueueRef &queue, const IndexedAxis &axis, const Operand &index,
                    std::int64_t count) {
  const int bits = 64 - __builtin_clzll(2 * count - 1);
  std::int64_t entries = std::int64_t(1) << bits, one = 1;
  const Memory table = allocate(queue, UsmKind::device, entries * sizeof(std::uint64_t));
  const Memory found = allocate(queue, UsmKind::device, count * sizeof(std::int64_t));
  const std::uint64_t empty = 0;
  fill(queue, {table->pointer, DType::uint64, 1, &entries, &one, table.get()}, &empty);
  IterationSpace two(count, 2), three(count, 3);
  const kernels::InsertIndicesScalars scalars{axis.shift, axis.low, axis.high, axis.stride,
                                              32 - bits};
  const Operand entered[] = {table, index}, kept[] = {found, index, table};
  Plan plan = usmtensor::plan(*queue, kernels::insert_indices(), two, entered);
  // One index per work-item, because work-items mostly wait for memory.
  plan.shares = (count + plan.group - 1) / plan.group * plan.group;
  run(*queue, kernels::insert_indices(), plan, two, entered, scalars);
  run(*queue, kernels::last_indices(), plan, three, kept, scalars);
  return found;
}

// True if a CPU first sorts the indices into ranges of destinations. With few cores it is faster to
// read the index once. Tests force ranges by the device class.
bool prefers_ranges(const Queue &queue, const IterationSpace &space, const IndexedAxis &axis) {
  constexpr std::int64_t worthwhile = std::int64_t(1) << 17, limit = std::int64_t(1) << 31;
  constexpr unsigned many_cores = 8;
  const bool forced = settings.device_class.load(std::memory_order_relaxed) != 0;
  return is_like_cpu(queue) && (forced || queue.description.compute_units >= many_cores) &&
         space.ndim == 1 && space.axes[0].strides[0] == 0 && space.axes[0].strides[2] == 1 &&
         space.size >= worthwhile && space.size < limit && axis.high - axis.low < limit;
}

// Writes values to destinations that may repeat; `space` has one axis.
void scatter_by_ranges(const QueueRef &queue, DType type, const IterationSpace &space,
                       const IndexedAxis &axis, const Operand (&operands)[3]) {
  Operand base = operands[0], values = operands[1], index = operands[2];
  base.data += space.offsets[0] * base.itemsize;
  values.data += space.offsets[1] * values.itemsize;
  index.data += space.offsets[2] * index.itemsize;
  const std::int64_t n = space.size, destinations = axis.high - axis.low + 1;
  // A range has 1 << shift destinations: the smallest size for which index_ranges ranges suffice.
  int shift = 0;
  while ((destinations - 1) >> shift >= index_ranges)
    ++shift;
  IterationSpace counted(n, 2), moved(n, 3), written(index_ranges, 4), elements(n, 4);
  const Operand sought[] = {{}, index};
  const auto parts = static_cast<std::int32_t>(
      plan(*queue, kernels::count_in_ranges(), counted, sought, 0).shares);
  const Memory counts =
      allocate(queue, UsmKind::device, parts * index_ranges * sizeof(std::int64_t));
  const Memory pairs = allocate(queue, UsmKind::device, n * sizeof(std::uint64_t));
  run(*queue, kernels::count_in_ranges(), counted, {counts, index},
      {axis.shift, axis.low, axis.high, axis.stride, shift});
  run(*queue, kernels::move_to_ranges(), moved, {pairs, index, counts},
      {axis.shift, axis.low, axis.high, axis.stride, shift, parts});
  const Operand all[] = {base, values, pairs, counts};
  const Plan by_elements = plan(*queue, kernels::write_ranges(type), elements, all);
  run(*queue, kernels::write_ranges(type), by_elements, written, all,
      {axis.low, axis.high, axis.stride, space.axes[0].strides[1], n, parts});
}

} // namespace

void scatter(const QueueRef &queue, const View &base, const IndexedAxis &indexed, const View &index,
             const View &values, bool unique, Caller &caller) {
  // The index is passed first, so that its axes keep their order and the other axes become the
  // inner ones. Then the operands are rotated into the kernel's order.
  IterationSpace space(values.ndim, values.shape, {index.strides, base.strides, values.strides});
  std::rotate(space.offsets, space.offsets + 1, space.offsets + 3);
  for (int k = 0; k < space.ndim; ++k)
    std::rotate(space.axes[k].strides, space.axes[k].strides + 1, space.axes[k].strides + 3);
  if (space.size == 0)
    return;
  Operand operands[] = {base, values, index};
  IndexedAxis axis = indexed;
  const DType type = join_elements(space, values.dtype, operands, &axis.stride);
  std::int64_t count = 1;
  bool repeats = false; // the index varies along axes of base: copied, because it overlapped base
  for (int k = 0; k < index.ndim; ++k)
    if (index.shape[k] > 1 && index.strides[k] != 0)
      count *= index.shape[k], repeats |= base.strides[k] != 0;
  // The table stores destinations and index numbers in 32 bits each, and takes up to 40 bytes per
  // index.
  constexpr std::int64_t limit = std::int64_t(1) << 30, max_indices = std::int64_t(1) << 27;
  const bool by_table = !unique && !is_like_cpu(*queue) && !repeats && count <= max_indices &&
                        axis.high - axis.low < limit;
  if (!unique && !by_table && prefers_ranges(*queue, space, axis)) {
    caller.release();
    return scatter_by_ranges(queue, type, space, axis, operands);
  }
  Memory last;
  if (by_table) {
    caller.release();
    operands[2] = last = last_indices(queue, axis, operands[2], count), operands[2].itemsize = 8;
  }
  const auto kernels = unique || by_table ? kernels::scatter(type) : kernels::scatter_last(type);
  run(*queue, by_index(kernels, space, 2), space, operands,
      {axis.shift, axis.low, axis.high, axis.stride}, caller);
}

std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t low,
                          std::int64_t high, Caller &caller) {
  for (const std::int64_t position : compute_share_numbers(queue, kernels::outside_range(), index,
                                                           {.low = low, .high = high}, caller))
    if (position >= 0)
      return position;
  return -1;
}

void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis, bool is_first,
                 const View &offsets, Caller &caller) {
  IterationSpace space(offsets.ndim, offsets.shape,
                       {offsets.strides, offsets.strides, index.strides});
  run(*queue, kernels::add_offset(), space, {offsets, offsets, index},
      {.shift = axis.shift,
       .low = axis.low,
       .high = axis.high,
       .stride = axis.stride,
       .is_first = is_first},
      caller);
}

void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets,
                Caller &caller) {
  IterationSpace space(positions.size(), 3);
  run(*queue, kernels::add_digit(), space, {offsets, offsets, positions},
      {.inner = inner, .extent = extent, .stride = stride, .is_first = is_first}, caller);
}

TrueCount count_true(const QueueRef &queue, const View &mask, Caller &caller) {
  TrueCount result;
  std::vector<std::int64_t> counts =
      compute_share_numbers(queue, kernels::count_true(), mask, {}, caller, &result.starts);
  for (std::int64_t &number : counts)
    result.count += std::exchange(number, result.count);
  if (result.starts) {
    counts.push_back(result.count);
    copy_with_host(queue, *result.starts, result.starts->pointer, counts.data(),
                   counts.size() * sizeof(std::int64_t));
  }
  return result;
}

namespace {

// Runs a kernel whose last operand has the number of true elements before each share of the mask.
template <class Kernels, int N, class ScalarsOf>
void run_by_mask(const QueueRef &queue, const Kernels &kernels, const View &mask,
                 const TrueCount &count, Operand (&operands)[N], std::int64_t written,
                 Caller &caller, ScalarsOf scalars) {
  IterationSpace space(mask.size(), N);
  if (space.size == 0)
    return;
  operands[N - 1] = count.starts;
  Plan plan = usmtensor::plan(*queue, kernels, space, operands, written, caller);
  std::int64_t numbers[] = {0, count.count};
  Memory memory;
  if (!count.starts && count.count != 0) { // the mask was counted as one share
    plan.shares = 1;
    if (plan.host) {
      operands[N - 1].data = reinterpret_cast<char *>(numbers);
    } else {
      operands[N - 1] = memory = allocate(queue, UsmKind::device, sizeof numbers);
      copy_with_host(queue, *memory, memory->pointer, numbers, sizeof numbers);
    }
  }
  run(*queue, kernels, plan, space, operands, scalars(plan));
}

} // namespace

void true_positions(const QueueRef &queue, const View &mask, const TrueCount &count,
                    const View &positions, Caller &caller) {
  Operand operands[] = {positions, mask, {}};
  if (count.count != 0)
    run_by_mask(queue, kernels::positions(), mask, count, operands, count.count * 8, caller,
                [](const Plan &plan) { return kernels::PositionsScalars{.stream = plan.stream}; });
}

void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &count,
              const View &destination, Caller &caller) {
  Operand operands[] = {destination, source, mask, {}};
  if (count.count != 0)
    run_by_mask(queue, kernels::compress(source.dtype), mask, count, operands,
                count.count * operands[0].itemsize, caller, [&](const Plan &plan) {
                  return kernels::CompressScalars{.stride = stride(source), .stream = plan.stream};
                });
}

void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &count,
           const View &values, Caller &caller) {
  if (count.count == 0 && values.size() != 1)
    return;
  Operand operands[] = {destination, values, mask, {}};
  const std::int64_t written = mask.size() * operands[0].itemsize;
  run_by_mask(queue, kernels::place(destination.dtype), mask, count, operands, written, caller,
              [&](const Plan &) {
                return kernels::PlaceScalars{.stride = stride(destination),
                                             .count = values.size(),
                                             .value_stride = stride(values)};
              });
}

void repeat_runs(const QueueRef &queue, const View &source, const View &starts,
                 const View &destination, Caller &caller) {
  IterationSpace space(destination.size(), 3);
  run(*queue, kernels::repeat_runs(source.dtype), space, {destination, source, starts},
      {.runs = source.size(), .stride = stride(source)}, caller);
}

} // namespace usmtensor
