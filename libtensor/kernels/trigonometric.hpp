#pragma once
#include "complex_math.hpp"
#include "elementwise.hpp"

namespace usmtensor {

struct Sin : Vectorised {
  template <class V> V operator()(V x) const { return sycl::sin(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::sin(z); }
};

struct Cos : Vectorised {
  template <class V> V operator()(V x) const { return sycl::cos(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::cos(z); }
};

struct Tan : Vectorised {
  template <class V> V operator()(V x) const { return sycl::tan(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::tan(z); }
};

struct Asin : Vectorised {
  template <class V> V operator()(V x) const { return sycl::asin(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::asin(z); }
};

struct Acos : Vectorised {
  template <class V> V operator()(V x) const { return sycl::acos(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::acos(z); }
};

struct Atan : Vectorised {
  template <class V> V operator()(V x) const { return sycl::atan(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::atan(z); }
};

struct Sinh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::sinh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::sinh(z); }
};

struct Cosh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::cosh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::cosh(z); }
};

struct Tanh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::tanh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::tanh(z); }
};

struct Asinh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::asinh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::asinh(z); }
};

struct Acosh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::acosh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::acosh(z); }
};

struct Atanh : Vectorised {
  template <class V> V operator()(V x) const { return sycl::atanh(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const { return std::atanh(z); }
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
