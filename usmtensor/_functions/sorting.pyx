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
        NumberSort *sort  # by algorithms
    PyArray_ArrFuncs *PyDataType_GetArrFuncs(np.PyArray_Descr *)
    np.PyArray_Descr *PyArray_DescrFromType(int)  # of the types here there is one
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
                         bint places, str function):
    """The sorted elements, or their places before the sort."""
    cdef usm_ndarray source = require_array(x, function), result
    cdef bint falling = is_true(descending, "descending", function)
    cdef int along
    is_true(stable, "stable", function)
    if kind is not None:
        one_of(kind, _KINDS, function, "kind")
    if axis is None:
        source, axis = as_1d(source), -1
    if source.rank == 0:
        # Only the default axis, which sorts all elements of an array of one dimension, too.
        if integer(axis, function, "axis") != -1:
            axis_index(axis, source, function)  # an AxisError
        line = reshape_view(source, (1,), b"C")
        return reshape_view(_sorted(line, 0, falling, True, None, places, function), (), b"C")
    along = axis_index(axis, source, function)
    if source.extents[along] == 1:  # the elements have their places, however many rows there are
        return zeros_like(source, dtype=DTYPES[I8], order="C") if places else copy_as(
            source, source.code, b"C", source.queue, None)
    if along != source.rank - 1:
        source = swap_axes(source, along, source.rank - 1)
    source = as_contiguous(source, source.code)
    result = allocate_array(source.queue, source.allocation.kind, I8 if places else source.code,
                            source.rank, source.extents, b"C")
    if places:
        argsort_rows(source.queue.ref, source.view(), result.view(), falling)
    else:
        sort_rows(source.queue.ref, source.view(), result.view(), falling)
    if along != result.rank - 1:
        result = swap_axes(result, along, result.rank - 1)
        result = copy_as(result, result.code, b"C", result.queue, None)
    return result


def sort(
    x: usm_ndarray,
    /,
    axis: Axis = -1,
    *,
    descending: bool = False,
    stable: bool = True,
    kind: Literal["stable", "radixsort", "mergesort", "quicksort", "heapsort"] | None = None,
) -> usm_ndarray:
    """A copy of an array, sorted along an axis.

    Parameters
    ----------
    x : usm_ndarray
        An array of any type. NaN counts as the largest number, -0.0 as equal to 0.0. Complex
        numbers are ordered by real part, then by imaginary part; at the end come numbers with NaN
        in the imaginary part, then in the real part, then in both.
    axis : int or None
        None: all elements in C order.
    descending : bool
        From the largest element, NaN first, to the smallest one.
    stable : bool
        Has no effect: equal elements always keep their order.
    <kind>

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `x`.

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
    return _sorted(x, axis, descending, stable, kind, False, "sort")


def argsort(
    x: usm_ndarray,
    /,
    axis: Axis = -1,
    *,
    descending: bool = False,
    stable: bool = True,
    kind: Literal["stable", "radixsort", "mergesort", "quicksort", "heapsort"] | None = None,
) -> usm_ndarray:
    """The indices that sort an array along an axis.

    Parameters
    ----------
    x : usm_ndarray
        An array of any type, in the order of `sort`.
    axis : int or None
        None: all elements in C order.
    descending : bool
        From the largest element, NaN first, to the smallest one.
    stable : bool
        Has no effect: the indices of equal elements always rise.
    <kind>

    Returns
    -------
    usm_ndarray
        int64, of the shape of `x`: `take_along_axis` with these indices gives the sorted array.

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
    return _sorted(x, axis, descending, stable, kind, True, "argsort")


cdef usm_ndarray _candidates(usm_ndarray line, int64_t k, bint largest):
    """The places of the elements that may be among the first k of a long line, selected by a
    sample. None if there are too few."""
    cdef int64_t step = 64, rank = 2 * k // step + 32
    limit = basic_view(sort(basic_view(line, slice(None, None, step)), descending=largest),
                       slice(rank, rank + 1))
    found, = nonzero(logical_not(less(line, limit)) if largest else less_equal(line, limit))
    return found if (<usm_ndarray>found).extents[0] >= k else None


def top_k(x, k, /, *, axis=None, mode="largest"):
    """The k largest or smallest elements along an axis, and their positions.

    Parameters
    ----------
    x : usm_ndarray
        An array of any type, in the order of `sort`: NaN is the largest.
    k : int
        From 0 to the extent of the axis.
    axis : int, optional
        Default: the elements in C order, along one axis.
    mode : {"largest", "smallest"}

    Returns
    -------
    namedtuple of usm_ndarray
        `values`, from the largest or the smallest element on; `indices` along the axis, int64. Of
        equal elements the first are taken.

    Raises
    ------
    AxisError
        The axis is out of range.
    TypeError
        `x` is not an array; `k` is not an integer.
    ValueError
        `k` is out of range; `mode` is unknown.

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
    cdef usm_ndarray source = require_array(x, "top_k"), found = None, places
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
        places = argsort(source, axis=along, descending=largest)
        places = copy_as(view_at(places, along, slice(count)), I8, b"C", source.queue, None)
    else:
        places = take(found, basic_view(argsort(take(source, found), descending=largest),
                                        slice(count)))
    return TopKResult(take_along_axis(source, places, axis=along), places)
