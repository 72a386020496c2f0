// Launching kernels: every operation passes its operands to a queue by these functions.
#pragma once
#include "layout/view.hpp"
#include "plan.hpp"
#include "runtime/caller.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

#include <type_traits>

namespace usmtensor {

// An operand of a kernel. The default is no array: the kernel takes a value instead. An operand
// with data but without memory is on the host's stack: an earlier launch of the same operation ran
// on the host, so this one does too.
struct Operand {
  Operand() = default;
  Operand(const View &view) : Operand(view, view.dtype) {}
  // A view that the kernel reads as elements of another type.
  Operand(const View &view, DType dtype)
      : data(view.data), memory(view.memory), itemsize(usmtensor::itemsize(dtype)) {}
  Operand(const Memory &memory, std::int64_t itemsize = 1)
      : data(memory ? memory->pointer : nullptr), memory(memory.get()), itemsize(itemsize) {}

  char *data = nullptr;
  const Allocation *memory = nullptr;
  std::int64_t itemsize = 0;

  bool on_stack() const { return data && !memory; }
};

// True if the host computes small operations of the queue.
bool has_host_tier(const Queue &queue);

// Describes short rows as rows of fewer and larger elements, if sizes, strides and addresses allow
// that. Operands 0 and 1 have the rows; further operands have stride 0 along a row. `step` is the
// stride of the axis that an index selects from. Returns the type of the larger elements, of which
// only the size matters. The offsets of operands 0 and 1 are added to their pointers.
DType join_elements(IterationSpace &space, DType type, Operand *operands,
                    std::int64_t *step = nullptr);

// Plans kernels for a queue. `written` is the number of bytes of the output, or 0 if the output has
// only a few elements. The host runs the kernel if no command on the operands is pending, and if it
// is faster there or the device's kernel is not loaded yet. The caller releases its lock unless the
// plan is brief.
Plan plan(const Queue &queue, const Kernels &kernels, IterationSpace &space, Span<Operand> operands,
          std::int64_t written, Caller &caller = unlocked);
// For operations that write each element of the first operand once.
inline Plan plan(const Queue &queue, const Kernels &kernels, IterationSpace &space,
                 Span<Operand> operands, Caller &caller = unlocked) {
  return plan(queue, kernels, space, operands, space.size * operands[0].itemsize, caller);
}
// Allocates memory for the results of a planned kernel. After the plan was made, other threads may
// have submitted commands on the operands, or have freed this block while a command was pending. If
// the host runs the kernel, it waits for these commands.
Memory allocate(const QueueRef &queue, const Plan &plan, Span<Operand> operands,
                std::size_t nbytes);
// Submits a kernel with work-items in up to three dimensions.
void submit_kernel(sycl::queue &queue, const sycl::kernel &kernel, Span<std::int64_t> items,
                   Span<std::int64_t> group, Span<Argument> arguments);

// For products.
Plan plan(const Queue &queue, const Kernels &kernels, const ProductSizes &sizes,
          Span<Operand> operands, Caller &caller);

// The number of axes that are kernel arguments; further axes are in a block of USM.
inline constexpr int scalar_axes = 4;

// One launch: what the arguments of its kernel are made of.
struct Launch {
  void *data(int k) const {
    const Operand &operand = operands[k];
    return operand.data ? operand.data + space.offsets[k] * operand.itemsize : nullptr;
  }
  std::int64_t extent(int axis) const { return axis < space.ndim ? space.axes[axis].extent : 1; }
  std::int64_t stride(int k, int axis) const {
    return axis < space.ndim ? space.axes[axis].strides[k] : 0;
  }
  // For divisions by an extent: see divide() of the kernels.
  std::uint32_t multiplier(int axis) const {
    const std::uint64_t n = extent(axis);
    const int bits = n > 1 ? 64 - __builtin_clzll(n - 1) : 0;
    return static_cast<std::uint32_t>(((std::uint64_t(1) << (31 + bits)) + n - 1) / n);
  }
  int outer_count() const { return space.ndim > scalar_axes ? space.ndim - scalar_axes : 0; }

  const Plan &plan;
  const IterationSpace &space;
  Span<Operand> operands;
  const void *outer; // for each axis after the fourth: the extent, then one stride per operand
};

// Adds the arguments of the loop, which come before the functor's. Written by the build.
void add_arguments(const Launch &launch, Arguments &to);

// Runs a planned kernel, in several launches if the space is too large for one. `add_all` adds the
// arguments. `operands` may have more entries than the space: further memory that the kernel uses.
// Operations call run(), which checks the types.
void launch(const Queue &queue, const Kernels &kernels, const Plan &plan, IterationSpace &space,
            Span<Operand> operands, FunctionRef<const Launch &, Arguments &> add_all);

template <class Scalars, int N>
void run(const Queue &queue, const SignatureKernels<Scalars, N> &kernels, const Plan &plan,
         IterationSpace &space, const Operand (&operands)[N],
         const std::common_type_t<Scalars> &scalars) {
  launch(queue, kernels, plan, space, operands, [&](const Launch &launch, Arguments &to) {
    add_arguments(launch, to);
    scalars.add_to(to);
  });
}
// Plans and runs. `block` is the field of the plan.
template <class Scalars, int N>
void run(const Queue &queue, const SignatureKernels<Scalars, N> &kernels, IterationSpace &space,
         const Operand (&operands)[N], const std::common_type_t<Scalars> &scalars,
         Caller &caller = unlocked, std::int64_t block = 0) {
  if (space.size == 0)
    return;
  Plan plan = usmtensor::plan(queue, kernels, space, operands, caller);
  plan.block = block;
  run(queue, kernels, plan, space, operands, scalars);
}
// For products.
template <class Scalars, int N>
void run(const Queue &queue, const SignatureKernels<Scalars, N> &kernels, const ProductSizes &sizes,
         IterationSpace &space, const Operand (&operands)[N],
         const std::common_type_t<Scalars> &scalars, Caller &caller) {
  if (space.size != 0)
    run(queue, kernels, plan(queue, kernels, sizes, operands, caller), space, operands, scalars);
}

} // namespace usmtensor
