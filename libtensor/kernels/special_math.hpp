// Arithmetic for special functions. It calls no library functions, so all devices and the host give
// equal bits, and compilers vectorise it.
#pragma once
#include "complex_math.hpp"
#include "special_fits.hpp"

namespace usmtensor {

template <class T>
inline constexpr T not_a_number = sizeof(T) == 8 ? T(__builtin_nan("")) : T(__builtin_nanf(""));

// The sum of c[first + k] x^k for k < count, where squares[j] is x^(2^j). The two halves are
// independent of each other.
template <const auto &c, int first, int count, class T>
USMTENSOR_INLINE T estrin(const T *squares) {
  if constexpr (count == 1) {
    return c[first];
  } else {
    constexpr int last = 31 - __builtin_clz(count - 1), half = 1 << last;
    return estrin<c, first, half>(squares) +
           squares[last] * estrin<c, first + half, count - half>(squares);
  }
}
// The sum of c[k] x^k.
template <const auto &c, class T> USMTENSOR_INLINE T polynomial(T x) {
  T squares[5] = {x};
  repeat<4>([&](auto k) USMTENSOR_INLINE_LAMBDA { squares[k + 1] = squares[k] * squares[k]; });
  return estrin<c, 0, int(sizeof(c) / sizeof(c[0]))>(squares);
}

// A number of twice the precision: an unevaluated sum of two numbers, of which the second is small.
template <class T> struct DoubleWord {
  T high, low;
};

// A sum without rounding.
template <class T> USMTENSOR_INLINE DoubleWord<T> two_sum(T x, T y) {
  const T sum = x + y, part = sum - x;
  return {sum, (x - (sum - part)) + (y - part)};
}
// The same for |x| >= |y|, and for x = 0.
template <class T> USMTENSOR_INLINE DoubleWord<T> fast_two_sum(T x, T y) {
  const T sum = x + y;
  return {sum, y - (sum - x)};
}

template <class T> using BitsOf = standard::conditional_t<sizeof(T) == 8, uint64, uint32>;
template <class T> inline constexpr int fraction_bits = standard::numeric_limits<T>::digits - 1;
template <class T> USMTENSOR_INLINE BitsOf<T> bits_of(T x) { return reinterpret<BitsOf<T>>(x); }

// The upper half of the digits. Products of such numbers are exact.
template <class T> USMTENSOR_INLINE T split_high(T x) {
  constexpr BitsOf<T> dropped = (BitsOf<T>(1) << (fraction_bits<T> + 2) / 2) - 1;
  return reinterpret<T>(BitsOf<T>(bits_of(x) & ~dropped));
}

// A product without rounding, unless it overflows or underflows.
template <class T> USMTENSOR_INLINE DoubleWord<T> two_product(T x, T y) {
  const T product = x * y, a = split_high(x), b = split_high(y), c = x - a, d = y - b;
  return {product, ((a * b - product) + a * d + c * b) + c * d};
}
template <class T> USMTENSOR_INLINE DoubleWord<T> two_square(T x) {
  const T upper = split_high(x);
  return {upper * upper, (x - upper) * (x + upper)};
}

// The logarithm of 2 in two parts. Products of the first part and an exponent are exact.
template <class T>
inline constexpr T ln2_high = sizeof(T) == 8 ? T(0x1.62e42fefa2p-1) : T(0x1.62ep-1);
template <class T>
inline constexpr T ln2_low = sizeof(T) == 8 ? T(0x1.9ef35793c7673p-41) : T(0x1.0bfbe8e7bcd5ep-15);

// exp(x + low) * factor. It overflows or underflows only if the product does.
template <class T> USMTENSOR_INLINE T exp_times(T x, T low, T factor) {
  // The lowest bits of the sum with `shift` are an integer.
  constexpr T most = sizeof(T) == 8 ? 1400 : 170,
              shift = T(1.5) * (BitsOf<T>(1) << fraction_bits<T>);
  auto power_of_two = [](T shifted) USMTENSOR_INLINE_LAMBDA {
    return reinterpret<T>(BitsOf<T>((bits_of(shifted) << fraction_bits<T>)+bits_of(T(1))));
  };
  low = math::fabs(x) > most ? T(0) : low;
  x = x > most ? most : x < -most ? -most : x;
  const T n = (x * T(1.44269504088896340735992468100189214) + shift) - shift;
  const T r = (x - n * ln2_high<T>)-(n * ln2_low<T> - low);
  const T fraction = T(1) + (r + r * r * polynomial<exp_fit<T>>(r));
  // Scales by half of the exponent twice, because the full power may be out of range.
  const T half = n * T(0.5) + shift, rest = n - (half - shift) + shift;
  return factor * fraction * power_of_two(half) * power_of_two(rest);
}

// A positive number as fraction * 2^exponent, with the fraction between sqrt(1/2) and sqrt(2).
template <class T> struct Normalised {
  T fraction, exponent;
};
template <class T> USMTENSOR_INLINE Normalised<T> normalised(T x) {
  constexpr int digits = fraction_bits<T>, bias = standard::numeric_limits<T>::max_exponent - 1;
  constexpr BitsOf<T> one = BitsOf<T>(bias) << digits;
  constexpr T whole = BitsOf<T>(1) << digits; // the lowest bits of larger numbers are integers
  const bool small = x < standard::numeric_limits<T>::min();
  const BitsOf<T> bits = bits_of(small ? x * (2 * whole) : x);
  const BitsOf<T> exponent =
      (bits - bits_of(T(0.707106781186547524400844362104849039)) + one) >> digits;
  return {reinterpret<T>(BitsOf<T>(bits - (exponent << digits) + one)),
          reinterpret<T>(BitsOf<T>(exponent | bits_of(whole))) -
              (whole + T(bias + (small ? digits + 1 : 0)))};
}

// The logarithm of a positive number, plus `low`. For a fraction 1 + d it is 2 atanh(f) with f = d
// / (2 + d), and 2 f = d - f d.
template <class T> USMTENSOR_INLINE T log_of_positive(T x, T low = 0) {
  const Normalised<T> parts = normalised(x);
  const T d = parts.fraction - T(1), f = d / (parts.fraction + T(1)), square = f * f;
  const T rest = f * (d - T(2) * square * polynomial<atanh_fit<T>>(square));
  return parts.exponent * ln2_high<T> + (d - (rest - (parts.exponent * ln2_low<T> + low)));
}
template <class T> USMTENSOR_INLINE T real_log(T x, T low = 0) {
  const T inner = log_of_positive(x, low);
  return x > 0 ? x < infinity<T> ? inner : x : x == 0 ? -infinity<T> : not_a_number<T>;
}
template <class T> USMTENSOR_INLINE T real_log1p(T x) {
  const DoubleWord<T> sum = two_sum(T(1), x);
  return real_log(sum.high, sum.low / sum.high);
}

// The logarithm of x / y * 2^n, with twice the digits. The quotient x / y is between sqrt(1/2) and
// sqrt(2).
template <class T> struct LogOfRatio {
  USMTENSOR_INLINE LogOfRatio(T x, T y, T n) : exponent(n) {
    const DoubleWord<T> sum = two_sum(x, y);
    const T difference = x - y, inverse = T(1) / sum.high;
    f = difference * inverse;
    const DoubleWord<T> product = two_product(f, sum.high);
    const T rest = ((difference - product.high) - product.low) - f * sum.low, square = f * f;
    cubic = f * square * polynomial<atanh_fit<T>>(square);
    const DoubleWord<T> log = fast_two_sum(n * ln2_high<T>, T(2) * f);
    value = fast_two_sum(log.high, log.low + (n * ln2_low<T> + T(2) * (rest * inverse + cubic)));
  }
  DoubleWord<T> value; // n log 2 + 2 (f + cubic)
  T f, cubic, exponent;
};
// The logarithms of a positive number and of a quotient, with twice the digits.
template <class T> USMTENSOR_INLINE DoubleWord<T> log_double_word(T x) {
  const Normalised<T> parts = normalised(x);
  return LogOfRatio<T>(parts.fraction, T(1), parts.exponent).value;
}
template <class T> USMTENSOR_INLINE LogOfRatio<T> log_of_ratio(T x, T y) {
  constexpr T root = T(1.41421356237309504880168872420969808);
  const Normalised<T> a = normalised(x), b = normalised(y);
  const bool large = a.fraction > b.fraction * root, small = b.fraction > a.fraction * root;
  return {large   ? a.fraction * T(0.5)
          : small ? a.fraction * T(2)
                  : a.fraction,
          b.fraction,
          a.exponent - b.exponent +
              (large   ? T(1)
               : small ? T(-1)
                       : T(0))};
}

// sin(pi x) for |x| <= 1/2.
template <class T> USMTENSOR_INLINE T sinpi(T x) { return x * polynomial<sinpi_fit<T>>(x * x); }

} // namespace usmtensor
