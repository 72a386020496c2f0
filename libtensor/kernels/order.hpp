// Maps elements to unsigned keys of the same order, for sorting and searching.
#pragma once
#include "kernel.hpp"
#include "stream.hpp"

namespace usmtensor {

// Keys of unsigned integers, bools, signed integers or floating point numbers, depending on the
// members below. Both zeros have the same key; NaNs have the largest key.
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
  // True if an element is NaN, which is equal to no element.
  bool is_nan(W element) const { return fold != 0 && W(element & W(~sign)) > W(limit); }
  // Signed integers in the order of the elements, which take fewer instructions than keys. They are
  // defined for elements for which is_last() is false. The two zeros have one key but two steps:
  // see bound().
  using Step = standard::make_signed_t<W>;
  Step step(W element) const {
    const Step bits = Step(element);
    return (bits ^ (bits >> last & Step(W(fold) >> 1))) ^ Step(W(bias) ^ sign);
  }
  // The step of a value to search for. Zeros are equal: a search for the first one takes the
  // smaller step, a search for the end (`Right`) the larger.
  template <bool Right> Step bound(W element) const {
    const bool is_zero = fold != 0 && W(element << 1) == 0;
    return step(is_zero ? W(Right ? 0 : sign) : element);
  }
  // True for NaN and for a bool that is true: these elements sort last.
  bool is_last(W element) const { return W(element & W(~(W(fold) & sign))) > W(limit); }
  // The element of a key, if no other element has the same key.
  W element(W key) const {
    key ^= W(bias);
    const W negative = W(0 - (key >> last)) & W(fold);
    return W((key + negative) ^ negative) | (negative & sign);
  }
  uint64 fold, limit, top, bias; // fold: all bits set for sign and magnitude; limit: the largest
                                 // magnitude that has a key of its own
};

// A pair of a key and the index of its element.
template <> struct Order<bits128> {
  using Key = uint64;
  uint64 operator()(bits128 pair) const { return pair.high; }
  uint64 fold, limit, top, bias;
};

// A two-word key.
struct WideKey {
  friend bool operator==(WideKey, WideKey) = default;
  friend bool operator<(WideKey a, WideKey b) {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
  }
  uint64 high, low;
};

// Complex numbers are ordered by real part, then by imaginary part. Numbers with NaN in the
// imaginary part follow, then in the real part, then in both.
template <class F> struct Order<Complex<F>> {
  using W = Bits<sizeof(F)>;
  using Key = standard::conditional_t<sizeof(F) == 4, uint64, WideKey>;
  static constexpr W sign = W(1) << (8 * sizeof(F) - 1);

  Key operator()(Complex<F> z) const {
    const W infinity = reinterpret<W>(standard::numeric_limits<F>::infinity());
    const Order<W> part{uint64(-1), infinity, sign - 1, sign};
    const W real = part(reinterpret<W>(z.real())), imag = part(reinterpret<W>(z.imag()));
    const bool no_real = real == W(-1), no_imag = imag == W(-1);
    W high = real, low = imag;
    if (no_real || no_imag) {
      high = W(infinity ^ sign) + (no_real ? no_imag ? 3 : 2 : 1);
      low = no_real ? no_imag ? 0 : imag : real;
    }
    if constexpr (sizeof(F) == 4)
      return uint64(high) << 32 | low;
    else
      return {high, low};
  }
  Key step(Complex<F> z) const { return (*this)(z); }
  template <bool> Key bound(Complex<F> z) const { return (*this)(z); }
  static bool is_last(Complex<F>) { return false; }
  bool is_nan(Complex<F> z) const { return z.real() != z.real() || z.imag() != z.imag(); }
  uint64 fold, limit, top, bias; // unused here; the other orders have them
};

} // namespace usmtensor
