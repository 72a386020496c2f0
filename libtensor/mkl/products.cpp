#include "layout/simplify.hpp"
#include "layout/typed.hpp"
#include "mkl.hpp"
#include "runtime/native_queue.hpp"
#include "runtime/queue.hpp"
#include "runtime/submit.hpp"

#include <oneapi/mkl/blas.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace usmtensor::onemkl {
namespace {

namespace blas = oneapi::mkl::blas::row_major;
using oneapi::mkl::transpose;

// The last two axes of an operand as a matrix.
struct Matrix {
  // Either rows or columns are contiguous; leading() is the distance between them.
  bool in_rows() const { return columns == 1 || (column == 1 && (rows == 1 || row >= columns)); }
  std::int64_t leading() const {
    return in_rows() ? (rows > 1 ? row : columns) : (columns > 1 ? column : rows);
  }
  transpose order() const { return in_rows() ? transpose::N : transpose::T; }
  std::int64_t span() const { return leading() * (in_rows() ? rows : columns); }
  void transpose_axes() { std::swap(rows, columns), std::swap(row, column); }

  std::int64_t rows, columns, row, column; // extents, strides
};

// The strides of an operand along the `ndim` batch axes, to which it broadcasts. Its last `core`
// axes are not batch axes.
std::vector<std::int64_t> batch_strides(const View &view, int core, int ndim) {
  std::vector<std::int64_t> strides(ndim);
  for (int axis = view.ndim - core - 1, at = ndim - 1; axis >= 0; --axis, --at)
    strides[at] = view.shape[axis] == 1 ? 0 : view.strides[axis];
  return strides;
}

} // namespace

bool serves(const Queue &queue) {
  constexpr std::uint32_t intel = 0x8086;
  return queue.native->is_in_order() &&
         (queue.description.is_cpu() ||
          (queue.device->is_gpu() &&
           queue.device->get_info<sycl::info::device::vendor_id>() == intel));
}

void matmul(const Queue &queue, const View &x, const View &y, const View &out) {
  const bool row = x.ndim == 1, column = y.ndim == 1;
  const std::int64_t *const to = out.strides + out.ndim;
  const std::int64_t m = row ? 1 : x.shape[x.ndim - 2], k = x.shape[x.ndim - 1],
                     n = column ? 1 : y.shape[y.ndim - 1];
  Matrix a{m, k, row ? 0 : x.strides[x.ndim - 2], x.strides[x.ndim - 1]};
  Matrix b{k, n, y.strides[y.ndim - (column ? 1 : 2)], column ? 0 : y.strides[y.ndim - 1]};
  Matrix c{m, n, row ? 0 : to[column ? -1 : -2], column ? 0 : to[-1]};
  std::array<const char *, 2> data{x.data, y.data};
  const int ndim = out.ndim - 2 + row + column;
  auto x_strides = batch_strides(x, 2 - row, ndim), y_strides = batch_strides(y, 2 - column, ndim);
  if (!c.in_rows()) { // compute the transposed product, whose result is row-major
    a.transpose_axes(), b.transpose_axes(), c.transpose_axes();
    std::swap(a, b), std::swap(data[0], data[1]), x_strides.swap(y_strides);
  }
  const IterationSpace space(ndim, out.shape, {out.strides, x_strides.data(), y_strides.data()});
  typed(out.dtype, [&](auto zero) {
    using T = decltype(zero);
    // Submits a command for `count` products.
    const auto command = [&](std::int64_t count, auto &&call) {
      constexpr std::int64_t speed = 400; // bytes of terms per nanosecond
      submit_library(queue, {x.memory, y.memory, out.memory}, call,
                     count * m * n * k * sizeof(T) / speed);
    };
    // Computes the products along `axis` and the axes inside it, starting at these elements.
    const auto run = [&](auto &self, int axis, T *into, const T *left, const T *right) -> void {
      const IterationSpace::Axis &along = space.axes[std::max(axis, 1) - 1];
      const std::int64_t *const by = along.strides;
      if (axis == 0)
        command(1, [&](sycl::queue &native) {
          blas::gemm(native, a.order(), b.order(), c.rows, c.columns, a.columns, T(1), left,
                     a.leading(), right, b.leading(), T(0), into, c.leading());
        });
      else if (axis == 1 && by[1] >= 0 && by[2] >= 0 && by[0] >= c.span())
        command(along.extent, [&](sycl::queue &native) {
          blas::gemm_batch(native, a.order(), b.order(), c.rows, c.columns, a.columns, T(1), left,
                           a.leading(), by[1], right, b.leading(), by[2], T(0), into, c.leading(),
                           by[0], along.extent);
        });
      else
        for (std::int64_t i = 0; i < along.extent; ++i)
          self(self, axis - 1, into + i * by[0], left + i * by[1], right + i * by[2]);
    };
    run(run, space.ndim, reinterpret_cast<T *>(out.data) + space.offsets[0],
        reinterpret_cast<const T *>(data[0]) + space.offsets[1],
        reinterpret_cast<const T *>(data[1]) + space.offsets[2]);
  });
}

} // namespace usmtensor::onemkl
