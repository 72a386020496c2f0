"""Partial sorts and sorts by several keys."""

from typing import Any, Literal

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import colocate_all
from usmtensor._core.typing import Axis
from usmtensor._functions.arguments import axis_index, flat_or_axis, require_array, require_one_of
from usmtensor._runtime.arguments import integer, require, wrong_value

__all__ = ["argpartition", "lexsort", "partition"]


def _sort_by(function: Any, a: Any, kth: Any, axis: Any, kind: Any, name: str) -> usm_ndarray:
    """Sort completely, which is a partition at any index."""
    require_one_of(kind, ("introselect",), name, "kind")
    x, along = flat_or_axis(require_array(a, name), axis, name)
    n = x.shape[along]
    for one in kth if isinstance(kth, list | tuple) or getattr(kth, "ndim", 0) else (kth,):
        if not -n <= integer(one, name, "kth") < n:
            raise wrong_value(one, name, "kth", f"{-n} to {n - 1}, an index of the axis")
    result: usm_ndarray = function(x, axis=along)
    return result


def partition(
    a: usm_ndarray, kth: Any, axis: Axis = -1, kind: Literal["introselect"] = "introselect"
) -> usm_ndarray:
    """Partition the elements at indices: smaller elements come before, larger elements after.

    Parameters
    ----------
    a : usm_ndarray
    kth : int or sequence of int
        The indices at which the result has the elements of the sorted order. Elements before them
        are not larger, and elements after them are not smaller.
    axis : int, optional
        None: `a` is flattened in C order.
    kind : {"introselect"}
        Ignored: the method is always a complete sort.

    Returns
    -------
    usm_ndarray
        A new array. All of its elements are sorted.

    Raises
    ------
    TypeError
        If `a` is not an array, or an index is not an integer.
    ValueError
        If an index is out of range.
    AxisError
        If an axis is out of range.

    Notes
    -----
    A complete radix sort is faster than NumPy's partition. Compatible with numpy.partition.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.partition(usm.asarray([3, 1, 2]), 1)
    usm_ndarray([1, 2, 3])
    """
    return _sort_by(usm.sort, a, kth, axis, kind, "partition")


def argpartition(
    a: usm_ndarray, kth: Any, axis: Axis = -1, kind: Literal["introselect"] = "introselect"
) -> usm_ndarray:
    """Return the indices that partition an array.

    Parameters
    ----------
    a, kth, axis, kind
        As in `partition`.

    Returns
    -------
    usm_ndarray
        An array of type int64. The indices sort all elements.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `partition`.

    Notes
    -----
    A complete radix sort is faster than NumPy's partition. Compatible with numpy.argpartition.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.argpartition(usm.asarray([3, 1, 2]), 1)
    usm_ndarray([1, 2, 0])
    """
    return _sort_by(usm.argsort, a, kth, axis, kind, "argpartition")


def lexsort(keys: Any, axis: Axis = -1) -> usm_ndarray:
    """Return the indices that sort by several keys. The last key is the primary key.

    Parameters
    ----------
    keys : usm_ndarray or sequence of usm_ndarray
        Arrays of equal shape, or one array with the keys along its first axis.
    axis : int
        The axis of the keys to sort along.

    Returns
    -------
    usm_ndarray
        An array of type int64 with the shape of a key.

    Raises
    ------
    TypeError
        If a key is not an array.
    ValueError
        If there are no keys, or shapes differ.
    AxisError
        If an axis is out of range.

    Notes
    -----
    The sort is stable. Compatible with numpy.lexsort.

    Examples
    --------
    >>> import usmtensor as usm
    >>> first, last = usm.asarray([2, 1, 1]), usm.asarray([5, 5, 4])
    >>> usm.lexsort((first, last))
    usm_ndarray([2, 1, 0])
    """
    given = usm.unstack(keys) if isinstance(keys, usm_ndarray) and keys.ndim else keys
    require(given, (list, tuple), "lexsort", "keys", "a sequence of arrays")
    if not given:
        raise wrong_value(keys, "lexsort", "keys", "1 array or more")
    arrays = colocate_all(given, "lexsort", "a key")
    shapes = {x.shape for x in arrays}
    if len(shapes) > 1:
        raise wrong_value([x.shape for x in arrays], "lexsort", "the shapes", "equal shapes")
    if not arrays[0].ndim:
        return usm.zeros_like(arrays[0], dtype=usm.int64)
    along = axis_index(axis, arrays[0].ndim, "lexsort")
    order = usm.argsort(arrays[0], axis=along)
    for x in arrays[1:]:
        ranked = usm.argsort(usm.take_along_axis(x, order, along), axis=along)
        order = usm.take_along_axis(order, ranked, along)
    return order
