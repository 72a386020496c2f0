#include "strides.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace usmtensor {

bool element_count(int ndim, const std::int64_t *shape, std::int64_t &count) {
  std::int64_t product = 1;
  bool empty = false;
  for (int axis = 0; axis < ndim; ++axis) {
    if (shape[axis] == 0)
      empty = true;
    else if (shape[axis] < 0 || __builtin_mul_overflow(product, shape[axis], &product))
      return false;
  }
  count = empty ? 0 : product;
  return true;
}

int contiguity(int ndim, const std::int64_t *shape, const std::int64_t *strides) {
  if (ndim == 1 && strides[0] == 1) // the usual case
    return c_contiguous | f_contiguous;
  int flags = 0;
  for (const int flag : {c_contiguous, f_contiguous}) {
    std::int64_t step = 1;
    bool compact = true;
    for (int i = 0; i < ndim; ++i) {
      const int axis = flag == f_contiguous ? i : ndim - 1 - i;
      if (shape[axis] == 0)
        return c_contiguous | f_contiguous;
      compact &= shape[axis] == 1 || strides[axis] == step;
      step *= shape[axis];
    }
    flags |= compact ? flag : 0;
  }
  return flags;
}

void compact_strides(int ndim, const std::int64_t *shape, char order, std::int64_t *strides) {
  std::int64_t step = 1;
  for (int i = 0; i < ndim; ++i) {
    const int axis = order == 'F' ? i : ndim - 1 - i;
    strides[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);
  }
}

void compact_strides_like(int ndim, const std::int64_t *shape, const std::int64_t *model,
                          std::int64_t *strides) {
  std::vector<int> axes(ndim);
  std::iota(axes.begin(), axes.end(), 0);
  // Largest stride first. The sort is stable.
  std::stable_sort(axes.begin(), axes.end(),
                   [&](int a, int b) { return std::abs(model[a]) > std::abs(model[b]); });
  std::int64_t step = 1;
  for (int i = ndim - 1; i >= 0; --i) {
    strides[axes[i]] = step;
    step *= std::max<std::int64_t>(shape[axes[i]], 1);
  }
}

bool element_extent(int ndim, const std::int64_t *shape, const std::int64_t *strides,
                    std::int64_t &low, std::int64_t &high) {
  low = high = 0;
  for (int axis = 0; axis < ndim; ++axis)
    if (shape[axis] == 0)
      return true;
  for (int axis = 0; axis < ndim; ++axis) {
    std::int64_t span;
    std::int64_t &end = strides[axis] < 0 ? low : high;
    if (__builtin_mul_overflow(shape[axis] - 1, strides[axis], &span) ||
        __builtin_add_overflow(end, span, &end))
      return false;
  }
  constexpr std::int64_t limit = std::int64_t(1) << 57; // bytes must fit into 64 bits
  return low >= -limit && high <= limit;
}

bool reshape_strides(int ndim, const std::int64_t *shape, const std::int64_t *strides, int new_ndim,
                     const std::int64_t *new_shape, char order, std::int64_t *new_strides) {
  // Starts at the fastest axis of the order. old_axis() and new_axis() map positions to axes, so
  // that one loop handles both orders.
  const auto old_axis = [&](int i) { return order == 'F' ? i : ndim - 1 - i; };
  const auto new_axis = [&](int i) { return order == 'F' ? i : new_ndim - 1 - i; };
  std::int64_t count;
  if (!element_count(ndim, shape, count))
    return false;
  if (count == 0) {
    compact_strides(new_ndim, new_shape, order, new_strides);
    return true;
  }
  int j = 0;
  for (int i = 0; i < ndim;) {
    const std::int64_t step = strides[old_axis(i)];
    std::int64_t size = shape[old_axis(i++)], done = 1;
    if (size == 1)
      continue;
    // Old axes that can be merged, and the new axes with the same elements.
    for (; i < ndim && (shape[old_axis(i)] == 1 || strides[old_axis(i)] == step * size); ++i)
      size *= shape[old_axis(i)];
    for (; j < new_ndim && (done < size || new_shape[new_axis(j)] == 1); ++j) {
      new_strides[new_axis(j)] = step * done;
      done *= new_shape[new_axis(j)];
    }
    if (done != size)
      return false;
  }
  for (; j < new_ndim; ++j) // an array of one element
    new_strides[new_axis(j)] = 1;
  return true;
}

} // namespace usmtensor
