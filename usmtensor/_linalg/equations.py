"""Linear equations and products of several matrices, with NumPy's names and arguments."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any, SupportsIndex

from numpy.linalg import LinAlgError

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays, copy_to_out
from usmtensor._core.typing import ArrayOperand, Out
from usmtensor._functions.arguments import axis_indices, location, named_in_errors, require_array
from usmtensor._linalg.decompositions import inv, solve, svd
from usmtensor._linalg.norms import as_floating
from usmtensor._runtime.arguments import integer, number, require, short_repr, wrong_value

__all__ = ["lstsq", "multi_dot", "tensorinv", "tensorsolve"]


@named_in_errors
def lstsq(
    a: ArrayOperand, b: Any, rcond: float | None = None
) -> tuple[usm_ndarray, usm_ndarray, int, usm_ndarray]:
    """Return the least-squares solutions of a @ x = b with the smallest norm.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        A matrix, of shape (M, N).
    b : usm_ndarray, numpy.ndarray or sequence
        An array of shape (M,), or (M, K) for K solutions.
    rcond : float, optional
        Singular values not larger than `rcond` times the largest are treated as zero. Default: the
        larger extent of `a` times eps. A negative number means eps.

    Returns
    -------
    x, residuals, rank, s : usm_ndarray, usm_ndarray, int, usm_ndarray
        The solutions, of shape (N,) or (N, K); the sums of squared residuals, which are empty
        unless the rank is N and less than M; the rank of `a`; its singular values.

    Raises
    ------
    LinAlgError
        If shapes do not match, or the iteration does not converge, as with NaN.
    TypeError
        If `a` is not an array.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Uses singular values, and waits for the rank. Compatible with numpy.linalg.lstsq.

    Examples
    --------
    >>> import usmtensor as usm
    >>> a = usm.asarray([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]])
    >>> x, residuals, rank, s = usm.linalg.lstsq(a, usm.asarray([1.0, 3.0, 5.0]))
    >>> usm.round(x), rank
    (usm_ndarray([2., 1.]), 2)
    """
    matrix, values = as_arrays("lstsq", {"a": a, "b": b})
    if matrix.ndim != 2:
        raise LinAlgError(f"lstsq: a has {matrix.ndim} dimensions; expected 2")
    if values.ndim not in (1, 2) or values.shape[0] != matrix.shape[0]:
        raise LinAlgError(
            f"lstsq: b.shape is {values.shape}; expected {matrix.shape[0]} rows, as a has"
        )
    dtype = usm.result_type(as_floating(matrix), as_floating(values))
    matrix, values = (usm.astype(x, dtype, copy=False) for x in (matrix, values))
    rows, columns = matrix.shape
    columns_of_b = usm.reshape(values, (rows, values.size // rows if rows else 0))
    if values.ndim == 2:
        columns_of_b = values
    elif rows == 0:
        columns_of_b = usm.reshape(values, (0, 1))
    epsilon = usm.finfo(dtype).eps
    share = max(rows, columns) * epsilon if rcond is None else number(rcond, "lstsq", "rcond")
    share = epsilon if share < 0 else share
    u, s, vh = svd(matrix, full_matrices=False)
    rank = 0
    if s.size:
        counts = s > s[0] * share
        rank = int(usm.count_nonzero(counts))
        factors = usm.where(counts, 1 / s, 0)[:, None]
        solution = usm.conj(vh.mT) @ (factors * (usm.conj(u.mT) @ columns_of_b))
    else:
        shape = (columns, columns_of_b.shape[1])
        solution = usm.zeros(shape, dtype=dtype, **location(columns_of_b))
    residuals = s[:0]
    if rank == columns < rows:
        residuals = usm.sum(usm.square(usm.abs(columns_of_b - matrix @ solution)), axis=0)
    return (solution[:, 0] if values.ndim == 1 else solution), residuals, rank, s


@named_in_errors
def multi_dot(arrays: Sequence[Any], *, out: Out = None) -> usm_ndarray:
    """Compute the product of several matrices in the order with the fewest multiplications.

    Parameters
    ----------
    arrays : sequence of usm_ndarray or numpy.ndarray
        Two or more 2-D arrays. The first may be a 1-D array, a row, and the last a 1-D array, a
        column.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If an operand is not an array.
    ValueError
        If there are fewer than two arrays; if an array has another number of dimensions; or if
        shapes do not match.

    Notes
    -----
    Compatible with numpy.linalg.multi_dot.

    Examples
    --------
    >>> import usmtensor as usm
    >>> a, b = usm.asarray([[1, 2], [3, 4]]), usm.asarray([1, 1])
    >>> usm.linalg.multi_dot([a, a, b])
    usm_ndarray([17, 37])
    """
    require(arrays, (list, tuple), "multi_dot", "arrays", "a sequence of arrays")
    if len(arrays) < 2:
        raise wrong_value(len(arrays), "multi_dot", "len(arrays)", "2 or more")
    factors = as_arrays("multi_dot", {f"array {k}": x for k, x in enumerate(arrays)})
    for k, x in enumerate(factors):
        if x.ndim != 2 and not (x.ndim == 1 and k in (0, len(factors) - 1)):
            raise wrong_value(x.shape, "multi_dot", f"arrays[{k}].shape", "two dimensions")
    extents = [1 if x.ndim == 1 and k == 0 else x.shape[0] for k, x in enumerate(factors)]
    extents.append(factors[-1].shape[1] if factors[-1].ndim == 2 else 1)

    @cache
    def best(first: int, last: int) -> tuple[int, int]:
        """Return the fewest multiplications for a range of factors, and where to split it."""
        if first == last:
            return 0, first
        outer = extents[first] * extents[last + 1]
        return min(
            (best(first, k)[0] + best(k + 1, last)[0] + outer * extents[k + 1], k)
            for k in range(first, last)
        )

    def product(first: int, last: int) -> usm_ndarray:
        if first == last:
            return factors[first]
        middle = best(first, last)[1]
        return usm.matmul(product(first, middle), product(middle + 1, last))

    return copy_to_out(product(0, len(factors) - 1), out, "multi_dot")


@named_in_errors
def tensorsolve(
    a: ArrayOperand, b: Any, axes: Sequence[SupportsIndex] | None = None
) -> usm_ndarray:
    """Solve tensordot(a, x, x.ndim) = b.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        An array of shape ``(*b.shape, *x.shape)``, where `b` and `x` have the same size.
    b : usm_ndarray, numpy.ndarray or sequence
    axes : tuple of int, optional
        Axes of `a` that are moved to its end first.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    LinAlgError
        If the shapes do not give a square matrix, or the matrix is singular.
    TypeError
        If `a` is not an array.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Compatible with numpy.linalg.tensorsolve.

    Examples
    --------
    >>> import usmtensor as usm
    >>> a = usm.reshape(2 * usm.eye(4), (2, 2, 2, 2))
    >>> usm.linalg.tensorsolve(a, usm.asarray([[2.0, 4.0], [6.0, 8.0]]))
    usm_ndarray([[1., 2.],
                 [3., 4.]])
    """
    x, values = as_arrays("tensorsolve", {"a": a, "b": b})
    if axes is not None:
        moved = axis_indices(axes, x.ndim, "tensorsolve", "axes")
        x = usm.permute_dims(x, (*(k for k in range(x.ndim) if k not in moved), *moved))
    shape = x.shape[values.ndim :]
    count = math.prod(shape)
    if x.size != count**2 or values.size != count:
        raise LinAlgError(
            f"tensorsolve: a has shape {x.shape} and b {values.shape}; expected a square matrix"
        )
    matrix = as_floating(usm.reshape(x, (count, count)))
    return usm.reshape(solve(matrix, as_floating(usm.reshape(values, count))), shape)


@named_in_errors
def tensorinv(a: usm_ndarray, ind: SupportsIndex = 2) -> usm_ndarray:
    """Compute the inverse of an array for `tensordot` over `ind` axes.

    Parameters
    ----------
    a : usm_ndarray
        An array. The product of the first `ind` extents equals the product of the others.
    ind : int
        The number of axes.

    Returns
    -------
    usm_ndarray
        An array of shape ``(*a.shape[ind:], *a.shape[:ind])``.

    Raises
    ------
    LinAlgError
        If the shape does not give a square matrix, or the matrix is singular.
    TypeError
        If `a` is not an array, or `ind` is not an integer.
    ValueError
        If `ind` is less than 1.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Compatible with numpy.linalg.tensorinv.

    Examples
    --------
    >>> import usmtensor as usm
    >>> a = usm.reshape(2 * usm.eye(4), (4, 2, 2))
    >>> usm.linalg.tensorinv(a, ind=1).shape
    (2, 2, 4)
    """
    x = require_array(a, "tensorinv")
    count = integer(ind, "tensorinv", "ind")
    if count < 1:
        raise wrong_value(ind, "tensorinv", "ind", "1 or more")
    rows = math.prod(x.shape[:count])
    if x.size != rows**2:
        raise LinAlgError(
            f"tensorinv: a has shape {x.shape}, and ind is {short_repr(ind)}; expected a square "
            "matrix"
        )
    inverse = inv(as_floating(usm.reshape(x, (rows, rows))))
    return usm.reshape(inverse, x.shape[count:] + x.shape[:count])
