"""Calls of oneMKL. Only where it is installed can this module be imported."""

from cython.operator cimport dereference
from usmtensor._native cimport Queue, QueueRef, View, raised
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray


cdef extern from "mkl/mkl.hpp" namespace "usmtensor::onemkl" nogil:
    bint native_serves "usmtensor::onemkl::serves"(const Queue &) except +raised
    void native_matmul "usmtensor::onemkl::matmul"(const Queue &, const View &, const View &,
                                                   const View &) except +raised


def serves(SyclQueue queue not None):
    """Whether oneMKL has code for the queue's device."""
    return native_serves(dereference(queue.ref))


def matmul(usm_ndarray x not None, usm_ndarray y not None, usm_ndarray out not None):
    """out = x @ y: the operands fit, and have strides that BLAS takes."""
    cdef View a = x.view(), b = y.view(), to = out.view()
    cdef QueueRef queue = out.queue.ref
    with nogil:
        native_matmul(dereference(queue), a, b, to)
