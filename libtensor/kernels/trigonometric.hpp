#pragma once
#include "complex_math.hpp"
#include "elementwise.hpp"

namespace usmtensor {

struct Sin : Vectorised {
  template <class V> V operator()(V x) const { return sycl::sin(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return sin_of(z); }
};

struct Cos : Vectorised {
  template <class V> V operator()(V x) const { return sycl::cos(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return cos_of(z); }
};

struct Tan : Vectorised {
  template <class V> V operator()(V x) const { return sycl::tan(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return tan_of(z); }
};

struct Asin : Vectorised {
  template <class V> V operator()(V x) const { return sycl::asin(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return asin_of(z); }
};

struct Acos : Vectorised {
  template <class V> V operator()(V x) const { return sycl::acos(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return acos_of(z); }
};

struct Atan : Vectorised {
  template <class V> V operator()(V x) const { return sycl::atan(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return atan_of(z); }
};

struct Sinh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::sinh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return sinh_of(z); }
};

struct Cosh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::cosh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return cosh_of(z); }
};

// In double precision from the exponential, because the runtime's own function is half as fast.
struct Tanh : Vectorised {
  template <class V> V operator()(V x) const {
    if constexpr (std::is_same_v<V, f4> || std::is_same_v<V, sycl::vec<f4, lanes_of<f4>>>)
      return sycl::tanh(x);
    const V decay = sycl::expm1(V(-2) * sycl::fabs(x));
    return sycl::copysign(decay / (decay + V(2)), x);
  }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return tanh_of(z); }
};

struct Asinh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::asinh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return asinh_of(z); }
};

struct Acosh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::acosh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return acosh_of(z); }
};

struct Atanh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::atanh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return atanh_of(z); }
};

struct Atan2 : Vectorised {
  template <class V> V operator()(V y, V x) const { return sycl::atan2(y, x); }
};

struct Angle {
  template <class T> T operator()(std::complex<T> z) const {
    return sycl::atan2(z.imag(), z.real());
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
    if (sycl::isinf(z.real()) || sycl::isinf(z.imag()))
      return {infinity<T>, sycl::copysign(T(0), z.imag())};
    return z;
  }
};

} // namespace usmtensor
