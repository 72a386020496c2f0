// Which libraries may compute in place of kernels. USMTENSOR_LIBRARIES may name the only one.
#pragma once
#include "runtime/handles.hpp"

namespace usmtensor {

// Whether oneMKL may compute where it is installed.
bool onemkl_may();

// Whether NumPy may compute on the memory of a queue's arrays: the device is a CPU. Work that is
// not in a queue waits first for the commands that are pending on the memories (drain).
bool numpy_may(const Queue &queue);

// Whether libraries may multiply and sort: no tier is forced.
bool no_tier_is_forced();

} // namespace usmtensor
