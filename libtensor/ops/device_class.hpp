// Which variants of the kernels run.
#pragma once

namespace usmtensor {

struct Queue;

// 0 as the device is, 1 those for CPUs, 2 those for other devices. For tests, which have only a
// CPU.
void force_device_class(int device_class);
bool use_cpu_kernels(const Queue &queue);

} // namespace usmtensor
