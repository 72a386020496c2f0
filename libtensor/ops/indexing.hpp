// Elements selected by arrays of positions, and by masks.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// Which element of an axis an index means: a negative one gets `shift` added, what is still below
// `low` or above `high` is moved there, and elements lie `stride` apart.
struct IndexedAxis {
  std::int64_t shift, low, high, stride;
};

// values[...] = base[...] at index[...] of the axis; all three have the same shape, and strides of
// zero where an index selects for all. Types of base and values are equal, index is i8. None of
// them overlaps the one that is written.
void gather(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
            const View &values);
// The same for a one-dimensional array and as many positions, where nobody has to wait, it takes no
// longer than a caller may hold a lock (the GIL), and all positions are in range. Says whether it
// ran.
bool gather_at_once(const QueueRef &queue, const View &base, const IndexedAxis &axis,
                    const View &index, const View &values);
// base[...] at index[...] = values[...]. Of what is written to one place the last stays, in C order
// of the index, which is contiguous where its strides are not zero. Unique: no place comes twice.
void scatter(const QueueRef &queue, const View &base, const IndexedAxis &axis, const View &index,
             const View &values, bool unique);

// Where the first index lies that is not in -extent..extent-1, -1 if there is none; waits. For
// unsigned ones, 0..extent-1. Here and below arrays are contiguous.
std::int64_t find_outside(const QueueRef &queue, const View &index, std::int64_t extent,
                          bool is_unsigned);

// offsets[i] (+)= what index[i] means, in elements.
void add_offsets(const QueueRef &queue, const View &index, const IndexedAxis &axis,
                 bool is_unsigned, bool is_first, const View &offsets);
// The same for positions[i] / inner % extent * stride: one axis of positions in C order.
void add_digits(const QueueRef &queue, const View &positions, std::int64_t inner,
                std::int64_t extent, std::int64_t stride, bool is_first, const View &offsets);

// How many elements of a mask are true; `starts` holds how many of them come before each share of
// the mask, and behind them the count. Waits. Should the mask change afterwards, the functions
// below stay within that count, and elements of the mask's shares stand in for those that are
// missing.
struct TrueCount {
  Memory starts;
  std::int64_t count = 0;
};
TrueCount count_true(const QueueRef &queue, const View &mask);

// Where they are, in C order, and the elements of a one-dimensional array there.
void true_positions(const QueueRef &queue, const View &mask, const TrueCount &count,
                    const View &positions);
void compress(const QueueRef &queue, const View &source, const View &mask, const TrueCount &count,
              const View &destination);
// Sets those of a one-dimensional array to the values of another, over and over; the count is not
// needed for one value.
void place(const QueueRef &queue, const View &destination, const View &mask, const TrueCount &count,
           const View &values);

} // namespace usmtensor
