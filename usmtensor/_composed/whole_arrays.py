"""Comparisons of whole arrays, and functions applied along axes."""

from collections.abc import Callable
from typing import Any, SupportsIndex

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._functions.arguments import (
    axis_index,
    axis_indices,
    location,
    named_in_errors,
    require_array,
)
from usmtensor._runtime.arguments import wrong_value

__all__ = ["apply_along_axis", "apply_over_axes", "array_equal", "array_equiv"]


@named_in_errors
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Return True if two arrays have equal shapes and elements.

    Parameters
    ----------
    a1, a2 : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.
    equal_nan : bool
        If True, NaN equals NaN.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    Waits for the comparison. Compatible with numpy.array_equal.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.array_equal(usm.asarray([1, 2]), [1, 2])
    True
    """
    x, y = as_arrays("array_equal", {"a1": a1, "a2": a2})
    if x.shape != y.shape:
        return False
    equal = x == y
    if equal_nan and x.dtype.kind in "fc" and y.dtype.kind in "fc":
        equal = equal | (usm.isnan(x) & usm.isnan(y))
    return bool(usm.all(equal))


@named_in_errors
def array_equiv(a1: Any, a2: Any) -> bool:
    """Return True if two arrays have equal elements after broadcasting.

    Parameters
    ----------
    a1, a2 : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.

    Returns
    -------
    bool

    Raises
    ------
    TypeError, ExecutionPlacementError
        As from `array_equal`.

    Notes
    -----
    Waits for the comparison. Compatible with numpy.array_equiv.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.array_equiv(usm.asarray([1, 1]), 1)
    True
    """
    x, y = as_arrays("array_equiv", {"a1": a1, "a2": a2})
    try:
        usm.broadcast_shapes(x.shape, y.shape)
    except ValueError:
        return False
    return bool(usm.all(x == y))


def apply_along_axis(
    func1d: Callable[..., Any], axis: SupportsIndex, arr: usm_ndarray, *args: Any, **kwargs: Any
) -> usm_ndarray:
    """Apply a function to each vector along an axis.

    Parameters
    ----------
    func1d : callable
        A function of a 1-D array. All results have the same shape.
    axis : int
    arr : usm_ndarray
    *args, **kwargs : object
        Additional arguments of the function.

    Returns
    -------
    usm_ndarray
        An array in which the axes of the results replace the axis.

    Raises
    ------
    TypeError
        If `arr` is not an array, or a result is neither an array nor a number.
    ValueError
        If the array has no vectors, or results have different shapes.
    AxisError
        If the axis is out of range.

    Notes
    -----
    The function is called once for each vector, so a function of whole arrays is faster. Compatible
    with numpy.apply_along_axis.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.apply_along_axis(lambda x: x[::-1], 1, usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([[2, 1],
                 [4, 3]])
    """
    x = require_array(arr, "apply_along_axis", "arr")
    along = axis_index(axis, x.ndim, "apply_along_axis")
    rows = usm.moveaxis(x, along, -1)
    outer = rows.shape[:-1]
    if 0 in outer:
        raise wrong_value(x.shape, "apply_along_axis", "arr.shape", f"a vector along axis {along}")
    results = [
        usm.asarray(func1d(rows[index], *args, **kwargs), **location(x))
        for index in numpy.ndindex(outer)
    ]
    stacked = usm.stack(results)
    result = usm.reshape(stacked, outer + stacked.shape[1:])
    inner = range(len(outer), result.ndim)
    return usm.moveaxis(result, tuple(inner), tuple(k - len(outer) + along for k in inner))


def apply_over_axes(func: Callable[..., Any], a: usm_ndarray, axes: Any) -> usm_ndarray:
    """Apply a function of an array and an axis along several axes in turn.

    Parameters
    ----------
    func : callable
        A function of an array and an axis. Its result keeps or removes the axis.
    a : usm_ndarray
    axes : int or sequence of int

    Returns
    -------
    usm_ndarray
        An array of as many dimensions as `a`.

    Raises
    ------
    TypeError
        If `a` is not an array.
    ValueError
        If a result has another number of dimensions.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.apply_over_axes.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.apply_over_axes(usm.sum, usm.ones((2, 3, 4)), [0, 2])
    usm_ndarray([[[8.],
                  [8.],
                  [8.]]])
    """
    x = require_array(a, "apply_over_axes")
    for axis in axis_indices(axes, x.ndim, "apply_over_axes", "axes"):
        found = require_array(func(x, axis), "apply_over_axes", "the result of func")
        if found.ndim == x.ndim - 1:
            found = usm.expand_dims(found, axis=axis)
        if found.ndim != x.ndim:
            expected = f"{x.ndim} or {x.ndim - 1} dimensions"
            raise wrong_value(found.shape, "apply_over_axes", "the shape of a result", expected)
        x = found
    return x
