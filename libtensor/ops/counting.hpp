// How often places come, and sums of the weights of each. All arrays are contiguous.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

#include <cstdint>

namespace usmtensor {

// Into how many blocks so many elements are divided: it follows from their number and that of the
// places, so that sums of floating point numbers do, too.
std::int64_t count_blocks(std::int64_t n, std::int64_t bins);
// sums[block][places[i]] += weights[i], or 1 without weights, for the elements i of each block.
// Places are i8; negative and too large places count nowhere.
void count_places(const QueueRef &queue, const View &places, const View &sums);
void sum_places(const QueueRef &queue, const View &places, const View &weights, const View &sums);

} // namespace usmtensor
