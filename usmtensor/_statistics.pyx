"""Statistics that are made of reductions and sorting."""

from libc.stdint cimport int64_t

from usmtensor._dtypes cimport BOOL, C8, F2, F4, default_code
from usmtensor._keywords cimport is_true
from usmtensor._operands cimport in_type, placed, promoted_code
from usmtensor._reductions cimport finished, reduced_axes
from usmtensor._usmarray cimport extents_tuple, require_array, usm_ndarray
from usmtensor._views cimport basic_view, own_view

import math

from usmtensor._creation import full_like
from usmtensor._elementwise import (divide, greater, less, logical_not, logical_or, multiply,
                                    not_equal, subtract, where)
from usmtensor._manipulation import broadcast_to, permute_dims, reshape
from usmtensor._reductions import (count_nonzero, max as max_of, mean as mean_of, min as min_of,
                                   sum as sum_of)
from usmtensor._sorting import sort

__all__ = ["average", "median", "ptp"]


def average(x, /, axis=None, weights=None, returned=False, *, keepdims=False):
    """Weighted means: sum(x * weights) / sum(weights).

    Parameters
    ----------
    x : usm_ndarray
    <axis_of_reduction>
    weights : usm_ndarray, numpy.ndarray or sequence, optional
        An array of the shape of `x`, or of its axes that are reduced. Default: all elements weigh
        as much.
    returned : bool
        Whether the sums of the weights come as well.
    <keepdims>

    Returns
    -------
    usm_ndarray, or tuple of two
        Arrays of the type that `x` and the weights promote to, of the default floating point type
        for integers; not finite where the weights add up to 0.

    Raises
    ------
    TypeError
        An operand is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; the weights have another shape.
    AxisError
        An axis is out of range.
    ExecutionPlacementError
        The arrays are on different devices or in different contexts.

    Notes
    -----
    Halves are multiplied and added in single precision. As in numpy.average, but weights that add
    up to 0 are no error: to look would be to wait.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.average(usm.asarray([1.0, 4.0]), weights=usm.asarray([3.0, 1.0]))
    usm_ndarray(1.75)
    """
    cdef str function = "average"
    cdef usm_ndarray array = own_view(require_array(x, function)), factors, total, result
    cdef bint with_sum = is_true(returned, "returned", function)
    cdef int code, work, k
    axes = reduced_axes(array, axis, function)
    shape = extents_tuple(array.rank, array.extents)
    if weights is None:
        result = mean_of(array, axes, keepdims)
        if not with_sum:
            return result
        return result, full_like(result, math.prod([shape[k] for k in axes]))
    array, factors = placed(function, {"x": array, "weights": weights})
    own = extents_tuple(factors.rank, factors.extents)
    reduced = tuple([shape[k] for k in axes])
    if own != shape:
        if own != reduced:
            raise ValueError(f"{function}: weights have shape {own}; expected {shape}, as x has, "
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


cdef tuple _middle(line):
    """The elements of a long line that may be in the middle, in sorted order with each NaN at the
    end, and how many elements are before them: a sample gives limits."""
    cdef int64_t count = line.size, middle = (count + 60) // 122
    cdef int64_t beside = 2 * math.isqrt(2 * middle)
    sample = sort(line[::61])  # few lines repeat themselves after a prime number of elements
    below = less(line, sample[middle - beside])
    cdef int64_t skipped = int(count_nonzero(below))
    found = sort(line[logical_not(logical_or(below, greater(line, sample[middle + beside])))])
    if skipped <= (count - 1) // 2 and count // 2 < skipped + found.size:
        return found, skipped
    return sort(line), 0


def median(x, /, axis=None, *, keepdims=False, out=None):
    """The median: the middle element in sorted order, or the mean of the two middle ones.

    Parameters
    ----------
    x : usm_ndarray
        An array of any type, in the order of `sort`.
    <axis_of_reduction>
    <keepdims>
    <out>

    Returns
    -------
    usm_ndarray
        An array of the type of `x`, of the default floating point type for integers and bools; NaN
        where an element is NaN or there is none.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Waits if the array is one line of 8192 real numbers or more. Compatible with numpy.median.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.median(usm.asarray([5.0, 1.0, 3.0, 2.0]))
    usm_ndarray(2.5)
    """
    cdef str function = "median"
    cdef usm_ndarray array = own_view(require_array(x, function)), line, last, result
    cdef int k
    axes = reduced_axes(array, axis, function)
    if array.count() == 0:
        return finished(mean_of(array, axes, True), axes, keepdims, out, function)
    kept = [k for k in range(array.rank) if k not in axes]
    count = math.prod([array.extents[k] for k in axes])
    line = reshape(permute_dims(array, (*kept, *axes)), [*[array.extents[k] for k in kept], count])
    # Whole lines of one or two bytes are sorted as fast.
    whole = kept or count < 1 << 13 or line.code >= C8 or line.itemsize <= 2
    line, skipped = (sort(line), 0) if whole else _middle(line)
    result = mean_of(basic_view(line, (Ellipsis, slice((count - 1) // 2 - skipped,
                                                       count // 2 + 1 - skipped))), -1)
    if line.code >= F2:
        last = basic_view(line, (Ellipsis, -1))
        result = where(not_equal(last, last), last, result)
    result = reshape(result, [1 if k in axes else array.extents[k] for k in range(array.rank)])
    return finished(result, axes, keepdims, out, function)


def ptp(x, /, axis=None, *, keepdims=False, out=None):
    """Peak to peak: the largest elements minus the smallest ones.

    Parameters
    ----------
    x : usm_ndarray
    <axis_of_reduction>
    <keepdims>
    <out>

    Returns
    -------
    usm_ndarray
        An array of the type of `x`; NaN where an element is NaN.

    Raises
    ------
    TypeError
        `x` is not an array, or one of bools; an axis is not an integer.
    ValueError
        There is no element; an axis is given twice; `out` has another shape or type or is
        read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Differences of integers wrap. Compatible with numpy.ptp.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ptp(usm.asarray([5, 1, 3]))
    usm_ndarray(4)
    """
    cdef usm_ndarray array = own_view(require_array(x, "ptp")), result
    axes = reduced_axes(array, axis, "ptp")
    if array.code == BOOL:
        raise TypeError("ptp: x is of data type bool; expected numbers")
    result = max_of(array, axes, keepdims=True)
    subtract(result, min_of(array, axes, keepdims=True), out=result)
    return finished(result, axes, keepdims, out, "ptp")
