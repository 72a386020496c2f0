#include "reduction.hpp"

#include "copy.hpp"
#include "launch.hpp"
#include "runtime/host_kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace usmtensor {
namespace {

// The bits of an element without which it is zero.
std::uint64_t significant_bits(DType type) {
  return type < DType::f2    ? ~std::uint64_t(0)
         : type == DType::f2 ? 0x7fff
         : type == DType::f4 ? 0x7fffffff
         : type == DType::c8 ? 0x7fffffff7fffffff
                             : 0x7fffffffffffffff;
}

// One launch, of a kernel over N operands.
template <int N> struct Step {
  SignatureKernels<kernels::ReductionScalars, N> kernels;
  DType result;
  kernels::ReductionScalars scalars;
};

// The first launch of a reduction.
Step<2> first_step(Reduction reduction, DType type) {
  using namespace kernels;
  auto step = [&](const auto &kernels, DType result, std::uint64_t flip = 0) -> Step<2> {
    const std::uint64_t one = bits_of(1, result);
    return {kernels, result, {.mask = significant_bits(type), .flip = flip, .divisor = one}};
  };
  const DType integer = type == DType::u8 ? DType::i8 : type;
  switch (reduction) {
  case Reduction::sum:
    if (type != DType::b1)
      return step(sum(integer), sum(integer).output);
    [[fallthrough]];
  case Reduction::count_nonzero:
    return step(count_nonzero(type), DType::i8);
  case Reduction::prod:
    return step(prod(integer), integer);
  case Reduction::max:
  case Reduction::min:
    if (type == DType::b1)
      return step(any(type), type, reduction == Reduction::min);
    return step(extreme(signed_type(type)), type, order_flip(type, reduction == Reduction::max));
  case Reduction::any:
  case Reduction::all:
    return step(any(type), DType::b1, reduction == Reduction::all);
  }
  __builtin_unreachable();
}

int reduced_axes(const IterationSpace &space) {
  int count = 0;
  while (count < space.ndim && space.axes[count].strides[0] == 0)
    ++count;
  return count;
}

// Brings the axis that is reduced first to place 0: the longest, so that least is left.
void arrange(IterationSpace &space, int reduced) {
  if (reduced == 0)
    space.insert({1, {}});
  int longest = 0;
  for (int k = 1; k < reduced; ++k)
    if (space.axes[k].extent > space.axes[longest].extent)
      longest = k;
  std::rotate(space.axes, space.axes + longest, space.axes + longest + 1);
}

// Returns whether it ran. With `here` an earlier launch left its results on the stack of the host,
// so this one runs there too.
template <int N>
bool run_steps(const QueueRef &queue, Reduction reduction, const Step<N> &step,
               IterationSpace &space, const Operand (&operands)[N], double divisor, bool at_once,
               bool here = false) {
  const int reduced = reduced_axes(space);
  arrange(space, reduced);
  Plan plan = here ? host_plan(queue->description, step.kernels.loops, space)
                   : usmtensor::plan(*queue, step.kernels, space, operands, !at_once);
  if (here)
    plan.host = host_kernel(step.kernels.id(plan.loop));
  IterationSpace::Axis &axis = space.axes[0];
  const bool along = plan.loop == Loop::along || plan.loop == Loop::groups;
  const std::int64_t block = along ? row_unit : column_unit;
  const std::int64_t blocks = (axis.extent + block - 1) / block;
  const std::int64_t results = space.size / axis.extent * blocks;
  plan.block = block;
  if (reduced <= 1 && blocks == 1) {
    kernels::ReductionScalars last = step.scalars;
    last.divisor = bits_of(divisor, step.result);
    return run(*queue, step.kernels, plan, space, operands, last, at_once && !here);
  }
  // Partial results side by side: each row's together, rows as in x.
  alignas(16) char held[1024];
  const std::size_t nbytes = results * itemsize(step.result);
  const bool on_stack = (here || plan.at_once()) && nbytes <= sizeof held;
  if (at_once && !on_stack)
    return false;
  const Memory memory = on_stack ? nullptr : allocate(queue, UsmKind::device, nbytes);
  Operand partial(memory, itemsize(step.result));
  if (on_stack)
    partial.data = held;
  std::vector<std::int64_t> extents, wanted, strides;
  const std::int64_t first = space.offsets[0];
  std::int64_t next = along ? blocks : 1;
  for (int k = 1; k < space.ndim; ++k) {
    extents.push_back(space.axes[k].extent);
    wanted.push_back(space.axes[k].strides[0]);
    strides.push_back(next);
    space.axes[k].strides[0] = next;
    next *= space.axes[k].extent;
  }
  extents.push_back(blocks);
  wanted.push_back(0);
  strides.push_back(along ? 1 : next);
  axis.strides[0] = strides.back();
  space.offsets[0] = 0;
  Operand all[N];
  std::copy_n(operands, N, all);
  all[0] = partial;
  if (!here && !on_stack) // the tier follows from the memory that is written
    plan = usmtensor::plan(*queue, step.kernels, space, all);
  plan.block = block;
  run(*queue, step.kernels, plan, space, all, step.scalars);
  IterationSpace rest(static_cast<int>(extents.size()), extents.data(),
                      {wanted.data(), strides.data()});
  rest.offsets[0] += first;
  // Partial results are combined as elements are, but counts are added up.
  const Reduction next_one = reduction == Reduction::count_nonzero ? Reduction::sum : reduction;
  return run_steps(queue, reduction, first_step(next_one, step.result), rest,
                   {operands[0], partial}, divisor, at_once, on_stack);
}

// Whether any() or all() of a long array ends within its first rows, which the host reads at once.
bool ends_early(const QueueRef &queue, Reduction reduction, const View &x, const View &out) {
  constexpr std::int64_t few = 4096;
  if ((reduction != Reduction::any && reduction != Reduction::all) || x.ndim == 0 ||
      x.size() <= 16 * few ||
      std::any_of(out.strides, out.strides + x.ndim, [](std::int64_t stride) { return stride; }))
    return false;
  std::vector<std::int64_t> shape(x.shape, x.shape + x.ndim);
  shape[0] = few / (x.size() / x.shape[0]);
  View first = x;
  first.shape = shape.data();
  return shape[0] != 0 && reduce(queue, reduction, first, out, 1, true) &&
         *out.data == (reduction == Reduction::any);
}

} // namespace

std::uint64_t order_flip(DType type, bool largest) {
  const std::uint64_t sign = std::uint64_t(1) << (8 * itemsize(type) - 1);
  return (largest ? 0 : ~std::uint64_t(0)) ^ (type == signed_type(type) ? 0 : sign);
}

int reduced_type(Reduction reduction, DType type) {
  const bool found = reduction != Reduction::prod || type == DType::u8 || kernels::prod.has(type);
  return found ? index(first_step(reduction, type).result) : -1;
}

bool reduce(const QueueRef &queue, Reduction reduction, const View &x, const View &out,
            double divisor, bool at_once) {
  if (at_once && ends_early(queue, reduction, x, out))
    return true;
  IterationSpace space(x.ndim, x.shape, {out.strides, x.strides});
  return run_steps(queue, reduction, first_step(reduction, x.dtype), space, {out, x}, divisor,
                   at_once);
}

bool reduce_deviations(const QueueRef &queue, const View &x, const View &means, const View &out,
                       double divisor, bool at_once) {
  IterationSpace space(x.ndim, x.shape, {out.strides, x.strides, means.strides});
  const auto kernels = kernels::squared_deviations(x.dtype);
  const Step<3> step{kernels, kernels.output, {0, 0, bits_of(1, kernels.output)}};
  return run_steps(queue, Reduction::sum, step, space, {out, x, means}, divisor, at_once);
}

namespace {

// Elements of a block in which a position is sought by itself: of a row, or of a column. Many
// columns are shared out as they are.
constexpr std::int64_t position_row = std::int64_t(1) << 17, position_column = 1024;
constexpr std::int64_t columns_at_a_time = std::int64_t(1) << 17;
// Elements of a block of a scan, whose sums come first; other sizes would give other bits. Many
// rows or columns are shared out as they are.
constexpr std::int64_t row_block = std::int64_t(1) << 15, column_block = 1024;
constexpr std::int64_t many_rows = 16, many_columns = 1 << 13;

// The space of operands whose shape is x's, but for the extent of one axis. This axis is kept apart
// from the others, as axis 0, with the extent of x.
struct AroundSpace : IterationSpace {
  AroundSpace(const View &x, int axis, Span<const std::int64_t *> strides)
      : IterationSpace(x.ndim, shape_without(x, axis).data(), strides) {
    Axis own{x.shape[axis], {}};
    for (int k = 0; k < operands; ++k)
      own.strides[k] = strides[k][axis];
    insert(own);
  }

private:
  static std::vector<std::int64_t> shape_without(const View &x, int axis) {
    std::vector<std::int64_t> shape(x.shape, x.shape + x.ndim);
    shape[axis] = 1;
    return shape;
  }
};

std::int64_t position_block(const QueueRef &queue, const View &x, int axis) {
  AroundSpace space(x, axis, {x.strides, x.strides});
  if (choose_around(space) != Loop::across)
    return is_like_cpu(*queue) ? position_row : row_unit;
  const std::int64_t n = x.shape[axis], columns = x.size() / n;
  if (columns >= columns_at_a_time)
    return n;
  return is_like_cpu(*queue) ? std::max(position_column, position_row / columns) : position_column;
}

} // namespace

std::int64_t position_blocks(const QueueRef &queue, const View &x, int axis) {
  if (x.shape[axis] <= position_column) // mostly
    return 1;
  const std::int64_t block = position_block(queue, x, axis);
  return (x.shape[axis] + block - 1) / block;
}

bool find_extreme(const QueueRef &queue, bool largest, const View &x, int axis, const View &out,
                  bool at_once) {
  const std::int64_t block = position_block(queue, x, axis);
  auto find = [&](const View &x, std::uint64_t mask, std::uint64_t flip) {
    AroundSpace space(x, axis, {out.strides, x.strides});
    const DType type = x.dtype == DType::b1 ? DType::i1 : signed_type(x.dtype);
    const auto kernels = kernels::extreme_place(type);
    const Operand operands[] = {out, x};
    Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, !at_once);
    plan.block = block;
    return run(*queue, kernels, plan, space, operands, {.mask = mask, .flip = flip, .divisor = 0},
               at_once);
  };
  if (x.dtype != DType::b1)
    return find(x, ~std::uint64_t(0), order_flip(x.dtype, largest));
  // Rows of bools are searched for the first one. Other loops compare, so they need 0 or 1.
  AroundSpace space(x, axis, {out.strides, x.strides});
  if (is_like_cpu(*queue) && choose_around(space) == Loop::along)
    return find(x, 1, !largest);
  if (at_once)
    return false;
  View bytes = x;
  bytes.dtype = DType::u1;
  const Temporary temporary(queue, bytes, x.strides);
  copy(queue, x, temporary.view);
  return find(temporary.view, ~std::uint64_t(0), order_flip(DType::u1, largest));
}

int scan_type(DType type) {
  if (type == DType::u8 || kernels::cumulative_sum.has(type))
    return index(type);
  return index(type == DType::f2 ? DType::f4 : DType::i8);
}

namespace {

// One launch; `before` holds for each block the result of all blocks up to it.
bool scan_blocks(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
                 const View *before, std::int64_t block, bool at_once) {
  AroundSpace space(x, axis, {out.strides, x.strides, before ? before->strides : out.strides});
  const DType type = x.dtype == DType::u8 ? DType::i8 : x.dtype;
  const auto kernels =
      kind == Scan::sum ? kernels::cumulative_sum(type) : kernels::cumulative_prod(type);
  Operand results = before ? *before : Operand();
  results.itemsize = 0; // few are read, in no time; only launches in parts need the size
  return run(*queue, kernels, space, {out, x, results}, {}, at_once, block);
}

} // namespace

bool scan(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
          bool at_once) {
  const std::int64_t n = x.shape[axis], rows = x.size() / n;
  AroundSpace space(x, axis, {out.strides, x.strides});
  const bool along = choose_around(space) == Loop::along;
  const std::int64_t block = rows >= (along ? many_rows : many_columns) ? n
                             : along                                    ? row_block
                                                                        : column_block;
  if (n <= block)
    return scan_blocks(queue, kind, x, axis, out, nullptr, n, at_once);
  if (at_once)
    return false;
  // The results of the blocks but the last one: an axis of blocks, another one of their elements.
  const std::int64_t others = (n - 1) / block;
  std::vector<std::int64_t> shape(x.shape, x.shape + x.ndim);
  std::vector<std::int64_t> strides(x.strides, x.strides + x.ndim);
  shape[axis] = others;
  const Temporary ends(queue, {nullptr, x.dtype, x.ndim, shape.data(), nullptr, nullptr});
  std::vector<std::int64_t> extents(shape), places(ends.strides);
  for (int k = 0; k < x.ndim; ++k)
    places[k] = shape[k] == 1 ? 1 : places[k];
  extents.push_back(block);
  places.push_back(0);
  strides.push_back(strides[axis]);
  strides[axis] *= block;
  const int ndim = x.ndim + 1;
  reduce(queue, kind == Scan::sum ? Reduction::sum : Reduction::prod,
         {x.data, x.dtype, ndim, extents.data(), strides.data(), x.memory},
         {ends.view.data, x.dtype, ndim, extents.data(), places.data(), ends.view.memory});
  scan(queue, kind, ends.view, axis, ends.view);
  return scan_blocks(queue, kind, x, axis, out, &ends.view, block, false);
}

} // namespace usmtensor
