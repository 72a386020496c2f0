"""Sorting along an axis, and the largest or smallest elements."""

cimport numpy as np
from libc.stdint cimport int64_t
from usmtensor._core.array cimport allocate_array, require_array, usm_ndarray
from usmtensor._core.copy cimport as_1d, as_contiguous, copy_as
from usmtensor._core.views cimport axis_index, basic_view, reshape_view, swap_axes, view_at
from usmtensor._native.libtensor cimport (
    NumberSort, NumberSorts, argsort as argsort_rows, set_number_sorts, sort as sort_rows,
)
from usmtensor._runtime.arguments cimport integer, is_true, one_of, wrong_value
from usmtensor._runtime.dtypes cimport C8, DTYPES, I8

from collections import namedtuple

from usmtensor._functions.creation import zeros_like
from usmtensor._functions.elementwise import less, less_equal, logical_not
from usmtensor._functions.indexing import nonzero, take, take_along_axis

__all__ = ["argsort", "sort", "top_k"]

np.import_array()

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyArray_ArrFuncs:
        NumberSort *sort  # by algorithm
    PyArray_ArrFuncs *PyDataType_GetArrFuncs(np.PyArray_Descr *)
    np.PyArray_Descr *PyArray_DescrFromType(int)  # never fails for the types used here
    int NPY_QUICKSORT


cdef NumberSort _sort_of(int type):
    return PyDataType_GetArrFuncs(PyArray_DescrFromType(type)).sort[NPY_QUICKSORT]


cdef NumberSorts _sorts
_sorts.sort_int32, _sorts.sort_int64 = _sort_of(np.NPY_INT32), _sort_of(np.NPY_INT64)
_sorts.sort_float32, _sorts.sort_float64 = _sort_of(np.NPY_FLOAT32), _sort_of(np.NPY_FLOAT64)
set_number_sorts(_sorts)

TopKResult = namedtuple("TopKResult", ["values", "indices"], module=__name__)


cdef tuple _KINDS = ("stable", "radixsort", "mergesort", "quicksort", "heapsort")


cdef usm_ndarray _sorted(object x, object axis, object descending, object stable, object kind,
                         bint as_indices, str function):
    """Return the sorted elements, or their indices before the sort."""
    cdef usm_ndarray source = require_array(x, function, "a"), result
    cdef bint falling = is_true(descending, "descending", function)
    cdef int along
    if stable is not None:
        is_true(stable, "stable", function)
    if kind is not None:
        one_of(kind, _KINDS, function, "kind")
    if axis is None:
        source, axis = as_1d(source), -1
    if source.rank == 0:
        # Only the default axis, which sorts all elements of an array of one dimension, too.
        if integer(axis, function, "axis") != -1:
            axis_index(axis, source, function)  # raises the AxisError
        line = reshape_view(source, (1,), b"C")
        return reshape_view(_sorted(line, 0, falling, True, None, as_indices, function), (), b"C")
    along = axis_index(axis, source, function)
    if source.extents[along] == 1:  # rows of length 1 are already sorted
        return zeros_like(source, dtype=DTYPES[I8], order="C") if as_indices else copy_as(
            source, source.code, b"C", source.queue, None)
    if along != source.rank - 1:
        source = swap_axes(source, along, source.rank - 1)
    source = as_contiguous(source, source.code)
    result = allocate_array(source.queue, source.allocation.kind, I8 if as_indices else source.code,
                            source.rank, source.extents, b"C")
    if as_indices:
        argsort_rows(source.queue.ref, source.view(), result.view(), falling)
    else:
        sort_rows(source.queue.ref, source.view(), result.view(), falling)
    if along != result.rank - 1:
        result = swap_axes(result, along, result.rank - 1)
        result = copy_as(result, result.code, b"C", result.queue, None)
    return result


def sort(
    a: usm_ndarray,
    axis: Axis = -1,
    kind: Literal["stable", "radixsort", "mergesort", "quicksort", "heapsort"] | None = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> usm_ndarray:
    """Return a copy of an array, sorted along an axis.

    Parameters
    ----------
    a : usm_ndarray
        An array of any type. NaN is the largest number, and -0.0 equals 0.0. Complex numbers are
        ordered by real part, then by imaginary part. Numbers with NaN in the imaginary part, in the
        real part and in both parts come last, in this order.
    axis : int or None
        The axis. None sorts all elements in C order.
    <kind>
    descending : bool
        If True, sort in descending order, with NaN first.
    stable : bool, optional
        Ignored: the sort is always stable.

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `a`.

    Raises
    ------
    <errors_of_sort>

    Notes
    -----
    Source: array API 2025.12, `sort`; `kind` as in dpctl.tensor.sort.
    On a CPU, NumPy sorts large arrays after the work on them.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.sort(usm.asarray([3, 1, 2]))
    usm_ndarray([1, 2, 3])
    >>> usm.sort(usm.asarray([3, 1, 2]), descending=True)
    usm_ndarray([3, 2, 1])
    """
    return _sorted(a, axis, descending, stable, kind, False, "sort")


def argsort(
    a: usm_ndarray,
    axis: Axis = -1,
    kind: Literal["stable", "radixsort", "mergesort", "quicksort", "heapsort"] | None = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> usm_ndarray:
    """Return the indices that sort an array along an axis.

    Parameters
    ----------
    a : usm_ndarray
        An array of any type, in the order of `sort`.
    axis : int or None
        The axis. None sorts all elements in C order.
    <kind>
    descending : bool
        If True, sort in descending order, with NaN first.
    stable : bool, optional
        Ignored: the sort is always stable.

    Returns
    -------
    usm_ndarray
        An int64 array with the shape of `a`. `take_along_axis` with it gives the sorted array.

    Raises
    ------
    <errors_of_sort>

    Notes
    -----
    Source: array API 2025.12, `argsort`; `kind` as in dpctl.tensor.argsort.
    On a CPU, NumPy sorts large arrays after the work on them.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.argsort(usm.asarray([3, 1, 2]))
    usm_ndarray([1, 2, 0])
    """
    return _sorted(a, axis, descending, stable, kind, True, "argsort")


cdef usm_ndarray _candidates(usm_ndarray line, int64_t k, bint largest):
    """Return the indices of candidates for the first k elements of a long 1-D array.

    A sample selects them. Returns None if there are too few.
    """
    cdef int64_t step = 64, rank = 2 * k // step + 32
    limit = basic_view(sort(basic_view(line, slice(None, None, step)), descending=largest),
                       slice(rank, rank + 1))
    found, = nonzero(logical_not(less(line, limit)) if largest else less_equal(line, limit))
    return found if (<usm_ndarray>found).extents[0] >= k else None


def top_k(x, k, /, *, axis=None, mode="largest"):
    """Return the k largest or smallest elements along an axis, and their indices.

    Parameters
    ----------
    x : usm_ndarray
        An array of any type, in the order of `sort`: NaN is the largest.
    k : int
        The number of elements, from 0 to the extent of the axis.
    axis : int, optional
        Default: `x` is flattened in C order.
    mode : {"largest", "smallest"}

    Returns
    -------
    namedtuple of usm_ndarray
        `values`, beginning with the largest or the smallest element, and `indices` along the axis
        of type int64. Of equal elements, the first are taken.

    Raises
    ------
    AxisError
        If the axis is out of range.
    TypeError
        If `x` is not an array, or `k` is not an integer.
    ValueError
        If `k` is out of range, or `mode` is unknown.

    Notes
    -----
    Waits if the axis is long. Compatible with dpctl.tensor.top_k.

    Examples
    --------
    >>> import usmtensor as usm
    >>> values, indices = usm.top_k(usm.asarray([3, 9, 4]), 2)
    >>> values, indices
    (usm_ndarray([9, 4]), usm_ndarray([1, 2]))
    """
    cdef usm_ndarray source = require_array(x, "top_k"), found = None, indices
    cdef int along = 0
    cdef int64_t extent
    cdef bint largest
    count = integer(k, "top_k", "k")
    largest = one_of(mode, ("smallest", "largest"), "top_k", "mode")
    if axis is None:
        source = as_1d(source)
    else:
        along = axis_index(axis, source, "top_k")
    extent = source.extents[along]
    if not 0 <= count <= extent:
        raise wrong_value(count, "top_k", "k", f"an integer from 0 to {extent}")
    if source.rank == 1 and extent >= 1 << 16 and count <= extent // 64 and source.code < C8:
        found = _candidates(source, count, largest)
    if found is None:
        indices = argsort(source, axis=along, descending=largest)
        indices = copy_as(view_at(indices, along, slice(count)), I8, b"C", source.queue, None)
    else:
        indices = take(found, basic_view(argsort(take(source, found), descending=largest),
                                        slice(count)))
    return TopKResult(take_along_axis(source, indices, axis=along), indices)
