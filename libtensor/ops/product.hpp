// Matrix and vector products, within one context.
#pragma once
#include "layout/view.hpp"
#include "runtime/caller.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// out[..., i, j] = sum over k of x[..., i, k] * y[..., k, j]. The arrays have the same type, which
// is not float16. Axes before the last two broadcast to those of `out`. A 1-D x is a row, a 1-D y
// is a column, and `out` lacks that axis. Here and below, `out` overlaps no input, and the sum has
// at least one term.
void matmul(const QueueRef &queue, const View &x, const View &y, const View &out, Caller &caller);

// An inner loop of NumPy's ufunc `matmul`. Its arguments are the addresses of x, y and out; the
// extents (number of products, m, k, n); the steps in bytes of x, y and out between products, and
// along their axes (m, k), (k, n) and (m, n); and its context pointer.
using MatrixLoop = void (*)(char **, const std::intptr_t *, const std::intptr_t *, void *);
// matmul() by such a loop on this thread. Waits for pending commands on the memories first.
void matmul_by(MatrixLoop loop, void *context, const QueueRef &queue, const View &x, const View &y,
               const View &out, Caller &caller);

// out[...] = sum over k of x[..., k] * y[..., k]; with `conjugate`, of conj(x[..., k]) * y[..., k].
// The other axes of x and y broadcast to those of `out`.
void vecdot(const QueueRef &queue, const View &x, const View &y, const View &out, bool conjugate,
            Caller &caller);

} // namespace usmtensor
