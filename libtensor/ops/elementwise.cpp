#include "elementwise.hpp"

#include "arguments.hpp"
#include "copy.hpp"
#include "launch.hpp"
#include "layout/overlap.hpp"
#include "temporary.hpp"

#include <algorithm>

namespace usmtensor {
namespace {

bool disturbs(const View &out, const Input &input) {
  return input.array && !same_elements(out, *input.array) && may_overlap(out, *input.array);
}

// The function with one input in the output's order, from a temporary.
void elementwise_turned(const QueueRef &queue, const Signature &signature, int count,
                        const Input *inputs, int turned, const View &out) {
  const Temporary temporary(queue, *inputs[turned].array, out.strides);
  copy(queue, *inputs[turned].array, temporary.view);
  Input replaced[max_operands];
  std::copy_n(inputs, count, replaced);
  replaced[turned].array = &temporary.view;
  elementwise(queue, signature, count, replaced, out);
}

// The scalars of a kernel: the values of inputs that are no arrays, in the order of operand_scalars
// in kernelc/operators.py.
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
  const Input *inputs;
  bool wide;
};

template <int N>
bool elementwise_of(const QueueRef &queue, const Signature &signature, const Input *inputs,
                    const View &out, bool at_once) {
  Operand operands[N + 1] = {out};
  const std::int64_t *strides[N + 1] = {out.strides};
  for (int k = 0; k < N; ++k) {
    const View *array = inputs[k].array;
    if (array)
      operands[k + 1] = *array;
    // Values follow the output, so that they do not keep axes apart.
    strides[k + 1] = array ? array->strides : out.strides;
  }
  IterationSpace space(out.ndim, out.shape, strides);
  if (space.size == 0)
    return true;
  for (int k = 0; k < N; ++k)
    if (inputs[k].array && worth_turning(space, k + 1, operands[k + 1].itemsize)) {
      if (!at_once)
        elementwise_turned(queue, signature, N, inputs, k, out);
      return !at_once;
    }
  const SignatureKernels<ElementwiseScalars<N>, N + 1> kernels{
      {static_cast<KernelId>(signature.kernel), elementwise_loops, signature.cost,
       static_cast<KernelId>(signature.choice), signature.function},
      static_cast<DType>(signature.output)};
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, !at_once);
  if (plan.loop != Loop::flat)
    for (int k = 1; k <= N; ++k)
      if (!operands[k].data)
        for (int axis = 0; axis < space.ndim; ++axis)
          space.axes[axis].strides[k] = 0;
  return run(*queue, kernels, plan, space, operands, {inputs, signature.wide}, at_once);
}

} // namespace

bool elementwise(const QueueRef &queue, const Signature &signature, int count, const Input *inputs,
                 const View &out, bool at_once) {
  if (std::any_of(inputs, inputs + count, [&](const Input &x) { return disturbs(out, x); })) {
    if (at_once)
      return false;
    const Temporary temporary(queue, out);
    elementwise(queue, signature, count, inputs, temporary.view);
    return copy(queue, temporary.view, out);
  }
  return count == 1   ? elementwise_of<1>(queue, signature, inputs, out, at_once)
         : count == 2 ? elementwise_of<2>(queue, signature, inputs, out, at_once)
                      : elementwise_of<3>(queue, signature, inputs, out, at_once);
}

} // namespace usmtensor
