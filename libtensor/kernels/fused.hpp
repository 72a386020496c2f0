// For the statements of fused functions.
#pragma once
#include "convert.hpp"
#include "elementwise.hpp"

namespace usmtensor {

// Returns the value, but hides from the compiler that it is the same value. The compiler would
// merge the sine and the cosine of one number, which may change the last bit of the cosine.
template <class T> T opaque(T value, uint64 zero) {
  return reinterpret<T>(Bits<sizeof(T)>(reinterpret<Bits<sizeof(T)>>(value) ^ zero));
}

} // namespace usmtensor
