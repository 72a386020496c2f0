#include "along_axis.hpp"

#include "copy.hpp"
#include "launch.hpp"
#include "reduction.hpp"
#include "temporary.hpp"

#include <vector>

namespace usmtensor {
namespace {

// Elements of a block in which a position is sought by itself: of a row, or of a column where a
// device has fewer columns than it could work on at a time.
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
  const std::int64_t n = x.shape[axis];
  return is_like_cpu(*queue) || x.size() / n >= columns_at_a_time ? n : position_column;
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
