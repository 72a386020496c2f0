// oneMKL's SYCL interface on views. The module _libraries.onemkl holds it, and is loaded only where
// oneMKL is installed: libtensor does not need it.
#pragma once
#include "layout/span.hpp"
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor::onemkl {

// Whether oneMKL has kernels for the device, a CPU or a GPU of Intel. On an out-of-order queue its
// commands do not wait for barriers.
bool serves(const Queue &queue);

// out = x @ y, as ops/product.hpp, of one floating point type. The last two axes of each have
// strides that BLAS takes, out does not overlap the others, and no extent is zero.
void matmul(const Queue &queue, const View &x, const View &y, const View &out);

// Fourier transforms of n points, at these strides and distances of one from the next, in elements.
struct Fourier {
  std::int64_t n, count, in_stride, in_distance, out_stride, out_distance;
  double scale;
  bool forward, real; // real: forward of real numbers to half a spectrum, or back

  // A guess of its time.
  std::int64_t nanoseconds() const;
};
// Of the memory of x into that of out, which do not overlap. They have the types of the transform.
// Those of fourier.hpp are complete on return.
void transform(const QueueRef &queue, const View &x, const View &out, const Fourier &fourier);

// Steps of LAPACK on each matrix of a stack. Matrices lie by columns, without gaps, so a view has
// their transposes; results replace operands.
enum class Step {
  cholesky,    // a. Mode 1: the upper triangle
  lu,          // a, pivots
  solve,       // a, pivots, b
  qr,          // a, factors of the reflectors
  orthonormal, // the same after `qr`
  eigen,       // a, eigenvalues. Mode 1: vectors in a
  singular,    // a, singular values, then u and vh. Mode 1: as many vectors as values; 2: all
  general,     // a, complex eigenvalues, then vectors; on a CPU
};
// False if oneMKL reports that a matrix is singular, not positive definite or without convergence.
// A device that computes later does not report it.
bool factorise(const QueueRef &queue, Step step, int mode, Span<View> operands);
// `singular` and `general`, by the interface of the host: that of SYCL has no divide-and-conquer
// for singular values, and no eigenvalues of general matrices. It waits for the work on the
// operands.
bool factorise_on_host(Step step, int mode, Span<View> operands);

// The operands of a step, for calls with one matrix after another. Int is the interface's type of
// sizes.
template <class Int> struct Matrices {
  Int rows(int k) const { return operands[k].shape[operands[k].ndim - 1]; }
  Int columns(int k) const { return operands[k].shape[operands[k].ndim - 2]; }
  // At matrix `index`; null for an operand that is not there.
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
