"""Element types: NumPy dtypes and the codes that libtensor knows them by."""

cimport numpy as np
from libc.string cimport memset
from usmtensor._keywords cimport shown
from usmtensor._native cimport Queue

import numpy

np.import_array()

cdef extern from "layout/dtype.hpp" namespace "usmtensor":
    const char *dtype_names[14]

cdef int i
DTYPES = tuple([numpy.dtype(dtype_names[i].decode()) for i in range(DTYPE_COUNT)])

# From NumPy's type number; long and long long are both int64 on Linux.
cdef signed char[24] _codes
memset(_codes, -1, sizeof(_codes))
_codes[<int>np.NPY_LONGLONG] = I8
_codes[<int>np.NPY_ULONGLONG] = U8

for i in range(DTYPE_COUNT):
    _codes[<int>DTYPES[i].num] = i
    itemsizes[i] = DTYPES[i].itemsize
    alignments[i] = min(itemsizes[i], 8)  # kernels move complex64 as integers of 64 bits


cdef int code_of_number(int number) noexcept:
    """The code of a type number of NumPy, -1 for one that arrays cannot have."""
    return _codes[number] if 0 <= number < 24 else -1


cdef int find_code(object dtype):
    """The code of a numpy.dtype, -1 for one that arrays cannot have."""
    return code_of_number((<np.dtype?>dtype).num)


cdef int dtype_code(object dtype, str function) except -1:
    """The code of anything that names a dtype."""
    cdef int code
    if not isinstance(dtype, np.dtype):
        try:
            dtype = numpy.dtype(dtype)
        except (TypeError, ValueError):
            raise TypeError(f"{function}: dtype {shown(dtype)} is not a data type") from None
    code = find_code(dtype)
    if code < 0:
        raise TypeError(f"{function}: dtype {dtype} is not supported; expected bool, an integer, "
                        "float16, float32, float64, complex64 or complex128")
    if not dtype.isnative:
        raise ValueError(f"{function}: dtype {dtype.str!r} is not in native byte order")
    return code


cdef int default_code(int kind, bint fp64):
    """The code that a device holds for Python's bool (0), int (1), float (2) and complex (3)."""
    if kind == 0:
        return BOOL
    if kind == 1:
        return I8
    if kind == 2:
        return F8 if fp64 else F4
    return C16 if fp64 else C8


cdef int code_or_default(object dtype, const Queue *queue, str function, int kind=2) except -1:
    """The code of a `dtype=` keyword."""
    return default_code(kind, queue.fp64) if dtype is None else dtype_code(dtype, function)


cdef bint is_supported(int code, const Queue *queue):
    """Whether a device computes in a type; NULL stands for one that has all."""
    if queue == NULL:
        return True
    if code == F2:
        return queue.fp16
    return queue.fp64 or code != F8 and code != C16


cdef int supported_code(int code, const Queue *queue):
    """The type itself, or the widest of its kind that a device computes in."""
    if is_supported(code, queue):
        return code
    return C8 if code == C16 else F4
