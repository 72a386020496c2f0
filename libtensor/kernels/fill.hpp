#pragma once
#include "loops.hpp"

namespace usmtensor {

// The element's bits come as two 64-bit words, whatever its size.
template <class T> struct Fill {
  T operator()() const {
    if constexpr (sizeof(T) == 16)
      return {low, high};
    else
      return T(low);
  }
  u8 low, high;
};

} // namespace usmtensor
