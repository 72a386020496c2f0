#include "selection.hpp"

#include "copy.hpp"
#include "layout/view.hpp"
#include "runtime/memory.hpp"

#include <optional>

namespace usmtensor {
namespace {

using Extents = Selection::Extents;

// The index of a selection along one axis: its only index, or computed offsets in elements.
class Positions {
public:
  Positions(const QueueRef &queue, const Selection &s, Caller &caller)
      : queue_(queue), s_(s), caller_(caller), strides_(s.common.size(), s.common.get_allocator()) {
    compact_strides(ndim(), s.common.data(), 'C', strides_.data());
    if (s.masked) {
      use_mask();
    } else if (s.indices.size() > 1) {
      use_indices();
    } else {
      index = s.indices[0].view;
      axis = s.indices[0].axis;
    }
  }
  Positions(const Positions &) = delete;
  Positions &operator=(const Positions &) = delete;

  View index; // has the broadcast shape of the indices, in C order
  IndexedAxis axis{0, 0, 0, 1};
  const Extents &strides() const { return strides_; }

private:
  int ndim() const { return static_cast<int>(s_.common.size()); }
  View take(std::optional<Temporary> &buffer) const {
    const View model{nullptr, DType::int64, ndim(), s_.common.data(), nullptr, nullptr};
    View view = buffer.emplace(queue_, model, nullptr, caller_).view;
    view.strides = strides_.data();
    return view;
  }
  void add_reach(std::int64_t extent, std::int64_t stride) {
    (stride < 0 ? axis.low : axis.high) += std::max<std::int64_t>(extent - 1, 0) * stride;
  }

  void use_mask() {
    const View &mask = s_.mask;
    index = take(buffer_);
    true_positions(queue_, mask, s_.found, index, caller_);
    std::int64_t inner = mask.size();
    if (s_.line_stride != 0) {
      axis = {inner, 0, inner - 1, s_.line_stride};
      return;
    }
    const View positions = index;
    index = take(offsets_buffer_);
    for (int k = 0; inner != 0 && k < mask.ndim; ++k) {
      inner /= mask.shape[k];
      add_reach(mask.shape[k], s_.mask_strides[k]);
      add_digits(queue_, positions, inner, mask.shape[k], s_.mask_strides[k], k == 0, index,
                 caller_);
    }
  }

  void use_indices() {
    index = take(buffer_);
    for (const Selection::Index &one : s_.indices) {
      View view = index; // has the broadcast shape
      view.data = one.view.data, view.memory = one.view.memory;
      view.strides = one.layout.data() + 2 * one.view.ndim;
      add_reach(one.axis.high + 1, one.axis.stride);
      add_offsets(queue_, view, one.axis, &one == s_.indices.data(), index, caller_);
    }
  }

  const QueueRef &queue_;
  const Selection &s_;
  Caller &caller_;
  Extents strides_;
  std::optional<Temporary> buffer_, offsets_buffer_;
};

// The operands of gather() and scatter(), broadcast to the shape of the selection.
class Operands {
public:
  Operands(const Selection &s, const Positions &positions, const View &given)
      : s_(s), strides_(3 * s.shape.size(), s.shape.get_allocator()) {
    const std::size_t ndim = s.shape.size(), index_ndim = s.common.size();
    std::int64_t *const of_base = strides_.data(), *const of_index = of_base + ndim;
    std::int64_t *const of_values = of_index + ndim;
    for (std::size_t k = 0; k < s.kept.size(); ++k)
      of_base[k < s.axes_before ? k : k + index_ndim] = s.kept[k].stride;
    std::copy_n(positions.strides().data(), index_ndim, of_index + s.axes_before);
    for (int k = 1; k <= given.ndim && k <= static_cast<int>(ndim); ++k)
      if (given.shape[given.ndim - k] != 1)
        of_values[ndim - k] = given.strides[given.ndim - k];
    base = of(s.base, of_base), index = of(positions.index, of_index);
    values = of(given, of_values);
  }
  Operands(const Operands &) = delete;
  Operands &operator=(const Operands &) = delete;

  View base, index, values;

private:
  View of(const View &view, const std::int64_t *strides) const {
    return {view.data, view.dtype, s_.ndim(), s_.shape.data(), strides, view.memory};
  }

  const Selection &s_;
  Extents strides_;
};

struct View1D : View {
  View1D(const View &view, std::int64_t size, std::int64_t stride)
      : View(view), size_(size), stride_(stride) {
    ndim = 1, shape = &size_, strides = &stride_;
  }
  View1D(const View1D &) = delete;
  View1D &operator=(const View1D &) = delete;

private:
  const std::int64_t size_, stride_;
};

bool all_inside(const QueueRef &queue, const Selection &s, const Positions &positions,
                Caller &caller) {
  const IndexedAxis &axis = positions.axis;
  const View &index = positions.index;
  if (index.dtype == DType::int64 && index.size() > 0)
    return find_outside(queue, index, axis.low - axis.shift, axis.high, caller) < 0;
  // An index out of range is an error even if another index is empty.
  caller.release();
  OutsidePosition found;
  return !find_outside(queue, s, found);
}

// Computes the broadcast shape of the indices. Returns false if they do not broadcast.
bool broadcast_indices(Selection &s) {
  Extents &common = s.common;
  int ndim = s.masked;
  for (const Selection::Index &index : s.indices)
    ndim = std::max(ndim, index.view.ndim);
  common.assign(ndim, s.masked ? s.found.count : 1);
  for (Selection::Index &index : s.indices) {
    View &view = index.view;
    index.layout.resize(2 * view.ndim + common.size());
    view.shape = index.layout.data(), view.strides = view.shape + view.ndim;
    for (int k = 1; k <= view.ndim; ++k) {
      const std::int64_t extent = view.shape[view.ndim - k];
      std::int64_t &other = *(common.end() - k);
      if (extent == 1)
        continue;
      if (other != 1 && other != extent)
        return false;
      other = extent;
      *(index.layout.end() - k) = view.strides[view.ndim - k];
    }
  }
  std::int64_t size;
  return element_count(ndim, common.data(), size);
}

} // namespace

void count_true(const QueueRef &queue, Selection &s, Caller &caller) {
  if (s.masked)
    s.found = count_true(queue, s.mask, caller);
}

bool set_shape(Selection &s) {
  if (!s.masked && s.indices.size() == 1) // the usual case needs no broadcasting
    s.common.assign(s.indices[0].view.shape, s.indices[0].view.shape + s.indices[0].view.ndim);
  else if (!broadcast_indices(s))
    return false;
  s.shape.reserve(s.kept.size() + s.common.size());
  for (const Selection::Axis &axis : s.kept)
    s.shape.push_back(axis.extent);
  s.shape.insert(s.shape.begin() + s.axes_before, s.common.begin(), s.common.end());
  std::int64_t size;
  return element_count(s.ndim(), s.shape.data(), size);
}

bool may_overlap(const Selection &s, const View &view) {
  return may_overlap(s.base, view) || (s.masked && may_overlap(s.mask, view)) ||
         std::any_of(s.indices.begin(), s.indices.end(),
                     [&](const Selection::Index &index) { return may_overlap(index.view, view); });
}

bool gather(const QueueRef &queue, const Selection &s, const View &values, Caller &caller) {
  if (s.is_line()) {
    compress(queue, View1D(s.base, s.mask.size(), s.line_stride), s.mask, s.found, values, caller);
    return true;
  }
  const Positions positions(queue, s, caller);
  const Operands o(s, positions, values);
  const auto inside = [&](bool &result) { result = all_inside(queue, s, positions, caller); };
  // If elements are read, the kernel can check the indices at the same time.
  if (!s.is_inside() && s.base.size() > 0 && values.size() > 0)
    return checked_gather(queue, o.base, positions.axis, o.index, o.values, inside, caller);
  if (!s.is_inside() && !all_inside(queue, s, positions, caller))
    return false;
  gather(queue, o.base, positions.axis, o.index, o.values, caller);
  return true;
}

bool scatter(const QueueRef &queue, const Selection &s, const View &values, Caller &caller) {
  const std::int64_t count = values.size();
  if (s.is_line() && (count == 1 || (count == s.found.count && values.ndim == 1))) {
    const std::int64_t stride = values.ndim == 1 ? values.strides[0] : 1;
    place(queue, View1D(s.base, s.mask.size(), s.line_stride), s.mask, s.found,
          View1D(values, count, stride), caller);
    return true;
  }
  const Positions positions(queue, s, caller);
  if (!s.is_inside() && !all_inside(queue, s, positions, caller))
    return false;
  const Operands o(s, positions, values);
  scatter(queue, o.base, positions.axis, o.index, o.values, s.masked, caller);
  return true;
}

bool find_outside(const QueueRef &queue, const Selection &s, OutsidePosition &found) {
  for (const Selection::Index &index : s.indices) {
    if (index.inside)
      continue;
    View view = index.view;
    std::optional<Temporary> wide; // int64 copy of an int32 index
    if (view.dtype != DType::int64) {
      view.dtype = DType::int64;
      view = wide.emplace(queue, view).view;
      copy(queue, index.view, view);
    }
    const std::int64_t extent = index.axis.high + 1;
    const std::int64_t position = find_outside(queue, view, -extent, extent - 1);
    if (position < 0)
      continue;
    constexpr std::size_t nbytes = sizeof found.position;
    copy_with_host(queue, *view.memory, &found.position, view.data + position * nbytes, nbytes);
    found.extent = extent, found.axis = index.number;
    return true;
  }
  return false;
}

} // namespace usmtensor
