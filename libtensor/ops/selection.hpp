// The elements of an array that an advanced key selects: by index arrays, or by a mask.
#pragma once
#include "indexing.hpp"
#include "layout/strides.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace usmtensor {

// The caller adds the axes of the array in order, and then calls count_true() and set_shape(). The
// views refer to the shapes of their arrays, which must stay alive.
class Selection {
  std::byte buffer_[1536]; // enough for the vectors of most selections, gather() and scatter()
  std::pmr::monotonic_buffer_resource memory_{buffer_, sizeof buffer_};

public:
  using Extents = std::pmr::vector<std::int64_t>;
  struct Axis {
    std::int64_t extent, stride;
  };
  struct Index {
    View view; // contiguous
    IndexedAxis axis;
    int number;     // the number of the axis, for messages
    bool inside;    // all indices are known to be in range
    Extents layout; // its shape, its strides, and its strides in the broadcast shape of all indices
  };

  Selection() = default;
  Selection(const Selection &) = delete;
  Selection &operator=(const Selection &) = delete;

  // Starts with the array, and the USM kind of the result.
  void begin(const View &array, UsmKind kind) {
    base = array, this->kind = kind;
    kept.reserve(base.ndim);
  }
  // Adds `count` axes that become axes of the selection.
  void keep(int count) {
    for (; count > 0; --count, ++next_)
      kept.push_back({base.shape[next_], base.strides[next_]});
    separate();
  }
  // Adds an axis with an index: int64, or also int32 if it is the only index and the array is read.
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
  // Adds the axes of a contiguous mask; then there are no indices.
  void under(const View &flags) {
    join();
    mask = flags, masked = true;
    mask_strides = base.strides + next_;
    next_ += mask.ndim;
    const std::int64_t size = mask.size();
    if (!reshape_strides(mask.ndim, mask.shape, mask_strides, 1, &size, 'C', &line_stride))
      line_stride = 0;
  }
  // The axes of the indices replace the indexed axes if all indices are adjacent; otherwise they
  // come first. An integer counts as an index for that.
  void join() {
    if (!adjacent_)
      axes_before = groups_++ == 0 ? kept.size() : 0;
    adjacent_ = true;
  }
  void separate() { adjacent_ = false; }

  // The extent of the axis `after` the next one.
  std::int64_t extent(int after) const { return base.shape[next_ + after]; }
  // True if the mask has all axes, and these can be merged into one.
  bool is_line() const { return masked && kept.empty() && line_stride != 0; }
  // True if all indices are known to be in range.
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
  const std::int64_t *mask_strides; // strides of the masked axes of the array
  TrueCount found;                  // the true elements of the mask
  std::int64_t line_stride = 0;     // stride of the masked axes as one axis; 0: not mergeable
  std::size_t axes_before = 0;      // number of kept axes before those of the indices
  Extents common{&memory_};         // the broadcast shape of the indices
  Extents shape{&memory_};

private:
  int next_ = 0, groups_ = 0;
  bool adjacent_ = false;
};

// Counts the true elements of a mask, if there is one.
void count_true(const QueueRef &queue, Selection &selection, Caller &caller);
// Returns false if the indices do not broadcast, or if there are too many elements.
bool set_shape(Selection &selection);
// True if a view may share memory with the array, an index, or the mask.
bool may_overlap(const Selection &selection, const View &view);

// Reads the selected elements into `values`, or writes `values`, which broadcasts, to the elements.
// The written array overlaps no other operand. Returns false if an index is out of range: then
// gathered values are undefined, and a scatter has changed nothing. If is_line(), writing one value
// needs no count_true().
bool gather(const QueueRef &queue, const Selection &selection, const View &values, Caller &caller);
bool scatter(const QueueRef &queue, const Selection &selection, const View &values, Caller &caller);
// Finds the first index out of range; returns false if there is none. Waits.
struct OutsidePosition {
  std::int64_t position, extent;
  int axis;
};
bool find_outside(const QueueRef &queue, const Selection &selection, OutsidePosition &found);

} // namespace usmtensor
