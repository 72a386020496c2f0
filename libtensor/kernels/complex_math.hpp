// Functions of complex numbers. Results for zeros, infinities and NaN follow C99 and the array API
// standard.
#pragma once
#include "math.hpp"

namespace usmtensor {

template <class T> inline constexpr T infinity = standard::numeric_limits<T>::infinity();
template <class T> inline constexpr T ln2 = T(0.693147180559945309417232121458176568);
template <class T> inline constexpr T half_pi = T(1.570796326794896619231321691639751442);
template <class T> bool finite(T x) { return x - x == 0; }

// (ac - bd) + (bc + ad)i. Every operation rounds, so all devices give equal bits. In other forms
// the compiler may fuse operations: in its own complex products, and in scalars that it vectorises.
template <class T> Complex<T> product(Complex<T> x, Complex<T> y) {
  const auto ab = pair_of(x), cd = pair_of(y);
  const auto by_c = ab * __builtin_shufflevector(cd, cd, 0, 0);
  const auto by_d = __builtin_shufflevector(ab, ab, 1, 0) * __builtin_shufflevector(cd, cd, 1, 1);
  return {by_c[0] - by_d[0], by_c[1] + by_d[1]};
}

// Scales by the larger part of the divisor. If the divisor is zero, each part is divided by zero.
template <class T> Complex<T> quotient(Complex<T> x, Complex<T> y) {
  const T a = math::fabs(y.real()), b = math::fabs(y.imag());
  if (a == 0 && b == 0)
    return {x.real() / a, x.imag() / a};
  if (a >= b) {
    const T ratio = y.imag() / y.real(), scale = 1 / (y.real() + y.imag() * ratio);
    return {(x.real() + x.imag() * ratio) * scale, (x.imag() - x.real() * ratio) * scale};
  }
  const T ratio = y.real() / y.imag(), scale = 1 / (y.imag() + y.real() * ratio);
  return {(x.real() * ratio + x.imag()) * scale, (x.imag() * ratio - x.real()) * scale};
}

// e^x times a factor, even if e^x itself would overflow.
template <class T> T scaled_exp(T x, T factor) {
  constexpr T upper_limit = sizeof(T) == 8 ? T(709) : T(88);
  if (!(x > upper_limit) || !finite(x))
    return math::exp(x) * factor;
  const T half = math::exp(x / 2);
  return half * factor * half;
}

template <class T> Complex<T> exp_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (y == 0)
    return {math::exp(x), y};
  if (!finite(y) && math::isinf(x))
    return x < 0 ? Complex<T>(0, math::copysign(T(0), y)) : Complex<T>(x, y - y);
  return {scaled_exp(x, math::cos(y)), scaled_exp(x, math::sin(y))};
}

template <class T> Complex<T> exp2_of(Complex<T> z) {
  return exp_of(Complex<T>(z.real() * ln2<T>, z.imag() * ln2<T>));
}

template <class T> Complex<T> expm1_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (y == 0)
    return {math::expm1(x) + T(0), y}; // turns -0 into 0
  if (!finite(x) || !finite(y) || math::fabs(x) > 1) {
    const auto e = exp_of(z);
    return {e.real() - 1, e.imag()};
  }
  const T half_sine = math::sin(y / 2);
  const auto [sin, cos] = math::sincos(y);
  return {math::expm1(x) * cos - 2 * half_sine * half_sine, math::exp(x) * sin};
}

// A power of two that scales a complex number so that its absolute value loses no bits to overflow
// or underflow. It depends on the larger absolute value of the two parts.
template <class T> struct Scale {
  using Limits = standard::numeric_limits<T>;
  Scale(T larger)
      : exponent(larger > Limits::max() / 4                   ? -2
                 : larger < Limits::min() / Limits::epsilon() ? 2 * Limits::digits
                                                              : 0),
        factor(exponent < 0   ? T(0.25)
               : exponent > 0 ? 4 / Limits::epsilon() / Limits::epsilon()
                              : 1) {}
  int exponent;
  T factor;
};

// Replaces two numbers by their rounded sum and its error. Their exact sum does not change.
template <class T> void separate_error(T &error, T &sum) {
  const T x = error, y = sum;
  sum = x + y;
  const T rounded_y = sum - x;
  error = (x - (sum - rounded_y)) + (y - rounded_y);
}

// base + x² + y², rounded about once even if terms cancel. fma gives the errors of the products,
// and two passes over the terms give the errors of the sums.
template <class T> T plus_squares(T base, T x, T y) {
  const T xx = x * x, yy = y * y;
  T terms[] = {math::fma(x, x, -xx), math::fma(y, y, -yy), xx, yy, base};
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < 4; ++i)
      separate_error(terms[i], terms[i + 1]);
  return terms[0] + terms[1] + terms[2] + terms[3] + terms[4];
}

// log|z|. Near the unit circle it is computed from |z|² - 1. Elsewhere it is computed from |z|,
// whose rounding error is small relative to the logarithm.
template <class T> T log_abs(T x, T y) {
  const T larger = math::fmax(math::fabs(x), math::fabs(y));
  if (larger > T(0.4) && larger < T(2.5) && x == x && y == y)
    return math::log1p(plus_squares(T(-1), x, y)) / 2;
  const Scale<T> scale(larger);
  return math::log(math::hypot(x * scale.factor, y * scale.factor)) - T(scale.exponent) * ln2<T>;
}

template <class T> Complex<T> log_of(Complex<T> z) {
  return {log_abs(z.real(), z.imag()), math::atan2(z.imag(), z.real())};
}

template <class T> Complex<T> log2_of(Complex<T> z) {
  return log_of(z) * T(1.442695040888963407359924681001892137);
}

template <class T> Complex<T> log10_of(Complex<T> z) {
  return log_of(z) * T(0.434294481903251827651128918916605082);
}

template <class T> Complex<T> log1p_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (!(x > T(-0.5) && x < 1 && math::fabs(y) < 1))
    return log_of(Complex<T>(1 + x, y));
  return {math::log1p(plus_squares(2 * x, x, y)) / 2, math::atan2(y, 1 + x)};
}

template <class T> Complex<T> sqrt_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (x == 0 && y == 0)
    return {0, y};
  if (math::isinf(y))
    return {infinity<T>, y};
  if (math::isinf(x)) {
    const T other = y != y ? y : T(0);
    return x > 0 ? Complex<T>(x, math::copysign(other, y))
                 : Complex<T>(other, math::copysign(-x, y));
  }
  // Numbers whose squares would overflow or underflow are scaled by a power of four.
  constexpr T upper_limit = standard::numeric_limits<T>::max() / 4;
  constexpr T lower_limit = standard::numeric_limits<T>::min() * 4;
  constexpr T up = sizeof(T) == 8 ? T(0x1p54) : T(0x1p24),
              root_up = sizeof(T) == 8 ? T(0x1p27) : T(0x1p12);
  const T larger = math::fmax(math::fabs(x), math::fabs(y));
  const T factor = larger > upper_limit ? T(0.25) : larger < lower_limit ? up : T(1);
  const T back = larger > upper_limit ? T(2) : larger < lower_limit ? 1 / root_up : T(1);
  const T a = x * factor, b = y * factor;
  const T root = math::sqrt((math::fabs(a) + math::hypot(a, b)) / 2);
  const T other = b / (2 * root);
  return a >= 0 ? Complex<T>(root * back, other * back)
                : Complex<T>(math::fabs(other) * back, math::copysign(root * back, b));
}

// cosh x and sinh x, each times a factor, even if they themselves would overflow.
template <class T> Complex<T> scaled_cosh_sinh(T x, T by_cosh, T by_sinh) {
  constexpr T upper_limit = sizeof(T) == 8 ? T(709) : T(88);
  const T size = math::fabs(x);
  if (size > upper_limit && finite(x))
    return {scaled_exp(size, T(0.5) * by_cosh),
            scaled_exp(size, math::copysign(T(0.5), x) * by_sinh)};
  return {math::cosh(x) * by_cosh, math::sinh(x) * by_sinh};
}

template <class T> Complex<T> sinh_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (y == 0)
    return {math::sinh(x), y};
  if (!finite(y) && (x == 0 || math::isinf(x)))
    return {x, y - y};
  const auto [sin, cos] = math::sincos(y);
  const auto both = scaled_cosh_sinh(x, sin, cos);
  return {both.imag(), both.real()};
}

template <class T> Complex<T> cosh_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (y == 0 || (x == 0 && !finite(y)))
    return {y == 0 ? math::cosh(x) : y - y,
            math::copysign(T(0), x) * (y == 0 ? math::copysign(T(1), y) : T(1))};
  if (!finite(y) && math::isinf(x))
    return {infinity<T>, y - y};
  const auto [sin, cos] = math::sincos(y);
  return scaled_cosh_sinh(x, cos, sin);
}

// Kahan's formula, or its limit if tanh x rounds to 1.
template <class T> Complex<T> tanh_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (math::isinf(x))
    return {math::copysign(T(1), x), math::copysign(T(0), y)};
  if (x != x)
    return {x, y == 0 ? y : x};
  if (!finite(y))
    return {x == 0 ? x : y - y, y - y};
  constexpr T limit = sizeof(T) == 8 ? T(22) : T(11);
  if (math::fabs(x) > limit) {
    const auto [sin, cos] = math::sincos(y);
    return {math::copysign(T(1), x), 4 * sin * cos * math::exp(-2 * math::fabs(x))};
  }
  const T t = math::tan(y), s = math::sinh(x), beta = 1 + t * t, below = 1 + beta * s * s;
  return {beta * math::sqrt(1 + s * s) * s / below, t / below};
}

// The inverse functions use the square roots of 1 - z and 1 + z, which do not cancel.
template <class T> inline constexpr T huge = standard::numeric_limits<T>::max() / 4;
template <class T> bool is_huge(Complex<T> z) {
  return math::fabs(z.real()) > huge<T> || math::fabs(z.imag()) > huge<T>;
}

template <class T> Complex<T> acos_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (is_huge(z))
    return {math::atan2(math::fabs(y), x), math::copysign(log_abs(x, y) + ln2<T>, -y)};
  if (x == 0 && y != y)
    return {half_pi<T>, y};
  const auto a = sqrt_of(Complex<T>(1 - x, -y)), b = sqrt_of(Complex<T>(1 + x, y));
  return {2 * math::atan2(a.real(), b.real()),
          math::asinh(b.real() * a.imag() - b.imag() * a.real())};
}

// The inverse cosine times i or -i, so that the real part is positive. The sign of a NaN has no
// meaning.
template <class T> Complex<T> acosh_of(Complex<T> z) {
  const auto w = acos_of(z);
  const T y = z.imag();
  return {math::fabs(w.imag()), math::copysign(w.real(), y == y ? y : T(0))};
}

template <class T> Complex<T> asinh_of(Complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (is_huge(z))
    return {math::copysign(log_abs(x, y) + ln2<T>, x), math::atan2(y, math::fabs(x))};
  if (x != x && y == 0)
    return {x, y};
  const auto a = sqrt_of(Complex<T>(1 + y, -x)), b = sqrt_of(Complex<T>(1 - y, x));
  return {math::asinh(a.real() * b.imag() - b.real() * a.imag()),
          math::atan2(y, a.real() * b.real() - a.imag() * b.imag())};
}

// Inlined, because on GPUs a call loses the sign of NaN, which decides the sign of a zero.
template <class T> USMTENSOR_INLINE Complex<T> atanh_of(Complex<T> z) {
  const T x = math::fabs(z.real()), y = z.imag();
  auto with_sign = [&](T real, T imag) { return Complex<T>(math::copysign(real, z.real()), imag); };
  if (math::isinf(x) || math::isinf(y))
    return with_sign(0, y != y ? y : math::copysign(half_pi<T>, y));
  if (x != x || y != y)
    return with_sign(x == 0 ? x : x + y, x + y);
  constexpr T large = sizeof(T) == 8 ? T(1e150) : T(1e18);
  if (x > large || math::fabs(y) > large) {
    const T size = math::hypot(x / 2, y / 2);
    return with_sign(x / 4 / size / size, math::copysign(half_pi<T>, y));
  }
  if (x == 1 && y == 0)
    return with_sign(infinity<T>, y);
  if (x == 1 && math::fabs(y) < 1 / large)
    return with_sign(-math::log(math::sqrt(math::fabs(y)) / math::sqrt(math::hypot(y, T(2)))),
                     math::copysign(math::atan2(T(2), -math::fabs(y)) / 2, y));
  return with_sign(math::log1p(4 * x / ((1 - x) * (1 - x) + y * y)) / 4,
                   math::atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2);
}

// f(z) = -i g(iz), where f is the sine and g the hyperbolic sine; likewise for the others.
template <class T> Complex<T> times_i(Complex<T> z) { return {-z.imag(), z.real()}; }
template <class T> Complex<T> times_minus_i(Complex<T> z) { return {z.imag(), -z.real()}; }
template <class T> Complex<T> sin_of(Complex<T> z) { return times_minus_i(sinh_of(times_i(z))); }
template <class T> Complex<T> cos_of(Complex<T> z) { return cosh_of(times_i(z)); }
template <class T> Complex<T> tan_of(Complex<T> z) { return times_minus_i(tanh_of(times_i(z))); }
template <class T> Complex<T> asin_of(Complex<T> z) { return times_minus_i(asinh_of(times_i(z))); }
template <class T> Complex<T> atan_of(Complex<T> z) { return times_minus_i(atanh_of(times_i(z))); }

// Small integer powers are computed as products, as in NumPy.
template <class T> Complex<T> pow_of(Complex<T> x, Complex<T> y) {
  if (y.real() == 0 && y.imag() == 0)
    return {1, 0};
  if (x.real() == 0 && x.imag() == 0) {
    const T nan = __builtin_nanf("");
    return y.real() > 0 ? Complex<T>(0, 0) : Complex<T>(nan, nan);
  }
  if (y.imag() == 0 && math::fabs(y.real()) < 100 && y.real() == math::trunc(y.real())) {
    Complex<T> power = x, base = x; // a factor of 1 + 0j would turn infinities into NaN
    for (int n = int(math::fabs(y.real())) - 1; n != 0; n >>= 1, base = product(base, base))
      if (n & 1)
        power = product(power, base);
    return y.real() < 0 ? quotient(Complex<T>(1, 0), power) : power;
  }
  const T size = log_abs(x.real(), x.imag()), angle = math::atan2(x.imag(), x.real());
  return exp_of(Complex<T>(size * y.real() - angle * y.imag(), size * y.imag() + angle * y.real()));
}

} // namespace usmtensor
