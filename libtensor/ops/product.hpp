// Products of matrices and of vectors, within one context.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// out[..., i, j] = the sum over k of x[..., i, k] y[..., k, j], for arrays of one type, which is
// not float16. Axes before the last two broadcast to the axes of out. An x of one axis is a row, a
// y of one axis a column, and out lacks that axis. Here and below out is apart from the inputs, and
// the sum has a term.
void matmul(const QueueRef &queue, const View &x, const View &y, const View &out, Caller &caller);

// A loop of NumPy's ufunc `matmul`. It takes the addresses of x, y and out, the extents (products,
// m, k, n), the steps in bytes of x, y and out from one product to the next and along their axes
// (m, k), (k, n) and (m, n), and a pointer of its own.
using MatrixLoop = void (*)(char **, const std::intptr_t *, const std::intptr_t *, void *);
// matmul() by such a loop on this thread, after the work on the memories.
void matmul_by(MatrixLoop loop, void *context, const QueueRef &queue, const View &x, const View &y,
               const View &out, Caller &caller);

// out[...] = the sum over k of x[..., k] y[..., k], or of the complex conjugate of x and y; x and y
// broadcast to the axes of out and the axis of the sum.
void vecdot(const QueueRef &queue, const View &x, const View &y, const View &out, bool conjugate,
            Caller &caller);

} // namespace usmtensor
