// Compiled kernels as bytes by SYCL's own format (SYCLBIN), for backends whose driver gives out no
// binaries.
#pragma once
#include "handles.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// What decides whether a binary is of use; throws if the device does not say it.
std::string sycl_binary_identity(const sycl::device &device);

// The bytes of a kernel that was compiled from source.
std::vector<unsigned char> sycl_binary(const sycl::kernel &kernel);

// Such bytes for PTX of one kernel.
std::vector<unsigned char> wrap_ptx(const char *name, std::string_view ptx);
// For any image that a driver takes; the target is encoded as in SYCLBIN. A test wraps CPU code.
std::vector<unsigned char> wrap_image(const char *name, std::string_view image,
                                      std::string_view target);

// The kernel of such bytes; throws if SYCL refuses them.
sycl::kernel from_sycl_binary(const sycl::context &context, const sycl::device &device,
                              const std::vector<unsigned char> &binary, const char *name);

} // namespace usmtensor
