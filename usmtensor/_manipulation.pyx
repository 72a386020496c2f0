# cython: nonecheck=True
"""Functions that change the shape of an array, not its elements."""

from usmtensor._copy cimport copied, require_array
from usmtensor._keywords cimport is_true, order_char
from usmtensor._shapes cimport complete_shape
from usmtensor._usmarray cimport WRITABLE, finish, new_array, reshaped, usm_ndarray

import operator

from numpy.exceptions import AxisError

__all__ = ["permute_dims", "reshape"]


def reshape(x, /, shape, *, order="C", copy=None):
    """The elements of an array under another shape.

    Parameters
    ----------
    x : usm_ndarray
    shape : int or tuple of int
        One extent may be -1: it follows from the size.
    order : {"C", "F", "A"}
        The order in which elements are read and placed; "A" is F for F-contiguous arrays.
    copy : bool, optional
        True: always a copy. False: never, ValueError where one is needed. None: where needed.

    Returns
    -------
    usm_ndarray
        A view where the strides allow one.

    Raises
    ------
    ValueError
        The shape holds another number of elements, or a copy is needed.

    Notes
    -----
    Source: array API 2025.12, `reshape`; `order` as in dpctl.tensor.reshape.
    """
    cdef usm_ndarray source = require_array(x, "reshape"), y
    cdef char letter = b"C" if order == "C" else order_char(order, "reshape")
    if letter == b"K":
        raise ValueError("reshape: order is 'K'; expected 'C', 'F' or 'A'")
    if letter == b"A":
        letter = b"F" if source.bits & 3 == 2 else b"C"
    new_shape = complete_shape(shape, source.count(), "reshape")
    if copy is None or not is_true(copy, "copy", "reshape"):
        y = reshaped(source, new_shape, letter)
        if y is not None:
            return y
        if copy is not None:
            raise ValueError(f"reshape: shape {source.shape} with strides {source.strides} has no "
                             f"view of shape {new_shape}; copy=False does not allow a copy")
    return reshaped(copied(source, source.code, letter, source.queue, None), new_shape, letter)


def permute_dims(x, /, axes):
    """A view with its axes in another order.

    Parameters
    ----------
    x : usm_ndarray
    axes : tuple of int
        A permutation of the axes; negative ones count from the end.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.
    ValueError
        `axes` is not a permutation.

    Notes
    -----
    Source: array API 2025.12, `permute_dims`.
    """
    cdef usm_ndarray source = require_array(x, "permute_dims"), y
    cdef int i, axis, n = source.rank
    try:
        axes = [operator.index(value) for value in axes]
    except TypeError:
        raise TypeError(f"permute_dims: axes is {axes!r}; expected a tuple of integers") from None
    for value in axes:
        if not -n <= value < n:
            raise AxisError(value, n, "permute_dims: axes")
    if sorted([value % n for value in axes]) != list(range(n)):
        raise ValueError(f"permute_dims: axes is {tuple(axes)}; expected a permutation of the {n} "
                         "axes")
    y = new_array(source.memory, source.queue, source.code, n)
    for i in range(n):
        axis = axes[i] % n
        y.extents[i] = source.extents[axis]
        y.extents[n + i] = source.extents[n + axis]
    finish(y, source.data, source.bits & WRITABLE)
    return y
