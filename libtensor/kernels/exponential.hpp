#pragma once
#include "arithmetic.hpp"
#include "complex_math.hpp"

namespace usmtensor {

USMTENSOR_LIBRARY_FUNCTION(Exp, exp)
USMTENSOR_LIBRARY_FUNCTION(Exp2, exp2)
USMTENSOR_LIBRARY_FUNCTION(Expm1, expm1)
USMTENSOR_LIBRARY_FUNCTION(Log, log)
USMTENSOR_LIBRARY_FUNCTION(Log1p, log1p)
USMTENSOR_LIBRARY_FUNCTION(Log2, log2)
USMTENSOR_LIBRARY_FUNCTION(Log10, log10)
USMTENSOR_FUNCTION(Sqrt, sqrt)
USMTENSOR_LIBRARY_FUNCTION(Cbrt, cbrt)

struct Logaddexp : LibraryFunction {
  template <class T> T operator()(T x, T y) const {
    return of_larger(x, y, math::log1p(math::exp(-math::fabs(x - y))));
  }
  template <class T> void operator()(int64 n, T *to, const T *x, const T *y) const {
    T rest[math::max_elements];
    for (int64 i = 0; i < n; ++i)
      rest[i] = -math::fabs(x[i] - y[i]);
    math::exp(n, rest, rest);
    math::log1p(n, rest, rest);
    for (int64 i = 0; i < n; ++i)
      to[i] = of_larger(x[i], y[i], rest[i]);
  }
  template <class T> static T of_larger(T x, T y, T rest) {
    if (x == y) // also equal infinities
      return x + ln2<T>;
    return (x > y ? x : y != y || x < y ? y : x) + rest;
  }
};

struct Rsqrt : Vectorised {
  template <class V> V operator()(V x) const { return V(1) / math::sqrt(x); }
};

// Integers wrap. A negative power is the exact result, truncated: 1 for base 1, 1 or -1 for base
// -1, otherwise 0.
struct Pow : Vectorised, LibraryFunction {
  template <class V> V operator()(V x, V y) const {
    if constexpr (standard::is_integral_v<V>) {
      if (y < 0)
        return x == 1 || (x == V(-1) && y % 2 == 0) ? V(1) : x == V(-1) ? x : V(0);
      Wrapping<V> power = 1, base = x;
      for (; y != 0; y = V(y >> 1), base *= base)
        if (y & 1)
          power *= base;
      return V(power);
    } else {
      return math::pow(x, y);
    }
  }
  template <class T> void operator()(int64 n, T *to, const T *x, const T *y) const {
    math::pow(n, to, x, y);
  }
  template <class T> Complex<T> operator()(Complex<T> x, Complex<T> y) const {
    return pow_of(x, y);
  }
};

// Powers whose exponent is a scalar argument of a fused function. Calls the functions that the
// operator and `pow` call for special exponents (of_exponent in _elementwise.pyx).
template <bool Operator> struct PowOfScalar {
  template <class T> T operator()(T x, T y) const {
    return y == T(2)                 ? Square()(x)
           : y == T(-1)              ? Reciprocal()(x)
           : Operator && y == T(0.5) ? Sqrt()(x)
                                     : Pow()(x, y);
  }
};

} // namespace usmtensor
