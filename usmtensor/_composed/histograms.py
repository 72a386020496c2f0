"""Histograms of several variables, and bin edges."""

import math
from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._functions.arguments import (
    location,
    named_in_errors,
    require_array,
)
from usmtensor._runtime.arguments import wrong_value

__all__ = ["histogram2d", "histogram_bin_edges", "histogramdd"]


@named_in_errors
def histogram_bin_edges(
    a: usm_ndarray, bins: Any = 10, range: Any = None, weights: Any = None
) -> usm_ndarray:
    """Return the bin edges of `histogram`.

    Parameters
    ----------
    a : usm_ndarray
        An array of real numbers.
    bins : int, usm_ndarray, numpy.ndarray, sequence or str
        The number of bins, their edges, or a rule for their number, as in `histogram`.
    range : tuple of two floats, optional
        The lower edge of the first bin and the upper edge of the last bin. Default: the smallest
        and the largest element.
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        The weights do not affect the edges. With weights, `bins` must not be a rule.

    Returns
    -------
    usm_ndarray
        The edges, one more than the number of bins.

    Raises
    ------
    TypeError, ValueError
        As from `histogram`.

    Notes
    -----
    Waits as `histogram` does. Compatible with numpy.histogram_bin_edges.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.histogram_bin_edges(usm.asarray([0.0, 1.0]), 2)
    usm_ndarray([0. , 0.5, 1. ])
    """
    x = require_array(a, "histogram_bin_edges")
    if (
        not isinstance(bins, list | tuple | str)
        and not getattr(bins, "ndim", 0)
        and range is None
        and x.size
    ):
        x = usm.stack([usm.min(x), usm.max(x)])  # which determine the edges
    return usm.histogram(x, bins, range, weights=weights if isinstance(bins, str) else None)[1]


@named_in_errors
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None
) -> tuple[usm_ndarray, tuple[usm_ndarray, ...]]:
    """Count points of several dimensions in a grid of bins.

    Parameters
    ----------
    sample : usm_ndarray or sequence of usm_ndarray
        An array with a row for each point and a column for each dimension; or a 1-D array for each
        dimension.
    bins : int, or sequence of int, usm_ndarray, numpy.ndarray or sequence
        The number of bins for all dimensions, or the number or the edges for each dimension.
    range : sequence of tuples of two floats or None, optional
        For each dimension, the lower edge of the first bin and the upper edge of the last bin.
    density : bool
        If True, the result is a probability density, whose integral is 1.
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        The weight of each point. Default: 1.

    Returns
    -------
    tuple
        The counts as floating point numbers with an axis for each dimension, and a tuple of the
        edges.

    Raises
    ------
    TypeError
        If `sample` is not an array, or numbers are complex.
    ValueError
        If shapes do not match; if bounds are not in order; or if a number of bins is less than 1.

    Notes
    -----
    Waits as `histogram` does. Compatible with numpy.histogramdd.

    Examples
    --------
    >>> import usmtensor as usm
    >>> counts, edges = usm.histogramdd(usm.asarray([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0]]), bins=2)
    >>> counts
    usm_ndarray([[1., 0.],
                 [1., 1.]])
    """
    function = "histogramdd"
    if isinstance(sample, usm_ndarray):
        if sample.ndim > 2:
            raise wrong_value(sample.ndim, function, "sample.ndim", "1 or 2")
        points = usm.unstack(sample, axis=1) if sample.ndim == 2 else (sample,)
    else:
        points = tuple(as_arrays(function, {f"sample {k}": x for k, x in enumerate(sample)}))
        if any(x.ndim != 1 or x.shape != points[0].shape for x in points):
            shapes = [x.shape for x in points]
            raise wrong_value(
                shapes, function, "the shapes of sample", "equal ones of one dimension"
            )
    count = len(points)
    several = isinstance(bins, list | tuple) or getattr(bins, "ndim", 0)
    each = list(bins) if several else [bins] * count
    ranges = [None] * count if range is None else list(range)
    for given, name in ((each, "bins"), (ranges, "range")):
        if len(given) != count:
            raise wrong_value(given, function, name, f"{count}, the number of dimensions")
    edges, indices = [], []
    for x, some, limits in zip(points, each, ranges, strict=True):
        bounds = histogram_bin_edges(x, some, limits)
        if bounds.size < 2:
            raise wrong_value(some, function, "bins", "2 bounds or more")
        at = usm.searchsorted(bounds, x, side="right") - 1 - usm.astype(x == bounds[-1], usm.int64)
        edges.append(bounds)
        indices.append(at)
    sizes = tuple(bounds.size - 1 for bounds in edges)
    inside = usm.ones(points[0].shape, dtype=bool, **location(points[0]))
    position = usm.zeros(points[0].shape, dtype=usm.int64, **location(points[0]))
    for at, n in zip(indices, sizes, strict=True):
        inside = inside & (at >= 0) & (at < n)
        position = position * n + at
    # Points outside are counted in an additional last bin, which is left out.
    total = math.prod(sizes)
    position = usm.where(inside, position, total)
    flat = usm.bincount(position, weights, minlength=total + 1)[:total]
    counts = usm.reshape(usm.astype(flat, usm.result_type(flat, 0.0), copy=False), sizes)
    if density:
        whole = usm.sum(counts)
        for axis, bounds in enumerate(edges):
            shape = tuple(sizes[axis] if k == axis else 1 for k in numpy.arange(count))
            counts = counts / usm.reshape(usm.diff(bounds), shape)
        counts = counts / whole
    return counts, tuple(edges)


@named_in_errors
def histogram2d(
    x: usm_ndarray,
    y: Any,
    bins: Any = 10,
    range: Any = None,
    density: bool = False,
    weights: Any = None,
) -> tuple[usm_ndarray, usm_ndarray, usm_ndarray]:
    """Count points of the plane in a grid of bins.

    Parameters
    ----------
    x : usm_ndarray
        A 1-D array with the first coordinates.
    y : usm_ndarray, numpy.ndarray or sequence
        The second coordinates, as many as `x` has elements.
    bins : int, pair of int or bounds, or bounds
        The number of bins for both coordinates, a pair of numbers or edges, or other than two edges
        for both.
    range : pair of tuples of two floats, optional
        For each coordinate, the lower edge of the first bin and the upper edge of the last bin.
    density : bool
        If True, the result is a probability density, whose integral is 1.
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        The weight of each point. Default: 1.

    Returns
    -------
    tuple of three usm_ndarray
        The counts as floating point numbers with an axis for each coordinate, and the edges of both
        coordinates.

    Raises
    ------
    TypeError, ValueError
        As from `histogramdd`.

    Notes
    -----
    Waits as `histogram` does. Compatible with numpy.histogram2d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> counts, rows, columns = usm.histogram2d(usm.asarray([0.0, 1.0]), usm.asarray([0.0, 1.0]), 2)
    >>> counts
    usm_ndarray([[1., 0.],
                 [0., 1.]])
    """
    first, second = as_arrays("histogram2d", {"x": require_array(x, "histogram2d", "x"), "y": y})
    if first.ndim != 1 or second.shape != first.shape:
        raise wrong_value(
            second.shape, "histogram2d", "y.shape", f"{first.shape}, of one dimension"
        )
    pair = isinstance(bins, list | tuple) and len(bins) == 2
    if not pair and (isinstance(bins, list | tuple) or getattr(bins, "ndim", 0)):
        bins = (bins, bins)
    counts, (rows, columns) = histogramdd((first, second), bins, range, density, weights)
    return counts, rows, columns
