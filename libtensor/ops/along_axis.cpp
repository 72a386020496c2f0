#include "along_axis.hpp"

#include "launch.hpp"
#include "reduction.hpp"
#include "temporary.hpp"

#include <vector>

namespace usmtensor {
namespace {

// Elements of a block in which a position is sought by itself.
constexpr std::int64_t position_block = std::int64_t(1) << 17;
// Elements of a block of a scan, whose sums come first; other sizes would give other bits. Many
// rows or columns are shared out as they are.
constexpr std::int64_t row_block = std::int64_t(1) << 15, column_block = 1024;
constexpr std::int64_t many_rows = 16, many_columns = 1 << 13;

// Operands of one shape, but for one axis, which is kept apart from the others.
struct Around {
  Around(int axis, std::initializer_list<const View *> views) {
    const View &first = **views.begin();
    for (int other = 0; other < first.ndim; ++other)
      if (other != axis)
        extents.push_back(first.shape[other]);
    for (const View *view : views) {
      for (int other = 0; other < first.ndim; ++other)
        if (other != axis)
          strides[count].push_back(view->strides[other]);
      pointers[count] = strides[count].data();
      own.strides[count++] = view->strides[axis];
    }
    own.extent = first.shape[axis];
  }
  int ndim() const { return static_cast<int>(extents.size()); }
  Span<const std::int64_t *> all() const { return {pointers, count}; }

  std::vector<std::int64_t> extents, strides[max_operands];
  const std::int64_t *pointers[max_operands];
  std::size_t count = 0;
  IterationSpace::Axis own{}; // the axis
};

// The space of such operands; its axis 0 is the axis kept apart.
struct AroundSpace : IterationSpace {
  explicit AroundSpace(const Around &around)
      : IterationSpace(around.ndim(), around.extents.data(), around.all()) {
    insert(around.own);
  }
};

} // namespace

int position_type(DType type) { return index(type == DType::b1 ? DType::u1 : type); }

std::int64_t position_blocks(const View &x, int axis) {
  AroundSpace space(Around(axis, {&x, &x}));
  if (choose_around(space) == Loop::across)
    return 1;
  return (x.shape[axis] + position_block - 1) / position_block;
}

bool find_extreme(const QueueRef &queue, bool largest, const View &x, int axis, const View &out,
                  bool at_once) {
  Around around(axis, {&out, &x});
  around.own.extent = x.shape[axis];
  AroundSpace space(around);
  const auto kernels = kernels::extreme_place(signed_type(x.dtype));
  const Operand operands[] = {out, x};
  Plan plan = usmtensor::plan(*queue, kernels, space, operands, !at_once);
  plan.block = position_block;
  if (at_once && !plan.at_once())
    return false;
  run(*queue, kernels, plan, space, operands,
      {.mask = ~std::uint64_t(0), .flip = order_flip(x.dtype, largest), .divisor = 0});
  return true;
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
  const Around around(axis, {&out, &x, before ? before : &out});
  AroundSpace space(around);
  const DType type = x.dtype == DType::u8 ? DType::i8 : x.dtype;
  const auto kernels =
      kind == Scan::sum ? kernels::cumulative_sum(type) : kernels::cumulative_prod(type);
  Operand operands[] = {out, x, {}};
  if (before)
    operands[2] = *before;
  Plan plan = usmtensor::plan(*queue, kernels, space, operands, !at_once);
  plan.block = block;
  if (at_once && !plan.at_once())
    return false;
  run(*queue, kernels, plan, space, operands, {});
  return true;
}

} // namespace

bool scan(const QueueRef &queue, Scan kind, const View &x, int axis, const View &out,
          bool at_once) {
  const std::int64_t n = x.shape[axis], rows = x.size() / n;
  AroundSpace space(Around(axis, {&out, &x}));
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
