// Which variants of the kernels run.
#pragma once

namespace usmtensor {

struct Queue;

bool use_cpu_kernels(const Queue &queue);

} // namespace usmtensor
