// Sorting along the last axis of contiguous arrays.
#pragma once
#include "host/key_sort.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// destination[...] = source[...] with each row sorted. The views have the same shape and type, and
// do not overlap. The sort is stable. Zeros of both signs are equal; NaNs are equal and the largest
// numbers. Complex numbers have NumPy's order.
void sort(const QueueRef &queue, const View &source, const View &destination, bool descending);

// indices[...] = the int64 index in the source row of each element of the sorted row.
void argsort(const QueueRef &queue, const View &source, const View &indices, bool descending);

// NumPy's sorts. Kernels sort until they are set, and if they are null.
struct NumberSorts {
  NumberSort sort_int32 = nullptr, sort_int64 = nullptr, sort_float32 = nullptr,
             sort_float64 = nullptr;
};
void set_number_sorts(const NumberSorts &sorts);

} // namespace usmtensor
