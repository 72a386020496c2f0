#pragma once
#include "complex_math.hpp"
#include "elementwise.hpp"

namespace usmtensor {

USMTENSOR_LIBRARY_FUNCTION(Sin, sin)
USMTENSOR_LIBRARY_FUNCTION(Cos, cos)
USMTENSOR_LIBRARY_FUNCTION(Tan, tan)
USMTENSOR_LIBRARY_FUNCTION(Asin, asin)
USMTENSOR_LIBRARY_FUNCTION(Acos, acos)
USMTENSOR_LIBRARY_FUNCTION(Atan, atan)
USMTENSOR_LIBRARY_FUNCTION(Sinh, sinh)
USMTENSOR_LIBRARY_FUNCTION(Cosh, cosh)
USMTENSOR_LIBRARY_FUNCTION(Asinh, asinh)
USMTENSOR_LIBRARY_FUNCTION(Acosh, acosh)
USMTENSOR_LIBRARY_FUNCTION(Atanh, atanh)
USMTENSOR_LIBRARY_FUNCTION(Atan2, atan2)

// Double precision is computed from expm1, because the runtime's tanh is half as fast.
struct Tanh : Vectorised, LibraryFunction {
  template <class V> V operator()(V x) const {
    if constexpr (is_single<V>)
      return math::tanh(x);
    const V decay = math::expm1(V(-2) * math::fabs(x));
    return math::copysign(decay / (decay + V(2)), x);
  }
  template <class T> void operator()(int64 n, T *to, const T *x) const {
    if constexpr (is_single<T>)
      return math::tanh(n, to, x);
    T decay[math::max_elements];
    for (int64 i = 0; i < n; ++i)
      decay[i] = T(-2) * math::fabs(x[i]);
    math::expm1(n, decay, decay);
    for (int64 i = 0; i < n; ++i)
      to[i] = math::copysign(decay[i] / (decay[i] + T(2)), x[i]);
  }
  template <class T> Complex<T> operator()(Complex<T> z) const { return tanh_of(z); }
};

struct Angle {
  template <class T> T operator()(Complex<T> z) const { return math::atan2(z.imag(), z.real()); }
};

struct Real {
  template <class T> T operator()(Complex<T> z) const { return z.real(); }
};

struct Imag {
  template <class T> T operator()(Complex<T> z) const { return z.imag(); }
};

struct Conj {
  template <class T> Complex<T> operator()(Complex<T> z) const { return {z.real(), -z.imag()}; }
};

// All infinities become one point.
struct Proj {
  template <class T> Complex<T> operator()(Complex<T> z) const {
    if (math::isinf(z.real()) || math::isinf(z.imag()))
      return {infinity<T>, math::copysign(T(0), z.imag())};
    return z;
  }
};

} // namespace usmtensor
