"""Indexing with index arrays and masks: `x[ind]`, `take`, `put`, `nonzero`."""

cimport numpy as np
from libc.stdint cimport int64_t
from usmtensor._core.array cimport (
    allocate_array, allocate_shape, element, extents_tuple, require_array, require_writable,
    same_shape, usm_ndarray,
)
from usmtensor._core.copy cimport as_1d, as_contiguous, copy_as, copy_into, upload
from usmtensor._core.operands cimport (
    ARRAY, OperandKind, UNKNOWN, broadcast_shape, check_out, colocate, colocate_all, common_kind,
    common_queue, converted_value, copy_to_out, first_array, plain_sequence, plain_value,
    require_same_device,
)
from usmtensor._core.views cimport (
    as_plain, axis_index, basic_view, broadcast_view, is_integer, plain_index,
    require_broadcast, reshape_view, strided_view,
)
from usmtensor._native.libtensor cimport (
    IndexedAxis, OutsidePosition, Selection, TrueCount, UsmKind, View, add_digits, count_selected,
    count_true, find_outside, find_outside_position, gather, gather_checks, gather_selection,
    may_overlap, place as place_values, scatter, scatter_selection, selection_may_overlap,
    set_shape, true_positions,
)
from usmtensor._runtime.arguments cimport extents_of, one_of, short_repr, wrong_value
from usmtensor._runtime.dtypes cimport BOOL, I4, I8, U8
from usmtensor._runtime.queue cimport SyclQueue

import math

import numpy

from usmtensor._functions.creation import asarray
from usmtensor._functions.elementwise import minimum

__all__ = ["extract", "nonzero", "place", "put", "put_along_axis", "take", "take_along_axis"]

cdef enum:
    WRAP
    CLIP
    RAISE
    INSIDE  # the indices are known to be in range

cdef tuple _MODES = ("wrap", "clip", "raise")  # in the order of the enum


cdef usm_ndarray _disjoint(usm_ndarray x, const View &y, SyclQueue queue):
    """Return x, or a copy of it if it may share memory with y, which will be written."""
    return copy_as(x, x.code, b"C", queue, None) if may_overlap(x.view(), y) else x


# Indices


cdef object _outside(object value, object axis, object extent):
    return IndexError(f"index {short_repr(int(value))} is out of bounds for axis {axis} of size "
                      f"{extent}")


cdef usm_ndarray _uploaded(object index, SyclQueue queue, int64_t extent, object axis, int mode,
                           str function):
    """Copy a NumPy index array, which is checked on the host, to the device."""
    cdef int64_t k, count
    cdef const int64_t *positions
    given = index
    if index.dtype.kind == "O":  # an integer of more than 64 bits
        index = min(max(int(index), -2 ** 63), 2 ** 63 - 1)
    elif index.dtype.kind == "u":
        index = numpy.minimum(index, numpy.uint64(2 ** 63 - 1))
    index = numpy.array(index, numpy.int64, order="C")  # a copy that no other thread can change
    if mode == RAISE:
        positions, count = <const int64_t *>np.PyArray_DATA(index), np.PyArray_SIZE(index)
        for k in range(count):
            if not -extent <= positions[k] < extent:
                raise _outside(given.flat[k], axis, extent)
    return upload(index, queue, "device", function)


cdef usm_ndarray _signed(usm_ndarray index, int code):
    """Return a device index array as a contiguous array of a signed type."""
    if index.code == U8:
        index = minimum(index, 2 ** 63 - 1)
    return as_contiguous(index, code)


cdef int _require_inside(usm_ndarray positions, usm_ndarray index, int64_t extent,
                         object axis) except -1:
    """Raise an IndexError if an index is out of range of an axis; waits."""
    cdef int64_t position = find_outside(positions.queue.ref, positions.view(), -extent, extent - 1)
    if position >= 0:
        raise _outside(element(basic_view(as_1d(index), position)), axis, extent)
    return 0


cdef usm_ndarray _checked(object index, SyclQueue queue, int64_t extent, object axis, int mode,
                          int code, str function):
    """Return a host or device index array as a contiguous device array of a signed type."""
    cdef usm_ndarray positions
    if extent == 0 and mode < RAISE and index.size:
        raise IndexError(f"{function}: axis {axis} of size 0 has no element to index")
    if not isinstance(index, usm_ndarray):
        return _uploaded(index, queue, extent, axis, mode, function)
    require_same_device(queue, index, function)
    positions = _signed(index, code)
    if mode == RAISE:
        _require_inside(positions, index, extent, axis)
    return positions


# Selections


cdef int _select(Selection &s, list operands, usm_ndarray x, object index, int axis, int mode,
                 bint is_only_index, bint writes, str function) except -1:
    """Add a host or device index for the next axis, which error messages call `axis`.

    The list keeps the arrays that the selection reads.
    """
    cdef usm_ndarray positions = index if isinstance(index, usm_ndarray) else None
    cdef int code = I8
    cdef bint later = False  # true if the selection checks the indices
    if positions is not None:
        later = mode == RAISE and positions.code != U8
        if mode != INSIDE:
            s.kind = min(s.kind, positions.allocation.kind)
        # Devices other than CPUs check int32 indices while they read them.
        if positions.code == I4 and is_only_index and not writes:
            code = I4 if mode != RAISE or gather_checks(x.queue.ref) else I8
    positions = _checked(index, x.queue, s.extent(0), axis, INSIDE if later else mode, code,
                         function)
    if writes:
        positions = _disjoint(positions, s.base, x.queue)
    s.at(positions.view(), mode == CLIP, not later, axis)
    operands.append(positions)
    return 0


cdef int _select_mask(Selection &s, list operands, usm_ndarray x, object mask,
                      bint writes) except -1:
    """Add a host or device mask for the next axes."""
    cdef usm_ndarray flags
    flags = as_contiguous(mask if isinstance(mask, usm_ndarray) else
                          upload(mask, x.queue, x.usm_type, "__getitem__"), BOOL)
    if writes:
        flags = _disjoint(flags, s.base, x.queue)
    s.under(flags.view())
    operands.append(flags)
    return 0


cdef int _complete(Selection &s, usm_ndarray x, bint counts=True) except -1:
    """Complete a selection that has all axes. `counts` is False if the number is not needed."""
    cdef size_t k
    if counts:
        count_selected(x.queue.ref, s)
    if not set_shape(s):
        shapes = [str(extents_tuple(s.indices[k].view.ndim, s.indices[k].view.shape))
                  for k in range(s.indices.size())]
        raise IndexError(f"indices of shapes {' and '.join(shapes)} cannot be broadcast together, "
                         "or select too many elements")
    return 0


cdef int _raise_outside(const Selection &s, SyclQueue queue) except -1:
    """Raise an IndexError for the first index out of range, if there is one."""
    cdef OutsidePosition found
    if find_outside_position(queue.ref, s, found):
        raise _outside(found.position, found.axis, found.extent)
    return 0


cdef usm_ndarray _gather(const Selection &s, usm_ndarray x, usm_ndarray out=None):
    """Return the selected elements, in `out` or a new array."""
    cdef usm_ndarray target = out
    cdef bint is_new = out is None or selection_may_overlap(s, target.view())
    if is_new:
        target = allocate_array(x.queue, s.kind, x.code, s.ndim(), s.shape.data(), b"C")
    while not gather_selection(target.queue.ref, s, target.view()):
        _raise_outside(s, x.queue)
    if is_new and out is not None:
        copy_into(target, out)
    return target if out is None else out


cdef int _scatter(const Selection &s, usm_ndarray x, usm_ndarray values, str function) except -1:
    """Set the selected elements of x to values of its type, which broadcast."""
    require_broadcast(values.rank, values.extents, s.ndim(), s.shape.data(), function, True)
    values = _disjoint(values, s.base, x.queue)
    while not scatter_selection(x.queue.ref, s, values.view()):
        _raise_outside(s, x.queue)
    return 0


# Masks


cdef TrueCount _count(usm_ndarray mask):
    return count_true(mask.queue.ref, mask.view())  # waits


cdef list _true_indices(usm_ndarray mask):
    """Return the indices of true elements of a mask, as an array for each axis; waits."""
    cdef usm_ndarray flat = as_contiguous(mask, BOOL), positions, part
    cdef TrueCount found = _count(flat)
    cdef tuple shape = flat.shape, count = (found.count,)
    cdef int64_t inner = math.prod(shape), extent
    cdef list out = []
    positions = allocate_shape(flat.queue, UsmKind.device, I8, count)
    true_positions(flat.queue.ref, flat.view(), found, positions.view())
    if len(shape) == 1:
        return [positions]
    for extent in shape:
        inner //= extent if extent else 1
        part = allocate_shape(flat.queue, UsmKind.device, I8, count)
        add_digits(flat.queue.ref, positions.view(), inner, extent, 1, True, part.view())
        out.append(part)
    return out


# Keys


cdef object _array_of(object item, SyclQueue queue, str function=None):
    """Return an item of a key as a host or device array of integers or bools."""
    cdef OperandKind kind = UNKNOWN
    cdef bint is_sequence = isinstance(item, (list, tuple)), has_arrays = False
    if type(item) is usm_ndarray and (<usm_ndarray>item).code <= U8:
        return item
    value = plain_sequence(item, &has_arrays, "__getitem__") if is_sequence else \
        plain_value(item, &kind, "__getitem__")
    try:
        array = as_plain(value) if kind == ARRAY else \
            asarray(value, sycl_queue=queue) if has_arrays else numpy.asarray(value)
    except (TypeError, ValueError):
        array = numpy.empty(0, object)
    if is_sequence and not array.size and array.dtype.kind != "O":
        array = numpy.empty(array.shape, numpy.int64)
    if array.dtype.kind not in "biu":
        given = f"of {array.dtype}" if array.dtype.kind in "fc" else \
            f"of type {type(item).__name__}"
        if function is not None:
            raise IndexError(f"{function}: the indices are {given}; expected integers")
        raise IndexError(f"an index {given} was given; expected integers, slices, Ellipsis, None, "
                         "or arrays or lists of integers or bools")
    # Keys read the shape of a mask twice. A view keeps the shape if other code sets x.shape.
    return array[...] if kind != ARRAY and array.dtype.kind == "b" else array


cdef bint _is_whole(slice part) noexcept:
    return part.start is None and part.stop is None and part.step is None


cdef bint _is_mask(object array) except -1:
    return (<usm_ndarray>array).code == BOOL if isinstance(array, usm_ndarray) else \
        array.dtype.kind == "b"


cdef int _axis_count(object item) except -1:
    """Return the number of axes that an item of a key indexes."""
    if item is None:
        return 0
    if isinstance(item, usm_ndarray):
        return (<usm_ndarray>item).rank if (<usm_ndarray>item).code == BOOL else 1
    return 1 if type(item) is slice or type(item) is int or not _is_mask(item) else item.ndim


cdef usm_ndarray _under(usm_ndarray x, list entries):
    """Apply the slices, integers and new axes of a key to x."""
    cdef list basic = []
    for item in entries:
        if item is None or item is Ellipsis or type(item) is slice or type(item) is int:
            basic.append(item)
        else:  # a 0-D mask indexes a new axis
            basic += [slice(None)] * _axis_count(item) or [None]
    return basic_view(x, tuple(basic))


cdef usm_ndarray _read_key(Selection &s, list entries, usm_ndarray x, object key, bint writes):
    """Parse x[key], and return the array under the slices, integers and new axes.

    The list receives the items of the key, and keeps all arrays that the selection reads.
    """
    cdef int used = 0, count = 0, axis = 0, ndim, rest, k
    cdef bint has_ellipsis = False, is_whole = True
    if type(key) is usm_ndarray and BOOL != (<usm_ndarray>key).code <= U8 and x.rank > 0:
        s.begin(x.view(), x.allocation.kind)  # the most frequent key: one array of integers
        _select(s, entries, x, key, 0, RAISE, True, writes, "__getitem__")
        s.keep(s.base.ndim - 1)
        return x
    for item in (<tuple>key if type(key) is tuple else (key,)):
        if item is Ellipsis:
            if has_ellipsis:
                raise IndexError("an index can hold only one Ellipsis ('...')")
            has_ellipsis = True
        else:
            if item is None:
                is_whole = False
            elif type(item) is slice or is_integer(item):
                item = plain_index(item)
                is_whole &= type(item) is slice and _is_whole(item)
            else:
                item = _array_of(item, x.queue)
                count += 1
            ndim = _axis_count(item)
            is_whole &= ndim != 0
            used += ndim
        entries.append(item)
    if not has_ellipsis:
        entries.append(Ellipsis)
    rest = x.rank - used
    if rest < 0:
        raise IndexError(f"too many indices: {used} for an array of {x.rank} dimensions")
    if not is_whole:
        x = _under(x, entries)
    s.begin(x.view(), x.allocation.kind)
    for k in range(len(entries)):
        item = entries[k]
        if item is Ellipsis:
            s.separate()
            s.keep(rest)
            axis += rest
        elif item is None or type(item) is slice:
            s.keep(1)
            axis += item is not None
        elif type(item) is int:
            s.join()
            axis += 1
        elif not _is_mask(item):
            _select(s, entries, x, item, axis, RAISE, count == 1, writes, "__getitem__")
            axis += 1
        else:
            ndim = _axis_count(item)
            _require_fit(s, item.shape, axis)
            if isinstance(item, usm_ndarray):
                require_same_device(x.queue, item, "__getitem__")
                s.kind = min(s.kind, (<usm_ndarray>item).allocation.kind)
            if count == 1 and ndim and item.size:
                _select_mask(s, entries, x, item, writes)
            else:
                for index in _indices(item):
                    _select(s, entries, x, index, axis, INSIDE, False, writes, "__getitem__")
            axis += ndim
    return x


cdef int _require_fit(const Selection &s, tuple mask, int axis) except -1:
    """Raise unless a mask has the extents of the next axes, as in NumPy."""
    cdef int k
    cdef int64_t extent
    for k in range(<int>len(mask)):
        extent = mask[k]
        if extent != s.extent(k) and extent:
            raise IndexError(f"a mask has {extent} elements along axis {axis + k}; expected "
                             f"{s.extent(k)}, as the array has")
    return 0


cdef object _indices(object mask):
    """Return the indices of the true elements along each axis, or along a new axis."""
    if not mask.shape:
        return [numpy.zeros(1 if bool(mask) else 0, numpy.int64)]
    return _true_indices(mask) if isinstance(mask, usm_ndarray) else numpy.nonzero(mask)


def get(usm_ndarray x, key):
    """Return x[key] for a key with arrays or masks, as a copy."""
    cdef Selection s
    cdef list operands = []  # kept alive while the selection reads them
    x = _read_key(s, operands, x, key, False)
    _complete(s, x)
    return _gather(s, x)


def set(usm_ndarray x, key, value):
    """Assign `x[key] = value` for a key with arrays or masks."""
    cdef Selection s
    cdef list operands = []
    cdef usm_ndarray values = converted_value(value, x, "__setitem__")
    x = _read_key(s, operands, x, key, True)
    _complete(s, x, not s.is_line() or values.count() != 1)
    _scatter(s, x, values, "__setitem__")


# Functions


cdef object _index(object ind, SyclQueue queue, str function):
    """Return a host or device array of integers."""
    if is_integer(ind) and not isinstance(ind, usm_ndarray):
        return numpy.asarray(plain_index(ind))
    array = _array_of(ind, queue, function)
    if array.dtype.kind == "b":
        raise IndexError(f"{function}: the indices are of {array.dtype}; expected integers")
    return array


cdef usm_ndarray _select_along(Selection &s, list operands, object x, object ind, object axis,
                               object mode, bint writes, str function):
    """Add all axes of x, with indices along one of them, and return the array."""
    cdef usm_ndarray array = require_array(x, function, "a") if writes else \
        colocate(x, first_array((ind,)), function, "a")
    cdef int along, how = one_of(mode, _MODES, function, "mode")
    if axis is None:
        array, axis = as_1d(array), 0
    elif array.rank == 0:
        array = reshape_view(array, (1,), b"C")
    if writes:
        require_writable(array, function, "the array")
    index = _index(ind, array.queue, function)
    along = axis_index(axis, array, function)
    s.begin(array.view(), array.allocation.kind)
    s.keep(along)
    _select(s, operands, array, index, along, how, True, writes, function)
    s.keep(array.rank - along - 1)
    _complete(s, array)
    return array


def take(
    a: ArrayOperand,
    indices: Indices,
    axis: Axis = None,
    out: Out = None,
    mode: Literal["wrap", "clip", "raise"] = "wrap",
) -> usm_ndarray:
    """Return the elements at given indices along an axis.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        At least one of `a` and `indices` is a usm_ndarray.
    indices : usm_ndarray of integers
        An array of any shape, which replaces the axis in the result.
    axis : int, optional
        Default: `a` is flattened in C order.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.
    mode : {"wrap", "clip", "raise"}
        The treatment of indices out of range. "wrap" counts negative indices from the end, and
        takes the nearest element for other ones. "clip" takes the nearest element. "raise" is as in
        `a[indices]`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    IndexError
        If `indices` is not of integers, there is no element to take, or an index is out of range in
        mode "raise".
    ValueError
        If `mode` is unknown, or `out` has another shape.

    Notes
    -----
    Waits only in mode "raise", for device arrays. Source: array API 2025.12, `take`;
    keywords as in dpctl.tensor.take.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.take(usm.asarray([10, 20, 30]), usm.asarray([2, 0]))
    usm_ndarray([30, 10])
    """
    cdef Selection s
    cdef list operands = []
    cdef usm_ndarray array = _select_along(s, operands, a, indices, axis, mode, False, "take")
    if out is not None:
        check_out(out, array.queue, array.code, s.ndim(), s.shape.data(), "take", True)
        if (<usm_ndarray>out).code != array.code:
            return copy_to_out(_gather(s, array, None), out, "take")
    return _gather(s, array, out)


def put(
    a: usm_ndarray,
    ind: Indices,
    v: Values,
    mode: Literal["wrap", "clip", "raise"] = "wrap",
    *,
    axis: Axis = None,
) -> None:
    """Set the elements at given indices along an axis.

    Parameters
    ----------
    a : usm_ndarray
    ind : usm_ndarray of integers
        An array of any shape. If an index occurs more than once, the last value in C order is
        stored.
    v : usm_ndarray, array_like or scalar
        Values, which are converted and broadcast to ``take(a, ind, axis=axis).shape``. Without an
        axis, a 1-D array of another size is repeated or cut, as in NumPy.
    mode : {"wrap", "clip", "raise"}
        As in `take`.
    axis : int, optional
        Default: the positions are those of `a` flattened in C order.

    Raises
    ------
    IndexError
        If `ind` is not of integers, there is no element to set, or an index is out of range in mode
        "raise".
    ValueError
        If `mode` is unknown, values do not broadcast, or `a` is read-only.

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
    cdef Selection s
    cdef list operands = []
    cdef usm_ndarray array = require_array(a, "put", "a"), line, values
    if axis is None and reshape_view(array, (array.count(),), b"C") is None:
        require_writable(array, "put", "the array")
        line = as_1d(array)
        put(line, ind, v, mode=mode)
        copy_into(reshape_view(line, array.shape, b"C"), array)
        return
    values = converted_value(v, array, "put")
    if axis is None and values.rank == 1:
        ind = _index(ind, array.queue, "put")
        if values.extents[0] == 0:
            return
        if values.extents[0] != 1 and values.shape != ind.shape:
            values = take(values, numpy.arange(ind.size).reshape(ind.shape) % values.extents[0])
    array = _select_along(s, operands, array, ind, axis, mode, True, "put")
    _scatter(s, array, values, "put")


cdef tuple _each_along(object given, object ind, object axis, object mode, bint writes,
                       str function, IndexedAxis *axis_of):
    """Prepare indices along an axis that depend on the index of the other axes.

    Returns the array, and the offsets of its axis and the indices broadcast to one shape.
    """
    cdef usm_ndarray x = as_plain(require_array(given, function, "arr") if writes else
                                  colocate(given, first_array((ind,)), function, "arr"))
    cdef usm_ndarray base, index
    cdef int along, how = one_of(mode, _MODES, function, "mode")
    cdef int64_t extent
    if writes:
        require_writable(x, function, "the array")
    ind = _index(ind, x.queue, function)
    along = axis_index(axis, x, function)
    if len(ind.shape) != x.rank:
        raise wrong_value(len(ind.shape), function, "indices.ndim", f"{x.rank}, as arr has")
    extent = x.extents[along]
    index = _checked(ind, x.queue, extent, along, how, I8, function)
    extents, strides = list(x.shape), list(x.strides)
    extents[along], strides[along] = index.extents[along], 0
    shape = broadcast_shape([tuple(extents), index.shape], function)
    if writes and shape != tuple(extents):
        raise wrong_value(index.shape, function, "indices.shape",
                          f"one that broadcasts to {extents}")
    base = broadcast_view(strided_view(x, extents, strides), <int>len(shape),
                          extents_of(shape).data(), function)
    index = broadcast_view(index, base.rank, base.extents, function)
    axis_of[0] = IndexedAxis(0 if how == CLIP else extent, 0, extent - 1,
                             x.extents[x.rank + along])
    return x, base, index


def take_along_axis(
    arr: ArrayOperand,
    indices: Indices,
    axis: Axis = -1,
    *,
    mode: Literal["wrap", "clip", "raise"] = "wrap",
) -> usm_ndarray:
    """Return the elements at given indices along an axis, for each index of the other axes.

    Parameters
    ----------
    arr : usm_ndarray or numpy.ndarray
        At least one of `arr` and `indices` is a usm_ndarray.
    indices : usm_ndarray of integers
        An array with as many axes as `arr`. All axes except `axis` broadcast with the axes of
        `arr`.
    axis : int or None
        None: `arr` is flattened in C order.
    mode : {"wrap", "clip", "raise"}
        As in `take`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If the axis is out of range.
    IndexError
        If `indices` is not of integers, there is no element to take, or an index is out of range in
        mode "raise".
    ValueError
        If shapes do not broadcast, or `mode` is unknown.

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
    cdef usm_ndarray base, index, out
    cdef IndexedAxis along
    if axis is None:
        arr = as_1d(colocate(arr, first_array((indices,)), "take_along_axis", "arr"))
        axis = 0
    arr, base, index = _each_along(arr, indices, axis, mode, False, "take_along_axis", &along)
    kind = common_kind([arr, indices] if isinstance(indices, usm_ndarray) else [arr])
    out = allocate_shape(base.queue, kind, base.code, base.shape)
    gather(out.queue.ref, base.view(), along, index.view(), out.view())
    return out


def put_along_axis(
    arr: usm_ndarray,
    indices: Indices,
    values: Values,
    axis: Axis = -1,
    *,
    mode: Literal["wrap", "clip", "raise"] = "wrap",
) -> None:
    """Set the elements that `take_along_axis` returns.

    Parameters
    ----------
    arr : usm_ndarray
    indices : usm_ndarray of integers
        An array with as many axes as `arr`. All axes except `axis` broadcast to the axes of
        `arr`. If an index occurs more than once, the last value is stored.
    values : usm_ndarray, array_like or scalar
        Values, which are broadcast and converted.
    axis : int or None
        None: `arr` is flattened in C order.
    mode : {"wrap", "clip", "raise"}
        As in `take`.

    Raises
    ------
    AxisError
        If the axis is out of range.
    IndexError
        If `indices` is not of integers, there is no element to set, or an index is out of range in
        mode "raise".
    ValueError
        If shapes do not broadcast, `mode` is unknown, or `arr` is read-only.

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
    cdef usm_ndarray target, base, index, given
    cdef IndexedAxis along
    if axis is None:
        target = require_array(arr, "put_along_axis", "arr")
        require_writable(target, "put_along_axis", "the array")
        base = reshape_view(target, (target.count(),), b"C")
        given = as_1d(target) if base is None else base
        put_along_axis(given, indices, values, 0, mode=mode)
        if base is None:
            copy_into(reshape_view(given, target.shape, b"C"), target)
        return
    target, base, index = _each_along(arr, indices, axis, mode, True, "put_along_axis", &along)
    given = converted_value(values, target, "put_along_axis")
    given = _disjoint(given, target.view(), target.queue)
    given = broadcast_view(given, base.rank, base.extents, "put_along_axis", True)
    index = as_contiguous(_disjoint(index, target.view(), target.queue), I8)
    scatter(target.queue.ref, base.view(), along, index.view(), given.view(), False)


cdef tuple _with_mask(object array, object mask, str argument, str function):
    """Return an array, and a contiguous mask of its shape."""
    cdef list arrays = colocate_all((array, mask), function, ("arr", argument))
    cdef usm_ndarray x = arrays[0], m = arrays[1]
    if m.count() != x.count():
        raise wrong_value(m.shape, function, f"{argument}.shape",
                          f"{x.count()} elements, as arr has")
    common_queue([x, m], function)
    m = as_contiguous(m, BOOL)
    return x, m if same_shape(m, x.rank, x.extents) else reshape_view(m, x.shape, b"C")


def extract(condition: ArrayOperand, arr: ArrayOperand) -> usm_ndarray:
    """Return the elements of an array where a mask is true, in C order.

    Parameters
    ----------
    condition, arr : usm_ndarray or numpy.ndarray
        Arrays of the same size, both in C order. At least one is a usm_ndarray. The mask may have
        any type.

    Returns
    -------
    usm_ndarray
        A 1-D array.

    Raises
    ------
    ValueError
        If the sizes differ.

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
    return get(source, mask)


def place(arr: usm_ndarray, mask: ArrayOperand, vals: Values) -> None:
    """Set the elements where a mask is true to values, which are repeated in C order.

    Parameters
    ----------
    arr : usm_ndarray
    mask : usm_ndarray or numpy.ndarray
        An array of the size of `arr` and any type, in C order.
    vals : usm_ndarray, numpy.ndarray, sequence or number
        A 1-D array or one value, which is converted to the type of `arr`.

    Raises
    ------
    ValueError
        If shapes do not match, there are no values but elements to set, or `arr` is read-only.

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
    cdef usm_ndarray target = require_array(arr, "place", "arr"), line, flags
    cdef usm_ndarray values = converted_value(vals, target, "place")
    cdef TrueCount found
    cdef int64_t[2] copies
    target, flags = _with_mask(target, mask, "mask", "place")
    require_writable(target, "place", "the array")
    if values.rank > 1:
        raise ValueError(f"place: vals has {values.rank} dimensions; expected 1 or 0")
    common_queue([target, values], "place")
    values = _disjoint(values, target.view(), target.queue)
    n = values.count()
    values = reshape_view(values, (n,), b"C") if values.rank == 0 else values
    line = reshape_view(target, (target.count(),), b"C")
    if n != 1 or line is None:
        found = _count(flags)
        if found.count == 0:
            return
        if n == 0:
            raise ValueError(f"place: vals is empty; expected a value for {found.count} elements")
    if line is not None:
        flags = _disjoint(flags, target.view(), target.queue)
        place_values(line.queue.ref, line.view(), flags.view(), found, values.view())
        return
    copies = [-(-found.count // n), n]
    values = as_1d(broadcast_view(values, 2, copies, "place"))
    set(target, flags, basic_view(values, slice(found.count)))


def nonzero(a: usm_ndarray) -> tuple[usm_ndarray, ...]:
    """Return the indices of nonzero elements.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    tuple of usm_ndarray
        An int64 array of indices for each axis, in C order of the elements.

    Raises
    ------
    ValueError
        If the array is 0-D.

    Notes
    -----
    Waits for the number of elements. Source: array API 2025.12, `nonzero`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nonzero(usm.asarray([0, 3, 0, 4]))
    (usm_ndarray([1, 3]),)
    """
    cdef usm_ndarray x = require_array(a, "nonzero", "a")
    if x.rank == 0:
        raise ValueError("nonzero: the array has 0 dimensions; expected 1 or more")
    return tuple(_true_indices(x))
