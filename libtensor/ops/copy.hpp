// Copy, cast and fill within one context.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// destination[...] = source[...], converted to the destination's type. Equal shapes (a broadcast
// source has zero strides). Overlapping views behave as if the source had been copied first. Says
// whether it ran: `at_once` is that of elementwise().
bool copy(const QueueRef &queue, const View &source, const View &destination, bool at_once = false);

// destination[...] = *scalar, one element of the destination's type in host memory.
bool fill(const QueueRef &queue, const View &destination, const void *scalar, bool at_once = false);

} // namespace usmtensor
