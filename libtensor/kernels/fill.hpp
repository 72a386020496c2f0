#pragma once
#include "grid.hpp"

namespace usmtensor {

// The bits of an element of any size come as two 64-bit words.
template <class T> struct Fill {
  T operator()() const {
    if constexpr (sizeof(T) == 16)
      return {low, high};
    else
      return T(low);
  }
  u8 low, high;
};

// For measuring a launch: with no elements it does nothing.
template <class D, class... S> struct Zero {
  D operator()(S...) const { return {}; }
};

} // namespace usmtensor
