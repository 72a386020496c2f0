// oneMKL's SYCL interface for views. It is part of the module _libraries.onemkl, which is loaded
// only if oneMKL is installed; libtensor does not need it.
#pragma once
#include "layout/span.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor::onemkl {

// True if oneMKL can be used with a queue. Its device must be a CPU or an Intel GPU. The queue must
// be in-order, because on out-of-order queues oneMKL's commands do not wait for barriers.
bool serves(const Queue &queue);

// out = x @ y as in ops/product.hpp, for one floating point type. The strides of the last two axes
// are valid for BLAS, `out` overlaps no input, and no extent is zero.
void matmul(const Queue &queue, const View &x, const View &y, const View &out);

// `count` Fourier transforms of n points. Strides are distances between points, and distances are
// those between transforms, in elements.
struct Fourier {
  std::int64_t n, count, in_stride, in_distance, out_stride, out_distance;
  double scale;
  bool forward, real; // real: from real numbers to half a spectrum (forward), or back

  // An estimate of the time.
  std::int64_t nanoseconds() const;
};
// Transforms x into out, which do not overlap and have the types of the transform. Transforms on
// the host (fourier.hpp) are complete on return.
void transform(const QueueRef &queue, const View &x, const View &out, const Fourier &fourier);

// LAPACK routines for each matrix of a stack, with their operands. Matrices are column-major and
// contiguous, so the views are their transposes. Results replace operands.
enum class Step {
  cholesky,    // a. Mode 1: the upper triangle
  lu,          // a, pivots
  solve,       // a, pivots, b
  qr,          // a, scalar factors of the reflectors
  orthonormal, // the operands of `qr`, after it
  eigen,       // a, eigenvalues. Mode 1: vectors in a
  singular,    // a, singular values, u and vh. Mode 1: min(m, n) vectors; 2: all
  general,     // a, complex eigenvalues, vectors; only on CPUs
};
// Returns false if oneMKL reports that a matrix is singular, is not positive definite, or did not
// converge. Devices that compute asynchronously do not report that.
bool factorise(const QueueRef &queue, Step step, int mode, Span<View> operands);
// `singular` and `general` by oneMKL's host interface: the SYCL interface lacks divide-and-conquer
// for singular values, and eigenvalues of general matrices. Waits for commands on the operands.
bool factorise_on_host(Step step, int mode, Span<View> operands);

// The operands of a step, for a call for each matrix. Int is the interface's type of sizes.
template <class Int> struct Matrices {
  Int rows(int k) const { return operands[k].shape[operands[k].ndim - 1]; }
  Int columns(int k) const { return operands[k].shape[operands[k].ndim - 2]; }
  // Operand k of matrix `index`; null if there are fewer operands.
  template <class E> E *at(int k) const {
    if (k >= count)
      return nullptr;
    return reinterpret_cast<E *>(operands[k].data) + index * (operands[k].size() / matrices);
  }

  const Span<View> operands;
  const int count = static_cast<int>(operands.size());
  const Int m = rows(0), n = columns(0), matrices = operands[0].size() / (m * n);
  Int index = 0;
};

} // namespace usmtensor::onemkl
