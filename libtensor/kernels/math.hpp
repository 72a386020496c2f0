// The mathematical functions of functors. A device's runtime has them for numbers and vectors. The
// host has some only for numbers, the others for numbers and arrays: f(n, to, x...).
#pragma once
#include "kernel.hpp"

namespace usmtensor::math {

// The most elements of an array argument of a functor.
inline constexpr int64 most = 128;

// Sine and cosine of one angle together. The CPU device merges adjacent calls of the two anyway,
// and the last bit may differ then.
template <class T> struct Sincos {
  T sin, cos;
};

// clang-format off
#define USMTENSOR_UNARY_FUNCTIONS(X)                                                               \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(cos) X(cosh) X(exp) X(exp2)         \
  X(expm1) X(log) X(log10) X(log1p) X(log2) X(sin) X(sinh) X(tan) X(tanh)
#define USMTENSOR_BINARY_FUNCTIONS(X) X(atan2) X(hypot) X(pow)
#define USMTENSOR_EXACT_UNARY_FUNCTIONS(X) X(ceil) X(fabs) X(floor) X(rint) X(sqrt) X(trunc)
#define USMTENSOR_EXACT_BINARY_FUNCTIONS(X) X(copysign) X(fmax) X(fmin) X(nextafter)
// Of users' kernels alone.
#define USMTENSOR_USERS_UNARY_FUNCTIONS(X) X(erf) X(erfc) X(lgamma) X(round) X(rsqrt) X(tgamma)
// clang-format on

inline uint32 popcount(uint32 x) { return __builtin_popcount(x); }

} // namespace usmtensor::math

#ifdef USMTENSOR_HOST
#include <host_math.hpp> // in angle brackets: not part of the device's source
#else
namespace usmtensor::math {

// By the names of the compiler's own functions: the headers of SYCL that call them take longer to
// compile than most kernels.
#define USMTENSOR_DEFINE(name)                                                                     \
  template <class T> T name(T x) { return __spirv_ocl_##name(x); }
USMTENSOR_UNARY_FUNCTIONS(USMTENSOR_DEFINE)
USMTENSOR_EXACT_UNARY_FUNCTIONS(USMTENSOR_DEFINE)
#undef USMTENSOR_DEFINE
#define USMTENSOR_DEFINE(name)                                                                     \
  template <class T> T name(T x, T y) { return __spirv_ocl_##name(x, y); }
USMTENSOR_BINARY_FUNCTIONS(USMTENSOR_DEFINE)
USMTENSOR_EXACT_BINARY_FUNCTIONS(USMTENSOR_DEFINE)
#undef USMTENSOR_DEFINE
// The CPU device's function gives y where y is tiny and divides x.
template <class T> T fmod(T x, T y) {
  const T rest = __spirv_ocl_fmod(x, y);
  return fabs(rest) == fabs(y) ? copysign(T(0), x) : rest;
}
template <class T> T fma(T x, T y, T z) { return __spirv_ocl_fma(x, y, z); }
template <class T> bool isinf(T x) { return __builtin_isinf(x); }
template <class T> Sincos<T> sincos(T x) {
  T cos;
  const T sin = __spirv_ocl_sincos(x, (__attribute__((opencl_private)) T *)&cos);
  return {sin, cos};
}

} // namespace usmtensor::math
#endif
