// Binary search, and interpolation between sorted points.
#pragma once
#include "order.hpp"
#include "work_group_loops.hpp"

namespace usmtensor {

// All bits set if x < y, otherwise 0. Compilers turn a comparison into a branch, which processors
// mispredict in every second step of a search, so integers are compared by a subtraction.
template <class K> int64 mask_of_less(K x, K y) {
  if constexpr (standard::is_signed_v<K>) {
    const uint64 a = uint64(int64(x)), b = uint64(int64(y)), difference = a - b;
    return sizeof(K) < 8 ? int64(difference) >> 32
                         : int64((a & ~b) | (~(a ^ b) & difference)) >> 63;
  } else {
    return -int64(x < y);
  }
}

// n sorted elements. `block` is the block size of an array of the last elements of all whole
// blocks, or 0 without that array. A search compares few elements that are in the caches; the array
// is.
template <class T> struct Sorted {
  Order<T> order;
  int64 n, block;
};

// Counts the sorted elements before each value, with `Right` also the equal ones. Several searches
// run together without branches, so that many reads overlap. Calls f(i, position).
template <bool Right, class T, class F>
USMTENSOR_INLINE void search_all(Sorted<T> all, int64 begin, int64 end, const T *values,
                                 const T *sorted, const T *ends, F f) {
  const Order<T> order = all.order;
  const int64 lasts = partition_point(sorted, all.n, [=](T x) { return !order.is_last(x); });
#if defined(USMTENSOR_HOST) || defined(__NVPTX__)
  constexpr int batch = 16; // calls have fewer values
#else
  constexpr int batch = 48;
#endif
  int64 positions[batch];
  decltype(order.step(T())) steps[batch];
  // -1 if the element at the position of value k precedes the value.
  const auto before = [&](const T *from, int k, int64 further = 0) USMTENSOR_INLINE_LAMBDA {
    const auto x = order.step(from[positions[k] + further]);
    return Right ? ~mask_of_less(steps[k], x) : mask_of_less(x, steps[k]);
  };
  // Adds to each position the number of elements that precede the value, among the next `count`
  // elements; at most count - 1.
  const auto search = [&](const T *from, int64 count) USMTENSOR_INLINE_LAMBDA {
    for (int64 half; count > 1; count -= half) {
      half = count / 2;
      for (int k = 0; k < batch; ++k)
        positions[k] += half & before(from, k, half - 1);
    }
  };
  for (int64 i = begin; i < end; i += batch) {
    const int count = end - i < batch ? end - i : batch;
    for (int k = 0; k < batch; ++k)
      steps[k] = order.template bound<Right>(values[i + (k < count ? k : 0)]), positions[k] = 0;
    const bool by_blocks = all.block > 0 && lasts >= all.block;
    if (by_blocks) {
      search(ends, lasts / all.block);
      for (int k = 0; k < batch; ++k)
        positions[k] = smallest((positions[k] - before(ends, k)) * all.block, lasts - all.block);
    }
    search(sorted, by_blocks ? all.block : lasts);
    for (int k = 0; k < count; ++k) {
      const int64 position = lasts > 0 ? positions[k] - before(sorted, k) : 0;
      f(i + k, !order.is_last(values[i + k]) ? position : Right ? all.n : lasts);
    }
  }
}

// searchsorted: the insertion positions of values, before or after equal elements.
template <class D, class S, class T, class E> struct SearchSorted : Sorted<T> {
  void operator()(int64, int64 begin, int64 end, D *out, const S *values, const T *sorted,
                  const E *ends) const {
    auto store = [=](int64 i, int64 position) { out[i] = position; };
    if (right)
      search_all<true>(*this, begin, end, values, sorted, ends, store);
    else
      search_all<false>(*this, begin, end, values, sorted, ends, store);
  }
  int32 right;
};

// True for values that occur in the sorted elements; `invert` negates.
template <class D, class S, class T, class E> struct Contains : Sorted<T> {
  using Sorted<T>::order, Sorted<T>::n;
  void operator()(int64, int64 begin, int64 end, D *out, const S *values, const T *sorted,
                  const E *ends) const {
    search_all<false>(*this, begin, end, values, sorted, ends, [=, this](int64 i, int64 position) {
      const T value = values[i];
      const bool found = position < n && order(sorted[position < n ? position : 0]) == order(value);
      out[i] = (found && !order.is_nan(value)) != bool(invert);
    });
  }
  int32 invert;
};

// The value at x on the line through two points. Next to infinite values it is computed from the
// other point. Equal values need no slope.
template <class T> T interpolated(T x, T x0, T x1, T y0, T y1) {
  if (x == x0)
    return y0;
  const T slope = (y1 - y0) / (x1 - x0), forth = slope * (x - x0) + y0;
  const T value = is_nan(forth) ? slope * (x - x1) + y1 : forth;
  return is_nan(value) && y0 == y1 ? y0 : value;
}

// Interpolates between n sorted points. `counts` has the number of points up to each x. Outside the
// points the result is the first or the last value, or the values of `outside`. Complex numbers
// have two values per point.
template <class D, class X, class I, class P, class V, class E> struct Interpolate {
  void operator()(int64, int64 begin, int64 end, D *out, const X *x, const I *counts,
                  const P *points, const V *values, const E *outside) const {
    constexpr int64 parts = sizeof(D) / sizeof(X);
    auto of = [](const D *from, int64 k) { return reinterpret_cast<const X *>(from) + parts * k; };
    for (int64 i = begin; i < end; ++i) {
      const X at = x[i];
      const int64 count = smallest(counts[i], n - 1), k = count > 0 ? count - 1 : 0;
      const int64 next = smallest(k + 1, n - 1);
      const X *edge = nullptr;
      if (at < points[0])
        edge = left ? of(outside, 0) : of(values, 0);
      else if (at >= points[n - 1])
        edge = right && at > points[n - 1] ? of(outside, 1) : of(values, n - 1);
      for (int64 p = 0; p < parts; ++p)
        reinterpret_cast<X *>(out)[parts * i + p] =
            is_nan(at) ? (p == 0 ? at : X(0))
            : edge
                ? edge[p]
                : interpolated(at, points[k], points[next], of(values, k)[p], of(values, next)[p]);
    }
  }
  int64 n;
  int32 left, right;
};

} // namespace usmtensor
