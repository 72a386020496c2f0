#include "reduction.hpp"

#include "launch.hpp"
#include "runtime/host_kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace usmtensor {
namespace {

// Elements that one unit of the work combines: a row, or the rows of some columns. Blocks of other
// sizes would give other bits.
constexpr std::int64_t row_block = std::int64_t(1) << 15, column_block = 128;

bool is_integer(DType type) { return DType::i1 <= type && type <= DType::u8; }
// The bits of an element without which it is zero.
std::uint64_t significant_bits(DType type) {
  switch (type) {
  case DType::f2:
    return 0x7fff;
  case DType::f4:
    return 0x7fffffff;
  case DType::c8:
    return 0x7fffffff7fffffff;
  case DType::f8:
  case DType::c16:
    return 0x7fffffffffffffff;
  default:
    return ~std::uint64_t(0);
  }
}

// A real number as the bits of one of a type or of its parts.
std::uint64_t bits_of(double value, DType type) {
  const float single = static_cast<float>(value);
  std::uint64_t bits = 0;
  if (type == DType::f8 || type == DType::c16)
    std::memcpy(&bits, &value, sizeof value);
  else
    std::memcpy(&bits, &single, sizeof single);
  return bits;
}

// One launch: what the kernels of its row take.
struct Step {
  Arguments scalars() const {
    Arguments arguments;
    kernels::SumScalars{mask, flip, divisor}.add_to(arguments);
    return arguments;
  }
  Kernels kernels;
  DType result;
  std::uint64_t mask, flip, divisor;
};

// The first launch of a reduction.
Step first_step(Reduction what, DType type, double divisor) {
  using namespace kernels;
  const std::uint64_t mask = significant_bits(type);
  switch (what) {
  case Reduction::sum:
    if (type == DType::b1)
      return {count_nonzero[0], DType::i8, mask, 0, 0};
    {
      const int place = signature_of(sum_signatures, type == DType::u8 ? DType::i8 : type);
      const DType result = sum_signatures[place][1];
      return {sum[place], result, mask, 0, bits_of(divisor, result)};
    }
  case Reduction::prod:
    type = type == DType::u8 ? DType::i8 : type;
    return {prod[signature_of(prod_signatures, type)], type, mask, 0, 0};
  case Reduction::max:
  case Reduction::min: {
    if (type == DType::b1)
      return {any[0], DType::b1, mask, what == Reduction::min, 0};
    return {extreme[signature_of(extreme_signatures, signed_type(type))], type, mask,
            order_flip(type, what == Reduction::max), 0};
  }
  case Reduction::any:
  case Reduction::all:
    return {any[width_index(itemsize(type))], DType::b1, mask, what == Reduction::all, 0};
  case Reduction::count_nonzero:
    return {count_nonzero[width_index(itemsize(type))], DType::i8, mask, 0, 0};
  }
  __builtin_unreachable();
}

// The first launch of the squared distances from means.
Step deviations_step(DType type) {
  using namespace kernels;
  const int place = signature_of(squared_deviations_signatures, type);
  const DType result = squared_deviations_signatures[place][2];
  return {squared_deviations[place], result, 0, 0, bits_of(1, result)};
}

// A launch that goes on with what another one gave.
Step next_step(Reduction what, const Step &step) {
  return first_step(what == Reduction::count_nonzero ? Reduction::sum : what, step.result, 1);
}

int reduced_axes(const IterationSpace &space) {
  int count = 0;
  while (count < space.ndim && space.axes[count].strides[0] == 0)
    ++count;
  return count;
}

// Brings the axis that is reduced first to place 0: the longest, so that least is left.
Loop arrange(IterationSpace &space, int reduced) {
  if (reduced == 0)
    space.insert({1, {}});
  int longest = 0;
  for (int k = 1; k < reduced; ++k)
    if (space.axes[k].extent > space.axes[longest].extent)
      longest = k;
  std::rotate(space.axes, space.axes + longest, space.axes + longest + 1);
  return choose_around(space);
}

// Everything but the operands of one reduction.
struct Reducer {
  // Whether it ran. After a launch on the host whose results no queue knows, all others are there
  // too (`here`).
  bool run(const Step &step, IterationSpace &space, Span<Operand> operands, bool here) const;

  const QueueRef &queue;
  const Reduction what;
  const double divisor;
  const bool at_once;
};

bool Reducer::run(const Step &step, IterationSpace &space, Span<Operand> operands,
                  bool here) const {
  const int reduced = reduced_axes(space);
  const Loop loop = arrange(space, reduced);
  IterationSpace::Axis &axis = space.axes[0];
  const std::int64_t block = loop == Loop::along ? row_block : column_block;
  const std::int64_t blocks = (axis.extent + block - 1) / block;
  const std::int64_t results = space.size / axis.extent * blocks;
  Plan plan = here ? host_plan(queue->description, {loop}, space)
                   : usmtensor::plan(*queue, step.kernels, {loop}, space, operands,
                                     results * operands[0].itemsize, !at_once);
  if (here)
    plan.host = host_kernel(step.kernels.id(loop));
  plan.block = block;
  if (reduced <= 1 && blocks == 1) {
    if (at_once && !here && !plan.at_once())
      return false;
    Step last = step;
    last.divisor = bits_of(divisor, step.result);
    usmtensor::run(*queue, step.kernels, plan, space, operands, last.scalars());
    return true;
  }
  // Partial results side by side: those of one row together, rows as in x.
  alignas(16) char held[1024];
  const std::size_t nbytes = results * itemsize(step.result);
  const bool on_stack = (here || plan.at_once()) && nbytes <= sizeof held;
  if (at_once && !on_stack)
    return false;
  Memory memory;
  Operand partial;
  if (on_stack) {
    partial.data = held;
  } else {
    memory = allocate(queue, UsmKind::device, nbytes);
    partial = memory;
  }
  partial.itemsize = itemsize(step.result);
  std::vector<std::int64_t> extents, wanted, strides;
  const std::int64_t first = space.offsets[0];
  std::int64_t next = loop == Loop::along ? blocks : 1;
  for (int k = 1; k < space.ndim; ++k) {
    extents.push_back(space.axes[k].extent);
    wanted.push_back(space.axes[k].strides[0]);
    strides.push_back(next);
    space.axes[k].strides[0] = next;
    next *= space.axes[k].extent;
  }
  extents.push_back(blocks);
  wanted.push_back(0);
  strides.push_back(loop == Loop::along ? 1 : next);
  axis.strides[0] = strides.back();
  space.offsets[0] = 0;
  Operand all[max_operands];
  std::copy(operands.begin(), operands.end(), all);
  all[0] = partial;
  if (!here && !on_stack) // where it runs follows from the memory that is written
    plan = usmtensor::plan(*queue, step.kernels, {loop}, space, {all, operands.size()},
                           static_cast<std::int64_t>(nbytes));
  plan.block = block;
  usmtensor::run(*queue, step.kernels, plan, space, {all, operands.size()}, step.scalars());
  IterationSpace rest(static_cast<int>(extents.size()), extents.data(),
                      {wanted.data(), strides.data()});
  rest.offsets[0] += first;
  return run(next_step(what, step), rest, {operands[0], partial}, on_stack);
}

} // namespace

std::uint64_t order_flip(DType type, bool largest) {
  const std::uint64_t sign = std::uint64_t(1) << (8 * itemsize(type) - 1);
  return (largest ? 0 : ~std::uint64_t(0)) ^ (type == signed_type(type) ? 0 : sign);
}

int reduced_type(Reduction what, DType type) {
  using namespace kernels;
  switch (what) {
  case Reduction::sum:
    return is_integer(type) || type == DType::b1
               ? index(DType::i8)
               : index(sum_signatures[signature_of(sum_signatures, type)][1]);
  case Reduction::prod:
    return signature_of(prod_signatures, type == DType::u8 ? DType::i8 : type) < 0 ? -1
           : type == DType::u8 ? index(DType::i8)
                               : index(type);
  case Reduction::max:
  case Reduction::min:
    return index(type);
  case Reduction::any:
  case Reduction::all:
    return index(DType::b1);
  case Reduction::count_nonzero:
    return index(DType::i8);
  }
  return -1;
}

bool reduce(const QueueRef &queue, Reduction what, const View &x, const View &out, double divisor,
            bool at_once) {
  IterationSpace space(x.ndim, x.shape, {out.strides, x.strides});
  const Operand operands[] = {out, x};
  return Reducer{queue, what, divisor, at_once}.run(first_step(what, x.dtype, 1), space, operands,
                                                    false);
}

bool reduce_deviations(const QueueRef &queue, const View &x, const View &means, const View &out,
                       double divisor, bool at_once) {
  IterationSpace space(x.ndim, x.shape, {out.strides, x.strides, means.strides});
  const Operand operands[] = {out, x, means};
  return Reducer{queue, Reduction::sum, divisor, at_once}.run(deviations_step(x.dtype), space,
                                                              operands, false);
}

} // namespace usmtensor
