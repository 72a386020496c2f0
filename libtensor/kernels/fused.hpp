// For the statements of fused functions.
#pragma once
#include "convert.hpp"
#include "elementwise.hpp"

namespace usmtensor {

// The same number, which the compiler does not know to be the same. It merges the sine and the
// cosine of one number, and the cosine may have another last bit then.
template <class T> T apart(T value, uint64 zero) {
  return reinterpret<T>(Bits<sizeof(T)>(reinterpret<Bits<sizeof(T)>>(value) ^ zero));
}

} // namespace usmtensor
