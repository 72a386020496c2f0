"""Elements selected by arrays of positions and by masks: `x[ind]`, `take`, `put`, `nonzero`."""

cimport numpy as np
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._assignment cimport converted_value
from usmtensor._copy cimport copied, copy_into, dense, flattened, upload
from usmtensor._dtypes cimport BOOL, I4, I8, U8
from usmtensor._indexing_at_once cimport selected_at_once, set_at_once, taken_at_once
from usmtensor._keywords cimport extents_of, integer, require, shown, wrong_value
from usmtensor._native cimport (
    IndexedAxis, TrueCount, UsmKind, add_digits, add_offsets, checked_gather, compress, count_true,
    find_outside, gather, gather_checks, may_overlap, place as place_values, scatter,
    true_positions,
)
from usmtensor._operands cimport (
    ARRAY, OperandKind, UNKNOWN, broadcast_shape, check_out, common_kind, common_queue,
    plain_sequence, plain_value, require_place,
)
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport (
    C_CONTIGUOUS, allocate_shape, element, require_array, require_writable,
    same_shape, usm_ndarray,
)
from usmtensor._views cimport (
    axis_index, basic_view, broadcast_view, is_integer, own_view, permuted, plain_index, reshaped,
    strided_view,
)

import math

import numpy

from usmtensor._creation import asarray

__all__ = ["extract", "nonzero", "place", "put", "put_along_axis", "take", "take_along_axis"]

cdef enum:
    WRAP
    CLIP
    RAISE
    RAISE_LATER  # the caller checks an array of the device

cdef dict _MODES = {"wrap": WRAP, "clip": CLIP, "raise": RAISE}


cdef usm_ndarray _disjoint(usm_ndarray x, usm_ndarray y):
    """An array to be read while y is written: a copy if both share memory."""
    return copied(x, x.code, b"C", y.queue, None) if may_overlap(x.view(), y.view()) else x


# Positions


cdef class _Selection:
    """Elements of an array, as the kernels take them."""
    cdef usm_ndarray base   # of the shape of the selection; strides of 0 along the index' axes
    cdef usm_ndarray index  # int64, of that shape; strides of 0 along the other axes
    cdef IndexedAxis axis
    cdef bint unique        # no element comes twice
    cdef list operands      # the array, and the index if it is an array of the device


cdef object _outside(object value, object axis, object extent):
    return IndexError(f"index {shown(int(value))} is out of bounds for axis {axis} of size "
                      f"{extent}")


cdef usm_ndarray _checked(object index, SyclQueue queue, int64_t extent, object axis, int mode,
                          str function):
    """An index array as one of the device; one of NumPy is checked on the host, and copied."""
    cdef usm_ndarray array = index if isinstance(index, usm_ndarray) else None
    cdef int64_t k, count
    cdef const int64_t *positions
    if extent == 0 and mode < RAISE and index.size:
        raise IndexError(f"{function}: axis {axis} of size 0 has no element to index")
    if array is not None:
        require_place(queue, array, function)
        if mode == RAISE:
            _require_inside(array, extent, axis)
        return array
    given = index
    if index.dtype.kind == "O":  # an integer of more than 64 bits
        index = min(max(int(index), -2 ** 63), 2 ** 63 - 1)
    elif index.dtype.kind == "u":
        index = numpy.minimum(index, numpy.uint64(2 ** 63 - 1))
    index = numpy.asarray(index, numpy.int64, "C")
    if mode >= RAISE:
        positions, count = <const int64_t *>np.PyArray_DATA(index), np.PyArray_SIZE(index)
        for k in range(count):
            if not -extent <= positions[k] < extent:
                raise _outside(given.flat[k], axis, extent)
    return upload(index, queue, "device", function)


cdef IndexedAxis _indexed(int64_t extent, int64_t stride, int mode) noexcept:
    cdef IndexedAxis axis
    axis.shift = 0 if mode == CLIP else extent
    axis.low = 0
    axis.high = extent - 1
    axis.stride = stride
    return axis


cdef int _require_inside(usm_ndarray index, int64_t extent, object axis) except -1:
    """IndexError for an index array of the device that leaves an axis; waits."""
    cdef usm_ndarray flat = dense(index, I8)
    cdef bint is_unsigned = index.code == U8
    cdef int64_t place = find_outside(flat.queue.ref, flat.view(), extent, is_unsigned)
    if place < 0:
        return 0
    value = element(basic_view(reshaped(flat, (flat.count(),), b"C"), place))
    raise _outside(value % 2 ** 64 if is_unsigned else value, axis, extent)


cdef _Selection _selection(usm_ndarray y, list axes, int place, usm_ndarray index,
                          IndexedAxis axis):
    """An index in place of axes of y; its own are at `place` of the result."""
    cdef _Selection s = _Selection()
    cdef int k, n = index.rank
    cdef vector[int64_t] extents, along, within  # strides along the axes of y, within the index
    for k in range(y.rank):
        if k not in axes:
            extents.push_back(y.extents[k])
            along.push_back(y.extents[y.rank + k])
    within.resize(along.size())
    extents.insert(extents.begin() + place, index.extents, index.extents + n)
    within.insert(within.begin() + place, index.strides_(), index.strides_() + n)
    along.insert(along.begin() + place, n, 0)
    s.base = strided_view(y, extents, along)
    s.index = strided_view(index, extents, within)
    s.axis = axis
    s.unique = False
    return s


cdef IndexedAxis _offsets_along(usm_ndarray y, list axes):
    """The axis of all offsets that positions on several axes make."""
    cdef IndexedAxis axis
    cdef int64_t reach
    cdef int k
    axis.shift = axis.low = axis.high = 0
    axis.stride = 1
    for k in axes:
        reach = (y.extents[k] - 1) * y.extents[y.rank + k] if y.extents[k] else 0
        if reach < 0:
            axis.low += reach
        else:
            axis.high += reach
    return axis


cdef _Selection _at_positions(usm_ndarray y, list axes, list arrays, list numbers, int place,
                              int mode, bint writes, str function):
    """Index arrays, of the host or the device, for axes that messages call by `numbers`."""
    cdef usm_ndarray index, offsets
    cdef SyclQueue queue = y.queue
    cdef IndexedAxis along
    cdef int axis = axes[0]
    cdef bint first = True, is_unsigned
    if len(axes) == 1:
        index = _checked(arrays[0], queue, y.extents[axis], numbers[0], mode, function)
        if index.code != U8 or mode >= RAISE:
            index = dense(index, I4 if index.code == I4 and not writes else I8)
            return _selection(y, axes, place, index,
                              _indexed(y.extents[axis], y.extents[y.rank + axis], mode))
    try:
        shape = broadcast_shape([array.shape for array in arrays], function)
    except ValueError as error:
        raise IndexError(str(error)) from None
    offsets = allocate_shape(queue, UsmKind.device, I8, shape)
    for axis, array, number in zip(axes, arrays, numbers):
        index = _checked(array, queue, y.extents[axis], number, mode, function)
        is_unsigned = index.code == U8
        index = dense(broadcast_view(index, offsets.rank, offsets.extents, function), I8)
        along = _indexed(y.extents[axis], y.extents[y.rank + axis], mode)
        add_offsets(queue.ref, index.view(), along, is_unsigned, first, offsets.view())
        first = False
    return _selection(y, axes, place, offsets, _offsets_along(y, axes))


cdef usm_ndarray _gathered(_Selection s, UsmKind kind, usm_ndarray out=None):
    """The selected elements, in `out` or a new array."""
    cdef usm_ndarray target, x
    cdef bint is_new = out is None
    if out is not None:
        for x in s.operands:
            is_new |= may_overlap(x.view(), out.view())
    target = allocate_shape(s.base.queue, kind, s.base.code, s.base.shape) if is_new else out
    gather(target.queue.ref, s.base.view(), s.axis, s.index.view(), target.view())
    if is_new and out is not None:
        copy_into(target, out)
    return target if out is None else out


cdef usm_ndarray _gathered_inside(usm_ndarray y, list axes, list arrays, list numbers, int place,
                                  UsmKind kind):
    """The elements at positions, of which none may be out of range."""
    cdef usm_ndarray index = None, out
    cdef int64_t extent = y.extents[<int>axes[0]]
    cdef _Selection s
    if len(axes) == 1 and isinstance(arrays[0], usm_ndarray):
        index = arrays[0]
    if index is None or index.code == U8 or y.count() == 0 or not gather_checks(y.queue.ref):
        s = _at_positions(y, axes, arrays, numbers, place, RAISE, False, "__getitem__")
        return _gathered(s, kind)
    s = _at_positions(y, axes, arrays, numbers, place, RAISE_LATER, False, "__getitem__")
    out = allocate_shape(s.base.queue, kind, s.base.code, s.base.shape)
    if not checked_gather(out.queue.ref, s.base.view(), s.axis, s.index.view(), out.view()):
        _require_inside(index, extent, numbers[0])
    return out


cdef int _scatter(_Selection s, usm_ndarray y, usm_ndarray values, str function) except -1:
    """Sets the selected elements of y to values of its type, which broadcast."""
    s.index = _disjoint(s.index, y)
    values = broadcast_view(_disjoint(values, y), s.base.rank, s.base.extents, function, True)
    scatter(y.queue.ref, s.base.view(), s.axis, s.index.view(), values.view(), s.unique)
    return 0


# Masks


cdef usm_ndarray _flat_view(usm_ndarray y, list axes):
    """Axes of y alone, as one; None if their strides do not allow it."""
    cdef usm_ndarray z = permuted(y, axes)
    return reshaped(z, (z.count(),), b"C")


cdef usm_ndarray _positions(usm_ndarray mask, const TrueCount &found, SyclQueue queue):
    cdef usm_ndarray out = allocate_shape(queue, UsmKind.device, I8, (found.count,))
    true_positions(queue.ref, mask.view(), found, out.view())
    return out


cdef TrueCount _count(usm_ndarray mask):
    return count_true(mask.queue.ref, mask.view(), False)  # waits


cdef _Selection _at_mask(usm_ndarray y, list axes, usm_ndarray mask, const TrueCount &found,
                         int place):
    """The elements of some axes where a contiguous mask of their shape is true."""
    cdef usm_ndarray index = _positions(mask, found, y.queue), line = _flat_view(y, axes), offsets
    cdef _Selection s
    if line is not None:
        s = _selection(y, axes, place, index, _indexed(line.extents[0], line.extents[1], WRAP))
    else:
        offsets, = _digits(index, [y.extents[<int>k] for k in axes],
                           [y.extents[y.rank + <int>k] for k in axes])
        s = _selection(y, axes, place, offsets, _offsets_along(y, axes))
    s.unique = True
    return s


cdef usm_ndarray _compressed(usm_ndarray line, usm_ndarray mask, UsmKind kind):
    """The elements of a 1-d array where a mask is true."""
    cdef TrueCount found = _count(mask)
    cdef usm_ndarray out = allocate_shape(line.queue, kind, line.code, (found.count,))
    compress(line.queue.ref, line.view(), mask.view(), found, out.view())
    return out


cdef usm_ndarray _line_under(usm_ndarray x, usm_ndarray mask):
    """All elements of x in C order, if the key is a contiguous mask of them: most masks."""
    cdef usm_ndarray line
    if (mask.code != BOOL or mask.queue is not x.queue or not mask.bits & C_CONTIGUOUS
            or x.rank != 1 and not x.bits & C_CONTIGUOUS):
        return None
    line = own_view(x)  # its shape does not change
    if not same_shape(line, mask.rank, mask.extents):
        return None
    return line if line.rank == 1 else reshaped(line, (line.count(),), b"C")


cdef int _set_line(usm_ndarray line, usm_ndarray mask, const TrueCount &found,
                   usm_ndarray values) except -1:
    """Sets the elements of a 1-d array where a mask is true to some values, over and over."""
    mask, values = _disjoint(mask, line), _disjoint(values, line)
    place_values(line.queue.ref, line.view(), mask.view(), found, values.view())
    return 0


cdef list _digits(usm_ndarray positions, list extents, list strides=None):
    """Positions in C order as one array for each axis, or as a single one of offsets by strides."""
    cdef list out = []
    cdef usm_ndarray part
    cdef SyclQueue queue = positions.queue
    cdef int64_t inner = math.prod(extents), extent, stride = 1
    cdef bint is_first = True
    for axis, extent in enumerate(extents):
        inner //= extent if extent else 1
        if is_first:
            part = allocate_shape(queue, UsmKind.device, I8, positions.shape)
            out.append(part)
        if strides is not None:
            stride = strides[axis]
        add_digits(queue.ref, positions.view(), inner, extent, stride, is_first, part.view())
        is_first = strides is None
    return out


cdef list _true_indices(usm_ndarray mask):
    """Where a mask is true: an array for each axis; waits."""
    cdef usm_ndarray flat = dense(mask, BOOL)
    cdef usm_ndarray positions = _positions(flat, _count(flat), mask.queue)
    return [positions] if mask.rank == 1 else _digits(positions, list(mask.shape))


# Keys


cdef class _Key:
    """The key of `x[key]`, taken apart."""
    cdef usm_ndarray view   # the array under the slices, integers and new axes
    cdef list axes          # of the view, that arrays index
    cdef list arrays        # one for each of them
    cdef list numbers       # of these axes in the array itself
    cdef usm_ndarray mask   # instead of the arrays: the only one, of the device
    cdef int place          # of the arrays' own axes in the result

    cdef usm_ndarray line(self):
        """The axes under a mask as one axis, if it has all of them and there is a view."""
        return _flat_view(self.view, self.axes) if self.view.rank == len(self.axes) else None


cdef object _array_of(object item, SyclQueue queue):
    """An entry of a key as an array of integers or bools, of the device or the host."""
    cdef OperandKind kind = UNKNOWN
    cdef bint is_sequence = isinstance(item, (list, tuple)), has_arrays = False
    value = plain_sequence(item, &has_arrays, "__getitem__") if is_sequence else \
        plain_value(item, &kind, "__getitem__")
    try:
        # A view, whose shape does not change.
        array = own_view(value) if kind == ARRAY else \
            asarray(value, sycl_queue=queue) if has_arrays else numpy.asarray(value)
    except (TypeError, ValueError):
        array = numpy.empty(0, object)
    if is_sequence and not array.size and array.dtype.kind != "O":
        array = numpy.empty(array.shape, numpy.int64)
    if array.dtype.kind not in "biu":
        given = f"of {array.dtype}" if array.dtype.kind in "fc" else \
            f"of type {type(item).__name__}"
        raise IndexError(f"an index {given} was given; expected integers, slices, Ellipsis, None, "
                         "or arrays or lists of integers or bools")
    return array


cdef _Key _parsed(usm_ndarray x, object key):
    cdef _Key result = _Key()
    cdef int used = 0, axis = 0, out = 0, arrays = 0, groups = 0, ndim, added
    cdef bint advanced = False, has_ellipsis = False, is_slice, is_mask
    cdef list items = [], basic = []
    if isinstance(key, (usm_ndarray, np.ndarray, list)):
        key = _array_of(key, x.queue)
        x = result.view = own_view(x)
        if x.rank and key.dtype.kind != "b":
            result.axes, result.arrays, result.numbers = [0], [key], [0]
            return result
        if x.rank and isinstance(key, usm_ndarray) and same_shape(key, x.rank, x.extents):
            require_place(x.queue, key, "__getitem__")
            result.axes, result.mask = list(range(x.rank)), dense(key, BOOL)
            return result
    for item in (key if type(key) is tuple else (key,)):
        if item is Ellipsis:
            if has_ellipsis:
                raise IndexError("an index can hold only one Ellipsis ('...')")
            has_ellipsis = True
        elif type(item) is slice or item is not None and is_integer(item):
            item = plain_index(item)
            used += 1
        elif item is not None:
            item = _array_of(item, x.queue)
            used += len(item.shape) if item.dtype.kind == "b" else 1
            arrays += 1
        items.append(item)
    if used > x.rank:
        raise IndexError(f"too many indices: {used} for an array of {x.rank} dimensions")
    if not has_ellipsis:
        items.append(Ellipsis)
    result.axes, result.arrays, result.numbers = [], [], []
    for item in items:
        is_slice = item is None or item is Ellipsis or type(item) is slice
        if not is_slice and not advanced:
            groups += 1
            result.place = out - len(result.axes) if groups == 1 else 0
        advanced = not is_slice
        if item is Ellipsis:
            basic += [slice(None)] * (x.rank - used)
            axis += x.rank - used
            out += x.rank - used
        elif is_slice or type(item) is int:
            basic.append(item)
            axis += item is not None
            out += is_slice
        else:
            is_mask = item.dtype.kind == "b"
            ndim = len(item.shape) if is_mask else 1
            added = ndim or 1  # a mask of no dimensions has a new axis, of one or no element
            basic += [slice(None)] * ndim or [None]
            result.axes += range(out, out + added)
            result.numbers += range(axis, axis + added)
            if is_mask:
                _require_fit(item.shape, x, axis)
            if is_mask and ndim and arrays == 1:
                if isinstance(item, usm_ndarray):
                    common_queue([x, item], "__getitem__")
                else:
                    item = upload(item, x.queue, x.usm_type, "__getitem__")
                result.mask = dense(item, BOOL)
            else:
                result.arrays += _indices(item) if is_mask else [item]
            axis += ndim
            out += added
    result.view = basic_view(x, tuple(basic))
    return result


cdef int _require_fit(tuple mask, usm_ndarray x, int axis) except -1:
    """A mask has the extents of its axes, or none, as in NumPy."""
    for axis, extent in enumerate(mask, axis):
        if extent != x.extents[axis] and extent:
            raise IndexError(f"a mask has {extent} elements along axis {axis}; expected "
                             f"{x.extents[axis]}, as the array has")
    return 0


cdef object _indices(object mask):
    """The indices of the true elements along each axis, or along a new one."""
    if not mask.shape:
        return [numpy.zeros(1 if bool(mask) else 0, numpy.int64)]
    return _true_indices(mask) if isinstance(mask, usm_ndarray) else numpy.nonzero(mask)


def get(usm_ndarray x, key):
    """x[key] for keys with arrays or masks; a copy."""
    cdef usm_ndarray line
    cdef UsmKind kind
    cdef _Key k
    line = selected_at_once(x, key)
    if line is not None:
        return line
    if isinstance(key, usm_ndarray):
        line = _line_under(x, key)
        if line is not None:
            return _compressed(line, key, common_kind([line, key]))
    k = _parsed(x, key)
    if k.mask is not None:
        kind = common_kind([x, k.mask])
        line = k.line()
        if line is not None:
            return _compressed(line, k.mask, kind)
        return _gathered(_at_mask(k.view, k.axes, k.mask, _count(k.mask), k.place), kind)
    kind = common_kind([x, *[a for a in k.arrays if isinstance(a, usm_ndarray)]])
    return _gathered_inside(k.view, k.axes, k.arrays, k.numbers, k.place, kind)


def set(usm_ndarray x, key, value):
    """x[key] = value for keys with arrays or masks."""
    cdef usm_ndarray values = converted_value(value, x, "__setitem__"), line
    cdef TrueCount found
    cdef _Key k
    if set_at_once(x, key, values):
        return
    if isinstance(key, usm_ndarray):
        line = _line_under(x, key)
        if line is not None and values.count() == 1:
            _set_line(line, key, found, reshaped(values, (1,), b"C"))
            return
    k = _parsed(x, key)
    if k.mask is None:
        _scatter(_at_positions(k.view, k.axes, k.arrays, k.numbers, k.place, RAISE, True,
                               "__setitem__"), k.view, values, "__setitem__")
        return
    line = k.line()
    if line is not None and values.count() == 1:
        _set_line(line, k.mask, found, reshaped(values, (1,), b"C"))
        return
    found = _count(k.mask)
    _scatter(_at_mask(k.view, k.axes, k.mask, found, k.place), k.view, values, "__setitem__")


# Functions


cdef int _mode(object mode, str function) except -1:
    require(mode, str, function, "mode")
    if mode not in _MODES:
        raise wrong_value(mode, function, "mode", "'wrap', 'clip' or 'raise'")
    return _MODES[mode]


cdef object _index(object ind, SyclQueue queue, str function):
    """An array of integers, of the device or the host."""
    if is_integer(ind) and not isinstance(ind, usm_ndarray):
        return numpy.asarray(plain_index(ind))
    array = _array_of(ind, queue)
    if array.dtype.kind == "b":
        raise IndexError(f"{function}: ind is of {array.dtype}; expected integers")
    return array


cdef tuple _along(usm_ndarray y, object axis, str function):
    """(array, axis) for functions that take an axis, or None for a 1-d array."""
    if axis is not None:
        axis = integer(axis, function, "axis")
    if y.rank == 0:
        y = reshaped(y, (1,), b"C")
    if axis is None:
        if y.rank > 1:
            raise wrong_value(axis, function, "axis", f"an axis of {y.rank} dimensions")
        return y, 0
    return y, axis_index(axis, y, function)


cdef _Selection _selected(object x, object ind, object axis, object mode, bint each, bint writes,
                          str function):
    """Positions along an axis; with `each`, others for every index of the other axes."""
    # A plain view: a subclass may say anything of its shape.
    cdef usm_ndarray array = own_view(require_array(x, function))
    cdef _Selection s
    cdef int along, how = _mode(mode, function)
    if writes:
        require_writable(array, function, "the array")
    index = _index(ind, array.queue, function)
    if each:
        along = axis_index(axis, array, function)
        s = _at_each(array, index, along, how, writes, function)
    else:
        array, along = _along(array, axis, function)
        s = _at_positions(array, [along], [index], [along], along, how, writes, function)
    s.operands = [array, index] if isinstance(index, usm_ndarray) else [array]
    return s


cdef int _put(_Selection s, object values, str function) except -1:
    return _scatter(s, s.operands[0], converted_value(values, s.operands[0], function), function)


def take(x, ind, /, *, axis=None, out=None, mode="wrap"):
    """Elements at given positions along an axis.

    Parameters
    ----------
    x : usm_ndarray
    ind : usm_ndarray of integers
        An array of any shape, which replaces the axis.
    axis : int, optional
        Needed if `x` has more than one axis.
    out : usm_ndarray, optional
        For the result, of its shape and type.
    mode : {"wrap", "clip", "raise"}
        For positions out of range. "wrap": negative ones count from the end, others mean the
        nearest element. "clip": all mean the nearest element. "raise": as in `x[ind]`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    IndexError
        `ind` is not of integers; nothing to take from; out of range, in mode "raise".
    ValueError
        No axis although there are several, an unknown mode, an `out` that does not fit.

    Notes
    -----
    Waits in mode "raise" only, for arrays of the device. Source: array API 2025.12, `take`;
    keywords as in dpctl.tensor.take.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.take(usm.asarray([10, 20, 30]), usm.asarray([2, 0]))
    usm_ndarray([30, 10])
    """
    cdef usm_ndarray line = None
    cdef _Selection s
    if type(x) is type(ind) is usm_ndarray and out is None and mode == "wrap":
        line = taken_at_once(x, ind, axis)
    if line is not None:
        return line
    s = _selected(x, ind, axis, mode, False, False, "take")
    return _gathered(s, common_kind(s.operands), None if out is None else check_out(
        out, s.base.queue, s.base.code, s.base.rank, s.base.extents, "take"))


def put(x, ind, vals, /, *, axis=None, mode="wrap"):
    """Sets the elements at given positions along an axis.

    Parameters
    ----------
    x : usm_ndarray
    ind : usm_ndarray of integers
        An array of any shape. Where a position comes twice, the last one in C order wins.
    vals : usm_ndarray, array_like or scalar
        Broadcast to ``take(x, ind, axis=axis).shape`` and converted.
    axis : int, optional
        Needed if `x` has more than one axis.
    mode : {"wrap", "clip", "raise"}
        As in `take`.

    Raises
    ------
    IndexError
        `ind` is not of integers; nothing to set; out of range, in mode "raise".
    ValueError
        No axis although there are several, an unknown mode, values that do not broadcast, a
        read-only array.

    Notes
    -----
    Compatible with dpctl.tensor.put.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.zeros(4)
    >>> usm.put(x, usm.asarray([0, 2]), 1)
    >>> x
    usm_ndarray([1., 0., 1., 0.])
    """
    _put(_selected(x, ind, axis, mode, False, True, "put"), vals, "put")


cdef _Selection _at_each(usm_ndarray x, object given, int along, int how, bint writes,
                         str function):
    """Positions along an axis, others for every index of the other axes."""
    cdef usm_ndarray index, base
    cdef _Selection s = _Selection()
    cdef IndexedAxis axis = _indexed(x.extents[along], x.extents[x.rank + along], how)
    if len(given.shape) != x.rank:
        raise wrong_value(len(given.shape), function, "ind.ndim", f"{x.rank}, as x has")
    index = _checked(given, x.queue, x.extents[along], along, how, function)
    if how != RAISE and index.code == U8:
        s = _at_positions(permuted(x, [along]), [0], [index], [along], 0, how, True, function)
        index, axis = s.index, s.axis
    extents = list(x.shape)
    extents[along] = index.extents[along]
    shape = broadcast_shape([tuple(extents), index.shape], function)
    if writes and shape != tuple(extents):
        raise wrong_value(index.shape, function, "ind.shape", f"one that broadcasts to {extents}")
    strides = list(x.strides)
    strides[along] = 0
    base = strided_view(x, extents, strides)
    s.base = broadcast_view(base, len(shape), extents_of(shape).data(), function)
    if index.code != I8:
        index = copied(index, I8, b"C", x.queue, "device")
    s.index = broadcast_view(index, s.base.rank, s.base.extents, function)
    if writes:
        s.index = dense(s.index, I8)
    s.axis = axis
    return s


def take_along_axis(x, ind, /, *, axis=-1, mode="wrap"):
    """Elements at given positions along an axis, for each index of the other axes.

    Parameters
    ----------
    x : usm_ndarray
    ind : usm_ndarray of integers
        With as many axes as `x`; all but `axis` broadcast with the axes of `x`.
    axis : int
    mode : {"wrap", "clip", "raise"}
        As in `take`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        The axis is out of range.
    IndexError
        `ind` is not of integers; nothing to take from; out of range, in mode "raise".
    ValueError
        Shapes that do not broadcast, an unknown mode.

    Notes
    -----
    Source: array API 2025.12, `take_along_axis`; `mode` as in dpctl.tensor.take_along_axis.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([[3, 1, 2], [6, 5, 4]])
    >>> usm.take_along_axis(x, usm.argsort(x, axis=1), axis=1)
    usm_ndarray([[1, 2, 3],
                 [4, 5, 6]])
    """
    cdef _Selection s = _selected(x, ind, axis, mode, True, False, "take_along_axis")
    return _gathered(s, common_kind(s.operands))


def put_along_axis(x, ind, /, values, *, axis=-1, mode="wrap"):
    """Sets the elements that `take_along_axis` takes.

    Parameters
    ----------
    x : usm_ndarray
    ind : usm_ndarray of integers
        With as many axes as `x`; all but `axis` broadcast to the axes of `x`. Where a position
        comes twice, the last one wins.
    values : usm_ndarray, array_like or scalar
        Broadcast and converted.
    axis : int
    mode : {"wrap", "clip", "raise"}
        As in `take`.

    Raises
    ------
    AxisError
        The axis is out of range.
    IndexError
        `ind` is not of integers; nothing to set; out of range, in mode "raise".
    ValueError
        Shapes that do not broadcast, an unknown mode, a read-only array.

    Notes
    -----
    Compatible with dpctl.tensor.put_along_axis.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.zeros(3)
    >>> usm.put_along_axis(x, usm.asarray([2]), 1)
    >>> x
    usm_ndarray([0., 0., 1.])
    """
    _put(_selected(x, ind, axis, mode, True, True, "put_along_axis"), values, "put_along_axis")


cdef tuple _with_mask(object array, object mask, str argument, str function):
    """An array, and a contiguous mask of its shape, along one axis; a view if possible."""
    cdef usm_ndarray x = require_array(array, function, "arr")
    cdef usm_ndarray m = require_array(mask, function, argument)
    if not same_shape(m, x.rank, x.extents):
        raise wrong_value(m.shape, function, f"{argument}.shape", f"{x.shape}, as arr has")
    common_queue([x, m], function)
    return x, flattened(dense(m, BOOL))


def extract(condition, arr, /):
    """The elements of an array where a mask is true, in C order.

    Parameters
    ----------
    condition : usm_ndarray
        An array of the shape of `arr`, of any type.
    arr : usm_ndarray

    Returns
    -------
    usm_ndarray
        An array of one dimension.

    Raises
    ------
    ValueError
        Shapes that differ.

    Notes
    -----
    Waits for the number of elements. Compatible with dpctl.tensor.extract.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.arange(5)
    >>> usm.extract(x > 2, x)
    usm_ndarray([3, 4])
    """
    source, mask = _with_mask(arr, condition, "condition", "extract")
    return _compressed(flattened(source), mask, common_kind([source, condition]))


def place(arr, mask, vals, /):
    """Sets the elements where a mask is true to given values, in C order; the values repeat.

    Parameters
    ----------
    arr : usm_ndarray
    mask : usm_ndarray
        An array of the shape of `arr`, of any type.
    vals : usm_ndarray
        An array of one dimension. It is converted to the type of `arr`.

    Raises
    ------
    ValueError
        Shapes that do not fit, no values although there are elements to set, a read-only array.

    Notes
    -----
    Waits for the number of elements, unless there is one value. Compatible with dpctl.tensor.place.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.arange(5)
    >>> usm.place(x, x > 2, usm.asarray([10, 20]))
    >>> x
    usm_ndarray([ 0,  1,  2, 10, 20])
    """
    cdef usm_ndarray target, line, flags, values = require_array(vals, "place", "vals")
    cdef TrueCount found
    target, flags = _with_mask(arr, mask, "mask", "place")
    require_writable(target, "place", "the array")
    if values.rank != 1:
        raise ValueError(f"place: vals has {values.rank} dimensions; expected 1")
    common_queue([target, values], "place")
    values = converted_value(values, target, "place")
    n = values.count()
    line = reshaped(target, (target.count(),), b"C")
    if n != 1 or line is None:
        found = _count(flags)
        if found.count == 0:
            return
        if n == 0:
            raise ValueError(f"place: vals is empty; expected a value for {found.count} elements")
    if line is not None:
        _set_line(line, flags, found, values)
        return
    from usmtensor._manipulation import tile
    values = basic_view(tile(values, -(-found.count // n)), slice(found.count))
    _scatter(_at_mask(target, list(range(target.rank)), flags, found, 0), target, values, "place")


def nonzero(arr, /):
    """The positions of the elements that are not zero.

    Parameters
    ----------
    arr : usm_ndarray

    Returns
    -------
    tuple of usm_ndarray
        For each axis the indices along it, int64, in C order of the elements.

    Raises
    ------
    ValueError
        The array has no axis.

    Notes
    -----
    Waits for the number of elements. Source: array API 2025.12, `nonzero`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nonzero(usm.asarray([0, 3, 0, 4]))
    (usm_ndarray([1, 3]),)
    """
    cdef usm_ndarray x = own_view(require_array(arr, "nonzero", "arr"))
    if x.rank == 0:
        raise ValueError("nonzero: the array has 0 dimensions; expected 1 or more")
    return tuple(_true_indices(x))
