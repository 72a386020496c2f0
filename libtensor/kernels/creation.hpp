#pragma once
#include "loops.hpp"
#include "math.hpp"

namespace usmtensor {

// start + i * step. The first element is `start` itself, because the sum would lose the sign of a
// zero. One other element, the second or last of a range, may be given.
template <class T> struct Linear {
  T operator()(i8 i) const {
    const T from = from_bits<T>(start);
    const T value = i == 0       ? from
                    : i == place ? from_bits<T>(given)
                                 : from + index(i) * from_bits<T>(step);
    return floored ? math::floor(value) : value;
  }
  // By parts that T holds exactly: few processors convert vectors of 64-bit integers.
  static T index(i8 i) { return T(i4(i >> 16)) * 65536 + T(i4(i & 0xffff)); }
  u8 start, step, given; // as bits
  i8 place;
  i4 floored;
};

// start + i * step of integers, which wrap.
template <class T> struct Steps {
  T operator()(i8 i) const { return T(start + u8(i) * step); }
  u8 start, step;
};

// out[i] = f(i), from element `first` on.
template <class F, class D> void sequence(F f, i8 first, i8 size, D *out) {
  each_item(size, [=](i8 i) { out[i] = f(first + i); });
}

// The columns of a row outside a triangle: those before, or those from, column `k` right of the
// diagonal.
template <class T> struct Outside {
  i8 edge(i8 row) const {
    const i8 column = row % rows + k;
    return column < 0 ? 0 : column < columns ? column : columns;
  }
  i8 begin(i8 row) const { return before ? 0 : edge(row); }
  i8 end(i8 row) const { return before ? edge(row) : columns; }
  i8 rows, columns, k;
  i4 before;
};

// Clears a part of each of `size` rows, with several work-items per row, from element `first` on.
template <class F, class D> void bands(F f, i8 first, i4 lanes, i8 size, D *out) {
  each_item(size * lanes, [=](i8 item) {
    const i8 row = item / lanes, lane = item % lanes;
    const i8 place = first / f.columns + row;
    const i8 begin = f.begin(place), count = f.end(place) - begin;
    D *const to = out + row * f.columns + begin;
    for (i8 i = share(count, lane, lanes), end = share(count, lane + 1, lanes); i < end; ++i)
      to[i] = D{};
  });
}

} // namespace usmtensor
