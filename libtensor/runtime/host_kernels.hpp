// Kernels as functions of the host, in one module for each instruction set.
#pragma once
#include "kernel_store.hpp"
#include "layout/argument.hpp"

namespace usmtensor {

// A kernel as a function of the host; null where there is none.
HostKernel host_kernel(KernelId id);

// The sort of rows by functions that sort numbers; null where there is none.
using HostSort = bool (*)(const KeySort &rows);
HostSort host_sort();

// Whether the processor runs the kernels that need no mathematics.
bool has_host_kernels();

} // namespace usmtensor
