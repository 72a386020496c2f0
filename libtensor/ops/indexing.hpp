// Selecting elements by index arrays and masks.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// How an index selects an element of an axis: `shift` is added to a negative index, and the result
// is clamped to [low, high]. `stride` is the distance between elements.
struct IndexedAxis {
  std::int64_t shift, low, high, stride;
};

// values[...] = base[index[...]] along the axis. The three views have the same shape, with zero
// strides along axes that they lack. `base` and `values` have the same type; `index` is int64, or
// int32 for gathers. The written array overlaps neither of the others.
void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values, Caller &caller = unlocked);
// True if the device's gather kernels detect indices out of range, which saves a pass over the
// index. The host's kernels always do.
bool gather_checks(const QueueRef &queue);
// Gathers, and returns true if all (signed) indices are in range. If the kernel cannot detect that,
// `inside` is called first, and nothing is gathered if its result is false. May wait.
bool checked_gather(const QueueRef &queue, const View &base, const IndexedAxis &axis,
                    const View &index, const View &values, FunctionRef<bool &> inside,
                    Caller &caller);
// base[index[...]] = values[...] along the axis. If an index repeats, the last value in C order of
// the index is stored. The index is contiguous along axes with nonzero strides. `unique` promises
// that no index repeats.
void scatter(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
             const View &values, bool unique, Caller &caller = unlocked);

// The position of the first index outside [low, high], or -1. May wait. Here and below, arrays are
// contiguous, except those of add_offsets.
std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t low,
                          std::int64_t high, Caller &caller = unlocked);

// Adds the offset of index[i] in elements to offsets[i], or stores it if `is_first`. An index out
// of range sets offsets[i] to the lowest integer, which further indices do not change.
void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis, bool is_first,
                 const View &offsets, Caller &caller);
// Adds positions[i] / inner % extent * stride to offsets[i], or stores it if `is_first`. This is
// the contribution of one axis to flat positions in C order.
void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets,
                Caller &caller);

// The number of true elements of a mask. `starts` has the number before each share of the mask, and
// the total at the end; it is null if the mask is a single share. May wait. If the mask changes
// afterwards, the functions below still stay within these bounds, and replace missing elements by
// other elements of the share.
struct TrueCount {
  Memory starts;
  std::int64_t count = 0;
};
TrueCount count_true(const QueueRef &queue, const View &mask, Caller &caller = unlocked);

// The positions of the true elements in C order, and the elements of a 1-D array at these
// positions.
void true_positions(const QueueRef &queue, const View &mask, const TrueCount &count,
                    const View &positions, Caller &caller);
void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &count,
              const View &destination, Caller &caller);
// numpy.place: sets the elements of a 1-D array under the mask to `values`, which repeat. A single
// value needs no count.
void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &count,
           const View &values, Caller &caller);

// destination[starts[k]:starts[k + 1]] = source[k]. The starts increase weakly from 0 to the size
// of the destination.
void repeat_runs(const QueueRef &queue, const View &source, const View &starts,
                 const View &destination, Caller &caller);

} // namespace usmtensor
