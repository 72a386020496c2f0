// Conversions between element types, defined for every value. The result depends neither on the
// loop nor on the device. It is equal to NumPy's result wherever NumPy defines it.
#pragma once
#include "kernel.hpp"
#ifdef USMTENSOR_HOST
#include <emmintrin.h>
#endif

namespace usmtensor {

// The functions select between arithmetic results without branches and calls, so that they
// vectorise.

#ifdef USMTENSOR_HOST
// x86-64 converts one number to or from int64 by one instruction, which is faster than vector code
// on the bits. Values out of range and NaN give the minimum.
inline constexpr bool has_int64_instructions = true;
inline int64 to_int64(float32 value) { return _mm_cvttss_si64(_mm_set_ss(value)); }
inline int64 to_int64(float64 value) { return _mm_cvttsd_si64(_mm_set_sd(value)); }
#else
inline constexpr bool has_int64_instructions = false;
// Computes on the bits: few CPUs have a vector instruction for this, and loops that call the
// runtime's functions do not vectorise.
template <class F> int64 to_int64(F value) {
  using I = standard::conditional_t<sizeof(F) == 8, int64, int32>;
  constexpr int digits = standard::numeric_limits<F>::digits - 1;
  constexpr I bias = standard::numeric_limits<F>::max_exponent - 1;
  constexpr F half_range = F(9223372036854775808.0);
  const I bits = reinterpret<I>(value);
  const int64 sign = bits < 0 ? -1 : 0;
  const I exponent = (bits >> digits & (2 * bias + 1)) - bias - digits;
  const I left = exponent > 0 ? exponent : 0, right = exponent > 0 ? 0 : -exponent;
  const uint64 mantissa = uint64(bits & ((I(1) << digits) - 1)) | uint64(1) << digits;
  const uint64 magnitude = mantissa << (left & 63) >> (right < 63 ? right : 63);
  const bool fits = value >= -half_range && value < half_range;
  return fits ? int64(magnitude ^ uint64(sign)) - sign : standard::numeric_limits<int64>::min();
}
#endif

// Converts 64-bit integers to double as two 32-bit halves, so that it vectorises. Only the sum
// rounds.
inline float64 to_double(int64 value) {
  return float64(int32(value >> 32)) * 4294967296.0 + float64(uint32(value));
}
inline float64 to_double(uint64 value) {
  return float64(uint32(value >> 32)) * 4294967296.0 + float64(uint32(value));
}

// Converts to float in two parts; only their sum rounds. Larger values first lose their low bits,
// twelve at a time. The lowest remaining bit records whether a lost bit was set; it is far below
// float's rounding position. There is no absolute value, because that would be a call.
template <class I> float to_float(I value) {
  float unit = 1;
  for (int shift = 52; shift >= 40; shift -= 12) {
    const bool large = uint64(value >> shift) + 1 > 1; // all bits above are equal otherwise
    value = large ? I(value >> 12 | ((value & 0xfff) != 0)) : value;
    unit = large ? unit * 4096.0f : unit;
  }
  return (float(int32(value >> 16)) * 65536.0f + float(int32(value & 0xffff))) * unit;
}

// Truncates. Values out of range and NaN give the minimum of the type.
template <class I, class F> I to_signed(F value) {
  if constexpr (sizeof(I) == 8)
    return to_int64(value);
  else {
    constexpr I minimum = standard::numeric_limits<I>::min();
    // If F has fractions just below the minimum, they truncate to the minimum.
    constexpr bool fractions = standard::numeric_limits<F>::digits >= 8 * int(sizeof(I));
    const bool above = fractions ? value > F(minimum) - 1 : value >= F(minimum);
    return above && value < -F(minimum) ? I(value) : minimum;
  }
}

// The low 32 bits of a value in the range of int64. Every step is exact.
template <class F> uint32 low_word(F value) {
  constexpr F word = F(4294967296.0), half_word = F(65536.0);
  const F rest = value - F(int32(value / word)) * word;
  const int32 high = int32(rest / half_word);
  return (uint32(high) << 16) + uint32(int32(rest - F(high) * half_word));
}

// Wraps through int64: values out of its range and NaN become its minimum, whose low bits are 0.
// Only uint64 can represent larger values, which stay exact.
template <class U, class F> U to_unsigned(F value) {
  constexpr F half_range = F(9223372036854775808.0);
  if constexpr (sizeof(U) == 8) {
    const bool large = value >= half_range && value < 2 * half_range;
    return U(to_int64(large ? value - half_range : value)) | U(large) << 63;
  } else {
    // If F has too few digits for them, the low bits of a value outside int32 are 0.
    constexpr bool few = standard::numeric_limits<F>::digits + 8 * int(sizeof(U)) <= 32;
    constexpr F limit = few ? F(2147483648.0) : half_range;
    const F within = value >= -limit && value < limit ? value : F(0);
    return few ? U(int32(within)) : U(low_word(within));
  }
}

// The float that rounds to the same float16 as the value. An inexact float is made odd (round to
// odd), so that the second rounding finds no false tie.
inline float to_odd_float(float64 value) {
  const float nearest = float(value);
  const bool inexact = float64(nearest) != value;
  const bool too_large = (float64(nearest) > value) != (value < 0);
  const uint32 bits = reinterpret<uint32>(nearest);
  return reinterpret<float>(inexact ? (bits - too_large) | 1 : bits);
}

template <class D, class S> D convert(S value) {
  if constexpr (standard::is_same_v<D, S>)
    return value;
  else if constexpr (is_complex<S> && is_complex<D>)
    return D(value.real(), value.imag());
  else if constexpr (is_complex<S> && standard::is_same_v<D, bool8>)
    return value.real() != 0 || value.imag() != 0;
  else if constexpr (is_complex<D>)
    return D(convert<typename D::value_type>(value), 0);
  else if constexpr (standard::is_same_v<S, bool8>)
    return convert<D>(int32(bool(value))); // from bool to float does not vectorise
  else if constexpr (is_float16<S>)
    return convert<D>(float(value));
  else if constexpr (standard::is_same_v<D, bool8>)
    return value != S(0);
  else if constexpr (is_float16<D>) {
    if constexpr (standard::is_same_v<S, float64>)
      return float16(to_odd_float(value));
    else
      return float16(
          convert<float>(value)); // integers that float rounds are out of float16's range
  } else if constexpr (standard::is_same_v<S, int64> && has_int64_instructions)
    return static_cast<D>(value);
  else if constexpr (sizeof(S) == 8 && standard::is_integral_v<S> &&
                     standard::is_same_v<D, float64>)
    return to_double(value);
  else if constexpr (sizeof(S) == 8 && standard::is_integral_v<S> &&
                     standard::is_same_v<D, float32>)
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
