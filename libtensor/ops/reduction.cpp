#include "reduction.hpp"

#include "launch.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace usmtensor {
namespace {

// Elements that one unit of the work combines: a row, or the rows of some columns. Blocks of other
// sizes would give other bits.
constexpr std::int64_t row_block = std::int64_t(1) << 15, column_block = 128;
// Rows of fewer elements are reduced side by side.
constexpr std::int64_t short_row = 16;

bool is_integer(DType type) { return DType::i1 <= type && type <= DType::u8; }
bool is_unsigned(DType type) {
  return type == DType::u1 || type == DType::u2 || type == DType::u4 || type == DType::u8;
}

// The place of a type among the signatures of a row, -1 where it has none.
template <std::size_t N> constexpr int signature_of(const DType (&table)[N][2], DType type) {
  for (std::size_t k = 0; k < N; ++k)
    if (table[k][0] == type)
      return static_cast<int>(k);
  return -1;
}

DType signed_type(DType type) {
  return is_unsigned(type) ? static_cast<DType>(index(type) - 1) : type;
}

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
  const std::uint64_t mask = significant_bits(type), all = ~std::uint64_t(0);
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
    const std::uint64_t sign = is_unsigned(type) ? std::uint64_t(1) << (8 * itemsize(type) - 1) : 0;
    const std::uint64_t flip = what == Reduction::min ? all : 0;
    return {extreme[signature_of(extreme_signatures, signed_type(type))], type, mask, flip ^ sign,
            0};
  }
  case Reduction::any:
  case Reduction::all:
    return {any[width_index(itemsize(type))], DType::b1, mask, what == Reduction::all, 0};
  case Reduction::count_nonzero:
    return {count_nonzero[width_index(itemsize(type))], DType::i8, mask, 0, 0};
  }
  __builtin_unreachable();
}

// A launch that goes on with what another one gave.
Step next_step(Reduction what, const Step &step, double divisor) {
  return first_step(what == Reduction::count_nonzero ? Reduction::sum : what, step.result, divisor);
}

int reduced_axes(const IterationSpace &space) {
  int count = 0;
  while (count < space.ndim && space.axes[count].strides[0] == 0)
    ++count;
  return count;
}

// Brings the axis that is reduced first to place 0: the longest, so that least is left; and, where
// another axis lies closer in x, that one to place 1.
Loop arrange(IterationSpace &space, int reduced) {
  IterationSpace::Axis *const axes = space.axes;
  if (reduced == 0) { // an axis of one element
    std::copy_backward(axes, axes + space.ndim, axes + space.ndim + 1);
    axes[0] = {1, {}};
    ++space.ndim;
  }
  int longest = 0;
  for (int k = 1; k < reduced; ++k)
    if (axes[k].extent > axes[longest].extent)
      longest = k;
  std::rotate(axes, axes + longest, axes + longest + 1);
  auto step = [&](int axis) { return std::abs(axes[axis].strides[1]); };
  int inner = 0;
  for (int k = 1; k < space.ndim; ++k)
    if (step(k) != 0 && (inner == 0 || step(k) < step(inner)))
      inner = k;
  if (inner == 0)
    return Loop::along;
  std::rotate(axes + 1, axes + inner, axes + inner + 1);
  const bool is_short = axes[0].extent <= short_row && axes[1].extent >= axes[0].extent;
  return is_short || (axes[0].extent > 1 && step(1) < step(0)) ? Loop::across : Loop::along;
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
  plan.block = block;
  if (reduced <= 1 && blocks == 1) {
    if (at_once && !here && !plan.at_once())
      return false;
    Step last = step;
    if (what == Reduction::sum)
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
  return run(next_step(what, step, 1), rest, {operands[0], partial}, on_stack);
}

} // namespace

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

} // namespace usmtensor
