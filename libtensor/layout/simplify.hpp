// The iteration space of an elementwise operation, reduced to the fewest axes that describe it.
#pragma once
#include "span.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace usmtensor {

// The most operands of one operation.
inline constexpr int max_operands = 16;

// Operands over one shape; operand 0 is the destination. Axis 0 is the innermost, along which the
// destination's elements lie closest. There are no axes of extent 1, axes that are one axis for all
// operands are merged, and the destination's strides are not negative.
class IterationSpace {
public:
  struct Axis {
    std::int64_t extent;
    std::int64_t strides[max_operands]; // in elements
  };

  // Row-major shape and strides, as in a View.
  IterationSpace(int ndim, const std::int64_t *shape, Span<const std::int64_t *> strides);
  // Operands whose elements lie one after the other.
  IterationSpace(std::int64_t size, int operands);
  IterationSpace(const IterationSpace &) = delete;
  IterationSpace &operator=(const IterationSpace &) = delete;

  std::int64_t size = 1;
  const int operands;
  int ndim = 0;                            // 0 for one element or none
  std::int64_t offsets[max_operands] = {}; // from the operand's data to its first element here
  Axis *axes = inline_;                    // innermost first

  // Every operand's elements lie one after the other.
  bool contiguous() const;

  // Inserts an axis at place 0, without merging it.
  void insert(const Axis &axis);
  // Removes the axis at place 0.
  void remove();

  // Becomes each half of the space along its outermost axis, and calls run() for each.
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
