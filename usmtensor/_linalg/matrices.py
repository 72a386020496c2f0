"""Cross products, diagonals, traces and powers. Only negative powers need a library."""

from typing import Any, SupportsIndex

import numpy.typing as npt
from numpy.linalg import LinAlgError

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import colocate_all
from usmtensor._functions.arguments import named_in_errors
from usmtensor._functions.manipulation import diagonal_of, last_axis
from usmtensor._linalg.decompositions import inverse_of
from usmtensor._runtime.arguments import integer, wrong_type

__all__ = ["cross", "diagonal", "matrix_power", "trace"]


@named_in_errors
def cross(
    x1: usm_ndarray | npt.NDArray[Any],
    x2: usm_ndarray | npt.NDArray[Any],
    /,
    *,
    axis: SupportsIndex = -1,
) -> usm_ndarray:
    """Compute cross products of vectors of three elements.

    Parameters
    ----------
    x1, x2 : usm_ndarray or numpy.ndarray
        Arrays of extent 3 along the axis, at least one of them a usm_ndarray; the other axes
        broadcast.
    axis : int
        The axis of the vectors. It must be negative unless both arrays have the same number of
        dimensions.

    Returns
    -------
    usm_ndarray
        An array of the type that the inputs promote to.

    Raises
    ------
    TypeError
        If an operand is not an array of numbers.
    AxisError
        If the axis is out of range.
    ValueError
        If the extent along the axis is not 3, or the shapes do not match.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `linalg.cross`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.cross(usm.asarray([1, 0, 0]), usm.asarray([0, 1, 0]))
    usm_ndarray([0, 0, 1])
    """
    index: int = integer(axis, "cross", "axis")
    x1, x2 = colocate_all((x1, x2), "cross", ("x1", "x2"))
    a, b = (last_axis(x, index, "cross", name) for x, name in ((x1, "x1"), (x2, "x2")))
    if a.shape[-1] != 3 or b.shape[-1] != 3 or (index >= 0 and x1.ndim != x2.ndim):
        raise ValueError(
            f"cross: x1 and x2 are of shapes {x1.shape} and {x2.shape}; expected 3 elements along "
            f"one axis, but axis is {index}"
        )
    parts = [a[..., j] * b[..., k] - a[..., k] * b[..., j] for j, k in ((1, 2), (2, 0), (0, 1))]
    return usm.moveaxis(usm.stack(parts, axis=-1), -1, index)


def diagonal(x: usm_ndarray, /, *, offset: SupportsIndex = 0) -> usm_ndarray:
    """Return views of the diagonals of matrices.

    Parameters
    ----------
    x : usm_ndarray
        An array of shape (..., M, N).
    offset : int
        The diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    usm_ndarray
        A view of shape (..., K).

    Raises
    ------
    TypeError
        If `x` is not an array, or `offset` is not an integer.
    ValueError
        If `x` has fewer than two dimensions.

    Notes
    -----
    Source: array API 2025.12, `linalg.diagonal`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.diagonal(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([1, 4])
    """
    return diagonal_of(x, offset, "diagonal")


def trace(
    x: usm_ndarray, /, *, offset: SupportsIndex = 0, dtype: npt.DTypeLike | None = None
) -> usm_ndarray:
    """Sum the diagonals of matrices.

    Parameters
    ----------
    x : usm_ndarray
        An array of shape (..., M, N).
    offset : int
        The diagonal, as in `diagonal`.
    dtype : data type, optional
        The data type of the sum. Default: as in `sum`.

    Returns
    -------
    usm_ndarray
        An array of shape (...).

    Raises
    ------
    TypeError
        If `x` is not an array, or `offset` is not an integer.
    ValueError
        If `x` has fewer than two dimensions.

    Notes
    -----
    Source: array API 2025.12, `linalg.trace`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.trace(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray(5)
    """
    return usm.sum(diagonal_of(x, offset, "trace"), axis=-1, dtype=dtype)


def matrix_power(a: usm_ndarray, n: SupportsIndex) -> usm_ndarray:
    """Compute powers of matrices.

    Parameters
    ----------
    a : usm_ndarray
        An array of shape (..., M, M).
    n : int
        The exponent. 0 gives identity matrices, and negative numbers give powers of the inverse.

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `a`.

    Raises
    ------
    LinAlgError
        If a matrix is not square, or it is singular and n is negative.
    TypeError
        If `a` is not an array; if n is not an integer; or if n is negative and `a` is not of single
        or double precision.
    NotImplementedError
        If n is negative, and the device has no library.

    Notes
    -----
    Source: array API 2025.12, `linalg.matrix_power`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.matrix_power(usm.asarray([[1, 1], [1, 0]]), 10)
    usm_ndarray([[89, 55],
                 [55, 34]])
    """
    power: int = integer(n, "matrix_power", "n")
    if not isinstance(a, usm_ndarray):
        raise wrong_type(a, "matrix_power", "a", "usm_ndarray")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise LinAlgError(f"matrix_power: a is of shape {a.shape}; expected square matrices")
    if power < 0:
        a, power = inverse_of(a, function="matrix_power"), -power
    if power == 0:
        one = usm.eye(a.shape[-1], dtype=a.dtype, usm_type=a.usm_type, sycl_queue=a.sycl_queue)
        return usm.copy(usm.broadcast_to(one, a.shape), order="C")
    result = None
    square = a
    while power:
        if power & 1:
            result = square if result is None else usm.matmul(result, square)
        power >>= 1
        if power:
            square = usm.matmul(square, square)
    return usm.copy(a) if result is None or result is a else result
