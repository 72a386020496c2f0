"""Set operations: distinct elements or rows, unions, intersections and differences."""

from typing import Any

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._core.typing import Axis
from usmtensor._functions.arguments import axis_index, location, named_in_errors, require_array

__all__ = ["intersect1d", "setdiff1d", "setxor1d", "union1d", "unique"]


@named_in_errors
def unique(
    ar: usm_ndarray,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Axis = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """Return the distinct elements of an array, or the distinct parts along an axis, sorted.

    Parameters
    ----------
    ar : usm_ndarray
    return_index : bool
        If True, also return the index of the first occurrence of each element.
    return_inverse : bool
        If True, also return the index of each element of `ar` in the result.
    return_counts : bool
        If True, also return the number of occurrences of each element.
    axis : int, optional
        The axis along which parts are compared. Default: `ar` is flattened in C order.
    equal_nan : bool
        If True, NaN equals NaN. Parts with NaN are always distinct if `ar` has two or more
        dimensions.
    sorted : bool
        Accepted for compatibility, and ignored.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        The elements, and the requested indices, inverse indices and counts of type int64.

    Raises
    ------
    TypeError
        If `ar` is not an array.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.unique.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([3, 1, 3])
    >>> usm.unique(x, return_counts=True)
    (usm_ndarray([1, 3]), usm_ndarray([1, 2]))
    >>> usm.unique(usm.asarray([[1, 2], [0, 1], [1, 2]]), axis=0)
    usm_ndarray([[0, 1],
                 [1, 2]])
    """
    x = require_array(ar, "unique", "ar")
    along = None if axis is None else axis_index(axis, x.ndim, "unique")
    has_parts = along is not None and x.ndim > 1
    if along is not None and has_parts:
        results = _unique_parts(x, along)
    elif return_index or (return_inverse and return_counts):
        results = tuple(usm.unique_all(x))
    elif return_inverse:
        values, inverse = usm.unique_inverse(x)
        results = values, None, inverse, None
    elif return_counts:
        values, counts = usm.unique_counts(x)
        results = values, None, None, counts
    else:
        results = usm.unique_values(x), None, None, None
    if not has_parts and equal_nan and x.dtype.kind in "fc":
        results = _with_one_nan(*results)
    asked = (True, return_index, return_inverse, return_counts)
    found = tuple(one for one, is_asked in zip(results, asked, strict=True) if is_asked)
    return found if len(found) > 1 else found[0]


def _with_one_nan(values: usm_ndarray, index: Any, inverse: Any, counts: Any) -> tuple[Any, ...]:
    """Return the results of `unique_all`, or None in their places, with all NaN merged.

    NaN comes last.
    """
    total = int(usm.count_nonzero(usm.isnan(values)))
    if total < 2:
        return values, index, inverse, counts
    first = values.size - total
    if index is not None:
        index = usm.concat([index[:first], usm.min(index[first:], keepdims=True)])
    if inverse is not None:
        inverse = usm.minimum(inverse, first)
    if counts is not None:
        counts = usm.concat([counts[:first], usm.sum(counts[first:], keepdims=True)])
    return values[: first + 1], index, inverse, counts


def _unique_parts(x: usm_ndarray, axis: int) -> tuple[Any, ...]:
    """Return the results of `unique_all` for the parts along an axis."""
    rows = usm.moveaxis(x, axis, 0)
    flat = usm.reshape(rows, (rows.shape[0], x.size // rows.shape[0] if rows.shape[0] else 0))
    count = flat.shape[0]
    order = usm.arange(count, **location(x))
    for column in range(flat.shape[1] - 1, -1, -1):
        order = usm.take(order, usm.argsort(usm.take(flat[:, column], order)))
    ordered = usm.take(flat, order, axis=0)
    differs = usm.any(ordered[1:] != ordered[:-1], axis=1)
    starts = usm.concat([usm.ones(min(count, 1), dtype=bool, **location(x)), differs])
    (first,) = usm.nonzero(starts)
    index = usm.take(order, first)  # the sort is stable, so this is the first of equal rows
    inverse = usm.empty(count, dtype=usm.int64, **location(x))
    inverse[order] = usm.cumulative_sum(usm.astype(starts, usm.int64)) - 1
    ends = usm.concat([first[1:], usm.full(min(count, 1), count, **location(x))])
    values = usm.moveaxis(usm.take(rows, index, axis=0), 0, axis)
    return values, index, inverse, ends - first


def _flat_pair(ar1: Any, ar2: Any, function: str) -> list[usm_ndarray]:
    return [usm.reshape(x, -1) for x in as_arrays(function, {"ar1": ar1, "ar2": ar2})]


def union1d(ar1: Any, ar2: Any) -> usm_ndarray:
    """Return the sorted distinct elements of two arrays.

    Parameters
    ----------
    ar1, ar2 : usm_ndarray, numpy.ndarray or sequence
        Arrays, which are flattened. At least one is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the type to which both promote.

    Raises
    ------
    TypeError
        If an operand is not an array.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.union1d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.union1d(usm.asarray([3, 1]), usm.asarray([2, 3]))
    usm_ndarray([1, 2, 3])
    """
    result: usm_ndarray = unique(usm.concat(_flat_pair(ar1, ar2, "union1d")))
    return result


@named_in_errors
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Return the sorted distinct elements that are in both of two arrays.

    Parameters
    ----------
    ar1, ar2 : usm_ndarray, numpy.ndarray or sequence
        Arrays, which are flattened. At least one is a usm_ndarray.
    assume_unique : bool
        If True, the elements of each array are assumed to be distinct.
    return_indices : bool
        If True, also return the indices of the first occurrences in each array.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        A 1-D array, of the type to which both promote, and the indices.

    Raises
    ------
    TypeError
        If an operand is not an array.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.intersect1d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.intersect1d(usm.asarray([3, 1, 3]), usm.asarray([2, 3]))
    usm_ndarray([3])
    """
    x, y = _flat_pair(ar1, ar2, "intersect1d")
    first = second = None
    if not assume_unique:
        if return_indices:
            x, first = unique(x, return_index=True)
            y, second = unique(y, return_index=True)
        else:
            x, y = unique(x), unique(y)
    both = usm.concat([x, y])
    order = usm.argsort(both)
    both = usm.take(both, order)
    (at,) = usm.nonzero(both[1:] == both[:-1])
    values = usm.take(both, at)
    if not return_indices:
        return values
    one, other = usm.take(order, at), usm.take(order, at + 1) - x.size
    if not assume_unique:
        one, other = usm.take(first, one), usm.take(second, other)
    return values, one, other


@named_in_errors
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> usm_ndarray:
    """Return the distinct elements of an array that are not in another array.

    Parameters
    ----------
    ar1, ar2, assume_unique
        As in `intersect1d`.

    Returns
    -------
    usm_ndarray
        A 1-D array of the type of `ar1`, sorted unless `assume_unique` is given.

    Raises
    ------
    TypeError, ExecutionPlacementError
        As from `intersect1d`.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.setdiff1d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.setdiff1d(usm.asarray([3, 1, 3]), usm.asarray([2, 3]))
    usm_ndarray([1])
    """
    x, y = as_arrays("setdiff1d", {"ar1": ar1, "ar2": ar2})
    x = usm.reshape(x, -1) if assume_unique else unique(x)
    return x[usm.isin(x, usm.reshape(y, -1), invert=True)]


@named_in_errors
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> usm_ndarray:
    """Return the sorted distinct elements that are in only one of two arrays.

    Parameters
    ----------
    ar1, ar2, assume_unique
        As in `intersect1d`.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the type to which both promote.

    Raises
    ------
    TypeError, ExecutionPlacementError
        As from `intersect1d`.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.setxor1d.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.setxor1d(usm.asarray([3, 1]), usm.asarray([2, 3]))
    usm_ndarray([1, 2])
    """
    x, y = _flat_pair(ar1, ar2, "setxor1d")
    if not assume_unique:
        x, y = unique(x), unique(y)
    both = usm.sort(usm.concat([x, y]))
    if both.size == 0:
        return both
    edge = usm.ones(1, dtype=bool, **location(both))
    differs = usm.concat([edge, both[1:] != both[:-1], edge])
    return both[differs[1:] & differs[:-1]]
