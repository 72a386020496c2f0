// oneMKL's SYCL interface on views. The module _mkl holds it, and is loaded only where oneMKL is
// installed: libtensor does not need it.
#pragma once
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
};
// Of the memory of x into that of out, which do not overlap. They have the types of the transform.
void transform(const Queue &queue, const View &x, const View &out, const Fourier &fourier);

} // namespace usmtensor::onemkl
