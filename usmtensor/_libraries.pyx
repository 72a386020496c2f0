"""How a library of the host is called: on the memory of arrays, as arrays of NumPy."""

cimport numpy as np
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._dtypes cimport DTYPES, itemsizes
from usmtensor._native cimport Allocation, drain, host_accessible
from usmtensor._usmarray cimport usm_ndarray

import contextvars

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

# Where NumPy warns of nothing.
cdef object _quiet = contextvars.Context()
_quiet.run(numpy.seterr, all="ignore")


cdef bint is_within_reach(tuple arrays):
    """Whether the host reaches the memory, and NumPy has as many dimensions."""
    cdef usm_ndarray x
    for x in arrays:
        if x.rank > NUMPY_DIMS or not host_accessible(dereference(x.memory.ref)):
            return False
    return True


cdef object host_view(usm_ndarray x, bint writable):
    """An array as one of NumPy's, which keeps it alive."""
    cdef np.npy_intp[NUMPY_DIMS] strides
    cdef int axis, other, last = x.rank - 1
    cdef int64_t size = itemsizes[x.code]
    for axis in range(x.rank):
        strides[axis] = x.extents[x.rank + axis] * size
    # Of one row or column any stride will do, but NumPy asks for one of a matrix.
    for axis in range(max(last - 1, 0), x.rank):
        if x.rank > 1 and x.extents[axis] == 1:
            other = 2 * last - 1 - axis
            strides[axis] = size if strides[other] != size else x.extents[other] * size
    view = np.PyArray_New(np.ndarray, x.rank, <np.npy_intp *>x.extents,
                          (<np.dtype>DTYPES[x.code]).type_num, strides, x.data, 0,
                          np.NPY_ARRAY_WRITEABLE if writable else 0, None)
    np.set_array_base(view, x)
    return view


cpdef int call(object function, tuple inputs, tuple outputs) except -1:
    """function(*inputs, *outputs), as arrays of NumPy, when the work on their memories is done."""
    cdef DefaultModes _modes  # while it lives
    cdef tuple arrays = inputs + outputs
    cdef usm_ndarray x
    cdef list views = []
    cdef vector[const Allocation *] memories
    cdef const Allocation *memory
    if not is_within_reach(arrays):
        raise ValueError("a library of the host takes at most 64 dimensions, as NumPy does, and "
                         "memory that the host reaches")
    for x in arrays:
        views.append(host_view(x, len(views) >= len(inputs)))
    context = _quiet.copy()  # a context has one thread at a time
    for x in arrays:
        memories.push_back(x.memory.ref.get())
    with nogil:
        # Afterwards the gate is open: a fork holds the lock that NumPy is going to ask for.
        for memory in memories:
            drain(dereference(memory))
    PyContext_Enter(context)
    try:
        function(*views)
    finally:
        PyContext_Exit(context)
    return 0
