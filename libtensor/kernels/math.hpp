// The mathematical functions of functors. A device's runtime has them for numbers and vectors. The
// host has some only for numbers, the others for numbers and arrays: f(n, to, x...).
#pragma once
#include "kernel.hpp"

namespace usmtensor::math {

// The most elements of an array argument of a functor.
inline constexpr i8 most = 128;

// Sine and cosine of one angle together. The CPU device merges adjacent calls of the two anyway,
// and the last bit may differ then.
template <class T> struct Sincos {
  T sin, cos;
};

} // namespace usmtensor::math

#ifdef USMTENSOR_HOST
#include <host_math.hpp> // in angle brackets: not part of the device's source
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
