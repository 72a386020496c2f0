// Compiled kernels as bytes by SYCL's own format (SYCLBIN), for backends whose driver gives out no
// binaries.
#pragma once
#include "handles.hpp"

#include <string>
#include <vector>

namespace usmtensor {

// What decides whether a binary is of use; throws if the device does not say it.
std::string sycl_binary_identity(const sycl::device &device);

// The bytes of a kernel that was compiled from source.
std::vector<unsigned char> sycl_binary(const sycl::kernel &kernel);

// The kernel of such bytes; throws if SYCL refuses them.
sycl::kernel from_sycl_binary(const sycl::context &context, const sycl::device &device,
                              const std::vector<unsigned char> &binary, const char *name);

} // namespace usmtensor
