"""Views: arrays over the memory of another, under other extents and strides."""

from cpython.object cimport PyObject
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from usmtensor._dtypes cimport DTYPES, itemsizes
from usmtensor._keywords cimport shown
from usmtensor._native cimport reshape_strides, share_with
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport (
    WRITABLE, extents_tuple, finish, new_array, set_extents, usm_ndarray,
)

import operator

import numpy

cdef extern from "Python.h":
    bint PyIndex_Check(object)
    Py_ssize_t PyNumber_AsSsize_t(object, PyObject *) except? -1


cdef usm_ndarray _same_memory(usm_ndarray x, int ndim):
    return new_array(x.memory, x.queue, x.code, ndim)


cdef usm_ndarray on_queue(usm_ndarray x, SyclQueue queue):
    """The same view, associated with another queue of the same context."""
    cdef usm_ndarray y = new_array(x.memory, queue, x.code, x.rank)
    with nogil:  # work of another context is waited for
        share_with(queue.ref, dereference(x.memory.ref))
    memcpy(y.extents, x.extents, 2 * x.rank * sizeof(int64_t))
    y.data = x.data
    y.bits = x.bits
    return y


cdef usm_ndarray basic_view(usm_ndarray x, object key):
    """x[key] for integers, slices, Ellipsis and None; None where there is anything else in it."""
    cdef tuple keys = <tuple>key if type(key) is tuple else (key,)
    cdef int used = 0, added = 0, dropped = 0, ndim, axis = 0, out = 0
    cdef bint has_ellipsis = False
    cdef Py_ssize_t start, stop, step, i
    cdef int64_t *shape
    cdef int64_t *strides
    cdef const int64_t *strides_in = x.strides_()
    cdef char *data = x.data
    cdef int size = itemsizes[x.code]
    cdef usm_ndarray y
    for item in keys:
        if item is None:
            added += 1
        elif item is Ellipsis:
            if has_ellipsis:
                raise IndexError("an index can hold only one Ellipsis ('...')")
            has_ellipsis = True
        elif type(item) is slice:
            used += 1
        elif is_integer(item):
            used += 1
            dropped += 1
        else:
            return None
    if used > x.rank:
        raise IndexError(f"too many indices: {used} for an array of {x.rank} dimensions")
    ndim = x.rank - dropped + added
    y = _same_memory(x, ndim)
    shape = y.extents
    strides = shape + ndim
    for item in keys:
        if item is None:
            shape[out] = 1
            strides[out] = 0
            out += 1
        elif item is Ellipsis:
            for _ in range(x.rank - used):
                shape[out] = x.extents[axis]
                strides[out] = strides_in[axis]
                out += 1
                axis += 1
        elif type(item) is slice:
            PySlice_Unpack(item, &start, &stop, &step)
            shape[out] = PySlice_AdjustIndices(x.extents[axis], &start, &stop, step)
            data += start * strides_in[axis] * size
            # Of one element at the most no second one is ever addressed: do not overflow.
            strides[out] = strides_in[axis] * step if shape[out] > 1 else strides_in[axis]
            out += 1
            axis += 1
        else:
            try:
                i = PyNumber_AsSsize_t(item, NULL)  # the nearest, for one of more bits
            except TypeError:
                raise IndexError(f"index {item!r} is not an integer") from None
            if i < -x.extents[axis] or i >= x.extents[axis]:
                raise IndexError(f"index {shown(operator.index(item))} is out of bounds for axis "
                                 f"{axis} of size {x.extents[axis]}")
            if i < 0:
                i += x.extents[axis]
            data += i * strides_in[axis] * size
            axis += 1
    while axis < x.rank:
        shape[out] = x.extents[axis]
        strides[out] = strides_in[axis]
        out += 1
        axis += 1
    finish(y, data, x.bits & WRITABLE)
    return y


cdef bint is_integer(object item):
    if type(item) is int:
        return True
    if isinstance(item, usm_ndarray):
        return (<usm_ndarray>item).rank == 0 and DTYPES[(<usm_ndarray>item).code].kind in "iu"
    return PyIndex_Check(item) and not isinstance(item, (bool, numpy.bool_, numpy.ndarray)) \
        or isinstance(item, numpy.ndarray) and item.ndim == 0 and item.dtype.kind in "iu"


cdef usm_ndarray reshaped(usm_ndarray x, tuple shape, char order):
    """A view of another shape of equal size, None where the strides do not allow one."""
    cdef usm_ndarray y = _same_memory(x, len(shape))
    set_extents(y.extents, shape)
    if not reshape_strides(x.rank, x.extents, x.strides_(), y.rank, y.extents, order,
                           y.extents + y.rank):
        return None
    finish(y, x.data, x.bits & WRITABLE)
    return y


cdef usm_ndarray arranged(usm_ndarray x, list extents, list strides):
    """A view of other extents and strides from the same first element on."""
    cdef usm_ndarray y = _same_memory(x, len(extents))
    set_extents(y.extents, extents)
    set_extents(y.extents + y.rank, strides)
    finish(y, x.data, x.bits & WRITABLE)
    return y


cdef usm_ndarray exchanged(usm_ndarray x, int first, int second):
    """A view with two axes exchanged."""
    cdef int n = x.rank
    cdef usm_ndarray y = _same_memory(x, n)
    memcpy(y.extents, x.extents, 2 * n * sizeof(int64_t))
    y.extents[first], y.extents[second] = x.extents[second], x.extents[first]
    y.extents[n + first], y.extents[n + second] = x.extents[n + second], x.extents[n + first]
    finish(y, x.data, x.bits & WRITABLE)
    return y


cdef usm_ndarray broadcast_view(usm_ndarray x, int ndim, const int64_t *shape, str function):
    """x as if it had the given shape: extents of one are repeated by strides of zero."""
    cdef int shift = ndim - x.rank, axis
    cdef int64_t extent
    cdef usm_ndarray y
    # Leading axes of one element may go where the target has fewer.
    cdef int skip = 0
    while shift + skip < 0 and x.extents[skip] == 1:
        skip += 1
    shift += skip
    if shift >= 0:
        y = _same_memory(x, ndim)
        for axis in range(ndim):
            extent = x.extents[axis - shift + skip] if axis >= shift else 1
            if extent != shape[axis] and extent != 1:
                break
            y.extents[axis] = shape[axis]
            y.extents[ndim + axis] = (
                0 if extent == 1 else x.extents[x.rank + axis - shift + skip])
        else:
            finish(y, x.data, False)
            return y
    raise ValueError(f"{function}: cannot broadcast an array of shape {x.shape} to shape "
                     f"{extents_tuple(ndim, shape)}")
