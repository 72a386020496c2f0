#include "counting.hpp"

#include "launch.hpp"

#include <algorithm>

namespace usmtensor {
namespace {

template <class Row, int N>
void count(const QueueRef &queue, const Row &row, int signature, std::int64_t n, const View &sums,
           const Operand (&operands)[N]) {
  const std::int64_t blocks = sums.shape[0], bins = sums.shape[1];
  if (sums.size() == 0)
    return;
  // The time follows from the elements; the loop divides the blocks.
  IterationSpace elements(std::max(n, sums.size()), N), space(blocks, N);
  const Plan plan = usmtensor::plan(*queue, row[signature], elements, operands);
  run(*queue, row, signature, plan, space, operands, {.n = n, .blocks = blocks, .bins = bins});
}

} // namespace

std::int64_t count_blocks(std::int64_t n, std::int64_t bins) {
  constexpr std::int64_t least = 1 << 15, most = 64;
  return std::clamp<std::int64_t>(n / std::max(least, 8 * bins), 1, most);
}

void count_places(const QueueRef &queue, const View &places, const View &sums) {
  const Operand operands[] = {sums, places};
  count(queue, kernels::count_places, 0, places.size(), sums, operands);
}

void sum_places(const QueueRef &queue, const View &places, const View &weights, const View &sums) {
  const int signature = sums.dtype == DType::f8 ? 2 : sums.dtype == DType::f4;
  const Operand operands[] = {sums, places, weights};
  count(queue, kernels::sum_places, signature, places.size(), sums, operands);
}

} // namespace usmtensor
