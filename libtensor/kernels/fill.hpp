#pragma once
#include "grid.hpp"

namespace usmtensor {

// The bits of an element of any size are passed as two 64-bit words.
template <class T> struct Fill {
  T operator()() const { return from_bits<T>(low, high); }
  uint64 low, high;
};

// Measures a launch: with zero elements it does nothing.
template <class D, class... S> struct Zero {
  D operator()(S...) const { return {}; }
};

} // namespace usmtensor
