"""Compute follows data: where the result of several arrays lives, and of what type it is."""

from cython.operator cimport dereference
from usmtensor._copy cimport require_array
from usmtensor._dtypes cimport DTYPES, find_code, supported_code
from usmtensor._native cimport UsmKind, same_place
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray

import numpy

from usmtensor import _device
from usmtensor._errors import ExecutionPlacementError


cdef SyclQueue common_queue(list arrays, str function):
    """The first array's queue; the others have to be in its context, on its device."""
    cdef usm_ndarray first = arrays[0], x
    for x in arrays:
        require_place(first.queue, x, function)
    return first.queue


cdef SyclQueue asked_queue(str function, object device, object sycl_queue, tuple values):
    """The queue that keywords ask for; without them that of the arrays among some values."""
    arrays = [require_array(x, function) for x in values if isinstance(x, usm_ndarray)]
    if arrays and device is None and sycl_queue is None:
        return common_queue(arrays, function)
    return _device.normalize_queue(function, device, sycl_queue)


cdef int require_place(SyclQueue queue, usm_ndarray x, str function) except -1:
    """Whether an array is in a queue's context, on its device."""
    if x.queue is not queue \
            and not same_place(dereference(x.queue.ref), dereference(queue.ref)):
        raise ExecutionPlacementError(
            f"{function}: the arrays are on {_device.Device.create_device(queue)} and on "
            f"{x.device}; expected one device and context (to_device moves an array)")
    return 0


cdef UsmKind common_kind(list arrays):
    """The most device-like kind: device before shared before host."""
    cdef usm_ndarray first = arrays[0], x
    cdef UsmKind kind = first.memory.kind()
    for x in arrays:
        if <int>x.memory.kind() < <int>kind:
            kind = x.memory.kind()
    return kind


cdef int common_code(list arrays, str function) except -1:
    """The type that the arrays promote to, on the first one's device."""
    cdef usm_ndarray first = arrays[0], x
    for x in arrays:
        if x.code != first.code:
            break
    else:
        return first.code
    dtype = numpy.result_type(*[<object>DTYPES[x.code] for x in arrays])
    return supported_code(find_code(dtype), first.queue.ref.get())
