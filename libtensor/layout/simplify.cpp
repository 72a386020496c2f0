#include "simplify.hpp"

#include <utility>

namespace usmtensor {

IterationSpace::IterationSpace(int ndim, const std::int64_t *shape,
                               Span<const std::int64_t *> strides)
    : operands(static_cast<int>(strides.size())) {
  // The common case: all operands are C-contiguous.
  bool all_contiguous = true;
  for (int axis = ndim - 1; axis >= 0; --axis) {
    if (shape[axis] != 1)
      for (int k = 0; k < operands; ++k)
        all_contiguous &= strides[k][axis] == size;
    size *= shape[axis];
  }
  if (size <= 1)
    return;
  if (all_contiguous) {
    set_contiguous();
    return;
  }
  if (ndim >= inline_axes) { // insert() may add one more
    heap_ = std::make_unique<Axis[]>(ndim + 1);
    axes = heap_.get();
  }
  for (int axis = ndim - 1; axis >= 0; --axis)
    if (shape[axis] != 1)
      add(shape[axis], strides, axis);
  sort();
  merge();
}

IterationSpace::IterationSpace(std::int64_t size, int operands) : size(size), operands(operands) {
  if (size > 1)
    set_contiguous();
}

void IterationSpace::set_contiguous() {
  ndim = 1;
  axes[0].extent = size;
  std::fill_n(axes[0].strides, operands, 1);
}

// Appends an axis. Reverses it if the first nonzero stride of an operand is negative.
void IterationSpace::add(std::int64_t extent, Span<const std::int64_t *> strides, int axis) {
  Axis &added = axes[ndim++];
  added.extent = extent;
  std::int64_t direction = 0;
  for (int k = 0; k < operands; ++k) {
    const std::int64_t stride = strides[k][axis];
    if (direction == 0)
      direction = stride;
    added.strides[k] = direction < 0 ? -stride : stride;
    if (direction < 0)
      offsets[k] += (extent - 1) * stride;
  }
}

// Sorts axes by strides, the smallest first. Strides of the destination are compared first, then
// those of the other operands. The sort is stable.
void IterationSpace::sort() {
  auto is_inner = [this](const Axis &a, const Axis &b) {
    for (int k = 0; k < operands; ++k) {
      const std::int64_t x = a.strides[k] < 0 ? -a.strides[k] : a.strides[k];
      const std::int64_t y = b.strides[k] < 0 ? -b.strides[k] : b.strides[k];
      if (x != y)
        return x < y;
    }
    return false;
  };
  for (int i = 1; i < ndim; ++i)
    for (int j = i; j > 0 && is_inner(axes[j], axes[j - 1]); --j)
      std::swap(axes[j], axes[j - 1]);
}

void IterationSpace::merge() {
  int last = 0;
  for (int axis = 1; axis < ndim; ++axis) {
    bool same = true;
    for (int k = 0; k < operands; ++k)
      same &= axes[axis].strides[k] == axes[last].strides[k] * axes[last].extent;
    if (same)
      axes[last].extent *= axes[axis].extent;
    else
      axes[++last] = axes[axis];
  }
  ndim = last + 1;
}

void IterationSpace::insert(const Axis &axis) {
  std::copy_backward(axes, axes + ndim, axes + ndim + 1);
  axes[0] = axis;
  size *= axis.extent;
  ++ndim;
}

void IterationSpace::remove() {
  size /= axes[0].extent;
  std::copy_n(axes + 1, --ndim, axes);
}

bool IterationSpace::contiguous() const {
  if (ndim == 0)
    return true;
  if (ndim != 1)
    return false;
  return std::all_of(axes[0].strides, axes[0].strides + operands,
                     [](std::int64_t stride) { return stride == 1; });
}

} // namespace usmtensor
