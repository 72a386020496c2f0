// Sorting along the last axis of contiguous arrays.
#pragma once
#include "host/key_sort.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// destination[...] = source[...] with each row sorted; equal shapes and types, apart. Stable: zeros
// of both signs are equal, and so are NaNs, which are the largest numbers. Complex numbers as in
// NumPy.
void sort(const QueueRef &queue, const View &source, const View &destination, bool descending);

// For each element of the sorted row its place in the source's row; int64.
void argsort(const QueueRef &queue, const View &source, const View &places, bool descending);

// NumPy's sorts. Before they are set, or if they are null, kernels sort.
struct NumberSorts {
  NumberSort of_i4 = nullptr, of_i8 = nullptr, of_f4 = nullptr, of_f8 = nullptr;
};
void set_number_sorts(const NumberSorts &sorts);

} // namespace usmtensor
