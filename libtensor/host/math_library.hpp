// Mathematical functions of host kernels: the vector library of the CPU device's driver.
#pragma once

namespace usmtensor {

// Whether kernels may call the functions of kernels/host_math.hpp. The driver loads its library
// with the first context of the device: call this only later.
bool has_math_library();

} // namespace usmtensor
