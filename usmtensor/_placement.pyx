"""Compute follows data: where the result of several arrays lives, and of what type it is."""

from cython.operator cimport dereference
from usmtensor._dtypes cimport DTYPES, find_code, supported_code
from usmtensor._native cimport UsmKind, same_place
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray

import numpy

from usmtensor._errors import ExecutionPlacementError


cdef SyclQueue common_queue(list arrays, str function):
    """The first array's queue; the others have to be in its context, on its device."""
    cdef usm_ndarray first = arrays[0], x
    for x in arrays:
        if x.queue is not first.queue \
                and not same_place(dereference(x.queue.ref), dereference(first.queue.ref)):
            raise ExecutionPlacementError(
                f"{function}: the arrays are on {first.device} and on {x.device}; expected one "
                "device and context (to_device moves an array)")
    return first.queue


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
