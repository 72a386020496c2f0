// Conversions between element types, defined for every value. The result depends neither on the
// loop nor on the device. It equals NumPy's wherever NumPy defines the result.
#pragma once
#include "kernel.hpp"
#ifdef USMTENSOR_HOST
#include <emmintrin.h>
#endif

namespace usmtensor {

// The code selects between arithmetic results, without calls, so that it vectorises.

#ifdef USMTENSOR_HOST
// An x86-64 processor converts one number to or from int64 by one instruction. That is faster than
// arithmetic with vectors of bits. Values out of range, and NaN, give the minimum.
inline constexpr bool has_int64_instructions = true;
inline i8 to_int64(f4 value) { return _mm_cvttss_si64(_mm_set_ss(value)); }
inline i8 to_int64(f8 value) { return _mm_cvttsd_si64(_mm_set_sd(value)); }
#else
inline constexpr bool has_int64_instructions = false;
// Computes with the bits: few CPUs convert vectors by an instruction, and loops with the runtime's
// functions do not vectorise.
template <class F> i8 to_int64(F value) {
  using I = standard::conditional_t<sizeof(F) == 8, i8, i4>;
  constexpr int digits = standard::numeric_limits<F>::digits - 1;
  constexpr I bias = standard::numeric_limits<F>::max_exponent - 1;
  constexpr F half_range = F(9223372036854775808.0);
  const I bits = reinterpret<I>(value);
  const i8 sign = bits < 0 ? -1 : 0;
  const I exponent = (bits >> digits & (2 * bias + 1)) - bias - digits;
  const I left = exponent > 0 ? exponent : 0, right = exponent > 0 ? 0 : -exponent;
  const u8 mantissa = u8(bits & ((I(1) << digits) - 1)) | u8(1) << digits;
  const u8 magnitude = mantissa << (left & 63) >> (right < 63 ? right : 63);
  const bool fits = value >= -half_range && value < half_range;
  return fits ? i8(magnitude ^ u8(sign)) - sign : standard::numeric_limits<i8>::min();
}
#endif

// 64-bit integers to double by halves, so that it vectorises. Only the sum rounds.
inline f8 to_double(i8 value) { return f8(i4(value >> 32)) * 4294967296.0 + f8(u4(value)); }
inline f8 to_double(u8 value) { return f8(u4(value >> 32)) * 4294967296.0 + f8(u4(value)); }

// To float in two parts. Only their sum rounds. Larger values first lose low bits, twelve at a
// time; the lowest kept bit records whether a lost bit was set. It lies far below the place where
// float rounds. There is no absolute value, because that would be a call.
template <class I> float to_float(I value) {
  float unit = 1;
  for (int most = 52; most >= 40; most -= 12) {
    const bool large = u8(value >> most) + 1 > 1; // all bits above are equal otherwise
    value = large ? I(value >> 12 | ((value & 0xfff) != 0)) : value;
    unit = large ? unit * 4096.0f : unit;
  }
  return (float(i4(value >> 16)) * 65536.0f + float(i4(value & 0xffff))) * unit;
}

// Truncates. Values out of range, and NaN, become the type's minimum.
template <class I, class F> I to_signed(F value) {
  if constexpr (sizeof(I) == 8)
    return to_int64(value);
  else {
    constexpr I least = standard::numeric_limits<I>::min();
    // If F has fractions just below the minimum, they still truncate to the minimum.
    constexpr bool fractions = standard::numeric_limits<F>::digits >= 8 * int(sizeof(I));
    const bool above = fractions ? value > F(least) - 1 : value >= F(least);
    return above && value < -F(least) ? I(value) : least;
  }
}

// The low 32 bits of a value in the range of int64. Every step is exact.
template <class F> u4 low_word(F value) {
  constexpr F word = F(4294967296.0), half_word = F(65536.0);
  const F rest = value - F(i4(value / word)) * word;
  const i4 high = i4(rest / half_word);
  return (u4(high) << 16) + u4(i4(rest - F(high) * half_word));
}

// Wraps through int64: values out of its range, and NaN, become its minimum, whose low bits are 0.
// Only u8 holds larger values, which stay exact.
template <class U, class F> U to_unsigned(F value) {
  constexpr F half_range = F(9223372036854775808.0);
  if constexpr (sizeof(U) == 8) {
    const bool large = value >= half_range && value < 2 * half_range;
    return U(to_int64(large ? value - half_range : value)) | U(large) << 63;
  } else {
    // The bits of U in a value beyond i4 are 0 where F has too few digits for them.
    constexpr bool few = standard::numeric_limits<F>::digits + 8 * int(sizeof(U)) <= 32;
    constexpr F limit = few ? F(2147483648.0) : half_range;
    const F within = value >= -limit && value < limit ? value : F(0);
    return few ? U(i4(within)) : U(low_word(within));
  }
}

// The float that rounds to the same half as the value does. An inexact float is made odd, so that
// the second rounding finds no false tie.
inline float to_odd_float(f8 value) {
  const float nearest = float(value);
  const bool inexact = f8(nearest) != value;
  const bool too_large = (f8(nearest) > value) != (value < 0);
  const u4 bits = reinterpret<u4>(nearest);
  return reinterpret<float>(inexact ? (bits - too_large) | 1 : bits);
}

template <class D, class S> D convert(S value) {
  if constexpr (standard::is_same_v<D, S>)
    return value;
  else if constexpr (is_complex<S> && is_complex<D>)
    return D(value.real(), value.imag());
  else if constexpr (is_complex<S> && standard::is_same_v<D, b1>)
    return value.real() != 0 || value.imag() != 0;
  else if constexpr (is_complex<D>)
    return D(convert<typename D::value_type>(value), 0);
  else if constexpr (standard::is_same_v<S, b1>)
    return convert<D>(i4(bool(value))); // from bool to float does not vectorise
  else if constexpr (is_half<S>)
    return convert<D>(float(value));
  else if constexpr (standard::is_same_v<D, b1>)
    return value != S(0);
  else if constexpr (is_half<D>) {
    if constexpr (standard::is_same_v<S, f8>)
      return f2(to_odd_float(value));
    else
      return f2(convert<float>(value)); // integers that float must round are beyond half's range
  } else if constexpr (standard::is_same_v<S, i8> && has_int64_instructions)
    return static_cast<D>(value);
  else if constexpr (sizeof(S) == 8 && standard::is_integral_v<S> && standard::is_same_v<D, f8>)
    return to_double(value);
  else if constexpr (sizeof(S) == 8 && standard::is_integral_v<S> && standard::is_same_v<D, f4>)
    return to_float(value);
  else if constexpr (standard::is_floating_point_v<S> && standard::is_signed_v<D> &&
                     standard::is_integral_v<D>)
    return to_signed<D>(value);
  else if constexpr (standard::is_floating_point_v<S> && standard::is_integral_v<D>)
    return to_unsigned<D>(value);
  else
    return static_cast<D>(value);
}

} // namespace usmtensor
