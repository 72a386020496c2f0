// Which libraries may compute instead of kernels. USMTENSOR_LIBRARIES can restrict to one library.
#pragma once
#include "runtime/handles.hpp"

namespace usmtensor {

// True if oneMKL may compute, provided that it is installed.
bool onemkl_enabled();

// True if NumPy may compute on arrays of the queue, whose device must be a CPU. Its work is not
// submitted to a queue, so callers first wait for the commands on the memories (drain).
bool numpy_enabled(const Queue &queue);

// True if no tier is forced; only then libraries may multiply and sort.
bool no_tier_is_forced();

} // namespace usmtensor
