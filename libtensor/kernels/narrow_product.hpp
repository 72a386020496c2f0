// Products of 64-bit integers whose values fit in 32 bits. Processors multiply unsigned 32-bit
// numbers in one instruction, but 64-bit numbers in eight. Adding 2^31 makes small signed numbers
// unsigned. This changes a sum of products by a multiple of the sums of its row and its column.
#pragma once
#include "kernel.hpp"

namespace usmtensor {

inline constexpr uint64 narrow_shift = uint64(1) << 31, narrow_mask = ~uint32(0);

// The sum of numbers or vectors, with a check that all numbers are small.
template <class N> struct NarrowSum {
  USMTENSOR_INLINE void add(N x) { sum += x, shifted |= x + narrow_shift; }
  N sum = {}, shifted = {};
};

// `Rows` rows of at most `MaxTerms` terms, and the columns of one vector.
template <class V, int Rows, int64 MaxTerms> struct NarrowFactors {
  // load_columns and load_rows return true if all numbers are small.
  template <class Columns> [[gnu::noinline]] bool load_columns(int64 count, const Columns &b) {
    NarrowSum<V> loaded;
    for (int64 k = 0; k < count; ++k)
      loaded.add(b.at(k));
    column_sums = loaded.sum;
    uint64 shifted = 0;
    for (int j = 0; j < int64(sizeof(V) / sizeof(uint64)); ++j)
      shifted |= loaded.shifted[j];
    return shifted <= narrow_mask;
  }
  [[gnu::noinline]] bool load_rows(int64 count, const uint64 *const *row, int64 step) {
    NarrowSum<uint64> loaded[Rows];
    auto take = [&](int r, int64 k, uint64 x) USMTENSOR_INLINE_LAMBDA {
      loaded[r].add(x);
      factors[r][k] = uint32(x + narrow_shift);
    };
    if (step == 1)
      for (int r = 0; r < Rows; ++r)
        for (int64 k = 0; k < count; ++k)
          take(r, k, row[r][k]);
    else // rows are neighbours
      for (int64 k = 0; k < count; ++k)
        for (int r = 0; r < Rows; ++r)
          take(r, k, row[r][k * step]);
    uint64 shifted = 0;
    for (int r = 0; r < Rows; ++r)
      row_sums[r] = loaded[r].sum, shifted |= loaded[r].shifted;
    return shifted <= narrow_mask;
  }

  // The sums of products of all rows.
  template <class Columns> USMTENSOR_INLINE void multiply(int64 count, const Columns &b, V *sums) {
    for (int r = 0; r < Rows; ++r)
      sums[r] = -(column_sums + row_sums[r] + count * narrow_shift) * narrow_shift;
    for (int64 k = 0; k < count; ++k) {
      const V column = (b.at(k) + narrow_shift) & narrow_mask;
      for (int r = 0; r < Rows; ++r)
        sums[r] += splat(factors[r][k]) * column;
    }
  }

private:
  // Broadcasts through 32-bit lanes, because compilers need more instructions to broadcast 64-bit
  // numbers.
  USMTENSOR_INLINE static V splat(uint32 x) {
    using Halves = typename VectorOf<uint32, sizeof(V)>::Type;
    return reinterpret_cast<V>(Halves{} + x) & narrow_mask;
  }

  V column_sums;
  uint64 row_sums[Rows];
  uint32 factors[Rows][MaxTerms];
};

} // namespace usmtensor
