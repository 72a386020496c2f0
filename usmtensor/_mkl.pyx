"""Calls of oneMKL. Only where it is installed can this module be imported."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from usmtensor._dtypes cimport C8, C16, F4
from usmtensor._native cimport Queue, QueueRef, View, raised
from usmtensor._operands cimport in_type
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray
from usmtensor._views cimport on_queue

import math

import usmtensor as usm


cdef extern from "mkl/mkl.hpp" namespace "usmtensor::onemkl" nogil:
    bint native_serves "usmtensor::onemkl::serves"(const Queue &) except +raised
    cdef cppclass Fourier:
        int64_t n, count, in_stride, in_distance, out_stride, out_distance
        double scale
        cbool forward, real

    void native_transform "usmtensor::onemkl::transform"(const Queue &, const View &, const View &,
                                                         const Fourier &) except +raised
    void native_matmul "usmtensor::onemkl::matmul"(const Queue &, const View &, const View &,
                                                   const View &) except +raised


def serves(SyclQueue queue not None):
    """Whether oneMKL has code for the queue's device, and the queue is in order."""
    return native_serves(dereference(queue.ref))


cdef usm_ndarray private_view(usm_ndarray x):
    """A view whose shape no other thread can set."""
    return on_queue(x, x.queue)


cdef int require_fit(bint fit, str function) except -1:
    if not fit:
        raise ValueError(f"{function}: the shape of an operand was set during the call")
    return 0


def broadcasts(shape, to):
    return len(shape) <= len(to) and all(n in (1, m) for n, m in zip(shape[::-1], to[::-1]))


def matmul(usm_ndarray x not None, usm_ndarray y not None, usm_ndarray out not None):
    """out = x @ y: the operands fit, and have strides that BLAS takes."""
    cdef View a, b, to
    cdef QueueRef queue = out.queue.ref
    cdef tuple left, right, matrix
    x, y, out = private_view(x), private_view(y), private_view(out)
    left, right = x.shape, y.shape
    matrix = (*left[-2:-1], *right[1:][-1:])
    batch = out.shape[:out.rank - len(matrix)]
    require_fit(left[-1] == right[-2:][0] and out.shape == (*batch, *matrix)
                and broadcasts(left[:-2], batch) and broadcasts(right[:-2], batch), "matmul")
    a, b, to = x.view(), y.view(), out.view()
    with nogil:
        native_matmul(dereference(queue), a, b, to)


def transform(str name, usm_ndarray x not None, usm_ndarray out not None, int64_t n,
              int axis, str norm):
    """Fill `out`, in C order, with a transform of n points of x along an axis, as numpy.fft."""
    cdef Fourier plan
    cdef View source, target
    cdef QueueRef queue = out.queue.ref
    cdef int64_t points = n // 2 + 1 if name == "irfft" else n
    x = private_view(x)
    require_fit(x.rank == out.rank and all([
        k == axis or x.extents[k] == out.extents[k] for k in range(x.rank)]), name)
    if out.count() == 0:
        return
    if name != "rfft" and x.code < C8:
        x = in_type(x, C8 if x.code == F4 else C16)
    extent = x.extents[axis]
    if extent > points:
        x = x[(slice(None),) * axis + (slice(points),)]
    elif extent < points:
        shape = (*x.shape[:axis], points, *x.shape[axis + 1:])
        filled = usm.zeros(shape, dtype=x.dtype, sycl_queue=x.queue)
        filled[(slice(None),) * axis + (slice(extent),)] = x
        x = filled
    if axis > 0 and axis < x.rank - 1:  # the transforms do not follow each other at one distance
        moved = usm.moveaxis(out, axis, -1)
        result = usm.empty_like(moved, order="C")
        transform(name, usm.moveaxis(x, axis, -1), result, n, x.rank - 1, norm)
        moved[...] = result
        return
    x = usm.asarray(x, order="C")
    last = axis == x.rank - 1
    plan.n, plan.forward, plan.real = n, name in ("fft", "rfft"), name in ("rfft", "irfft")
    plan.count = x.count() // points
    plan.in_stride = plan.out_stride = 1 if last else plan.count
    plan.in_distance = points if last else 1
    plan.out_distance = out.extents[axis] if last else 1
    plan.scale = 1.0 if (norm == "backward") == plan.forward else 1.0 / n
    if norm == "ortho":
        plan.scale = 1.0 / math.sqrt(n)
    source, target = x.view(), out.view()
    with nogil:
        native_transform(dereference(queue), source, target, plan)
