"""Norms and condition numbers by NumPy's names and arguments."""

from typing import Any

from numpy.linalg import LinAlgError

import usmtensor as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._functions.arguments import Axes, axis_indices, named_in_errors, require_array
from usmtensor._runtime.arguments import wrong_value

__all__ = ["cond", "norm"]


def as_floating(x: usm_ndarray) -> usm_ndarray:
    """An array of single or double precision: others in the default floating point type."""
    if x.dtype == "f2":
        return usm.astype(x, "f4")
    return x if x.dtype.kind in "fc" else usm.astype(x, usm.result_type(x, 0.0))


@named_in_errors
def norm(x: usm_ndarray, ord: Any = None, axis: Axes = None, keepdims: bool = False) -> usm_ndarray:
    """Norms of vectors or of matrices.

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
        Whether the result keeps these axes, with extent 1.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `x`; of the default floating point type for integers.

    Raises
    ------
    TypeError
        `x` is not an array.
    ValueError
        Other than one or two axes; an unknown order.
    AxisError
        An axis is out of range.
    NotImplementedError
        The device has no library, which "nuc", 2 and -2 need for matrices.

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
    axes = axis_indices(axis, array.ndim, "norm")
    if axis is None and ord is None:
        result = usm.linalg.vector_norm(work, axis=axes, keepdims=keepdims)
    elif len(axes) == 1:
        result = usm.linalg.vector_norm(
            work, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord
        )
    elif len(axes) == 2:
        ord = "fro" if isinstance(ord, str) and ord == "f" else ord
        result = usm.linalg.matrix_norm(usm.moveaxis(work, axes, (-2, -1)), ord=ord)
        result = usm.expand_dims(result, axes) if keepdims else result
    else:
        raise wrong_value(axes, "norm", "axis", "one or two axes")
    return usm.astype(result, array.dtype) if array.dtype == "f2" else result


@named_in_errors
def cond(x: usm_ndarray, p: Any = None) -> usm_ndarray:
    """Condition numbers of matrices.

    Parameters
    ----------
    x : usm_ndarray
        An array of shape (..., M, N); square matrices unless `p` is None, 2 or -2.
    p : number or {"fro", "nuc"}, optional
        The order of the norm. Default: 2, by singular values.

    Returns
    -------
    usm_ndarray
        Real, of shape (...): norm(x) * norm(inv(x)); infinite for a singular matrix.

    Raises
    ------
    LinAlgError
        There is no element; a matrix of a stack is singular and the norm is not by singular values.
    TypeError
        `x` is not an array.
    ValueError
        Less than two dimensions; an unknown order.
    NotImplementedError
        The device has no library.

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
        raise wrong_value(array.ndim, "cond", "x.ndim", "2 or more")
    if array.size == 0:
        raise LinAlgError(f"cond: x has shape {array.shape}; expected an element")
    if p is None or (isinstance(p, int | float) and abs(p) == 2):
        values = usm.linalg.svdvals(array)
        first, last = values[..., 0], values[..., -1]
        result = last / first if p == -2 else first / last
    else:
        try:
            inverse = usm.linalg.inv(array)
        except LinAlgError:
            if array.ndim > 2 or array.shape[0] != array.shape[1]:
                raise
            inverse = usm.full_like(array, usm.inf)
        axes = (-2, -1)
        result = norm(array, p, axes) * norm(inverse, p, axes)
    # As in NumPy, only a matrix that has NaN has no condition number.
    unknown = usm.isnan(result) & ~usm.any(usm.isnan(array), axis=(-2, -1))
    return usm.where(unknown, usm.inf, result)
