#pragma once
#include "complex_math.hpp"
#include "elementwise.hpp"

namespace usmtensor {

USMTENSOR_FUNCTION(Sin, sin)
USMTENSOR_FUNCTION(Cos, cos)
USMTENSOR_FUNCTION(Tan, tan)
USMTENSOR_FUNCTION(Asin, asin)
USMTENSOR_FUNCTION(Acos, acos)
USMTENSOR_FUNCTION(Atan, atan)
USMTENSOR_FUNCTION(Sinh, sinh)
USMTENSOR_FUNCTION(Cosh, cosh)
USMTENSOR_FUNCTION(Asinh, asinh)
USMTENSOR_FUNCTION(Acosh, acosh)
USMTENSOR_FUNCTION(Atanh, atanh)
USMTENSOR_FUNCTION(Atan2, atan2)

// In double precision from the exponential, because the runtime's own function is half as fast.
struct Tanh : Vectorised {
  template <class V> V operator()(V x) const {
    if constexpr (std::is_same_v<V, f4> || std::is_same_v<V, math::Vector<f4>>)
      return math::tanh(x);
    const V decay = math::expm1(V(-2) * math::fabs(x));
    return math::copysign(decay / (decay + V(2)), x);
  }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return tanh_of(z); }
};

struct Angle {
  template <class T> T operator()(std::complex<T> z) const {
    return math::atan2(z.imag(), z.real());
  }
};

struct Real {
  template <class T> T operator()(std::complex<T> z) const { return z.real(); }
};

struct Imag {
  template <class T> T operator()(std::complex<T> z) const { return z.imag(); }
};

struct Conj {
  template <class T> std::complex<T> operator()(std::complex<T> z) const {
    return {z.real(), -z.imag()};
  }
};

// All infinities are one point.
struct Proj {
  template <class T> std::complex<T> operator()(std::complex<T> z) const {
    if (math::isinf(z.real()) || math::isinf(z.imag()))
      return {infinity<T>, math::copysign(T(0), z.imag())};
    return z;
  }
};

} // namespace usmtensor
