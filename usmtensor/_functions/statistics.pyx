"""Statistics, histograms and interpolation."""

from libc.stdint cimport int64_t
from libcpp cimport bool as cbool
from usmtensor._core.array cimport (
    allocate_array, allocate_shape, element, extents_tuple, require_array, usm_ndarray,
)
from usmtensor._core.copy cimport as_1d, as_contiguous, copy_as, upload
from usmtensor._core.operands cimport (
    as_floating, colocate, common_kind, convert_operands, first_array, floating_code, in_type,
    promoted_code,
)
from usmtensor._core.views cimport basic_view, reshape_view
from usmtensor._functions.reductions cimport finish_reduction, reduced_axes
from usmtensor._native.libtensor cimport QueueRef, View, may_overlap, raised
from usmtensor._runtime.arguments cimport (
    integer, is_true, kind_name, natural, number, one_of, short_repr, wrong_value,
)
from usmtensor._runtime.dtypes cimport BOOL, C16, C8, DTYPES, F2, F4, F8, I8, default_code

import math
import numpy

from usmtensor._functions.arguments import stack_sequence
from usmtensor._functions.bin_rules import RULES, number_of_bins
from usmtensor._functions.creation import full_like
from usmtensor._functions.elementwise import (
    add, divide, equal, greater, greater_equal, isnan, less, less_equal, logical_and,
    logical_not, logical_or, multiply, not_equal, remainder, subtract, where,
)
from usmtensor._functions.indexing import take
from usmtensor._functions.manipulation import broadcast_to, concat, flip, permute_dims, reshape
from usmtensor._functions.reductions import (
    all as all_of, count_nonzero, max as max_of, mean as mean_of, min as min_of, sum as sum_of,
)
from usmtensor._functions.scans import diff
from usmtensor._functions.searching import searchsorted
from usmtensor._functions.sorting import argsort, sort

__all__ = ["average", "bincount", "digitize", "histogram", "interp", "median", "ptp"]


def average(
    a: ArrayOperand | Sequence[usm_ndarray],
    axis: Axes = None,
    weights: Vector | None = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """Compute weighted means: sum(a * weights) / sum(weights).

    Parameters
    ----------
    a : usm_ndarray, numpy.ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis. At least one of `a` and
        `weights` is a usm_ndarray.
    <axis_of_reduction>
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        An array with the shape of `a`, or of the axes that are reduced. Default: equal weights.
    returned : bool
        If True, also return the sums of the weights.
    <keepdims>

    Returns
    -------
    usm_ndarray, or tuple of two
        Arrays of the type to which `a` and the weights promote, or of the default floating point
        type for integers. The result is not finite if the weights sum to 0.

    Raises
    ------
    TypeError
        If an operand is not an array, or an axis is not an integer.
    ValueError
        If an axis is given twice, or the weights have another shape.
    AxisError
        If an axis is out of range.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    float16 is multiplied and added in float32. Unlike in numpy.average, weights that sum to 0 are
    not an error, because checking would have to wait for the device.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.average(usm.asarray([1.0, 4.0]), weights=usm.asarray([3.0, 1.0]))
    usm_ndarray(1.75)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    cdef str function = "average"
    cdef usm_ndarray array = colocate(a, first_array((weights,)), function, "a")
    cdef usm_ndarray factors, total, result
    cdef bint with_sum = is_true(returned, "returned", function)
    cdef int code, work, k
    axes = reduced_axes(array, axis, function)
    shape = extents_tuple(array.rank, array.extents)
    if weights is None:
        result = mean_of(array, axes, keepdims=keepdims)
        if not with_sum:
            return result
        return result, full_like(result, math.prod([shape[k] for k in axes]))
    array, factors = convert_operands(function, {"a": array, "weights": weights})
    own = extents_tuple(factors.rank, factors.extents)
    reduced = tuple([shape[k] for k in axes])
    if own != shape:
        if own != reduced:
            raise ValueError(f"{function}: weights have shape {own}; expected {shape}, as a has, "
                             f"or {reduced}, the extents of the axes")
        order = sorted(range(len(axes)), key=axes.__getitem__)
        factors = reshape(permute_dims(factors, order),
                          [shape[k] if k in axes else 1 for k in range(array.rank)])
    code = promoted_code(1 << array.code | 1 << factors.code, array.queue.ref.get())
    if code < F2:
        code = default_code(2, array.queue.ref.get().fp64)
    work = F4 if code == F2 else code
    array, factors = in_type(array, work), in_type(factors, work)
    total = sum_of(broadcast_to(factors, shape), axes, keepdims=keepdims)
    result = sum_of(multiply(array, factors), axes, keepdims=keepdims)
    divide(result, total, out=result)
    result = in_type(result, code)
    return (result, in_type(total, code)) if with_sum else result


# The size of a contiguous array from which sampling finds some ranks faster than `sort`.
LEAST_SAMPLED = 1 << 13


def elements_of_ranks(line, int64_t first, int64_t last):
    """Return a sorted part of the elements that has the ranks from `first` to `last` and all NaN.

    Also returns the number of smaller elements. A sample gives limits for the part.
    """
    cdef int64_t count = line.size, low = first // 61, high = (last + 60) // 61, before = 0
    cdef int64_t spread = 2 * math.isqrt(2 * min(high, count // 61 - low) + 8)
    sample = sort(line[::61])  # a prime step, because periodic arrays rarely have a prime period
    outside = None
    if low > spread:
        outside = less(line, sample[low - spread])
        before = int(count_nonzero(outside))
    if high + spread < sample.size:
        above = greater(line, sample[high + spread])
        outside = above if outside is None else logical_or(outside, above)
    found = sort(line if outside is None else line[logical_not(outside)])
    if before <= first and last < before + found.size:
        return found, before
    return sort(line), 0


def median(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    out: Out = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> usm_ndarray:
    """Compute the median: the middle element in sorted order, or the mean of the two middle ones.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
        An array of any type, in the order of `sort`.
    <axis_of_reduction>
    <out>
    overwrite_input : bool
        Ignored: `a` never changes.
    <keepdims>

    Returns
    -------
    usm_ndarray
        An array of the type of `a`, or of the default floating point type for integers and bools.
        NaN if an element is NaN or there is no element.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Waits if there is one row of 8192 or more real numbers. Compatible with numpy.median.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.median(usm.asarray([5.0, 1.0, 3.0, 2.0]))
    usm_ndarray(2.5)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    cdef str function = "median"
    cdef usm_ndarray array = require_array(a, function, "a"), line, last, result
    cdef int k
    axes = reduced_axes(array, axis, function)
    if array.count() == 0:
        return finish_reduction(mean_of(array, axes, keepdims=True), axes, keepdims, out, function)
    kept = [k for k in range(array.rank) if k not in axes]
    count = math.prod([array.extents[k] for k in axes])
    line = reshape(permute_dims(array, (*kept, *axes)), [*[array.extents[k] for k in kept], count])
    # Sorting all elements of one or two bytes is as fast.
    whole = kept or count < LEAST_SAMPLED or line.code >= C8 or line.itemsize <= 2
    line, skipped = (sort(line), 0) if whole else \
        elements_of_ranks(line, (count - 1) // 2, count // 2)
    result = mean_of(basic_view(line, (Ellipsis, slice((count - 1) // 2 - skipped,
                                                       count // 2 + 1 - skipped))), -1)
    if line.code >= F2:
        last = basic_view(line, (Ellipsis, -1))
        result = where(not_equal(last, last), last, result)
    result = reshape(result, [1 if k in axes else array.extents[k] for k in range(array.rank)])
    return finish_reduction(result, axes, keepdims, out, function)


def ptp(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
) -> usm_ndarray:
    """Compute the difference of the largest and the smallest elements (peak to peak).

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <out>
    <keepdims>

    Returns
    -------
    usm_ndarray
        An array of the type of `a`; NaN if an element is NaN.

    Raises
    ------
    TypeError
        If `a` is not an array, or is an array of bools; or if an axis is not an integer.
    ValueError
        If there is no element; if an axis is given twice; or if `out` has another shape or
        is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Differences of integers wrap. Compatible with numpy.ptp.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ptp(usm.asarray([5, 1, 3]))
    usm_ndarray(4)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    cdef usm_ndarray array = require_array(a, "ptp", "a"), result
    axes = reduced_axes(array, axis, "ptp")
    if array.code == BOOL:
        raise TypeError("ptp: a is of data type bool; expected numbers")
    if 0 in [array.extents[k] for k in axes]:
        raise ValueError(f"ptp: a has shape {array.shape}; expected at least one element along the "
                         "reduced axes")
    result = max_of(array, axes, keepdims=True)
    subtract(result, min_of(array, axes, keepdims=True), out=result)
    return finish_reduction(result, axes, keepdims, out, "ptp")


cdef extern from "ops/searching.hpp" namespace "usmtensor" nogil:
    int64_t count_blocks(const QueueRef &, int64_t n, int64_t bins, cbool has_weights)
    void count_bins "UNLOCKED(count_bins)"(const QueueRef &, const View &indices,
                                               const View &sums) except +raised
    void native_uniform_bins "UNLOCKED(uniform_bins)"(
        const QueueRef &, const View &x, const View &bounds, const View &indices) except +raised
    void sum_bins "UNLOCKED(sum_bins)"(const QueueRef &, const View &indices,
                                           const View &weights, const View &sums) except +raised
    cdef enum class Combination:
        add, multiply, maximum, minimum
    cbool native_combine_at "UNLOCKED(combine_at)"(
        const QueueRef &, Combination function, const View &indices, const View &values,
        const View &out) except +raised
    void interpolate "UNLOCKED(interpolate)"(
        const QueueRef &, const View &x, const View &counts, const View &points,
        const View &values, const View &outside, cbool left, cbool right,
        const View &result) except +raised

cdef usm_ndarray bin_sums(usm_ndarray indices, usm_ndarray weights, int64_t bins):
    """Return the counts of indices below `bins`, or the sums of their weights.

    Counts are int64. Sums have the widest floating point type or complex type.
    """
    cdef usm_ndarray sums
    cdef int code = I8
    if weights is not None:
        if weights.code >= C8:
            sums = allocate_shape(indices.queue, indices.allocation.kind, weights.code, (bins,))
            for part in range(2):
                sums._part(part)[...] = bin_sums(indices, weights._part(part), bins)
            return sums
        code = I8 if weights.code < F2 else default_code(2, indices.queue.ref.get().fp64)
        weights = as_1d(as_contiguous(weights, code))
    indices = as_1d(as_contiguous(indices, I8))
    blocks = count_blocks(indices.queue.ref, indices.count(), bins, weights is not None)
    sums = allocate_shape(indices.queue, indices.allocation.kind, code, (blocks, bins))
    if weights is None:
        count_bins(sums.queue.ref, indices.view(), sums.view())
    else:
        sum_bins(sums.queue.ref, indices.view(), weights.view(), sums.view())
    if sums.extents[0] == 1:
        return reshape_view(sums, (bins,), b"C")
    return sum_of(sums, 0)


cdef dict _COMBINATIONS = {
    "add": <int>Combination.add, "multiply": <int>Combination.multiply,
    "maximum": <int>Combination.maximum, "minimum": <int>Combination.minimum,
}


def combine_at(str function, usm_ndarray x not None, usm_ndarray indices not None,
               usm_ndarray values not None):
    """Compute x[indices[i]] = function(x[indices[i]], values[i]) for i in order.

    `x` is contiguous, and all indices are in range. Returns False on devices that are slow at this.
    """
    cdef Combination combination = <Combination><int>_COMBINATIONS[function]
    indices, values = as_contiguous(indices, I8), as_contiguous(values, x.code)
    if may_overlap(values.view(), x.view()):
        values = copy_as(values, values.code, b"C", values.queue, None)
    return native_combine_at(x.queue.ref, combination, indices.view(), values.view(), x.view())


cdef object weights_of(object weights, usm_ndarray x, str function):
    """Return x and its weights as arrays."""
    cdef usm_ndarray array, factors
    if weights is None:
        return x, None
    array, factors = convert_operands(function, {"x": x, "weights": weights})
    own = extents_tuple(factors.rank, factors.extents)
    shape = extents_tuple(array.rank, array.extents)
    if own != shape:
        raise ValueError(f"{function}: weights have shape {own}; expected {shape}, one for each "
                         "element")
    return array, factors


def bincount(
    x: ArrayOperand, /, weights: Vector | None = None, minlength: SupportsIndex = 0
) -> usm_ndarray:
    """Count the occurrences of each number.

    Parameters
    ----------
    x : usm_ndarray or numpy.ndarray
        A 1-D array of non-negative integers or bools. At least one of the operands is a
        usm_ndarray.
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        The weights of the elements, with the shape of `x`. Default: 1.
    minlength : int
        The minimum number of elements of the result.

    Returns
    -------
    usm_ndarray
        Element k is the count of the number k. The type is int64, or with weights the default
        floating point type or a complex type.

    Raises
    ------
    TypeError
        If `x` is not an array of integers, or `minlength` is not an integer.
    ValueError
        If `x` is not 1-D or has a negative element, the weights have another shape, or `minlength`
        is negative.

    Notes
    -----
    Waits for the largest and the smallest element. Compatible with numpy.bincount.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.bincount(usm.asarray([0, 1, 1, 3]))
    usm_ndarray([1, 2, 0, 1])
    """
    cdef str function = "bincount"
    cdef usm_ndarray array = colocate(x, first_array((weights,)), function, "x")
    cdef usm_ndarray factors
    least = natural(minlength, function, "minlength")
    if array.code >= F2:
        raise TypeError(f"{function}: x is of data type {array.dtype}; expected integers")
    if array.rank != 1:
        raise wrong_value(array.rank, function, "x.ndim", "1")
    array, factors = weights_of(weights, array, function)
    if array.count():
        smallest, largest = element(min_of(array)), element(max_of(array))
        if smallest < 0:
            raise wrong_value(smallest, function, "an element of x", "no negative number")
        least = max(least, int(largest) + 1)
    return bin_sums(array, None if factors is None else as_floating(factors),
                    integer_that_fits(least, function))


cdef int64_t integer_that_fits(object count, str function) except -1:
    if count >= 1 << 59:
        raise MemoryError(f"{function}: {short_repr(count)} bins do not fit in memory")
    return count


def digitize(x: Operand, bins: Vector, right: bool = False) -> usm_ndarray:
    """Return the index of the bin of each element.

    Parameters
    ----------
    x : usm_ndarray, numpy.ndarray or number
    bins : usm_ndarray, numpy.ndarray or sequence
        A 1-D array of bin edges in increasing or decreasing order. One operand is a usm_ndarray.
    right : bool
        If True, a bin includes its upper edge instead of its lower edge.

    Returns
    -------
    usm_ndarray
        An int64 array with the shape of `x`: the number of edges before each element.

    Raises
    ------
    TypeError
        If an operand is not an array, or is complex.
    ValueError
        If `bins` is not 1-D, or is not sorted.
    ExecutionPlacementError
        If no operand is an array, or the arrays are on different devices or in different contexts.

    Notes
    -----
    Waits for the check of the order. Compatible with numpy.digitize.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.digitize(usm.asarray([0.5, 2.5]), usm.asarray([0.0, 1.0, 2.0, 3.0]))
    usm_ndarray([1, 3])
    """
    cdef str function = "digitize"
    cdef usm_ndarray array, bounds
    side = "left" if is_true(right, "right", function) else "right"
    array, bounds = convert_operands(function, {"x": x, "bins": bins})
    refuse_complex(array, function, "x")
    refuse_complex(bounds, function, "bins")
    if bounds.rank != 1:
        raise wrong_value(bounds.rank, function, "bins.ndim", "1")
    if not is_increasing(bounds):
        bounds = flip(bounds)
        if not is_increasing(bounds):
            raise ValueError(f"{function}: bins are in no order; expected increasing or decreasing "
                             "bounds")
        return subtract(bounds.extents[0], searchsorted(bounds, array, side=side))
    return searchsorted(bounds, array, side=side)


cdef int refuse_complex(usm_ndarray x, str function, str argument) except -1:
    if x.code >= C8:
        raise TypeError(f"{function}: {argument} is of data type {x.dtype}; expected real numbers")
    return 0


cdef bint is_increasing(usm_ndarray line):
    """Return True if no element is less than the one before, where NaN is the largest; waits."""
    cdef usm_ndarray after = basic_view(line, slice(1, None))
    found = less_equal(basic_view(line, slice(None, -1)), after)
    return bool(all_of(found if line.code < F2 else logical_or(found, isnan(after))))


def histogram(
    a: ArrayOperand,
    bins: Values | str = 10,
    range: tuple[float, float] | None = None,
    density: bool = False,
    weights: Vector | None = None,
) -> tuple[usm_ndarray, usm_ndarray]:
    """Count the elements in each of several bins.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        An array of real numbers. At least one of the operands is a usm_ndarray.
    bins : int, usm_ndarray, numpy.ndarray, sequence or str
        The number of bins of equal width, or a 1-D array of increasing edges. A bin includes its
        lower edge, and the last bin also includes its upper edge. A str is a rule for the number of
        bins: "auto", "doane", "fd", "rice", "scott", "sqrt", "stone" or "sturges".
    range : tuple of two floats, optional
        The lower edge of the first bin and the upper edge of the last bin. Default: the smallest
        and the largest element. Elements outside are ignored.
    density : bool
        If True, the result is a probability density, whose integral is 1.
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        The weights of the elements, with the shape of `a`. Default: 1.

    Returns
    -------
    tuple of two usm_ndarray
        The counts (int64), the sums of the weights in their type, or the densities (floating
        point); and the edges, one more than bins. If `bins` is a number or a rule, the edges have
        the type of `a`, or the default floating point type for integers.

    Raises
    ------
    TypeError
        If `a` is not an array, `bins` has another type, numbers are complex, or a rule is given
        with weights.
    ValueError
        If `bins` is less than 1, not 1-D, not sorted or an unknown rule, or the type has too few
        numbers for the edges; if the range is not finite or decreases; or if the weights have
        another shape.
    ExecutionPlacementError
        If the arrays are on different devices or in different contexts.

    Notes
    -----
    Waits for the smallest and the largest element, or for the check of the edges. Edges are
    computed in double precision. The order in which weights are summed depends only on the numbers
    of elements and bins. A rule waits for the statistics that it needs. Compatible with
    numpy.histogram.

    Examples
    --------
    >>> import usmtensor as usm
    >>> counts, edges = usm.histogram(usm.asarray([0.1, 0.2, 0.9]), bins=2, range=(0, 1))
    >>> counts
    usm_ndarray([2, 1])
    >>> edges
    usm_ndarray([0. , 0.5, 1. ])
    """
    cdef str function = "histogram"
    cdef usm_ndarray array = colocate(a, first_array((bins, weights)), function, "a")
    cdef usm_ndarray factors, bounds
    cdef usm_ndarray indices, last, result
    cdef bint as_density = is_true(density, "density", function), is_even = False
    refuse_complex(array, function, "a")
    array, factors = weights_of(weights, array, function)
    if isinstance(bins, (list, tuple)) or getattr(bins, "ndim", 0):
        array, bounds = convert_operands(function, {"a": array, "bins": bins})
        refuse_complex(bounds, function, "bins")
        if bounds.rank != 1 or bounds.extents[0] == 0:
            raise wrong_value(bounds.shape, function, "bins.shape", "one dimension")
        if not is_increasing(bounds):
            raise ValueError(f"{function}: bins decrease; expected increasing bounds")
    else:
        count = (bins_by_rule(array, bins, range, factors, function) if isinstance(bins, str)
                 else integer(bins, function, "bins", "an integer or an array"))
        bounds, is_even = even_bounds(array, count, range, function)
    if is_even and array.count() >= 1 << 12:
        indices = even_bin_indices(in_type(array, bounds.code), bounds)
    else:
        indices = searchsorted(bounds, array, side="right")
        last = equal(array, basic_view(bounds, -1))
        # Indices start at 1, and the last bin includes its upper edge.
        subtract(indices, add(in_type(last, I8), 1), out=indices)
    result = bin_sums(indices, factors, bounds.extents[0] - 1)
    if as_density:
        result = as_floating(result)
        widths = diff(bounds)
        return divide(divide(result, widths), sum_of(result)), bounds
    if factors is not None and factors.code != BOOL:
        result = in_type(result, factors.code)
    return result, bounds


cdef object bins_by_rule(usm_ndarray x, str rule, object range_, object weights, str function):
    """Return the number of bins by a rule, over a range or the range of the elements."""
    one_of(rule, tuple(RULES), function, "bins")
    if weights is not None:
        raise TypeError(f"{function}: bins is {rule!r}, and there are weights; expected an integer "
                        "or an array")
    low, high = limits_of(x, range_, function)
    x = as_1d(x)
    if range_ is not None:
        x = x[logical_and(greater_equal(x, low), less_equal(x, high))]
    return number_of_bins(x, rule, low, high,
                          lambda part, count: histogram(part, count, (low, high))[0])


cdef tuple limits_of(usm_ndarray x, object range_, str function):
    """Return the lower edge of the first bin and the upper edge of the last bin."""
    if range_ is not None:
        try:
            low, high = range_
        except (TypeError, ValueError):
            raise wrong_value(range_, function, "range", "two numbers") from None
        low, high = number(low, function, "range"), number(high, function, "range")
        if low > high:
            raise wrong_value(range_, function, "range", "no larger number first")
    elif x.count() == 0:
        low, high = 0.0, 1.0
    else:
        low, high = element(min_of(x)), element(max_of(x))
    if not (math.isfinite(low) and math.isfinite(high)):
        raise ValueError(f"{function}: the range of the bins is ({low}, {high}); expected finite "
                         "numbers")
    return (low - 0.5, high + 0.5) if low == high else (low, high)


cdef tuple even_bounds(usm_ndarray x, object count, object range_, str function):
    """Return the edges of `count` equal bins, and True if bin indices can be computed from them."""
    if count < 1:
        raise wrong_value(count, function, "bins", "1 or more")
    low, high = limits_of(x, range_, function)
    dtype = DTYPES[floating_code(x)]
    limits, extent = numpy.finfo(dtype), high - low
    if max(abs(low), abs(high)) > float(limits.max):
        raise ValueError(f"{function}: the range of the bins is ({low}, {high}), beyond {dtype}")
    bounds = numpy.linspace(low, high, integer_that_fits(count, function) + 1, dtype=dtype)
    if not (bounds[1:] > bounds[:-1]).all():
        raise ValueError(f"{function}: bins is {count}, but {dtype} has fewer numbers from {low} "
                         f"to {high}; expected fewer or wider bins")
    is_fine = (float(limits.tiny) * 2.0 ** 30 < extent < float(limits.max) / 2
               and 8 * count * max(abs(low), abs(high), extent) * float(limits.eps) < extent)
    return upload(bounds, x.queue, kind_name(x.allocation.kind), function), is_fine


cdef usm_ndarray even_bin_indices(usm_ndarray x, usm_ndarray bounds):
    """Return the indices of the equal bins of elements; -1 for elements outside."""
    cdef usm_ndarray indices
    if bounds.code == F2:
        x, bounds = in_type(x, F4), in_type(bounds, F4)
    x = as_contiguous(x, bounds.code)
    indices = allocate_array(x.queue, x.allocation.kind, I8, x.rank, x.extents, b"C")
    native_uniform_bins(x.queue.ref, x.view(), bounds.view(), indices.view())
    return indices


cdef object number_outside(object value, int code, str argument):
    """Return a value of `interp` outside the points; 0 if it is not given."""
    if isinstance(value, numpy.ndarray) and value.ndim == 0:
        value = value[()]
    if value is None or code >= C8 and isinstance(value, (complex, numpy.complexfloating)):
        return 0 if value is None else value
    return number(value, "interp", argument)


def interp(
    x: Operand,
    xp: Vector,
    fp: Vector,
    left: Scalar | None = None,
    right: Scalar | None = None,
    period: float | None = None,
) -> usm_ndarray:
    """Interpolate linearly between points.

    Parameters
    ----------
    x : usm_ndarray, numpy.ndarray or number
        The coordinates at which to interpolate.
    xp : usm_ndarray, numpy.ndarray or sequence
        A 1-D array of the coordinates of the points. It must be increasing unless there is a
        period.
    fp : usm_ndarray, numpy.ndarray or sequence
        The values at the points, which may be complex. At least one operand is a usm_ndarray.
    left, right : number, optional
        The values before the first point and after the last one. Default: the values at these
        points.
    period : float, optional
        The period of the function. If it is given, `left` and `right` are ignored.

    Returns
    -------
    usm_ndarray
        An array with the shape of `x` and the type to which the operands promote, or the default
        floating point type for integers. NaN if `x` is NaN.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number, or `x` or `xp` is complex.
    ValueError
        If `xp` and `fp` are not 1-D arrays of equal size with at least one element, or the period
        is 0.
    ExecutionPlacementError
        If no operand is an array, or the arrays are on different devices or in different contexts.

    Notes
    -----
    The order of `xp` is not checked. NaN gives NaN, also with a single point. float16 is computed
    in float32. Compatible with numpy.interp, which computes everything in double precision.

    Examples
    --------
    >>> import usmtensor as usm
    >>> points, values = usm.asarray([0.0, 1.0, 2.0]), usm.asarray([0.0, 10.0, 40.0])
    >>> usm.interp(usm.asarray([0.5, 1.5]), points, values)
    usm_ndarray([ 5., 25.])
    """
    cdef str function = "interp"
    cdef usm_ndarray at, points, values, outside, counts, result
    cdef int code, real, work
    cdef int64_t n
    at, points, values = convert_operands(function, {"x": x, "xp": xp, "fp": fp})
    if at.code >= C8 and isinstance(x, (int, float)):  # a number takes the type of complex values
        at = at._part(0)
    refuse_complex(at, function, "x")
    refuse_complex(points, function, "xp")
    n = points.extents[0] if points.rank == 1 else 0
    if n == 0 or values.rank != 1 or values.extents[0] != n:
        raise ValueError(f"{function}: xp has shape {points.shape} and fp {values.shape}; expected "
                         "equal shapes of one dimension, with one point at least")
    code = promoted_code(
        1 << floating_code(at) | 1 << floating_code(points) | 1 << floating_code(values),
        at.queue.ref.get())
    work = F4 if code == F2 else code
    real = F8 if work == F8 or work == C16 else F4
    at, points = as_contiguous(at, real), as_contiguous(points, real)
    values = as_contiguous(values, work)
    if period is not None:
        period = abs(number(period, function, "period"))
        if period == 0:
            raise wrong_value(period, function, "period", "another number than 0")
        left = right = None
        at, points = remainder(at, period), remainder(points, period)
        order = argsort(points)
        points, values = take(points, order), take(values, order)
        first, last = slice(0, 1), slice(-1, None)
        points = concat([subtract(points[last], period), points, add(points[first], period)])
        values = concat([values[last], values, values[first]])
        n += 2
    outside = values
    if left is not None or right is not None:
        given = [number_outside(value, work, name)
                 for name, value in (("left", left), ("right", right))]
        with numpy.errstate(over="ignore"):
            outside = upload(numpy.array(given, <object>DTYPES[work]), at.queue, "device",
                             function)
    counts = searchsorted(points, at, side="right")
    result = allocate_shape(at.queue, common_kind([at, points, values]), work, at.shape)
    interpolate(at.queue.ref, at.view(), counts.view(), points.view(), values.view(),
                outside.view(), left is not None, right is not None, result.view())
    return in_type(result, code)
