#include "launch.hpp"

#include "runtime/kernel_store.hpp"
#include "runtime/scratch.hpp"
#include "runtime/submit.hpp"
#include "runtime/test_hooks.hpp"

#include <sycl/sycl.hpp>

#include <algorithm>

namespace usmtensor {
namespace {

namespace syclexp = sycl::ext::oneapi::experimental;

// Null where there are no axes beyond the fourth. The command that reads it calls launched().
ScratchRing::Lease outer_axes(const Queue &queue, const IterationSpace &space) {
  if (space.ndim <= scalar_axes)
    return {};
  const std::size_t count =
      static_cast<std::size_t>(space.ndim - scalar_axes) * (1 + space.operands);
  ScratchRing::Lease block = queue.scratch->take(count * sizeof(std::int64_t));
  auto *out = reinterpret_cast<std::int64_t *>(block->data);
  for (int axis = scalar_axes; axis < space.ndim; ++axis) {
    *out++ = space.axes[axis].extent;
    out = std::copy_n(space.axes[axis].strides, space.operands, out);
  }
  return block;
}

// A launch, in a command.
void launch(sycl::queue &queue, const sycl::kernel &kernel, std::int64_t items, int group,
            const Arguments &arguments) {
  const auto local = static_cast<std::size_t>(group);
  const std::size_t global = (static_cast<std::size_t>(items) + local - 1) / local * local;
  syclexp::submit(queue, [&](sycl::handler &handler) {
    int place = 0;
    for (const Arguments::Argument &argument : arguments)
      if (argument.pointer)
        handler.set_arg(place++, reinterpret_cast<void *>(argument.bits));
      else
        handler.set_arg(place++, syclexp::raw_kernel_arg(&argument.bits, argument.nbytes));
    handler.parallel_for(sycl::nd_range<1>(global, local), kernel);
  });
}

} // namespace

Plan plan(const Queue &queue, Loops loops, IterationSpace &space, std::int64_t written,
          std::int64_t itemsize) {
  const int forced = test_hooks.device_class.load(std::memory_order_relaxed);
  if (forced == 0)
    return plan(queue.description, loops, space, written, itemsize);
  DeviceDescription description = queue.description;
  description.cpu = forced == 1;
  return plan(description, loops, space, written, itemsize);
}

void run(const Queue &queue, KernelId kernel, const Plan &plan, IterationSpace &space,
         Span<Operand> operands, const Arguments &scalars) {
  if (space.size > plan.limit)
    return space.halve([&] { run(queue, kernel, plan, space, operands, scalars); });
  const sycl::kernel &code = (*queue.kernels)[kernel];
  const Allocation *memories[max_operands];
  std::transform(operands.begin(), operands.end(), memories,
                 [](const Operand &operand) { return operand.memory; });
  ScratchRing::Lease outer = outer_axes(queue, space);
  Arguments arguments;
  add_arguments({plan, space, operands, outer ? outer->data : nullptr}, arguments);
  arguments.add(scalars);
  submit(queue, {memories + 1, operands.size() - 1}, {memories, 1}, [&](sycl::queue &q) {
    launch(q, code, plan.items(space.size), plan.group, arguments);
    if (outer)
      outer->launched(q);
  });
}

} // namespace usmtensor
