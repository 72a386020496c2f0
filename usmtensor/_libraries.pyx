"""The libraries behind functions: oneMKL; those of the host, which see arrays as NumPy arrays."""

cimport numpy as np
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from usmtensor._copy cimport ndarray_over
from usmtensor._native cimport drain, host_accessible, onemkl_may
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray

import contextvars
import os

import numpy

np.import_array()

cdef extern from "Python.h":
    int PyContext_Enter(object) except -1
    int PyContext_Exit(object) except -1

cdef extern from "host/modes.hpp" namespace "usmtensor":
    cdef cppclass DefaultModes:
        pass

cdef enum:
    NUMPY_DIMS = 64

# A context in which NumPy's warnings are off.
cdef object _quiet = contextvars.Context()
_quiet.run(numpy.seterr, all="ignore")


cdef object _onemkl = False  # the module; None if oneMKL is not installed; False: not yet loaded


cdef object onemkl(SyclQueue queue):
    """The module of oneMKL; None if it is not installed, or does not serve the queue."""
    global _onemkl
    if not onemkl_may():
        return None
    if _onemkl is False:
        try:
            from usmtensor import _mkl
            _onemkl = _mkl
        except ImportError:
            _onemkl = None
    return _onemkl if _onemkl is not None and _onemkl.serves(queue) else None


def _without_onemkl():
    """The child of a fork lacks the threads of oneMKL, if its parent has loaded it."""
    global _onemkl
    if _onemkl is not False:
        _onemkl = None


os.register_at_fork(after_in_child=_without_onemkl)


cdef bint is_within_reach(tuple arrays):
    """Whether the host reaches the memory, and NumPy allows the number of dimensions."""
    cdef usm_ndarray x
    for x in arrays:
        if x.rank > NUMPY_DIMS or not host_accessible(dereference(x.memory.ref)):
            return False
    return True


cdef object host_view(usm_ndarray x, bint writable):
    """A NumPy array over the memory of x, which it keeps alive."""
    cdef int64_t[NUMPY_DIMS] strides
    cdef int axis, other, last = x.rank - 1
    memcpy(strides, x.strides_(), x.rank * sizeof(int64_t))
    # One row or column may have any stride, but NumPy requires one of a matrix.
    for axis in range(max(last - 1, 0), x.rank):
        if x.rank > 1 and x.extents[axis] == 1:
            other = 2 * last - 1 - axis
            strides[axis] = 1 if strides[other] != 1 else x.extents[other]
    view = ndarray_over(x.data, x.code, x.rank, x.extents, strides, writable)
    np.set_array_base(view, x)
    return view


cpdef int call(object function, tuple inputs, tuple outputs) except -1:
    """Wait for the work on the memories, and call function(*inputs, *outputs) on NumPy arrays."""
    cdef DefaultModes _modes  # until it is destroyed
    cdef tuple arrays = inputs + outputs
    cdef usm_ndarray x
    cdef list views = []
    if not is_within_reach(arrays):
        raise ValueError("a library of the host takes at most 64 dimensions, as NumPy does, and "
                         "memory that the host reaches")
    for x in arrays:
        views.append(host_view(x, len(views) >= len(inputs)))
    context = _quiet.copy()  # a context has one thread at a time
    for x in arrays:
        # This leaves the gate before the call: NumPy takes the GIL, which a waiting fork holds.
        drain(dereference(x.memory.ref))
    PyContext_Enter(context)
    try:
        function(*views)
    finally:
        PyContext_Exit(context)
    return 0
