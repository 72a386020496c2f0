#include "reduction.hpp"

#include "copy.hpp"
#include "launch.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

// The bits that are zero exactly if the element is zero; this excludes signs of floats.
std::uint64_t significant_bits(DType type) {
  return type < DType::float16      ? ~std::uint64_t(0)
         : type == DType::float16   ? 0x7fff
         : type == DType::float32   ? 0x7fffffff
         : type == DType::complex64 ? 0x7fffffff7fffffff
                                    : 0x7fffffffffffffff;
}

// One launch of a reduction kernel with N operands.
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
  const DType integer = type == DType::uint64 ? DType::int64 : type;
  switch (reduction) {
  case Reduction::sum:
    if (type != DType::bool8)
      return step(sum(integer), sum(integer).output);
    [[fallthrough]];
  case Reduction::count_nonzero:
    return step(count_nonzero(type), DType::int64);
  case Reduction::prod:
    return step(prod(integer), integer);
  case Reduction::max:
  case Reduction::min:
    if (type == DType::bool8)
      return step(any(type), type, reduction == Reduction::min);
    return step(extreme(signed_type(type)), type, order_flip(type, reduction == Reduction::max));
  case Reduction::any:
  case Reduction::all:
    return step(any(type), DType::bool8, reduction == Reduction::all);
  }
  __builtin_unreachable();
}

int reduced_axes(const IterationSpace &space) {
  int count = 0;
  while (count < space.ndim && space.axes[count].strides[0] == 0)
    ++count;
  return count;
}

// Makes the longest reduced axis axis 0. It is reduced first, so that few partial results are left.
void move_longest_to_front(IterationSpace &space, int reduced) {
  if (reduced == 0)
    space.insert({1, {}});
  int longest = 0;
  for (int k = 1; k < reduced; ++k)
    if (space.axes[k].extent > space.axes[longest].extent)
      longest = k;
  std::rotate(space.axes, space.axes + longest, space.axes + longest + 1);
}

// Changes the output strides of `space` for a launch that writes a partial result for each block of
// axis 0. If `along`, the results of a row are contiguous; otherwise those of a block are. Returns
// the space of the launch that combines them; the caller sets the offset of the output.
IterationSpace split_blocks(IterationSpace &space, std::int64_t blocks, bool along) {
  std::vector<std::int64_t> extents, wanted, strides;
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
  space.axes[0].strides[0] = strides.back();
  return {static_cast<int>(extents.size()), extents.data(), {wanted.data(), strides.data()}};
}

// Reduces the blocks of one axis in a launch, and then recursively the partial results.
template <int N>
void reduce_by_steps(const QueueRef &queue, Reduction reduction, const Step<N> &step,
                     IterationSpace &space, const Operand (&operands)[N], double divisor,
                     Caller &caller) {
  const int reduced = reduced_axes(space);
  move_longest_to_front(space, reduced);
  Plan plan = usmtensor::plan(*queue, step.kernels, space, operands, caller);
  const bool along = plan.loop != Loop::outer_axis && plan.loop != Loop::outer_axis_groups;
  plan.block = along ? row_unit : column_unit;
  const std::int64_t extent = space.axes[0].extent;
  const std::int64_t blocks = (extent + plan.block - 1) / plan.block;
  if (reduced <= 1 && blocks == 1) {
    kernels::ReductionScalars last = step.scalars;
    last.divisor = bits_of(divisor, step.result);
    return run(*queue, step.kernels, plan, space, operands, last);
  }
  alignas(16) char stack_buffer[1024];
  Memory memory;
  Operand partial(memory, itemsize(step.result));
  const std::size_t nbytes = space.size / extent * blocks * partial.itemsize;
  if (plan.host && nbytes <= sizeof stack_buffer) {
    partial.data = stack_buffer;
  } else {
    caller.release();
    memory = allocate(queue, plan, operands, nbytes);
    partial = {memory, partial.itemsize};
  }
  IterationSpace rest = split_blocks(space, blocks, along);
  rest.offsets[0] += std::exchange(space.offsets[0], 0);
  Operand all[N];
  std::copy_n(operands, N, all);
  all[0] = partial;
  run(*queue, step.kernels, plan, space, all, step.scalars);
  // Partial results are combined like elements, except that counts are summed.
  const Reduction next = reduction == Reduction::count_nonzero ? Reduction::sum : reduction;
  reduce_by_steps(queue, reduction, first_step(next, step.result), rest, {operands[0], partial},
                  divisor, caller);
}

// Short-circuits any() and all() of long arrays: the host reduces the first rows. Returns true and
// writes `out` if they decide the result.
bool decide_early(const QueueRef &queue, Reduction reduction, const View &x, const View &out,
                  Caller &caller) {
  constexpr std::int64_t max_elements = 4096;
  if ((reduction != Reduction::any && reduction != Reduction::all) || x.ndim == 0 ||
      x.size() <= 16 * max_elements ||
      std::any_of(out.strides, out.strides + x.ndim, [](std::int64_t stride) { return stride; }))
    return false;
  std::vector<std::int64_t> shape(x.shape, x.shape + x.ndim);
  shape[0] = max_elements / (x.size() / x.shape[0]);
  if (shape[0] == 0 || !has_host_tier(*queue) || !nothing_pending(*queue, {x.memory, out.memory}))
    return false;
  View first = x, result = out;
  first.shape = shape.data();
  char found;
  result.data = &found, result.memory = nullptr;
  reduce(queue, reduction, first, result, 1, caller);
  const bool decided = found == (reduction == Reduction::any);
  if (decided)
    *out.data = found;
  return decided;
}

} // namespace

std::uint64_t order_flip(DType type, bool largest) {
  const std::uint64_t sign = std::uint64_t(1) << (8 * itemsize(type) - 1);
  return (largest ? 0 : ~std::uint64_t(0)) ^ (type == signed_type(type) ? 0 : sign);
}

int reduced_type(Reduction reduction, DType type) {
  const bool found =
      reduction != Reduction::prod || type == DType::uint64 || kernels::prod.has(type);
  return found ? index(first_step(reduction, type).result) : -1;
}

void reduce(const QueueRef &queue, Reduction reduction, const View &x, const View &out,
            double divisor, Caller &caller) {
  if (decide_early(queue, reduction, x, out, caller))
    return;
  IterationSpace space(x.ndim, x.shape, {out.strides, x.strides});
  reduce_by_steps(queue, reduction, first_step(reduction, x.dtype), space, {out, x}, divisor,
                  caller);
}

void reduce_deviations(const QueueRef &queue, const View &x, const View &means, const View &out,
                       double divisor, Caller &caller) {
  IterationSpace space(x.ndim, x.shape, {out.strides, x.strides, means.strides});
  const auto kernels = kernels::squared_deviations(x.dtype);
  const Step<3> step{kernels, kernels.output, {0, 0, bits_of(1, kernels.output)}};
  reduce_by_steps(queue, Reduction::sum, step, space, {out, x, means}, divisor, caller);
}

namespace {

// Elements of a block, in a row or in a column. The position of an extreme is found for each block
// separately. If there are many columns, they are not divided into blocks.
constexpr std::int64_t position_row = std::int64_t(1) << 17, position_column = 1024;
constexpr std::int64_t columns_at_a_time = std::int64_t(1) << 17;
// Elements of a block of a scan. The sums of all blocks are computed first; other sizes would
// change the rounding of results. Many rows or columns are not divided into blocks.
constexpr std::int64_t row_block = std::int64_t(1) << 15, column_block = 1024;
constexpr std::int64_t many_rows = 16, many_columns = 1 << 13;

// The space of operands whose shapes equal that of x except along one axis. This axis becomes axis
// 0, has the extent of x, and is not merged with other axes.
struct AxisSpace : IterationSpace {
  AxisSpace(const View &x, int axis, Span<const std::int64_t *> strides)
      : IterationSpace(x.ndim, shape_without(x, axis).data(), strides) {
    Axis first{x.shape[axis], {}};
    for (int k = 0; k < operands; ++k)
      first.strides[k] = strides[k][axis];
    insert(first);
  }

private:
  static std::vector<std::int64_t> shape_without(const View &x, int axis) {
    std::vector<std::int64_t> shape(x.shape, x.shape + x.ndim);
    shape[axis] = 1;
    return shape;
  }
};

std::int64_t position_block(const QueueRef &queue, const View &x, int axis) {
  AxisSpace space(x, axis, {x.strides, x.strides});
  if (choose_axis_loop(space) != Loop::outer_axis)
    return is_like_cpu(*queue) ? position_row : row_unit;
  const std::int64_t n = x.shape[axis], columns = x.size() / n;
  if (columns >= columns_at_a_time)
    return n;
  return is_like_cpu(*queue) ? std::max(position_column, position_row / columns) : position_column;
}

} // namespace

std::int64_t position_blocks(const QueueRef &queue, const View &x, int axis) {
  if (x.shape[axis] <= position_column) // the usual case
    return 1;
  const std::int64_t block = position_block(queue, x, axis);
  return (x.shape[axis] + block - 1) / block;
}

void find_extreme(const QueueRef &queue, bool largest, const View &x, int axis, const View &out,
                  Caller &caller) {
  const std::int64_t block = position_block(queue, x, axis);
  auto find = [&](const View &x, std::uint64_t mask, std::uint64_t flip) {
    AxisSpace space(x, axis, {out.strides, x.strides});
    const DType type = x.dtype == DType::bool8 ? DType::int8 : signed_type(x.dtype);
    const auto kernels = kernels::arg_extreme(type);
    const Operand operands[] = {out, x};
    Plan plan = usmtensor::plan(*queue, kernels, space, operands, 0, caller);
    plan.block = block;
    run(*queue, kernels, plan, space, operands, {.mask = mask, .flip = flip, .divisor = 0});
  };
  if (x.dtype != DType::bool8)
    return find(x, ~std::uint64_t(0), order_flip(x.dtype, largest));
  // On a CPU, rows of bools are searched for the first true (or false) element. The other loops
  // compare bytes, so bools are first converted to 0 or 1.
  AxisSpace space(x, axis, {out.strides, x.strides});
  if (is_like_cpu(*queue) && choose_axis_loop(space) == Loop::inner_axis)
    return find(x, 1, !largest);
  View bytes = x;
  bytes.dtype = DType::uint8;
  const Temporary temporary(queue, bytes, x.strides, caller);
  copy(queue, x, temporary.view, caller);
  find(temporary.view, ~std::uint64_t(0), order_flip(DType::uint8, largest));
}

int scan_type(DType type) {
  if (type == DType::uint64 || kernels::cumulative_sum.has(type))
    return index(type);
  return index(type == DType::float16 ? DType::float32 : DType::int64);
}

namespace {

// One launch; `before` has the result of all preceding elements for each block except the first.
void scan_blocks(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
                 const View *before, std::int64_t block, Caller &caller) {
  AxisSpace space(x, axis, {out.strides, x.strides, before ? before->strides : out.strides});
  const DType type = x.dtype == DType::uint64 ? DType::int64 : x.dtype;
  const auto kernels =
      kind == Scan::sum ? kernels::cumulative_sum(type) : kernels::cumulative_prod(type);
  Operand results = before ? *before : Operand();
  results.itemsize = 0; // reading these few numbers takes no time in the plan's estimate
  run(*queue, kernels, space, {out, x, results}, {}, caller, block);
}

} // namespace

void scan(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
          Caller &caller) {
  const std::int64_t n = x.shape[axis], rows = x.size() / n;
  AxisSpace space(x, axis, {out.strides, x.strides});
  const bool along = choose_axis_loop(space) == Loop::inner_axis;
  const std::int64_t block = rows >= (along ? many_rows : many_columns) ? n
                             : along                                    ? row_block
                                                                        : column_block;
  if (n <= block)
    return scan_blocks(queue, kind, x, axis, out, nullptr, n, caller);
  // The results of all blocks except the last: an axis of blocks, and an axis of their elements,
  // which is reduced.
  const std::int64_t block_count = (n - 1) / block;
  std::vector<std::int64_t> shape(x.shape, x.shape + x.ndim);
  std::vector<std::int64_t> strides(x.strides, x.strides + x.ndim);
  shape[axis] = block_count;
  const Temporary block_results(queue, {nullptr, x.dtype, x.ndim, shape.data(), nullptr, nullptr},
                                nullptr, caller);
  std::vector<std::int64_t> extents(shape), result_strides(block_results.strides);
  for (int k = 0; k < x.ndim; ++k)
    result_strides[k] = shape[k] == 1 ? 1 : result_strides[k];
  extents.push_back(block);
  result_strides.push_back(0);
  strides.push_back(strides[axis]);
  strides[axis] *= block;
  const int ndim = x.ndim + 1;
  reduce(queue, kind == Scan::sum ? Reduction::sum : Reduction::prod,
         {x.data, x.dtype, ndim, extents.data(), strides.data(), x.memory},
         {block_results.view.data, x.dtype, ndim, extents.data(), result_strides.data(),
          block_results.view.memory},
         1, caller);
  scan(queue, kind, block_results.view, axis, block_results.view, caller);
  scan_blocks(queue, kind, x, axis, out, &block_results.view, block, caller);
}

} // namespace usmtensor
