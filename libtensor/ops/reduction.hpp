// Reductions, scans, and positions of extremes (argmax, argmin).
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

enum class Reduction : std::uint8_t { sum, prod, max, min, any, all, count_nonzero };

// The result type of a reduction of elements of a type, or -1 if there is no kernel.
int reduced_type(Reduction reduction, DType type);

// Reduces x along the axes with stride 0 in `out`. Both views have the shape of x; `out` has
// nonzero strides along other axes longer than 1. The type of `out` is reduced_type(), or an
// integer type of that size. x is not empty and does not overlap `out`. Floating point sums are
// divided by `divisor`.
void reduce(const QueueRef &queue, Reduction reduction, const View &x, const View &out,
            double divisor = 1, Caller &caller = unlocked);

// Sums the squared deviations of x from `means`, which broadcasts to x like `out`.
void reduce_deviations(const QueueRef &queue, const View &x, const View &means, const View &out,
                       double divisor, Caller &caller);

// Kernels of extremes find the largest element of a signed type. XOR with these bits maps another
// order to that order.
std::uint64_t order_flip(DType type, bool largest);
inline DType signed_type(DType type) {
  const bool is_unsigned = type == DType::uint8 || type == DType::uint16 || type == DType::uint32 ||
                           type == DType::uint64;
  return is_unsigned ? static_cast<DType>(index(type) - 1) : type;
}

// The number of blocks of an axis; find_extreme() finds a position in each of them.
std::int64_t position_blocks(const QueueRef &queue, const View &x, int axis);
// out = the position, from the start of the axis, of the largest (or smallest) element of each
// block: the first such element, or the first NaN. Along the axis, `out` has an element per block;
// otherwise the shapes are equal.
void find_extreme(const QueueRef &queue, bool largest, const View &x, int axis, const View &out,
                  Caller &caller);

enum class Scan : std::uint8_t { sum, prod };

// The result type of a scan of elements of a type. The caller casts the elements to it first.
int scan_type(DType type);
// out[i] = the sum or product of elements 0 to i along an axis. `out` is x or does not overlap it.
void scan(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
          Caller &caller);

} // namespace usmtensor
