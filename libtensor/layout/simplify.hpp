// The iteration space of an elementwise operation, reduced to the fewest axes that describe it.
#pragma once
#include <cstdint>
#include <memory>

namespace usmtensor {

// N operands over one shape; operand 0 is the destination. Axis 0 is the innermost: where the
// destination's elements lie closest. Axes of extent 1 are gone, axes that all operands walk as if
// they were one are merged, and the destination's strides are not negative.
template <int N> class IterationSpace {
public:
  struct Axis {
    std::int64_t extent;
    std::int64_t strides[N]; // in elements
  };

  // Row-major shape and strides, as in a View.
  IterationSpace(int ndim, const std::int64_t *shape, const std::int64_t *const (&strides)[N]);
  IterationSpace(const IterationSpace &) = delete;
  IterationSpace &operator=(const IterationSpace &) = delete;

  std::int64_t size = 1;
  int ndim = 0;                 // 0 for one element or none
  std::int64_t offsets[N] = {}; // from the operand's data to its first element here
  Axis *axes = inline_;         // innermost first

  // Every operand's elements lie one after the other.
  bool contiguous() const;

private:
  void add(std::int64_t extent, const std::int64_t *const (&strides)[N], int axis);
  void sort();
  void merge();

  static constexpr int inline_axes = 8;
  Axis inline_[inline_axes];
  std::unique_ptr<Axis[]> heap_;
};

} // namespace usmtensor
