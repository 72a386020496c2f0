// Searching in sorted arrays. All arrays are contiguous.
#pragma once
#include "indexing.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// Where values belong among sorted elements of the same type: before those that are equal, or
// behind them. The order is that of sort(); places are i8.
void search_sorted(const QueueRef &queue, const View &sorted, const View &values,
                   const View &places, bool right);
// Whether values are among them, or not; NaN never is. The result is b1.
void contains(const QueueRef &queue, const View &sorted, const View &values, const View &result,
              bool invert);

// Whether elements of a sorted array differ from those before them; NaN does.
void mark_changes(const QueueRef &queue, const View &sorted, const View &changes);
// numbers[places[i]] = how many changes lie before element i, whose own does not count.
void number_changes(const QueueRef &queue, const View &changes, const TrueCount &count,
                    const View &places, const View &numbers);

} // namespace usmtensor
