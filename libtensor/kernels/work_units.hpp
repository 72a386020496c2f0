// Divides work along axis 0 of a space into units.
#pragma once
#include "loops.hpp"

namespace usmtensor {

// A work unit: a block of axis 0, a range of columns of axis 1, and one position on the other axes.
struct Unit {
  // The operand at the first column of the unit; also at the first element of its block, or at the
  // result of its block.
  template <class T> USMTENSOR_INLINE Operand<T> columns_of(Operand<T> operand) const {
#ifdef __NVPTX__ // the divisions of move_kept take longer than a short row
    if (kept == 0)
      return operand.along1(column);
#endif
    return move_kept(operand, space, kept).along1(column);
  }
  template <class T> USMTENSOR_INLINE Operand<T> elements_of(Operand<T> operand) const {
    return columns_of(operand).along0(start);
  }
  template <class T> USMTENSOR_INLINE Operand<T> result_of(Operand<T> operand) const {
    return columns_of(operand).along0(block);
  }

  const Space &space;
  int64 kept;                // the position on the other axes
  int64 column, columns;     // the first column, and the number of columns
  int64 block, start, count; // the block's index, its first element, and its element count
};

// All units of a space, with blocks of `length` elements and strips of at most `width` columns.
// Blocks do not depend on the number of work-items, so results do not either.
struct Units {
  USMTENSOR_INLINE int64 blocks() const { return (space.n0 + length - 1) / length; }
  USMTENSOR_INLINE int64 strips() const { return (space.n1 + width - 1) / width; }
  USMTENSOR_INLINE int64 count() const { return size / space.n0 / space.n1 * strips() * blocks(); }
  USMTENSOR_INLINE Unit operator[](int64 k) const {
    const int64 column = take_axis(k, strips()) * width, block = take_axis(k, blocks());
    const int64 columns = space.n1 - column < width ? space.n1 - column : width;
    const int64 start = block * length, rest = space.n0 - start;
    return {space, k, column, columns, block, start, rest < length ? rest : length};
  }

  const Space &space;
  int64 size, length, width = 1;
};

// Calls f(unit) for each unit. A work-item processes a contiguous range of units.
template <class F> USMTENSOR_INLINE void each_unit(Units units, F f) {
  each_part([=](int64 part, int64 parts) USMTENSOR_INLINE_LAMBDA {
    const int64 count = units.count(), last = share(count, part + 1, parts);
    for (int64 k = share(count, part, parts); k < last; ++k)
      f(units[k]);
  });
}

// The same for results that do not depend on the width of the strips. If there are fewer units than
// work-items, the strips are narrower.
template <class F> USMTENSOR_INLINE void each_strip(Units units, F f) {
  constexpr int64 min_width = 64; // columns, to fill cache lines
  each_part([=](int64 part, int64 parts) USMTENSOR_INLINE_LAMBDA {
    Units own = units;
    const int64 units_per_strip = units.count() / units.strips(),
                strips = (parts + units_per_strip - 1) / units_per_strip;
    const int64 width =
        ((units.space.n1 + strips - 1) / strips + min_width - 1) / min_width * min_width;
    own.width = smallest(width, units.width);
    const int64 count = own.count(), last = share(count, part + 1, parts);
    for (int64 k = share(count, part, parts); k < last; ++k)
      f(own[k]);
  });
}

// For units of one column: calls f(unit, count) for `count` consecutive units along axis 1. Rows
// may be short, so f locates its operands once for all of them.
template <class F> USMTENSOR_INLINE void each_unit_row(Units units, F f) {
  each_part([=](int64 part, int64 parts) USMTENSOR_INLINE_LAMBDA {
    const int64 last = share(units.count(), part + 1, parts);
    for (int64 k = share(units.count(), part, parts), count; k < last; k += count) {
      const Unit unit = units[k];
      count = smallest(units.space.n1 - unit.column, last - k);
      f(unit, count);
    }
  });
}

#ifndef USMTENSOR_HOST
// For GPUs: neighbouring work-items process neighbouring units.
template <class F> USMTENSOR_INLINE void each_unit_interleaved(Units units, F f) {
  each_part([=](int64 part, int64 parts) USMTENSOR_INLINE_LAMBDA {
    for (int64 k = part, count = units.count(); k < count; k += parts)
      f(units[k]);
  });
}

// Calls f(unit, lane, stores) for each unit of the team that the calling work-item belongs to. All
// work-items make the same number of calls, so that f may have barriers; if `stores` is false, the
// unit belongs to another team.
template <class F> USMTENSOR_INLINE void each_unit_of_team(Units units, int team, F f) {
  const auto item = work_item();
  const int place = item.get_local_id(0), teams = int(item.get_local_range(0)) / team;
  const int64 count = units.count(), step = item.get_group_range(0) * teams;
  const Space &space = units.space;
  for (int64 first = item.get_group(0) * teams; first < count; first += step) {
    const int64 own = first + place / team, k = smallest(own, count - 1);
    // The results usually lie along one axis. Then no division is needed.
    f(space.n1 == count ? Unit{space, 0, k, 1, 0, 0, space.n0} : units[k], place % team,
      own < count);
  }
}

// Calls f(unit) for each unit that belongs to the calling work-group.
template <class F> USMTENSOR_INLINE void each_unit_of_group(Units units, F f) {
  const int64 groups = work_item().get_group_range(0);
  for (int64 k = work_item().get_group(0), count = units.count(); k < count; k += groups)
    f(units[k]);
}
#endif

} // namespace usmtensor
