// Sort keys, as computed by kernels/order.hpp.
#pragma once
#include "layout/dtype.hpp"

#include <cstdint>

namespace usmtensor {

struct Keys {
  static constexpr std::uint64_t all = ~std::uint64_t(0);

  std::uint64_t fold = 0, limit = all, top = 0, bias = 0;
  std::uint64_t relevant = all; // the bits of a key that are compared
};

// For complex numbers only the bias is used: it reverses their order.
inline Keys keys_of(DType type, bool descending) {
  const std::uint64_t sign = std::uint64_t(1) << (8 * itemsize(type) - 1) % 64;
  Keys keys;
  if (type == DType::bool8)
    keys.limit = 0, keys.top = 1;
  else if (type == DType::int8 || type == DType::int16 || type == DType::int32 ||
           type == DType::int64)
    keys.bias = sign;
  else if (type >= DType::float16 && !is_complex(type))
    keys = {Keys::all,
            type == DType::float16   ? 0x7c00u
            : type == DType::float32 ? 0x7f800000u
                                     : 0x7ff0000000000000u,
            sign - 1, sign};
  if (descending)
    keys.bias = ~keys.bias;
  return keys;
}

} // namespace usmtensor
