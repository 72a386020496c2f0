// Conversions between element types, defined for every value: the same result in every loop shape
// and on every device. Equal to NumPy's wherever NumPy defines one.
#pragma once
#include "kernel.hpp"

#include <limits>
#include <sycl/builtins.hpp>

namespace usmtensor {

template <class T> inline constexpr bool is_complex = false;
template <class T> inline constexpr bool is_complex<std::complex<T>> = true;

// Truncates; what does not fit, NaN included, becomes the type's minimum.
template <class I, class F> I to_signed(F value) {
  constexpr I least = std::numeric_limits<I>::min();
  const F whole = sycl::trunc(value);
  return whole >= F(least) && whole < -F(least) ? I(whole) : least;
}

// Wraps through int64; only u8 holds more than that, exactly.
template <class U, class F> U to_unsigned(F value) {
  if constexpr (sizeof(U) == 8) {
    constexpr F half_range = F(9223372036854775808.0);
    if (value >= half_range && value < 2 * half_range)
      return U(i8(value - half_range)) | U(1) << 63;
  }
  return U(to_signed<i8>(value));
}

// A float between the double and either neighbour rounds to half as the double itself would: an
// inexact float is made odd, which no later rounding mistakes for a tie.
inline f2 to_half(f8 value) {
  float nearest = float(value);
  if (f8(nearest) != value) {
    u4 bits = sycl::bit_cast<u4>(nearest);
    if (sycl::fabs(f8(nearest)) > sycl::fabs(value))
      --bits;
    nearest = sycl::bit_cast<float>(bits | 1);
  }
  return f2(nearest);
}

template <class D, class S> D convert(S value) {
  if constexpr (std::is_same_v<D, S>)
    return value;
  else if constexpr (is_complex<S> && is_complex<D>)
    return D(value.real(), value.imag());
  else if constexpr (is_complex<S> && std::is_same_v<D, b1>)
    return value.real() != 0 || value.imag() != 0;
  else if constexpr (is_complex<D>)
    return D(convert<typename D::value_type>(value), 0);
  else if constexpr (std::is_same_v<S, b1>)
    return D(bool(value));
  else if constexpr (std::is_same_v<S, f2>)
    return convert<D>(float(value));
  else if constexpr (std::is_same_v<D, b1>)
    return value != S(0);
  else if constexpr (std::is_same_v<D, f2>) {
    if constexpr (std::is_same_v<S, f8>)
      return to_half(value);
    else
      return f2(float(value)); // an integer that float rounds is beyond half's range anyway
  } else if constexpr (std::is_floating_point_v<S> && std::is_signed_v<D> && std::is_integral_v<D>)
    return to_signed<D>(value);
  else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D>)
    return to_unsigned<D>(value);
  else
    return static_cast<D>(value);
}

} // namespace usmtensor
