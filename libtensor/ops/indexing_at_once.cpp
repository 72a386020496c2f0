#include "indexing_at_once.hpp"

#include "indexing.hpp"
#include "launch.hpp"
#include "number_at_once.hpp"

#include "layout/strides.hpp"

#include <vector>

namespace usmtensor {
namespace {

bool all_inside(const QueueRef &queue, const View &index, std::int64_t extent) {
  std::int64_t count = 1, one = 1; // elements in memory
  for (int k = 0; k < index.ndim; ++k)
    count *= index.strides[k] == 0 ? 1 : index.shape[k];
  const View line{index.data, index.dtype, 1, &count, &one, index.memory};
  return number_at_once(queue, kernels::outside_range(), line, {.low = -extent, .extent = extent},
                        0) < 0;
}

// The positions of places on one axis, or on several axes as offsets.
class Positions {
public:
  Positions(const QueueRef &queue, const View &x, const Places &places)
      : count_(places.count), index_(places.indices[0]) {
    const std::int64_t extent = x.shape[places.axis];
    axis_ = {extent, 0, extent - 1, x.strides[places.axis]};
    checked_ = places.axes > 1 || index_.dtype == DType::b1;
    if (checked_) {
      own_.resize(count_);
      found_ = places.axes > 1 ? take_offsets(queue, x, places) : take_mask(queue);
      index_ = {data(), DType::i8, 1, nullptr, nullptr, nullptr};
    }
    index_.ndim = 1, index_.shape = &count_, index_.strides = &one_;
  }
  Positions(const Positions &) = delete;
  Positions &operator=(const Positions &) = delete;

  bool found() const { return found_; }
  // Whether all are known to be in range.
  bool checked() const { return checked_; }
  const View &index() const { return index_; }
  const IndexedAxis &axis() const { return axis_; }

private:
  char *data() { return reinterpret_cast<char *>(own_.data()); }

  bool take_mask(const QueueRef &queue) {
    std::int64_t starts[] = {0, count_};
    IterationSpace space(index_.size(), 3);
    Operand operands[] = {{}, index_, {}};
    operands[0].data = data();
    operands[2].data = reinterpret_cast<char *>(starts);
    const auto kernels = kernels::positions();
    const Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, false);
    return plan.shares == 1 && run(*queue, kernels, plan, space, operands, {.stream = 0}, true);
  }

  bool take_offsets(const QueueRef &queue, const View &x, const Places &places) {
    std::int64_t compact[Places::most_axes];
    axis_ = {0, 0, 0, 1};
    for (int k = 0; k < places.axes; ++k) {
      const View &index = places.indices[k];
      compact_strides(index.ndim, index.shape, 'C', compact);
      const std::int64_t extent = x.shape[places.axis + k], stride = x.strides[places.axis + k];
      if (!all_inside(queue, index, extent))
        return false;
      Operand operands[] = {{}, {}, index};
      operands[0].data = operands[1].data = data();
      IterationSpace space(index.ndim, index.shape, {compact, compact, index.strides});
      if (!run(*queue, kernels::add_offset(), space, operands,
               {.shift = extent,
                .low = 0,
                .high = extent - 1,
                .stride = stride,
                .is_unsigned = false,
                .is_first = k == 0},
               true))
        return false;
      (stride < 0 ? axis_.low : axis_.high) += (extent - 1) * stride;
    }
    return true;
  }

  std::vector<std::int64_t> own_;
  std::int64_t count_, one_ = 1;
  View index_;
  IndexedAxis axis_;
  bool found_ = true, checked_ = false;
};

// The operands of gather() and scatter(), which have the shape of the selection.
class Selection {
public:
  Selection(const View &x, const Places &places, const View &index, const View &values) {
    auto add = [&](std::int64_t extent, std::int64_t of_base, std::int64_t of_index) {
      shape_[ndim_] = extent, base_[ndim_] = of_base, index_[ndim_++] = of_index;
    };
    for (int k = 0; k < x.ndim; ++k)
      if (k == places.axis)
        add(places.count, 0, 1);
      else if (k < places.axis || k >= places.axis + places.axes)
        add(x.shape[k], x.strides[k], 0);
    if (values.ndim > 0)
      compact_strides(ndim_, shape_, 'C', values_);
    base = of(x, base_), this->index = of(index, index_), this->values = of(values, values_);
  }
  Selection(const Selection &) = delete;
  Selection &operator=(const Selection &) = delete;

  View base, index, values;

private:
  View of(const View &view, const std::int64_t *strides) const {
    return {view.data, view.dtype, ndim_, shape_, strides, view.memory};
  }

  int ndim_ = 0;
  std::int64_t shape_[Places::most_axes], base_[Places::most_axes], index_[Places::most_axes],
      values_[Places::most_axes] = {};
};

} // namespace

bool gather_at_once(const QueueRef &queue, const View &x, const Places &places,
                    const View &values) {
  if (values.size() == 0 || x.size() == 0)
    return false;
  const Positions positions(queue, x, places);
  if (!positions.found())
    return false;
  std::uint8_t outside = 0;
  const Selection s(x, places, positions.index(), values);
  return gather(queue, s.base, positions.axis(), s.index, s.values, true,
                positions.checked() ? nullptr : &outside) &&
         !outside;
}

bool scatter_at_once(const QueueRef &queue, const View &x, const Places &places,
                     const View &values) {
  if (places.count == 0 || x.size() == 0)
    return false;
  const Positions positions(queue, x, places);
  if (!positions.found() ||
      !(positions.checked() || all_inside(queue, positions.index(), x.shape[places.axis])))
    return false;
  const Selection s(x, places, positions.index(), values);
  return scatter(queue, s.base, positions.axis(), s.index, s.values, false, true);
}

} // namespace usmtensor
