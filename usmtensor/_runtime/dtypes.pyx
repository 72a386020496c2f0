"""Element types: NumPy dtypes and libtensor's codes for them; elements as scalars."""

cimport numpy as np
from libc.string cimport memset
from usmtensor._native.libtensor cimport Queue
from usmtensor._runtime.arguments cimport plain_array, short_repr

import numpy

np.import_array()

cdef extern from "layout/dtype.hpp" namespace "usmtensor":
    const char *dtype_names[DTYPE_COUNT]

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyArray_ArrFuncs:
        object (*getitem)(void *, void *)

    PyArray_ArrFuncs *PyDataType_GetArrFuncs(np.dtype)
    int PyArray_Pack(np.dtype, void *, object) except -1

cdef int i
cdef str EXPECTED = "bool, an integer, float16, float32, float64, complex64 or complex128"
SUPPORTED = DTYPES = tuple([numpy.dtype(dtype_names[i].decode()) for i in range(DTYPE_COUNT)])

# Codes by NumPy type number; long and long long are both int64 on Linux.
cdef signed char[24] _codes
memset(_codes, -1, sizeof(_codes))
_codes[<int>np.NPY_LONGLONG] = I8
_codes[<int>np.NPY_ULONGLONG] = U8

for i in range(DTYPE_COUNT):
    _codes[<int>DTYPES[i].num] = i
    itemsizes[i] = DTYPES[i].itemsize
    alignments[i] = min(itemsizes[i], 8)  # kernels move complex64 as 64-bit integers

# Codes of the usual names and types: numpy.dtype() takes as long as a small operation (0.4 us).
cdef dict _usual = {bool: BOOL, int: I8, float: F8, complex: C16}
for i in range(DTYPE_COUNT):
    _usual |= dict.fromkeys([dtype_names[i].decode(), DTYPES[i].name, DTYPES[i].type], i)


cpdef str cpp_type(int code):
    """Return the name of an element type in kernels/kernel.hpp."""
    return "bool8" if code == BOOL else DTYPES[code].name


cdef int code_of_number(int number) noexcept:
    """Return the code of a NumPy type number, or -1 if arrays cannot have the type."""
    return _codes[number] if 0 <= number < 24 else -1


cpdef int find_code(object dtype):
    """Return the code of a numpy.dtype, or -1 if arrays cannot have the type."""
    return code_of_number((<np.dtype?>dtype).num)


cdef int dtype_code(object dtype, str function) except -1:
    """Return the code of any object that names a dtype."""
    cdef int code
    if not isinstance(dtype, np.dtype):
        if type(dtype) is str or type(dtype) is type:
            found = _usual.get(dtype)
            if found is not None:
                return found
        try:
            dtype = numpy.dtype(dtype)
        except (TypeError, ValueError, SyntaxError):
            raise TypeError(f"{function}: dtype {short_repr(dtype)} is not a data type; expected "
                            f"{EXPECTED}") from None
    code = code_of_number((<np.dtype>dtype).num)
    if code < 0:
        raise TypeError(f"{function}: dtype {dtype} is not supported; expected {EXPECTED}")
    if not np.PyArray_IsNativeByteOrder((<np.dtype>dtype).byteorder):
        raise ValueError(f"{function}: dtype {dtype.str!r} is not in native byte order")
    return code


cdef int default_code(int kind, bint fp64):
    """Return the code for Python's bool (0), int (1), float (2) or complex (3) on a device."""
    if kind == 0:
        return BOOL
    if kind == 1:
        return I8
    if kind == 2:
        return F8 if fp64 else F4
    return C16 if fp64 else C8


cdef int code_or_default(object dtype, const Queue *queue, str function, int kind=2) except -1:
    """Return the code of a `dtype=` keyword."""
    return default_code(kind, queue.fp64) if dtype is None else dtype_code(dtype, function)


cdef bint is_supported(int code, const Queue *queue):
    """Return True if a device supports a type; NULL means a device that supports all types."""
    if queue == NULL:
        return True
    if code == F2:
        return queue.fp16
    return queue.fp64 or code != F8 and code != C16


cdef int supported_code(int code, const Queue *queue):
    """Return the type, or the widest type of its kind that the device supports."""
    if is_supported(code, queue):
        return code
    return C8 if code == C16 else F4


# Python scalars as elements, and back


cdef object to_python(const char *p, int code):
    return PyDataType_GetArrFuncs(<np.dtype>DTYPES[code]).getitem(<void *>p, NULL)


cdef int from_python(object value, int code, char *out, str function) except -1:
    """Write a Python or NumPy scalar as one element of a type.

    As in NumPy, a Python integer out of range raises OverflowError, and a Python complex number for
    a real type raises TypeError.
    """
    try:
        return _convert(value, code, out, function)
    except OverflowError:
        raise OverflowError(f"{function}: {short_repr(value)} does not fit "
                            f"{DTYPES[code]}") from None


cdef object _FLOAT64 = numpy.float64


cdef int _convert(object value, int code, char *out, str function) except -1:
    cdef double real, imaginary
    cdef bint is_int = type(value) is int
    cdef np.dtype dtype = <np.dtype>DTYPES[code]
    # Conversions that cannot warn avoid the cost of numpy.errstate.
    if is_int and code <= U8:
        return PyArray_Pack(dtype, out, value)
    if (code == F8 or code == F4) and (
            type(value) is float or is_int and -2 ** 53 <= value <= 2 ** 53
            or code == F8 and type(value) is _FLOAT64):
        real = value
        if code == F8:
            (<double *>out)[0] = real
        else:
            (<float *>out)[0] = <float>real
        return 0
    if isinstance(value, np.generic):
        if np.PyArray_DescrFromScalar(value).type_num == dtype.type_num:
            np.PyArray_ScalarAsCtype(value, out)
            return 0
        if isinstance(value, np.integer) and code >= F2:
            return _convert(int(value), code, out, function)
    if code == F2 and (type(value) is float or is_int) and (
            value == 0 or 1e-4 < abs(value) < 65504):
        return PyArray_Pack(dtype, out, value)
    if code >= C8 and (type(value) in (complex, float) or is_int and -2 ** 53 <= value <= 2 ** 53):
        real, imaginary = value.real, value.imag
        if code == C16:
            (<double *>out)[0], (<double *>out)[1] = real, imaginary
        else:
            (<float *>out)[0], (<float *>out)[1] = <float>real, <float>imaginary
        return 0
    if isinstance(value, (np.generic, np.ndarray)):
        if isinstance(value, np.ndarray):
            value = plain_array(value, function)
        if value.dtype.kind not in "biufc":
            raise TypeError(f"{function}: a value is of {value.dtype}; expected one for {dtype}")
        if value.dtype.kind == "c" and BOOL < code < C8:
            value = value.real
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and BOOL < code <= U8:
            value = value.astype(dtype)  # wraps, unlike Python integers
        value = value[()]
    elif isinstance(value, complex) and code < C8 and code != BOOL:
        raise TypeError(f"{function}: the complex number {value!r} does not fit {dtype}")
    if 1 <= code <= U8 and isinstance(value, (float, np.floating)):
        value = _to_integer(float(value), dtype)
    with numpy.errstate(all="ignore"):
        return PyArray_Pack(dtype, out, value)


cdef object _to_integer(double value, object dtype):
    """Convert a float to an integer type as the kernels do; see astype."""
    bits = 8 * dtype.itemsize
    whole = int(value) if numpy.isfinite(value) else -2 ** 63
    if dtype.kind == "i":
        low = -2 ** (bits - 1)
        return whole if low <= whole < -low else low
    if not -2 ** 63 <= whole < 2 ** 63 and not (bits == 64 and 0 <= whole < 2 ** 64):
        whole = -2 ** 63
    return whole % 2 ** bits
