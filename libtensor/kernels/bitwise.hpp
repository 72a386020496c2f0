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

// A shift by a negative number, or by the number of bits or more, shifts all bits out.
template <class T> bool in_width(T shift) {
  return standard::make_unsigned_t<T>(shift) < 8 * sizeof(T);
}

struct BitwiseLeftShift {
  template <class T> T operator()(T x, T shift) const {
    using Wide = standard::conditional_t<sizeof(T) == 8, u8, u4>;
    return in_width(shift) ? T(Wide(x) << shift) : T(0);
  }
};

struct BitwiseRightShift {
  template <class T> T operator()(T x, T shift) const {
    return in_width(shift) ? T(x >> shift) : T(x < 0 ? -1 : 0);
  }
};

} // namespace usmtensor
