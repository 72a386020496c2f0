// The element types. All tables that are indexed by type have this order; the build checks it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace usmtensor {

enum class DType : std::uint8_t {
  bool8,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128
};

inline constexpr int dtype_count = static_cast<int>(DType::complex128) + 1;

inline constexpr std::size_t dtype_itemsizes[dtype_count] = {1, 1, 1, 2, 2, 4, 4,
                                                             8, 8, 2, 4, 8, 8, 16};

// The names of types in kernel names: kind letter and bytes, as in NumPy's type strings.
inline constexpr const char *dtype_names[dtype_count] = {"b1", "i1", "u1", "i2", "u2", "i4", "u4",
                                                         "i8", "u8", "f2", "f4", "f8", "c8", "c16"};

constexpr int index(DType type) noexcept { return static_cast<int>(type); }
constexpr std::size_t itemsize(DType type) noexcept { return dtype_itemsizes[index(type)]; }
constexpr bool is_integer(DType type) noexcept {
  return DType::int8 <= type && type <= DType::uint64;
}
constexpr bool is_complex(DType type) noexcept { return type >= DType::complex64; }

// The bits of a real number as an element of a floating point type, or as a part of a complex one.
inline std::uint64_t bits_of(double value, DType type) {
  const bool is_double = type == DType::float64 || type == DType::complex128;
  const float single = static_cast<float>(value);
  std::uint64_t bits = 0;
  std::memcpy(&bits, is_double ? static_cast<const void *>(&value) : &single, is_double ? 8 : 4);
  return bits;
}

} // namespace usmtensor
