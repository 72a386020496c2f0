"""Join arrays along rows, columns and blocks; split arrays; insert and delete elements."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._composed.shapes import as_1d, as_2d, as_3d
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import arrays_to_join, as_arrays
from usmtensor._core.typing import ArrayOperand, Axis, Casting, DType
from usmtensor._functions.arguments import (
    axis_index,
    flat_or_axis,
    location,
    named_in_errors,
    require_array,
)
from usmtensor._runtime.arguments import integer, require, wrong_value

__all__ = ["append", "array_split", "block", "column_stack", "delete", "dsplit", "dstack"]
__all__ += ["hsplit", "hstack", "insert", "split", "vsplit", "vstack"]


def _join(
    tup: Any,
    function: str,
    prepare: Any,
    axis: int,
    dtype: DType = None,
    casting: Casting = "same_kind",
) -> usm_ndarray:
    require(tup, (list, tuple), function, "tup", "tuple or list of usm_ndarray")
    parts = [prepare(x) for x in arrays_to_join(tup, function)]
    if parts and parts[0].ndim == 1:
        axis = 0
    return usm.concat(parts, axis=axis, dtype=dtype, casting=casting)


@named_in_errors
def vstack(
    tup: Sequence[usm_ndarray], *, dtype: DType = None, casting: Casting = "same_kind"
) -> usm_ndarray:
    """Join arrays along their first axis. A 1-D array is a row.

    Parameters
    ----------
    tup : tuple or list of usm_ndarray
    dtype : data type, optional
        Default: the type that the arrays promote to.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The casts to `dtype` that are allowed.

    Returns
    -------
    usm_ndarray
        An array of two or more dimensions.

    Raises
    ------
    TypeError
        If one of the arrays is not an array.
    ValueError
        If there are no arrays, or shapes do not match.

    Notes
    -----
    Compatible with numpy.vstack.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vstack([usm.asarray([1, 2]), usm.asarray([3, 4])])
    usm_ndarray([[1, 2],
                 [3, 4]])
    """
    return _join(tup, "vstack", as_2d, 0, dtype, casting)


@named_in_errors
def hstack(
    tup: Sequence[usm_ndarray], *, dtype: DType = None, casting: Casting = "same_kind"
) -> usm_ndarray:
    """Join arrays along their second axis, or along the only axis.

    Parameters
    ----------
    tup : tuple or list of usm_ndarray
        Next to arrays also numbers and sequences.
    dtype : data type, optional
        Default: the type that the arrays promote to.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The casts to `dtype` that are allowed.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If one of the arrays is not an array.
    ValueError
        If there are no arrays, or shapes do not match.

    Notes
    -----
    Compatible with numpy.hstack.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.hstack([usm.asarray([1, 2]), usm.asarray([3])])
    usm_ndarray([1, 2, 3])
    """
    if isinstance(tup, list | tuple):
        like = next((x for x in tup if isinstance(x, usm_ndarray)), None)
        tup = [x if like is None else _number_as_line(x, like) for x in tup]
    return _join(tup, "hstack", as_1d, 1, dtype, casting)


def _number_as_line(x: Any, like: usm_ndarray) -> Any:
    """Return a number as an array of one element, in the type of another array if it fits."""
    if not isinstance(x, int | float | complex | numpy.generic):
        return x
    return usm.asarray([x], dtype=usm.result_type(like, x), **location(like))


@named_in_errors
def dstack(tup: Sequence[usm_ndarray]) -> usm_ndarray:
    """Join arrays along their third axis, which is added if it is missing.

    Parameters
    ----------
    tup : tuple or list of usm_ndarray

    Returns
    -------
    usm_ndarray
        An array of three or more dimensions.

    Raises
    ------
    TypeError
        If one of the arrays is not an array.
    ValueError
        If there are no arrays, or shapes do not match.

    Notes
    -----
    Compatible with numpy.dstack.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.dstack([usm.asarray([1, 2]), usm.asarray([3, 4])])
    usm_ndarray([[[1, 3],
                  [2, 4]]])
    """
    return _join(tup, "dstack", as_3d, 2)


@named_in_errors
def column_stack(tup: Sequence[usm_ndarray]) -> usm_ndarray:
    """Join arrays along their second axis. A 1-D array is a column.

    Parameters
    ----------
    tup : tuple or list of usm_ndarray

    Returns
    -------
    usm_ndarray
        A 2-D array.

    Raises
    ------
    TypeError
        If one of the arrays is not an array.
    ValueError
        If there are no arrays, or shapes do not match.

    Notes
    -----
    Compatible with numpy.column_stack.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.column_stack([usm.asarray([1, 2]), usm.asarray([3, 4])])
    usm_ndarray([[1, 3],
                 [2, 4]])
    """

    def as_columns(x: usm_ndarray) -> usm_ndarray:
        return x if x.ndim > 1 else usm.reshape(x, (x.size, 1))

    return _join(tup, "column_stack", as_columns, 1)


@named_in_errors
def block(arrays: Any) -> usm_ndarray:
    """Join nested lists of blocks.

    The innermost lists are joined along the last axis, the lists of them along the axis before, and
    so on.

    Parameters
    ----------
    arrays : nested list of usm_ndarray or number
        All blocks have the same nesting depth. At least one block is an array.

    Returns
    -------
    usm_ndarray
        An array. Blocks of fewer dimensions get leading axes of extent 1.

    Raises
    ------
    TypeError
        If a block is neither an array nor a number.
    ValueError
        If a list is empty; if blocks are in different numbers of lists; or if shapes do not match.

    Notes
    -----
    Compatible with numpy.block.

    Examples
    --------
    >>> import usmtensor as usm
    >>> one, zero = usm.eye(2, dtype="i4"), usm.zeros((2, 1), dtype="i4")
    >>> usm.block([[one, zero], [usm.asarray([7, 8, 9], dtype="i4")]])
    usm_ndarray([[1, 0, 0],
                 [0, 1, 0],
                 [7, 8, 9]], dtype=int32)
    """
    leaves: list[tuple[Any, int]] = []
    _find_blocks(arrays, 0, leaves)
    depth = leaves[0][1]
    if any(other != depth for _, other in leaves):
        raise wrong_value(arrays, "block", "arrays", f"all blocks in {depth} nested lists")
    given = [value for value, _ in leaves]
    first = next((x for x in given if isinstance(x, usm_ndarray)), None)
    require_array(given[0] if first is None else first, "block", "a block of arrays")
    blocks = [
        x if isinstance(x, usm_ndarray) else as_arrays("block", {"first": first, "a block": x})[1]
        for x in given
    ]
    ndim = max(depth, *(x.ndim for x in blocks))
    blocks = [usm.reshape(x, (1,) * (ndim - x.ndim) + x.shape) for x in blocks]
    result = _join_blocks(arrays, depth, iter(blocks))
    return usm.copy(result) if depth == 0 else result


def _find_blocks(value: Any, depth: int, leaves: list[tuple[Any, int]]) -> None:
    if not isinstance(value, list):
        leaves.append((value, depth))
    elif not value or depth == 64:
        raise wrong_value(value, "block", "a list of arrays", "1 block or more, in up to 64 lists")
    else:
        for one in value:
            _find_blocks(one, depth + 1, leaves)


def _join_blocks(value: Any, depth: int, blocks: Any) -> usm_ndarray:
    if not isinstance(value, list):
        block: usm_ndarray = next(blocks)
        return block
    return usm.concat([_join_blocks(one, depth - 1, blocks) for one in value], axis=-depth)


# Parts


@named_in_errors
def array_split(ary: usm_ndarray, indices_or_sections: Any, axis: Axis = 0) -> list[usm_ndarray]:
    """Split an array along an axis into nearly equal parts, or at given indices.

    Parameters
    ----------
    ary : usm_ndarray
    indices_or_sections : int or sequence of int
        The number of parts, of which the first may have one element more; or the indices at which
        to split.
    axis : int

    Returns
    -------
    list of usm_ndarray
        Views.

    Raises
    ------
    TypeError
        If `ary` is not an array, or indices are not integers.
    ValueError
        If there is less than one part.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with numpy.array_split.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.array_split(usm.arange(5), 2)
    [usm_ndarray([0, 1, 2]), usm_ndarray([3, 4])]
    """
    return _parts(ary, indices_or_sections, axis, "array_split")


def split(ary: usm_ndarray, indices_or_sections: Any, axis: Axis = 0) -> list[usm_ndarray]:
    """Split an array along an axis into equal parts, or at given indices.

    Parameters
    ----------
    ary : usm_ndarray
    indices_or_sections : int or sequence of int
        The number of equal parts, or the indices at which to split.
    axis : int

    Returns
    -------
    list of usm_ndarray
        Views.

    Raises
    ------
    TypeError
        If `ary` is not an array, or indices are not integers.
    ValueError
        If there is less than one part, or the parts are not equal.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with numpy.split.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.split(usm.arange(5), [1, 3])
    [usm_ndarray([0]), usm_ndarray([1, 2]), usm_ndarray([3, 4])]
    """
    return _parts(ary, indices_or_sections, axis, "split")


def _parts(ary: Any, given: Any, axis: Any, function: str) -> list[usm_ndarray]:
    x = require_array(ary, function, "ary")
    along = axis_index(axis, x.ndim, function)
    n = x.shape[along]
    if isinstance(given, list | tuple) or getattr(given, "ndim", 0):
        bounds = [integer(one, function, "an index") for one in given]
        bounds = [0, *bounds, n]
    else:
        count: int = integer(given, function, "indices_or_sections")
        if count < 1 or (function != "array_split" and n % count):
            expected = "1 or more" if count < 1 else f"a divisor of {n}, the extent of axis {along}"
            raise wrong_value(given, function, "indices_or_sections", expected)
        each, longer = divmod(n, count)
        # Make the list first, because Python raises if it is too long.
        extents = [each + 1] * longer + [each] * (count - longer)
        bounds = list(accumulate(extents, initial=0))
    before = (slice(None),) * along
    return [x[(*before, slice(a, b))] for a, b in pairwise(bounds)]


def _split_along(ary: Any, given: Any, axis: int, least: int, function: str) -> list[usm_ndarray]:
    if require_array(ary, function, "ary").ndim < least:
        raise wrong_value(ary.ndim, function, "ary.ndim", f"{least} or more")
    return _parts(ary, given, axis, function)


def vsplit(ary: usm_ndarray, indices_or_sections: Any) -> list[usm_ndarray]:
    """Split an array along its first axis: `split` with axis 0.

    Parameters
    ----------
    ary : usm_ndarray
        An array of two or more dimensions.
    indices_or_sections : int or sequence of int
        As in `split`.

    Returns
    -------
    list of usm_ndarray
        Views.

    Raises
    ------
    TypeError, ValueError
        As from `split`, and if there are fewer than two dimensions.

    Notes
    -----
    Compatible with numpy.vsplit.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vsplit(usm.ones((4, 2)), 2)[0].shape
    (2, 2)
    """
    return _split_along(ary, indices_or_sections, 0, 2, "vsplit")


def hsplit(ary: usm_ndarray, indices_or_sections: Any) -> list[usm_ndarray]:
    """Split an array along its second axis, or along the only axis.

    Parameters
    ----------
    ary : usm_ndarray
        An array of one or more dimensions.
    indices_or_sections : int or sequence of int
        As in `split`.

    Returns
    -------
    list of usm_ndarray
        Views.

    Raises
    ------
    TypeError, ValueError
        As from `split`, and if there is no dimension.

    Notes
    -----
    Compatible with numpy.hsplit.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.hsplit(usm.ones((4, 2)), 2)[0].shape
    (4, 1)
    """
    axis = 0 if require_array(ary, "hsplit", "ary").ndim == 1 else 1
    return _split_along(ary, indices_or_sections, axis, 1, "hsplit")


def dsplit(ary: usm_ndarray, indices_or_sections: Any) -> list[usm_ndarray]:
    """Split an array along its third axis: `split` with axis 2.

    Parameters
    ----------
    ary : usm_ndarray
        An array of three or more dimensions.
    indices_or_sections : int or sequence of int
        As in `split`.

    Returns
    -------
    list of usm_ndarray
        Views.

    Raises
    ------
    TypeError, ValueError
        As from `split`, and if there are fewer than three dimensions.

    Notes
    -----
    Compatible with numpy.dsplit.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.dsplit(usm.ones((4, 2, 6)), 3)[0].shape
    (4, 2, 2)
    """
    return _split_along(ary, indices_or_sections, 2, 3, "dsplit")


# Elements


@named_in_errors
def append(arr: ArrayOperand, values: Any, axis: Axis = None) -> usm_ndarray:
    """Append elements at the end of an array.

    Parameters
    ----------
    arr : usm_ndarray or numpy.ndarray
    values : usm_ndarray, numpy.ndarray, sequence or number
        The elements. If an axis is given, an array of the shape of `arr` except along this axis.
    axis : int, optional
        Default: both arrays are flattened in C order.

    Returns
    -------
    usm_ndarray
        A new array of the type to which both promote.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If the shapes do not match.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with numpy.append.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.append(usm.asarray([1, 2]), [3, 4])
    usm_ndarray([1, 2, 3, 4])
    """
    parts = as_arrays("append", {"arr": arr, "values": values})
    return usm.concat(parts, axis=axis)


@named_in_errors
def delete(arr: usm_ndarray, obj: Any, axis: Axis = None) -> usm_ndarray:
    """Delete elements along an axis.

    Parameters
    ----------
    arr : usm_ndarray
    obj : int, slice, usm_ndarray, numpy.ndarray or sequence
        Indices of the elements, or a mask of bools.
    axis : int, optional
        Default: `arr` is flattened in C order.

    Returns
    -------
    usm_ndarray
        A new array.

    Raises
    ------
    TypeError
        If `arr` is not an array.
    IndexError
        If an index is out of range, or not an integer.
    ValueError
        If a mask does not have an element for each index of the axis.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Waits if `obj` is a usm_ndarray. Compatible with numpy.delete.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.delete(usm.asarray([1, 2, 3, 4]), [0, 2])
    usm_ndarray([2, 4])
    """
    x, along = flat_or_axis(require_array(arr, "delete", "arr"), axis, "delete")
    keep: Any
    n = x.shape[along]
    if isinstance(obj, list | tuple | bool):
        obj = numpy.asarray(obj) if obj != [] and obj != () else numpy.empty(0, int)
    if getattr(obj, "dtype", None) == "?" and obj.shape != (n,):
        raise wrong_value(obj.shape, "delete", "the shape of the mask obj", f"({n},)")
    if type(obj) is int and -n <= obj < n:
        before, k = (slice(None),) * along, obj % n
        return usm.concat([x[(*before, slice(k))], x[(*before, slice(k + 1, n))]], axis=along)
    if isinstance(obj, usm_ndarray):
        keep = usm.ones(x.shape[along], dtype=bool, **location(x))
    else:
        keep = numpy.ones(x.shape[along], bool)
    keep[obj] = False
    (kept,) = usm.nonzero(keep) if isinstance(obj, usm_ndarray) else numpy.nonzero(keep)
    return usm.take(x, usm.asarray(kept, **location(x)), axis=along)


@named_in_errors
def insert(arr: usm_ndarray, obj: Any, values: Any, axis: Axis = None) -> usm_ndarray:
    """Insert elements before given indices of an axis.

    Parameters
    ----------
    arr : usm_ndarray
    obj : int, slice, usm_ndarray, numpy.ndarray or sequence
        The indices in `arr` before which elements are inserted, or a mask of bools.
    values : usm_ndarray, numpy.ndarray, sequence or number
        The elements. They broadcast to the shape of `arr` with one index of the axis for each
        element of `obj`; for a single integer the axis may have any extent, and comes first.
    axis : int, optional
        Default: `arr` is flattened in C order.

    Returns
    -------
    usm_ndarray
        A new array of the type of `arr`.

    Raises
    ------
    TypeError
        If `arr` is not an array, or `values` are neither an array nor a number.
    IndexError
        If an index is out of range, or not an integer.
    ValueError
        If the shape of the values does not match.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Waits if `obj` is a usm_ndarray. Compatible with numpy.insert.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.insert(usm.asarray([1, 2, 3]), 1, 9)
    usm_ndarray([1, 9, 2, 3])
    """
    x, along = flat_or_axis(require_array(arr, "insert", "arr"), axis, "insert")
    n = x.shape[along]
    added = usm.asarray(values, dtype=x.dtype, **location(x))
    if isinstance(obj, slice):
        obj = numpy.arange(n)[obj]
    elif isinstance(obj, usm_ndarray):
        obj = usm.asnumpy(obj)  # the shape depends on the indices
    indices = numpy.asarray(obj)
    if indices.dtype == bool:
        indices = numpy.flatnonzero(indices)
    elif indices.size == 0:
        indices = indices.astype(int)
    if indices.dtype.kind not in "iu" or indices.ndim > 1:
        raise IndexError("insert: obj has wrong indices; expected integers along one axis")
    if (outside := indices[(indices < -n) | (indices > n)]).size:
        raise IndexError(f"insert: index {outside.flat[0]} is out of range for {n} elements")
    if indices.ndim == 0 or (indices.size == 1 and not isinstance(obj, slice)):
        added = usm.reshape(added, (1,) * (x.ndim - added.ndim) + added.shape)
        if indices.ndim == 0:
            added = usm.moveaxis(added, 0, along)
        k, count = int(indices.flat[0]), added.shape[along]
        k += n if k < 0 else 0
        shape = (*x.shape[:along], n + count, *x.shape[along + 1 :])
        result = usm.empty(shape, dtype=x.dtype, **location(x))
        before = (slice(None),) * along
        result[(*before, slice(k))] = x[(*before, slice(k))]
        result[(*before, slice(k, k + count))] = added
        result[(*before, slice(k + count, n + count))] = x[(*before, slice(k, n))]
        return result
    indices = numpy.where(indices < 0, indices + n, indices)
    order = numpy.argsort(indices, kind="stable")
    indices[order] += numpy.arange(indices.size)
    old = numpy.ones(n + indices.size, bool)
    old[indices] = False
    shape = (*x.shape[:along], old.size, *x.shape[along + 1 :])
    result = usm.empty(shape, dtype=x.dtype, **location(x))
    before = (slice(None),) * along
    result[(*before, usm.asarray(indices, **location(x)))] = added
    result[(*before, usm.asarray(numpy.flatnonzero(old), **location(x)))] = x
    return result
