"""Sorting along an axis."""

from usmtensor._copy cimport copied
from usmtensor._dtypes cimport I8
from usmtensor._keywords cimport is_true, require, wrong_value
from usmtensor._native cimport View, argsort as argsort_rows, sort as sort_rows
from usmtensor._usmarray cimport C_CONTIGUOUS, allocate_array, require_array, usm_ndarray
from usmtensor._views cimport axis_index, basic_view, reshaped, swapped_axes

__all__ = ["argsort", "sort"]

cdef tuple _KINDS = ("stable", "radixsort", "mergesort")


cdef usm_ndarray _sorted(object x, object axis, object descending, object stable, object kind,
                         bint places, str function):
    """The sorted elements, or the places that they come from."""
    cdef usm_ndarray source = require_array(x, function), result
    cdef bint falling = is_true(descending, "descending", function)
    cdef int along
    cdef View from_, to
    is_true(stable, "stable", function)
    if kind is not None and require(kind, str, function, "kind") not in _KINDS:
        raise wrong_value(kind, function, "kind", "None, 'stable', 'radixsort' or 'mergesort'")
    if source.rank == 0:
        line = reshaped(source, (1,), b"C")
        axis_index(axis, line, function)
        return reshaped(_sorted(line, 0, falling, True, None, places, function), (), b"C")
    along = axis_index(axis, source, function)
    source = basic_view(source, Ellipsis)  # plain, and no other's from now on
    if along != source.rank - 1:
        source = swapped_axes(source, along, source.rank - 1)
    if not source.bits & C_CONTIGUOUS:
        source = copied(source, source.code, b"C", source.queue, None)
    result = allocate_array(source.queue, source.memory.kind(), I8 if places else source.code,
                            source.rank, source.extents, b"C")
    from_, to = source.view(), result.view()
    with nogil:
        if places:
            argsort_rows(source.queue.ref, from_, to, falling)
        else:
            sort_rows(source.queue.ref, from_, to, falling)
    if along != result.rank - 1:
        result = swapped_axes(result, along, result.rank - 1)
        result = copied(result, result.code, b"C", result.queue, None)
    return result


def sort(x, /, *, axis=-1, descending=False, stable=True, kind=None):
    """The elements of an array in order along an axis.

    Parameters
    ----------
    x : usm_ndarray
        Of any type. NaN counts as the largest number, -0.0 as equal to 0.0. Complex numbers are
        ordered by their real parts, then by their imaginary ones; behind all others come those with
        a NaN in the imaginary part, in the real part, in both.
    axis : int
    descending : bool
        From the largest element, NaN first, to the smallest one.
    stable : bool
        Equal elements keep their order in either case.
    kind : {"stable", "radixsort", "mergesort"}, optional
        Has no effect.

    Returns
    -------
    usm_ndarray
        Of the shape and type of `x`.

    Raises
    ------
    AxisError
        The axis is out of range.
    TypeError
        `x` is not an array, `descending` or `stable` is no bool.
    ValueError
        An unknown kind.

    Notes
    -----
    Source: array API 2025.12, `sort`; `kind` as in dpctl.tensor.sort.
    """
    return _sorted(x, axis, descending, stable, kind, False, "sort")


def argsort(x, /, *, axis=-1, descending=False, stable=True, kind=None):
    """The indices that sort an array along an axis.

    Parameters
    ----------
    x : usm_ndarray
        Of any type, in the order of `sort`.
    axis : int
    descending : bool
        From the largest element, NaN first, to the smallest one.
    stable : bool
        The indices of equal elements rise in either case.
    kind : {"stable", "radixsort", "mergesort"}, optional
        Has no effect.

    Returns
    -------
    usm_ndarray
        int64, of the shape of `x`: `take_along_axis` of it gives the sorted array.

    Raises
    ------
    AxisError
        The axis is out of range.
    TypeError
        `x` is not an array, `descending` or `stable` is no bool.
    ValueError
        An unknown kind.

    Notes
    -----
    Source: array API 2025.12, `argsort`; `kind` as in dpctl.tensor.argsort.
    """
    return _sorted(x, axis, descending, stable, kind, True, "argsort")
