// The iteration space of an elementwise operation, reduced to as few axes as possible.
#pragma once
#include "span.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace usmtensor {

// The largest number of operands of an operation.
inline constexpr int max_operands = 16;

// The operands have one shape; operand 0 is the destination. Axis 0 is the innermost: the
// destination has its smallest stride there. There are no axes of extent 1. Axes that form one axis
// for all operands are merged. The destination's strides are not negative.
class IterationSpace {
public:
  struct Axis {
    std::int64_t extent;
    std::int64_t strides[max_operands]; // in elements
  };

  // The shape and strides are in the order of a View: the last axis is the innermost.
  IterationSpace(int ndim, const std::int64_t *shape, Span<const std::int64_t *> strides);
  // Contiguous operands of `size` elements.
  IterationSpace(std::int64_t size, int operands);
  IterationSpace(const IterationSpace &) = delete;
  IterationSpace &operator=(const IterationSpace &) = delete;

  std::int64_t size = 1;
  const int operands;
  int ndim = 0;                            // 0 if size is at most 1
  std::int64_t offsets[max_operands] = {}; // of the first element, from the operand's data
  Axis *axes = inline_;                    // innermost first

  // True if every operand is contiguous.
  bool contiguous() const;

  // Inserts an axis as axis 0, without merging it.
  void insert(const Axis &axis);
  // Removes axis 0.
  void remove();

  // Splits the space along its outermost axis: calls run() while the space is each of the halves,
  // and then restores it.
  template <class Run> void halve(Run &&run) {
    Axis *last = axes + ndim - 1;
    while (last->extent == 1)
      --last;
    Axis &axis = *last;
    const std::int64_t extent = axis.extent, rest = size / extent, half = extent / 2;
    auto become = [&](std::int64_t first, std::int64_t count) {
      axis.extent = count;
      size = rest * count;
      for (int k = 0; k < operands; ++k)
        offsets[k] += first * axis.strides[k];
    };
    become(0, half);
    run();
    become(half, extent - half);
    run();
    become(-half, extent);
  }

private:
  void set_contiguous();
  void add(std::int64_t extent, Span<const std::int64_t *> strides, int axis);
  void sort();
  void merge();

  static constexpr int inline_axes = 8;
  Axis inline_[inline_axes];
  std::unique_ptr<Axis[]> heap_;
};

} // namespace usmtensor
