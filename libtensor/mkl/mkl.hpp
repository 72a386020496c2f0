// oneMKL's SYCL interface on views. The module _mkl holds it, and is loaded only where oneMKL is
// installed: libtensor does not need it.
#pragma once
#include "layout/view.hpp"
#include "runtime/handles.hpp"

namespace usmtensor::onemkl {

// Whether oneMKL has kernels for the device: a CPU or a GPU of Intel.
bool serves(const Queue &queue);

// out = x @ y, as ops/product.hpp, of one floating point type. The last two axes of each have
// strides that BLAS takes, out does not overlap the others, and no extent is zero.
void matmul(const Queue &queue, const View &x, const View &y, const View &out);

} // namespace usmtensor::onemkl
