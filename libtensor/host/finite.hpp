// Tests that all elements of a host array are finite: otherwise some LAPACK loops never end.
#pragma once
#include "layout/typed.hpp"

#include <complex>
#include <cstdint>

namespace usmtensor {

// An infinity or NaN minus itself is NaN.
template <class T> bool is_finite_row(const char *data, std::int64_t count, std::int64_t stride) {
  using Real = decltype(std::real(T()));
  constexpr int parts = sizeof(T) / sizeof(Real);
  bool finite = true;
  for (std::int64_t i = 0; i < count; ++i, data += stride)
    for (int part = 0; part < parts; ++part) {
      const Real x = reinterpret_cast<const Real *>(data)[part];
      finite &= x - x == 0;
    }
  return finite;
}

// Strides are in bytes. If `is_lower`, only the lower triangles of the last two axes are tested.
template <class T>
bool is_finite(const char *data, int ndim, const std::int64_t *shape, const std::int64_t *strides,
               bool is_lower) {
  if (ndim == 1)
    return is_finite_row<T>(data, shape[0], strides[0]);
  for (std::int64_t i = 0; i < shape[0]; ++i, data += strides[0])
    if (is_lower && ndim == 2 ? !is_finite_row<T>(data, i + 1, strides[1])
                              : !is_finite<T>(data, ndim - 1, shape + 1, strides + 1, is_lower))
      return false;
  return true;
}

inline bool is_finite(DType type, const char *data, int ndim, const std::int64_t *shape,
                      const std::int64_t *strides, bool is_lower) {
  return typed(type, [&](auto zero) {
    return is_finite<decltype(zero)>(data, ndim, shape, strides, is_lower);
  });
}

} // namespace usmtensor
