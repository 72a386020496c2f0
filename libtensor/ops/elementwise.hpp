// Elementwise functions within one context.
#pragma once
#include "layout/view.hpp"
#include "operators.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// out[...] = f(inputs...), for arrays of the element types that the signature's kernel takes. At
// least one input is an array. If out overlaps an input, the result is that of copied inputs.
// Returns whether it ran: with `at_once` only if no call waits for that, and if it takes no longer
// than a caller may hold a lock (the GIL).
bool elementwise(const QueueRef &queue, const Signature &signature, int count, const Input *inputs,
                 const View &out, bool at_once = false);

} // namespace usmtensor
