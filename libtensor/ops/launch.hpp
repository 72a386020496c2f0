// Launching kernels: the way of every operation from its operands to a queue.
#pragma once
#include "layout/view.hpp"
#include "plan.hpp"
#include "runtime/caller.hpp"
#include "runtime/function_ref.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

#include <type_traits>

namespace usmtensor {

// An operand of a kernel; by default none, where a value takes its place. One without memory lies
// on the stack of the host: an earlier launch of the operation ran there, and so does this one.
struct Operand {
  Operand() = default;
  Operand(const View &view) : Operand(view, view.dtype) {}
  // A view whose elements the kernel sees as another type.
  Operand(const View &view, DType dtype)
      : data(view.data), memory(view.memory), itemsize(usmtensor::itemsize(dtype)) {}
  Operand(const Memory &memory, std::int64_t itemsize = 1)
      : data(memory ? memory->pointer : nullptr), memory(memory.get()), itemsize(itemsize) {}

  char *data = nullptr;
  const Allocation *memory = nullptr;
  std::int64_t itemsize = 0;

  bool on_stack() const { return data && !memory; }
};

// Whether the device of a queue gets the loops for CPUs.
bool is_like_cpu(const Queue &queue);
// Whether the host runs small work for a queue.
bool has_host_tier(const Queue &queue);

// Describes short rows that are moved as rows of fewer and larger elements, where sizes, distances
// and addresses allow that. Operands 0 and 1 have the rows, further ones stay at one element along
// a row. `step` is a further distance in elements, between places that an index selects. Returns
// the type of the elements, of which only the size matters. The offsets of operands 0 and 1 go into
// their pointers.
DType join_elements(IterationSpace &space, DType type, Operand *operands,
                    std::int64_t *step = nullptr);

// How kernels run on the device of a queue. `written` bytes go to the output: 0 if these are only a
// few numbers. The host runs them where nothing is pending and it is faster, or where the device's
// kernel is not loaded yet. Unless the plan is brief, the caller gives up its lock.
Plan plan(const Queue &queue, const Kernels &kernels, IterationSpace &space, Span<Operand> operands,
          std::int64_t written, Caller &caller = unlocked);
// For operations that write each element of the first operand once.
inline Plan plan(const Queue &queue, const Kernels &kernels, IterationSpace &space,
                 Span<Operand> operands, Caller &caller = unlocked) {
  return plan(queue, kernels, space, operands, space.size * operands[0].itemsize, caller);
}
// Memory for the results of a kernel that runs as planned. Since the plan was made, other threads
// may have submitted commands on the operands, or have dropped the block with one pending: the host
// waits for these.
Memory allocate(const QueueRef &queue, const Plan &plan, Span<Operand> operands,
                std::size_t nbytes);
// A launch of work-items in up to three dimensions, in a command.
void submit_kernel(sycl::queue &queue, const sycl::kernel &kernel, Span<std::int64_t> items,
                   Span<std::int64_t> group, Span<Argument> arguments);

// For products.
Plan plan(const Queue &queue, const Kernels &kernels, const ProductSizes &sizes,
          Span<Operand> operands, Caller &caller);

// The axes that travel as arguments; more go through a block in USM.
inline constexpr int scalar_axes = 4;

// The parts of one launch that its arguments are made of.
struct LaunchParts {
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
  const void *outer; // per axis beyond the fourth the extent, then one stride per operand
};

// The arguments before the functor's. Written by the build.
void add_arguments(const LaunchParts &launch, Arguments &to);

// Runs a kernel as planned, in as many launches as it takes. `add_all` adds the arguments. Operands
// beyond the space's are memory that the kernel uses in other ways. Operations call run(),
// which checks the types.
void launch(const Queue &queue, const Kernels &kernels, const Plan &plan, IterationSpace &space,
            Span<Operand> operands, FunctionRef<const LaunchParts &, Arguments &> add_all);

template <class Scalars, int N>
void run(const Queue &queue, const SignatureKernels<Scalars, N> &kernels, const Plan &plan,
         IterationSpace &space, const Operand (&operands)[N],
         const std::common_type_t<Scalars> &scalars) {
  launch(queue, kernels, plan, space, operands, [&](const LaunchParts &parts, Arguments &to) {
    add_arguments(parts, to);
    scalars.add_to(to);
  });
}
// Plans as well. `block` is that of the plan.
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
