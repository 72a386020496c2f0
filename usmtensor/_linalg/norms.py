"""Norms and condition numbers."""

import math
from numbers import Real
from typing import Any, Literal

from numpy.linalg import LinAlgError

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import Axes
from usmtensor._functions.arguments import (
    axis_indices,
    host_values,
    location,
    named_in_errors,
    require_array,
)
from usmtensor._libraries.dispatch import operand
from usmtensor._linalg.decompositions import inv, singular_values_of, slogdet, svdvals
from usmtensor._runtime.arguments import plain_number, wrong_value

__all__ = ["cond", "matrix_norm", "norm", "vector_norm"]


def as_floating(x: usm_ndarray) -> usm_ndarray:
    """Return an array of single or double precision. Other types become the default type."""
    if x.dtype == "f2":
        return usm.astype(x, "f4")
    return x if x.dtype.kind in "fc" else usm.astype(x, usm.result_type(x, 0.0))


def _order(ord: Any, function: str, expected: str) -> float:
    value = plain_number(host_values(ord), function)
    if not isinstance(value, Real) or math.isnan(value):
        raise wrong_value(ord, function, "ord", expected)
    return float(value)


@named_in_errors
def vector_norm(
    x: usm_ndarray, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2
) -> usm_ndarray:
    """Compute norms of vectors.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes of the vectors. Default: all.
    keepdims : bool
        If True, the result keeps these axes with extent 1.
    ord : float
        The order p of (sum of abs(x)**p)**(1/p). inf and -inf are the largest and the smallest
        absolute value. 0 is the number of nonzero elements.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `x`.

    Raises
    ------
    TypeError
        If `x` is not an array of single or double precision.
    AxisError
        If an axis is out of range.
    ValueError
        If the order is unknown, or the smallest or largest of no elements is requested.

    Notes
    -----
    Sums are not scaled: squares above the largest number overflow. Source: array API 2025.12,
    `linalg.vector_norm`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.vector_norm(usm.asarray([3.0, 4.0]))
    usm_ndarray(5.)
    """
    x = operand(x, "vector_norm", "x")
    ord = _order(ord, "vector_norm", "a number or an infinity")
    where: dict[str, Any] = {"axis": axis, "keepdims": keepdims}
    if ord == 0:
        return usm.astype(usm.count_nonzero(x, **where), usm.finfo(x.dtype).dtype)
    if ord == 2:
        return usm.sqrt(_sum_of_squares(x, axis, keepdims))
    absolute = usm.abs(x)
    if math.isinf(ord) and (ord < 0 or x.size):
        return usm.max(absolute, **where) if ord > 0 else usm.min(absolute, **where)
    if ord in (1, math.inf):
        return usm.sum(absolute, **where)
    return usm.pow(usm.sum(usm.pow(absolute, ord), **where), 1 / ord)


def _sum_of_squares(x: usm_ndarray, axis: Axes, keepdims: bool) -> usm_ndarray:
    axes = axis_indices(axis, x.ndim, "vector_norm")
    if len(axes) == x.ndim:
        lines = usm.reshape(x, -1)
    elif axes == (x.ndim - 1,):
        lines = x
    else:
        squares = usm.square(usm.abs(x) if x.dtype.kind == "c" else x)
        return usm.sum(squares, axis=axes, keepdims=keepdims)
    result = usm.real(usm.vecdot(lines, lines))
    return usm.expand_dims(result, axes) if keepdims else result


def matrix_norm(
    x: usm_ndarray, /, *, keepdims: bool = False, ord: float | Literal["fro", "nuc"] | None = "fro"
) -> usm_ndarray:
    """Compute norms of matrices.

    Parameters
    ----------
    x : usm_ndarray
        An array of shape (..., M, N).
    keepdims : bool
        If True, the result keeps the last two axes with extent 1.
    ord : {"fro", "nuc", 1, -1, 2, -2, inf, -inf}
        "fro" is the root of the sum of squares, and "nuc" the sum of the singular values. 1 and -1
        are the largest and smallest sums of absolute values of a column, inf and -inf those of a
        row. 2 and -2 are the largest and smallest singular values. None is "fro".

    Returns
    -------
    usm_ndarray
        Real, of shape (...) and the precision of `x`.

    Raises
    ------
    TypeError
        If `x` is not an array of single or double precision.
    ValueError
        If the order is unknown; if `x` has fewer than two dimensions; or if the smallest or largest
        of no elements is requested.
    LinAlgError
        If `x` has infinities or NaN, and the order is "nuc", 2 or -2: the singular values are not
        defined.
    NotImplementedError
        If the device has no library, which "nuc", 2 and -2 need.

    Notes
    -----
    Source: array API 2025.12, `linalg.matrix_norm`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.matrix_norm(usm.asarray([[1.0, -2.0], [2.0, 4.0]]))
    usm_ndarray(5.)
    >>> usm.linalg.matrix_norm(usm.asarray([[1.0, -2.0], [2.0, 4.0]]), ord=usm.inf)
    usm_ndarray(6.)
    """
    x = operand(x, "matrix_norm", "x")
    if x.ndim < 2:
        raise ValueError(f"matrix_norm: x has {x.ndim} dimensions; expected 2 or more")
    if ord is None or (isinstance(ord, str) and ord == "fro"):
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    expected = "'fro', 'nuc', 1, -1, 2, -2, inf or -inf"
    is_nuclear = isinstance(ord, str) and ord == "nuc"
    order = 0.0 if is_nuclear else _order(ord, "matrix_norm", expected)
    if is_nuclear or abs(order) == 2:
        sums = singular_values_of(x, function="matrix_norm", argument="x")[..., None]
        axis, other = -2, -1
    elif abs(order) in (1, math.inf):
        axis, other = (-1, -2) if abs(order) == 1 else (-2, -1)
        sums = usm.sum(usm.abs(x), axis=other, keepdims=True)
    else:
        raise wrong_value(ord, "matrix_norm", "ord", expected)
    largest = usm.max if sums.size else usm.sum  # 0 if there are no sums
    fold = usm.sum if is_nuclear else largest if order > 0 else usm.min
    result = fold(sums, axis=axis, keepdims=True)
    return result if keepdims else usm.squeeze(result, axis=(-2, -1))


@named_in_errors
def norm(x: usm_ndarray, ord: Any = None, axis: Axes = None, keepdims: bool = False) -> usm_ndarray:
    """Compute norms of vectors or matrices.

    Parameters
    ----------
    x : usm_ndarray
        Without `axis`, an array of one or two dimensions, unless `ord` is None.
    ord : number or {"fro", "nuc"}, optional
        The order: as in `vector_norm` for one axis, as in `matrix_norm` for two axes. Default: the
        root of the sum of squares.
    axis : int or tuple of int, optional
        The axis of vectors, or the two axes of matrices. Default: all axes.
    keepdims : bool
        If True, the result keeps these axes with extent 1.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `x`, or of the default floating point type for integers.

    Raises
    ------
    TypeError
        If `x` is not an array.
    ValueError
        If there are not one or two axes, or the order is unknown.
    AxisError
        If an axis is out of range.
    NotImplementedError
        If the device has no library, which "nuc", 2 and -2 need for matrices.

    Notes
    -----
    Compatible with numpy.linalg.norm.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.norm(usm.asarray([3.0, 4.0]))
    usm_ndarray(5.)
    """
    array = require_array(x, "norm", "x")
    work = as_floating(array)
    if axis is None and ord is None:
        line = work if work.ndim == 1 else usm.reshape(work, -1)
        squares = usm.vecdot(line, line)
        result = usm.sqrt(usm.real(squares) if squares.dtype.kind == "c" else squares)
        if keepdims:
            result = usm.reshape(result, (1,) * array.ndim)
    elif len(axes := axis_indices(axis, array.ndim, "norm")) == 1:
        result = vector_norm(work, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    elif len(axes) == 2:
        ord = "fro" if isinstance(ord, str) and ord == "f" else ord
        result = matrix_norm(usm.moveaxis(work, axes, (-2, -1)), ord=ord)
        result = usm.expand_dims(result, axes) if keepdims else result
    else:
        raise wrong_value(axes, "norm", "axis", "one or two axes")
    return usm.astype(result, array.dtype) if array.dtype == "f2" else result


@named_in_errors
def cond(x: usm_ndarray, p: Any = None) -> usm_ndarray:
    """Compute condition numbers of matrices.

    Parameters
    ----------
    x : usm_ndarray
        An array of shape (..., M, N); square matrices unless `p` is None, 2 or -2.
    p : number or {"fro", "nuc"}, optional
        The order of the norm. Default: 2, computed from singular values.

    Returns
    -------
    usm_ndarray
        Real, of shape (...): norm(x) * norm(inv(x)); infinite for a singular matrix.

    Raises
    ------
    LinAlgError
        If the matrices have no elements, or `x` has fewer than two dimensions.
    TypeError
        If `x` is not an array.
    ValueError
        If the order is unknown.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Compatible with numpy.linalg.cond.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linalg.cond(usm.asarray([[2.0, 0.0], [0.0, 4.0]]))
    usm_ndarray(2.)
    """
    array = as_floating(require_array(x, "cond", "x"))
    if array.ndim < 2:
        raise LinAlgError(f"cond: x has {array.ndim} dimensions; expected 2 or more")
    if 0 in array.shape[-2:]:
        raise LinAlgError(f"cond: x has shape {array.shape}; expected matrices with elements")
    if p is None or (isinstance(p, int | float) and abs(p) == 2):
        values = svdvals(array)
        first, last = values[..., 0], values[..., -1]
        result = last / first if p == -2 else first / last
    else:
        try:
            inverse = inv(array)
        except LinAlgError:
            if array.shape[-2] != array.shape[-1]:
                raise
            singular = (slogdet(array).sign == 0)[..., None, None]
            one = usm.eye(array.shape[-1], dtype=array.dtype, **location(array))
            inverse = usm.where(singular, usm.inf, inv(usm.where(singular, one, array)))
        axes = (-2, -1)
        result = norm(array, p, axes) * norm(inverse, p, axes)
    # As in NumPy, only matrices with NaN have the condition number NaN.
    unknown = usm.isnan(result) & ~usm.any(usm.isnan(array), axis=(-2, -1))
    return usm.where(unknown, usm.inf, result)
