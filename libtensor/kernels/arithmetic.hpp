#pragma once
#include "complex_math.hpp"
#include "elementwise.hpp"

namespace usmtensor {

// Integers wrap: the functors compute with unsigned types, which do not overflow.
template <class T>
using Wrapping =
    standard::conditional_t<standard::is_integral_v<T> && !standard::is_same_v<T, bool>,
                            standard::conditional_t<sizeof(T) == 8, u8, u4>, T>;

struct Add {
  template <class T> T operator()(T x, T y) const { return T(Wrapping<T>(x) + Wrapping<T>(y)); }
};

struct Subtract {
  template <class T> T operator()(T x, T y) const { return T(Wrapping<T>(x) - Wrapping<T>(y)); }
};

struct Multiply {
  template <class T> T operator()(T x, T y) const {
    if constexpr (is_complex<T>)
      return product(x, y);
    else
      return T(Wrapping<T>(x) * Wrapping<T>(y));
  }
};

struct Divide {
  template <class T> T operator()(T x, T y) const {
    if constexpr (is_complex<T>)
      return quotient(x, y);
    else
      return x / y;
  }
};

// Division by zero gives 0; the minimum divided by -1 wraps. No processor executes such a division,
// because it may trap.
template <class T> bool divides(T y) { return y != 0 && (!standard::is_signed_v<T> || y != T(-1)); }

// The quotient towards zero. That of integers of two bytes is exact in single precision, whose
// division is one of vectors.
template <class T> T quotient_of(T x, T divisor) {
  if constexpr (sizeof(T) <= 2)
    return T(i4(f4(x) / f4(divisor)));
  else
    return x / divisor;
}

struct FloorDivide {
  template <class T> T operator()(T x, T y) const {
    if constexpr (standard::is_integral_v<T>) {
      const T divisor = divides(y) ? y : T(1), quotient = quotient_of(x, divisor);
      const T down = quotient * divisor != x && (x < 0) != (divisor < 0);
      return y == 0 ? T(0) : divides(y) ? T(quotient - down) : T(-Wrapping<T>(x));
    } else {
      // Without the remainder, the quotient is close to an integer.
      const T rest = math::fmod(x, y), exact = x / y;
      const bool down = rest != 0 && (y < 0) != (rest < 0);
      const T quotient = (x - rest) / y - T(down), whole = math::floor(quotient);
      const T nearest = quotient - whole > T(0.5) ? whole + T(1) : whole;
      if (y == 0 || !finite(x) || !finite(y))
        return exact;
      return quotient != 0 ? nearest : math::copysign(T(0), exact);
    }
  }
};

struct Remainder {
  template <class T> T operator()(T x, T y) const {
    if constexpr (standard::is_integral_v<T>) {
      const T divisor = divides(y) ? y : T(1), rest = x - quotient_of(x, divisor) * divisor;
      return rest != 0 && (rest < 0) != (divisor < 0) ? T(rest + divisor) : rest;
    } else {
      const T rest = math::fmod(x, y);
      return rest == 0 ? math::copysign(T(0), y) : (y < 0) != (rest < 0) ? rest + y : rest;
    }
  }
};

struct Negative {
  template <class T> T operator()(T x) const { return T(-Wrapping<T>(x)); }
};

struct Square {
  template <class T> T operator()(T x) const { return Multiply()(x, x); }
};

struct Reciprocal {
  template <class T> T operator()(T x) const { return Divide()(T(1), x); }
};

USMTENSOR_LIBRARY_FUNCTION(Hypot, hypot)

struct Abs {
  template <class T> T operator()(T x) const {
    if constexpr (standard::is_integral_v<T>)
      return x < 0 ? T(-Wrapping<T>(x)) : x;
    else
      return math::fabs(x);
  }
  template <class T> T operator()(Complex<T> z) const { return math::hypot(z.real(), z.imag()); }
};
// By vectors, of which the compiler makes none.
template <class T>
void compute(Elementwise<Abs, T, Complex<T>>, i8 n, T *__restrict out, const Complex<T> *z) {
  T real[math::most], imag[math::most];
  for (i8 begin = 0; begin < n; begin += math::most) {
    const i8 count = smallest(n - begin, math::most);
    for (i8 i = 0; i < count; ++i)
      real[i] = z[begin + i].real(), imag[i] = z[begin + i].imag();
    compute(Elementwise<Hypot, T, T, T>(), count, out + begin, real, imag);
  }
}

struct Sign {
  template <class T> T operator()(T x) const { return x != x ? x : T((x > 0) - (x < 0)); }
  template <class T> Complex<T> operator()(Complex<T> z) const {
    T x = z.real(), y = z.imag();
    if (math::isinf(x) || math::isinf(y)) {
      const T none = math::isinf(x) && math::isinf(y) ? x - x : T(0);
      return math::isinf(x) ? Complex<T>(math::copysign(T(1), x) + none, none)
                            : Complex<T>(0, math::copysign(T(1), y));
    }
    const Scale<T> scale(math::fmax(math::fabs(x), math::fabs(y)));
    x *= scale.factor, y *= scale.factor;
    const T size = math::hypot(x, y);
    return size == 0 ? Complex<T>(0, 0) : Complex<T>(x / size, y / size);
  }
};

struct Copysign : Vectorised, SeesHalves {
  template <class V> V operator()(V x, V y) const { return math::copysign(x, y); }
  f2 operator()(f2 x, f2 y) const { // a GPU drops the sign of NaN where it widens a half
    return reinterpret<f2>(u2((reinterpret<u2>(x) & 0x7fff) | (reinterpret<u2>(y) & 0x8000)));
  }
};

// The neighbours of halves are halves.
struct Nextafter : SeesHalves {
  template <class T> T operator()(T x, T y) const { return math::nextafter(x, y); }
  f2 operator()(f2 x, f2 y) const {
    const float from = x, to = y;
    if (from != from || to != to)
      return f2(from + to);
    if (from == to)
      return y;
    const u2 bits = reinterpret<u2>(x);
    if (from == 0)
      return reinterpret<f2>(u2(to < 0 ? 0x8001 : 0x0001));
    return reinterpret<f2>(u2((from < to) == (from > 0) ? bits + 1 : bits - 1));
  }
};

} // namespace usmtensor

#ifdef USMTENSOR_HOST
#include <host_arithmetic.hpp> // in angle brackets: not part of the device's source
#endif
