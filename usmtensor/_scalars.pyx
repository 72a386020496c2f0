"""Python scalars as elements of an array, and back."""

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from usmtensor._dtypes cimport BOOL, C8, DTYPES, F4, F8, I4, I8, itemsizes

import numpy

cdef extern from "Python.h":
    int64_t PyLong_AsLongLongAndOverflow(object, int *) except? -1


cdef object to_python(const char *p, int code):
    if code == 0:
        return p[0] != 0
    if code == 1:
        return (<signed char *>p)[0]
    if code == 2:
        return (<unsigned char *>p)[0]
    if code == 3:
        return (<short *>p)[0]
    if code == 4:
        return (<unsigned short *>p)[0]
    if code == 5:
        return (<int *>p)[0]
    if code == 6:
        return (<unsigned int *>p)[0]
    if code == 7:
        return (<int64_t *>p)[0]
    if code == 8:
        return (<unsigned long *>p)[0]
    if code == 9:
        return numpy.frombuffer(p[:2], "float16")[0].item()
    if code == 10:
        return <double>(<float *>p)[0]
    if code == 11:
        return (<double *>p)[0]
    if code == 12:
        return complex((<float *>p)[0], (<float *>p)[1])
    return complex((<double *>p)[0], (<double *>p)[1])


cdef int from_python(object value, int code, char *out) except -1:
    """Writes a Python or NumPy scalar as one element of a type.

    Python integers that do not fit raise OverflowError, Python complex numbers do not become real
    (TypeError), as in NumPy.
    """
    cdef double real
    cdef int64_t number
    cdef int overflow = 0
    cdef bytes content
    if type(value) is float:
        real = value
        if code == F8:
            (<double *>out)[0] = real
            return 0
        if code == F4:
            (<float *>out)[0] = <float>real
            return 0
    elif type(value) is int:
        number = PyLong_AsLongLongAndOverflow(value, &overflow)
        if not overflow:
            if code == I8:
                (<int64_t *>out)[0] = number
                return 0
            if code == I4 and -2 ** 31 <= number < 2 ** 31:
                (<int *>out)[0] = number
                return 0
            if -2 ** 53 <= number <= 2 ** 53:  # a double holds it
                if code == F8:
                    (<double *>out)[0] = number
                    return 0
                if code == F4:
                    (<float *>out)[0] = <float><double>number
                    return 0
    dtype = <object>DTYPES[code]
    if isinstance(value, (numpy.generic, numpy.ndarray)):
        if value.dtype.kind not in "biufc":
            raise TypeError(f"cannot assign a value of type {value.dtype} to an array of {dtype}")
        if value.dtype.kind == "c" and code < C8:
            value = value.real
        value = value[()]
    if 1 <= code <= I8 + 1 and isinstance(value, (float, numpy.floating)):
        value = _to_integer(float(value), dtype)
    with numpy.errstate(all="ignore"):
        if isinstance(value, numpy.generic):
            converted = value.astype(dtype)
        else:
            if isinstance(value, complex) and code < C8 and code != BOOL:
                raise TypeError(f"cannot assign the complex number {value!r} to an array of "
                                f"{dtype}")
            converted = numpy.array(value, dtype=dtype)
    content = converted.tobytes()
    memcpy(out, PyBytes_AS_STRING(content), itemsizes[code])
    return 0


cdef object _to_integer(double value, object dtype):
    """A float as the kernels convert it to an integer type: see astype."""
    bits = 8 * dtype.itemsize
    if not numpy.isfinite(value):
        whole = -2 ** 63
    else:
        whole = int(value)
    if dtype.kind == "i":
        low = -2 ** (bits - 1)
        return whole if low <= whole < -low else low
    if not -2 ** 63 <= whole < 2 ** 63 and not (bits == 64 and 0 <= whole < 2 ** 64):
        whole = -2 ** 63
    return whole % 2 ** bits
