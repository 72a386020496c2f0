// Dispatch from element types to C++ types.
#pragma once
#include "dtype.hpp"

#include <complex>

namespace usmtensor {

// Calls `call` with a zero of the C++ type. The type is a floating point type of single or double
// precision.
template <class Call> decltype(auto) typed(DType type, Call &&call) {
  switch (type) {
  case DType::float32:
    return call(float());
  case DType::float64:
    return call(double());
  case DType::complex64:
    return call(std::complex<float>());
  default:
    return call(std::complex<double>());
  }
}

} // namespace usmtensor
