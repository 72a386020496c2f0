#pragma once
#include "loops.hpp"
#include "math.hpp"

namespace usmtensor {

// start + i * step. The first element is `start` itself, because the sum would lose the sign of a
// zero. One other element may be given: the second or the last one of a range.
template <class T> struct Linear {
  T operator()(int64 i) const {
    const T from = from_bits<T>(start);
    const T value = i == 0             ? from
                    : i == given_index ? from_bits<T>(given)
                                       : from + index(i) * from_bits<T>(step);
    return floored ? math::floor(value) : value;
  }
  // Converts in two parts that are exact in T: few processors convert vectors of 64-bit integers.
  static T index(int64 i) { return T(int32(i >> 16)) * 65536 + T(int32(i & 0xffff)); }
  uint64 start, step, given; // as bits
  int64 given_index;
  int32 floored;
};

// start + i * step of integers, with wrap-around.
template <class T> struct Steps {
  T operator()(int64 i) const { return T(start + uint64(i) * step); }
  uint64 start, step;
};

// out[i] = f(i), from element `first` on.
template <class F, class D> void range(F f, int64 first, int64 size, D *out) {
  each_item(size, [=](int64 i) { out[i] = f(first + i); });
}

// The columns of a row outside a triangle: those before, or those from, the column that is `k`
// right of the diagonal.
template <class T> struct Outside {
  int64 edge(int64 row) const {
    const int64 column = row % rows + k;
    return column < 0 ? 0 : column < columns ? column : columns;
  }
  int64 begin(int64 row) const { return before ? 0 : edge(row); }
  int64 end(int64 row) const { return before ? edge(row) : columns; }
  int64 rows, columns, k;
  int32 before;
};

// Clears a part of each of `size` rows, from element `first` on. Several work-items share a row.
template <class F, class D> void triangle(F f, int64 first, int32 lanes, int64 size, D *out) {
  each_item(size * lanes, [=](int64 item) {
    const int64 row = item / lanes, lane = item % lanes;
    const int64 index = first / f.columns + row;
    const int64 begin = f.begin(index), count = f.end(index) - begin;
    D *const to = out + row * f.columns + begin;
    for (int64 i = share(count, lane, lanes), end = share(count, lane + 1, lanes); i < end; ++i)
      to[i] = D{};
  });
}

} // namespace usmtensor
