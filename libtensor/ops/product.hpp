// Products of matrices and of vectors, within one context.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// out[..., i, j] = the sum over k of x[..., i, k] y[..., k, j], for arrays of one type, which is
// not f2. Axes before the last two broadcast to those of out. An x of one axis is a row, a y of one
// axis a column, and out lacks that axis. Says whether it ran: `at_once` is that of elementwise().
// Here and below out is apart from the inputs, and the sum has a term.
bool matmul(const QueueRef &queue, const View &x, const View &y, const View &out,
            bool at_once = false);

// out[...] = the sum over k of x[..., k] y[..., k], where asked for of the complex conjugate of x;
// x and y broadcast to the axes of out and the one of the sum.
bool vecdot(const QueueRef &queue, const View &x, const View &y, const View &out, bool conjugate,
            bool at_once = false);

// Whether a library of the host may compute on the memory of a queue's arrays: the device is a CPU,
// and USMTENSOR_LIBRARIES is not "none". Its work then is not in a queue, so what is pending on the
// memories has to be waited for first (drain).
bool library_may(const Queue &queue);

// Whether it should do so in place of kernels: nobody asked for one of the tiers.
bool library_should(const Queue &queue);

} // namespace usmtensor
