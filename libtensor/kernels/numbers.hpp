// Functions of exponents and fractions, divisors and bits.
#pragma once
#include "arithmetic.hpp"
#include "comparison.hpp"

namespace usmtensor {

// The fields of floating point numbers: sign, exponent and fraction.
template <class T> struct FloatBits {
  using Bits = standard::conditional_t<sizeof(T) == 8, uint64,
                                       standard::conditional_t<sizeof(T) == 4, uint32, uint16>>;
  static constexpr int digits = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  static constexpr int bias = sizeof(T) == 8 ? 1023 : sizeof(T) == 4 ? 127 : 15;
  static constexpr int exponents = 2 * bias + 1; // the exponent field of infinities and NaN
  static constexpr Bits sign = Bits(Bits(1) << (8 * sizeof(T) - 1));
  static Bits bits(T x) { return reinterpret<Bits>(x); }
  static int exponent(T x) { return int(bits(x) >> digits) & exponents; }
  static T power_of_two(int exponent) {
    return reinterpret<T>(Bits(Bits(exponent + bias) << digits));
  }
};

// The remainder of a division that rounds towards zero. For integers, a divisor of zero gives 0.
struct Fmod {
  template <class T> T operator()(T x, T y) const {
    if constexpr (standard::is_integral_v<T>) {
      const T divisor = is_safe_divisor(y) ? y : T(1);
      return T(x - quotient_of(x, divisor) * divisor);
    } else {
      return math::fmod(x, y);
    }
  }
};

// If one operand is NaN, the result is the other operand.
struct Fmax {
  template <class T> T operator()(T x, T y) const {
    return is_nan(y) || (!is_nan(x) && !Less()(x, y)) ? x : y;
  }
};

struct Fmin {
  template <class T> T operator()(T x, T y) const {
    return is_nan(y) || (!is_nan(x) && !Less()(y, x)) ? x : y;
  }
};

struct Heaviside {
  template <class T> T operator()(T x, T y) const {
    return x != x ? x : x == 0 ? y : T(x > 0 ? 1 : 0);
  }
};

struct Deg2rad {
  template <class T> T operator()(T x) const {
    return x * T(0.0174532925199432957692369076848861272);
  }
};

struct Rad2deg {
  template <class T> T operator()(T x) const {
    return x * T(57.2957795130823208767981548141051703);
  }
};

struct Isposinf {
  template <class T> bool operator()(T x) const { return x == infinity<T>; }
};

struct Isneginf {
  template <class T> bool operator()(T x) const { return x == -infinity<T>; }
};

template <class T> using UnsignedOf = standard::make_unsigned_t<T>;
template <class T> UnsignedOf<T> magnitude(T x) {
  return UnsignedOf<T>(x < 0 ? -Wrapping<T>(x) : Wrapping<T>(x));
}
template <class U> U common_divisor(U x, U y) {
  while (y != 0) {
    const U rest = U(x % y);
    x = y, y = rest;
  }
  return x;
}

struct Gcd {
  template <class T> T operator()(T x, T y) const {
    return T(common_divisor(magnitude(x), magnitude(y)));
  }
};

struct Lcm {
  template <class T> T operator()(T x, T y) const {
    const auto a = magnitude(x), b = magnitude(y), divisor = common_divisor(a, b);
    return divisor == 0 ? T(0) : T(Wrapping<T>(a / divisor) * Wrapping<T>(b));
  }
};

// Counts the set bits of the absolute value.
struct BitwiseCount {
  template <class T> uint8 operator()(T x) const {
    uint64 bits = magnitude(x);
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return uint8(bits * 0x0101010101010101 >> 56);
  }
};

// The distance to the next number of larger magnitude.
struct Spacing : HandlesFloat16 {
  template <class T> T operator()(T x) const {
    using L = FloatBits<T>;
    const bool negative = x < T(0);
    const T size = negative ? T(-x) : x;
    const T next = reinterpret<T>(typename L::Bits((L::bits(size) & ~L::sign) + 1));
    const T distance = T(next - size);
    return L::exponent(x) == L::exponents ? T(x - x) : negative ? T(-distance) : distance;
  }
};

// x 2^n, rounded once: after the first two factors, which may give a subnormal number, a remaining
// factor can only give zero.
struct Ldexp {
  template <class T> T operator()(T x, int64 n) const {
    using L = FloatBits<T>;
    constexpr int max_step = L::bias, min_step = 1 - L::bias;
    int32 left = n > 4 * max_step ? 4 * max_step : n < -4 * max_step ? -4 * max_step : int32(n);
    for (int k = 0; k < 2; ++k) {
      const int32 step = left > max_step   ? max_step
                         : left < min_step ? min_step + L::digits + 1
                                           : 0;
      x *= L::power_of_two(step);
      left -= step;
    }
    left = left > max_step ? max_step : left < min_step ? min_step : left;
    return x * L::power_of_two(left);
  }
};

// Splits x into a fraction in [1/2, 1) and a power of two. Zeros, infinities and NaN are their own
// fractions, with exponent 0.
template <class T> struct Fraction {
  explicit Fraction(T x) : value(x), exponent(0) {
    using L = FloatBits<T>;
    const bool subnormal = L::exponent(x) == 0;
    const T normal = subnormal ? x * L::power_of_two(L::digits + 1) : x;
    if (x == 0 || L::exponent(x) == L::exponents)
      return;
    exponent = L::exponent(normal) - (L::bias - 1) - (subnormal ? L::digits + 1 : 0);
    const auto bits = L::bits(normal) & ~(typename L::Bits(L::exponents) << L::digits);
    value = reinterpret<T>(typename L::Bits(bits | typename L::Bits(L::bias - 1) << L::digits));
  }
  T value;
  int32 exponent;
};

struct FrexpFraction {
  template <class T> T operator()(T x) const { return Fraction<T>(x).value; }
};

struct FrexpExponent {
  template <class T> int32 operator()(T x) const { return Fraction<T>(x).exponent; }
};

struct ModfFraction {
  template <class T> T operator()(T x) const {
    return math::copysign(math::isinf(x) ? T(0) : x - math::trunc(x), x);
  }
};

} // namespace usmtensor
