"""Vector products with NumPy's arguments: `cross`, `kron`, `matvec`, `vecmat`."""

from typing import Any, SupportsIndex

import usmtensor._functions as usm
from usmtensor._core.array import bodies, usm_ndarray
from usmtensor._core.operands import as_arrays, copy_to_out
from usmtensor._core.typing import Axis, Out
from usmtensor._functions.arguments import axis_index, named_in_errors
from usmtensor._runtime.arguments import wrong_value

__all__ = ["cross", "kron", "matvec", "vecmat"]


@named_in_errors
def cross(
    a: Any,
    b: Any,
    axisa: SupportsIndex = -1,
    axisb: SupportsIndex = -1,
    axisc: SupportsIndex = -1,
    axis: Axis = None,
) -> usm_ndarray:
    """Compute cross products of vectors of three elements: `linalg.cross` with NumPy's arguments.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray or sequence
        Arrays of extent 3 along the axis; the other axes broadcast. One of them is a usm_ndarray.
    axisa, axisb, axisc : int
        The axes of the vectors in `a`, in `b` and in the result.
    axis : int, optional
        If given, it replaces `axisa`, `axisb` and `axisc`.

    Returns
    -------
    usm_ndarray
        An array of the type that the inputs promote to.

    Raises
    ------
    TypeError
        If an operand is not an array of numbers.
    AxisError
        If an axis is out of range.
    ValueError
        If the extent along an axis is not 3, or the shapes do not match.

    Notes
    -----
    Compatible with numpy.cross, except for vectors of two elements.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cross(usm.asarray([1, 0, 0]), [0, 1, 0])
    usm_ndarray([0, 0, 1])
    """
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = as_arrays("cross", {"a": a, "b": b})
    x, y = _vectors_last(x, axisa, "a"), _vectors_last(y, axisb, "b")
    result = bodies.namespace.linalg.cross(x, y, axis=-1)
    return usm.moveaxis(result, -1, axis_index(axisc, result.ndim, "cross", "axisc"))


def _vectors_last(x: usm_ndarray, axis: Any, name: str) -> usm_ndarray:
    """Move the axis of vectors of three elements to the end."""
    index = axis_index(axis, x.ndim, "cross", f"axis{name}")
    if x.shape[index] != 3:
        raise wrong_value(x.shape, "cross", f"{name}.shape", f"3 elements along axis {axis}")
    return usm.moveaxis(x, index, -1)


def kron(a: Any, b: Any) -> usm_ndarray:
    """Compute the Kronecker product: copies of `b`, each multiplied by an element of `a`.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray, sequence or number
        One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        The extent of each axis is the product of both extents. The array of fewer dimensions gets
        leading axes.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ExecutionPlacementError
        If no operand is a usm_ndarray, or the arrays are on different devices or in different
        contexts.

    Notes
    -----
    Compatible with numpy.kron.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.kron(usm.asarray([1, 10]), usm.asarray([1, 2]))
    usm_ndarray([ 1,  2, 10, 20])
    """
    x, y = as_arrays("kron", {"a": a, "b": b})
    ndim = max(x.ndim, y.ndim)
    left, right = ((1,) * (ndim - z.ndim) + z.shape for z in (x, y))
    blocks = usm.reshape(x, tuple(extent for n in left for extent in (n, 1)))
    tiles = usm.reshape(y, tuple(extent for n in right for extent in (1, n)))
    shape = tuple(n * m for n, m in zip(left, right, strict=True))
    return usm.reshape(usm.multiply(blocks, tiles), shape)


@named_in_errors
def matvec(x1: Any, x2: Any, /, out: Out = None) -> usm_ndarray:
    """Multiply matrices and vectors.

    Parameters
    ----------
    x1 : usm_ndarray or numpy.ndarray
        Matrices, in the last two axes.
    x2 : usm_ndarray or numpy.ndarray
        Vectors, in the last axis. `x1` or `x2` is a usm_ndarray; the other axes broadcast.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape and data type.

    Returns
    -------
    usm_ndarray
        Vectors, in the last axis.

    Raises
    ------
    TypeError
        If an operand is not an array.
    ValueError
        If the shapes do not match.

    Notes
    -----
    Compatible with numpy.matvec.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.matvec(usm.asarray([[1, 2], [3, 4]]), usm.asarray([1, 10]))
    usm_ndarray([21, 43])
    """
    x, y = as_arrays("matvec", {"x1": x1, "x2": x2})
    if x.ndim < 2 or y.ndim < 1:
        raise ValueError(f"shapes are {x.shape} and {y.shape}; expected matrices and vectors")
    return copy_to_out(usm.matmul(x, y[..., None])[..., 0], out, "matvec")


@named_in_errors
def vecmat(x1: Any, x2: Any, /, out: Out = None) -> usm_ndarray:
    """Multiply conjugated vectors and matrices.

    Parameters
    ----------
    x1 : usm_ndarray or numpy.ndarray
        Vectors, in the last axis.
    x2 : usm_ndarray or numpy.ndarray
        Matrices, in the last two axes. `x1` or `x2` is a usm_ndarray; the other axes broadcast.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape and data type.

    Returns
    -------
    usm_ndarray
        Vectors, in the last axis.

    Raises
    ------
    TypeError, ValueError
        As from `matvec`.

    Notes
    -----
    Compatible with numpy.vecmat.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.vecmat(usm.asarray([1, 10]), usm.asarray([[1, 2], [3, 4]]))
    usm_ndarray([31, 42])
    """
    x, y = as_arrays("vecmat", {"x1": x1, "x2": x2})
    if x.ndim < 1 or y.ndim < 2:
        raise ValueError(f"shapes are {x.shape} and {y.shape}; expected vectors and matrices")
    x = usm.conj(x) if x.dtype.kind == "c" else x
    return copy_to_out(usm.matmul(x[..., None, :], y)[..., 0, :], out, "vecmat")
