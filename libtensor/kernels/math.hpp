// Mathematical functions for functors. A device runtime has them for numbers and vectors. The host
// has some only for numbers, and others for numbers and arrays: f(n, to, x...).
#pragma once
#include "kernel.hpp"

namespace usmtensor::math {

// The maximum number of elements in an array argument of a functor.
inline constexpr int64 max_elements = 128;

// Sine and cosine of one angle. The CPU device merges adjacent calls of both functions anyway,
// which may change the last bit.
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
// Only for user kernels.
#define USMTENSOR_USERS_UNARY_FUNCTIONS(X) X(erf) X(erfc) X(lgamma) X(round) X(rsqrt) X(tgamma)
// clang-format on

inline uint32 popcount(uint32 x) { return __builtin_popcount(x); }

} // namespace usmtensor::math

#ifdef USMTENSOR_HOST
#include <host_math.hpp> // in angle brackets, so that the device source does not include it
#else
namespace usmtensor::math {

// These call the compiler's built-in functions: the SYCL headers that call them take longer to
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
// The CPU device's function returns y if y is tiny and divides x.
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
