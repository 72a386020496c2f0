"""Python scalars as elements of an array, and back."""

cimport numpy as np
from usmtensor._dtypes cimport BOOL, C8, DTYPES, F4, F8, U8
from usmtensor._keywords cimport shown

import numpy

np.import_array()

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyArray_ArrFuncs:
        object (*getitem)(void *, void *)

    PyArray_ArrFuncs *PyDataType_GetArrFuncs(np.dtype)
    int PyArray_Pack(np.dtype, void *, object) except -1


cdef object to_python(const char *p, int code):
    return PyDataType_GetArrFuncs(<np.dtype>DTYPES[code]).getitem(<void *>p, NULL)


cdef object does_not_fit(object value, object type_, str function):
    return OverflowError(f"{function}: {shown(value)} does not fit {type_}")


cdef int from_python(object value, int code, char *out, str function) except -1:
    """Writes a Python or NumPy scalar as one element of a type.

    Python integers that do not fit raise OverflowError, Python complex numbers do not become real
    (TypeError), as in NumPy.
    """
    try:
        return _convert(value, code, out, function)
    except OverflowError:
        raise does_not_fit(value, DTYPES[code], function) from None


cdef int _convert(object value, int code, char *out, str function) except -1:
    cdef double real
    cdef bint is_int = type(value) is int
    cdef np.dtype dtype = <np.dtype>DTYPES[code]
    # What cannot warn of anything needs no numpy.errstate.
    if is_int and code <= U8:
        return PyArray_Pack(dtype, out, value)
    if (code == F8 or code == F4) and (
            type(value) is float or is_int and -2 ** 53 <= value <= 2 ** 53):
        real = value
        if code == F8:
            (<double *>out)[0] = real
        else:
            (<float *>out)[0] = <float>real
        return 0
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        if value.dtype.kind not in "biufc":
            raise TypeError(f"{function}: a value is of {value.dtype}; expected one for {dtype}")
        if value.dtype.kind == "c" and code < C8:
            value = value.real
        value = value[()]
    elif isinstance(value, complex) and code < C8 and code != BOOL:
        raise TypeError(f"{function}: the complex number {value!r} does not fit {dtype}")
    if 1 <= code <= U8 and isinstance(value, (float, numpy.floating)):
        value = _to_integer(float(value), dtype)
    with numpy.errstate(all="ignore"):
        return PyArray_Pack(dtype, out, value)


cdef object _to_integer(double value, object dtype):
    """A float as the kernels convert it to an integer type: see astype."""
    bits = 8 * dtype.itemsize
    whole = int(value) if numpy.isfinite(value) else -2 ** 63
    if dtype.kind == "i":
        low = -2 ** (bits - 1)
        return whole if low <= whole < -low else low
    if not -2 ** 63 <= whole < 2 ** 63 and not (bits == 64 and 0 <= whole < 2 ** 64):
        whole = -2 ** 63
    return whole % 2 ** bits
