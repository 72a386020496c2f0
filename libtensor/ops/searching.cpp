#include "searching.hpp"

#include "keys.hpp"
#include "launch.hpp"

namespace usmtensor {
namespace {

template <class Row>
void search(const QueueRef &queue, const Row &row, const View &sorted, const View &values,
            const View &result, bool option) {
  IterationSpace space(values.size(), 3);
  const Keys keys = keys_of(values.dtype, false);
  run(*queue, row(values.dtype), space, {result, values, sorted},
      {keys.fold, keys.limit, keys.top, keys.bias, sorted.size(), option});
}

} // namespace

void search_sorted(const QueueRef &queue, const View &sorted, const View &values,
                   const View &places, bool right) {
  search(queue, kernels::search_sorted, sorted, values, places, right);
}

void contains(const QueueRef &queue, const View &sorted, const View &values, const View &result,
              bool invert) {
  search(queue, kernels::contains, sorted, values, result, invert);
}

void mark_changes(const QueueRef &queue, const View &sorted, const View &changes) {
  IterationSpace space(sorted.size(), 2);
  const Keys keys = keys_of(sorted.dtype, false);
  run(*queue, kernels::changes(sorted.dtype), space, {changes, sorted},
      {.fold = keys.fold, .limit = keys.limit, .top = keys.top, .bias = keys.bias});
}

void number_changes(const QueueRef &queue, const View &changes, const TrueCount &count,
                    const View &places, const View &numbers) {
  IterationSpace space(changes.size(), 4);
  run(*queue, kernels::changes_before(), space, {numbers, changes, count.starts, places}, {});
}

} // namespace usmtensor
