// Elementwise functions within one context.
#pragma once
#include "layout/view.hpp"
#include "operators.hpp"
#include "runtime/handles.hpp"

namespace usmtensor {

// out[...] = f(inputs...), for arrays of the element types that the signature's kernel takes. At
// least one input is an array. An out that overlaps an input comes out as if the inputs had been
// copied first. Says whether it ran: `at_once` asks for that only where nobody has to wait, and
// where it takes no longer than a caller may hold a lock (the GIL).
bool elementwise(const QueueRef &queue, const Signature &signature, int count, const Input *inputs,
                 const View &out, bool at_once = false);

} // namespace usmtensor
