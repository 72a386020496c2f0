// Mathematical functions for host kernels, from the vector library of the CPU driver.
#pragma once

namespace usmtensor {

// True if kernels may call the functions of kernels/host_math.hpp. Call this only after the first
// context of the device was created, because the driver loads its library then.
bool has_math_library();

} // namespace usmtensor
