// Elements selected by arrays of positions, and by masks.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// How an index selects an element of an axis: `shift` is added to a negative index, the result is
// limited to `low` and `high`, and elements lie `stride` apart.
struct IndexedAxis {
  std::int64_t shift, low, high, stride;
};

// values[...] = base[...] at index[...] of the axis. The three have one shape, and strides of zero
// along the axes that they lack. base and values have one type, index is int32 (of gathers) or
// int64. The written array overlaps none of the others.
void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values, Caller &caller = unlocked);
// Whether this device finds positions out of range as it gathers, which saves a pass over the
// index. The host does as well.
bool gather_checks(const QueueRef &queue);
// Gathers, and returns whether all positions, of a signed type, were in range. Elsewhere `inside`
// is asked before, and nothing is gathered if it says no. May wait.
bool checked_gather(const QueueRef &queue, const View &base, const IndexedAxis &axis,
                    const View &index, const View &values, FunctionRef<bool &> inside,
                    Caller &caller);
// base[...] at index[...] = values[...]. Of several values for one place the last one stays, in C
// order of the index, which is contiguous where its strides are not zero. Unique: each place comes
// once at most.
void scatter(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
             const View &values, bool unique, Caller &caller = unlocked);

// The place of the first index outside of low..high, -1 if there is none. May wait. Here and below
// arrays are contiguous, but for those of add_offsets.
std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t low,
                          std::int64_t high, Caller &caller = unlocked);

// offsets[i] (+)= the offset of index[i], in elements. An index out of range makes it the lowest
// integer, which further indices do not change.
void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis, bool is_first,
                 const View &offsets, Caller &caller);
// offsets[i] (+)= positions[i] / inner % extent * stride: one axis of positions in C order.
void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets,
                Caller &caller);

// The number of true elements of a mask. `starts` holds their number before each share of the mask,
// and then the whole number; none if the mask is one share. May wait. If the mask changes
// afterwards, the functions below stay within these numbers, and write other elements of the share
// in place of missing ones.
struct TrueCount {
  Memory starts;
  std::int64_t count = 0;
};
TrueCount count_true(const QueueRef &queue, const View &mask, Caller &caller = unlocked);

// The positions of the true elements in C order, and the elements of a one-dimensional array there.
void true_positions(const QueueRef &queue, const View &mask, const TrueCount &count,
                    const View &positions, Caller &caller);
void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &count,
              const View &destination, Caller &caller);
// Sets the elements of a one-dimensional array there to the values of another array, which repeat.
// One value needs no count.
void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &count,
           const View &values, Caller &caller);

// Element k of a one-dimensional array in the places from starts[k] up to starts[k + 1], which is
// not smaller. The first start is 0, the last one the size of the destination.
void repeat_runs(const QueueRef &queue, const View &source, const View &starts,
                 const View &destination, Caller &caller);

} // namespace usmtensor
