#include "simplify.hpp"

#include <utility>

namespace usmtensor {

template <int N>
IterationSpace<N>::IterationSpace(int ndim, const std::int64_t *shape,
                                  const std::int64_t *const (&strides)[N]) {
  // The common case first: all operands contiguous in C order.
  bool plain = true;
  for (int axis = ndim - 1; axis >= 0; --axis) {
    if (shape[axis] != 1)
      for (int k = 0; k < N; ++k)
        plain &= strides[k][axis] == size;
    size *= shape[axis];
  }
  if (size <= 1)
    return;
  if (plain) {
    this->ndim = 1;
    axes[0].extent = size;
    for (std::int64_t &stride : axes[0].strides)
      stride = 1;
    return;
  }
  if (ndim > inline_axes) {
    heap_ = std::make_unique<Axis[]>(ndim);
    axes = heap_.get();
  }
  for (int axis = ndim - 1; axis >= 0; --axis)
    if (shape[axis] != 1)
      add(shape[axis], strides, axis);
  sort();
  merge();
}

// Appends an axis, reversed for all operands where the first that moves along it moves backwards.
template <int N>
void IterationSpace<N>::add(std::int64_t extent, const std::int64_t *const (&strides)[N],
                            int axis) {
  Axis &added = axes[ndim++];
  added.extent = extent;
  std::int64_t direction = 0;
  for (int k = 0; k < N; ++k) {
    const std::int64_t stride = strides[k][axis];
    if (direction == 0)
      direction = stride;
    added.strides[k] = direction < 0 ? -stride : stride;
    if (direction < 0)
      offsets[k] += (extent - 1) * stride;
  }
}

// Smallest strides inside, the destination's counting first; equal ones keep their order.
template <int N> void IterationSpace<N>::sort() {
  auto inside = [](const Axis &a, const Axis &b) {
    for (int k = 0; k < N; ++k) {
      const std::int64_t x = a.strides[k] < 0 ? -a.strides[k] : a.strides[k];
      const std::int64_t y = b.strides[k] < 0 ? -b.strides[k] : b.strides[k];
      if (x != y)
        return x < y;
    }
    return false;
  };
  for (int i = 1; i < ndim; ++i)
    for (int j = i; j > 0 && inside(axes[j], axes[j - 1]); --j)
      std::swap(axes[j], axes[j - 1]);
}

template <int N> void IterationSpace<N>::merge() {
  int last = 0;
  for (int axis = 1; axis < ndim; ++axis) {
    bool same = true;
    for (int k = 0; k < N; ++k)
      same &= axes[axis].strides[k] == axes[last].strides[k] * axes[last].extent;
    if (same)
      axes[last].extent *= axes[axis].extent;
    else
      axes[++last] = axes[axis];
  }
  ndim = last + 1;
}

template <int N> bool IterationSpace<N>::contiguous() const {
  if (ndim == 0)
    return true;
  if (ndim != 1)
    return false;
  for (std::int64_t stride : axes[0].strides)
    if (stride != 1)
      return false;
  return true;
}

template class IterationSpace<1>;
template class IterationSpace<2>;
template class IterationSpace<3>;
template class IterationSpace<4>;

} // namespace usmtensor
