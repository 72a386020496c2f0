// What decides whether the binary of a kernel is of use.
#pragma once
#include "handles.hpp"

#include <string>

namespace usmtensor {

// Device, driver, CPU features and settings.
std::string binary_identity(const sycl::device &device);

} // namespace usmtensor
