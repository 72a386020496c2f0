#pragma once
#include "elementwise.hpp"

#include <sycl/builtins.hpp>

namespace usmtensor {

struct Floor : Vectorised {
  template <class V> V operator()(V x) const { return sycl::floor(x); }
};

struct Ceil : Vectorised {
  template <class V> V operator()(V x) const { return sycl::ceil(x); }
};

struct Trunc : Vectorised {
  template <class V> V operator()(V x) const { return sycl::trunc(x); }
};

// Halves go to the even neighbour.
struct Round : Vectorised {
  template <class V> V operator()(V x) const { return sycl::rint(x); }
  template <class T> std::complex<T> operator()(std::complex<T> z) const {
    return {sycl::rint(z.real()), sycl::rint(z.imag())};
  }
};

} // namespace usmtensor
