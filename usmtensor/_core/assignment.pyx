"""Assignment `x[...] = value` of numbers, arrays and objects that asarray accepts."""

cimport numpy as np
from libc.stdint cimport int64_t
from usmtensor._core.array cimport C_CONTIGUOUS, allocate_array, same_shape, usm_ndarray
from usmtensor._core.copy cimport as_array, copy_content, copy_into, fill_array, upload
from usmtensor._core.operands cimport (
    ARRAY, NUMPY_SCALAR, OperandKind, PYTHON_BOOL, UNKNOWN, plain_value,
)
from usmtensor._core.views cimport broadcast_view, require_broadcast
from usmtensor._native.libtensor cimport UsmKind
from usmtensor._runtime.arguments cimport wrong_type
from usmtensor._runtime.dtypes cimport DTYPES

from usmtensor._core.array import bodies


cpdef usm_ndarray assign(usm_ndarray destination, object value, str function="__setitem__"):
    """Assign `destination[...] = value`, broadcast and converted, and return the destination."""
    cdef usm_ndarray source
    cdef OperandKind kind
    value = plain_value(value, &kind, function)
    if _is_number(value, kind):
        return fill_array(destination, value, function)
    if isinstance(value, np.ndarray):
        if _assign_directly(destination, value):
            return destination
        require_broadcast(np.PyArray_NDIM(value), <const int64_t *>np.PyArray_DIMS(value),
                          destination.rank, destination.extents, function, True)
    source = _array_of(value, kind, destination, function)
    if not same_shape(source, destination.rank, destination.extents):
        source = broadcast_view(source, destination.rank, destination.extents, function, True)
    copy_into(source, destination)
    return destination


cdef usm_ndarray assign_value(usm_ndarray destination, object value):
    """Implement `x[...] = value`."""
    return assign(destination, value)


cdef usm_ndarray converted_value(object value, usm_ndarray destination, str function):
    """Return a value as an array with the type and the queue of the destination."""
    cdef OperandKind kind
    value = plain_value(value, &kind, function)
    if _is_number(value, kind):
        return fill_array(allocate_array(destination.queue, UsmKind.device, destination.code, 0,
                                         NULL, b"C"), value, function)
    return as_array(_array_of(value, kind, destination, function), destination.code, b"K",
                    destination.queue, None, None)


cdef bint _is_number(object value, OperandKind kind):
    """Return True if a value is a number. NumPy scalars of any type are numbers."""
    return PYTHON_BOOL <= kind <= NUMPY_SCALAR or isinstance(value, np.generic)


cdef usm_ndarray _array_of(object value, OperandKind kind, usm_ndarray destination, str function):
    """Return the array for a value that is not a number."""
    if kind == ARRAY:
        return value
    if kind != UNKNOWN:
        return upload(value, destination.queue, "device", function)
    if isinstance(value, (str, bytes)):
        raise wrong_type(value, function, "value", "numbers")
    return bodies.from_anything(value, destination, function)


cdef bint _assign_directly(usm_ndarray destination, object value) except -1:
    """Copy a host array of equal layout in one step. Return False if the layouts differ."""
    if (value.dtype.num != DTYPES[destination.code].num or not value.dtype.isnative
            or not destination.bits & C_CONTIGUOUS or not value.flags.c_contiguous
            or value.shape != destination.shape):
        return False
    copy_content(value, destination)
    return True
