// Sorts elements as bits, in the order of unsigned keys that are computed from the bits.
#pragma once
#include "limits.hpp"
#include "order.hpp"
#include "radix.hpp"

namespace usmtensor {

// The digits of the radix sort: the bits in which keys differ, from the lowest bit on, eight at a
// time.
inline int next_shift(uint64 &varying) {
  const int shift = __builtin_ctzll(varying);
  varying &= ~(uint64(digit_values - 1) << shift);
  return shift;
}
inline int digit_count(uint64 varying) {
  int count = 0;
  for (; varying != 0; ++count)
    next_shift(varying);
  return count;
}

// The bits in which keys differ from the key of `model`.
template <class W>
uint64 varying_bits(Order<W> order, int64 begin, int64 end, const W *in, W model) {
  using Key = typename Order<W>::Key;
  const Key first = order(model);
  Key bits = 0;
  for (int64 i = begin; i < end; ++i)
    bits |= order(in[i]) ^ first;
  return bits;
}

// Calls f(i, digit) for each element. A separate loop computes the digits first, so that it
// vectorises.
template <class W, class F>
USMTENSOR_INLINE void each_digit(Order<W> order, int shift, int64 begin, int64 end, const W *in,
                                 F f) {
  Buffer<uint8, 512> digits;
  for (int64 i = begin; i < end; i += digits.size) {
    const int64 count = end - i < digits.size ? end - i : digits.size;
    for (int64 k = 0; k < count; ++k)
      digits.data()[k] = uint8(order(in[i + k]) >> shift);
    for (int64 k = 0; k < count; ++k)
      f(i + k, digits.data()[k]);
  }
}

// Counts digits in the first half of a table. Neighbouring elements use different halves of it,
// because equal neighbours would wait for each other's stores.
template <class W>
[[gnu::noinline]] void count_digits(Order<W> order, int shift, int64 begin, int64 end, const W *in,
                                    uint64 *table) {
  for (int digit = 0; digit < 2 * digit_values; ++digit)
    table[digit] = 0;
  each_digit(order, shift, begin, end, in,
             [=](int64 i, uint8 digit) { ++table[(i & 1) * digit_values + digit]; });
  for (int digit = 0; digit < digit_values; ++digit)
    table[digit] += table[digit_values + digit];
}

// Moves each element to the next position of its digit, but never beyond `ends`: other threads may
// have changed elements since the count.
template <class W>
[[gnu::noinline]] void move_by_digit(Order<W> order, int shift, int64 begin, int64 end, const W *in,
                                     W *out, uint64 *positions, const uint64 *ends) {
  each_digit(order, shift, begin, end, in, [=](int64 i, uint8 digit) {
    const uint64 position = positions[digit];
    if (position < ends[digit]) {
      positions[digit] = position + 1;
      out[position] = in[i];
    }
  });
}

// Sorts a row by all digits. The table has two halves. All sorts here are stable.
template <class W>
void sort_by_digits(Order<W> order, uint64 relevant, int64 n, W *out, const W *in, W *scratch,
                    uint64 *table) {
  uint64 varying = varying_bits(order, 0, n, in, in[0]) & relevant;
  for (int left = digit_count(varying); left > 0; --left) {
    const int shift = next_shift(varying);
    count_digits(order, shift, 0, n, in, table);
    uint64 position = 0, *const ends = table + digit_values;
    for (int digit = 0; digit < digit_values; ++digit) {
      const uint64 count = table[digit];
      table[digit] = position;
      ends[digit] = position += count;
    }
    W *const to = left % 2 ? out : scratch;
    move_by_digit(order, shift, 0, n, in, to, table, ends);
    in = to;
  }
  if (in != out && in != scratch)
    for (int64 i = 0; i < n; ++i)
      out[i] = in[i];
}

template <class W> void sort_by_insertion(Order<W> order, int64 n, W *out, const W *in) {
  for (int64 i = 0; i < n; ++i) {
    const W element = in[i];
    const auto key = order(element);
    int64 position = i;
    for (; position > 0 && order(out[position - 1]) > key; --position)
      out[position] = out[position - 1];
    out[position] = element;
  }
}

// Kernels ----------------------------------------------------------------------------------------

// Sorts each row of n elements that starts in a share. A share has n elements of scratch memory and
// a table of two halves. Only the `relevant` bits of keys matter.
template <class D, class S, class W, class C> struct SortRows {
  void operator()(int64 part, int64 begin, int64 end, W *out, const W *in, W *scratch,
                  uint64 *table) const {
    scratch += part * n, table += part * 2 * digit_values;
    for (int64 row = (begin + n - 1) / n * n; row < end; row += n)
      sort(out + row, in + row, scratch, table);
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 size, W *out, const W *in, W *, uint64 *) const {
    sort_in_tiles(order, relevant, n, size, out, in);
  }
#endif
  void sort(W *out, const W *in, W *scratch, uint64 *table) const {
    if (n <= insertion_limit)
      sort_by_insertion(order, n, out, in);
    else
      sort_by_digits(order, relevant, n, out, in, scratch, table);
  }

  Order<W> order;
  uint64 relevant;
  int64 n;
};

// Sorts one row with all work-items, one digit per launch. The table starts with a word for each
// share: the bits in which keys differ. For each share and digit the count follows, then the
// position of the next element, and the end of the elements. GPUs use the table of RowParts.
template <class W> struct Pass {
  // The shift of the digit, or -1 if this launch has nothing to do. Sets the source and the
  // destination.
  template <class P> int shift(const uint64 *table, P out, P scratch, const W *&in, P &to) const {
    uint64 varying = 0;
    for (int32 part = 0; part < parts; ++part)
      varying |= table[part];
    return shift_in(varying & relevant, out, scratch, in, to);
  }
  template <class P> int shift_in(uint64 varying, P out, P scratch, const W *&in, P &to) const {
    int left = digit_count(varying);
    if (pass >= left)
      return -1;
    int shift = 0;
    for (int k = 0; k <= pass; ++k, --left) {
      shift = next_shift(varying);
      if (k > 0)
        in = to;
      to = left % 2 ? out : scratch;
    }
    return shift;
  }
  uint64 relevant;
  int64 n;
  int32 pass, parts; // parts of all elements; on GPUs, of each row of n elements
};

template <class D, class S> struct SortVarying {
  void operator()(int64 part, int64 begin, int64 end, uint64 *table, const S *in) const {
    table[part] = varying_bits(order, begin, end, in, in[0]);
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 size, uint64 *table, const S *in) const {
    const uint64 first = order(in[0]);
    const int64 part = work_item().get_group(0), parts = work_item().get_group_range(0);
    uint64 bits = 0;
    each_strided(
        share(size, part, parts), share(size, part + 1, parts),
        [=](int64 i) USMTENSOR_INLINE_LAMBDA { return in[i]; },
        [&](int64, S element) USMTENSOR_INLINE_LAMBDA { bits |= order(element) ^ first; });
    table[part] = sycl::reduce_over_group(work_group(), bits, sycl::bit_or<uint64>());
  }
#endif
  Order<S> order;
};

template <class D, class S, class O, class W> struct SortCounts {
  void operator()(int64 part, int64 begin, int64 end, uint64 *table, const W *in, const W *out,
                  const W *scratch) const {
    const W *to = nullptr;
    const int shift = p.shift(table, out, scratch, in, to);
    if (shift >= 0)
      count_digits(order, shift, begin, end, in, table + p.parts + part * 3 * digit_values);
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 size, uint64 *table, const W *in, const W *out, const W *scratch) const {
    const W *to = nullptr;
    const int shift = p.shift_in(varying_in_table(table) & p.relevant, out, scratch, in, to);
    if (shift < 0)
      return;
    const RowParts rows{size, p.n, p.parts};
    rows.each([&](int64 part, int64 begin, int64 end) USMTENSOR_INLINE_LAMBDA {
      count_in_group(order, shift, begin, end, in, rows.counts(table, part));
    });
  }
#endif
  Order<W> order;
  Pass<W> p;
};

#ifndef USMTENSOR_HOST
template <class D> struct SortOffsets {
  void run_group(int64 size, uint64 *table) const { add_counts({size, n, parts}, table); }
  int64 n, parts;
};
#endif

template <class D, class S, class W, class C> struct SortMove {
  void operator()(int64 part, int64 begin, int64 end, W *out, const W *in, W *scratch,
                  uint64 *table) const {
    const W *const given = in;
    W *to = nullptr;
    const int shift = p.shift(table, out, scratch, in, to);
    if (shift < 0) {
      if (p.pass == 0) // all keys are equal
        for (int64 i = begin; i < end; ++i)
          out[i] = given[i];
      return;
    }
    uint64 *const counts = table + p.parts;
    uint64 *const positions = counts + (part * 3 + 1) * digit_values, *const ends =
                                                                          positions + digit_values;
    uint64 position = 0;
    for (int digit = 0; digit < digit_values; ++digit) {
      const uint64 *count = counts + digit;
      for (int32 k = 0; k < p.parts; ++k, count += 3 * digit_values) {
        if (k == part)
          positions[digit] = position;
        position += *count;
        if (k == part)
          ends[digit] = position;
      }
    }
    move_by_digit(order, shift, begin, end, in, to, positions, ends);
  }
#ifndef USMTENSOR_HOST
  void run_group(int64 size, W *out, const W *in, W *scratch, uint64 *table) const {
    const W *const given = in;
    W *to = nullptr;
    const int shift = p.shift_in(varying_in_table(table) & p.relevant, out, scratch, in, to);
    const RowParts rows{size, p.n, p.parts};
    const int digit = lane_of_group();
    rows.each([&](int64 part, int64 begin, int64 end) USMTENSOR_INLINE_LAMBDA {
      if (shift >= 0) {
        const int64 row = part / p.parts;
        const uint64 total = rows.totals(table, row)[digit];
        const uint64 first =
            row * p.n + sycl::exclusive_scan_over_group(work_group(), total, sycl::plus<uint64>());
        const bool last = part + 1 == (row + 1) * p.parts;
        move_in_group(order, shift, begin, end, in, to, first + rows.counts(table, part)[digit],
                      first + (last ? total : rows.counts(table, part + 1)[digit]));
      } else if (p.pass == 0) { // all keys are equal
        for (int64 i = begin + digit; i < end; i += tile_items)
          out[i] = given[i];
      }
    });
  }
#endif
  Order<W> order;
  Pass<W> p;
};

// Pairs of key and index, of 32 or 64 bits each. A two-word key needs two sorts: the sort by the
// low words gives the order in which the high words are read.
template <class D, class S, class I> struct PairKeys {
  void operator()(int64, int64 begin, int64 end, D *out, const S *in, const I *indices) const {
    int64 index = begin % n;
    for (int64 i = begin; i < end; ++i, index = index + 1 == n ? 0 : index + 1) {
      const int64 from = sizeof(S) == 16 && by_high ? indices[i] : index;
      const uint64 key = word_of(order(in[i - index + from]));
      if constexpr (standard::is_same_v<D, bits128>)
        out[i] = {uint64(from), key};
      else
        out[i] = key << 32 | uint64(from);
    }
  }
  // Order has no descending form for complex numbers; the bias reverses them.
  uint64 word_of(uint64 key) const { return is_complex<S> ? key ^ order.bias : key; }
  uint64 word_of(WideKey key) const { return (by_high ? key.high : key.low) ^ order.bias; }

  Order<S> order;
  int64 n;
  int32 by_high;
};

template <class D, class S> struct PairIndices {
  void operator()(int64, int64 begin, int64 end, D *out, const S *in) const {
    for (int64 i = begin; i < end; ++i)
      if constexpr (standard::is_same_v<S, bits128>)
        out[i] = in[i].low;
      else
        out[i] = uint32(in[i]);
  }
};

} // namespace usmtensor
