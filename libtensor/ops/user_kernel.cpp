#include "user_kernel.hpp"

#include "copy.hpp"
#include "kernel_row.hpp"
#include "launch.hpp"
#include "layout/strides.hpp"
#include "runtime/error.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <optional>
#include <string>

namespace usmtensor {
namespace {

// Elements from which copying a strided input costs less than scalar function calls.
constexpr std::int64_t worth_packing = 4096;
// Bytes of copies above which compiling the row kernel pays, and above which a call waits for it.
constexpr std::int64_t worth_compiling = 1 << 18, max_packed = 1 << 28;

// True if an operand with these strides is contiguous in the same order as the outputs.
bool contiguous_with_outputs(const UserOperands &given, const std::int64_t *strides) {
  std::vector<const std::int64_t *> all;
  for (const View &out : given.outputs)
    all.push_back(out.strides);
  all.push_back(strides);
  const auto ndim = static_cast<int>(given.shape.size());
  return IterationSpace(ndim, given.shape.data(), {all.data(), all.size()}).contiguous();
}

// True if strided inputs should be copied, so that the contiguous kernel can run. The row kernel
// calls functions for one element at a time. It also takes four times as long to compile, and
// copies cost less until it is compiled. `index` has the strides of the element index if the kernel
// uses it, or else those of an output.
bool should_pack(const Queue &queue, const UserKernels &user, const UserOperands &given,
                 const std::int64_t *index) {
  if (!queue.description.is_cpu() || given.outputs.empty())
    return false;
  const std::int64_t size = given.outputs[0].size();
  const bool slow = given.calls && given.cost == 1 && size >= worth_packing;
  const bool missing = has_host_tier(queue) && !queue.kernels->has(user.strided);
  if (!(slow || missing) || !contiguous_with_outputs(given, index))
    return false;
  if (slow)
    return true;
  std::int64_t bytes = 0;
  for (const View &input : given.inputs)
    if (!contiguous_with_outputs(given, input.strides))
      bytes += size * itemsize(input.dtype);
  if (bytes > max_packed || bytes < worth_compiling)
    return bytes <= max_packed;
  if (queue.kernels->at_hand(user.strided))
    return false;
  queue.kernels->load_later(user.strided);
  return true;
}

// True if writing an output may change an input before the kernel has read it. The loops read an
// element of each input just before they write the element of a single output. A kernel may read
// any element of a raw input, and write any element of a raw output.
bool has_write_hazard(const UserOperands &given, const View &input, bool raw) {
  for (const View &out : given.outputs)
    if (may_overlap(out, input) && (raw || given.outputs.size() > 1 || !same_elements(out, input)))
      return true;
  for (std::size_t k = 0; k < given.raw.size(); ++k)
    if (given.raw_written[k] && may_overlap(given.raw[k], input))
      return true;
  return false;
}

// True if there are inputs, all with equal strides, and all outputs have equal strides. The rows
// must be long enough for neighbouring work-items to compute neighbours in a row.
bool is_stencil(const IterationSpace &space, int outputs, int arrays) {
  constexpr std::int64_t min_row = 32;
  if (outputs == arrays || space.ndim < 2 || space.ndim > scalar_axes ||
      space.axes[0].extent < min_row)
    return false;
  for (int axis = 0; axis < space.ndim; ++axis) {
    const std::int64_t *const strides = space.axes[axis].strides;
    const auto equal = [&](int first, int last) {
      return std::all_of(strides + first, strides + last,
                         [&](std::int64_t stride) { return stride == strides[first]; });
    };
    if (!equal(0, outputs) || !equal(outputs, arrays))
      return false;
  }
  return true;
}

void add_all(const Launch &launch, int outputs, int arrays, bool indexed, bool stencil,
             Arguments &to) {
  for (int k = 0; k < arrays; ++k)
    to.add<const void *>(launch.data(k));
  to.add<std::int64_t>(launch.space.size);
  to.add<std::int64_t>(indexed ? launch.space.offsets[arrays] : 0);
  if (launch.plan.loop == Loop::contiguous)
    return;
  if (launch.plan.loop == Loop::grid && !stencil)
    for (int axis = 0; axis < 3; ++axis)
      to.add<std::uint32_t>(launch.multiplier(axis));
  for (int axis = 0; axis < scalar_axes; ++axis)
    to.add<std::int64_t>(launch.extent(axis));
  // The strides of a stencil are those of the first output, the first input and the index.
  for (int k = 0; k < launch.space.operands; ++k)
    if (!stencil || k == 0 || k == outputs || k == arrays)
      for (int axis = 0; axis < scalar_axes; ++axis)
        to.add<std::int64_t>(launch.stride(k, axis));
  if (stencil)
    return;
  to.add<const void *>(launch.outer);
  to.add<std::int32_t>(launch.outer_count());
  to.add<std::int32_t>(launch.plan.stream);
}

} // namespace

void run_user(const QueueRef &queue, const UserKernels &user, const UserOperands &given) {
  const auto ndim = static_cast<int>(given.shape.size());
  const std::int64_t *const shape = given.shape.data();
  std::deque<Temporary> copies; // until the command is submitted
  std::vector<Operand> operands;
  std::vector<const std::int64_t *> strides;
  std::int64_t written = 0;
  for (const View &out : given.outputs) {
    operands.push_back(out);
    strides.push_back(out.strides);
    written += out.size() * itemsize(out.dtype);
  }
  auto copy_of = [&](const View &input, const std::int64_t *like) -> const View & {
    copies.emplace_back(queue, input, like);
    copy(queue, input, copies.back().view);
    return copies.back().view;
  };
  auto copy_if_hazard = [&](const View &input, bool raw) -> const View & {
    return has_write_hazard(given, input, raw) ? copy_of(input, nullptr) : input;
  };
  const auto arrays = static_cast<int>(given.outputs.size() + given.inputs.size());
  for (const View &input : given.inputs)
    strides.push_back(input.strides);
  std::vector<std::int64_t> index(ndim);
  if (given.indexed) {
    compact_strides(ndim, shape, 'C', index.data());
    strides.push_back(index.data());
  }
  std::optional<IterationSpace> simplified;
  auto simplify = [&] { simplified.emplace(ndim, shape, Span(strides.data(), strides.size())); };
  simplify();
  if (simplified->size == 0)
    return;
  const bool packed = !simplified->contiguous() &&
                      should_pack(*queue, user, given, given.indexed ? index.data() : strides[0]);
  for (const View &input : given.inputs) {
    const View &taken = packed && !contiguous_with_outputs(given, input.strides)
                            ? copy_of(input, strides[0])
                            : copy_if_hazard(input, false);
    strides[operands.size()] = taken.strides;
    operands.push_back(taken);
  }
  if (!copies.empty())
    simplify();
  IterationSpace &space = *simplified;
  if (given.indexed)
    operands.emplace_back();
  for (std::size_t k = 0; k < given.raw.size(); ++k)
    operands.push_back(given.raw_written[k] ? given.raw[k] : copy_if_hazard(given.raw[k], true));
  // For expensive elements, no loop vectorises across elements: kernels/user.hpp.
  const bool is_cheap = given.cost == 1, cpu = queue->description.is_cpu();
  constexpr int call_cost = 3000, read_cost = 100; // picoseconds per element, estimated
  Kernels kernels{user.contiguous,
                  is_cheap ? Loops{Loop::contiguous, Loop::strided, Loop::grid}
                           : Loops{Loop::strided, Loop::grid},
                  given.calls * call_cost + given.cost * read_cost};
  const Span<Operand> all(operands.data(), operands.size());
  Plan plan = usmtensor::plan(*queue, kernels, space, all, given.calls ? 0 : written);
  if (!is_cheap && cpu && plan.loop == Loop::strided)
    plan.shares = std::clamp<std::int64_t>(
        space.size * given.cost / 8192, 1,
        std::min<std::int64_t>(space.size, 4 * queue->description.compute_units));
  const auto outputs = static_cast<int>(given.outputs.size());
  const bool stencil = is_cheap && plan.loop == Loop::grid && is_stencil(space, outputs, arrays);
  if (plan.loop == Loop::grid && (stencil || !is_cheap))
    plan.elements = stencil ? stencil_rows : 1;
  KernelId chosen = plan.loop == Loop::contiguous ? user.contiguous
                    : plan.loop == Loop::strided  ? user.strided
                    : stencil                     ? user.stencil
                                                  : user.grid;
  if (cpu && plan.loop == Loop::strided && space.contiguous())
    chosen = user.partition, plan.loop = Loop::contiguous; // has the arguments of that loop
  kernels.first = chosen - kernels.loops.index_of(plan.loop);
  launch(*queue, kernels, plan, space, all, [&](const Launch &launch, Arguments &to) {
    add_all(launch, outputs, arrays, given.indexed, stencil, to);
    for (std::size_t k = 0; k < given.raw.size(); ++k) {
      to.add<const void *>(operands[operands.size() - given.raw.size() + k].data);
      to.add<std::int64_t>(given.raw[k].size());
    }
    for (const Argument &scalar : given.scalars)
      to.add(scalar);
  });
}

void run_user(const QueueRef &queue, KernelId kernel, const std::vector<std::int64_t> &items,
              const std::vector<std::int64_t> &group, const std::vector<Argument> &arguments,
              const std::vector<const Allocation *> &operands) {
  const auto group_size =
      std::accumulate(group.begin(), group.end(), std::int64_t(1), std::multiplies<>());
  if (static_cast<std::size_t>(group_size) > queue->description.max_group)
    throw Error(ErrorKind::value, "a work-group of " + std::to_string(group_size) +
                                      " work-items; the device has at most " +
                                      std::to_string(queue->description.max_group));
  constexpr std::int64_t item_time = 10; // nanoseconds, estimated
  const std::int64_t total_time =
      std::accumulate(items.begin(), items.end(), item_time, std::multiplies<>());
  const sycl::kernel &code = (*queue->kernels)[kernel];
  submit(
      *queue, {operands.data(), operands.size()},
      [&](sycl::queue &q) {
        submit_kernel(q, code, {items.data(), items.size()}, {group.data(), group.size()},
                      {arguments.data(), arguments.size()});
      },
      total_time / queue->description.compute_units);
}

} // namespace usmtensor
