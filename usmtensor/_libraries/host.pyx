"""Calls of libraries: oneMKL, NumPy functions on host views of arrays, and usmtensor's routines for
small matrices."""

cimport numpy as np
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport PyObject, Py_DECREF, Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy
from libcpp cimport bool as cbool
from usmtensor._core.array cimport ndarray_over, usm_ndarray
from usmtensor._native.libtensor cimport (
    DType, HeldOperands, drain, host_accessible, no_tier_is_forced, numpy_enabled, onemkl_enabled,
)
from usmtensor._runtime.dtypes cimport C16, C8, F4, F8
from usmtensor._runtime.queue cimport SyclQueue

import contextvars
import os
import numpy

from numpy.linalg import LinAlgError

np.import_array()

cdef extern from "Python.h":
    int PyContext_Enter(object) except -1
    int PyContext_Exit(object) except -1

cdef extern from "host/modes.hpp" namespace "usmtensor":
    cdef cppclass DefaultModes:
        pass

cdef enum:
    NUMPY_DIMS = 64

# A context in which NumPy's warnings are disabled.
cdef object _quiet = contextvars.Context()
_quiet.run(numpy.seterr, all="ignore")


cdef object call_quietly(object function, list values):
    """Call a function of NumPy without warnings. It takes less time than numpy.errstate."""
    return _quiet.copy().run(function, *values)


cdef object _onemkl = False  # the module; None if oneMKL is not installed; False: not yet loaded


cdef object onemkl(SyclQueue queue):
    """Return the module of oneMKL, or None if it is not installed or has no code for the queue."""
    global _onemkl
    if not onemkl_enabled():
        return None
    if _onemkl is False:
        try:
            from usmtensor._libraries import onemkl as _mkl
            _onemkl = _mkl
        except ImportError:
            _onemkl = None
    return _onemkl if _onemkl is not None and _onemkl.serves(queue) else None


def _without_onemkl():
    """Disable oneMKL in a forked child, which does not have the threads of its parent's oneMKL."""
    global _onemkl
    if _onemkl is not False:
        _onemkl = None


os.register_at_fork(after_in_child=_without_onemkl)


cdef bint is_host_accessible(tuple arrays):
    """Return True if the host can access the memory and NumPy allows the number of dimensions."""
    cdef usm_ndarray x
    for x in arrays:
        if x.rank > NUMPY_DIMS or not host_accessible(dereference(x.allocation)):
            return False
    return True


cpdef bint numpy_serves(tuple arrays):
    """Return True if a function of NumPy may compute in place of kernels."""
    cdef usm_ndarray x = arrays[0]
    return (numpy_enabled(dereference(x.queue.ref)) and no_tier_is_forced()
            and is_host_accessible(arrays))


cdef object host_view(usm_ndarray x, bint writable):
    """Return a NumPy array over the memory of x, which keeps x alive."""
    view = ndarray_over(x.data, x.code, x.rank, x.extents, x.strides_(), writable)
    np.set_array_base(view, x)
    return view


cpdef int call(object function, tuple inputs, tuple outputs) except -1:
    """Wait for the work on the arrays, and call function(*inputs, *outputs) on NumPy arrays."""
    cdef DefaultModes _modes  # until it is destroyed
    cdef HeldOperands held
    cdef tuple arrays = inputs + outputs
    cdef usm_ndarray x
    cdef list views = []
    if not is_host_accessible(arrays):
        raise ValueError("a library of the host takes at most 64 dimensions, as NumPy does, and "
                         "memory that the host reaches")
    for x in arrays:
        views.append(host_view(x, len(views) >= len(inputs)))
    context = _quiet.copy()  # only one thread at a time can run in a context
    for x in inputs:
        held.read(dereference(x.allocation))
    for x in outputs:
        held.write(dereference(x.allocation))
    held.lock()
    for x in arrays:
        # Leave the gate before the call, because NumPy takes the GIL, which a waiting fork holds.
        drain(dereference(x.allocation))
    PyContext_Enter(context)
    try:
        function(*views)
    finally:
        PyContext_Exit(context)
    return 0


# The results of NumPy's functions without `out`

cdef enum:
    MIN_HANDLER_BYTES = 1 << 15  # for smaller results a copy is faster

# A NumPy memory handler (NEP 49) that uses the memory of `out` for one array of its size.
cdef struct ResultHandler:
    np.PyDataMem_Handler base  # the first member, because NumPy reads it
    PyObject *out
    void *data
    size_t nbytes
    bint taken


cdef void *_result_malloc(void *handler, size_t nbytes) noexcept:
    cdef ResultHandler *self = <ResultHandler *>handler
    if self.taken or nbytes != self.nbytes:
        return malloc(nbytes)
    self.taken = True
    return self.data


cdef void *_result_calloc(void *handler, size_t count, size_t nbytes) noexcept:
    return calloc(count, nbytes)


cdef void *_result_realloc(void *handler, void *data, size_t nbytes) noexcept:
    # NULL raises MemoryError.
    return NULL if data == (<ResultHandler *>handler).data else realloc(data, nbytes)


cdef void _result_free(void *handler, void *data, size_t nbytes) noexcept:
    cdef ResultHandler *self = <ResultHandler *>handler
    if data == self.data:
        self.taken = False
    else:
        free(data)


cdef void _delete_handler(object capsule) noexcept:
    cdef ResultHandler *self = <ResultHandler *>PyCapsule_GetPointer(capsule, "mem_handler")
    Py_DECREF(<object>self.out)
    free(self)


cdef object _handler_for(np.ndarray out):
    cdef ResultHandler *self = <ResultHandler *>calloc(1, sizeof(ResultHandler))
    if self == NULL:
        raise MemoryError
    memcpy(self.base.name, <const char *>b"usmtensor", 10)
    self.base.version = 1
    self.base.allocator = [self, _result_malloc, _result_calloc, _result_realloc, _result_free]
    self.data, self.nbytes = np.PyArray_DATA(out), np.PyArray_NBYTES(out)
    Py_INCREF(out)
    self.out = <PyObject *>out
    return PyCapsule_New(self, "mem_handler", _delete_handler)


def assign(np.ndarray out, object function, *operands):
    """Put the result of a NumPy function into `out`, without a copy if `out` is contiguous."""
    cdef np.ndarray result
    cdef ResultHandler *handler
    cdef size_t offset
    if not np.PyArray_IS_C_CONTIGUOUS(out) or np.PyArray_NBYTES(out) < MIN_HANDLER_BYTES:
        out[...] = function(*operands)
        return
    capsule = _handler_for(out)
    handler = <ResultHandler *>PyCapsule_GetPointer(capsule, "mem_handler")
    usual = np.PyDataMem_SetHandler(capsule)
    try:
        result = function(*operands)
    finally:
        np.PyDataMem_SetHandler(usual)
    offset = <size_t>np.PyArray_DATA(result) - <size_t>handler.data
    if handler.taken and offset >= handler.nbytes:  # taken by a signal handler or a finalizer
        raise RuntimeError("other code took the memory of the result of a function of NumPy")
    out[...] = result  # copies nothing if the result is in the memory of `out`


cdef extern from "host/finite.hpp" namespace "usmtensor" nogil:
    cbool is_finite(DType type, const char *data, int ndim, const int64_t *shape,
                    const int64_t *strides, cbool is_lower)


def all_finite(np.ndarray x not None, bint is_lower):
    """Return True if all elements of matrices, or of their lower triangles, are finite."""
    cdef DType type = <DType><int>_CODES[np.PyArray_TYPE(x)]
    cdef cbool result
    with nogil:
        result = is_finite(type, <const char *>np.PyArray_DATA(x), np.PyArray_NDIM(x),
                           <const int64_t *>np.PyArray_DIMS(x),
                           <const int64_t *>np.PyArray_STRIDES(x), is_lower)
    return result


cdef extern from "host/small_matrices.hpp" namespace "usmtensor::small" nogil:
    cdef int most_rows
    cdef cppclass Operand:
        char *data
        int64_t[64] strides
        int64_t row, column
    cdef enum class Function:
        det, slogdet, inv, solve

    cbool run(DType type, Function function, int ndim, const int64_t *shape, int n,
              int64_t columns, Operand *operands, int count)


cdef dict _FUNCTIONS = {
    "det": <int>Function.det, "slogdet": <int>Function.slogdet,
    "inv": <int>Function.inv, "solve": <int>Function.solve,
}
cdef dict _CODES = {np.NPY_FLOAT: F4, np.NPY_DOUBLE: F8, np.NPY_CFLOAT: C8, np.NPY_CDOUBLE: C16}


def serves(str name, usm_ndarray x not None):
    """Return True if `compute_small` has a function and is faster than LAPACK."""
    return (0 < x.extents[x.rank - 1] <= (most_rows // 2 if x.code >= C8 else most_rows)
            and name in _FUNCTIONS)


def compute_small(routine, *views):
    """Compute a function of the first views into the last views. The shapes match."""
    cdef Operand[3] operands
    cdef np.ndarray x = views[0], last = views[-1]
    cdef Function function = <Function><int>_FUNCTIONS[routine.name]
    cdef DType type = <DType><int>_CODES[np.PyArray_TYPE(x)]
    cdef int k, axis, lead, core, count = <int>len(views)
    cdef int n = <int>np.PyArray_DIM(x, np.PyArray_NDIM(x) - 1)
    cdef int64_t columns = n
    cdef tuple axes = routine.inputs + routine.outputs
    cdef int ndim = np.PyArray_NDIM(last) - <int>len(axes[count - 1])
    cdef cbool regular
    for k in range(count):
        x = views[k]
        core = <int>len(axes[k])
        lead = np.PyArray_NDIM(x) - core - ndim  # the number of axes more than the stack: 0 or less
        operands[k].data = <char *>np.PyArray_DATA(x)
        for axis in range(ndim):
            operands[k].strides[axis] = (np.PyArray_STRIDE(x, axis + lead)
                                         if axis + lead >= 0 and np.PyArray_DIM(x, axis + lead) > 1
                                         else 0)
        lead += ndim
        operands[k].row = np.PyArray_STRIDE(x, lead) if core > 0 else 0
        operands[k].column = np.PyArray_STRIDE(x, lead + 1) if core > 1 else 0
    if function == Function.solve:
        columns = np.PyArray_DIM(last, ndim + 1) if core > 1 else 1
    with nogil:
        regular = run(type, function, ndim, <const int64_t *>np.PyArray_DIMS(last), n, columns,
                      operands, count)
    if not regular:
        raise LinAlgError("Singular matrix")
