"""Index arrays, their conversion to and from flat indices, and NumPy's index notation."""

import math
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._core.typing import DType, Order
from usmtensor._functions.arguments import (
    host_values,
    location,
    named_in_errors,
    require_array,
    require_one_of,
)
from usmtensor._runtime.arguments import natural, require, wrong_value

__all__ = ["argwhere", "c_", "flatnonzero", "indices", "ix_", "mask_indices", "mgrid"]
__all__ += ["ogrid", "r_", "ravel_multi_index", "unravel_index"]


def _extents(shape: Any, function: str, argument: str) -> tuple[int, ...]:
    given = shape if isinstance(shape, list | tuple) else (shape,)
    extents = tuple(natural(n, function, argument) for n in given)
    if math.prod(extents) >= 2**63:
        raise wrong_value(shape, function, argument, "fewer than 2**63 elements")
    return extents


def argwhere(a: usm_ndarray) -> usm_ndarray:
    """Return the indices of nonzero elements.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    usm_ndarray
        int64: a row for each element, a column for each axis.

    Raises
    ------
    TypeError
        If `a` is not an array.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.argwhere.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.argwhere(usm.asarray([[0, 1], [2, 0]]))
    usm_ndarray([[0, 1],
                 [1, 0]])
    """
    x = require_array(a, "argwhere")
    if x.ndim == 0:
        return argwhere(usm.reshape(x, 1))[:, :0]
    return usm.stack(usm.nonzero(x), axis=-1)


def flatnonzero(a: usm_ndarray) -> usm_ndarray:
    """Return the indices of nonzero elements in the flattened array.

    Parameters
    ----------
    a : usm_ndarray

    Returns
    -------
    usm_ndarray
        A 1-D array of type int64.

    Raises
    ------
    TypeError
        If `a` is not an array.

    Notes
    -----
    Waits for the number of elements. Compatible with numpy.flatnonzero.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.flatnonzero(usm.asarray([[0, 1], [2, 0]]))
    usm_ndarray([1, 2])
    """
    x = require_array(a, "flatnonzero")
    return usm.nonzero(usm.reshape(x, x.size))[0]


@named_in_errors
def indices(
    dimensions: Sequence[SupportsIndex],
    dtype: DType = int,
    sparse: bool = False,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> Any:
    """Return the indices of all elements of an array.

    Parameters
    ----------
    dimensions : tuple of int
        The shape of the array.
    dtype : data type
        Default: the default integer type.
    sparse : bool
        If True, return an array for each axis, whose other extents are 1.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    Returns
    -------
    usm_ndarray or tuple of usm_ndarray
        An array of shape ``(len(dimensions), *dimensions)``, or a tuple of arrays.

    Raises
    ------
    TypeError
        If an extent is not an integer.
    ValueError
        If an extent is negative.

    Notes
    -----
    Compatible with numpy.indices.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.indices((2, 2))[0]
    usm_ndarray([[0, 0],
                 [1, 1]])
    """
    shape = _extents(dimensions, "indices", "dimensions")
    lines = [
        usm.reshape(
            usm.arange(n, dtype=dtype, device=device, usm_type=usm_type, sycl_queue=sycl_queue),
            tuple(n if k == axis else 1 for k in range(len(shape))),
        )
        for axis, n in enumerate(shape)
    ]
    if sparse:
        return tuple(lines)
    result = usm.empty(
        (len(shape), *shape), dtype, device=device, usm_type=usm_type, sycl_queue=sycl_queue
    )
    for axis, line in enumerate(lines):
        result[axis, ...] = line
    return result


@named_in_errors
def unravel_index(indices: Any, shape: Any, order: Order = "C") -> tuple[Any, ...]:
    """Convert flat indices to an index for each axis.

    Parameters
    ----------
    indices : usm_ndarray or int
        Integers.
    shape : int or tuple of int
        The shape of the array.
    order : {"C", "F"}
        The memory order of the array.

    Returns
    -------
    tuple of usm_ndarray
        An int64 array for each axis; NumPy integers for an integer.

    Raises
    ------
    TypeError
        If `indices` is not an array of integers.
    ValueError
        If a flat index is out of range, or the order is unknown.

    Notes
    -----
    Waits for the check of the indices. Compatible with numpy.unravel_index.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.unravel_index(usm.asarray([1, 5]), (2, 3))
    (usm_ndarray([0, 1]), usm_ndarray([1, 2]))
    """
    order = "C" if order is None else order
    require_one_of(order, ("C", "F"), "unravel_index", "order")
    extents = _extents(shape, "unravel_index", "shape")
    if isinstance(indices, int | numpy.integer) and not isinstance(indices, bool):
        if not 0 <= indices < math.prod(extents):
            expected = f"0 to {math.prod(extents) - 1}"
            raise wrong_value(indices, "unravel_index", "indices", expected)
        return numpy.unravel_index(indices, extents, order)
    at = require_array(indices, "unravel_index", "indices")
    if at.dtype.kind not in "iu":
        raise TypeError(f"unravel_index: indices are of data type {at.dtype}; expected integers")
    size = math.prod(extents)
    if usm.any((at < 0) | (at >= size)):
        raise ValueError(f"unravel_index: an index is out of range; expected 0 to {size - 1}")
    at = usm.astype(at, usm.int64, copy=False)
    found = []
    for n in extents[::-1] if order == "C" else extents:
        found.append(at % n)
        at = at // n
    return tuple(found[::-1] if order == "C" else found)


@named_in_errors
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Order = "C") -> Any:
    """Convert an index for each axis to flat indices.

    Parameters
    ----------
    multi_index : sequence of usm_ndarray or int, or usm_ndarray
        Integers for each axis, which broadcast; or one array with the axes along its first axis.
    dims : tuple of int
        The shape of the array.
    mode : {"raise", "wrap", "clip"}, or tuple of them
        The treatment of indices out of range, for all axes or for each. "raise" waits and raises,
        "wrap" takes the remainder, "clip" takes the nearest index.
    order : {"C", "F"}
        The memory order of the array.

    Returns
    -------
    usm_ndarray
        An array of type int64; a NumPy integer if all indices are integers.

    Raises
    ------
    TypeError
        If an index is not an integer.
    ValueError
        If an index is out of range; if the numbers of indices and axes differ; or if a word is
        unknown.

    Notes
    -----
    Compatible with numpy.ravel_multi_index.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ravel_multi_index((usm.asarray([0, 1]), usm.asarray([1, 2])), (2, 3))
    usm_ndarray([1, 5])
    """
    function = "ravel_multi_index"
    order = "C" if order is None else order
    require_one_of(order, ("C", "F"), function, "order")
    extents = _extents(dims, function, "dims")
    given = usm.unstack(multi_index) if isinstance(multi_index, usm_ndarray) else multi_index
    modes = mode if isinstance(mode, list | tuple) else (mode,) * len(extents)
    if not len(given) == len(extents) == len(modes) or not extents:
        raise wrong_value(dims, function, "dims", f"{len(given)} extents and modes, one or more")
    if all(isinstance(x, int | numpy.integer) and not isinstance(x, bool) for x in given):
        try:
            return numpy.ravel_multi_index(given, extents, modes, order)
        except (TypeError, ValueError) as error:
            error.args = (f"{function}: {error}",)
            raise
    arrays = as_arrays(function, {f"index {k}": x for k, x in enumerate(given)})
    position = None
    rows = list(zip(arrays, extents, modes, strict=True))
    for index, n, word in rows if order == "C" else rows[::-1]:
        require_one_of(word, ("raise", "wrap", "clip"), function, "mode")
        if index.dtype.kind not in "iu":
            raise TypeError(
                f"{function}: an index is of data type {index.dtype}; expected integers"
            )
        at = usm.astype(index, usm.int64, copy=False)
        if word == "clip":
            at = usm.clip(at, 0, n - 1)
        elif word == "wrap":
            at = at % n
        elif usm.any((at < 0) | (at >= n)):
            raise ValueError(f"{function}: an index is out of range; expected 0 to {n - 1}")
        position = at if position is None else position * n + at
    return usm.copy(position) if len(extents) == 1 else position


@named_in_errors
def mask_indices(
    n: SupportsIndex, mask_func: Callable[..., Any], k: Any = 0
) -> tuple[usm_ndarray, ...]:
    """Return the indices of the elements of a square matrix that a mask function keeps.

    Parameters
    ----------
    n : int
        The number of rows.
    mask_func : callable
        A function of an array and of `k`, such as `triu`.
    k : object
        The second argument of the function.

    Returns
    -------
    tuple of usm_ndarray
        The rows and the columns.

    Raises
    ------
    ValueError
        If `n` is negative.

    Notes
    -----
    Waits for the number of elements. Compatible with `numpy.mask_indices`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.mask_indices(2, usm.triu)
    (usm_ndarray([0, 0, 1]), usm_ndarray([0, 1, 1]))
    """
    count = natural(n, "mask_indices", "n")
    return usm.nonzero(mask_func(usm.ones((count, count), dtype="i4"), k))


@named_in_errors
def ix_(*args: Any) -> tuple[usm_ndarray, ...]:
    """Make index arrays that select a block: ``x[ix_(rows, columns)]``.

    Parameters
    ----------
    *args : usm_ndarray, numpy.ndarray or sequence
        1-D arrays of integers, or of bools that select indices. If none is a usm_ndarray, the
        result is on the default device.

    Returns
    -------
    tuple of usm_ndarray
        An array for each argument, with its elements along one axis and extent 1 along the others.

    Raises
    ------
    TypeError
        If an argument is neither an array nor a sequence.
    ValueError
        If an argument is not 1-D.

    Notes
    -----
    Waits if an argument has bools. Compatible with `numpy.ix_`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.reshape(usm.arange(6), (2, 3))
    >>> x[usm.ix_(usm.asarray([1, 0]), [0, 2])]
    usm_ndarray([[3, 5],
                 [0, 2]])
    """
    if not any(
        isinstance(one, usm_ndarray) for one in args
    ):  # use the default device, as creation functions do
        args = tuple(map(usm.asarray, args))
    found = as_arrays("ix_", {f"argument {k}": one for k, one in enumerate(args)})
    for k, line in enumerate(found):
        if line.ndim != 1:
            raise wrong_value(line.shape, "ix_", f"argument {k}.shape", "one dimension")
        if line.dtype == "?":
            line = usm.nonzero(line)[0]
        elif line.size == 0:
            line = usm.astype(line, usm.int64)
        found[k] = usm.reshape(line, tuple(-1 if j == k else 1 for j in range(len(found))))
    return tuple(found)


# Grids and concatenation in index notation


def _on_host(key: Any) -> Any:
    """Return a slice, or a tuple of slices, with 0-D arrays as numbers."""
    if isinstance(key, tuple):
        return tuple(_on_host(part) for part in key)
    if isinstance(key, slice):
        return slice(*host_values((key.start, key.stop, key.step)))
    return key


class _Notation:
    """An object that computes arrays from slices."""

    _name = "r_"

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return f"usmtensor.{self._name}"

    def _of_numpy(self, key: Any) -> Any:
        """Return NumPy's result for the slices of a key."""
        try:
            return getattr(numpy, self._name)[_on_host(key)]
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            error.args = (f"{self._name}: {error}",)
            raise


class _Grid(_Notation):
    """A grid on the default device.

    `ogrid` has an array for each axis, with extent 1 along the other axes. `mgrid` has all elements
    in one array.
    """

    def __getitem__(self, key: Any) -> Any:
        found = _OPEN._of_numpy(key)
        if not isinstance(found, tuple):
            return usm.asarray(found)
        lines = [usm.asarray(line) for line in found]
        return tuple(lines) if self is _OPEN else usm.stack(usm.broadcast_arrays(*lines))


class _Joined(_Notation):
    """Concatenates slices, numbers and arrays.

    `r_` joins along the first axis. `c_` joins along the last axis, with 1-D arrays as columns.
    """

    def __getitem__(self, key: Any) -> usm_ndarray:
        parts = key if isinstance(key, tuple) else (key,)
        arrays = [part for part in parts if isinstance(part, usm_ndarray)]
        if not arrays:
            return usm.asarray(self._of_numpy(key))
        placement = location(arrays[0])
        for part in parts:
            require(part, _PARTS, self._name, "a part", "slice, number or array")
        values = [part for part in parts if not isinstance(part, slice)]
        kind = usm.result_type(*(getattr(part, "dtype", part) for part in values))
        found = []
        for part in parts:
            if isinstance(part, slice):
                part = usm.asarray(numpy.r_[_on_host(part)], **placement)
            elif isinstance(part, int | float | complex):
                part = usm.asarray(part, dtype=kind, **placement)
            elif not isinstance(part, usm_ndarray):
                part = usm.asarray(part, **placement)
            if self._name == "c_" and part.ndim < 2:
                part = usm.reshape(part, (-1, 1))
            found.append(part if part.ndim else part[None])
        return usm.concat(found, axis=-1 if self._name == "c_" else 0)


_PARTS = (usm_ndarray, numpy.ndarray, numpy.generic, slice, int, float, complex)
_OPEN = _Grid("ogrid")
mgrid = _Grid("mgrid")
ogrid = _OPEN
r_ = _Joined("r_")
c_ = _Joined("c_")
