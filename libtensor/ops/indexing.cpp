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

// The number that a kernel writes for an array of one share, if the host makes it at once;
// otherwise, or if there is no element, `none`.
template <class Scalars>
std::int64_t number_at_once(const QueueRef &queue, const SignatureKernels<Scalars, 2> &kernels,
                            const View &in, const std::common_type_t<Scalars> &scalars,
                            std::int64_t none) {
  IterationSpace space(in.size(), 2);
  if (space.size == 0)
    return none;
  std::int64_t number = 0;
  Operand operands[] = {{}, in};
  operands[0].data = reinterpret_cast<char *>(&number);
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, false);
  const bool made = plan.shares == 1 && run(*queue, kernels, plan, space, operands, scalars, true);
  return made ? number : none;
}

// The number that a kernel writes for each share, here and in `memory` if it is given; waits.
template <class Scalars>
std::vector<std::int64_t>
number_of_each_share(const QueueRef &queue, const SignatureKernels<Scalars, 2> &kernels,
                     const View &in, const std::common_type_t<Scalars> &scalars,
                     Memory *memory = nullptr) {
  IterationSpace space(in.size(), 2);
  if (space.size == 0)
    return {};
  Operand operands[] = {{}, in};
  Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, true);
  std::vector<std::int64_t> numbers(plan.results());
  if (plan.host && !memory) {
    operands[0].data = reinterpret_cast<char *>(numbers.data());
    run(*queue, kernels, plan, space, operands, scalars);
    return numbers;
  }
  const std::size_t nbytes = numbers.size() * sizeof(std::int64_t);
  // With room for their sum.
  const Memory written = allocate(queue, UsmKind::device, nbytes + sizeof(std::int64_t));
  operands[0] = written;
  // Where it runs is decided now: another thread may have dropped the block meanwhile, with a
  // command pending on it. The shares do not change.
  plan = usmtensor::plan(*queue, kernels, space, operands, 0, true);
  run(*queue, kernels, plan, space, operands, scalars);
  copy_with_host(queue, *written, numbers.data(), written->pointer, nbytes);
  if (memory)
    *memory = written;
  return numbers;
}

// Kernels that take positions, as an operand. A row of elements that has one position is copied.
template <class Scalars, int N>
SignatureKernels<Scalars, N> by_index(SignatureKernels<Scalars, N> kernels,
                                      const IterationSpace &space, int operand) {
  if (space.ndim > 0 && space.axes[0].strides[operand] == 0)
    kernels.cost = 0;
  return kernels;
}

bool gather(const QueueRef &queue, const View &base, IndexedAxis axis, const View &index,
            const View &values, const Operand &flag, bool at_once) {
  IterationSpace space(values.ndim, values.shape,
                       {values.strides, base.strides, index.strides, index.strides});
  for (int k = 0; k < space.ndim; ++k)
    space.axes[k].strides[3] = 0; // there is one flag
  space.offsets[3] = 0;
  Operand operands[] = {values, base, index, flag};
  const DType type = join_elements(space, values.dtype, operands, &axis.stride);
  return run(*queue, by_index(kernels::gather(type, index.dtype), space, 2), space, operands,
             {.shift = axis.shift, .low = axis.low, .high = axis.high, .stride = axis.stride},
             at_once);
}

} // namespace

bool gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values, bool at_once, std::uint8_t *outside) {
  Operand flag;
  flag.data = reinterpret_cast<char *>(outside);
  return gather(queue, base, axis, index, values, flag, at_once);
}

bool gather_checks(const QueueRef &queue) { return !is_like_cpu(*queue); }

bool checked_gather(const QueueRef &queue, const View &base, const IndexedAxis &axis,
                    const View &index, const View &values) {
  // The host reads its own memory without a command.
  const Memory memory = allocate(queue, queue->host_usm ? UsmKind::host : UsmKind::device, 1);
  std::uint8_t outside = 0;
  copy_with_host(queue, *memory, memory->pointer, &outside, 1);
  gather(queue, base, axis, index, values, memory, false);
  copy_with_host(queue, *memory, &outside, memory->pointer, 1);
  return !outside;
}

namespace {

// On devices other than CPUs: the index, of one dimension, with only the last index of each place.
Memory last_indices(const QueueRef &queue, const IndexedAxis &axis, const Operand &index,
                    std::int64_t count) {
  const int bits = 64 - __builtin_clzll(2 * count - 1);
  std::int64_t entries = std::int64_t(1) << bits, one = 1;
  const Memory table = allocate(queue, UsmKind::device, entries * sizeof(std::uint64_t));
  const Memory found = allocate(queue, UsmKind::device, count * sizeof(std::int64_t));
  const std::uint64_t empty = 0;
  fill(queue, {table->pointer, DType::u8, 1, &entries, &one, table.get()}, &empty);
  IterationSpace two(count, 2), three(count, 3);
  const kernels::EnterPlacesScalars scalars{axis.shift, axis.low, axis.high, axis.stride,
                                            32 - bits};
  const Operand entered[] = {table, index}, kept[] = {found, index, table};
  Plan plan = usmtensor::plan(*queue, kernels::enter_places(), two, entered);
  // One index each, because a work-item mostly waits for memory.
  plan.shares = (count + plan.group - 1) / plan.group * plan.group;
  run(*queue, kernels::enter_places(), plan, two, entered, scalars);
  run(*queue, kernels::last_indices(), plan, three, kept, scalars);
  return found;
}

// Whether a CPU writes ranges of places: with few cores, it takes less time to read the index once.
// Tests ask for it by the class of the device.
bool worth_ranges(const Queue &queue, const IterationSpace &space, const IndexedAxis &axis) {
  constexpr std::int64_t worthwhile = std::int64_t(1) << 17, most = std::int64_t(1) << 31;
  constexpr unsigned many_cores = 8;
  const bool forced = settings.device_class.load(std::memory_order_relaxed) != 0;
  return is_like_cpu(queue) && (forced || queue.description.compute_units >= many_cores) &&
         space.ndim == 1 && space.axes[0].strides[0] == 0 && space.axes[0].strides[2] == 1 &&
         space.size >= worthwhile && space.size < most && axis.high - axis.low < most;
}

// Writes values to places that may repeat; `space` has one axis.
void scatter_by_ranges(const QueueRef &queue, DType type, const IterationSpace &space,
                       const IndexedAxis &axis, const Operand (&operands)[3]) {
  constexpr std::int64_t ranges = 256;
  Operand base = operands[0], values = operands[1], index = operands[2];
  for (Operand *operand : {&base, &values, &index})
    operand->data += space.offsets[operand == &base     ? 0
                                   : operand == &values ? 1
                                                        : 2] *
                     operand->itemsize;
  const std::int64_t n = space.size, places = axis.high - axis.low + 1;
  const int shift = std::max(0, 64 - __builtin_clzll((places - 1) | 1) - 8);
  IterationSpace counted(n, 2), moved(n, 3), written(ranges, 4), elements(n, 4);
  const Operand sought[] = {{}, index};
  const auto parts = static_cast<std::int32_t>(
      plan(*queue, kernels::count_in_ranges(), counted, sought, 0, true).shares);
  const Memory counts = allocate(queue, UsmKind::device, parts * ranges * sizeof(std::int64_t));
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

bool scatter(const QueueRef &queue, const View &base, const IndexedAxis &indexed, const View &index,
             const View &values, bool unique, bool at_once) {
  // The index comes first, so that its axes keep their order and other axes lie inside. Then the
  // operands get their own order.
  IterationSpace space(values.ndim, values.shape, {index.strides, base.strides, values.strides});
  std::rotate(space.offsets, space.offsets + 1, space.offsets + 3);
  for (int k = 0; k < space.ndim; ++k)
    std::rotate(space.axes[k].strides, space.axes[k].strides + 1, space.axes[k].strides + 3);
  if (space.size == 0)
    return true;
  Operand operands[] = {base, values, index};
  IndexedAxis axis = indexed;
  const DType type = join_elements(space, values.dtype, operands, &axis.stride);
  const kernels::GatherScalars scalars{axis.shift, axis.low, axis.high, axis.stride};
  const auto in_order = by_index(kernels::scatter_last(type), space, 2);
  if (at_once)
    return run(*queue, in_order, space, operands, scalars, true);
  const auto kernels = by_index(kernels::scatter(type), space, 2);
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands);
  std::int64_t count = 1;
  bool repeats = false; // the index, along other axes: a copy of an index that overlapped base
  for (int k = 0; k < index.ndim; ++k)
    if (index.shape[k] > 1 && index.strides[k] != 0)
      count *= index.shape[k], repeats |= base.strides[k] != 0;
  // Places and numbers of indices take 32 bits, and the table takes up to 40 bytes an index.
  constexpr std::int64_t most = std::int64_t(1) << 30, most_indices = std::int64_t(1) << 27;
  const bool by_table =
      plan.loop == Loop::grid && !repeats && count <= most_indices && axis.high - axis.low < most;
  if (!unique && !by_table && worth_ranges(*queue, space, axis)) {
    scatter_by_ranges(queue, type, space, axis, operands);
    return true;
  }
  if (!unique && !by_table)
    return run(*queue, in_order, space, operands, scalars);
  Memory last;
  if (!unique)
    operands[2] = last = last_indices(queue, axis, operands[2], count), operands[2].itemsize = 8;
  return run(*queue, kernels, plan, space, operands, scalars);
}

std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t low,
                          std::int64_t high) {
  for (const std::int64_t place :
       number_of_each_share(queue, kernels::outside_range(), index, {.low = low, .high = high}))
    if (place >= 0)
      return place;
  return -1;
}

bool all_inside(const QueueRef &queue, const View &index, std::int64_t low, std::int64_t high,
                bool at_once) {
  if (!at_once)
    return find_outside(queue, index, low, high) < 0;
  return number_at_once(queue, kernels::outside_range(), index, {.low = low, .high = high}, 0) < 0;
}

bool add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis, bool is_first,
                 const View &offsets, bool at_once) {
  IterationSpace space(offsets.ndim, offsets.shape,
                       {offsets.strides, offsets.strides, index.strides});
  return run(*queue, kernels::add_offset(), space, {offsets, offsets, index},
             {.shift = axis.shift,
              .low = axis.low,
              .high = axis.high,
              .stride = axis.stride,
              .is_first = is_first},
             at_once);
}

bool add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets,
                bool at_once) {
  IterationSpace space(positions.size(), 3);
  return run(*queue, kernels::add_digit(), space, {offsets, offsets, positions},
             {.inner = inner, .extent = extent, .stride = stride, .is_first = is_first}, at_once);
}

std::int64_t count_at_once(const QueueRef &queue, const View &mask) {
  return number_at_once(queue, kernels::count_true(), mask, {}, -1);
}

TrueCount count_true(const QueueRef &queue, const View &mask) {
  if (const std::int64_t count = count_at_once(queue, mask); count >= 0)
    return {{}, count};
  TrueCount result;
  std::vector<std::int64_t> counts =
      number_of_each_share(queue, kernels::count_true(), mask, {}, &result.starts);
  for (std::int64_t &number : counts)
    result.count += std::exchange(number, result.count);
  counts.push_back(result.count);
  if (result.starts)
    copy_with_host(queue, *result.starts, result.starts->pointer, counts.data(),
                   counts.size() * sizeof(std::int64_t));
  return result;
}

namespace {

// A kernel whose last operand gets the numbers of true elements before the shares of a mask.
template <class Kernels, int N, class ScalarsOf>
bool run_by_mask(const QueueRef &queue, const Kernels &kernels, const View &mask,
                 const TrueCount &found, Operand (&operands)[N], std::int64_t written, bool at_once,
                 ScalarsOf scalars) {
  IterationSpace space(mask.size(), N);
  if (space.size == 0)
    return true;
  operands[N - 1] = found.starts;
  Plan plan = usmtensor::plan(*queue, kernels, space, operands, written, !at_once);
  if (at_once && !plan.at_once())
    return false;
  std::int64_t numbers[] = {0, found.count};
  Memory memory;
  if (!found.starts && found.count != 0) { // the mask was counted as one share
    plan.shares = 1;
    if (plan.host) {
      operands[N - 1].data = reinterpret_cast<char *>(numbers);
    } else {
      operands[N - 1] = memory = allocate(queue, UsmKind::device, sizeof numbers);
      copy_with_host(queue, *memory, memory->pointer, numbers, sizeof numbers);
    }
  }
  return run(*queue, kernels, plan, space, operands, scalars(plan));
}

} // namespace

bool true_positions(const QueueRef &queue, const View &mask, const TrueCount &found,
                    const View &positions, bool at_once) {
  Operand operands[] = {positions, mask, {}};
  return found.count == 0 || run_by_mask(queue, kernels::positions(), mask, found, operands,
                                         found.count * 8, at_once, [](const Plan &plan) {
                                           return kernels::PositionsScalars{.stream = plan.stream};
                                         });
}

bool compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &found,
              const View &destination, bool at_once) {
  Operand operands[] = {destination, source, mask, {}};
  const std::int64_t written = found.count * operands[0].itemsize;
  return found.count == 0 || run_by_mask(queue, kernels::compress(source.dtype), mask, found,
                                         operands, written, at_once, [&](const Plan &plan) {
                                           return kernels::CompressScalars{.stride = stride(source),
                                                                           .stream = plan.stream};
                                         });
}

bool place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &found,
           const View &values, bool at_once) {
  Operand operands[] = {destination, values, mask, {}};
  const std::int64_t written = mask.size() * operands[0].itemsize;
  return run_by_mask(queue, kernels::place(destination.dtype), mask, found, operands, written,
                     at_once, [&](const Plan &) {
                       return kernels::PlaceScalars{.stride = stride(destination),
                                                    .count = values.size(),
                                                    .value_stride = stride(values)};
                     });
}

bool repeat_runs(const QueueRef &queue, const View &source, const View &starts,
                 const View &destination, bool at_once) {
  IterationSpace space(destination.size(), 3);
  return run(*queue, kernels::repeat_runs(source.dtype), space, {destination, source, starts},
             {.runs = source.size(), .stride = stride(source)}, at_once);
}

} // namespace usmtensor
