// Writes to places that may repeat, by CPUs of several cores. The indices are divided into ranges
// of places first, and keep their order. Then one work-item writes all values of a range.
#pragma once
#include "indexing.hpp"

namespace usmtensor {

struct PlaceRanges {
  // From 0 on. Another thread may change the index between two kernels.
  u8 place(i8 index) const { return axis.position(index) - axis.low; }
  Axis axis;
  i4 shift; // a range has 1 << shift places
};

// How many indices of each share lie in each range.
template <class D, class I> struct CountInRanges : PlaceRanges {
  void operator()(i8 part, i8 begin, i8 end, D *counts, const I *index) const {
    D *const own = counts + part * place_ranges;
    for (int range = 0; range < place_ranges; ++range)
      own[range] = 0;
    for (i8 i = begin; i < end; ++i)
      ++own[place(index[i]) >> shift];
  }
};

// Pairs of a place and the number of its index, by ranges.
template <class D, class I, class C> struct MoveToRanges : PlaceRanges {
  void operator()(i8 part, i8 begin, i8 end, D *pairs, const I *index, const C *counts) const {
    i8 next[place_ranges], stop[place_ranges], first = 0;
    for (int range = 0; range < place_ranges; ++range)
      for (i4 k = 0; k < parts; ++k) {
        const i8 count = counts[k * place_ranges + range];
        if (k == part)
          next[range] = first, stop[range] = first + count;
        first += count;
      }
    for (i8 i = begin; i < end; ++i) {
      const u8 at = place(index[i]), range = at >> shift;
      if (next[range] < stop[range])
        pairs[next[range]++] = at << 32 | u8(i);
    }
  }
  i4 parts;
};

// Writes the values of a share of the ranges, in order. A pair that was not stored is garbage.
template <class D, class S, class P, class C> struct WriteRanges {
  void operator()(i8, i8 begin, i8 end, D *base, const S *values, const P *pairs,
                  const C *counts) const {
    i8 first = 0, last = 0;
    for (i4 k = 0; k < parts; ++k)
      for (i8 range = 0; range < end; ++range) {
        const i8 count = counts[k * place_ranges + range];
        first += range < begin ? count : 0, last += count;
      }
    for (i8 i = first; i < last; ++i) {
      const u8 place = pairs[i] >> 32, number = u4(pairs[i]);
      if (place <= u8(high - low) && number < u8(n))
        base[(low + i8(place)) * stride] = values[i8(number) * value_stride];
    }
  }
  i8 low, high, stride, value_stride, n;
  i4 parts;
};

} // namespace usmtensor
