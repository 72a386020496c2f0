#include "indexing.hpp"

#include "launch.hpp"
#include "transfer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

int width(const View &view) { return width_index(itemsize(view.dtype)); }

std::int64_t stride(const View &view) { return view.shape[0] > 1 ? view.strides[0] : 1; }

// The shares of a kernel that goes through a mask and writes `count` elements.
Plan share_mask(const QueueRef &queue, const Kernels &kernels, IterationSpace &space,
                std::int64_t count, Span<Operand> operands) {
  return plan(*queue, kernels, kernels.loops, space, operands, count * operands[0].itemsize);
}

// The number that a kernel writes for each share, here and in `memory` if it is given; waits.
template <class Scalars>
std::vector<std::int64_t> number_of_each_share(const QueueRef &queue,
                                               const KernelRow<Scalars, 2> &row, const View &in,
                                               const Scalars &scalars, Memory *memory = nullptr) {
  IterationSpace space(in.size(), 2);
  if (space.size == 0)
    return {};
  Operand operands[] = {{}, in};
  Plan plan = share_mask(queue, row[0], space, 0, operands);
  std::vector<std::int64_t> numbers(plan.shares);
  if (plan.host && !memory) {
    operands[0].data = reinterpret_cast<char *>(numbers.data());
    run(*queue, row, 0, plan, space, operands, scalars);
    return numbers;
  }
  const std::size_t nbytes = numbers.size() * sizeof(std::int64_t);
  // With room for their sum.
  const Memory written = allocate(queue, UsmKind::device, nbytes + sizeof(std::int64_t));
  operands[0] = written;
  // Where it runs is decided now: another thread may have dropped the block meanwhile, with a
  // command pending on it. The shares are the same.
  plan = share_mask(queue, row[0], space, 0, operands);
  run(*queue, row, 0, plan, space, operands, scalars);
  copy_to_host(queue, *written, written->pointer, numbers.data(), nbytes);
  if (memory)
    *memory = written;
  return numbers;
}

} // namespace

void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values) {
  IterationSpace space(values.ndim, values.shape, {values.strides, base.strides, index.strides});
  run(*queue, kernels::gather, width(values), space, {values, base, index},
      {.shift = axis.shift, .low = axis.low, .high = axis.high, .stride = axis.stride});
}

bool gather_at_once(const QueueRef &queue, const View &base, const IndexedAxis &axis,
                    const View &index, const View &values) {
  IterationSpace space(values.ndim, values.shape, {values.strides, base.strides, index.strides});
  if (space.size == 0)
    return true;
  const Kernels kernels = kernels::gather[width(values)];
  const Operand operands[] = {values, base, index};
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, false);
  if (!plan.at_once())
    return false;
  std::int64_t outside = -1;
  Operand positions[] = {{}, index};
  positions[0].data = reinterpret_cast<char *>(&outside);
  IterationSpace line(space.size, 2);
  const Kernels looks = kernels::outside_range[0];
  const Plan look = usmtensor::plan(*queue, looks, looks.loops, line, positions, 0, false);
  if (!look.at_once() || look.shares != 1)
    return false;
  run(*queue, kernels::outside_range, 0, look, line, positions,
      {.low = -axis.shift, .extent = axis.high + 1});
  if (outside >= 0)
    return false;
  run(*queue, kernels::gather, width(values), plan, space, operands,
      {.shift = axis.shift, .low = axis.low, .high = axis.high, .stride = axis.stride});
  return true;
}

void scatter(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
             const View &values, bool unique) {
  // The index comes first: its axes keep their order, those that it does not have lie inside.
  IterationSpace space(values.ndim, values.shape, {index.strides, base.strides, values.strides});
  if (space.size == 0)
    return;
  std::rotate(space.offsets, space.offsets + 1, space.offsets + 3);
  for (int k = 0; k < space.ndim; ++k)
    std::rotate(space.axes[k].strides, space.axes[k].strides + 1, space.axes[k].strides + 3);
  const Operand operands[] = {base, values, index};
  const Loops loops{unique ? Loop::rows : Loop::owned};
  const Kernels kernels = kernels::scatter[width(values)];
  const Plan plan =
      usmtensor::plan(*queue, kernels, loops, space, operands, space.size * operands[0].itemsize);
  run(*queue, kernels::scatter, width(values), plan, space, operands,
      {.shift = axis.shift, .low = axis.low, .high = axis.high, .stride = axis.stride});
}

std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t extent,
                          bool is_unsigned) {
  for (const std::int64_t position :
       number_of_each_share(queue, kernels::outside_range, index,
                            {.low = is_unsigned ? 0 : -extent, .extent = extent}))
    if (position >= 0)
      return position;
  return -1;
}

void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis,
                 bool is_unsigned, bool is_first, const View &offsets) {
  IterationSpace space(index.size(), 3);
  run(*queue, kernels::add_offset, 0, space, {offsets, offsets, index},
      {.shift = axis.shift,
       .low = axis.low,
       .high = axis.high,
       .stride = axis.stride,
       .is_unsigned = is_unsigned,
       .is_first = is_first});
}

void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets) {
  IterationSpace space(positions.size(), 3);
  run(*queue, kernels::add_digit, 0, space, {offsets, offsets, positions},
      {.inner = inner, .extent = extent, .stride = stride, .is_first = is_first});
}

TrueCount count_true(const QueueRef &queue, const View &mask) {
  TrueCount result;
  std::vector<std::int64_t> counts =
      number_of_each_share(queue, kernels::count_true, mask, {}, &result.starts);
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
  IterationSpace space(mask.size(), 3);
  const Operand operands[] = {positions, mask, found.starts};
  const Plan plan = share_mask(queue, kernels::positions[0], space, found.count, operands);
  if (found.count != 0)
    run(*queue, kernels::positions, 0, plan, space, operands, {.stream = plan.stream});
}

void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &found,
              const View &destination) {
  IterationSpace space(mask.size(), 4);
  const Operand operands[] = {destination, source, mask, found.starts};
  const int signature = width(source);
  const Plan plan = share_mask(queue, kernels::compress[signature], space, found.count, operands);
  if (found.count != 0)
    run(*queue, kernels::compress, signature, plan, space, operands,
        {.stride = stride(source), .stream = plan.stream});
}

void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &found,
           const View &values) {
  IterationSpace space(mask.size(), 4);
  run(*queue, kernels::place, width(destination), space, {destination, values, mask, found.starts},
      {.stride = stride(destination), .count = values.size(), .value_stride = stride(values)});
}

} // namespace usmtensor
