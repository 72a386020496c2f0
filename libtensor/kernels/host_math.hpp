// The functions of math.hpp for the host. The compiler provides the exact functions. The others
// come from the vector library of the CPU driver, so that host and device give equal bits.
#pragma once
#include <cmath>

namespace usmtensor::math {

// A library function, for a number and for a vector register.
template <class T> struct Unary {
  T (*number)(T);
  void *registers;
};
template <class T> struct Binary {
  T (*number)(T, T);
  void *registers;
};

// The library functions for one element type, and the loops that apply them to arrays.
template <class T> struct Library {
#define USMTENSOR_MEMBER(name) Unary<T> name;
  USMTENSOR_UNARY_FUNCTIONS(USMTENSOR_MEMBER)
#undef USMTENSOR_MEMBER
#define USMTENSOR_MEMBER(name) Binary<T> name;
  USMTENSOR_BINARY_FUNCTIONS(USMTENSOR_MEMBER)
#undef USMTENSOR_MEMBER
  T (*sincos)(T, T *cos);
  void (*apply)(void *registers, int64 n, T *to, const T *x);
  void (*apply_binary)(void *registers, int64 n, T *to, const T *x, const T *y);
};

// host/math_library.cpp fills these objects. They have C linkage, so that all variants of the host
// kernels, in any namespace, share them.
extern "C" {
[[gnu::visibility("hidden")]] extern Library<float> usmtensor_math_f4;
[[gnu::visibility("hidden")]] extern Library<double> usmtensor_math_f8;
}
template <class T> const Library<T> &library() {
  if constexpr (sizeof(T) == 8)
    return usmtensor_math_f8;
  else
    return usmtensor_math_f4;
}

// The result may replace an operand.
#define USMTENSOR_DEFINE(name)                                                                     \
  template <class T> T name(T x) { return library<T>().name.number(x); }                           \
  template <class T> void name(int64 n, T *to, const T *x) {                                       \
    library<T>().apply(library<T>().name.registers, n, to, x);                                     \
  }
USMTENSOR_UNARY_FUNCTIONS(USMTENSOR_DEFINE)
#undef USMTENSOR_DEFINE
#define USMTENSOR_DEFINE(name)                                                                     \
  template <class T> T name(T x, T y) { return library<T>().name.number(x, y); }                   \
  template <class T> void name(int64 n, T *to, const T *x, const T *y) {                           \
    library<T>().apply_binary(library<T>().name.registers, n, to, x, y);                           \
  }
USMTENSOR_BINARY_FUNCTIONS(USMTENSOR_DEFINE)
#undef USMTENSOR_DEFINE
template <class T> Sincos<T> sincos(T x) {
  T cos;
  const T sin = library<T>().sincos(x, &cos);
  return {sin, cos};
}

// Exact functions.
using std::ceil, std::copysign, std::fabs, std::floor, std::fma, std::isinf, std::nextafter;
using std::rint, std::sqrt, std::trunc;
// fmod of the C library divides bit by bit. Below `limit` the rounded quotient exceeds the exact
// one by at most one, and its product with y is exact in double precision or in fma, so the
// remainder is exact.
template <class T> T fmod(T x, T y) {
  constexpr float64 limit = sizeof(T) == 8 ? 0x1p52 : 0x1p29;
  const float64 quotient = std::trunc(float64(x) / float64(y));
  if (!(std::fabs(quotient) < limit))
    return std::fmod(x, y);
  if (quotient == 0)
    return x;
  float64 rest;
  if constexpr (sizeof(T) == 8)
    rest = std::fma(-quotient, y, x);
  else
    rest = float64(x) - quotient * float64(y);
  if (rest != 0 && (rest < 0) != (x < 0))
    rest += std::copysign(float64(y), float64(x));
  return T(std::copysign(rest, float64(x)));
}
// If one operand is NaN, the result is the other operand.
template <class T> T fmax(T x, T y) { return y != y || x > y ? x : y; }
template <class T> T fmin(T x, T y) { return y != y || x < y ? x : y; }

} // namespace usmtensor::math
