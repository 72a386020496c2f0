#pragma once
#include "elementwise.hpp"

namespace usmtensor {

USMTENSOR_FUNCTION(Floor, floor)
USMTENSOR_FUNCTION(Ceil, ceil)
USMTENSOR_FUNCTION(Trunc, trunc)

// Rounds ties to even.
struct Round : Vectorised {
  template <class V> V operator()(V x) const { return math::rint(x); }
  template <class T> Complex<T> operator()(Complex<T> z) const {
    return {math::rint(z.real()), math::rint(z.imag())};
  }
};

} // namespace usmtensor
