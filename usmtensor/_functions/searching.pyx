"""Searching sorted arrays, and sets: `searchsorted`, `isin`, `unique_values` and others."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from libcpp.vector cimport vector
from usmtensor._core.array cimport allocate_array, allocate_shape, require_array, usm_ndarray
from usmtensor._core.copy cimport as_1d, as_contiguous
from usmtensor._core.operands cimport (
    Operands, assign, colocate, common_queue, first_array, read_operands, read_sequence,
)
from usmtensor._core.views cimport basic_view, strided_view
from usmtensor._native.libtensor cimport (
    IndexedAxis, QueueRef, TrueCount, View, compress, count_true, raised, scatter, sort,
    true_positions,
)
from usmtensor._runtime.arguments cimport is_true, one_of, wrong_value
from usmtensor._runtime.dtypes cimport BOOL, DTYPES, I8, U8

from collections import namedtuple

from usmtensor._functions.elementwise import not_equal, subtract
from usmtensor._functions.indexing import take
from usmtensor._functions.scans import cumulative_sum
from usmtensor._functions.sorting import argsort

cdef extern from "ops/searching.hpp" namespace "usmtensor" nogil:
    void search_sorted "UNLOCKED(search_sorted)"(const QueueRef &, const View &sorted,
                                                 const View &ends, int64_t block,
                                                 const View &values, const View &indices,
                                                 cbool right) except +raised
    void contains "UNLOCKED(contains)"(const QueueRef &, const View &sorted, const View &ends,
                                       int64_t block, const View &values, const View &result,
                                       cbool invert) except +raised

__all__ = ["isin", "searchsorted", "unique_all", "unique_counts", "unique_inverse",
           "unique_values"]

UniqueAllResult = namedtuple("UniqueAllResult",
                             ["values", "indices", "inverse_indices", "counts"], module=__name__)
UniqueCountsResult = namedtuple("UniqueCountsResult", ["values", "counts"], module=__name__)
UniqueInverseResult = namedtuple("UniqueInverseResult", ["values", "inverse_indices"],
                                 module=__name__)


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


# Sets


cdef class _Unique:
    """The distinct elements of an array, and optionally their indices."""
    cdef usm_ndarray source, order, sorted, mask
    cdef TrueCount found

    def __init__(self, object x, bint with_indices, str function):
        cdef usm_ndarray array = require_array(x, function)
        self.source = array
        array = as_1d(as_contiguous(array, array.code))
        self.mask = allocate_array(array.queue, array.allocation.kind, BOOL, 1, array.extents, b"C")
        if with_indices:
            self.order = argsort(array)
            self.sorted = take(array, self.order) if array.extents[0] else array
        else:
            self.sorted = allocate_array(array.queue, array.allocation.kind, array.code, 1,
                                         array.extents, b"C")
            sort(array.queue.ref, array.view(), self.sorted.view(), False)
        assign(basic_view(self.mask, slice(1)), True)
        not_equal(basic_view(self.sorted, slice(1, None)), basic_view(self.sorted, slice(-1)),
                  out=basic_view(self.mask, slice(1, None)))
        self.found = count_true(array.queue.ref, self.mask.view())

    cdef usm_ndarray allocate(self, int code, int more=0):
        return allocate_shape(self.source.queue, self.source.allocation.kind, code,
                              (self.found.count + more,))

    cdef usm_ndarray first_of_runs(self, usm_ndarray x):
        """Select the first element of each run of equal elements."""
        cdef usm_ndarray result = self.allocate(x.code)
        compress(x.queue.ref, x.view(), self.mask.view(), self.found, result.view())
        return result

    cdef usm_ndarray counts(self):
        cdef usm_ndarray ends = self.allocate(I8, 1)
        cdef usm_ndarray begins = basic_view(ends, slice(None, -1))
        true_positions(ends.queue.ref, self.mask.view(), self.found, begins.view())
        assign(basic_view(ends, -1), self.mask.extents[0])
        return subtract(basic_view(ends, slice(1, None)), begins)

    cdef usm_ndarray inverse(self):
        cdef usm_ndarray result = allocate_array(
            self.source.queue, self.source.allocation.kind, I8, self.source.rank,
            self.source.extents, b"C")
        cdef usm_ndarray numbers
        cdef vector[int64_t] extents = [result.count()], strides = [0]
        if extents[0]:
            numbers = cumulative_sum(basic_view(self.mask, slice(1, None)), dtype=DTYPES[I8],
                                     include_initial=True)
            scatter(result.queue.ref, strided_view(result, extents, strides).view(),
                    IndexedAxis(0, 0, extents[0] - 1, 1), self.order.view(), numbers.view(), True)
        return result


def unique_values(x: usm_ndarray) -> usm_ndarray:
    """Return the distinct elements of an array.

    Parameters
    ----------
    <x_of_set>

    Returns
    -------
    usm_ndarray
        A 1-D array, in the order of `sort`.

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Waits for the number of distinct elements. Source: array API 2025.12, `unique_values`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.unique_values(usm.asarray([2, 1, 2]))
    usm_ndarray([1, 2])
    """
    cdef _Unique unique = _Unique(x, False, "unique_values")
    return unique.first_of_runs(unique.sorted)


def unique_counts(x):
    """Return the distinct elements of an array, and their counts.

    Parameters
    ----------
    <x_of_set>

    Returns
    -------
    namedtuple of usm_ndarray
        `values` in the order of `sort`, and `counts` of type int64.

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Waits for the number of distinct elements. Source: array API 2025.12, `unique_counts`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> values, counts = usm.unique_counts(usm.asarray([2, 1, 2]))
    >>> values, counts
    (usm_ndarray([1, 2]), usm_ndarray([1, 2]))
    """
    cdef _Unique unique = _Unique(x, False, "unique_counts")
    return UniqueCountsResult(unique.first_of_runs(unique.sorted), unique.counts())


def unique_inverse(x):
    """Return the distinct elements of an array, and the index of each element among them.

    Parameters
    ----------
    <x_of_set>

    Returns
    -------
    namedtuple of usm_ndarray
        `values` in the order of `sort`, and `inverse_indices` of type int64 with the shape of `x`.

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Waits for the number of distinct elements. Source: array API 2025.12, `unique_inverse`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> values, inverse = usm.unique_inverse(usm.asarray([2, 1, 2]))
    >>> values[inverse]
    usm_ndarray([2, 1, 2])
    """
    cdef _Unique unique = _Unique(x, True, "unique_inverse")
    return UniqueInverseResult(unique.first_of_runs(unique.sorted), unique.inverse())


def unique_all(x):
    """Return the distinct elements of an array, their first indices, inverse indices and counts.

    Parameters
    ----------
    <x_of_set>

    Returns
    -------
    namedtuple of usm_ndarray
        `values` in the order of `sort`; and of type int64 the `indices` of first occurrences in the
        flattened array, `inverse_indices` with the shape of `x`, and `counts`.

    Raises
    ------
    TypeError
        If `x` is not an array.

    Notes
    -----
    Waits for the number of distinct elements. Source: array API 2025.12, `unique_all`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.unique_all(usm.asarray([2, 1, 2])).values
    usm_ndarray([1, 2])
    """
    cdef _Unique unique = _Unique(x, True, "unique_all")
    return UniqueAllResult(unique.first_of_runs(unique.sorted), unique.first_of_runs(unique.order),
                           unique.inverse(), unique.counts())
