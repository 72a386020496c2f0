// The kernels of users.
#pragma once
#include "layout/argument.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"
#include "runtime/kernel_store.hpp"

#include <cstdint>
#include <vector>

namespace usmtensor {

// The operands of a user's elementwise kernel.
struct UserOperands {
  std::vector<std::int64_t> shape;
  std::vector<View> outputs, inputs; // of that shape
  std::vector<View> raw;             // arrays in C order that the kernel indexes itself
  std::vector<bool> raw_written;
  std::vector<Argument> scalars;
  bool indexed; // the kernel knows the index of an element
  bool calls;   // it is vectorised only across work-items
  int cost = 1; // about how many elements each one reads
};

// One kernel by loop: for contiguous arrays, also in shares of the work-items of a CPU; for rows on
// a CPU; for others.
struct UserKernels {
  KernelId contiguous, partition, strided, grid;
};

// The results are as of copied inputs.
void run_user(const QueueRef &queue, const UserKernels &kernels, const UserOperands &operands);

// Runs a kernel of a user in as many work-items, of groups, in up to three dimensions.
void run_user(const QueueRef &queue, KernelId kernel, const std::vector<std::int64_t> &items,
              const std::vector<std::int64_t> &group, const std::vector<Argument> &arguments,
              const std::vector<const Allocation *> &operands);

} // namespace usmtensor
