"""Quantiles and percentiles, of all elements and of those that are not NaN."""

from typing import Any, Literal, TypeAlias

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays, copy_to_out
from usmtensor._core.typing import Axes, Out
from usmtensor._functions.arguments import (
    axis_indices,
    host_values,
    location,
    merge_axes_last,
    named_in_errors,
    require_array,
)
from usmtensor._functions.statistics import LEAST_SAMPLED, elements_of_ranks
from usmtensor._libraries import host
from usmtensor._runtime.arguments import plain_array, wrong_type, wrong_value

__all__ = ["nanpercentile", "nanquantile", "percentile", "quantile"]

_Method: TypeAlias = Literal[
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]

# The parameters alpha and beta of methods that interpolate, by Hyndman and Fan (1996).
_PARAMETERS = {
    "averaged_inverted_cdf": (0, 1),
    "interpolated_inverted_cdf": (0, 1),
    "hazen": (0.5, 0.5),
    "weibull": (0, 0),
    "linear": (1, 1),
    "midpoint": (1, 1),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
_DISCRETE = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")

# The sizes between which NumPy's partition is faster than a sort.
_SHORT = 1 << 9
_MIDDLE = 1 << 15
# The maximum number of quantiles of a long array that are computed without sorting it.
_MAX_SAMPLED = 4


@named_in_errors
def quantile(
    a: usm_ndarray,
    q: Any,
    axis: Axes = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: _Method = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> usm_ndarray:
    """Compute quantiles of elements along axes.

    Parameters
    ----------
    a : usm_ndarray
        An array of real numbers.
    q : float, usm_ndarray, numpy.ndarray or sequence
        The quantiles: numbers from 0 to 1.
    axis : int or tuple of int, optional
        The axes to reduce. Default: all axes.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.
    overwrite_input : bool
        Accepted for compatibility, and ignored: `a` does not change.
    method : {"inverted_cdf", "averaged_inverted_cdf", "closest_observation", \
"interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased", \
"lower", "higher", "midpoint", "nearest"}
        The rule that selects an element, or a point between two elements.
    keepdims : bool
        If True, the result keeps the axes with extent 1.
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        The weight of each element: an array of the shape of `a`, or of the extents of the axes.
        Only for the method "inverted_cdf".

    Returns
    -------
    usm_ndarray
        The axes of `q` come first. Methods that select an element ("inverted_cdf",
        "closest_observation", "lower", "higher" and "nearest") keep the data type of `a`. Otherwise
        it is the floating point type to which `a` and `q` promote. NaN if an element is NaN.

    Raises
    ------
    TypeError
        If `a` is not an array, or numbers are complex.
    ValueError
        If `q` is outside 0 to 1; if `method` is unknown; if there is no element; if the weights
        have another shape, are negative, not finite or all zero; or if `out` has another shape.
    AxisError
        If an axis is out of range.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Waits if `q` or the weights are a usm_ndarray, and for at most 4 quantiles of one long row. If
    both elements are equal, the result is that element, also if it is infinite.
    Compatible with numpy.quantile.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([5.0, 1.0, 3.0, 2.0])
    >>> usm.quantile(x, 0.5)
    usm_ndarray(2.5)
    >>> usm.quantile(x, [0.25, 0.75], method="nearest")
    usm_ndarray([2., 3.])
    """
    return _quantiles(a, q, 1, axis, out, method, keepdims, weights, False, "quantile")


@named_in_errors
def percentile(
    a: usm_ndarray,
    q: Any,
    axis: Axes = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: _Method = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> usm_ndarray:
    """Compute percentiles of elements along axes: `quantile` of q / 100.

    Parameters
    ----------
    a : usm_ndarray
        An array of real numbers.
    q : float, usm_ndarray, numpy.ndarray or sequence
        The percentiles: numbers from 0 to 100.
    axis, out, overwrite_input, method, keepdims, weights
        As in `quantile`.

    Returns
    -------
    usm_ndarray
        As from `quantile`.

    Raises
    ------
    TypeError, ValueError, AxisError, ExecutionPlacementError
        As from `quantile`.

    Notes
    -----
    Compatible with numpy.percentile.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.percentile(usm.asarray([5.0, 1.0, 3.0, 2.0]), 50)
    usm_ndarray(2.5)
    """
    return _quantiles(a, q, 100, axis, out, method, keepdims, weights, False, "percentile")


@named_in_errors
def nanquantile(
    a: usm_ndarray,
    q: Any,
    axis: Axes = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: _Method = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> usm_ndarray:
    """Compute quantiles of the elements that are not NaN.

    Parameters
    ----------
    a : usm_ndarray
        An array of real numbers.
    q : float, usm_ndarray, numpy.ndarray or sequence
        The quantiles: numbers from 0 to 1.
    axis, out, overwrite_input, method, keepdims, weights
        As in `quantile`.

    Returns
    -------
    usm_ndarray
        As from `quantile`; NaN if all elements are NaN.

    Raises
    ------
    TypeError, ValueError, AxisError, ExecutionPlacementError
        As from `quantile`.

    Notes
    -----
    Waits if `q` or the weights are a usm_ndarray, and for one long row.
    Compatible with numpy.nanquantile.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanquantile(usm.asarray([5.0, usm.nan, 3.0, 1.0]), 0.5)
    usm_ndarray(3.)
    """
    return _quantiles(a, q, 1, axis, out, method, keepdims, weights, True, "nanquantile")


@named_in_errors
def nanpercentile(
    a: usm_ndarray,
    q: Any,
    axis: Axes = None,
    out: Out = None,
    overwrite_input: bool = False,
    method: _Method = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> usm_ndarray:
    """Compute percentiles of the elements that are not NaN: `nanquantile` of q / 100.

    Parameters
    ----------
    a : usm_ndarray
        An array of real numbers.
    q : float, usm_ndarray, numpy.ndarray or sequence
        The percentiles: numbers from 0 to 100.
    axis, out, overwrite_input, method, keepdims, weights
        As in `quantile`.

    Returns
    -------
    usm_ndarray
        As from `quantile`; NaN where all elements are NaN.

    Raises
    ------
    TypeError, ValueError, AxisError, ExecutionPlacementError
        As from `quantile`.

    Notes
    -----
    Compatible with numpy.nanpercentile.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanpercentile(usm.asarray([5.0, usm.nan, 3.0, 1.0]), 100)
    usm_ndarray(5.)
    """
    return _quantiles(a, q, 100, axis, out, method, keepdims, weights, True, "nanpercentile")


def _quantiles(
    a: Any,
    q: Any,
    whole: int,
    axis: Any,
    out: Any,
    method: Any,
    keepdims: Any,
    weights: Any,
    ignores_nan: bool,
    function: str,
) -> usm_ndarray:
    """Implement all functions; `whole` is the largest valid `q`."""
    x = require_array(a, function)
    if x.dtype.kind == "c":
        raise TypeError(f"{function}: a is of data type {x.dtype}; expected real numbers")
    if not isinstance(method, str) or method not in {*_PARAMETERS, *_DISCRETE}:
        raise wrong_value(method, function, "method", f"one of {[*_DISCRETE, *_PARAMETERS]}")
    axes = axis_indices(axis, x.ndim, function)
    fractions, dtype = _fractions(x, q, whole, method, function)
    lines = merge_axes_last(x, axes)
    if lines.shape[-1] == 0 and (lines.size or x.dtype.kind not in "fc" or not ignores_nan):
        raise ValueError(f"{function}: a has shape {x.shape}; expected an element along {axes}")
    ignores_nan = ignores_nan and x.dtype.kind == "f"
    if lines.shape[-1] == 0:
        result = usm.full(fractions.shape + lines.shape[:-1], usm.nan, dtype, **location(x))
    elif weights is not None:
        if method != "inverted_cdf":
            raise wrong_value(method, function, "method", "'inverted_cdf', as there are weights")
        result = _weighted(x, weights, axes, fractions, ignores_nan, function)
    elif ignores_nan:
        result = _of_numbers(lines, fractions, method)
    else:
        result = _of_all(lines, fractions, method)
    result = usm.astype(result, dtype, "C", copy=False)
    if keepdims:
        extents = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
        result = usm.reshape(result, fractions.shape + extents)
    return copy_to_out(result, out, function)


def _fractions(x: usm_ndarray, q: Any, whole: int, method: str, function: str) -> tuple[Any, Any]:
    """Return q / whole, as a NumPy array or a usm_ndarray, and the data type of the result."""
    weak = isinstance(q, int | float)
    given: Any = q if isinstance(q, usm_ndarray) else plain_array(host_values(q), function)
    if given.dtype.kind not in "biuf":
        raise wrong_type(q, function, "q", "real numbers")
    fractions: Any
    if isinstance(given, usm_ndarray):
        given = usm.astype(given, usm.result_type(given, 0.0), copy=False)
        fractions, within = given / whole, usm.all((given >= 0) & (given <= whole))
    else:
        given = given.astype(given.dtype if given.dtype.kind == "f" else "f8")
        fractions, within = given / whole, numpy.all((given >= 0) & (given <= whole))
    if not within:
        raise wrong_value(q, function, "q", f"numbers from 0 to {whole}")
    if method in _DISCRETE:
        return fractions, x.dtype
    return fractions, usm.result_type(x, 0.0 if weak else given.dtype)


def _ranks(fractions: Any, count: Any, method: str, xp: Any) -> tuple[Any, Any, Any]:
    """Return the ranks of two elements, and the weight of the second one.

    The ranks are equal if the quantile is an element.
    """
    if method in _DISCRETE:
        if method == "inverted_cdf":
            rank = xp.ceil(count * fractions - 1)
        elif method == "closest_observation":
            index = count * fractions - 1.5
            rank = xp.ceil(index)
            # Halfway between two ranks, take the odd rank, counted from 0.
            rank = rank + xp.where((rank == index) & (rank % 2 == 0), 1, 0)
        else:
            rounded = {"lower": xp.floor, "higher": xp.ceil, "nearest": xp.round}[method]
            rank = rounded((count - 1) * fractions)
        lower, upper, weight = rank, rank, 0 * rank
    else:
        alpha, beta = _PARAMETERS[method]
        if alpha == 1:
            index = (count - 1) * fractions
        else:
            index = count * fractions + (alpha + fractions * (1 - alpha - beta)) - 1
        lower = xp.floor(index)
        weight = index - lower
        if method == "midpoint":
            weight = xp.where(weight == 0, 0.0, 0.5)
        elif method == "averaged_inverted_cdf":
            weight = xp.where(weight == 0, 0.5, 1.0)
        upper = xp.where(weight == 0, lower, lower + 1)
        lower = xp.where(weight == 1, upper, lower)
    lower, upper = (xp.maximum(xp.minimum(rank, count - 1), 0) for rank in (lower, upper))
    return lower.astype("i8"), upper.astype("i8"), weight


def _of_all(lines: usm_ndarray, fractions: Any, method: str) -> usm_ndarray:
    """Compute quantiles along the last axis."""
    count, ordered = lines.shape[-1], None
    if isinstance(fractions, usm_ndarray):
        lower, upper, weight = _ranks(fractions, count, method, usm)
    else:
        ranks = _ranks(fractions.astype("f8"), count, method, numpy)
        few = fractions.size <= _MAX_SAMPLED
        if few and _SHORT < lines.size <= _MIDDLE and host.numpy_serves((lines,)):
            ordered = _partition(lines, [*ranks[0].flat, *ranks[1].flat, count - 1])
        elif few and lines.ndim == 1 and count >= LEAST_SAMPLED:
            return _of_long(lines, *ranks)
        lower, upper = (usm.asarray(rank, **location(lines)) for rank in ranks[:2])
        weight = _default_floating(ranks[2], lines)
    if ordered is None:
        ordered = usm.sort(lines)
    low, high = (usm.take(ordered, rank, axis=-1) for rank in (lower, upper))
    # Elements are returned without arithmetic, in which int64 numbers would lose bits.
    result = low if method in _DISCRETE else _between(low, high, weight)
    if fractions.ndim:
        moved = range(-fractions.ndim, 0)
        result = usm.moveaxis(result, tuple(moved), tuple(range(fractions.ndim)))
    return _with_nan(result, ordered[..., -1])


def _partition(lines: usm_ndarray, ranks: Any) -> usm_ndarray:
    """Return a copy with the elements of the sorted order at some ranks, by NumPy."""
    result = usm.empty(lines.shape, dtype=lines.dtype, **location(lines))

    def fill(view: Any, out: Any) -> None:
        host.assign(out, numpy.partition, view, ranks)

    host.call(fill, (lines,), (result,))
    return result


def _default_floating(values: Any, x: usm_ndarray) -> usm_ndarray:
    """Convert to an array of the default floating point type on the queue of `x`."""
    return usm.asarray(values, dtype=usm.result_type(usm.astype(x[:0], bool), 0.0), **location(x))


def _of_long(line: usm_ndarray, lower: Any, upper: Any, weight: Any) -> usm_ndarray:
    """Compute a few quantiles of a long 1-D array."""
    results = []
    for first, last, share in zip(lower.flat, upper.flat, weight.flat, strict=True):
        found, before = elements_of_ranks(line, first, last)
        low, high = found[first - before], found[last - before]
        middle = low if first == last else _between(low, high, _default_floating(share, line))
        results.append(_with_nan(middle, found[-1]))
    return usm.reshape(usm.stack(results), lower.shape) if results else line[:0]


def _of_numbers(lines: usm_ndarray, fractions: Any, method: str) -> usm_ndarray:
    """Compute quantiles along the last axis of the elements that are not NaN."""
    if lines.ndim == 1 and lines.size >= LEAST_SAMPLED:
        numbers = lines[usm.logical_not(usm.isnan(lines))]
        if numbers.size:
            return _of_all(numbers, fractions, method)
    lines = usm.sort(lines)
    fractions = _default_floating(fractions, lines)
    count = usm.count_nonzero(lines == lines, axis=-1, keepdims=True)
    flat = usm.reshape(fractions, (fractions.size,))
    lower, upper, weight = _ranks(flat, count, method, usm)
    low, high = (usm.take_along_axis(lines, rank, -1) for rank in (lower, upper))
    result = usm.moveaxis(_between(low, high, weight), -1, 0)
    return usm.reshape(result, fractions.shape + lines.shape[:-1])


def _between(low: usm_ndarray, high: usm_ndarray, weight: usm_ndarray) -> usm_ndarray:
    """Interpolate between two elements, exactly at both ends."""
    dtype = usm.result_type(low, weight.dtype)
    first, second = (usm.astype(x, dtype, copy=False) for x in (low, high))
    step = second - first
    near = usm.where(weight < 0.5, first + step * weight, second - step * (1 - weight))
    return usm.where(first == second, first, near)


def _with_nan(result: usm_ndarray, last: usm_ndarray) -> usm_ndarray:
    """Set the result to NaN if the last element in sorted order is NaN."""
    return usm.where(usm.isnan(last), last, result) if last.dtype.kind == "f" else result


def _weighted(
    x: usm_ndarray,
    weights: Any,
    axes: tuple[int, ...],
    fractions: Any,
    ignores_nan: bool,
    function: str,
) -> usm_ndarray:
    """Return the first elements at which the cumulative weights reach fractions of the total."""
    x, factors = as_arrays(function, {"a": x, "weights": weights})
    if factors.dtype.kind == "c":
        raise TypeError(f"{function}: weights are of data type {factors.dtype}; expected real")
    extents = tuple(x.shape[k] for k in axes)
    if factors.shape == x.shape:
        factors = merge_axes_last(factors, axes)
    elif factors.shape == extents:
        factors = usm.reshape(factors, -1)
    else:
        expected = f"{x.shape}, as a has, or {extents}, the extents of the axes"
        raise wrong_value(factors.shape, function, "weights.shape", expected)
    lines = merge_axes_last(x, axes)
    factors = usm.astype(factors, usm.result_type(usm.float32, factors, 0.0), copy=False)
    factors = usm.broadcast_to(factors, lines.shape)
    if ignores_nan:
        factors = usm.where(usm.isnan(lines), 0, factors)
    order = usm.argsort(lines)
    lines, factors = (usm.take_along_axis(y, order, -1) for y in (lines, factors))
    shares = usm.cumulative_sum(factors, axis=-1)
    total = shares[..., -1:]
    # If all elements are NaN, which are ignored, the weights are zero, and the result is NaN.
    valid = usm.isfinite(total) & ((total > 0) | (ignores_nan and usm.isnan(lines[..., :1])))
    if not usm.all(usm.all(factors >= 0, axis=-1, keepdims=True) & valid):
        raise ValueError(
            f"{function}: weights are negative, not finite or all zero; expected a positive sum"
        )
    shares = usm.where(
        shares == 0, -1, shares / total
    )  # so that no quantile is an element of weight 0
    flat = usm.asarray(fractions, dtype=shares.dtype, **location(x))
    ranks = [usm.count_nonzero(shares < one, axis=-1) for one in usm.unstack(usm.reshape(flat, -1))]
    if not ranks:
        return usm.empty(fractions.shape + lines.shape[:-1], dtype=x.dtype, **location(x))
    rank = usm.minimum(usm.stack(ranks, axis=-1), lines.shape[-1] - 1)
    result = usm.moveaxis(usm.take_along_axis(lines, rank, -1), -1, 0)
    result = usm.reshape(result, fractions.shape + lines.shape[:-1])
    return result if ignores_nan else _with_nan(result, lines[..., -1])
