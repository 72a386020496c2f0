#pragma once
#include "complex_math.hpp"
#include "elementwise.hpp"

namespace usmtensor {

// Integers wrap: functors compute with unsigned types, which cannot overflow.
template <class T>
using Wrapping =
    standard::conditional_t<standard::is_integral_v<T> && !standard::is_same_v<T, bool>,
                            standard::conditional_t<sizeof(T) == 8, uint64, uint32>, T>;

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

// Division by zero gives 0; the minimum divided by -1 wraps. Both may trap, so no processor
// executes them.
template <class T> bool is_safe_divisor(T y) {
  return y != 0 && (!standard::is_signed_v<T> || y != T(-1));
}

// The quotient, rounded towards zero. For integers of at most two bytes it is exact in single
// precision, whose division vectorises.
template <class T> T quotient_of(T x, T divisor) {
  if constexpr (sizeof(T) <= 2)
    return T(int32(float32(x) / float32(divisor)));
  else
    return x / divisor;
}

struct FloorDivide {
  template <class T> T operator()(T x, T y) const {
    if constexpr (standard::is_integral_v<T>) {
      const T divisor = is_safe_divisor(y) ? y : T(1), quotient = quotient_of(x, divisor);
      const T down = quotient * divisor != x && (x < 0) != (divisor < 0);
      return y == 0 ? T(0) : is_safe_divisor(y) ? T(quotient - down) : T(-Wrapping<T>(x));
    } else {
      // After the remainder is subtracted, the quotient is close to an integer.
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
      const T divisor = is_safe_divisor(y) ? y : T(1), rest = x - quotient_of(x, divisor) * divisor;
      return rest != 0 && (rest < 0) != (divisor < 0) ? T(rest + divisor) : rest;
    } else {
      const T rest = math::fmod(x, y);
      return rest == 0 ? math::copysign(T(0), y) : (y < 0) != (rest < 0) ? rest + y : rest;
    }
  }
};

// The upper half of a product.
template <class U> U upper_half(U x, U y) {
  if constexpr (sizeof(U) < 8) {
    using Wide = standard::conditional_t<sizeof(U) == 4, uint64, uint32>;
    return U(Wide(x) * y >> 8 * sizeof(U));
  } else { // by halves, which vectorises
    const uint64 low = uint64(uint32(x)) * uint32(y), inner = (x >> 32) * uint32(y) + (low >> 32);
    const uint64 outer = uint32(x) * (y >> 32) + uint32(inner);
    return (x >> 32) * (y >> 32) + (inner >> 32) + (outer >> 32);
  }
}

// Divides many integers by one positive divisor and rounds down, by a multiplication and shifts.
template <class T> class Divisor {
public:
  explicit Divisor(T y) : divisor(y) {
    int power = 0; // 2^power is the smallest power of two that is not below the divisor
    while (power < bits && U(y - 1) >> power != 0)
      ++power;
    factor = U((((Wide(1) << power) - U(y)) << bits) / U(y) + 1);
    first = power != 0, second = power - first;
  }
  T quotient(T x) const {
    const T sign = standard::is_signed_v<T> ? x >> (bits - 1) : 0;
    const U positive = U(x ^ sign), part = upper_half(factor, positive);
    return T(T(U(part + (U(positive - part) >> first)) >> second) ^ sign);
  }
  T remainder(T x) const { return T(U(x) - U(quotient(x)) * U(divisor)); }

private:
  using U = standard::make_unsigned_t<T>;
#ifdef USMTENSOR_HOST
  using Wide = std::conditional_t<sizeof(T) == 8, unsigned __int128, uint64>;
#else
  using Wide = uint64;
#endif
  static constexpr int bits = 8 * sizeof(T);
  T divisor;
  U factor;
  int first, second;
};

#ifdef USMTENSOR_HOST
inline constexpr int max_division_bytes = 8;
#else
inline constexpr int max_division_bytes = 2; // wider integers take the loop `contiguous`
#endif
template <class F, class T>
  requires((standard::is_same_v<F, FloorDivide> || standard::is_same_v<F, Remainder>) &&
           standard::is_integral_v<T> && sizeof(T) <= max_division_bytes)
[[gnu::noinline]] void compute(Elementwise<F, T, T, T> f, int64 n, T *__restrict out, const T *x,
                               const T *y) {
  const T divisor = common_value(n, y);
  if (divisor == 0) {
    for (int64 i = 0; i < n; ++i)
      out[i] = f(x[i], y[i]);
    return;
  }
  const Divisor<T> by(divisor);
  for (int64 i = 0; i < n; ++i)
    out[i] = standard::is_same_v<F, Remainder> ? by.remainder(x[i]) : by.quotient(x[i]);
}

struct Negative : HandlesFloat16 {
  template <class T> T operator()(T x) const { return T(-Wrapping<T>(x)); }
  float16 operator()(float16 x) const {
    return reinterpret<float16>(uint16(reinterpret<uint16>(x) ^ 0x8000));
  }
};

struct Square {
  template <class T> T operator()(T x) const { return Multiply()(x, x); }
};

// The product of `pow` with the exponent 3. In `pow` the compiler of a CPU also computes the
// logarithm of each element, which takes ten times as long.
struct Cube {
  template <class T> Complex<T> operator()(Complex<T> x) const {
    const Complex<T> power = product(x, product(x, x));
    return x.real() == 0 && x.imag() == 0 ? Complex<T>(0, 0) : power;
  }
};

struct Reciprocal {
  template <class T> T operator()(T x) const { return Divide()(T(1), x); }
};

USMTENSOR_LIBRARY_FUNCTION(Hypot, hypot)

// The integer form hides the absolute value from the CPU compiler, which would not vectorise it.
struct Abs : Vectorised, HandlesFloat16 {
  template <class T> T operator()(T x) const {
    if constexpr (standard::is_integral_v<T>)
      return T((Wrapping<T>(x) ^ Wrapping<T>(x < 0 ? -1 : 0)) + Wrapping<T>(x < 0));
    else
      return math::fabs(x);
  }
  float16 operator()(float16 x) const {
    return reinterpret<float16>(uint16(reinterpret<uint16>(x) & 0x7fff));
  }
  template <class T> T operator()(Complex<T> z) const { return math::hypot(z.real(), z.imag()); }
};
// Through arrays, because the compiler does not vectorise the functor.
template <class T>
void compute(Elementwise<Abs, T, Complex<T>>, int64 n, T *__restrict out, const Complex<T> *z) {
  T real[math::max_elements], imag[math::max_elements];
  for (int64 begin = 0; begin < n; begin += math::max_elements) {
    const int64 count = smallest(n - begin, math::max_elements);
    for (int64 i = 0; i < count; ++i)
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

struct Copysign : Vectorised, HandlesFloat16 {
  template <class V> V operator()(V x, V y) const { return math::copysign(x, y); }
  float16 operator()(float16 x,
                     float16 y) const { // a GPU drops the sign of NaN when it widens float16
    return reinterpret<float16>(
        uint16((reinterpret<uint16>(x) & 0x7fff) | (reinterpret<uint16>(y) & 0x8000)));
  }
};

// The neighbours of float16 numbers are float16 numbers.
struct Nextafter : HandlesFloat16 {
  template <class T> T operator()(T x, T y) const { return math::nextafter(x, y); }
  float16 operator()(float16 x, float16 y) const {
    const float from = x, to = y;
    if (from != from || to != to)
      return float16(from + to);
    if (from == to)
      return y;
    const uint16 bits = reinterpret<uint16>(x);
    if (from == 0)
      return reinterpret<float16>(uint16(to < 0 ? 0x8001 : 0x0001));
    return reinterpret<float16>(uint16((from < to) == (from > 0) ? bits + 1 : bits - 1));
  }
};

} // namespace usmtensor

#ifdef USMTENSOR_HOST
#include <host_arithmetic.hpp> // in angle brackets, so that the device source does not include it
#endif
