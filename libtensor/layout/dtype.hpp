// The element types. All tables indexed by type have this order; the build checks it.
#pragma once
#include <cstddef>
#include <cstdint>

namespace usmtensor {

enum class DType : std::uint8_t { b1, i1, u1, i2, u2, i4, u4, i8, u8, f2, f4, f8, c8, c16 };

inline constexpr int dtype_count = static_cast<int>(DType::c16) + 1;

inline constexpr std::size_t dtype_itemsizes[dtype_count] = {1, 1, 1, 2, 2, 4, 4,
                                                             8, 8, 2, 4, 8, 8, 16};

// The names of types in names of kernels: kind letter and bytes, as in NumPy's type strings.
inline constexpr const char *dtype_names[dtype_count] = {"b1", "i1", "u1", "i2", "u2", "i4", "u4",
                                                         "i8", "u8", "f2", "f4", "f8", "c8", "c16"};

constexpr int index(DType type) noexcept { return static_cast<int>(type); }
constexpr std::size_t itemsize(DType type) noexcept { return dtype_itemsizes[index(type)]; }

} // namespace usmtensor
