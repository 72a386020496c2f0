"""The distinct elements of arrays: `unique_values` and others."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport (
    allocate_array, allocate_shape, element, require_array, usm_ndarray,
)
from usmtensor._core.copy cimport as_1d, as_contiguous
from usmtensor._core.operands cimport assign, in_type
from usmtensor._core.views cimport basic_view, reshape_view, strided_view
from usmtensor._functions.statistics cimport bin_sums
from usmtensor._native.libtensor cimport (
    IndexedAxis, TrueCount, compress, count_true, scatter, sort, true_positions,
)
from usmtensor._runtime.dtypes cimport BOOL, DTYPES, F2, I8, U8

from collections import namedtuple

from usmtensor._functions.elementwise import add, not_equal, subtract
from usmtensor._functions.indexing import nonzero, take
from usmtensor._functions.reductions import max as max_of, min as min_of
from usmtensor._functions.scans import cumulative_sum
from usmtensor._functions.sorting import argsort

__all__ = ["unique_all", "unique_counts", "unique_inverse", "unique_values"]

UniqueAllResult = namedtuple("UniqueAllResult",
                             ["values", "indices", "inverse_indices", "counts"], module=__name__)
UniqueCountsResult = namedtuple("UniqueCountsResult", ["values", "counts"], module=__name__)
UniqueInverseResult = namedtuple("UniqueInverseResult", ["values", "inverse_indices"],
                                 module=__name__)

cdef enum:
    MIN_COUNTED = 1 << 14  # elements: fewer are sorted in less time than their range is found
    PER_BIN = 16           # elements for each integer of the range: fewer are sorted in less time


cdef class _Distinct:
    """The distinct elements of an array."""
    cdef usm_ndarray source

    cdef usm_ndarray values(self):
        """Return the elements in the order of `sort`."""
        raise NotImplementedError

    cdef usm_ndarray counts(self):
        """Return how often each of them occurs."""
        raise NotImplementedError

    cdef usm_ndarray inverse(self):
        """Return for each element of the array its index among them."""
        raise NotImplementedError


cdef _Distinct distinct(object x, bint with_indices, str function):
    """Return the distinct elements. `inverse` needs the indices."""
    cdef usm_ndarray array = require_array(x, function)
    if array.code < F2 and array.count() >= MIN_COUNTED:
        smallest, largest = int(element(min_of(array))), int(element(max_of(array)))
        if 0 < smallest and (array.code == BOOL or largest < array.count() // PER_BIN):
            smallest = 0  # then the elements are the numbers of their bins
        if largest - smallest < array.count() // PER_BIN:
            return _Counted(array, smallest, largest)
    return _Sorted(array, with_indices)


cdef class _Counted(_Distinct):
    """The distinct elements of an array of integers, by counting each integer in their range."""
    cdef usm_ndarray bins, bin_counts, found
    cdef object first  # the integer of bin 0

    def __init__(self, usm_ndarray array, object first, object last):
        self.source, self.first = array, first
        array = as_1d(as_contiguous(array, array.code))
        if array.code == U8:  # may exceed int64
            self.bins = in_type(subtract(array, first) if first else array, I8)
        else:
            self.bins = in_type(array, I8)
            self.bins = subtract(self.bins, first) if first else self.bins
        self.bin_counts = bin_sums(self.bins, None, last - first + 1)
        (self.found,) = nonzero(self.bin_counts)

    cdef usm_ndarray values(self):
        # The cast and the sum may wrap; the result is in range.
        found = in_type(self.found, self.source.code)
        return add(found, self.first) if self.first else found

    cdef usm_ndarray counts(self):
        return take(self.bin_counts, self.found)

    cdef usm_ndarray inverse(self):
        ranks = subtract(cumulative_sum(not_equal(self.bin_counts, 0), dtype=DTYPES[I8]), 1)
        return reshape_view(take(ranks, self.bins), self.source.shape, b"C")


cdef class _Sorted(_Distinct):
    """The distinct elements of an array, and optionally their indices, by sorting."""
    cdef usm_ndarray order, sorted, mask
    cdef TrueCount found

    def __init__(self, usm_ndarray array, bint with_indices):
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

    cdef usm_ndarray values(self):
        return self.first_of_runs(self.sorted)

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
    return distinct(x, False, "unique_values").values()


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
    cdef _Distinct unique = distinct(x, False, "unique_counts")
    return UniqueCountsResult(unique.values(), unique.counts())


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
    cdef _Distinct unique = distinct(x, True, "unique_inverse")
    return UniqueInverseResult(unique.values(), unique.inverse())


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
    cdef _Sorted unique = _Sorted(require_array(x, "unique_all"), True)
    return UniqueAllResult(unique.values(), unique.first_of_runs(unique.order), unique.inverse(),
                           unique.counts())
