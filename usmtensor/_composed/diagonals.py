"""Diagonals and triangles of matrices, and their indices."""

from typing import Any, SupportsIndex

import usmtensor._functions as usm
from usmtensor._composed.shapes import resize
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import DType, Out
from usmtensor._functions.arguments import axis_indices, location, named_in_errors, require_array
from usmtensor._functions.manipulation import diagonal_of
from usmtensor._runtime.arguments import integer, natural, wrong_value

__all__ = ["diag", "diag_indices", "diag_indices_from", "diagflat", "diagonal", "fill_diagonal"]
__all__ += ["trace", "tri", "tril_indices", "tril_indices_from", "triu_indices"]
__all__ += ["triu_indices_from", "vander"]


@named_in_errors
def diag(v: usm_ndarray, k: SupportsIndex = 0) -> usm_ndarray:
    """Return the diagonal of a matrix, or make the matrix with a diagonal.

    Parameters
    ----------
    v : usm_ndarray
        A matrix, or a 1-D array with the elements of the diagonal.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    usm_ndarray
        A read-only view of the diagonal, or a new square matrix with zeros elsewhere.

    Raises
    ------
    TypeError
        If `v` is not an array, or `k` is not an integer.
    ValueError
        If `v` is neither 1-D nor 2-D.

    Notes
    -----
    Compatible with numpy.diag.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.diag(usm.asarray([1, 2]))
    usm_ndarray([[1, 0],
                 [0, 2]])
    >>> usm.diag(usm.asarray([[1, 2], [3, 4]]), k=1)
    usm_ndarray([2])
    """
    x = require_array(v, "diag", "v")
    offset = integer(k, "diag", "k")
    if x.ndim == 2:
        result = diagonal_of(x, offset, "diag")
        result.flags.writable = False
        return result
    if x.ndim != 1:
        raise wrong_value(x.ndim, "diag", "v.ndim", "1 or 2")
    n = x.size + abs(offset)
    result = usm.zeros((n, n), dtype=x.dtype, **location(x))
    diagonal_of(result, offset, "diagonal")[...] = x
    return result


@named_in_errors
def diagflat(v: usm_ndarray, k: SupportsIndex = 0) -> usm_ndarray:
    """Make the matrix with the elements of an array, in C order, on a diagonal.

    Parameters
    ----------
    v : usm_ndarray
    k : int
        The diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    usm_ndarray
        A square matrix.

    Raises
    ------
    TypeError
        If `v` is not an array, or `k` is not an integer.

    Notes
    -----
    Compatible with numpy.diagflat.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.diagflat(usm.asarray([[1, 2]]))
    usm_ndarray([[1, 0],
                 [0, 2]])
    """
    x = require_array(v, "diagflat", "v")
    return diag(usm.reshape(x, x.size), integer(k, "diagflat", "k"))


def diagonal(
    a: usm_ndarray, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1
) -> usm_ndarray:
    """Return the diagonals of matrices in any two axes.

    Parameters
    ----------
    a : usm_ndarray
    offset : int
        The diagonal: 0 is the main one, positive ones are above it.
    axis1, axis2 : int
        The axes of the matrices.

    Returns
    -------
    usm_ndarray
        A read-only view: the other axes, then the axis of the diagonal. `linalg.diagonal` returns a
        writable view.

    Raises
    ------
    TypeError
        If `a` is not an array, or an argument is not an integer.
    ValueError
        If `a` has fewer than two dimensions, or an axis is given twice.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.diagonal.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.diagonal(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([1, 4])
    """
    result = _diagonal(a, offset, axis1, axis2, "diagonal")
    result.flags.writable = False
    return result


def _diagonal(a: Any, offset: Any, axis1: Any, axis2: Any, function: str) -> usm_ndarray:
    x = require_array(a, function)
    if x.ndim < 2:
        raise wrong_value(x.ndim, function, "a.ndim", "2 or more")
    axes = axis_indices((axis1, axis2), x.ndim, function, "axis1, axis2")
    offset = integer(offset, function, "offset")
    return diagonal_of(usm.moveaxis(x, axes, (-2, -1)), offset, "diagonal")


@named_in_errors
def trace(
    a: usm_ndarray,
    offset: SupportsIndex = 0,
    axis1: SupportsIndex = 0,
    axis2: SupportsIndex = 1,
    dtype: DType = None,
    out: Out = None,
) -> usm_ndarray:
    """Sum the diagonals of matrices in any two axes.

    Parameters
    ----------
    a : usm_ndarray
    offset : int
        The diagonal: 0 is the main one, positive ones are above it.
    axis1, axis2 : int
        The axes of the matrices.
    dtype : data type, optional
        Default: as in `sum`.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape.

    Returns
    -------
    usm_ndarray
        An array of the other axes.

    Raises
    ------
    TypeError
        If `a` is not an array, or an argument is not an integer.
    ValueError
        If `a` has fewer than two dimensions; if an axis is given twice; or if `out` has another
        shape or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.trace.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.trace(usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray(5)
    """
    return usm.sum(_diagonal(a, offset, axis1, axis2, "trace"), -1, dtype=dtype, out=out)


@named_in_errors
def fill_diagonal(a: usm_ndarray, val: Any, wrap: bool = False) -> None:
    """Set the elements of the main diagonal, whose indices are all equal.

    Parameters
    ----------
    a : usm_ndarray
        An array of two or more dimensions. If there are more than two, all extents must be equal.
    val : usm_ndarray, numpy.ndarray, sequence or number
        The elements in C order, which are repeated as needed.
    wrap : bool
        If True, the diagonal of a tall matrix begins again after a row without an element.

    Raises
    ------
    TypeError
        If `a` is not an array.
    ValueError
        If `a` has fewer than two dimensions, or the extents differ; or if `a` is read-only.

    Notes
    -----
    Compatible with numpy.fill_diagonal.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.zeros((2, 2))
    >>> usm.fill_diagonal(x, 3)
    >>> x
    usm_ndarray([[3., 0.],
                 [0., 3.]])
    """
    x = require_array(a, "fill_diagonal")
    if x.ndim < 2 or (x.ndim > 2 and len({*x.shape}) > 1):
        expected = "two extents, or more that are equal"
        raise wrong_value(x.shape, "fill_diagonal", "a.shape", expected)
    values = usm.asarray(val, **location(x))
    if x.ndim > 2:
        lines = [x]
        while lines[0].ndim > 1:
            lines = [diagonal_of(usm.moveaxis(lines[0], 0, -1), 0, "diagonal")]
    else:
        rows, columns = x.shape
        starts = range(0, rows, columns + 1) if wrap and columns else (0,)
        lines = [diagonal_of(x[start:], 0, "diagonal") for start in starts]
    used = 0
    for line in lines:
        line[...] = _cyclic(values, used, line.size)
        used += line.size


def _cyclic(values: usm_ndarray, start: int, count: int) -> usm_ndarray:
    """Return elements in C order from an index on, continuing with the first after the last."""
    if values.size == 1:
        return usm.reshape(values, ())
    flat = usm.reshape(values, values.size)
    if flat.size == 0:
        return flat
    return resize(usm.roll(flat, -start), count)


@named_in_errors
def tri(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: DType = None,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> usm_ndarray:
    """Make a matrix of ones on and below a diagonal, and zeros above.

    Parameters
    ----------
    N, M : int
        The numbers of rows and columns. Default for `M`: `N`.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.
    dtype : data type, optional
        Default: the default floating point type.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If `N` or `M` is negative.

    Notes
    -----
    Compatible with numpy.tri.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.tri(2, 3, dtype=usm.int64)
    usm_ndarray([[1, 0, 0],
                 [1, 1, 0]])
    """
    rows = natural(N, "tri", "N")
    columns = rows if M is None else natural(M, "tri", "M")
    ones = usm.ones((rows, columns), dtype, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    return usm.tril(ones, k=integer(k, "tri", "k"))


@named_in_errors
def tril_indices(
    n: SupportsIndex,
    k: SupportsIndex = 0,
    m: SupportsIndex | None = None,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> tuple[usm_ndarray, usm_ndarray]:
    """Return the indices of the elements on and below a diagonal of a matrix.

    Parameters
    ----------
    n, m : int
        The numbers of rows and columns. Default for `m`: `n`.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    Returns
    -------
    tuple of two usm_ndarray
        The rows and the columns, int64.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If `n` or `m` is negative.

    Notes
    -----
    Compatible with numpy.tril_indices.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.tril_indices(2)
    (usm_ndarray([0, 1, 1]), usm_ndarray([0, 0, 1]))
    """
    rows = natural(n, "tril_indices", "n")
    columns = rows if m is None else natural(m, "tril_indices", "m")
    below: int = integer(k, "tril_indices", "k")
    mask = tri(rows, columns, below, bool, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    first, second = usm.nonzero(mask)
    return first, second


@named_in_errors
def tril_indices_from(arr: usm_ndarray, k: SupportsIndex = 0) -> tuple[usm_ndarray, usm_ndarray]:
    """Return the indices of the elements on and below a diagonal of a given matrix.

    Parameters
    ----------
    arr : usm_ndarray
        A 2-D array.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    tuple of two usm_ndarray
        The rows and the columns, int64, in the location of `arr`.

    Raises
    ------
    TypeError
        If `arr` is not an array, or `k` is not an integer.
    ValueError
        If `arr` is not 2-D.

    Notes
    -----
    Compatible with numpy.tril_indices_from.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.tril_indices_from(usm.ones((1, 2)))
    (usm_ndarray([0]), usm_ndarray([0]))
    """
    if require_array(arr, "tril_indices_from", "arr").ndim != 2:
        raise wrong_value(arr.ndim, "tril_indices_from", "arr.ndim", "2")
    return tril_indices(arr.shape[0], k, arr.shape[1], **location(arr))


@named_in_errors
def triu_indices(
    n: SupportsIndex,
    k: SupportsIndex = 0,
    m: SupportsIndex | None = None,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> tuple[usm_ndarray, usm_ndarray]:
    """Return the indices of the elements on and above a diagonal of a matrix.

    Parameters
    ----------
    n, m, k, device, usm_type, sycl_queue
        As in `tril_indices`.

    Returns
    -------
    tuple of two usm_ndarray
        The rows and the columns, int64.

    Raises
    ------
    TypeError, ValueError
        As from `tril_indices`.

    Notes
    -----
    Compatible with numpy.triu_indices.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.triu_indices(2)
    (usm_ndarray([0, 0, 1]), usm_ndarray([0, 1, 1]))
    """
    rows = natural(n, "triu_indices", "n")
    columns = rows if m is None else natural(m, "triu_indices", "m")
    below: int = integer(k, "triu_indices", "k") - 1
    mask = tri(rows, columns, below, bool, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    first, second = usm.nonzero(usm.logical_not(mask))
    return first, second


@named_in_errors
def triu_indices_from(arr: usm_ndarray, k: SupportsIndex = 0) -> tuple[usm_ndarray, usm_ndarray]:
    """Return the indices of the elements on and above a diagonal of a given matrix.

    Parameters
    ----------
    arr, k
        As in `tril_indices_from`.

    Returns
    -------
    tuple of two usm_ndarray
        The rows and the columns, int64, in the location of `arr`.

    Raises
    ------
    TypeError, ValueError
        As from `tril_indices_from`.

    Notes
    -----
    Compatible with numpy.triu_indices_from.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.triu_indices_from(usm.ones((1, 2)))
    (usm_ndarray([0, 0]), usm_ndarray([0, 1]))
    """
    if require_array(arr, "triu_indices_from", "arr").ndim != 2:
        raise wrong_value(arr.ndim, "triu_indices_from", "arr.ndim", "2")
    return triu_indices(arr.shape[0], k, arr.shape[1], **location(arr))


@named_in_errors
def diag_indices(
    n: SupportsIndex,
    ndim: SupportsIndex = 2,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> tuple[usm_ndarray, ...]:
    """Return the indices of the main diagonal of an array.

    Parameters
    ----------
    n : int
        The extent of each axis.
    ndim : int
        The number of axes.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    Returns
    -------
    tuple of usm_ndarray
        The indices for each axis, int64: the same array.

    Raises
    ------
    TypeError
        If an argument is not an integer.
    ValueError
        If a number is negative.

    Notes
    -----
    Compatible with numpy.diag_indices.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.diag_indices(2)
    (usm_ndarray([0, 1]), usm_ndarray([0, 1]))
    """
    count = natural(n, "diag_indices", "n")
    index = usm.arange(count, device=device, usm_type=usm_type, sycl_queue=sycl_queue)
    return (index,) * natural(ndim, "diag_indices", "ndim")


def diag_indices_from(arr: usm_ndarray) -> tuple[usm_ndarray, ...]:
    """Return the indices of the main diagonal of a given array.

    Parameters
    ----------
    arr : usm_ndarray
        An array with two or more equal extents.

    Returns
    -------
    tuple of usm_ndarray
        The indices for each axis, int64, in the location of `arr`.

    Raises
    ------
    TypeError
        If `arr` is not an array.
    ValueError
        If `arr` has fewer than two dimensions, or the extents differ.

    Notes
    -----
    Compatible with numpy.diag_indices_from.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.diag_indices_from(usm.ones((2, 2)))
    (usm_ndarray([0, 1]), usm_ndarray([0, 1]))
    """
    x = require_array(arr, "diag_indices_from", "arr")
    if x.ndim < 2 or len({*x.shape}) > 1:
        raise wrong_value(x.shape, "diag_indices_from", "arr.shape", "2 or more equal extents")
    return diag_indices(x.shape[0], x.ndim, **location(x))


@named_in_errors
def vander(x: usm_ndarray, N: SupportsIndex | None = None, increasing: bool = False) -> usm_ndarray:
    """Make a Vandermonde matrix, with a column for each power of the elements.

    Parameters
    ----------
    x : usm_ndarray
        A 1-D array.
    N : int, optional
        The number of columns. Default: the number of elements.
    increasing : bool
        If True, the powers increase from left to right.

    Returns
    -------
    usm_ndarray
        An array of shape (x.size, N), at least of the default integer type.

    Raises
    ------
    TypeError
        If `x` is not an array, or `N` is not an integer.
    ValueError
        If `x` is not 1-D, or `N` is negative.

    Notes
    -----
    Compatible with numpy.vander.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vander(usm.asarray([1, 2, 3]), 3)
    usm_ndarray([[1, 1, 1],
                 [4, 2, 1],
                 [9, 3, 1]])
    """
    points = require_array(x, "vander", "x")
    if points.ndim != 1:
        raise wrong_value(points.ndim, "vander", "x.ndim", "1")
    count = points.size if N is None else natural(N, "vander", "N")
    dtype = usm.result_type(points, int)
    result = usm.empty((points.size, count), dtype=dtype, **location(points))
    columns = result if increasing else usm.flip(result, axis=1)
    columns[:, :1] = 1
    if count > 1:
        columns[:, 1:] = points[:, None]
        usm.cumulative_prod(usm.copy(columns[:, 1:]), axis=1, dtype=dtype, out=columns[:, 1:])
    return result
