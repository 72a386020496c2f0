// The identity of everything that a kernel binary depends on, except the kernel.
#pragma once
#include "handles.hpp"

#include <string>

namespace usmtensor {

// Device, driver, CPU features and settings.
std::string binary_identity(const sycl::device &device);

} // namespace usmtensor
