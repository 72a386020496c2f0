// Selections of few elements, which the host makes at once where no call has to wait.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// Places in the `axes` axes of an array from `axis` on, in whose stead a selection has one axis.
// There is an index for each of them, int64, contiguous but for strides of zero, of one shape; or
// one contiguous mask, with as many true elements as there are places.
struct Places {
  static constexpr int most_axes = 8; // of the array

  int axis, axes;
  std::int64_t count;
  const View *indices;
};

// values = the elements of x at the places; and the other way. The values are contiguous, or a
// single one that x gets. Both return false, and write nothing that counts, if a position is out of
// range, if there is no element, or if it cannot be done at once. The written array overlaps no
// other.
bool gather_at_once(const QueueRef &queue, const View &x, const Places &places, const View &values);
bool scatter_at_once(const QueueRef &queue, const View &x, const Places &places,
                     const View &values);

} // namespace usmtensor
