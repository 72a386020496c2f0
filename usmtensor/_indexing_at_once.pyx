"""Selections of few elements, which the host makes at once: `x[ind]`, `x[:, mask]`, `x[i, j]`."""

from cpython.long cimport PyLong_AsLongLongAndOverflow
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from usmtensor._dtypes cimport BOOL, I8
from usmtensor._native cimport (
    Allocation, DType, Places, UsmKind, View, count_at_once, gather_at_once, may_overlap,
    scatter_at_once,
)
from usmtensor._usmarray cimport C_CONTIGUOUS, allocate_array, same_shape, usm_ndarray

cdef enum:
    MOST_AXES = 8          # of Places
    MOST_ELEMENTS = 65536  # more take too long to be made at once


# Sizes are copies, because another thread may set the shapes of the arrays meanwhile.
cdef struct Index:
    int rank
    int64_t[MOST_AXES] shape, strides
    int64_t number  # in place of an array

cdef struct Selection:
    View x
    int64_t[2 * MOST_AXES] extents  # of x, then its strides
    Places places
    View[MOST_AXES] views           # of the indices, which broadcast to one shape
    Index[MOST_AXES] indices
    UsmKind kind                    # of the result
    int rank, index_rank
    int64_t[MOST_AXES] shape, index_shape


cdef void _begin(Selection *s, usm_ndarray x) noexcept:
    memcpy(s.extents, x.extents, 2 * x.rank * sizeof(int64_t))
    s.x = x.view()
    s.x.shape, s.x.strides = s.extents, s.extents + x.rank
    s.kind = x.memory.kind()
    s.places.axes = s.index_rank = 0
    s.places.indices = s.views


cdef bint _add(Selection *s, usm_ndarray x, usm_ndarray index) noexcept:
    """Another index. False for one of another place, type or order."""
    cdef Index *copy = &s.indices[s.places.axes]
    if (index.code != I8 and index.code != BOOL or index.queue is not x.queue
            or not index.bits & C_CONTIGUOUS or index.rank > MOST_AXES):
        return False
    s.views[s.places.axes] = index.view()
    copy.rank = index.rank
    memcpy(copy.shape, index.extents, index.rank * sizeof(int64_t))
    s.index_rank = max(s.index_rank, index.rank)
    s.kind = min(s.kind, index.memory.kind())
    s.places.axes += 1
    return True


cdef bint _add_number(Selection *s, object number) except -1:
    """An integer beside indices."""
    cdef int overflow = 0
    cdef Index *index = &s.indices[s.places.axes]
    cdef View *view = &s.views[s.places.axes]
    index.number = PyLong_AsLongLongAndOverflow(number, &overflow)
    index.rank = 0
    view.data, view.dtype, view.memory = <char *>&index.number, <DType>I8, <const Allocation *>NULL
    s.places.axes += 1
    return not overflow


cdef bint _is_whole(object item):
    """Whether a slice has all elements."""
    cdef slice part
    if type(item) is not slice:
        return False
    part = item
    return part.start is None and part.stop is None and part.step is None


cdef bint _take_key(Selection *s, usm_ndarray x, object key) except -1:
    """Takes a key apart that has a mask, or indices side by side, and otherwise slices of whole
    axes. False for other keys."""
    cdef bint has_ellipsis = False, closed = False
    cdef int k, count, axis = 0
    cdef usm_ndarray index = None
    cdef tuple items = key if type(key) is tuple else (key,)
    count = <int>len(items)
    if not 0 < x.rank <= MOST_AXES or count > x.rank + 1:
        return False
    _begin(s, x)
    for k in range(count):
        item = items[k]
        if isinstance(item, usm_ndarray) or type(item) is int:
            if s.places.axes == 0:
                s.places.axis = axis
            if closed or axis >= x.rank:
                return False
            if type(item) is int:
                axis += 1
                if not _add_number(s, item):
                    return False
                continue
            index = item
            closed = index.code == BOOL
            if closed and s.places.axes > 0 or not _add(s, x, index):
                return False
            axis += index.rank if closed else 1
            continue
        closed = s.places.axes > 0
        if item is Ellipsis:
            if has_ellipsis or axis != k:  # a mask of several axes came before
                return False
            has_ellipsis = True
            axis += x.rank - count + 1
        elif _is_whole(item):
            axis += 1
        else:
            return False
    return index is not None and axis <= x.rank


cdef bint _merge_axes(Selection *s) noexcept:
    """Makes the axes under a mask one axis. False if they do not fit, or if it is the only one."""
    cdef Index *mask = s.indices
    cdef int axis = s.places.axis, merged = mask.rank - 1, k
    cdef int64_t *shape = s.extents + axis
    cdef int64_t *strides = shape + s.x.ndim
    if merged < 0 or merged == s.x.ndim - 1 or axis + merged >= s.x.ndim:
        return False
    for k in range(mask.rank):
        if shape[k] != mask.shape[k] or k < merged and (
                strides[k] != shape[k + 1] * strides[k + 1]):
            return False
    s.x.ndim -= merged
    for k in range(s.x.ndim - axis):
        shape[k], strides[k] = shape[k + merged], strides[k + merged]
    mask.shape[0] = shape[0] = s.places.count
    mask.rank = s.index_rank = 1
    return True


cdef bint _broadcast(Selection *s) noexcept:
    """Gives the indices one shape. False if they do not broadcast."""
    cdef Index *index
    cdef int64_t stride
    cdef int k, axis, missing
    for axis in range(s.index_rank):
        s.index_shape[axis] = 1
    for k in range(s.places.axes):
        index = &s.indices[k]
        missing, stride = s.index_rank - index.rank, 1
        for axis in range(s.index_rank - 1, -1, -1):
            if axis < missing or index.shape[axis - missing] == 1:
                index.strides[axis] = 0
                continue
            if s.index_shape[axis] not in (1, index.shape[axis - missing]):
                return False
            s.index_shape[axis] = index.shape[axis - missing]
            index.strides[axis] = stride
            stride *= s.index_shape[axis]
        s.views[k].ndim, s.views[k].shape = s.index_rank, s.index_shape
        s.views[k].strides = index.strides
    return True


cdef int64_t _count(int rank, const int64_t *shape) noexcept:
    """The number of elements, or too many."""
    cdef int64_t count = 1
    cdef int axis
    for axis in range(rank):
        if count <= MOST_ELEMENTS:
            count *= shape[axis]
    return count


cdef bint _finish(Selection *s, usm_ndarray x) except -1:
    """Sets the number of places and the shape of the selection. False for too many elements."""
    cdef bint is_mask = s.views[0].dtype == <DType>BOOL
    cdef int axis = s.places.axis, rest = axis + s.places.axes, inner
    if is_mask:
        s.places.count = _count(s.index_rank, s.indices[0].shape)
        if s.places.count > MOST_ELEMENTS or not _merge_axes(s):
            return False
    if not _broadcast(s):
        return False
    s.places.count = count_at_once(x.queue.ref, s.views[0]) if is_mask else \
        _count(s.index_rank, s.index_shape)
    inner = s.x.ndim - rest
    s.rank = axis + s.index_rank + inner
    if not 0 <= s.places.count <= MOST_ELEMENTS or s.rank > MOST_AXES:
        return False
    memcpy(s.shape, s.extents, axis * sizeof(int64_t))
    memcpy(s.shape + axis, &s.places.count if is_mask else s.index_shape,
           s.index_rank * sizeof(int64_t))
    memcpy(s.shape + axis + s.index_rank, s.extents + rest, inner * sizeof(int64_t))
    return _count(s.rank, s.shape) <= MOST_ELEMENTS


cdef usm_ndarray _gathered(Selection *s, usm_ndarray x):
    cdef usm_ndarray out = allocate_array(x.queue, s.kind, x.code, s.rank, s.shape, b"C")
    return out if gather_at_once(x.queue.ref, s.x, s.places, out.view()) else None


cdef usm_ndarray selected_at_once(usm_ndarray x, object key):
    """x[key]. None if it would wait or take long, if a position is out of range, or if the key has
    another form."""
    cdef Selection s
    return _gathered(&s, x) if _take_key(&s, x, key) and _finish(&s, x) else None


cdef usm_ndarray taken_at_once(usm_ndarray x, usm_ndarray index, object axis):
    """The elements of x at positions along an axis, or along the only one. None as for
    selected_at_once()."""
    cdef Selection s
    cdef int along = 0
    if type(axis) is int and -x.rank <= axis < x.rank:
        along = axis
    elif axis is not None or x.rank != 1:
        return None
    if not 0 < x.rank <= MOST_AXES or index.code != I8:
        return None
    _begin(&s, x)
    s.places.axis = along + x.rank if along < 0 else along
    return _gathered(&s, x) if _add(&s, x, index) and _finish(&s, x) else None


cdef bint set_at_once(usm_ndarray x, object key, usm_ndarray values) except -1:
    """x[key] = values of the array's type: one, or as many in C order. False where
    selected_at_once() returns None."""
    cdef Selection s
    cdef int k
    if values.queue is not x.queue or not (_take_key(&s, x, key) and _finish(&s, x)):
        return False
    if values.rank and not (values.bits & C_CONTIGUOUS and same_shape(values, s.rank, s.shape)):
        return False
    for k in range(s.places.axes):
        if s.views[k].memory != NULL and may_overlap(s.x, s.views[k]):
            return False
    return not may_overlap(s.x, values.view()) and scatter_at_once(
        x.queue.ref, s.x, s.places, values.view())
