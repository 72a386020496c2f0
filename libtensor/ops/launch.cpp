#include "launch.hpp"

#include "kernel_row.hpp"
#include "runtime/discrete.hpp"
#include "runtime/host_kernels.hpp"
#include "runtime/kernel_store.hpp"
#include "runtime/order.hpp"
#include "runtime/scratch.hpp"
#include "runtime/settings.hpp"
#include "runtime/submit.hpp"

#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>
#include <sycl/ext/oneapi/experimental/raw_kernel_arg.hpp>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

namespace syclexp = sycl::ext::oneapi::experimental;

// The axes after the fourth: the number of integers that describe them, and these integers.
std::size_t outer_count(const IterationSpace &space) {
  return space.ndim <= scalar_axes
             ? 0
             : static_cast<std::size_t>(space.ndim - scalar_axes) * (1 + space.operands);
}
void write_outer(const IterationSpace &space, std::int64_t *out) {
  for (int axis = scalar_axes; axis < space.ndim; ++axis) {
    *out++ = space.axes[axis].extent;
    out = std::copy_n(space.axes[axis].strides, space.operands, out);
  }
}

// A block of USM with these integers. The command that reads it must call launched().
ScratchBlocks::Lease device_axes(const Queue &queue, const IterationSpace &space) {
  if (outer_count(space) == 0)
    return {};
  ScratchBlocks::Lease block = queue.scratch->take(outer_count(space) * sizeof(std::int64_t));
  write_outer(space, reinterpret_cast<std::int64_t *>(block->data));
  return block;
}

struct Memories {
  explicit Memories(Span<Operand> operands) : count(operands.size()) {
    std::transform(operands.begin(), operands.end(), memories,
                   [](const Operand &operand) { return operand.memory; });
  }
  operator Operands() const { return {memories, count}; }

  const Allocation *memories[max_operands];
  const std::size_t count;
};

template <int ndim>
sycl::nd_range<ndim> nd_range(Span<std::int64_t> items, Span<std::int64_t> group) {
  sycl::range<ndim> all, part;
  std::copy_n(items.begin(), ndim, &all[0]);
  std::copy_n(group.begin(), ndim, &part[0]);
  return {all, part};
}

// Polls a condition. Returns true if it holds before some time is over.
template <class Condition> bool within(std::chrono::nanoseconds time, Condition &&holds) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= end)
      return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

// Chooses between the plan for the host and plan_for(device).
template <class PlanFor>
Plan choose(const Queue &queue, const Kernels &kernels, Span<Operand> operands, Caller &caller,
            Plan on_host, PlanFor &&plan_for) {
  on_host.host = has_host_tier(queue) ? host_kernel(kernels.id(on_host.loop)) : nullptr;
  if (std::any_of(operands.begin(), operands.end(), [](const Operand &x) { return x.on_stack(); }))
    return on_host;
  const auto possible = [&] { return on_host.host && nothing_pending(queue, Memories(operands)); };
  const bool better =
      tier() == Tier::host || on_host.host_time <= host_limit(queue.description, kernels.loops);
  if (!on_host.brief())
    caller.release();
  if (better && possible())
    return on_host;
  caller.release();
  DeviceDescription description = queue.description;
  if (const int forced = settings.device_class.load(std::memory_order_relaxed))
    description.device_class = static_cast<DeviceClass>(forced - 1);
  Plan on_device = plan_for(description);
  on_device.host_time = on_host.host_time;
  // Strided operands of some functions are copied to contiguous temporaries first.
  const bool by_contiguous = kernels.simd_work_items && on_device.loop == Loop::strided_choice;
  const KernelId needed = kernels.id(by_contiguous ? Loop::contiguous : on_device.loop);
  if (on_host.host && !queue.kernels->has(needed)) {
    // The host computes if that takes less time than loading the kernel. Pending commands take
    // longer while kernels compile. An out-of-order queue does not tell when it becomes idle.
    constexpr std::chrono::nanoseconds loading(2'500'000), compiling(20'000'000);
    const std::chrono::nanoseconds pending(queue.in_order ? 100'000'000 : 0);
    const std::int64_t time = on_host.host_time;
    const std::chrono::nanoseconds saved(time - time / queue.description.compute_units);
    if (saved <= loading && possible()) {
      queue.kernels->load_later(needed);
      return on_host;
    }
    if (saved <= compiling && !queue.kernels->at_hand(needed) && within(pending, possible)) {
      queue.kernels->load_later(needed);
      return on_host;
    }
  }
  return on_device;
}

} // namespace

void submit_kernel(sycl::queue &queue, const sycl::kernel &kernel, Span<std::int64_t> items,
                   Span<std::int64_t> group, Span<Argument> arguments) {
  syclexp::submit(queue, [&](sycl::handler &handler) {
    int place = 0;
    for (const Argument &argument : arguments)
      if (argument.pointer)
        handler.set_arg(place++, reinterpret_cast<void *>(argument.bits));
      else
        handler.set_arg(place++, syclexp::raw_kernel_arg(&argument.bits, argument.nbytes));
    switch (items.size()) {
    case 1:
      return handler.parallel_for(nd_range<1>(items, group), kernel);
    case 2:
      return handler.parallel_for(nd_range<2>(items, group), kernel);
    default:
      return handler.parallel_for(nd_range<3>(items, group), kernel);
    }
  });
}

bool has_host_tier(const Queue &queue) {
  // In discrete mode the host would touch the temporaries of an operation on shared memory.
  return queue.description.is_cpu() && tier() != Tier::device && !discrete_mode() &&
         settings.device_class.load(std::memory_order_relaxed) == 0 && has_host_kernels();
}

DType join_elements(IterationSpace &space, DType type, Operand *operands, std::int64_t *step) {
  if (space.ndim == 0)
    return type;
  IterationSpace::Axis &row = space.axes[0];
  const std::int64_t size = operands[0].itemsize;
  if (row.strides[0] != 1 || row.strides[1] != 1 ||
      std::any_of(row.strides + 2, row.strides + space.operands, [](auto x) { return x != 0; }))
    return type;
  // The lowest bit is the largest power of two that divides all strides in bytes.
  const auto bytes = [&](std::uint64_t elements) { return elements * size; };
  std::uint64_t distances = 16 | bytes(row.extent) | bytes(step ? *step : 0);
  for (int k = 0; k < 2; ++k) {
    for (int axis = 1; axis < space.ndim; ++axis)
      distances |= bytes(space.axes[axis].strides[k]);
    operands[k].data += std::exchange(space.offsets[k], 0) * size;
    distances |=
        reinterpret_cast<std::uintptr_t>(operands[k].data) % 8; // 16 bytes move as two words of 8
  }
  const std::int64_t wide = distances & -distances, count = wide / size;
  if (count <= 1 || (row.extent >= short_axis && row.extent != count))
    return type;
  for (int k = 0; k < 2; ++k) {
    operands[k].itemsize = wide;
    for (int axis = 1; axis < space.ndim; ++axis)
      space.axes[axis].strides[k] /= count;
  }
  if (step)
    *step /= count;
  row.extent /= count;
  space.size /= count;
  if (row.extent == 1)
    space.remove();
  return wide == 2   ? DType::uint16
         : wide == 4 ? DType::uint32
         : wide == 8 ? DType::uint64
                     : DType::complex128;
}

Plan plan(const Queue &queue, const Kernels &kernels, IterationSpace &space, Span<Operand> operands,
          std::int64_t written, Caller &caller) {
  constexpr std::int64_t few = 256; // elements that take less time than the estimate of their time
  if (space.size <= few && has_host_tier(queue)) {
    Plan plan = host_plan(queue.description, kernels.loops, space);
    plan.host = host_kernel(kernels.id(plan.loop));
    plan.function = kernels.function;
    if (plan.host && nothing_pending(queue, Memories(operands)))
      return plan;
  }
  const std::int64_t itemsize = operands[operands.size() - 1].itemsize;
  std::int64_t itemsizes[max_operands];
  std::transform(operands.begin(), operands.end(), itemsizes,
                 [](const Operand &operand) { return operand.itemsize; });
  if (written == 0) // the output has only a few elements
    itemsizes[0] = 0;
  Plan on_host = host_plan(queue.description, kernels.loops, space);
  const int inner = on_host.loop == Loop::outer_axis ? 1 : 0;
  on_host.host_time =
      host_time(queue.description, space, {itemsizes, operands.size()}, kernels.cost, inner);
  auto plan_for = [&](const DeviceDescription &device) {
    // An operation in place has read the cache lines of the output, so they are in the cache.
    const bool in_place =
        std::any_of(operands.begin() + 1, operands.end(),
                    [&](const Operand &input) { return input.data == operands[0].data; });
    const bool stream =
        !in_place && !kernels.simd_work_items; // the loop `contiguous` does not stream
    return plan(device, kernels.loops, space, stream ? written : 0, itemsize, kernels.by_rows);
  };
  Plan plan = choose(queue, kernels, operands, caller, on_host, plan_for);
  const bool moves =
      kernels.loops.has(Loop::transpose_tiles) || operands.size() == 1; // copies and fills
  if (plan.host && plan.loop == Loop::strided && moves)
    lengthen_rows(space, itemsize);
  // Few elements are worth several shares if each element takes long, as in a column of a matrix.
  constexpr std::int64_t worthwhile = 10'000; // nanoseconds of a share
  if (!plan.host && queue.description.is_cpu() &&
      (plan.loop == Loop::strided || plan.loop == Loop::strided_choice))
    plan.shares =
        std::max(plan.shares, std::min({plan.host_time / worthwhile, space.size,
                                        std::int64_t(4) * queue.description.compute_units}));
  plan.function = kernels.function;
  return plan;
}

Plan plan(const Queue &queue, const Kernels &kernels, const ProductSizes &sizes,
          Span<Operand> operands, Caller &caller) {
  return choose(
      queue, kernels, operands, caller, host_plan(kernels.loops, sizes),
      [&](const DeviceDescription &device) { return plan(device, kernels.loops, sizes); });
}

Memory allocate(const QueueRef &queue, const Plan &plan, Span<Operand> operands,
                std::size_t nbytes) {
  Memory memory = allocate(queue, UsmKind::device, nbytes);
  if (plan.host) {
    drain(*memory);
    for (const Operand &operand : operands)
      if (operand.memory)
        drain(*operand.memory);
  }
  return memory;
}

void launch(const Queue &queue, const Kernels &kernels, const Plan &plan, IterationSpace &space,
            Span<Operand> operands, FunctionRef<const Launch &, Arguments &> add_all) {
  if (space.size > plan.limit)
    return space.halve([&] { launch(queue, kernels, plan, space, operands, add_all); });
  Arguments arguments;
  if (plan.host) {
    std::vector<std::int64_t> outer(outer_count(space));
    write_outer(space, outer.data());
    add_all({plan, space, operands, outer.data()}, arguments);
    const std::int64_t parts = plan.items(space.size);
    return run_here([&] { plan.host(arguments.begin(), parts); });
  }
  const sycl::kernel &code = (*queue.kernels)[kernels.id(plan.loop)];
  const Memories memories(operands);
  ScratchBlocks::Lease outer = device_axes(queue, space);
  add_all({plan, space, operands, outer ? outer->data : nullptr}, arguments);
  std::int64_t bytes = 0;
  for (const Operand &operand : operands)
    bytes += space.size * operand.itemsize;
  const std::int64_t group = plan.group;
  const std::int64_t items = (plan.items(space.size) + group - 1) / group * group;
  submit(
      queue, memories,
      [&](sycl::queue &q) {
        submit_kernel(q, code, {items}, {group}, {arguments.begin(), arguments.size()});
        if (outer)
          outer->launched(q);
      },
      plan.device_time(queue.description, bytes));
}

} // namespace usmtensor
