"""Functions of small matrices on NumPy arrays."""

cimport numpy as np
from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from usmtensor._dtypes cimport C8, C16, F4, F8
from usmtensor._usmarray cimport usm_ndarray

from numpy.linalg import LinAlgError

np.import_array()

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

cdef extern from "layout/dtype.hpp" namespace "usmtensor" nogil:
    cdef enum class DType:
        pass

cdef dict _FUNCTIONS = {
    "det": <int>Function.det, "slogdet": <int>Function.slogdet,
    "inv": <int>Function.inv, "solve": <int>Function.solve,
}
cdef dict _CODES = {np.NPY_FLOAT: F4, np.NPY_DOUBLE: F8, np.NPY_CFLOAT: C8, np.NPY_CDOUBLE: C16}


def serves(str name, usm_ndarray x not None):
    """Whether `compute` has a function and is faster than LAPACK."""
    return (0 < x.extents[x.rank - 1] <= (most_rows // 2 if x.code >= C8 else most_rows)
            and name in _FUNCTIONS)


def compute(routine, *views):
    """Fill the last views with a function of the first ones, which fit."""
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
        lead = np.PyArray_NDIM(x) - core - ndim  # how many more axes than the stack: 0 or less
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
