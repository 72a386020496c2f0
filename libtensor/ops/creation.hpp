// Sequences of numbers, and triangles of matrices.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// destination[i] = start + i * step of float32 or float64, in its arithmetic; `given` at i = place,
// which may be none. Floored: rounded down in the end. The destination is contiguous.
struct Linear {
  double start, step, given;
  std::int64_t place;
  bool floored;
};
void fill_linear(const QueueRef &queue, const View &destination, const Linear &line);

// destination[i] = start + i * step of integers, modulo the size of their type.
void fill_steps(const QueueRef &queue, const View &destination, std::uint64_t start,
                std::uint64_t step);

// Zeros where a column is less (before) or not less than its row + k, in all matrices of a
// C-contiguous destination.
void clear_outside(const QueueRef &queue, const View &destination, std::int64_t k, bool before);

} // namespace usmtensor
