#pragma once
#include "elementwise.hpp"

namespace usmtensor {

struct BitwiseAnd {
  template <class T> T operator()(T x, T y) const { return x & y; }
};

struct BitwiseOr {
  template <class T> T operator()(T x, T y) const { return x | y; }
};

struct BitwiseXor {
  template <class T> T operator()(T x, T y) const { return x ^ y; }
};

struct BitwiseInvert {
  template <class T> T operator()(T x) const { return T(~x); }
  bool operator()(bool x) const { return !x; }
};

// A shift by a negative number, or by at least the number of bits, shifts out all bits.
template <class T> bool in_width(T shift) {
  return standard::make_unsigned_t<T>(shift) < 8 * sizeof(T);
}

struct BitwiseLeftShift {
  template <class T> T operator()(T x, T shift) const {
    using Wide = standard::conditional_t<sizeof(T) == 8, uint64, uint32>;
    return in_width(shift) ? T(Wide(x) << shift) : T(0);
  }
};

struct BitwiseRightShift {
  template <class T> T operator()(T x, T shift) const {
    return in_width(shift) ? T(x >> shift) : T(x < 0 ? -1 : 0);
  }
};

// In 2-byte lanes if all shift counts are equal, because processors cannot shift vectors of bytes.
template <class T>
  requires(sizeof(T) <= 2)
[[gnu::noinline]] void compute(Elementwise<BitwiseRightShift, T, T, T> f, int64 n,
                               T *__restrict out, const T *x, const T *shifts) {
  using Lane = standard::conditional_t<standard::is_signed_v<T>, int16, uint16>;
  using Lanes = typename VectorOf<Lane, 32>::Type;
  using Elements = typename VectorOf<T, 16 * sizeof(T)>::Type;
  const T shift = common_value(n, shifts);
  int64 i = 0;
  if (shift != 0 && in_width(shift))
    for (; i + 16 <= n; i += 16) {
      const Lanes lanes = __builtin_convertvector(load_as<Elements>(x + i), Lanes) >> Lane(shift);
      const Elements elements = __builtin_convertvector(lanes, Elements);
      __builtin_memcpy(out + i, &elements, sizeof elements);
    }
  for (; i < n; ++i)
    out[i] = f(x[i], shifts[i]);
}

} // namespace usmtensor
