// Kernels that write a number for each share of an array, where there is one share.
#pragma once
#include "launch.hpp"

namespace usmtensor {

// The number, if the host makes it at once; otherwise, or if there is no element, `none`.
template <class Scalars>
std::int64_t number_at_once(const QueueRef &queue, const SignatureKernels<Scalars, 2> &kernels,
                            const View &in, const std::common_type_t<Scalars> &scalars,
                            std::int64_t none) {
  IterationSpace space(in.size(), 2);
  if (space.size == 0)
    return none;
  std::int64_t number = 0;
  Operand operands[] = {{}, in};
  operands[0].data = reinterpret_cast<char *>(&number);
  const Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, false);
  const bool made = plan.shares == 1 && run(*queue, kernels, plan, space, operands, scalars, true);
  return made ? number : none;
}

} // namespace usmtensor
