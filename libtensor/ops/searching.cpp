#include "searching.hpp"

#include "copy.hpp"
#include "keys.hpp"
#include "launch.hpp"

#include <algorithm>

namespace usmtensor {
namespace {

template <class Row>
void search(const QueueRef &queue, const Row &row, const View &sorted, const View &ends,
            std::int64_t block, const View &values, const View &result, bool option) {
  IterationSpace space(values.size(), 4);
  const Keys keys = keys_of(values.dtype, false);
  run(*queue, row(values.dtype), space, {result, values, sorted, ends},
      {keys.fold, keys.limit, keys.top, keys.bias, sorted.size(), block, option});
}

} // namespace

void search_sorted(const QueueRef &queue, const View &sorted, const View &ends, std::int64_t block,
                   const View &values, const View &indices, bool right) {
  search(queue, kernels::search_sorted, sorted, ends, block, values, indices, right);
}

void contains(const QueueRef &queue, const View &sorted, const View &ends, std::int64_t block,
              const View &values, const View &result, bool invert) {
  search(queue, kernels::contains, sorted, ends, block, values, result, invert);
}

void interpolate(const QueueRef &queue, const View &x, const View &counts, const View &points,
                 const View &values, const View &outside, bool left, bool right,
                 const View &result) {
  IterationSpace space(x.size(), 6);
  run(*queue, kernels::interpolate(result.dtype), space,
      {result, x, counts, points, values, outside},
      {.n = points.size(), .left = left, .right = right});
}

namespace {

template <int N>
void count(const QueueRef &queue, const SignatureKernels<kernels::CountingScalars, N> &kernels,
           std::int64_t n, const View &sums, const Operand (&operands)[N]) {
  const std::int64_t blocks = sums.shape[0], bins = sums.shape[1];
  if (sums.size() == 0)
    return;
  // The plan's time depends on the elements; the loop divides the blocks.
  IterationSpace elements(std::max(n, sums.size()), N), space(blocks, N);
  const Plan plan = usmtensor::plan(*queue, kernels, elements, operands);
  if (plan.loop == Loop::work_groups) {
    const std::uint64_t none = 0;
    fill(queue, sums, &none);
  }
  run(*queue, kernels, plan, space, operands, {.n = n, .blocks = blocks, .bins = bins});
}

} // namespace

std::int64_t count_blocks(const QueueRef &queue, std::int64_t n, std::int64_t bins,
                          bool has_weights) {
  // One work-item counts each block. On devices other than CPUs, work-groups count in one block.
  if (is_like_cpu(*queue))
    return std::clamp<std::int64_t>(n / std::max<std::int64_t>(1 << 15, 8 * bins), 1, 256);
  return has_weights ? std::clamp<std::int64_t>(n / std::max<std::int64_t>(256, bins), 1, 4096) : 1;
}

void uniform_bins(const QueueRef &queue, const View &x, const View &bounds, const View &indices) {
  IterationSpace space(x.size(), 3);
  if (space.size > 0)
    run(*queue, kernels::uniform_bins(x.dtype), space, {indices, x, bounds},
        {.bins = static_cast<std::int32_t>(bounds.size() - 1)});
}

void count_bins(const QueueRef &queue, const View &indices, const View &sums) {
  const Operand operands[] = {sums, indices};
  count(queue, kernels::count_bins(), indices.size(), sums, operands);
}

void sum_bins(const QueueRef &queue, const View &indices, const View &weights, const View &sums) {
  const Operand operands[] = {sums, indices, weights};
  count(queue, kernels::sum_bins(sums.dtype), indices.size(), sums, operands);
}

bool combine_at(const QueueRef &queue, Combination function, const View &indices,
                const View &values, const View &out) {
  if (!is_like_cpu(*queue))
    return false;
  const Operand operands[] = {out, indices, values};
  // The plan's time depends on the values; the loop divides the output.
  IterationSpace work(std::max(indices.size(), out.size()), 3), space(out.size(), 3);
  const auto kernels = kernels::combine_at(out.dtype);
  Plan plan = usmtensor::plan(*queue, kernels, work, operands);
  const int units = queue->description.compute_units;
  plan.shares = plan.host || units < 4 ? 1 : (units + 3) / 4;
  run(*queue, kernels, plan, space, operands,
      {.n = indices.size(), .function = static_cast<int>(function)});
  return true;
}

} // namespace usmtensor
