// Reductions, and operations along one axis whose order matters: scans, and positions of extremes.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

enum class Reduction : std::uint8_t { sum, prod, max, min, any, all, count_nonzero };

// The type of a reduction of elements of a type, -1 where there is no kernel for it.
int reduced_type(Reduction reduction, DType type);

// out[...] = x, reduced along the axes on which out's strides are 0; both have x's shape. On other
// axes of more than one element out's strides are not 0. The type of out is reduced_type(), or an
// integer type of its size; x is not empty, and out apart from it. Sums of floats are divided by
// `divisor`.
void reduce(const QueueRef &queue, Reduction reduction, const View &x, const View &out,
            double divisor = 1, Caller &caller = unlocked);

// Reduces the squares of the distances of x from means, which broadcast to x as out does.
void reduce_deviations(const QueueRef &queue, const View &x, const View &means, const View &out,
                       double divisor, Caller &caller);

// Kernels of extremes find the largest element of signed types. These bits turn another order into
// that order.
std::uint64_t order_flip(DType type, bool largest);
inline DType signed_type(DType type) {
  const bool is_unsigned = type == DType::uint8 || type == DType::uint16 || type == DType::uint32 ||
                           type == DType::uint64;
  return is_unsigned ? static_cast<DType>(index(type) - 1) : type;
}

// The number of blocks of an axis; each is searched for the position of an extreme by itself.
std::int64_t position_blocks(const QueueRef &queue, const View &x, int axis);
// out = the position, from the start of the axis, of the first element of each block that is the
// largest (or smallest) one, or NaN. Shapes are equal but along the axis, where out has the blocks.
void find_extreme(const QueueRef &queue, bool largest, const View &x, int axis, const View &out,
                  Caller &caller);

enum class Scan : std::uint8_t { sum, prod };

// The type of a scan of elements of a type, to which they are cast before.
int scan_type(DType type);
// out[i] = the sum or product of elements up to the i-th along an axis; out is x, or apart from it.
void scan(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
          Caller &caller);

} // namespace usmtensor
