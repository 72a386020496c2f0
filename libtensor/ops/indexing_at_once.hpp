// Selections of few elements, which the host makes at once where no call has to wait.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// Places in an array: `axes` of its axes, from `axis` on, become one axis of the selection. Each of
// them has an index, int64. The indices have one shape; they are contiguous, or broadcast from
// contiguous arrays. Or there is one axis, and a contiguous mask for it with `count` true elements.
struct Places {
  static constexpr int most_axes = 8; // of the array

  int axis, axes;
  std::int64_t count;
  const View *indices;
};

// gather: values = the elements of x at the places; scatter: the elements of x there = values. The
// values are contiguous; scatter also takes one value for all places. The written array overlaps no
// other. Both return false if a position is out of range, if there is no element, or if the host
// cannot do it at once. Then scatter has changed nothing, and the values of gather are undefined.
bool gather_at_once(const QueueRef &queue, const View &x, const Places &places, const View &values);
bool scatter_at_once(const QueueRef &queue, const View &x, const Places &places,
                     const View &values);

} // namespace usmtensor
