"""Views and copies with other shapes: added axes, rotations, windows, resized arrays."""

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import colocate_all
from usmtensor._core.typing import Axes, Values
from usmtensor._functions.arguments import (
    axis_index,
    axis_indices,
    location,
    named_in_errors,
    require_array,
)
from usmtensor._runtime.arguments import integer, natural, wrong_value

__all__ = ["as_strided", "atleast_1d", "atleast_2d", "atleast_3d", "fliplr", "flipud", "ravel"]
__all__ += ["resize", "rollaxis", "rot90", "sliding_window_view", "trim_zeros"]


def _arrays(arys: tuple[Any, ...], function: str) -> list[usm_ndarray]:
    """Return arrays, with sequences and numbers on the queue of the first one."""
    first = next((x for x in arys if isinstance(x, usm_ndarray)), None)
    placement = {} if first is None else location(first)
    convertible = (bool, int, float, complex, numpy.generic, list, tuple)
    given = [usm.asarray(x, **placement) if isinstance(x, convertible) else x for x in arys]
    found: list[usm_ndarray] = colocate_all(given, function, "one of arys")
    return found


def as_1d(x: usm_ndarray) -> usm_ndarray:
    """Return an array, or a view with one dimension of a 0-D array."""
    return x if x.ndim else x[None]


def as_2d(x: usm_ndarray) -> usm_ndarray:
    """Return an array, or a view with two dimensions of an array with fewer."""
    return x if x.ndim > 1 else x[(None,) * (2 - x.ndim)]


def as_3d(x: usm_ndarray) -> usm_ndarray:
    """Return an array, or a view with three dimensions of an array with fewer."""
    return x if x.ndim > 2 else as_2d(x)[..., None]


def _one_or_all(arrays: list[usm_ndarray]) -> Any:
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


@named_in_errors
def atleast_1d(*arys: Values) -> Any:
    """View arrays as arrays of one or more dimensions.

    Parameters
    ----------
    *arys : usm_ndarray, numpy.ndarray, sequence or number
        Sequences and numbers are converted as by `asarray`.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        The array itself or a view; a tuple unless there is one array.

    Raises
    ------
    TypeError
        If one of the arrays is not an array, or all are from NumPy.

    Notes
    -----
    Compatible with numpy.atleast_1d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.atleast_1d(usm.asarray(3))
    usm_ndarray([3])
    """
    return _one_or_all([as_1d(x) for x in _arrays(arys, "atleast_1d")])


@named_in_errors
def atleast_2d(*arys: Values) -> Any:
    """View arrays as arrays of two or more dimensions. A 1-D array becomes a row.

    Parameters
    ----------
    *arys : usm_ndarray, numpy.ndarray, sequence or number
        Sequences and numbers are converted as by `asarray`.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        The array itself or a view; a tuple unless there is one array.

    Raises
    ------
    TypeError
        If one of the arrays is not an array, or all are from NumPy.

    Notes
    -----
    Compatible with numpy.atleast_2d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.atleast_2d(usm.asarray([1, 2]))
    usm_ndarray([[1, 2]])
    """
    return _one_or_all([as_2d(x) for x in _arrays(arys, "atleast_2d")])


@named_in_errors
def atleast_3d(*arys: Values) -> Any:
    """View arrays as arrays of three or more dimensions.

    The axes of a 2-D array become the first ones. The axis of a 1-D array becomes the second one.

    Parameters
    ----------
    *arys : usm_ndarray, numpy.ndarray, sequence or number
        Sequences and numbers are converted as by `asarray`.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        The array itself or a view; a tuple unless there is one array.

    Raises
    ------
    TypeError
        If one of the arrays is not an array, or all are from NumPy.

    Notes
    -----
    Compatible with numpy.atleast_3d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.atleast_3d(usm.asarray([1, 2])).shape
    (1, 2, 1)
    """
    return _one_or_all([as_3d(x) for x in _arrays(arys, "atleast_3d")])


@named_in_errors
def ravel(a: usm_ndarray, order: Literal["C", "F", "A", "K"] = "C") -> usm_ndarray:
    """Return the elements as a contiguous 1-D array: a view if they are contiguous in this order.

    Parameters
    ----------
    a : usm_ndarray
    order : {"C", "F", "A", "K"}
        The order in which the elements are read. "A" is "F" for an array in F order, otherwise
        "C". "K" is the order in memory, with negative strides as if they were positive.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `a` is not an array.
    ValueError
        If the order is unknown.

    Notes
    -----
    Compatible with numpy.ravel.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ravel(usm.asarray([[1, 2], [3, 4]]), order="F")
    usm_ndarray([1, 3, 2, 4])
    """
    x = require_array(a, "ravel")
    if order == "K":
        x, order = by_stride(x), "C"
    result = usm.reshape(x, -1, order=order)
    return result if result.flags.c_contiguous else usm.copy(result, order="C")


def by_stride(x: usm_ndarray) -> usm_ndarray:
    """Return a view with the axes in the order of decreasing strides, as in NumPy's order "K".

    An axis with stride 0 or extent 1 has no position in memory, and stays in C order.
    """
    steps = [abs(stride) if n > 1 else 0 for stride, n in zip(x.strides, x.shape, strict=True)]
    axes: list[int] = []
    for axis in range(x.ndim - 1, -1, -1):
        target = 0
        for index, other in enumerate(axes):
            if steps[axis] and steps[other]:
                if steps[other] <= steps[axis]:
                    break
                target = index + 1
        axes.insert(target, axis)
    return usm.permute_dims(x, axes)


def flipud(m: usm_ndarray) -> usm_ndarray:
    """Return a view with the first axis reversed.

    Parameters
    ----------
    m : usm_ndarray
        An array of one or more dimensions.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `m` is not an array.
    ValueError
        If `m` is 0-D.

    Notes
    -----
    Compatible with numpy.flipud.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.flipud(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([[3, 4],
                 [1, 2]])
    """
    if require_array(m, "flipud", "m").ndim < 1:
        raise wrong_value(m.ndim, "flipud", "m.ndim", "1 or more")
    return usm.flip(m, axis=0)


def fliplr(m: usm_ndarray) -> usm_ndarray:
    """Return a view with the second axis reversed.

    Parameters
    ----------
    m : usm_ndarray
        An array of two or more dimensions.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `m` is not an array.
    ValueError
        If `m` has fewer than two dimensions.

    Notes
    -----
    Compatible with numpy.fliplr.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fliplr(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([[2, 1],
                 [4, 3]])
    """
    if require_array(m, "fliplr", "m").ndim < 2:
        raise wrong_value(m.ndim, "fliplr", "m.ndim", "2 or more")
    return usm.flip(m, axis=1)


def rot90(
    m: usm_ndarray, k: SupportsIndex = 1, axes: Sequence[SupportsIndex] = (0, 1)
) -> usm_ndarray:
    """Return a view that is rotated by 90 degrees in the plane of two axes.

    Parameters
    ----------
    m : usm_ndarray
        An array of two or more dimensions.
    k : int
        The number of rotations.
    axes : tuple of two int
        The rotation is from the first axis towards the second.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `m` is not an array, or `k` or an axis is not an integer.
    ValueError
        If `axes` are not two different axes.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.rot90.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.rot90(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([[2, 4],
                 [1, 3]])
    """
    x = require_array(m, "rot90", "m")
    found = axis_indices(axes, x.ndim, "rot90", "axes")
    if len(found) != 2:
        raise wrong_value(axes, "rot90", "axes", "two axes")
    first, second = found
    turns = integer(k, "rot90", "k") % 4
    if turns == 2:
        return usm.flip(x, axis=found)
    if turns == 1:
        x = usm.flip(x, axis=second)
    if turns:
        x = usm.swapaxes(x, first, second)
    return usm.flip(x, axis=second) if turns == 3 else x[...]


@named_in_errors
def resize(a: usm_ndarray, new_shape: SupportsIndex | Sequence[SupportsIndex]) -> usm_ndarray:
    """Return a new array of another shape. Elements are repeated in C order as needed.

    Parameters
    ----------
    a : usm_ndarray
    new_shape : int or tuple of int

    Returns
    -------
    usm_ndarray
        A new array; zeros if `a` has no elements.

    Raises
    ------
    TypeError
        If `a` is not an array, or an extent is not an integer.
    ValueError
        If an extent is negative.

    Notes
    -----
    Compatible with numpy.resize.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.resize(usm.asarray([1, 2, 3]), (2, 4))
    usm_ndarray([[1, 2, 3, 1],
                 [2, 3, 1, 2]])
    """
    x = require_array(a, "resize")
    given = new_shape if isinstance(new_shape, list | tuple) else (new_shape,)
    shape = tuple(natural(n, "resize", "new_shape") for n in given)
    result = usm.zeros(shape, dtype=x.dtype, **location(x))
    if x.size == 0 or result.size == 0:
        return result
    flat, line = usm.reshape(x, -1), usm.reshape(result, -1)
    whole = result.size // x.size
    usm.reshape(line[: whole * x.size], (whole, x.size))[...] = flat
    line[whole * x.size :] = flat[: result.size - whole * x.size]
    return result


@named_in_errors
def as_strided(
    x: usm_ndarray,
    shape: SupportsIndex | Sequence[SupportsIndex] | None = None,
    strides: SupportsIndex | Sequence[SupportsIndex] | None = None,
    *,
    writeable: bool = True,
) -> usm_ndarray:
    """Return a view with another shape and other strides, which starts at the first element of x.

    Parameters
    ----------
    x : usm_ndarray
    shape : int or tuple of int, optional
        Default: the shape of `x`.
    strides : int or tuple of int, optional
        The steps along each axis, in elements as in ``x.strides``. Default: the strides of `x`.
    writeable : bool
        If True, the view is writable if `x` is writable. Elements may overlap.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `x` is not an array, or an extent or a stride is not an integer.
    ValueError
        If the view leaves the memory of `x`, or the numbers of strides and extents differ.

    Notes
    -----
    Compatible with numpy.lib.stride_tricks.as_strided, except that strides are in elements.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.as_strided(usm.arange(5), (2, 3), (2, 1))
    usm_ndarray([[0, 1, 2],
                 [2, 3, 4]])
    """
    function = "as_strided"
    x = require_array(x, function, "x")
    extents = _integers(shape, x.shape, function, "shape")
    steps = _integers(strides, x.strides, function, "strides")
    if len(extents) != len(steps):
        raise wrong_value(strides, function, "strides", f"{len(extents)}, as many as extents")
    if any(n < 0 for n in extents):
        raise wrong_value(shape, function, "shape", "extents of 0 or more")
    result = usm_ndarray(extents, x.dtype, steps, x.usm_data, x._element_offset)
    if not writeable or not x.flags.writable:
        result.flags.writable = False
    return result


def _integers(given: Any, default: tuple[int, ...], function: str, argument: str) -> Any:
    if given is None:
        return default
    given = given if isinstance(given, list | tuple) else (given,)
    return tuple(integer(n, function, argument) for n in given)


def sliding_window_view(
    x: usm_ndarray,
    window_shape: SupportsIndex | Sequence[SupportsIndex],
    axis: Axes = None,
    *,
    writeable: bool = False,
) -> usm_ndarray:
    """Return a view of all windows of a shape in an array.

    Parameters
    ----------
    x : usm_ndarray
    window_shape : int or tuple of int
        The extents of a window, one for each axis of `axis`.
    axis : int or tuple of int, optional
        The axes along which the windows slide. An axis may be repeated. Default: all.
    writeable : bool
        If True, the view is writable. Windows overlap, so writing an element changes other windows.

    Returns
    -------
    usm_ndarray
        A view with the axes of `x`, which index the windows, followed by the axes of a window.

    Raises
    ------
    TypeError
        If `x` is not an array, or an extent is not an integer.
    ValueError
        If a window is larger than `x`, or the numbers of extents and axes differ.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.lib.stride_tricks.sliding_window_view.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.sliding_window_view(usm.arange(5), 3)
    usm_ndarray([[0, 1, 2],
                 [1, 2, 3],
                 [2, 3, 4]])
    """
    function = "sliding_window_view"
    x = require_array(x, function, "x")
    given = window_shape if isinstance(window_shape, list | tuple) else (window_shape,)
    window = tuple(natural(n, function, "window_shape") for n in given)
    several = axis if isinstance(axis, list | tuple) else (axis,)
    axes = (
        tuple(range(x.ndim))
        if axis is None
        else tuple(axis_index(one, x.ndim, function) for one in several)
    )
    if len(window) != len(axes):
        raise wrong_value(window_shape, function, "window_shape", f"{len(axes)} extents")
    extents = list(x.shape)
    for one, n in zip(axes, window, strict=True):
        extents[one] -= n - 1
        if extents[one] < 1:
            expected = f"extents from 0 to those of x, which has shape {x.shape}"
            raise wrong_value(window_shape, function, "window_shape", expected)
    view = usm_ndarray(
        (*extents, *window),
        x.dtype,
        strides=(*x.strides, *(x.strides[one] for one in axes)),
        buffer=x.usm_data,
        offset=x._element_offset,
    )
    if not writeable or not x.flags.writable:
        view.flags.writable = False
    return view


def trim_zeros(
    filt: usm_ndarray, trim: Literal["fb", "f", "b"] = "fb", axis: Axes = None
) -> usm_ndarray:
    """Return a view without the zeros at the ends of axes.

    Parameters
    ----------
    filt : usm_ndarray
    trim : {"fb", "f", "b"}
        The ends to trim: "f" is the front, "b" the back.
    axis : int or tuple of int, optional
        Default: all axes.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `filt` is not an array.
    ValueError
        If `trim` is unknown.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Waits for the indices of the ends. Compatible with numpy.trim_zeros.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.trim_zeros(usm.asarray([0, 0, 1, 2, 0]))
    usm_ndarray([1, 2])
    """
    x = require_array(filt, "trim_zeros", "filt")
    sides = trim.lower() if isinstance(trim, str) else ""
    if sides not in ("fb", "bf", "f", "b"):
        raise wrong_value(trim, "trim_zeros", "trim", "'fb', 'f' or 'b'")
    axes = axis_indices(axis, x.ndim, "trim_zeros")
    key: list[Any] = [slice(None)] * x.ndim
    for one in axes:
        others = tuple(k for k in range(x.ndim) if k != one)
        found = numpy.flatnonzero(usm.asnumpy(usm.any(x != 0, axis=others)))
        n = x.shape[one]
        first, last = (found[0], found[-1] + 1) if found.size else (n, 0)
        if not found.size and sides == "b":
            first = 0
        key[one] = slice(first if "f" in sides else 0, max(last, 0) if "b" in sides else n)
    return x[tuple(key)]


def rollaxis(a: usm_ndarray, axis: SupportsIndex, start: SupportsIndex = 0) -> usm_ndarray:
    """Return a view with an axis moved before another axis; `moveaxis` is clearer.

    Parameters
    ----------
    a : usm_ndarray
    axis : int
        The axis that moves.
    start : int
        The axis before which it is moved. The number of dimensions moves it to the end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `a` is not an array.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.rollaxis.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.rollaxis(usm.ones((2, 3, 4)), 2).shape
    (4, 2, 3)
    """
    count = require_array(a, "rollaxis").ndim
    source = axis_index(axis, count, "rollaxis")
    end: int = integer(start, "rollaxis", "start")
    target = count if end == count else axis_index(end, count, "rollaxis", "start")
    return usm.moveaxis(a, source, target - (source < target))
