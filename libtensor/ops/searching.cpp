#include "searching.hpp"

#include "keys.hpp"
#include "launch.hpp"

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
                   const View &values, const View &places, bool right) {
  search(queue, kernels::search_sorted, sorted, ends, block, values, places, right);
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

} // namespace usmtensor
