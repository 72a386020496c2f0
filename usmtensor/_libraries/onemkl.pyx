"""Calls of oneMKL. Importing this module fails if oneMKL is not installed."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from usmtensor._core.array cimport allocate_shape, usm_ndarray
from usmtensor._core.copy cimport as_contiguous, fill_array
from usmtensor._core.operands cimport in_type
from usmtensor._core.views cimport permute_axes
from usmtensor._native.libtensor cimport Queue, QueueRef, UsmKind, View, raised
from usmtensor._runtime.dtypes cimport C8, C16, F4, F8
from usmtensor._runtime.queue cimport SyclQueue

import math


cdef extern from "mkl/mkl.hpp" namespace "usmtensor::onemkl" nogil:
    bint native_serves "usmtensor::onemkl::serves"(const Queue &) except +raised
    cdef cppclass Fourier:
        int64_t n, count, in_stride, in_distance, out_stride, out_distance
        double scale
        cbool forward, real

    void native_transform "UNLOCKED(onemkl::transform)"(
        const QueueRef &, const View &, const View &, const Fourier &) except +raised
    void native_matmul "UNLOCKED(onemkl::matmul)"(const Queue &, const View &, const View &,
                                                  const View &) except +raised
    cdef enum class Step:
        cholesky, lu, solve, qr, orthonormal, eigen, singular, general
    cdef cppclass Views "usmtensor::Span<usmtensor::View>":
        Views(const View *, size_t)

    cbool native_factorise "UNLOCKED_IN_PLACE(onemkl::factorise)"(const QueueRef &, Step, int mode,
                                                         const Views &) except +raised

cdef extern from *:
    bint cpu_is_of_intel '__builtin_cpu_is("intel")'

# True if products on the CPU are faster than NumPy's. On AMD CPUs they take up to 10 % longer.
multiplies_faster = cpu_is_of_intel


def serves(SyclQueue queue not None):
    """Return True if oneMKL has code for the queue's device and the queue is in order."""
    return native_serves(dereference(queue.ref))


def matmul(usm_ndarray x not None, usm_ndarray y not None, usm_ndarray out not None):
    """Compute out = x @ y for matching shapes and strides that BLAS accepts."""
    native_matmul(dereference(out.queue.ref), x.view(), y.view(), out.view())


cdef bint is_inaccurate(str name, int64_t n, usm_ndarray x, int axis):
    """Return True if a single precision transform may be inaccurate.

    With AVX-512, oneMKL 2026.2 has errors of 3e-2 of the largest element in a single `irfft`, and
    of 3e-4 with large prime factors.
    """
    cdef int64_t factor, rest = n
    if name == "irfft" and n % 32 and x.count() == x.extents[axis]:
        return True
    for factor in (2, 3, 5, 7, 11, 13):
        while rest % factor == 0:
            rest //= factor
    return rest > 1000


def transform(str name, usm_ndarray x not None, usm_ndarray out not None, int64_t n,
              int axis, str norm):
    """Compute a transform of n points of x along an axis into a C-contiguous `out`."""
    cdef Fourier plan
    cdef int64_t points = n // 2 + 1 if name == "irfft" else n
    if out.count() == 0:
        return
    if out.code in (F4, C8) and out.queue.sycl_device.is_cpu and is_inaccurate(name, n, x, axis):
        double = allocate_shape(out.queue, UsmKind.device, F8 if out.code == F4 else C16, out.shape)
        transform(name, in_type(x, F8 if x.code == F4 else C16), double, n, axis, norm)
        out[...] = double
        return
    if name != "rfft" and x.code < C8:
        x = in_type(x, C8 if x.code == F4 else C16)
    extent = x.extents[axis]
    if extent > points:
        x = x[(slice(None),) * axis + (slice(points),)]
    elif extent < points:
        shape = (*x.shape[:axis], points, *x.shape[axis + 1:])
        padded = fill_array(allocate_shape(x.queue, UsmKind.device, x.code, shape), 0, name)
        padded[(slice(None),) * axis + (slice(extent),)] = x
        x = padded
    if axis > 0 and axis < x.rank - 1:  # the transforms are not at equal distances
        axes = [k for k in range(x.rank) if k != axis] + [axis]
        moved = permute_axes(out, axes)
        result = allocate_shape(out.queue, out.allocation.kind, out.code, moved.shape)
        transform(name, permute_axes(x, axes), result, n, x.rank - 1, norm)
        moved[...] = result
        return
    x = as_contiguous(x, x.code)
    last = axis == x.rank - 1
    plan.n, plan.forward, plan.real = n, name in ("fft", "rfft"), name in ("rfft", "irfft")
    plan.count = x.count() // points
    plan.in_stride = plan.out_stride = 1 if last else plan.count
    plan.in_distance = points if last else 1
    plan.out_distance = out.extents[axis] if last else 1
    plan.scale = 1.0 if (norm == "backward") == plan.forward else 1.0 / n
    if norm == "ortho":
        plan.scale = 1.0 / math.sqrt(n)
    native_transform(out.queue.ref, x.view(), out.view(), plan)


cdef dict _STEPS = {
    "cholesky": <int>Step.cholesky, "lu": <int>Step.lu, "solve": <int>Step.solve,
    "qr": <int>Step.qr, "orthonormal": <int>Step.orthonormal, "eigen": <int>Step.eigen,
    "singular": <int>Step.singular, "general": <int>Step.general,
}


def factorise(str step, *operands, int mode=0):
    """Run a LAPACK step in place; mkl.hpp has the operands. Return False for a singular matrix."""
    cdef View[4] views
    cdef int k
    for k in range(<int>len(operands)):
        views[k] = (<usm_ndarray?>operands[k]).view()
    return native_factorise((<usm_ndarray>operands[0]).queue.ref, <Step><int>_STEPS[step], mode,
                            Views(views, len(operands)))
