// User-defined kernels.
#pragma once
#include "layout/argument.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"
#include "runtime/kernel_store.hpp"

#include <cstdint>
#include <vector>

namespace usmtensor {

// The operands of a user-defined elementwise kernel.
struct UserOperands {
  std::vector<std::int64_t> shape;
  std::vector<View> outputs, inputs; // have that shape
  std::vector<View> raw;             // C-contiguous arrays that the kernel indexes itself
  std::vector<bool> raw_written;
  std::vector<Argument> scalars;
  bool indexed; // the kernel receives the index of each element
  bool calls;   // the kernel is vectorised only across work-items
  int cost = 1; // elements that the kernel reads per output element, about
};

// One kernel for each loop. On CPUs: contiguous, or partition for contiguous arrays in even shares,
// or strided for rows. On other devices: contiguous, stencil for operands with equal strides, or
// grid.
struct UserKernels {
  KernelId contiguous, partition, strided, grid, stencil;
};

// The results are as if the inputs had been copied first.
void run_user(const QueueRef &queue, const UserKernels &kernels, const UserOperands &operands);

// Runs a user-defined kernel with `items` work-items in work-groups of `group`, in up to three
// dimensions.
void run_user(const QueueRef &queue, KernelId kernel, const std::vector<std::int64_t> &items,
              const std::vector<std::int64_t> &group, const std::vector<Argument> &arguments,
              const std::vector<const Allocation *> &operands);

} // namespace usmtensor
