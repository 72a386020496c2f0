// Sorting: elements are moved as the bits they are, in the order of unsigned keys made of those.
#pragma once
#include "shared.hpp"

#include <limits>

namespace usmtensor {

// Keys of elements that are unsigned integers (bool: not 0), signed ones or floating point numbers,
// as the parameters say. Zeros of both signs have the same key, NaNs the largest one.
template <class W> struct Order {
  using Key = W;
  static constexpr int last = 8 * sizeof(W) - 1;
  static constexpr W sign = W(1) << last;

  W operator()(W element) const {
    const W negative = W(0 - (element >> last)) & W(fold);
    const W magnitude = element & W(~(W(fold) & sign));
    const W key = W((magnitude ^ negative) - negative);
    return (magnitude > W(limit) ? W(top) : key) ^ W(bias);
  }
  // The element of a key, if there is but one.
  W element(W key) const {
    key ^= W(bias);
    const W negative = W(0 - (key >> last)) & W(fold);
    return W((key + negative) ^ negative) | (negative & sign);
  }
  u8 fold, limit, top, bias; // sign and magnitude: all bits; magnitudes above a limit have one key
};

// A key beside the place that it came from.
template <> struct Order<w16> {
  using Key = u8;
  u8 operator()(w16 pair) const { return pair.high; }
  u8 fold, limit, top, bias;
};

// The digits to sort by: the bits in which keys differ, from the least one on, eight at a time.
inline constexpr int digit_values = 256;
inline int next_shift(u8 &varying) {
  const int shift = __builtin_ctzll(varying);
  varying &= ~(u8(digit_values - 1) << shift);
  return shift;
}
inline int digit_count(u8 varying) {
  int count = 0;
  for (; varying != 0; ++count)
    next_shift(varying);
  return count;
}

// The bits in which keys differ from that of a certain element.
template <class W> u8 varying_bits(Order<W> order, i8 begin, i8 end, const W *in, W model) {
  using Key = typename Order<W>::Key;
  const Key first = order(model);
  Key bits = 0;
  for (i8 i = begin; i < end; ++i)
    bits |= order(in[i]) ^ first;
  return bits;
}

// f(i, digit) for each element. The digits come first, by a loop that vectorises.
template <class W, class F>
USMTENSOR_INLINE void each_digit(Order<W> order, int shift, i8 begin, i8 end, const W *in, F f) {
  Buffer<u1, 512> digits;
  for (i8 i = begin; i < end; i += digits.size) {
    const i8 count = end - i < digits.size ? end - i : digits.size;
    for (i8 k = 0; k < count; ++k)
      digits.data()[k] = u1(order(in[i + k]) >> shift);
    for (i8 k = 0; k < count; ++k)
      f(i + k, digits.data()[k]);
  }
}

// How often digits come, in the first part of a table. Neighbours count in different parts: equal
// ones would wait for each other.
template <class W>
[[gnu::noinline]] void count_digits(Order<W> order, int shift, i8 begin, i8 end, const W *in,
                                    u8 *table) {
  for (int digit = 0; digit < 2 * digit_values; ++digit)
    table[digit] = 0;
  each_digit(order, shift, begin, end, in,
             [=](i8 i, u1 digit) { ++table[(i & 1) * digit_values + digit]; });
  for (int digit = 0; digit < digit_values; ++digit)
    table[digit] += table[digit_values + digit];
}

// Moves elements to the next place of their digit.
template <class W>
[[gnu::noinline]] void move_by_digit(Order<W> order, int shift, i8 begin, i8 end, const W *in,
                                     W *out, u8 *places) {
  each_digit(order, shift, begin, end, in, [=](i8 i, u1 digit) { out[places[digit]++] = in[i]; });
}

// A row by all digits; the table has two parts. Stable, as all that follows.
template <class W>
void sort_by_digits(Order<W> order, u8 relevant, i8 n, W *out, const W *in, W *scratch, u8 *table) {
  u8 varying = varying_bits(order, 0, n, in, in[0]) & relevant;
  for (int left = digit_count(varying); left > 0; --left) {
    const int shift = next_shift(varying);
    count_digits(order, shift, 0, n, in, table);
    u8 place = 0;
    for (int digit = 0; digit < digit_values; ++digit) {
      const u8 count = table[digit];
      table[digit] = place;
      place += count;
    }
    W *const to = left % 2 ? out : scratch;
    move_by_digit(order, shift, 0, n, in, to, table);
    in = to;
  }
  if (in != out && in != scratch)
    for (i8 i = 0; i < n; ++i)
      out[i] = in[i];
}

template <class W> void sort_by_insertion(Order<W> order, i8 n, W *out, const W *in) {
  for (i8 i = 0; i < n; ++i) {
    const W element = in[i];
    const auto key = order(element);
    i8 place = i;
    for (; place > 0 && order(out[place - 1]) > key; --place)
      out[place] = out[place - 1];
    out[place] = element;
  }
}

// Sorting networks -------------------------------------------------------------------------------

// A matrix of eight columns, whose rows are vectors. Vectors have no unsigned minimum everywhere.
inline constexpr int columns = 8;
template <class W>
using Lanes = typename VectorOf<std::make_signed_t<W>, columns * sizeof(W)>::Type;

template <class V> USMTENSOR_INLINE void exchange(V &x, V &y) {
  const V less = x < y ? x : y, more = x < y ? y : x;
  x = less, y = more;
}

// Columns of a power of two elements, each of which rises and then falls, or the other way round.
template <class V> [[gnu::noinline]] void merge_columns(V *x, int rows) {
  int apart = rows / 2;
  for (; apart > 1; apart /= 4) // two steps at a time
    for (int begin = 0; begin < rows; begin += 2 * apart)
      for (int i = begin; i < begin + apart / 2; ++i) {
        V *const y = x + i + apart / 2;
        V a = x[i], b = y[0], c = x[i + apart], d = y[apart];
        exchange(a, c), exchange(b, d), exchange(a, b), exchange(c, d);
        x[i] = a, y[0] = b, x[i + apart] = c, y[apart] = d;
      }
  if (apart == 1)
    for (int i = 0; i < rows; i += 2)
      exchange(x[i], x[i + 1]);
}

template <class V> void sort_columns(V *x, int rows) {
  for (int half = 1; half < rows; half *= 2)
    for (int begin = 0; begin < rows; begin += 2 * half) {
      for (int i = 0; i < half; ++i)
        exchange(x[begin + i], x[begin + 2 * half - 1 - i]);
      if (half > 1)
        merge_columns(x + begin, half), merge_columns(x + begin + half, half);
    }
}

// Lanes in another order, by their numbers.
template <int... Lane, class V> USMTENSOR_INLINE V lanes_of(V x) {
  return __builtin_shufflevector(x, x, Lane...);
}

// The larger ones of two in the columns of `Larger`, the smaller ones in the others.
template <int Larger, class V> USMTENSOR_INLINE V smaller_or_larger(V x, V y) {
  V larger;
  for (int lane = 0; lane < columns; ++lane)
    larger[lane] = Larger >> lane & 1 ? -1 : 0;
  return (x < y) ^ larger ? x : y;
}

// Sorted columns become pairs, fours and eights of columns that are sorted one behind the other.
template <class V> [[gnu::noinline]] void sort_matrix(V *x, int rows) {
  sort_columns(x, rows);
  for (int i = 0; i < rows / 2; ++i) {
    const V a = x[i], b = x[rows - 1 - i];
    const V c = lanes_of<1, 0, 3, 2, 5, 4, 7, 6>(a), d = lanes_of<1, 0, 3, 2, 5, 4, 7, 6>(b);
    x[i] = smaller_or_larger<0xaa>(a, d), x[rows - 1 - i] = smaller_or_larger<0xaa>(b, c);
  }
  merge_columns(x, rows);
  for (int i = 0; i < rows / 2; ++i) {
    const V a = x[i], b = x[rows - 1 - i];
    const V c = lanes_of<3, 2, 1, 0, 7, 6, 5, 4>(a), d = lanes_of<3, 2, 1, 0, 7, 6, 5, 4>(b);
    x[i] = smaller_or_larger<0xcc>(a, d), x[rows - 1 - i] = smaller_or_larger<0xcc>(b, c);
  }
  for (int i = 0; i < rows; ++i)
    x[i] = smaller_or_larger<0xaa>(x[i], lanes_of<1, 0, 3, 2, 5, 4, 7, 6>(x[i]));
  merge_columns(x, rows);
  for (int i = 0; i < rows / 2; ++i) {
    const V a = x[i], b = x[rows - 1 - i];
    const V c = lanes_of<7, 6, 5, 4, 3, 2, 1, 0>(a), d = lanes_of<7, 6, 5, 4, 3, 2, 1, 0>(b);
    x[i] = smaller_or_larger<0xf0>(a, d), x[rows - 1 - i] = smaller_or_larger<0xf0>(b, c);
  }
  for (int i = 0; i < rows; ++i) {
    x[i] = smaller_or_larger<0xcc>(x[i], lanes_of<2, 3, 0, 1, 6, 7, 4, 5>(x[i]));
    x[i] = smaller_or_larger<0xaa>(x[i], lanes_of<1, 0, 3, 2, 5, 4, 7, 6>(x[i]));
  }
  merge_columns(x, rows);
}

// A row of at least nine elements, in a matrix; says whether it could: not where different elements
// have the same key.
template <class W> bool sort_by_network(Order<W> order, i8 n, W *out, const W *in, W *matrix) {
  int rows = 2;
  while (columns * rows < n)
    rows *= 2;
  W unlike = 0;
  for (i8 i = 0; i < n; ++i) {
    const W key = order(in[i]);
    unlike |= order.element(key) ^ in[i];
    matrix[i] = key ^ Order<W>::sign;
  }
  if (unlike != 0)
    return false;
  for (i8 i = n; i < columns * rows; ++i)
    matrix[i] = Order<W>::sign - 1; // the largest
  sort_matrix(reinterpret_cast<Lanes<W> *>(matrix), rows);
  for (i8 i = 0; i < columns * rows; ++i)
    matrix[i] = order.element(matrix[i] ^ Order<W>::sign);
  for (i8 i = 0; i < n; ++i)
    out[i] = matrix[i % rows * columns + i / rows];
  return true;
}

// Kernels ----------------------------------------------------------------------------------------

// Each row of n elements by itself; those that begin in a share. A share has `room` elements of
// scratch for itself, and a table of two parts. Only `relevant` bits of keys tell.
template <class D, class S, class W, class C> struct SortRows {
  void operator()(i8 part, i8 begin, i8 end, W *out, const W *in, W *scratch, u8 *table) const {
    scratch += part * room, table += part * 2 * digit_values;
    for (i8 row = (begin + n - 1) / n * n; row < end; row += n)
      sort(out + row, in + row, scratch, table);
  }
  void sort(W *out, const W *in, W *scratch, u8 *table) const {
    if constexpr (sizeof(W) == 4 || sizeof(W) == 8)
      if (n > 8 && n <= 4096 && sort_by_network(order, n, out, in, scratch))
        return;
    if (n <= 48)
      return sort_by_insertion(order, n, out, in);
    sort_by_digits(order, relevant, n, out, in, scratch, table);
  }
  Order<W> order;
  u8 relevant;
  i8 n, room;
};

// One row by all work-items, by a digit in each launch. The table begins with a word per share: the
// bits in which keys differ. Then come, per share, how often each digit comes, and where the next
// element of each digit goes.
template <class W> struct Pass {
  // Where the digit begins; -1 if this launch has nothing to do. Sets where elements are and go.
  template <class P> int shift(const u8 *table, P out, P scratch, const W *&in, P &to) const {
    u8 varying = 0;
    for (i4 part = 0; part < parts; ++part)
      varying |= table[part];
    varying &= relevant;
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
  u8 relevant;
  i4 pass, parts;
};

template <class D, class S> struct SortVarying {
  void operator()(i8 part, i8 begin, i8 end, u8 *table, const S *in) const {
    table[part] = varying_bits(order, begin, end, in, in[0]);
  }
  Order<S> order;
};

template <class D, class S, class O, class W> struct SortCounts {
  void operator()(i8 part, i8 begin, i8 end, u8 *table, const W *in, const W *out,
                  const W *scratch) const {
    const W *to = nullptr;
    const int shift = p.shift(table, out, scratch, in, to);
    if (shift >= 0)
      count_digits(order, shift, begin, end, in, table + p.parts + part * 2 * digit_values);
  }
  Order<W> order;
  Pass<W> p;
};

template <class D, class S, class W, class C> struct SortMove {
  void operator()(i8 part, i8 begin, i8 end, W *out, const W *in, W *scratch, u8 *table) const {
    const W *const given = in;
    W *to = nullptr;
    const int shift = p.shift(table, out, scratch, in, to);
    if (shift < 0) {
      if (p.pass == 0) // all keys are equal
        for (i8 i = begin; i < end; ++i)
          out[i] = given[i];
      return;
    }
    u8 *const counts = table + p.parts;
    u8 *const places = counts + (part * 2 + 1) * digit_values;
    u8 place = 0;
    for (int digit = 0; digit < digit_values; ++digit) {
      const u8 *count = counts + digit;
      for (i4 k = 0; k < p.parts; ++k, count += 2 * digit_values) {
        if (k == part)
          places[digit] = place;
        place += *count;
      }
    }
    move_by_digit(order, shift, begin, end, in, to, places);
  }
  Order<W> order;
  Pass<W> p;
};

// Keys beside places: of 32 bits each, or of 64.
template <class D, class S> struct PairKeys {
  void operator()(i8, i8 begin, i8 end, D *out, const S *in) const {
    i8 place = begin % n;
    for (i8 i = begin; i < end; ++i, place = place + 1 == n ? 0 : place + 1)
      if constexpr (std::is_same_v<D, w16>)
        out[i] = {u8(place), u8(order(in[i]))};
      else
        out[i] = u8(order(in[i])) << 32 | u8(place);
  }
  Order<S> order;
  i8 n;
};

// The same for complex numbers: by their real parts, then by their imaginary ones; behind all
// others those with a NaN in the imaginary part, in the real one, in both. Single precision has one
// key of 64 bits, double precision two: by the low ones come the places, by which the high ones are
// taken.
template <class D, class S, class I> struct ComplexPairKeys {
  using F = typename S::value_type;
  using W = Bits<sizeof(F)>;

  void operator()(i8, i8 begin, i8 end, D *out, const S *in, const I *places) const {
    i8 place = begin % n;
    for (i8 i = begin; i < end; ++i, place = place + 1 == n ? 0 : place + 1) {
      const i8 from = by_high ? places[i] : place;
      out[i] = {u8(from), key(in[i - place + from]) ^ bias};
    }
  }
  u8 key(S z) const {
    constexpr W sign = W(1) << (8 * sizeof(F) - 1);
    const W infinity = reinterpret<W>(std::numeric_limits<F>::infinity());
    const Order<W> order{W(-1), infinity, W(sign - 1), sign};
    const W real = order(reinterpret<W>(z.real())), imag = order(reinterpret<W>(z.imag()));
    const bool no_real = real == W(-1), no_imag = imag == W(-1);
    W high = real, low = imag;
    if (no_real || no_imag) {
      high = (infinity ^ sign) + (no_real ? no_imag ? 3 : 2 : 1);
      low = no_real ? no_imag ? 0 : imag : real;
    }
    if constexpr (sizeof(W) == 4)
      return u8(high) << 32 | low;
    else
      return by_high ? high : low;
  }
  u8 bias;
  i8 n;
  i4 by_high;
};

template <class D, class S> struct PairPlaces {
  void operator()(i8, i8 begin, i8 end, D *out, const S *in) const {
    for (i8 i = begin; i < end; ++i)
      if constexpr (std::is_same_v<S, w16>)
        out[i] = in[i].low;
      else
        out[i] = u4(in[i]);
  }
};

} // namespace usmtensor
