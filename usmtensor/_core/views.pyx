"""Views: arrays over the memory of another array, with other extents and strides."""

cimport numpy as np
from cpython.long cimport PyLong_AsLongLongAndOverflow
from cpython.number cimport PyIndex_Check
from cpython.object cimport PyObject
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector
from usmtensor._core.array cimport (
    WRITABLE, extents_tuple, finish, new_array, set_extents, usm_ndarray,
)
from usmtensor._native.libtensor cimport reshape_strides, share_with
from usmtensor._runtime.arguments cimport (
    as_int, integer, integers, plain_array, plain_number, short_repr, wrong_value,
)
from usmtensor._runtime.dtypes cimport U8, itemsizes
from usmtensor._runtime.queue cimport SyclQueue

import numpy
from numpy.exceptions import AxisError

cdef extern from "Python.h":
    ctypedef struct PySliceObject:
        PyObject *start
        PyObject *stop
        PyObject *step

    bint PyLong_Check(PyObject *)
    Py_ssize_t PyNumber_AsSsize_t(object, PyObject *) except? -1


cdef usm_ndarray same_memory(usm_ndarray x, int ndim):
    return new_array(x.memory_object(), x.queue, x.code, ndim)


cdef usm_ndarray _whole_view(usm_ndarray x, SyclQueue queue):
    """Return a view of all elements on a queue."""
    cdef usm_ndarray y = new_array(x.memory_object(), queue, x.code, x.rank)
    memcpy(y.extents, x.extents, 2 * x.rank * sizeof(int64_t))
    y.data = x.data
    y.bits = x.bits
    return y


cdef usm_ndarray as_plain(usm_ndarray x, SyclQueue queue=None):
    """Return x, or a view of it if x is on another queue or is an instance of a subclass.

    The attributes of a subclass, such as `shape`, may have any value.
    """
    if queue is None:
        queue = x.queue
    return x if type(x) is usm_ndarray and x.queue is queue else _whole_view(x, queue)


cdef usm_ndarray on_queue(usm_ndarray x, SyclQueue queue):
    """Return a view of all elements on another queue of the context."""
    cdef usm_ndarray y = _whole_view(x, queue)
    share_with(queue.ref, dereference(x.allocation))  # waits for work of another context
    return y


# Axes


cdef int _from_front(object axis, int ndim, str function, str argument) except -1:
    """Return the non-negative index of an axis."""
    cdef int overflow = 0
    cdef int64_t index = PyLong_AsLongLongAndOverflow(axis, &overflow)
    if overflow or not -ndim <= index < ndim:
        axis = max(min(axis, 2 ** 63), -2 ** 63)  # keeps the message short
        raise AxisError(axis, ndim, function if argument == "axis" else f"{function}: {argument}")
    return <int>(index + ndim if index < 0 else index)


cdef int axis_index(object axis, usm_ndarray x, str function, int added=0) except -1:
    """Return the non-negative index of an axis of x, as if x had `added` more axes."""
    return _from_front(integer(axis, function, "axis"), x.rank + added, function, "axis")


cdef int only_axis(usm_ndarray x, object axis, str function) except -1:
    """Return the non-negative index of an axis of x; None means the axis of a 1-D array."""
    if axis is not None:
        return axis_index(axis, x, function)
    if x.rank != 1:
        raise wrong_value(axis, function, "axis", f"one of the {x.rank} dimensions of x")
    return 0


cdef list axis_indices(object axes, usm_ndarray x, str function, str argument="axis",
                       int added=0):
    """Return the non-negative indices of one or several different axes of x.

    The axes are counted as if x had `added` more axes.
    """
    cdef int ndim = x.rank + added
    found = [_from_front(axis, ndim, function, argument)
             for axis in integers(axes, function, argument)]
    if len(set(found)) < len(found):
        raise ValueError(f"{function}: {argument} holds an axis twice")
    return found


# Indices


cdef bint _is_plain(object item) noexcept:
    """Return True if a slice has only ints and None, whose conversion runs no user code."""
    cdef PySliceObject *s = <PySliceObject *>item
    cdef PyObject *none = <PyObject *>None
    return (s.start == none or PyLong_Check(s.start)) and (s.stop == none or PyLong_Check(s.stop)) \
        and (s.step == none or PyLong_Check(s.step))


cdef object plain_index(object item):
    """Return a slice or an integer with plain ints instead of instances of subclasses."""
    cdef Py_ssize_t start, stop, step
    if type(item) is slice:
        if _is_plain(item):
            return item
        item = slice(*[plain_number(bound, "__getitem__")
                       for bound in (item.start, item.stop, item.step)])
        PySlice_Unpack(item, &start, &stop, &step)
        return slice(start, stop, step)
    if item is None or item is Ellipsis:
        return item
    try:
        return as_int(item)
    except TypeError:
        raise IndexError(f"index {item!r} is not an integer") from None


cdef usm_ndarray entry(usm_ndarray x, Py_ssize_t i):
    """Return x[i] for a non-negative index, the most frequent key; None if it is out of range."""
    cdef usm_ndarray y
    if x.rank == 0 or not 0 <= i < x.extents[0]:
        return None
    y = same_memory(x, x.rank - 1)
    memcpy(y.extents, x.extents + 1, y.rank * sizeof(int64_t))
    memcpy(y.strides_(), x.strides_() + 1, y.rank * sizeof(int64_t))
    finish(y, x.data + i * x.strides_()[0] * itemsizes[x.code], x.bits & WRITABLE)
    return y


cdef usm_ndarray basic_view(usm_ndarray x, object key):
    """Return x[key] for integers, slices, Ellipsis and None; None for other keys."""
    cdef tuple keys
    cdef int used = 0, added = 0, dropped = 0, rank, ndim, axis = 0, out = 0
    cdef bint has_ellipsis = False, is_plain = True
    cdef Py_ssize_t start, stop, step, i
    cdef int64_t *shape
    cdef int64_t *strides
    cdef const int64_t *strides_in
    cdef char *data
    cdef int size = itemsizes[x.code]
    cdef usm_ndarray y = entry(x, PyNumber_AsSsize_t(key, NULL)) if type(key) is int else None
    if y is not None:
        return y
    keys = <tuple>key if type(key) is tuple else (key,)
    for item in keys:
        if type(item) is int:
            used += 1
            dropped += 1
        elif item is None:
            added += 1
        elif item is Ellipsis:
            if has_ellipsis:
                raise IndexError("an index can hold only one Ellipsis ('...')")
            has_ellipsis = True
        elif type(item) is slice:
            used += 1
            is_plain &= _is_plain(item)
        elif is_integer(item):
            is_plain = False
        else:
            return None
    if not is_plain:  # user code in special methods runs before a view exists
        return basic_view(x, tuple([plain_index(item) for item in keys]))
    rank = x.rank
    if used > rank:
        raise IndexError(f"too many indices: {used} for an array of {rank} dimensions")
    ndim = rank - dropped + added
    y = same_memory(x, ndim)
    data = x.data
    strides_in = x.strides_()
    shape = y.extents
    strides = shape + ndim
    for item in keys:
        if item is None:
            shape[out] = 1
            strides[out] = 0
            out += 1
        elif item is Ellipsis:
            for _ in range(rank - used):
                shape[out] = x.extents[axis]
                strides[out] = strides_in[axis]
                out += 1
                axis += 1
        elif type(item) is slice:
            PySlice_Unpack(item, &start, &stop, &step)
            shape[out] = PySlice_AdjustIndices(x.extents[axis], &start, &stop, step)
            data += start * strides_in[axis] * size
            # The stride of an axis of at most one element has no effect; a product may overflow.
            strides[out] = strides_in[axis] * step if shape[out] > 1 else strides_in[axis]
            out += 1
            axis += 1
        else:
            i = PyNumber_AsSsize_t(item, NULL)  # larger integers saturate, which is out of range
            if i < -x.extents[axis] or i >= x.extents[axis]:
                raise IndexError(f"index {short_repr(item)} is out of bounds for axis {axis} of "
                                 f"size {x.extents[axis]}")
            if i < 0:
                i += x.extents[axis]
            data += i * strides_in[axis] * size
            axis += 1
    memcpy(shape + out, x.extents + axis, (rank - axis) * sizeof(int64_t))
    memcpy(strides + out, strides_in + axis, (rank - axis) * sizeof(int64_t))
    finish(y, data, x.bits & WRITABLE)
    return y


cdef usm_ndarray view_at(usm_ndarray x, int axis, object item):
    """Return x[:, ..., item] with `item` as the index of an axis."""
    return basic_view(x, (slice(None),) * axis + (item,))


cdef usm_ndarray part_at(usm_ndarray x, int axis, int64_t begin, int64_t count):
    """Return x[:, ..., begin:begin + count] for a valid range of an axis of a new array."""
    cdef usm_ndarray y = _whole_view(x, x.queue)
    y.extents[axis] = count
    finish(y, x.data + begin * y.strides_()[axis] * itemsizes[x.code] * (count != 0), True)
    return y


cdef bint is_integer(object item) except -1:
    """Return True if an item of a key is an integer or a 0-D array of an integer type."""
    if type(item) is int:
        return True
    if isinstance(item, usm_ndarray):
        return (<usm_ndarray>item).rank == 0 and 1 <= (<usm_ndarray>item).code <= U8
    if isinstance(item, np.ndarray):
        return np.PyArray_NDIM(item) == 0 and plain_array(item, "__getitem__").dtype.kind in "iu"
    return not isinstance(item, bool) and PyIndex_Check(plain_number(item, "__getitem__")) \
        and type(item) is not numpy.bool_ and not hasattr(item, "__sycl_usm_array_interface__")


cdef usm_ndarray reshape_view(usm_ndarray x, tuple shape, char order):
    """Return a view of another shape of equal size, or None if the strides do not allow it."""
    cdef usm_ndarray y = same_memory(x, len(shape))
    set_extents(y.extents, shape)
    if not reshape_strides(x.rank, x.extents, x.strides_(), y.rank, y.extents, order,
                           y.extents + y.rank):
        return None
    finish(y, x.data, x.bits & WRITABLE)
    return y


cdef usm_ndarray strided_view(usm_ndarray x, vector[int64_t] extents, vector[int64_t] strides):
    """Return a view with other extents and strides, which starts at the first element of x."""
    cdef int ndim = <int>extents.size()
    cdef usm_ndarray y = same_memory(x, ndim)
    memcpy(y.extents, extents.data(), ndim * sizeof(int64_t))
    memcpy(y.extents + ndim, strides.data(), ndim * sizeof(int64_t))
    finish(y, x.data, x.bits & WRITABLE)
    return y


cdef usm_ndarray permute_axes(usm_ndarray x, list axes):
    """Return a view of the listed axes in their order, at index 0 of all other axes."""
    return strided_view(x, [x.extents[<int>axis] for axis in axes],
                        [x.extents[x.rank + <int>axis] for axis in axes])


cdef usm_ndarray diagonal_view(usm_ndarray x, object offset):
    """Return a view of the diagonals of the last two axes, `offset` above the main diagonal."""
    cdef int last = x.rank - 1
    above = max(min(offset, x.extents[last]), -x.extents[last - 1])
    x = basic_view(x, (Ellipsis, slice(max(-above, 0), None), slice(max(above, 0), None)))
    extents, strides = list(x.shape), list(x.strides)
    extents[last - 1:] = [min(extents[last - 1:])]
    strides[last - 1:] = [sum(strides[last - 1:])]
    return strided_view(x, extents, strides)


cdef usm_ndarray swap_axes(usm_ndarray x, int first, int second):
    """Return a view with two axes swapped."""
    cdef int n = x.rank
    cdef usm_ndarray y = same_memory(x, n)
    memcpy(y.extents, x.extents, 2 * n * sizeof(int64_t))
    y.extents[first], y.extents[second] = x.extents[second], x.extents[first]
    y.extents[n + first], y.extents[n + second] = x.extents[n + second], x.extents[n + first]
    finish(y, x.data, x.bits & WRITABLE)
    return y


cdef int require_broadcast(int rank, const int64_t *own, int ndim, const int64_t *shape,
                           str function, bint to_fewer=False) except -1:
    """Raise a ValueError unless the shape `own` broadcasts to `shape`.

    With `to_fewer`, `own` may have more axes if the additional leading axes have extent 1.
    """
    cdef int axis, shift = ndim - rank
    cdef bint fits = shift >= 0 or to_fewer
    for axis in range(rank):
        fits &= own[axis] == 1 or axis + shift >= 0 and own[axis] == shape[axis + shift]
    if not fits:
        raise ValueError(f"{function}: cannot broadcast an array of shape "
                         f"{extents_tuple(rank, own)} to shape {extents_tuple(ndim, shape)}")
    return 0


cdef usm_ndarray broadcast_view(usm_ndarray x, int ndim, const int64_t *shape, str function,
                                bint to_fewer=False):
    """Return a view of x broadcast to a shape: axes of extent 1 are repeated with stride 0."""
    cdef usm_ndarray y = same_memory(x, ndim)
    cdef int axis, shift = ndim - x.rank
    require_broadcast(x.rank, x.extents, ndim, shape, function, to_fewer)
    for axis in range(ndim):
        y.extents[axis] = shape[axis]
        y.extents[ndim + axis] = 0 if axis < shift or x.extents[axis - shift] == 1 \
            else x.extents[x.rank + axis - shift]
    finish(y, x.data, False)
    return y
