// Kernels that SYCL makes executable, for backends other than OpenCL.
#pragma once
#include "handles.hpp"
#include "kernel_pack.hpp"

namespace usmtensor {

// From the embedded module.
sycl::kernel compile_spirv(const sycl::context &context, const sycl::device &device,
                           const PackedKernel &packed);
// From the embedded source of the family, cut down to this kernel.
sycl::kernel compile_source(const sycl::context &context, const sycl::device &device,
                            const PackedKernel &packed);

} // namespace usmtensor
