#include "product.hpp"

#include "launch.hpp"

#include "host/modes.hpp"
#include "runtime/order.hpp"
#include "runtime/submit.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace usmtensor {
namespace {

// Picoseconds of a core per term.
std::int64_t cost_of(DType type) {
  const auto nbytes = static_cast<std::int64_t>(itemsize(type));
  return is_integer(type) ? 10 + 10 * nbytes : 12 * nbytes;
}

// The batch axes, with the strides of the output, x and y. Each index of them is one product.
struct Batch {
  // The axes of `out` except its last `out_core` axes. The batch axes of x and y broadcast to them.
  Batch(const View &out, int out_core, const View &x, int x_core, const View &y, int y_core)
      : ndim(out.ndim - out_core), shape(out.shape, out.shape + ndim) {
    const View *views[] = {&out, &x, &y};
    const int core[] = {out_core, x_core, y_core};
    for (int k = 0; k < 3; ++k) {
      const int shift = views[k]->ndim - core[k] - ndim;
      strides[k].resize(ndim);
      for (int axis = 0; axis < ndim; ++axis) {
        const int at = axis + shift;
        strides[k][axis] = at < 0 || views[k]->shape[at] == 1 ? 0 : views[k]->strides[at];
      }
    }
  }
  // Adds an innermost axis.
  void add(std::int64_t extent, std::int64_t out, std::int64_t x, std::int64_t y) {
    ++ndim;
    shape.push_back(extent);
    strides[0].push_back(out), strides[1].push_back(x), strides[2].push_back(y);
  }
  IterationSpace space() const {
    return {ndim, shape.data(), {strides[0].data(), strides[1].data(), strides[2].data()}};
  }

  int ndim;
  std::vector<std::int64_t> shape;
  std::array<std::vector<std::int64_t>, 3> strides;
};

// Products of vectors along k.
struct Terms {
  std::int64_t k, x_k, y_k;
  bool conjugate;
};

// Longer sums are split into segments of equal length and a remainder; then the sums of the
// segments are added up.
constexpr std::int64_t max_segment_terms = std::int64_t(1) << 16;

void sum_products(const QueueRef &queue, DType type, const Batch &batch,
                  const Operand (&operands)[3], const Terms &terms, Caller &caller) {
  if (terms.k > max_segment_terms) {
    caller.release();
    const std::int64_t whole = (terms.k - 1) / max_segment_terms + 1;
    const std::int64_t length = terms.k / whole, rest = terms.k % whole;
    const std::int64_t count = whole + (rest != 0);
    std::int64_t size = count;
    for (const std::int64_t extent : batch.shape)
      size *= extent;
    const Memory sums = allocate(queue, UsmKind::device, size * itemsize(type));
    // Their strides, with the segments innermost.
    Batch parts = batch, tail = batch, total = batch;
    std::int64_t stride = count;
    for (int axis = batch.ndim - 1; axis >= 0; stride *= batch.shape[axis--])
      parts.strides[0][axis] = tail.strides[0][axis] = total.strides[1][axis] = stride;
    total.strides[2].assign(batch.ndim, 0);
    parts.add(whole, 1, length * terms.x_k, length * terms.y_k);
    const Operand target(sums, operands[0].itemsize);
    sum_products(queue, type, parts, {target, operands[1], operands[2]},
                 {length, terms.x_k, terms.y_k, terms.conjugate}, caller);
    if (rest != 0) {
      Operand x = operands[1], y = operands[2], last = target;
      last.data += whole * last.itemsize;
      x.data += whole * length * terms.x_k * x.itemsize;
      if (y.data)
        y.data += whole * length * terms.y_k * y.itemsize;
      sum_products(queue, type, tail, {last, x, y}, {rest, terms.x_k, terms.y_k, terms.conjugate},
                   caller);
    }
    return sum_products(queue, type, total, {operands[0], target, {}}, {count, 1, 0, false},
                        caller);
  }
  IterationSpace space = batch.space();
  run(*queue, kernels::dot(type), {space.size, 1, 1, terms.k, operands[0].itemsize, cost_of(type)},
      space, operands,
      {.k = terms.k, .x_k = terms.x_k, .y_k = terms.y_k, .conjugate = terms.conjugate}, caller);
}

// The extents and strides of one matrix product.
kernels::MatmulScalars matrices_of(const View &x, const View &y, const View &out) {
  const bool row = x.ndim == 1, column = y.ndim == 1;
  const std::int64_t *const out_strides = out.strides + out.ndim;
  return {
      .m = row ? 1 : x.shape[x.ndim - 2],
      .n = column ? 1 : y.shape[y.ndim - 1],
      .k = x.shape[x.ndim - 1],
      .out_m = row ? 0 : out_strides[column ? -1 : -2],
      .out_n = column ? 0 : out_strides[-1],
      .a_m = row ? 0 : x.strides[x.ndim - 2],
      .a_k = x.strides[x.ndim - 1],
      .b_k = y.strides[y.ndim - (column ? 1 : 2)],
      .b_n = column ? 0 : y.strides[y.ndim - 1],
  };
}
Batch batch_of(const View &x, const View &y, const View &out) {
  const bool row = x.ndim == 1, column = y.ndim == 1;
  return {out, 2 - row - column, x, 2 - row, y, 2 - column};
}

ProductSizes sizes_of(DType type, std::int64_t count, const kernels::MatmulScalars &matrix) {
  return {count,
          matrix.m,
          matrix.n,
          matrix.k,
          static_cast<std::int64_t>(itemsize(type)),
          cost_of(type),
          std::abs(matrix.b_n) <= std::abs(matrix.b_k)};
}

void multiply(const QueueRef &queue, DType type, const Batch &batch, const Operand (&operands)[3],
              const kernels::MatmulScalars &matrix, Caller &caller = unlocked) {
  IterationSpace space = batch.space();
  run(*queue, kernels::matmul(type), sizes_of(type, space.size, matrix), space, operands, matrix,
      caller);
}

// True if there are so few results with so many terms that many compute units would be idle. The
// sums of chunks must also not take much memory.
bool worth_chunks(const Queue &queue, const ProductSizes &sizes) {
  constexpr std::int64_t max_results = std::int64_t(1) << 19, max_sums = std::int64_t(1) << 25;
  const std::int64_t units = queue.description.compute_units;
  const std::int64_t results = sizes.count * sizes.m * sizes.n;
  const std::int64_t tiles = sizes.count * ((sizes.m + gemm_side - 1) / gemm_side) *
                             ((sizes.n + gemm_side - 1) / gemm_side);
  return !is_like_cpu(queue) && sizes.k >= 4 * chunk_terms && 0 < results &&
         results <= max_results && sizes.k / chunk_terms < max_sums / results &&
         (sizes.few_rows() || tiles <= units);
}

// Computes the sum of each chunk separately, and then adds these up in order, as the
// kernels do.
void multiply_by_chunks(const QueueRef &queue, DType type, const Batch &batch,
                        const Operand (&operands)[3], const kernels::MatmulScalars &matrix) {
  const auto &[out, a, b] = operands;
  const std::int64_t whole = matrix.k / chunk_terms, rest = matrix.k % chunk_terms;
  const std::int64_t count = whole + (rest != 0), area = matrix.m * matrix.n;
  std::int64_t results = area;
  Batch chunks = batch, total = batch;
  for (int axis = batch.ndim - 1; axis >= 0; results *= batch.shape[axis--])
    chunks.strides[0][axis] = total.strides[2][axis] = results;
  Batch tail = chunks;
  const Memory sums = allocate(queue, UsmKind::device, count * results * out.itemsize);
  const Operand target(sums, out.itemsize);
  kernels::MatmulScalars part = matrix;
  part.out_m = matrix.n, part.out_n = 1, part.k = chunk_terms;
  chunks.add(whole, results, chunk_terms * matrix.a_k, chunk_terms * matrix.b_k);
  multiply(queue, type, chunks, {target, a, b}, part);
  if (rest != 0) {
    Operand last = target, left = a, right = b;
    last.data += whole * results * last.itemsize;
    left.data += whole * chunk_terms * matrix.a_k * left.itemsize;
    right.data += whole * chunk_terms * matrix.b_k * right.itemsize;
    part.k = rest;
    multiply(queue, type, tail, {last, left, right}, part);
  }
  total.strides[1].assign(batch.ndim, 0);
  total.add(matrix.m, matrix.out_m, 0, matrix.n);
  multiply(queue, type, total, {out, {}, target},
           {.m = 1,
            .n = matrix.n,
            .k = count,
            .out_m = 0,
            .out_n = matrix.out_n,
            .a_m = 0,
            .a_k = 0,
            .b_k = results,
            .b_n = 1});
}

} // namespace

void matmul(const QueueRef &queue, const View &x, const View &y, const View &out, Caller &caller) {
  Batch batch = batch_of(x, y, out);
  kernels::MatmulScalars matrix = matrices_of(x, y, out);
  Operand operands[] = {out, x, y};
  // Transposes the product, so that vectors run along an axis that is long and contiguous in the
  // output.
  if (matrix.n == 1 || (matrix.m != 1 && matrix.out_m == 1 && matrix.out_n != 1)) {
    std::swap(matrix.m, matrix.n), std::swap(matrix.out_m, matrix.out_n);
    std::swap(matrix.a_m, matrix.b_n), std::swap(matrix.a_k, matrix.b_k);
    std::swap(operands[1], operands[2]), std::swap(batch.strides[1], batch.strides[2]);
  }
  // A vector times a matrix with contiguous columns is a batch of dot products.
  if (matrix.m == 1 && (matrix.n == 1 || (matrix.b_k == 1 && matrix.b_n != 1))) {
    batch.add(matrix.n, matrix.out_n, 0, matrix.b_n);
    return sum_products(queue, out.dtype, batch, operands,
                        {matrix.k, matrix.a_k, matrix.b_k, false}, caller);
  }
  if (matrix.m == 0 || matrix.n == 0)
    return;
  if (worth_chunks(*queue, sizes_of(out.dtype, batch.space().size, matrix))) {
    caller.release();
    return multiply_by_chunks(queue, out.dtype, batch, operands, matrix);
  }
  multiply(queue, out.dtype, batch, operands, matrix, caller);
}

namespace {

// The largest product, in terms, that is computed while the caller holds its lock.
constexpr std::int64_t max_locked_terms = std::int64_t(1) << 19;

// Appends the steps along the axes of a matrix. An axis of length 1 may have any stride, but
// libraries expect that of a compact matrix.
void add_steps(std::intptr_t *&to, std::int64_t itemsize, std::int64_t rows, std::int64_t columns,
               std::int64_t row, std::int64_t column) {
  if (rows == 1)
    row = column == 1 ? columns : 1;
  if (columns == 1)
    column = row == 1 ? rows : 1;
  *to++ = row * itemsize, *to++ = column * itemsize;
}

} // namespace

void matmul_by(MatrixLoop loop, void *context, const QueueRef &queue, const View &x, const View &y,
               const View &out, Caller &caller) {
  const kernels::MatmulScalars matrix = matrices_of(x, y, out);
  const auto nbytes = static_cast<std::int64_t>(itemsize(out.dtype));
  IterationSpace space = batch_of(x, y, out).space();
  if (space.size * matrix.m * matrix.n * matrix.k > max_locked_terms ||
      !nothing_pending(*queue, {out.memory, x.memory, y.memory})) {
    caller.release();
    for (const View *view : {&out, &x, &y})
      drain(*view->memory);
  }
  if (space.ndim == 0)
    space.insert({1, {}});
  const DefaultModes modes;
  const IterationSpace::Axis &inner = space.axes[0];
  const std::intptr_t extents[] = {inner.extent, matrix.m, matrix.k, matrix.n};
  std::intptr_t steps[9], *end = steps;
  for (const int k : {1, 2, 0})
    *end++ = inner.strides[k] * nbytes;
  add_steps(end, nbytes, matrix.m, matrix.k, matrix.a_m, matrix.a_k);
  add_steps(end, nbytes, matrix.k, matrix.n, matrix.b_k, matrix.b_n);
  add_steps(end, nbytes, matrix.m, matrix.n, matrix.out_m, matrix.out_n);
  for (std::int64_t i = 0, count = space.size / inner.extent; i < count; ++i) {
    std::int64_t offsets[] = {space.offsets[0], space.offsets[1], space.offsets[2]}, rest = i;
    for (int axis = 1; axis < space.ndim; rest /= space.axes[axis++].extent)
      for (int k = 0; k < 3; ++k)
        offsets[k] += rest % space.axes[axis].extent * space.axes[axis].strides[k];
    char *data[] = {x.data + offsets[1] * nbytes, y.data + offsets[2] * nbytes,
                    out.data + offsets[0] * nbytes};
    loop(data, extents, steps, context);
  }
}

void vecdot(const QueueRef &queue, const View &x, const View &y, const View &out, bool conjugate,
            Caller &caller) {
  const Batch batch(out, 0, x, 1, y, 1);
  sum_products(queue, out.dtype, batch, {out, x, y},
               {x.shape[x.ndim - 1], x.strides[x.ndim - 1], y.strides[y.ndim - 1], conjugate},
               caller);
}

} // namespace usmtensor
