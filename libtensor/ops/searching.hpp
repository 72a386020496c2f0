// Binary search, interpolation, and histogram counting. All arrays are contiguous.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// The int64 insertion indices of values in sorted elements of the same type: before equal elements,
// or after them if `right`. The order is that of sort(). For speed, `ends` has the last element of
// each full block of the sorted elements; it is not used if `block` is 0.
void search_sorted(const QueueRef &queue, const View &sorted, const View &ends, std::int64_t block,
                   const View &values, const View &indices, bool right);
// result[i] = true if values[i] is among the sorted elements; the opposite if `invert`. NaN is
// never found. The result is bool8.
void contains(const QueueRef &queue, const View &sorted, const View &ends, std::int64_t block,
              const View &values, const View &result, bool invert);

// Linear interpolation at x between sorted points; counts[i] is the number of points up to x[i].
// `outside` has the values to the left and to the right of the points, used if `left` or `right`.
void interpolate(const QueueRef &queue, const View &x, const View &counts, const View &points,
                 const View &values, const View &outside, bool left, bool right,
                 const View &result);

// The index of the bin of each value, for bins of equal width; -1 outside, and for NaN. x has the
// type of the bounds.
void uniform_bins(const QueueRef &queue, const View &x, const View &bounds, const View &indices);

// The number of blocks for counting n elements. It depends only on the arguments and the kind of
// the device, so that floating point sums are reproducible.
std::int64_t count_blocks(const QueueRef &queue, std::int64_t n, std::int64_t bins,
                          bool has_weights);
// sums[block][indices[i]] += weights[i] (or 1), for the elements i of each block. The bin
// indices are int64; those out of range are ignored.
void count_bins(const QueueRef &queue, const View &indices, const View &sums);
void sum_bins(const QueueRef &queue, const View &indices, const View &weights, const View &sums);

// The functions of combine_at().
enum class Combination { add, multiply, maximum, minimum };
// out[indices[i]] = function(out[indices[i]], values[i]), for i in order. All indices are in range.
// Returns false on devices other than CPUs: there, reading all indices in a work-item is too slow.
bool combine_at(const QueueRef &queue, Combination function, const View &indices,
                const View &values, const View &out);

} // namespace usmtensor
