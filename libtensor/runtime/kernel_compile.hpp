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

// The source of the family with one of its wrappers, as kernelc/generate.py writes them. The
// headers take half a second and a kernel 20 ms or more, so compiling all would pay only for dozens
// of kernels.
SourceKernel source_kernel(const PackedKernel &packed);
sycl::kernel compile_source(const sycl::context &context, const sycl::device &device,
                            const SourceKernel &kernel);

} // namespace usmtensor
