// Compiled kernels in SYCL's binary format (SYCLBIN), for backends whose driver does not return
// binaries.
#pragma once
#include "handles.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace usmtensor {

// The identity of the device and compiler of a binary; throws if the device cannot be queried.
std::string sycl_binary_identity(const sycl::device &device);

// The binary of a kernel that was compiled from source.
std::vector<unsigned char> sycl_binary(const sycl::kernel &kernel);

// Wraps the PTX of one kernel as such a binary.
std::vector<unsigned char> wrap_ptx(const char *name, std::string_view ptx);
// Wraps any image that a driver accepts; the target is encoded as in SYCLBIN. A test wraps CPU
// code.
std::vector<unsigned char> wrap_image(const char *name, std::string_view image,
                                      std::string_view target);

// The kernel of such a binary; throws if SYCL refuses it.
sycl::kernel from_sycl_binary(const sycl::context &context, const sycl::device &device,
                              const std::vector<unsigned char> &binary, const char *name);

} // namespace usmtensor
