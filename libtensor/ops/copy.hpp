// Copy, cast and fill within one context.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// destination[...] = source[...], converted to the destination's type. Equal shapes (a broadcast
// source has zero strides). Overlapping views behave as if the source had been copied first.
void copy(const QueueRef &queue, const View &source, const View &destination);

// destination[...] = *scalar, one element of the destination's type in host memory.
void fill(const QueueRef &queue, const View &destination, const void *scalar);

} // namespace usmtensor
