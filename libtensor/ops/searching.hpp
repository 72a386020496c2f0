// Searching in sorted arrays, and how often places come. All arrays are contiguous.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// The places of values among sorted elements of their type: before equal elements, or behind them.
// The order is that of sort(); places are int64. `ends` has the last element of each whole block of
// the sorted elements, for speed; or the size of a block is 0.
void search_sorted(const QueueRef &queue, const View &sorted, const View &ends, std::int64_t block,
                   const View &values, const View &places, bool right);
// Whether values are among sorted elements, or not; NaN never is. The result is bool8.
void contains(const QueueRef &queue, const View &sorted, const View &ends, std::int64_t block,
              const View &values, const View &result, bool invert);

// Linear interpolation at x between sorted points, by the number of points up to each x. `outside`
// has values for left of the points and right of them, where they are asked for.
void interpolate(const QueueRef &queue, const View &x, const View &counts, const View &points,
                 const View &values, const View &outside, bool left, bool right,
                 const View &result);

// In which bin between even bounds values lie, of the type of the bounds; -1 outside, and for NaN.
void even_places(const QueueRef &queue, const View &x, const View &bounds, const View &places);

// Into how many blocks so many elements are divided: it follows from their number, that of the
// places and the kind of the device, so that sums of floating point numbers do, too.
std::int64_t count_blocks(const QueueRef &queue, std::int64_t n, std::int64_t bins,
                          bool has_weights);
// sums[block][places[i]] += weights[i], or 1 without weights, for the elements i of each block.
// Places are int64; negative and too large places count nowhere.
void count_places(const QueueRef &queue, const View &places, const View &sums);
void sum_places(const QueueRef &queue, const View &places, const View &weights, const View &sums);

// The functions of combine_at().
enum class Combination { add, multiply, maximum, minimum };
// out[places[i]] = function(out[places[i]], values[i]), for i in order. All arrays are contiguous,
// and all places are within `out`. Returns false on devices other than CPUs, where a work-item that
// reads all places is too slow.
bool combine_at(const QueueRef &queue, Combination function, const View &places, const View &values,
                const View &out);

} // namespace usmtensor
