// Arithmetic on shapes and strides. Strides count elements; every product is checked for overflow.
#pragma once
#include <cstdint>

namespace usmtensor {

enum Contiguity : int { c_contiguous = 1, f_contiguous = 2 };

// The number of elements. False if it exceeds int64, or if the product of the non-zero extents
// does, which would make strides too large.
bool element_count(int ndim, const std::int64_t *shape, std::int64_t &count);

// Both bits for at most one element and for size 0. Strides of length-1 axes do not matter.
int contiguity(int ndim, const std::int64_t *shape, const std::int64_t *strides);

// Strides of a compact array, last axis fastest ('C') or first axis fastest ('F').
void compact_strides(int ndim, const std::int64_t *shape, char order, std::int64_t *strides);

// Strides of a compact array whose axes are ordered in memory as in the model ('K').
void compact_strides_like(int ndim, const std::int64_t *shape, const std::int64_t *model,
                          std::int64_t *strides);

// The lowest and highest element offset from the element of all-zero indices, both 0 for size 0.
// False if one exceeds 2^57: no memory is as large.
bool element_extent(int ndim, const std::int64_t *shape, const std::int64_t *strides,
                    std::int64_t &low, std::int64_t &high);

// The strides of a reshaped view: the elements, read in the given order ('C' or 'F'), under another
// shape of equal size. False if that needs a copy.
bool reshape_strides(int ndim, const std::int64_t *shape, const std::int64_t *strides, int new_ndim,
                     const std::int64_t *new_shape, char order, std::int64_t *new_strides);

} // namespace usmtensor
