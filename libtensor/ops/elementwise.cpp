#include "elementwise.hpp"

#include "copy.hpp"
#include "kernel_row.hpp"
#include "launch.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

namespace usmtensor {
namespace {

// True if writing `out` may change elements of the input before they are read.
bool has_write_hazard(const View &out, const Input &input) {
  return input.array && !same_elements(out, *input.array) && may_overlap(out, *input.array);
}

// Runs the function with compact temporaries for operands that are not contiguous in the output's
// order. Bit k of `copied_mask` allows a temporary for operand k; operand 0 is the output. Large
// operations are split into pieces, so that the temporaries stay small.
void elementwise_with_temporaries(const QueueRef &queue, const Signature &signature,
                                  Span<Input> inputs, const View &out, IterationSpace &space,
                                  unsigned copied_mask) {
  const auto count = static_cast<int>(inputs.size());
  constexpr std::int64_t piece = std::int64_t(1) << 24;
  if (space.size > piece)
    return space.halve(
        [&] { elementwise_with_temporaries(queue, signature, inputs, out, space, copied_mask); });
  std::vector<std::int64_t> shape(space.ndim), strides[max_inputs + 1];
  for (int axis = 0; axis < space.ndim; ++axis)
    shape[axis] = space.axes[space.ndim - 1 - axis].extent;
  View views[max_inputs + 1];
  Input pieces[max_inputs];
  std::optional<Temporary> temporaries[max_inputs + 1];
  for (int k = 0; k <= count; ++k) {
    if (k > 0)
      pieces[k - 1] = inputs[k - 1];
    const View *const whole = k == 0 ? &out : inputs[k - 1].array;
    if (!whole)
      continue;
    for (int axis = space.ndim - 1; axis >= 0; --axis)
      strides[k].push_back(space.axes[axis].strides[k]);
    View &view = views[k] = *whole;
    view.data += space.offsets[k] * itemsize(view.dtype);
    view.ndim = space.ndim, view.shape = shape.data(), view.strides = strides[k].data();
    if (copied_mask >> k & 1 && !(contiguity(view.ndim, view.shape, view.strides) & c_contiguous))
      temporaries[k].emplace(queue, view);
    if (k > 0 && temporaries[k])
      copy(queue, view, temporaries[k]->view);
    if (k > 0)
      pieces[k - 1].array = temporaries[k] ? &temporaries[k]->view : &view;
  }
  const View &result = temporaries[0] ? temporaries[0]->view : views[0];
  elementwise(queue, signature, {pieces, inputs.size()}, result);
  if (temporaries[0])
    copy(queue, result, views[0]);
}

// The scalars of a kernel: the inputs that are values, in the order of operand_scalars in
// kernelc/operators.py.
template <int N> struct ElementwiseScalars {
  void add_to(Arguments &to) const {
    auto add = [&](const Input &x) {
      to.add(x.bits[0]);
      if (wide)
        to.add(x.bits[1]);
    };
    if (N > 1)
      add(inputs[0].array ? inputs[1] : inputs[0]);
    if (N > 2)
      add(inputs[2]);
  }
  Span<Input> inputs;
  bool wide;
};

// True if the row loop is faster on CPUs than the contiguous loop. The contiguous loop uses vectors
// of 16 elements even if these are small, and reads the parts of complex128 by gathers. With slow
// functors neither matters.
template <int N> bool worth_rows(const Kernels &kernels, bool wide, const Operand (&operands)[N]) {
  constexpr int slow = 1000; // picoseconds
  const bool small = std::any_of(operands, operands + N, [](const Operand &operand) {
    return operand.data && operand.itemsize <= 2;
  });
  return (small || wide) && !kernels.simd_work_items && kernels.cost < slow;
}

template <int N>
void elementwise_of(const QueueRef &queue, const Signature &signature, Span<Input> inputs,
                    const View &out, Caller &caller) {
  Operand operands[N + 1] = {out};
  const std::int64_t *strides[N + 1] = {out.strides};
  for (int k = 0; k < N; ++k) {
    const View *array = inputs[k].array;
    if (array)
      operands[k + 1] = *array;
    // Values get the output's strides, so that they do not prevent merging axes.
    strides[k + 1] = array ? array->strides : out.strides;
  }
  IterationSpace space(out.ndim, out.shape, strides);
  if (space.size == 0)
    return;
  unsigned copied_mask = 0;
  for (int k = 1; k <= N; ++k)
    if (operands[k].data && worth_transposing(queue->description, space, k, operands[k].itemsize))
      copied_mask |= 1u << k;
  SignatureKernels<ElementwiseScalars<N>, N + 1> kernels{signature.kernels,
                                                         static_cast<DType>(signature.output)};
  if (!operands[N].data)
    kernels.cost = signature.cost_by_value;
  kernels.by_rows = worth_rows(kernels, signature.wide, operands);
  if (copied_mask != 0) {
    caller.release();
    return elementwise_with_temporaries(queue, signature, inputs, out, space, copied_mask);
  }
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, caller);
  if (kernels.simd_work_items && plan.loop == Loop::strided_choice && !plan.host) {
    IterationSpace in_order(out.ndim, out.shape, strides); // the plan may have permuted the axes
    return elementwise_with_temporaries(queue, signature, inputs, out, in_order, ~0u);
  }
  if (plan.loop != Loop::contiguous)
    for (int k = 1; k <= N; ++k)
      if (!operands[k].data)
        for (int axis = 0; axis < space.ndim; ++axis)
          space.axes[axis].strides[k] = 0;
  run(*queue, kernels, plan, space, operands, {inputs, signature.wide});
}

// True if a view is an element that is broadcast.
bool is_broadcast(const View &x) {
  for (int axis = 0; axis < x.ndim; ++axis)
    if (x.strides[axis] != 0 && x.shape[axis] != 1)
      return false;
  return true;
}

// Computes the function with a broadcast element as a value, because loops are faster with a value.
// Returns false if the host may not read the element now.
[[gnu::noinline]] bool elementwise_by_value(const QueueRef &queue, const Signature &signature,
                                            Span<Input> inputs, const View &out, Caller &caller) {
  const int k = is_broadcast(*inputs[0].array) ? 0 : 1;
  const View &x = *inputs[k].array;
  if (out.size() <= 1 || !has_host_tier(*queue) || !nothing_pending(*queue, {x.memory}))
    return false;
  Input pair[] = {inputs[0], inputs[1]};
  pair[k].array = nullptr;
  std::memcpy(pair[k].bits, x.data, itemsize(x.dtype));
  elementwise(queue, signature, pair, out, caller);
  return true;
}

} // namespace

void elementwise(const QueueRef &queue, const Signature &signature, Span<Input> inputs,
                 const View &out, Caller &caller) {
  if (inputs.size() == 2 && out.ndim > 0 && inputs[0].array && inputs[1].array &&
      (is_broadcast(*inputs[0].array) || is_broadcast(*inputs[1].array)) &&
      elementwise_by_value(queue, signature, inputs, out, caller))
    return;
  if (std::any_of(inputs.begin(), inputs.end(),
                  [&](const Input &input) { return has_write_hazard(out, input); })) {
    const Temporary temporary(queue, out, nullptr, caller);
    elementwise(queue, signature, inputs, temporary.view, caller);
    return copy(queue, temporary.view, out, caller);
  }
  return inputs.size() == 1   ? elementwise_of<1>(queue, signature, inputs, out, caller)
         : inputs.size() == 2 ? elementwise_of<2>(queue, signature, inputs, out, caller)
                              : elementwise_of<3>(queue, signature, inputs, out, caller);
}

} // namespace usmtensor
