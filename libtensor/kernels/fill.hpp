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

// For the cost of a launch: of no elements, it does nothing.
template <class D, class... S> struct Zero {
  D operator()(S...) const { return {}; }
};

} // namespace usmtensor
