// Functions of complex numbers, with the values at zeros, infinities and NaN that C99 and the array
// API standard list.
#pragma once
#include "kernel.hpp"

#include <limits>
#include <sycl/builtins.hpp>

namespace usmtensor {

template <class T> inline constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> bool finite(T x) { return x - x == 0; }

// Scaled by the larger part of the divisor. By zero each part is divided by it.
template <class T> std::complex<T> quotient(std::complex<T> x, std::complex<T> y) {
  const T a = sycl::fabs(y.real()), b = sycl::fabs(y.imag());
  if (a == 0 && b == 0)
    return {x.real() / a, x.imag() / a};
  if (a >= b) {
    const T ratio = y.imag() / y.real(), scale = 1 / (y.real() + y.imag() * ratio);
    return {(x.real() + x.imag() * ratio) * scale, (x.imag() - x.real() * ratio) * scale};
  }
  const T ratio = y.real() / y.imag(), scale = 1 / (y.imag() + y.real() * ratio);
  return {(x.real() * ratio + x.imag()) * scale, (x.imag() * ratio - x.real()) * scale};
}

template <class T> std::complex<T> exp_of(std::complex<T> z) { return std::exp(z); }
template <class T> std::complex<T> expm1_of(std::complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (!finite(x) || !finite(y)) {
    const auto e = exp_of(z);
    return {e.real() - 1, e.imag()};
  }
  if (y == 0)
    return {sycl::expm1(x), y};
  const T half_sine = sycl::sin(y / 2);
  return {sycl::expm1(x) * sycl::cos(y) - 2 * half_sine * half_sine, sycl::exp(x) * sycl::sin(y)};
}
template <class T> std::complex<T> log_of(std::complex<T> z) { return std::log(z); }
template <class T> std::complex<T> log1p_of(std::complex<T> z) {
  const T x = z.real(), y = z.imag();
  if (!finite(x) || !finite(y) || sycl::fabs(x) > 1 || sycl::fabs(y) > 1)
    return log_of(std::complex<T>(1 + x, y));
  return {sycl::log1p(x * (2 + x) + y * y) / 2, sycl::atan2(y, 1 + x)};
}
template <class T> std::complex<T> sqrt_of(std::complex<T> z) { return std::sqrt(z); }

// Small integer powers are products, as NumPy takes them.
template <class T> std::complex<T> pow_of(std::complex<T> x, std::complex<T> y) {
  if (y.real() == 0 && y.imag() == 0)
    return {1, 0};
  if (x.real() == 0 && x.imag() == 0) {
    const T nan = std::numeric_limits<T>::quiet_NaN();
    return y.real() > 0 ? std::complex<T>(0, 0) : std::complex<T>(nan, nan);
  }
  if (y.imag() == 0 && sycl::fabs(y.real()) < 100 && y.real() == sycl::trunc(y.real())) {
    std::complex<T> power(1, 0), base = x;
    for (int n = int(sycl::fabs(y.real())); n != 0; n >>= 1, base *= base)
      if (n & 1)
        power *= base;
    return y.real() < 0 ? quotient(std::complex<T>(1, 0), power) : power;
  }
  return std::pow(x, y);
}

} // namespace usmtensor
