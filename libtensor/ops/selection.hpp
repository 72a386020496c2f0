// The elements of an array that a key selects: at indices of some axes, or under a mask.
#pragma once
#include "indexing.hpp"
#include "layout/strides.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace usmtensor {

// The axes of the array come in their order; then count_true() and set_shape() complete the
// selection. The views refer to the shapes of their arrays, which must stay alive.
class Selection {
  std::byte room_[1536]; // for the vectors of most selections, and of gather() and scatter()
  std::pmr::monotonic_buffer_resource memory_{room_, sizeof room_};

public:
  using Extents = std::pmr::vector<std::int64_t>;
  struct Axis {
    std::int64_t extent, stride;
  };
  struct Index {
    View view; // contiguous
    IndexedAxis axis;
    int number;     // of the axis, for messages
    bool inside;    // known to be in range
    Extents layout; // its shape and strides; then its strides in the common shape of all indices
  };

  Selection() = default;
  Selection(const Selection &) = delete;
  Selection &operator=(const Selection &) = delete;

  // The array, and the kind of memory of the result.
  void begin(const View &array, UsmKind kind) {
    base = array, this->kind = kind;
    kept.reserve(base.ndim);
  }
  // So many axes that stay axes of the selection.
  void keep(int count) {
    for (; count > 0; --count, ++next_)
      kept.push_back({base.shape[next_], base.strides[next_]});
    separate();
  }
  // An axis with an index: int64, or int32 if it is the only one and the array is read.
  void at(const View &index, bool clips, bool inside, int number) {
    join();
    const std::int64_t extent = this->extent(0), stride = base.strides[next_++];
    indices.push_back(
        {index, {clips ? 0 : extent, 0, extent - 1, stride}, number, inside, Extents(&memory_)});
    Extents &layout = indices.back().layout;
    layout.reserve(3 * index.ndim);
    layout.assign(index.shape, index.shape + index.ndim);
    layout.insert(layout.end(), index.strides, index.strides + index.ndim);
  }
  // Axes with a contiguous mask of their shape; then there are no indices.
  void under(const View &flags) {
    join();
    mask = flags, masked = true;
    mask_strides = base.strides + next_;
    next_ += mask.ndim;
    const std::int64_t size = mask.size();
    if (!reshape_strides(mask.ndim, mask.shape, mask_strides, 1, &size, 'C', &line_stride))
      line_stride = 0;
  }
  // The axes of the indices follow those that are kept before them if all indices lie side by
  // side; otherwise they come first. An integer counts as an index for that.
  void join() {
    if (!beside_)
      place = groups_++ == 0 ? kept.size() : 0;
    beside_ = true;
  }
  void separate() { beside_ = false; }

  // Of an axis that comes next.
  std::int64_t extent(int after) const { return base.shape[next_ + after]; }
  // Whether the mask has all axes, and these are one line of elements.
  bool is_line() const { return masked && kept.empty() && line_stride != 0; }
  // Whether all positions are known to be in range.
  bool is_inside() const {
    return std::all_of(indices.begin(), indices.end(), [](const Index &i) { return i.inside; });
  }
  int ndim() const { return static_cast<int>(shape.size()); }

  View base;
  UsmKind kind;
  std::pmr::vector<Axis> kept{&memory_};
  std::pmr::vector<Index> indices{&memory_};
  View mask;
  bool masked = false;
  const std::int64_t *mask_strides; // of its axes in the array
  TrueCount found;                  // of the mask
  std::int64_t line_stride = 0;     // of the axes under the mask as one; 0 if they are not
  std::size_t place = 0;            // of the indices' axes in the selection
  Extents common{&memory_};         // the shape that the indices have together
  Extents shape{&memory_};

private:
  int next_ = 0, groups_ = 0;
  bool beside_ = false;
};

// Counts the true elements of a mask, if there is one.
void count_true(const QueueRef &queue, Selection &selection, Caller &caller);
// False if the indices do not broadcast, or if there are too many elements.
bool set_shape(Selection &selection);
// Whether a view may share memory with the array, or an index or the mask.
bool may_overlap(const Selection &selection, const View &view);

// values = the elements, and the elements = values, which broadcast to the selection. The written
// array overlaps no other. False if a position is out of range: then the values of a gather are
// undefined, and a scatter has changed nothing. To set a line to one value needs no count.
bool gather(const QueueRef &queue, const Selection &selection, const View &values, Caller &caller);
bool scatter(const QueueRef &queue, const Selection &selection, const View &values, Caller &caller);
// The first position out of range; waits. False if there is none.
struct OutsidePosition {
  std::int64_t position, extent;
  int axis;
};
bool find_outside(const QueueRef &queue, const Selection &selection, OutsidePosition &found);

} // namespace usmtensor
