// Kernels that SYCL makes executable: users' kernels, and all kernels for backends other than
// OpenCL.
#pragma once
#include "handles.hpp"
#include "kernel_pack.hpp"
#include "source_kernel.hpp"

namespace usmtensor {

// From the embedded module.
sycl::kernel compile_spirv(const sycl::context &context, const sycl::device &device,
                           const PackedKernel &packed);
// From the embedded source of the family, cut down to this kernel.
sycl::kernel compile_source(const sycl::context &context, const sycl::device &device,
                            const PackedKernel &packed);
sycl::kernel compile_source(const sycl::context &context, const sycl::device &device,
                            const SourceKernel &kernel);

} // namespace usmtensor
