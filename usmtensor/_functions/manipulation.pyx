"""Manipulation functions: views where possible, and joined or rolled copies."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport allocate_shape, ndarray_over, require_array, usm_ndarray
from usmtensor._core.copy cimport as_1d, copy_as, copy_into, require_cast
from usmtensor._core.operands cimport (
    arrays_to_join, broadcast_shape, colocate_all, common_code, common_kind, common_queue,
    copy_to_out, in_type,
)
from usmtensor._core.views cimport (
    as_plain, axis_index, axis_indices, basic_view, broadcast_view, diagonal_view, part_at,
    permute_axes, reshape_view, swap_axes, view_at,
)
from usmtensor._runtime.arguments cimport (
    complete_shape, extents_of, integer, integers, is_true, order_char, require, shape_tuple,
    short_repr, wrong_value,
)
from usmtensor._runtime.dtypes cimport dtype_code

import itertools

import numpy

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip",
           "matrix_transpose", "may_share_memory", "moveaxis", "permute_dims", "reshape", "roll",
           "shares_memory", "squeeze", "stack", "swapaxes", "unstack"]


# Extents


def reshape(
    x: usm_ndarray,
    /,
    shape: Shape,
    order: Literal["C", "F", "A"] = "C",
    *,
    copy: bool | None = None,
) -> usm_ndarray:
    """Return an array with another shape.

    Parameters
    ----------
    x : usm_ndarray
    shape : int or tuple of int
        The new shape. One extent may be -1, which is inferred from the size.
    order : {"C", "F", "A"}
        The order in which elements are read and written. "A" is F for F-contiguous arrays.
    copy : bool, optional
        True always copies. False never copies, and raises if a copy is needed. None copies if
        needed.

    Returns
    -------
    usm_ndarray
        A view if the strides allow it.

    Raises
    ------
    ValueError
        If the shape has another number of elements, or a copy is needed but not allowed.

    Notes
    -----
    Source: array API 2025.12, `reshape`; `order` as in dpctl.tensor.reshape.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.reshape(usm.arange(6), (2, 3))
    usm_ndarray([[0, 1, 2],
                 [3, 4, 5]])
    >>> usm.reshape(usm.arange(6), (3, -1)).shape
    (3, 2)
    """
    cdef usm_ndarray source = require_array(x, "reshape"), y
    cdef char letter = b"C" if order is None or order == "C" else order_char(order, "reshape")
    if letter == b"K":
        raise wrong_value(order, "reshape", "order", "'C', 'F' or 'A'")
    new_shape = complete_shape(shape, source.count(), "reshape")
    if letter == b"A":
        letter = b"F" if source.bits & 3 == 2 else b"C"
    if copy is None or not is_true(copy, "copy", "reshape"):
        y = reshape_view(source, new_shape, letter)
        if y is not None:
            return y
        if copy is not None:
            raise ValueError(f"reshape: shape {source.shape} with strides {source.strides} has no "
                             f"view of shape {new_shape}; copy=False does not allow a copy")
    return reshape_view(copy_as(source, source.code, letter, source.queue, None), new_shape, letter)


def expand_dims(a: usm_ndarray, axis: Shape = 0) -> usm_ndarray:
    """Return a view with new axes of extent 1.

    Parameters
    ----------
    a : usm_ndarray
    axis : int or tuple of int
        The positions of the new axes in the result. Negative ones count from its end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.
    ValueError
        If an axis is given twice.

    Notes
    -----
    Source: array API 2025.12, `expand_dims`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.expand_dims(usm.arange(3), axis=1).shape
    (3, 1)
    """
    cdef usm_ndarray source = require_array(a, "expand_dims", "a")
    given = integers(axis, "expand_dims", "axis")
    axes = axis_indices(given, source, "expand_dims", "axis", len(given))
    return basic_view(source, tuple([None if k in axes else slice(None)
                                     for k in range(source.rank + len(axes))]))


def squeeze(a: usm_ndarray, axis: Axes = None) -> usm_ndarray:
    """Return a view without axes of extent 1.

    Parameters
    ----------
    a : usm_ndarray
    axis : int or tuple of int, optional
        Default: all axes of extent 1.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.
    ValueError
        If an axis has another extent, or is given twice.

    Notes
    -----
    Source: array API 2025.12, `squeeze`; the default as in dpctl.tensor.squeeze.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.squeeze(usm.ones((1, 3, 1)), axis=0).shape
    (3, 1)
    """
    cdef usm_ndarray source = require_array(a, "squeeze", "a")
    cdef int k
    if axis is None:
        axes = [k for k in range(source.rank) if source.extents[k] == 1]
    else:
        axes = axis_indices(axis, source, "squeeze")
    for k in axes:
        if source.extents[k] != 1:
            raise ValueError(f"squeeze: axis {k} of shape {source.shape} has extent "
                             f"{source.extents[k]}; expected 1")
    return basic_view(source, tuple([0 if k in axes else slice(None)
                                     for k in range(source.rank)]))


def broadcast_shapes(*shapes: Shape) -> tuple[int, ...]:
    """Return the shape to which shapes broadcast.

    Parameters
    ----------
    *shapes : int or tuple of int
        The shapes. Without arguments, the result is ().

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        If the shapes do not broadcast.

    Notes
    -----
    Source: array API 2025.12, `broadcast_shapes`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    return broadcast_shape([shape_tuple(shape, "broadcast_shapes") for shape in shapes],
                           "broadcast_shapes")


def broadcast_to(array: usm_ndarray, shape: Shape) -> usm_ndarray:
    """Return a read-only view of an array, broadcast to another shape.

    Parameters
    ----------
    array : usm_ndarray
    shape : int or tuple of int

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If `array` does not broadcast to the shape.

    Notes
    -----
    Source: array API 2025.12, `broadcast_to`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.broadcast_to(usm.arange(3), (2, 3))
    usm_ndarray([[0, 1, 2],
                 [0, 1, 2]])
    """
    return _broadcast(require_array(array, "broadcast_to", "array"),
                      shape_tuple(shape, "broadcast_to"), "broadcast_to")


cdef usm_ndarray _broadcast(usm_ndarray x, tuple shape, str function):
    cdef vector[int64_t] extents = extents_of(shape)
    return broadcast_view(x, <int>extents.size(), extents.data(), function)


def broadcast_arrays(*arrays: ArrayOperand) -> tuple[usm_ndarray, ...]:
    """Return views of arrays, broadcast to a common shape.

    Parameters
    ----------
    *arrays : usm_ndarray or numpy.ndarray
        NumPy arrays are copied to the queue of the first usm_ndarray.

    Returns
    -------
    tuple of usm_ndarray
        Arrays that already have the shape are unchanged. Other arrays are read-only views.

    Raises
    ------
    ValueError
        If the arrays do not broadcast.

    Notes
    -----
    Source: array API 2025.12, `broadcast_arrays`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x, y = usm.broadcast_arrays(usm.arange(3), usm.ones((2, 1)))
    >>> x.shape, y.shape
    ((2, 3), (2, 3))
    """
    sources = colocate_all(arrays, "broadcast_arrays", "one of arrays")
    common = broadcast_shape(sources, "broadcast_arrays")
    return tuple([x if x.shape == common else _broadcast(x, common, "broadcast_arrays")
                  for x in sources])


# Axes


def flip(m: usm_ndarray, axis: Axes = None) -> usm_ndarray:
    """Return a view with the elements in reverse order along axes.

    Parameters
    ----------
    m : usm_ndarray
    axis : int or tuple of int, optional
        Default: all axes.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `flip`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.flip(usm.arange(4))
    usm_ndarray([3, 2, 1, 0])
    """
    cdef usm_ndarray source = require_array(m, "flip", "m")
    cdef int k
    axes = range(source.rank) if axis is None else axis_indices(axis, source, "flip")
    return basic_view(source, tuple([slice(None, None, -1) if k in axes else slice(None)
                                     for k in range(source.rank)]))


def permute_dims(a: usm_ndarray, axes: Sequence[SupportsIndex] | None = None) -> usm_ndarray:
    """Return a view with the axes in another order.

    Parameters
    ----------
    a : usm_ndarray
    axes : sequence of int, optional
        A permutation of the axes; negative ones count from the end. Default: the axes in reverse
        order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.
    ValueError
        If `axes` is not a permutation.

    Notes
    -----
    Source: array API 2025.12, `permute_dims`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.permute_dims(usm.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    cdef usm_ndarray source = require_array(a, "permute_dims", "a")
    if axes is None:
        axes = range(source.rank - 1, -1, -1)
    order = axis_indices(axes, source, "permute_dims", "axes")
    if len(order) != source.rank:
        raise wrong_value(axes, "permute_dims", "axes", f"a permutation of {source.rank} axes")
    return permute_axes(source, order)


def moveaxis(a: usm_ndarray, source: Shape, destination: Shape) -> usm_ndarray:
    """Return a view with some axes moved to other positions. The other axes keep their order.

    Parameters
    ----------
    a : usm_ndarray
    source, destination : int or tuple of int
        The axes, and their positions in the result. Negative ones count from the end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.
    ValueError
        If the numbers of axes differ, or an axis is given twice.

    Notes
    -----
    Source: array API 2025.12, `moveaxis`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.moveaxis(usm.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    cdef usm_ndarray array = require_array(a, "moveaxis", "a")
    sources = axis_indices(source, array, "moveaxis", "source")
    destinations = axis_indices(destination, array, "moveaxis", "destination")
    if len(sources) != len(destinations):
        raise ValueError(f"moveaxis: source and destination are {source} and {destination}; "
                         "expected equal numbers of axes")
    axes = [axis for axis in range(array.rank) if axis not in sources]
    for index, axis in sorted(zip(destinations, sources)):
        axes.insert(index, axis)
    return permute_axes(array, axes)


def swapaxes(a: usm_ndarray, axis1: SupportsIndex, axis2: SupportsIndex) -> usm_ndarray:
    """Return a view with two axes swapped.

    Parameters
    ----------
    a : usm_ndarray
    axis1, axis2 : int

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with dpctl.tensor.swapaxes.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.swapaxes(usm.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    cdef usm_ndarray source = require_array(a, "swapaxes", "a")
    axis1, axis2 = integer(axis1, "swapaxes", "axis1"), integer(axis2, "swapaxes", "axis2")
    return swap_axes(source, axis_index(axis1, source, "swapaxes"),
                     axis_index(axis2, source, "swapaxes"))


def matrix_transpose(x: usm_ndarray, /) -> usm_ndarray:
    """Return a view with the last two axes swapped.

    Parameters
    ----------
    x : usm_ndarray
        An array of two or more dimensions.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If `x` has fewer than two dimensions.

    Notes
    -----
    Source: array API 2025.12, `matrix_transpose`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.matrix_transpose(usm.ones((5, 2, 3))).shape
    (5, 3, 2)
    """
    cdef usm_ndarray matrices = require_array(x, "matrix_transpose")
    if matrices.rank < 2:
        raise ValueError(f"matrix_transpose: x has {matrices.rank} dimensions; expected 2 or more")
    return matrices.mT


def unstack(x: usm_ndarray, /, *, axis: SupportsIndex = 0) -> tuple[usm_ndarray, ...]:
    """Return the parts of an array along an axis, as a tuple of views.

    Parameters
    ----------
    x : usm_ndarray
    axis : int

    Returns
    -------
    tuple of usm_ndarray
        Arrays of one dimension less.

    Raises
    ------
    AxisError
        If the axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `unstack`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.unstack(usm.asarray([[1, 2], [3, 4]]))
    (usm_ndarray([1, 2]), usm_ndarray([3, 4]))
    """
    cdef usm_ndarray source = require_array(x, "unstack")
    cdef int along = axis_index(axis, source, "unstack")
    return tuple([view_at(source, along, i) for i in range(source.extents[along])])


cdef usm_ndarray _new_like(usm_ndarray x, tuple shape):
    return allocate_shape(x.queue, x.allocation.kind, x.code, shape)


# Joining


cdef list _arrays(object arrays, str function):
    if not require(arrays, (list, tuple), function, "arrays", "tuple or list of usm_ndarray"):
        raise ValueError(f"{function}: arrays is empty; expected at least one array")
    return arrays_to_join(arrays, function)


cdef usm_ndarray _allocate_joined(list arrays, tuple shape, str function):
    """Allocate an array for the elements of all arrays."""
    return allocate_shape(common_queue(arrays, function), common_kind(arrays),
                          common_code(arrays, function), shape)


def concat(
    arrays: Sequence[Values],
    /,
    axis: Axis = 0,
    out: Out = None,
    *,
    dtype: DType = None,
    casting: Casting = "same_kind",
) -> usm_ndarray:
    """Join arrays along an existing axis.

    Parameters
    ----------
    arrays : tuple or list of usm_ndarray, numpy.ndarray or sequence
        Arrays whose shapes differ only along the axis. At least one is a usm_ndarray.
    axis : int or None
        The axis. None flattens the arrays in C order.
    out : usm_ndarray, optional
        An array of the result's shape for the result.
    dtype : data type, optional
        The type of the result, without `out`. Default: the type that the arrays promote to.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The casts to `dtype`, or to the type of `out`, that are allowed.

    Returns
    -------
    usm_ndarray
        An array on the queue of the first array, of the most device-like USM kind.

    Raises
    ------
    AxisError
        If the axis is out of range.
    ValueError
        If there are no arrays, or shapes do not match; or if `out` has another shape.
    TypeError
        If `casting` does not allow a cast, or `out` and `dtype` are given.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `concat`; `out`, `dtype`, `casting` as in numpy.concat.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.concat([usm.ones((1, 2)), usm.zeros((1, 2))])
    usm_ndarray([[1., 1.],
                 [0., 0.]])
    """
    cdef list parts = [as_plain(x) for x in _arrays(arrays, "concat")]
    cdef usm_ndarray x, y, result
    cdef int64_t begin = 0
    if axis is None:
        result = _allocate_joined(parts, (sum([x.count() for x in parts]),), "concat")
        for x in parts:
            y = part_at(result, 0, begin, x.count())
            copy_into(x, reshape_view(y, x.shape, b"C"))
            begin += x.count()
    else:
        result = _concatenate(parts, axis_index(axis, parts[0], "concat"), "concat")
    return _cast_joined(parts, result, dtype, out, casting, "concat")


cdef object _cast_joined(list parts, usm_ndarray x, object dtype, object out, object casting,
                         str function):
    """Return joined arrays in a data type or in `out`, if `casting` allows the casts."""
    cdef usm_ndarray part
    cdef int code
    if dtype is None and out is None and casting == "same_kind":
        return x
    if dtype is not None and out is not None:
        raise TypeError(f"{function}: out and dtype are given; expected one of them")
    code = x.code
    if dtype is not None:
        code = dtype_code(dtype, function)
    elif out is not None:
        code = (<usm_ndarray>require(out, usm_ndarray, function, "out")).code
    for part in parts:
        require_cast(part.code, code, casting, function)
    return copy_to_out(in_type(x, code), out, function)


cdef usm_ndarray _concatenate(list parts, int along, str function):
    cdef usm_ndarray first = parts[0], x, out
    cdef int64_t total = 0, begin = 0
    cdef int k
    for x in parts:
        for k in range(first.rank):
            if x.rank != first.rank or k != along and x.extents[k] != first.extents[k]:
                raise ValueError(f"{function}: the arrays have shapes {first.shape} and {x.shape}; "
                                 f"expected shapes that differ only along axis {along}")
        total += x.extents[along]
    out = _allocate_joined(parts, (*first.shape[:along], total, *first.shape[along + 1:]), function)
    for x in parts:
        copy_into(x, part_at(out, along, begin, x.extents[along]))
        begin += x.extents[along]
    return out


def stack(
    arrays: Sequence[Values],
    axis: SupportsIndex = 0,
    out: Out = None,
    *,
    dtype: DType = None,
    casting: Casting = "same_kind",
) -> usm_ndarray:
    """Join arrays along a new axis.

    Parameters
    ----------
    arrays : tuple or list of usm_ndarray, numpy.ndarray or sequence
        Arrays of equal shape; at least one is a usm_ndarray.
    axis : int
        The position of the new axis in the result. A negative one counts from its end.
    out : usm_ndarray, optional
        An array of the result's shape for the result.
    dtype : data type, optional
        The type of the result, without `out`. Default: the type that the arrays promote to.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The casts to `dtype`, or to the type of `out`, that are allowed.

    Returns
    -------
    usm_ndarray
        An array on the queue of the first array, of the most device-like USM kind.

    Raises
    ------
    AxisError
        If the axis is out of range.
    ValueError
        If there are no arrays, or shapes differ; or if `out` has another shape.
    TypeError
        If `casting` does not allow a cast, or `out` and `dtype` are given.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `stack`; `out`, `dtype`, `casting` as in numpy.stack.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.stack([usm.arange(3), usm.zeros(3, dtype=usm.int64)], axis=1)
    usm_ndarray([[0, 0],
                 [1, 0],
                 [2, 0]])
    """
    cdef list parts = _arrays(arrays, "stack")
    cdef usm_ndarray x
    cdef int along = axis_index(axis, parts[0], "stack", 1)
    shape = parts[0].shape
    for x in parts:
        if x.shape != shape:
            raise ValueError(f"stack: the arrays have shapes {shape} and {x.shape}; expected "
                             "equal ones")
    result = _concatenate([view_at(x, along, None) for x in parts], along, "stack")
    return _cast_joined(parts, result, dtype, out, casting, "stack")


# Moving


def roll(a: usm_ndarray, shift: Shape, axis: Axes = None) -> usm_ndarray:
    """Roll the elements along axes. Elements that leave at one end enter at the other end.

    Parameters
    ----------
    a : usm_ndarray
    shift : int or tuple of int
        The number of elements to shift by, towards larger indices.
    axis : int or tuple of int, optional
        An axis for each shift. Shifts along the same axis add up. Default: all shifts are along the
        array flattened in C order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If an axis is out of range.
    ValueError
        If the numbers of shifts and axes differ.

    Notes
    -----
    Source: array API 2025.12, `roll`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.roll(usm.arange(5), 2)
    usm_ndarray([3, 4, 0, 1, 2])
    """
    cdef usm_ndarray source = require_array(a, "roll", "a"), out
    cdef int along
    shifts = integers(shift, "roll", "shift")
    if axis is None:
        out = _new_like(source, source.shape)
        _roll_into(as_1d(source), reshape_view(out, (source.count(),), b"C"), {0: sum(shifts)})
        return out
    axes = integers(axis, "roll", "axis")
    if len(shifts) == 1:
        shifts *= len(axes)
    elif len(axes) == 1:
        axes *= len(shifts)
    if len(shifts) != len(axes):
        raise ValueError(f"roll: shift and axis are {short_repr(shift)} and {short_repr(axis)}; "
                         "expected as many shifts as axes")
    moves = {}
    for by, value in zip(shifts, axes):
        along = axis_index(value, source, "roll")
        moves[along] = moves.get(along, 0) + by
    out = _new_like(source, source.shape)
    _roll_into(source, out, moves)
    return out


cdef int _roll_into(usm_ndarray source, usm_ndarray out, dict moves) except -1:
    """Copy each combination of the two parts of each axis."""
    cdef int64_t n, by
    cdef int axis
    if source.count() == 0:
        return 0
    pieces = []
    for axis in range(source.rank):
        n = source.extents[axis]
        by = moves.get(axis, 0) % n
        whole = slice(None)
        pieces.append([(slice(n - by), slice(by, None)), (slice(n - by, None), slice(by))]
                      if by else [(whole, whole)])
    for piece in itertools.product(*pieces):
        copy_into(basic_view(source, tuple([from_ for from_, _ in piece])),
                  basic_view(out, tuple([to for _, to in piece])))
    return 0


def diagonal_of(x, offset, str function):
    """Implement usmtensor.linalg.diagonal. Errors name the function."""
    cdef usm_ndarray matrices
    offset = integer(offset, function, "offset")
    matrices = require_array(x, function)
    if matrices.rank < 2:
        raise ValueError(f"{function}: x has {matrices.rank} dimensions; expected 2 or more")
    return diagonal_view(matrices, offset)


def last_axis(x, axis, str function, str argument):
    """Return a view of an array with `axis` as last axis. Errors name the function and argument."""
    cdef usm_ndarray array = require_array(x, function, argument)
    cdef int along = axis_index(axis, array, function)
    return permute_axes(array, [k for k in range(array.rank) if k != along] + [along])


# Memory


cdef object _layout(object x, str function, str argument):
    """Return a NumPy array with the addresses of an array. Its elements must not be read."""
    cdef usm_ndarray array
    if isinstance(x, numpy.ndarray):
        return x
    array = require(x, usm_ndarray, function, argument)
    if array.rank > 64:
        raise ValueError(f"{function}: {argument} has {array.rank} dimensions; expected at most 64")
    return ndarray_over(array.data, array.code, array.rank, array.extents, array.strides_(), False)


def shares_memory(a: ArrayOperand, b: ArrayOperand, /, max_work: SupportsIndex = -1) -> bool:
    """Return True if an element of one array shares bytes with another array.

    Parameters
    ----------
    a, b : usm_ndarray or numpy.ndarray
    max_work : int
        The number of combinations to try. -1 tries all. 0 compares only the first and last
        addresses.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If an operand is not an array.
    ValueError
        If an array has more than 64 dimensions, or `max_work` is less than -1.
    TooHardError
        If `max_work` combinations are not enough.

    Notes
    -----
    Compatible with numpy.shares_memory. Does not read elements, and does not wait.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.arange(6)
    >>> usm.shares_memory(x[::2], x[2:4]), usm.shares_memory(x[::2], x[1::2])
    (True, False)
    """
    return _share("shares_memory", a, b, max_work)


def may_share_memory(a: ArrayOperand, b: ArrayOperand, /, max_work: SupportsIndex = 0) -> bool:
    """Return True if two arrays may overlap, by default from their first and last addresses.

    Parameters
    ----------
    a, b : usm_ndarray or numpy.ndarray
    max_work : int
        As in `shares_memory`.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If an operand is not an array.
    ValueError
        If an array has more than 64 dimensions, or `max_work` is less than -1.

    Notes
    -----
    Compatible with numpy.may_share_memory. Does not read elements, and does not wait.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.arange(6)
    >>> usm.may_share_memory(x[::2], x[1::2]), usm.may_share_memory(x[:3], x[3:])
    (True, False)
    """
    return _share("may_share_memory", a, b, max_work)


cdef object _share(str function, object a, object b, object max_work):
    cdef object work = integer(max_work, function, "max_work")
    if not -1 <= work < 2 ** 63:
        raise wrong_value(max_work, function, "max_work", "-1 or more, below 2**63")
    x, y = _layout(a, function, "a"), _layout(b, function, "b")
    return getattr(numpy, function)(x, y, work)
