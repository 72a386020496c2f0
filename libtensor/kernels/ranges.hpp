// Scatters to indices that may repeat, on CPUs of several cores. The indices are first partitioned
// into ranges of the axis, in a stable way. Then one work-item writes all values of a range.
#pragma once
#include "indexing.hpp"

namespace usmtensor {

struct IndexRanges {
  // The offset from `low`, clamped because another thread may change the index between two kernels.
  uint64 offset(int64 index) const { return axis.position(index) - axis.low; }
  Axis axis;
  int32 shift; // a range has 1 << shift offsets
};

// Counts the indices of each share in each range.
template <class D, class I> struct CountInRanges : IndexRanges {
  void operator()(int64 part, int64 begin, int64 end, D *counts, const I *index) const {
    D *const own = counts + part * index_ranges;
    for (int range = 0; range < index_ranges; ++range)
      own[range] = 0;
    for (int64 i = begin; i < end; ++i)
      ++own[offset(index[i]) >> shift];
  }
};

// Pairs of an offset and the number of its index, partitioned by range.
template <class D, class I, class C> struct MoveToRanges : IndexRanges {
  void operator()(int64 part, int64 begin, int64 end, D *pairs, const I *index,
                  const C *counts) const {
    int64 next[index_ranges], stop[index_ranges], first = 0;
    for (int range = 0; range < index_ranges; ++range)
      for (int32 k = 0; k < parts; ++k) {
        const int64 count = counts[k * index_ranges + range];
        if (k == part)
          next[range] = first, stop[range] = first + count;
        first += count;
      }
    for (int64 i = begin; i < end; ++i) {
      const uint64 at = offset(index[i]), range = at >> shift;
      if (next[range] < stop[range])
        pairs[next[range]++] = at << 32 | uint64(i);
    }
  }
  int32 parts;
};

// Writes the values of a share of the ranges, in order. Pairs that were not stored are garbage and
// are skipped.
template <class D, class S, class P, class C> struct WriteRanges {
  void operator()(int64, int64 begin, int64 end, D *base, const S *values, const P *pairs,
                  const C *counts) const {
    int64 first = 0, last = 0;
    for (int32 k = 0; k < parts; ++k)
      for (int64 range = 0; range < end; ++range) {
        const int64 count = counts[k * index_ranges + range];
        first += range < begin ? count : 0, last += count;
      }
    for (int64 i = first; i < last; ++i) {
      const uint64 offset = pairs[i] >> 32, number = uint32(pairs[i]);
      if (offset <= uint64(high - low) && number < uint64(n))
        base[(low + int64(offset)) * stride] = values[int64(number) * value_stride];
    }
  }
  int64 low, high, stride, value_stride, n;
  int32 parts;
};

} // namespace usmtensor
