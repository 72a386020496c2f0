// The mathematics that kernels have on the host: the vector library of the CPU device's driver.
#pragma once

namespace usmtensor {

// Whether the functions of kernels/host_math.hpp may be called. The driver loads its library with
// the first context of the device, so the first question has to come after that.
bool has_math_library();

} // namespace usmtensor
