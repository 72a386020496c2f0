"""Searching sorted arrays: `searchsorted` and `isin`."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from usmtensor._core.array cimport allocate_array, allocate_shape, usm_ndarray
from usmtensor._core.copy cimport as_1d, as_contiguous
from usmtensor._core.operands cimport (
    Operands, assign, colocate, common_queue, first_array, read_operands, read_sequence,
)
from usmtensor._core.views cimport basic_view
from usmtensor._native.libtensor cimport QueueRef, View, raised, sort
from usmtensor._runtime.arguments cimport is_true, one_of, wrong_value
from usmtensor._runtime.dtypes cimport BOOL, I8, U8

from usmtensor._functions.indexing import take

cdef extern from "ops/searching.hpp" namespace "usmtensor" nogil:
    void search_sorted "UNLOCKED(search_sorted)"(const QueueRef &, const View &sorted,
                                                 const View &ends, int64_t block,
                                                 const View &values, const View &indices,
                                                 cbool right) except +raised
    void contains "UNLOCKED(contains)"(const QueueRef &, const View &sorted, const View &ends,
                                       int64_t block, const View &values, const View &result,
                                       cbool invert) except +raised

__all__ = ["isin", "searchsorted"]


def searchsorted(
    a: Vector,
    v: Vector | Scalar,
    side: Literal["left", "right"] = "left",
    sorter: ArrayOperand | None = None,
) -> usm_ndarray:
    """Find the insertion indices of values in a sorted array.

    Parameters
    ----------
    a : usm_ndarray, numpy.ndarray or sequence
        A 1-D array, in the order of `sort`.
    v : usm_ndarray, numpy.ndarray, sequence or number
        The values. `a` and `v` promote to one type. At least one operand is a usm_ndarray.
    side : {"left", "right"}
        Insert before or after elements that are equal.
    sorter : usm_ndarray or numpy.ndarray, optional
        The indices that sort `a`, as from `argsort`. An index out of range means the nearest
        element.

    Returns
    -------
    usm_ndarray
        An int64 array with the shape of `v`.

    Raises
    ------
    OverflowError
        If a Python integer is out of range of the type of `a`.
    TypeError
        If `a` is not an array, or `sorter` is not an array of integers.
    ValueError
        If `a` is not 1-D, `sorter` has another shape, or `side` is unknown.

    Notes
    -----
    Source: array API 2025.12, `searchsorted`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.searchsorted(usm.asarray([10, 20, 30]), usm.asarray([5, 20, 25]))
    usm_ndarray([0, 1, 2])
    """
    a, v = read_sequence(a, "searchsorted"), read_sequence(v, "searchsorted")
    cdef usm_ndarray first = first_array((a, v, sorter)), values, indices, order
    cdef usm_ndarray sorted_ = colocate(a, first, "searchsorted", "a")
    cdef Operands operands
    cdef int code
    cdef cbool right = one_of(side, ("left", "right"), "searchsorted", "side")
    if sorted_.rank != 1:
        raise wrong_value(sorted_.rank, "searchsorted", "a.ndim", "1")
    if sorter is not None:
        order = colocate(sorter, first, "searchsorted", "sorter")
        if not BOOL < order.code <= U8:
            raise TypeError(f"searchsorted: sorter is of data type {order.dtype}; expected "
                            "integers")
        common_queue([sorted_, order], "searchsorted")
        if order.rank != 1 or order.extents[0] != sorted_.extents[0]:
            raise wrong_value(order.shape, "searchsorted", "sorter.shape",
                              f"{sorted_.shape}, as a has")
        if sorted_.extents[0]:
            sorted_ = take(sorted_, order, mode="clip")
    operands = read_operands("searchsorted", ("a", "v"), [sorted_, v])
    code = operands.common_code()
    sorted_ = as_contiguous(operands.array(0), code)
    values = as_contiguous(operands.in_type(1, code, "searchsorted: v"), code)
    indices = allocate_array(operands.queue, operands.kind, I8, values.rank, values.extents, b"C")
    _search(sorted_, values, indices, right)
    return indices


cdef int _search(usm_ndarray sorted_, usm_ndarray values, usm_ndarray result,
                 cbool option) except -1:
    """Write insertion indices to an int64 `result`, or membership flags to a bool one."""
    cdef usm_ndarray ends = sorted_
    cdef int64_t block = 0
    if sorted_.count() >= 1 << 17 and values.count() >= 1 << 14:
        block = 64
        ends = as_contiguous(basic_view(sorted_, slice(block - 1, None, block)), sorted_.code)
    if result.code == BOOL:
        contains(result.queue.ref, sorted_.view(), ends.view(), block, values.view(),
                 result.view(), option)
    else:
        search_sorted(result.queue.ref, sorted_.view(), ends.view(), block, values.view(),
                      result.view(), option)
    return 0


def isin(
    element: Vector | Scalar,
    test_elements: Vector | Scalar,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Literal["sort", "table"] | None = None,
) -> usm_ndarray:
    """Test if each element of an array occurs in another array.

    Parameters
    ----------
    element, test_elements : usm_ndarray, numpy.ndarray, sequence or number
        Operands, which promote to one type. At least one is a usm_ndarray. NaN equals nothing.
    assume_unique : bool
        Accepted for compatibility, and ignored.
    invert : bool
        If True, the result is True where an element is not found.
    kind : {None, "sort", "table"}
        Accepted for compatibility, and ignored.

    Returns
    -------
    usm_ndarray
        A bool array with the shape of `element`.

    Raises
    ------
    ExecutionPlacementError
        If neither operand is an array.
    TypeError
        If an operand has another type, or `invert` is not a bool.

    Notes
    -----
    Source: array API 2025.12, `isin`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.isin(usm.asarray([1, 2, 3]), usm.asarray([3, 1]))
    usm_ndarray([ True, False,  True])
    """
    cdef usm_ndarray values, test, sorted_, result
    cdef cbool inverted = is_true(invert, "invert", "isin")
    is_true(assume_unique, "assume_unique", "isin")
    if kind not in (None, "sort", "table"):
        raise wrong_value(kind, "isin", "kind", "None, 'sort' or 'table'")
    cdef Operands operands = read_operands(
        "isin", ("element", "test_elements"),
        [read_sequence(element, "isin"), read_sequence(test_elements, "isin")])
    cdef int code = operands.common_code()
    try:
        values = as_contiguous(operands.in_type(0, code, "isin"), code)
        test = as_contiguous(operands.in_type(1, code, "isin"), code)
    except OverflowError:  # a Python integer is out of range of the other operand's type
        values = operands.array(0)
        result = allocate_shape(operands.queue, operands.kind, BOOL,
                                () if values is None else values.shape)
        return assign(result, bool(inverted))
    result = allocate_array(operands.queue, operands.kind, BOOL, values.rank, values.extents, b"C")
    test = as_1d(test)
    sorted_ = allocate_array(test.queue, operands.kind, code, 1, test.extents, b"C")
    sort(sorted_.queue.ref, test.view(), sorted_.view(), False)
    _search(sorted_, values, result, inverted)
    return result
