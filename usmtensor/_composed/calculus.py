"""Differences, gradients, integrals and convolutions of samples."""

from math import tau
from typing import Any, Literal, SupportsIndex

import numpy

import usmtensor._functions as usm
from usmtensor._composed.padding import pad
from usmtensor._composed.shapes import sliding_window_view
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._core.typing import ArrayOperand, Axes
from usmtensor._functions.arguments import (
    axis_index,
    axis_indices,
    host_values,
    location,
    named_in_errors,
    require_array,
    require_one_of,
)
from usmtensor._libraries import host
from usmtensor._runtime.arguments import number, wrong_type, wrong_value

__all__ = ["convolve", "correlate", "ediff1d", "gradient", "trapezoid", "unwrap"]


@named_in_errors
def ediff1d(ary: usm_ndarray, to_end: Any = None, to_begin: Any = None) -> usm_ndarray:
    """Compute the differences of neighbouring elements of the flattened array.

    Parameters
    ----------
    ary : usm_ndarray
    to_end, to_begin : usm_ndarray, numpy.ndarray, sequence or number, optional
        Elements to append and to prepend to the differences.

    Returns
    -------
    usm_ndarray
        A 1-D array and the type of `ary`.

    Raises
    ------
    TypeError
        If `ary` is not an array, or elements do not cast to its type.

    Notes
    -----
    Compatible with numpy.ediff1d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ediff1d(usm.asarray([1, 4, 9]), to_begin=0)
    usm_ndarray([0, 3, 5])
    """
    x = require_array(ary, "ediff1d", "ary")
    parts = [usm.diff(usm.reshape(x, x.size))]
    for value, name, at in ((to_begin, "to_begin", 0), (to_end, "to_end", 2)):
        if value is None:
            continue
        ends = usm.asarray(value, **location(x))
        if not usm.can_cast(ends.dtype, x.dtype, casting="same_kind"):
            raise TypeError(
                f"ediff1d: {name} is of data type {ends.dtype}; expected one that casts to "
                f"{x.dtype}"
            )
        parts.insert(at, usm.astype(usm.reshape(ends, ends.size), x.dtype, copy=False))
    return usm.concat(parts)


@named_in_errors
def trapezoid(
    y: ArrayOperand, x: Any = None, dx: Any = 1.0, axis: SupportsIndex = -1
) -> usm_ndarray:
    """Integrate samples by the trapezoidal rule.

    Parameters
    ----------
    y : usm_ndarray or numpy.ndarray
        The samples.
    x : usm_ndarray, numpy.ndarray or sequence, optional
        The coordinates of the samples: a 1-D array, or an array with the shape of `y`.
    dx : float, usm_ndarray, numpy.ndarray or sequence
        The distance of neighbouring samples if `x` is not given. An array broadcasts with the
        intervals of `y`.
    axis : int
        The axis of the samples.

    Returns
    -------
    usm_ndarray
        A floating point array without the axis.

    Raises
    ------
    TypeError
        If `y` is not an array.
    ValueError
        If the shapes do not match.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.trapezoid.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.trapezoid(usm.asarray([1.0, 2.0, 3.0]), dx=2)
    usm_ndarray(8.)
    """
    others = {name: one for name, one in (("x", x), ("dx", dx)) if isinstance(one, usm_ndarray)}
    samples = as_arrays("trapezoid", {"y": y, **others})[0] if others else y
    require_array(samples, "trapezoid", "y")
    along = axis_index(axis, samples.ndim, "trapezoid")
    steps = dx
    if x is not None:
        points = as_arrays("trapezoid", {"y": samples, "x": x})[1]
        steps = usm.diff(points if points.ndim == 1 else usm.moveaxis(points, along, -1))
        samples = usm.moveaxis(samples, along, -1)
        along = samples.ndim - 1
    elif isinstance(dx, list | tuple | numpy.ndarray):
        steps = as_arrays("trapezoid", {"y": samples, "dx": dx})[1]
    if samples.dtype == "?":
        samples = usm.astype(samples, usm.result_type(samples, 0.0))
    before = (slice(None),) * along
    pairs = samples[(*before, slice(1, None))] + samples[(*before, slice(None, -1))]
    return usm.sum(steps * pairs / 2.0, axis=along - samples.ndim)


def gradient(
    f: usm_ndarray, *varargs: Any, axis: Axes = None, edge_order: Literal[1, 2] = 1
) -> Any:
    """Compute the gradient by central differences inside and one-sided differences at the ends.

    Parameters
    ----------
    f : usm_ndarray
        The samples.
    *varargs : float, usm_ndarray, numpy.ndarray or sequence
        The distances of samples: one number for all axes, or a number or an array of coordinates
        for each axis. Default: 1.
    axis : int or tuple of int, optional
        Default: all axes.
    edge_order : {1, 2}
        The order of the differences at the ends.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        A floating point array for each axis; the array itself for one axis.

    Raises
    ------
    TypeError
        If `f` is not an array, or the numbers of distances and axes differ.
    ValueError
        If there are fewer than edge_order + 1 samples along an axis, or coordinates are not 1-D or
        not one for each sample.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.gradient.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.gradient(usm.asarray([1.0, 4.0, 9.0, 16.0]))
    usm_ndarray([3., 4., 6., 7.])
    """
    x = require_array(f, "gradient", "f")
    axes = axis_indices(axis, x.ndim, "gradient")
    if edge_order not in (1, 2):
        raise wrong_value(edge_order, "gradient", "edge_order", "1 or 2")
    if len(varargs) not in (0, 1, len(axes)) or (
        len(varargs) == 1 and len(axes) > 1 and numpy.ndim(varargs[0]) > 0
    ):
        raise TypeError(f"gradient: {len(varargs)} distances; expected a number or {len(axes)}")
    steps = [1.0] * len(axes) if not varargs else varargs * (len(axes) // len(varargs))
    if x.dtype.kind not in "fc":
        x = usm.astype(x, usm.result_type(x, 0.0))
    for one in axes:
        if x.shape[one] < edge_order + 1:
            expected = f"{edge_order + 1} or more along axis {one}"
            raise wrong_value(x.shape, "gradient", "f.shape", expected)
    results = [
        _gradient_along(x, one, step, edge_order) for one, step in zip(axes, steps, strict=True)
    ]
    return results[0] if len(results) == 1 else tuple(results)


def _gradient_along(f: usm_ndarray, axis: int, step: Any, edge_order: int) -> usm_ndarray:
    f = usm.moveaxis(f, axis, -1)
    result = usm.empty_like(f)
    if isinstance(step, usm_ndarray) or numpy.ndim(step):
        points = as_arrays("gradient", {"f": f, "a distance": step})[1]
        if points.ndim == 1 and points.shape[0] != f.shape[-1]:
            raise wrong_value(points.shape, "gradient", "a distance", f"{f.shape[-1]} coordinates")
        if points.ndim > 1:
            raise wrong_value(points.ndim, "gradient", "a distance", "a number or coordinates")
        if points.dtype.kind in "biu":
            points = usm.astype(points, usm.result_type(f.real, 0.0))
        if points.ndim == 1:
            return usm.moveaxis(_uneven_gradient(f, result, usm.diff(points), edge_order), -1, axis)
        h: Any = points
    else:
        h = number(step, "gradient", "a distance")
    result[..., 1:-1] = (f[..., 2:] - f[..., :-2]) / (2.0 * h)
    if edge_order == 1:
        result[..., 0] = (f[..., 1] - f[..., 0]) / h
        result[..., -1] = (f[..., -1] - f[..., -2]) / h
    else:
        result[..., 0] = (-1.5 * f[..., 0] + 2.0 * f[..., 1] - 0.5 * f[..., 2]) / h
        result[..., -1] = (0.5 * f[..., -3] - 2.0 * f[..., -2] + 1.5 * f[..., -1]) / h
    return usm.moveaxis(result, -1, axis)


def _uneven_gradient(
    f: usm_ndarray, result: usm_ndarray, h: usm_ndarray, edge_order: int
) -> usm_ndarray:
    """Return the slopes of parabolas through three neighbouring samples with distances `h`."""
    left, right = h[:-1], h[1:]
    result[..., 1:-1] = (
        -right / (left * (left + right)) * f[..., :-2]
        + (right - left) / (left * right) * f[..., 1:-1]
        + left / (right * (left + right)) * f[..., 2:]
    )
    if edge_order == 1:
        result[..., 0] = (f[..., 1] - f[..., 0]) / h[0]
        result[..., -1] = (f[..., -1] - f[..., -2]) / h[-1]
        return result
    # At an end, use the parabola through the last three samples, with the nearest distance first.
    for at, near, far in ((0, h[0], h[1]), (-1, -h[-1], -h[-2])):
        side = 1 if at == 0 else -1
        result[..., at] = (
            -(2.0 * near + far) / (near * (near + far)) * f[..., at]
            + (near + far) / (near * far) * f[..., at + side]
            - near / (far * (near + far)) * f[..., at + 2 * side]
        )
    return result


@named_in_errors
def unwrap(
    p: usm_ndarray, discont: float | None = None, axis: SupportsIndex = -1, *, period: float = tau
) -> usm_ndarray:
    """Add multiples of a period, so that neighbours differ by at most half a period.

    Parameters
    ----------
    p : usm_ndarray
        Angles, or other values that a period repeats.
    discont : float, optional
        Smaller steps are not changed. The default and the minimum are half the period.
    axis : int
        The axis to unwrap.
    period : float
        The period. Default: 2 pi.

    Returns
    -------
    usm_ndarray
        An array of the type that `p` and `period` promote to.

    Raises
    ------
    TypeError
        If `p` is not an array of real numbers.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with numpy.unwrap.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.unwrap(usm.asarray([0, 1, 2, -1, 0]), period=4)
    usm_ndarray([0, 1, 2, 3, 4])
    """
    x = require_array(p, "unwrap", "p")
    along = axis_index(axis, x.ndim, "unwrap")
    if x.dtype.kind not in "iuf":
        raise TypeError(f"unwrap: p is of data type {x.dtype}; expected real numbers")
    period, discont = host_values(period), host_values(discont)
    if not isinstance(period, int | float | numpy.number):
        raise wrong_type(period, "unwrap", "period", "int or float")
    x = usm.moveaxis(usm.astype(x, usm.result_type(x, period), copy=True), along, -1)
    steps = usm.diff(x)
    whole = x.dtype.kind in "iu"
    high = period // 2 if whole else period / 2
    found = usm.remainder(steps + high, period) - high
    if not whole or period % 2 == 0:  # a step of exactly half the period keeps its sign
        found = usm.where(usm.logical_and(found == -high, steps > 0), high, found)
    least = period / 2 if discont is None else discont
    added = usm.where(usm.abs(steps) < least, 0, found - steps)
    x[..., 1:] += usm.cumulative_sum(added, axis=-1, dtype=x.dtype)
    return usm.moveaxis(x, -1, along)


def correlate(a: Any, v: Any, mode: Literal["full", "same", "valid"] = "valid") -> usm_ndarray:
    """Compute the correlation of two 1-D arrays: sums of products with the conjugates of `v`.

    Parameters
    ----------
    a, v : usm_ndarray, numpy.ndarray or sequence
        Arrays of one dimension. One of them is a usm_ndarray.
    mode : {"full", "same", "valid"}
        "full" returns all results. "same" returns the middle ones, as many as the longer array has
        elements. "valid" returns the results for which the arrays overlap completely.

    Returns
    -------
    usm_ndarray
        An array of the type to which both promote.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If an array has several dimensions or no element, or `mode` is unknown.

    Notes
    -----
    Compatible with numpy.correlate.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.correlate(usm.asarray([1, 2, 3]), usm.asarray([0, 1, 2]), "same")
    usm_ndarray([5, 8, 3])
    """
    x, y = _vectors(a, v, mode, "correlate")
    y = usm.conj(y) if y.dtype.kind == "c" else y
    if y.size > x.size:
        return usm.copy(usm.flip(_products(y, x, mode)), order="C")
    return _products(x, y, mode)


def convolve(a: Any, v: Any, mode: Literal["full", "same", "valid"] = "full") -> usm_ndarray:
    """Compute the convolution of two 1-D arrays.

    Parameters
    ----------
    a, v, mode
        As in `correlate`.

    Returns
    -------
    usm_ndarray
        An array of the type to which both promote.

    Raises
    ------
    TypeError, ValueError
        As from `correlate`.

    Notes
    -----
    Compatible with numpy.convolve.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.convolve(usm.asarray([1, 2, 3]), usm.asarray([0, 1, 2]))
    usm_ndarray([0, 1, 4, 7, 6])
    """
    x, y = _vectors(a, v, mode, "convolve")
    if y.size > x.size:
        x, y = y, x
    return _products(x, usm.flip(y), mode)


def _vectors(a: Any, v: Any, mode: Any, function: str) -> list[usm_ndarray]:
    require_one_of(mode, ("full", "same", "valid"), function, "mode")
    arrays = as_arrays(function, {"a": a, "v": v})
    dtype = usm.result_type(*arrays)
    for x, name in zip(arrays, "av", strict=True):
        if x.ndim > 1 or x.size == 0:
            raise wrong_value(x.shape, function, f"{name}.shape", "one dimension and an element")
    return [usm.astype(usm.reshape(x, -1), dtype, copy=False) for x in arrays]


def _products(x: usm_ndarray, y: usm_ndarray, mode: str) -> usm_ndarray:
    """Correlate with a vector that is not longer: by NumPy, or as products of windows."""
    count = y.size
    before = {"full": count - 1, "same": count // 2, "valid": 0}[mode]
    after = {"full": count - 1, "same": count - 1 - count // 2, "valid": 0}[mode]
    if x.dtype.itemsize >= 4 and host.numpy_serves((x, y)):  # NumPy's float16 is inaccurate
        result = usm.empty(x.size + before + after - count + 1, dtype=x.dtype, **location(x))

        def fill(first: Any, second: Any, out: Any) -> None:
            host.assign(out, numpy.convolve, first, second, mode)

        host.call(fill, (x, usm.flip(y)), (result,))
        return result
    products = usm.matmul(sliding_window_view(pad(x, (before, after)), count), y)
    return usm.astype(products, x.dtype, copy=False)  # a product of bools is int8
