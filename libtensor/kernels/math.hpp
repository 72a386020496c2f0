// The functions that functors call. A device has them in its runtime, of numbers and of vectors;
// the host has some of numbers alone, the others of numbers and of arrays: f(n, to, x...).
#pragma once
#include "kernel.hpp"

namespace usmtensor::math {

// Elements of the longest array that a functor takes.
inline constexpr i8 most = 128;

// Of one angle both at once. The CPU device makes this of the two functions anyway, where it sees
// them, and then the last bit may be another one.
template <class T> struct Sincos {
  T sin, cos;
};

} // namespace usmtensor::math

#ifdef USMTENSOR_HOST
#include <host_math.hpp> // in brackets: no text of the device's source
#else
#include <sycl/builtins.hpp>
#include <sycl/multi_ptr.hpp>

namespace usmtensor::math {

using sycl::acos, sycl::acosh, sycl::asin, sycl::asinh, sycl::atan, sycl::atan2, sycl::atanh;
using sycl::cbrt, sycl::ceil, sycl::copysign, sycl::cos, sycl::cosh, sycl::exp, sycl::exp2;
using sycl::expm1, sycl::fabs, sycl::floor, sycl::fmax, sycl::fmin, sycl::fmod, sycl::hypot;
using sycl::isinf, sycl::log, sycl::log10, sycl::log1p, sycl::log2, sycl::nextafter;
using sycl::popcount, sycl::pow, sycl::rint, sycl::sin, sycl::sinh, sycl::sqrt, sycl::tan;
using sycl::tanh, sycl::trunc;

template <class T> Sincos<T> sincos(T x) {
  T cos;
  constexpr auto space = sycl::access::address_space::private_space;
  const T sin = sycl::sincos(x, sycl::address_space_cast<space, sycl::access::decorated::no>(&cos));
  return {sin, cos};
}

} // namespace usmtensor::math
#endif
