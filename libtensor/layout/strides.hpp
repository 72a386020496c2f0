// Arithmetic on shapes and strides. Strides count elements; every product is checked for overflow.
#pragma once
#include <cstdint>

namespace usmtensor {

enum Contiguity : int { c_contiguous = 1, f_contiguous = 2 };

// The number of elements. Returns false if the product of the nonzero extents exceeds int64,
// because strides would overflow.
bool element_count(int ndim, const std::int64_t *shape, std::int64_t &count);

// The bits of the orders in which the elements are contiguous: both for size 0 or 1. Strides of
// axes of length 1 do not matter.
int contiguity(int ndim, const std::int64_t *shape, const std::int64_t *strides);

// Strides of a compact array, last axis fastest ('C') or first axis fastest ('F').
void compact_strides(int ndim, const std::int64_t *shape, char order, std::int64_t *strides);

// Strides of a compact array whose axes are ordered in memory as in the model ('K').
void compact_strides_like(int ndim, const std::int64_t *shape, const std::int64_t *model,
                          std::int64_t *strides);

// The lowest and highest element offset, relative to the element with all-zero indices; both are 0
// for size 0. Returns false if one of them exceeds 2^57, which no memory can hold.
bool element_extent(int ndim, const std::int64_t *shape, const std::int64_t *strides,
                    std::int64_t &low, std::int64_t &high);

// The strides of a reshaped view: the elements in the given order ('C' or 'F'), with another shape
// of equal size. Returns false if a copy is needed.
bool reshape_strides(int ndim, const std::int64_t *shape, const std::int64_t *strides, int new_ndim,
                     const std::int64_t *new_shape, char order, std::int64_t *new_strides);

} // namespace usmtensor
