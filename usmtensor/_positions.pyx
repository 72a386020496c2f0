"""Positions of the largest and the smallest elements."""

from libc.stdint cimport int64_t
from usmtensor._copy cimport flattened
from usmtensor._dtypes cimport I8
from usmtensor._keywords cimport is_true
from usmtensor._native_reduction cimport find_extreme, position_blocks
from usmtensor._operands cimport delivered
from usmtensor._reductions cimport refuse_bools
from usmtensor._usmarray cimport allocate_shape, extents_tuple, require_array, usm_ndarray
from usmtensor._views cimport axis_index, own_view, reshaped, view_at

from usmtensor._indexing import take_along_axis

__all__ = ["argmax", "argmin"]


cdef usm_ndarray position(bint largest, object x, object axis, object keepdims, object out,
                          str function):
    # A view, because code of an argument may set the shape of x.
    cdef usm_ndarray array = own_view(require_array(x, function)), found
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef int place = 0, rank = array.rank
    if axis is not None:
        refuse_bools(axis, function)
        place = axis_index(axis, array, function)
    elif rank != 1:
        array = flattened(array)
    found = all_positions(largest, array, place, function)
    if keep:
        if axis is None:
            found = reshaped(found, (1,) * rank, b"C")
    else:
        found = view_at(found, place, 0)
    return delivered(found, out, function)


cdef usm_ndarray all_positions(bint largest, usm_ndarray x, int place, str function):
    """Positions along an axis. In the result the axis has one element."""
    cdef usm_ndarray found
    cdef bint is_empty = x.count() == 0
    cdef int64_t blocks = 1 if is_empty else position_blocks(x.queue.ref, x.view(), place)
    shape = extents_tuple(x.rank, x.extents)
    found = allocate_shape(x.queue, x.memory.kind(), I8, shape[:place] + (blocks,)
                           + shape[place + 1:])
    if shape[place] == 0:
        raise ValueError(f"{function}: x has shape {shape}; expected at least one element "
                         "along the reduced axis")
    if is_empty:
        return found
    find_extreme(x.queue.ref, largest, x.view(), place, found.view())
    if blocks == 1:
        return found
    # The best of the blocks.
    values = take_along_axis(x, found, axis=place)
    return take_along_axis(found, all_positions(largest, values, place, function), axis=place)


def argmax(x, /, axis=None, *, keepdims=False, out=None):
    """The position of the largest element, or of the first NaN, along an axis.

    Parameters
    ----------
    x : usm_ndarray
    axis : int, optional
        Default: the position in all elements in C order.
    <keepdims>
    <out>

    Returns
    -------
    usm_ndarray
        An array of the default integer type.

    Raises
    ------
    <errors_of_position>

    Notes
    -----
    Complex numbers are ordered by their real parts, then by their imaginary ones.
    Source: array API 2025.12, `argmax`; `out` as in dpctl.tensor.argmax.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.argmax(usm.asarray([[1, 5], [4, 2]]), axis=1)
    usm_ndarray([1, 0])
    """
    return position(True, x, axis, keepdims, out, "argmax")


def argmin(x, /, axis=None, *, keepdims=False, out=None):
    """The position of the smallest element, or of the first NaN, along an axis.

    Parameters
    ----------
    x : usm_ndarray
    axis : int, optional
        Default: the position in all elements in C order.
    <keepdims>
    <out>

    Returns
    -------
    usm_ndarray
        An array of the default integer type.

    Raises
    ------
    <errors_of_position>

    Notes
    -----
    Complex numbers are ordered by their real parts, then by their imaginary ones.
    Source: array API 2025.12, `argmin`; `out` as in dpctl.tensor.argmin.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.argmin(usm.asarray([[1, 5], [4, 2]]), axis=1)
    usm_ndarray([0, 1])
    """
    return position(False, x, axis, keepdims, out, "argmin")
