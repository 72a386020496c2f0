"""Reductions: functions that combine the elements along axes to one element."""

from libc.math cimport NAN
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector
from usmtensor._core.array cimport C_CONTIGUOUS, allocate_array, require_array, usm_ndarray
from usmtensor._core.copy cimport copy_into
from usmtensor._core.operands cimport (
    NUMPY_SCALAR, PYTHON_BOOL, assign, casts_safely, check_out, colocate, copy_to_out,
    floating_code, in_type, operand_kind,
)
from usmtensor._core.tracing cimport Traced, array_or_sample
from usmtensor._core.views cimport axis_indices, broadcast_view, require_broadcast
from usmtensor._native.libtensor cimport DType, View, may_overlap
from usmtensor._native.reduction cimport (
    Reduction, reduce as reduce_view, reduce_deviations, reduced_type,
)
from usmtensor._runtime.arguments cimport (
    is_true, number, plain_number, short_repr, wrong_type, wrong_value,
)
from usmtensor._runtime.dtypes cimport (
    BOOL, C8, DTYPES, F2, F4, F8, I8, U8, dtype_code, itemsizes,
)
from usmtensor._runtime.queue cimport SyclQueue

import numpy

from usmtensor._core.copy import astype
from usmtensor._functions.arguments import stack_sequence
from usmtensor._functions.creation import from_sequence, ones_like
from usmtensor._functions.elementwise import (
    abs as absolute, add, divide, exp, isfinite, isinf, log, logical_and, maximum, minimum,
    multiply, not_equal, sqrt, square, subtract, where as chosen,
)
from usmtensor._functions.manipulation import squeeze

__all__ = ["all", "any", "count_nonzero", "logsumexp", "max", "mean", "min", "prod",
           "reduce_hypot", "std", "sum", "var"]

cdef enum:
    MAX_STACK_RANK = 8  # dimensions whose extents need no allocation


# The layout of an array with the axes that are reduced.
cdef cppclass Layout:
    int rank, kept
    int64_t count             # of elements that are combined to one
    bint is_empty, has_results
    # Followed by the strides of x, of the result (0 for reduced axes), and of means.
    int64_t *shape
    int64_t[32] few
    vector[int64_t] many

    int64_t *strides():
        return this.shape + this.rank

    int64_t *result_strides():
        return this.shape + 2 * this.rank

    int64_t *mean_strides():
        return this.shape + 3 * this.rank


cdef int take_layout(Layout *layout, usm_ndarray x, object axis, str function) except -1:
    """Fill the layout of x, reduced along `axis`: all axes, one or several."""
    cdef list axes = None
    cdef int64_t one = 0
    cdef int k, rank
    cdef int64_t *marks
    if axis is not None:
        if type(axis) is not int:
            refuse_bools(axis, function)
        axes = axis_indices(axis, x, function)
    rank = x.rank
    layout.rank = rank
    layout.shape = layout.few
    if rank > MAX_STACK_RANK:
        layout.many.resize(4 * rank)
        layout.shape = layout.many.data()
    memcpy(layout.shape, x.extents, 2 * rank * sizeof(int64_t))
    marks = layout.result_strides()
    for k in range(rank):
        marks[k] = axes is not None
    if axes is not None:
        for k in axes:
            marks[k] = 0
    layout.count = 1
    layout.is_empty = False
    layout.has_results = True
    layout.kept = 0
    for k in range(rank):
        one = layout.shape[k]
        layout.is_empty |= one == 0
        if marks[k]:
            layout.kept += 1
            layout.has_results &= one != 0
        else:
            layout.count *= one
    return 0


cdef int refuse_bools(object axis, str function) except -1:
    for item in axis if isinstance(axis, (tuple, list)) else (axis,):
        if isinstance(item, bool):
            raise wrong_type(axis, function, "axis", "None, an integer or a tuple of integers")
    return 0


cdef usm_ndarray new_result(Layout *layout, usm_ndarray x, int code, bint keepdims, object out,
                            str function):
    """Return `out`, or allocate a result whose axes have the memory order of `x`."""
    cdef int64_t[16] few
    cdef vector[int64_t] many
    cdef int64_t *extents = few
    cdef int k, n = 0, rank = layout.rank if keepdims else layout.kept
    cdef int64_t *marks = layout.result_strides()
    if rank > MAX_STACK_RANK:
        many.resize(2 * rank)
        extents = many.data()
    for k in range(layout.rank):
        if marks[k] or keepdims:
            extents[n] = layout.shape[k] if marks[k] else 1
            extents[rank + n] = layout.strides()[k]
            n += 1
    if out is None:
        return allocate_array(x.queue, x.allocation.kind, code, rank, extents,
                              b"C" if x.bits & C_CONTIGUOUS else b"K", extents + rank)
    return check_out(out, x.queue, code, rank, extents, function, True)


cdef bint has_distinct_elements(usm_ndarray x) noexcept:
    """Return True if no axis has stride zero, so that all elements are distinct in memory."""
    cdef int k
    for k in range(x.rank):
        if x.extents[k] > 1 and x.extents[x.rank + k] == 0:
            return False
    return True


cdef bint can_write_directly(usm_ndarray x, usm_ndarray out):
    """Return True if results can be written to `out` while x is read."""
    return has_distinct_elements(out) and not may_overlap(x.view(), out.view())


cdef View with_strides(View view, Layout *layout, const int64_t *strides) noexcept:
    """Return a view with the shape of the reduced array, and other strides."""
    view.ndim = layout.rank
    view.shape = layout.shape
    view.strides = strides
    return view


cdef int set_result_strides(usm_ndarray result, Layout *layout, bint keepdims) noexcept:
    """Set the strides of the result in the layout."""
    cdef int64_t *strides = layout.result_strides()
    cdef int k, n = 0
    for k in range(layout.rank):
        if strides[k]:
            # Stride 0 means a reduced axis, so an axis of one element gets another stride.
            strides[k] = result.extents[result.rank + n] or 1
            n += 1
        elif keepdims:
            n += 1
    return 0


cdef usm_ndarray run_reduction(Reduction reduction, usm_ndarray x, Layout *layout, int code,
                               bint keepdims, object out, double divisor, str function,
                               usm_ndarray means=None):
    """Reduce x into a new result of a type, or into `out`.

    With means, whose strides are in the layout, reduce the squared differences of x and the means.
    """
    cdef usm_ndarray result, target
    cdef View from_, to
    cdef int found = reduced_type(reduction, <DType>x.code)
    cdef SyclQueue queue
    if means is not None and found >= C8:
        found = F4 if found == C8 else F8
    result = target = new_result(layout, x, code, keepdims, out, function)
    if not (found == code or found == I8 and code == U8) or result.code != code \
            or out is not None and not can_write_directly(x, result):
        target = new_result(layout, x, found, keepdims, None, function)
    queue = result.queue
    from_ = with_strides(x.view(), layout, layout.strides())
    set_result_strides(target, layout, keepdims)
    to = with_strides(target.view(), layout, layout.result_strides())
    if means is not None:
        reduce_deviations(queue.ref, from_,
                          with_strides(means.view(), layout, layout.mean_strides()), to,
                          divisor)
    else:
        reduce_view(queue.ref, reduction, from_, to, divisor)
    if target is not result:
        copy_into(target if result.code == code else in_type(target, code), result)
    return result


cdef usm_ndarray of_nothing(usm_ndarray x, Layout *layout, int code, bint keepdims, object out,
                            object value, str function):
    """Return the result for an array without elements."""
    cdef usm_ndarray result
    if value is None and layout.count == 0:
        raise ValueError(f"{function}: a has shape {x.shape}; expected at least one element "
                         "along the reduced axes")
    result = new_result(layout, x, code, keepdims, out, function)
    if layout.has_results:
        assign(result, value)
    return result


cdef object nan_of(int code):
    """Return NaN in a type; for a complex type in both parts."""
    return complex(NAN, NAN) if code >= C8 else NAN


cdef object traced(Traced x, str function, int code, object axis, bint keep, object out,
                   dict others=None):
    """Trace a reduction of a traced operand."""
    if axis is not None:
        refuse_bools(axis, function)
    return x.reduce(function, code, axis, keep, out, others)


cdef object traced_deviation(Traced x, object axis, object correction, object keepdims, object out,
                             str function):
    """Trace a variance or standard deviation of a traced operand."""
    cdef int code = floating_code(array_or_sample(x, function, "a"))
    correction = number(correction, function, "correction")
    return traced(x, function, code - 2 if code >= C8 else code, axis,
                  is_true(keepdims, "keepdims", function), out, {"correction": correction})


cdef object apply(Reduction reduction, object x, object axis, int code, object keepdims,
                       object out, object of_none, str function):
    """Reduce x to a result of a type (-1: the type of x)."""
    cdef usm_ndarray array = array_or_sample(x, function, "a")
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef Layout layout
    if code < 0:
        code = array.code
    if isinstance(x, Traced):
        return traced(x, function, code, axis, keep, out)
    take_layout(&layout, array, axis, function)
    if layout.is_empty:
        return of_nothing(array, &layout, code, keep, out, of_none, function)
    return run_reduction(reduction, array, &layout, code, keep, out, 1, function)


cdef int default_sum_code(int code) noexcept:
    """Return the type of a sum or product: the default integer type for smaller integers."""
    if code >= F2:
        return code
    return U8 if is_unsigned(code) else I8


cdef int sum_code(usm_ndarray x, object out) except -1:
    """Return the type of a sum or product: as in NumPy that of `out`, if it is as precise."""
    cdef int code = default_sum_code(x.code), given
    if not isinstance(out, usm_ndarray):
        return code
    given = (<usm_ndarray>out).code
    if code < F2:  # integers may wrap before or after
        takes = given < F2 and numpy.can_cast(<object>DTYPES[x.code], <object>DTYPES[given],
                                              "same_kind")
    else:
        takes = given > code and casts_safely(code, given, x.queue.ref.get())
    return given if takes else code


cdef bint is_unsigned(int code) noexcept:
    return BOOL < code < F2 and code % 2 == 0


cdef object add_or_multiply(Reduction reduction, object x, object axis, object dtype,
                            object keepdims, object out, object of_none, str function):
    cdef usm_ndarray array = array_or_sample(x, function, "a")
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef int code = sum_code(array, out) if dtype is None else dtype_code(dtype, function)
    cdef int source = array.code
    if isinstance(x, Traced):
        return traced(x, function, code, axis, keep, out,
                      {} if dtype is None else {"dtype": dtype})
    if code == BOOL:  # the sum of bools is logical or, the product logical and
        reduction = Reduction.any if reduction == Reduction.sum else Reduction.all
    elif source == code or source < F2 and BOOL < code < F2:
        pass  # integers may wrap after the reduction instead of before
    elif source != F2 or code != F4:
        source = code
    array = in_type(array, source)
    if reduction == Reduction.prod and reduced_type(reduction, <DType>source) < 0:
        source = F4 if source == F2 else I8
    return apply(reduction, in_type(array, source), axis, code, keep, out, of_none, function)


# NumPy's `where=`, `initial=` and `dtype=`


cdef object colocate_mask(object x, object mask, str function):
    """Return a mask as an array with the shape of x on its queue."""
    cdef usm_ndarray array = array_or_sample(x, function, "a")
    if isinstance(mask, (list, tuple)):
        mask = from_sequence(mask, array, function)
    mask = colocate(numpy.bool_(mask) if isinstance(mask, bool) else mask, array, function,
                    "where")
    if mask.dtype != bool:
        raise TypeError(f"{function}: where is of data type {mask.dtype}; expected bool")
    return broadcast_view(mask, array.rank, array.extents, f"{function}: where")


cdef object apply_mask(object x, object mask, object neutral, str function):
    """Return x with a neutral value where a mask is False."""
    cdef usm_ndarray array = array_or_sample(x, function, "a")
    if mask is True:
        return x
    mask = colocate_mask(x, mask, function)
    return chosen(mask, x, initial_value(neutral, array.dtype, function))


cdef object as_bools(object x, str function):
    """Return the truth of each element."""
    return x if array_or_sample(x, function, "a").code == BOOL else not_equal(x, 0)


cdef object initial_value(object initial, object dtype, str function):
    """An initial value in a type."""
    if isinstance(initial, usm_ndarray):
        if (<usm_ndarray>initial).rank:
            raise wrong_value(initial.shape, function, "initial.shape", "()")
        return astype(initial, dtype)
    initial = plain_number(initial, function)
    if not PYTHON_BOOL <= operand_kind(initial) <= NUMPY_SCALAR:
        raise wrong_type(initial, function, "initial", "a number")
    try:
        return dtype.type(initial)
    except (OverflowError, TypeError, ValueError) as error:  # a NaN is a ValueError
        raise type(error)(f"{function}: initial is {short_repr(initial)}; expected a number that "
                          f"{dtype} holds") from None


cdef object with_initial(object function, object result, object initial, str name):
    """Combine the result with an initial value, which is converted to its type as in NumPy."""
    initial = initial_value(initial, result.dtype, name)
    return function(result, initial, out=result if isinstance(result, usm_ndarray) else None)


cdef object mean_of(object x, object axis, object dtype, object out, object keepdims, object mask):
    """Compute the mean of elements converted to a type, or of the elements that a mask selects."""
    cdef usm_ndarray array = require_array(x, "mean", "a")
    axis = reduced_axes(array, axis, "mean")
    if dtype is not None:
        array = in_type(array, dtype_code(dtype, "mean"))
    if mask is None or mask is True:
        result = mean(array, axis, keepdims=keepdims)
    else:
        mask = colocate_mask(array, mask, "mean")
        work = in_type(array, floating_code(array))
        work = in_type(work, F4) if work.dtype == numpy.float16 else work
        result = divide(sum(chosen(mask, work, 0), axis, keepdims=keepdims),
                        count_nonzero(mask, axis, keepdims=keepdims))
        result = in_type(result, floating_code(array))
    if dtype is not None:
        result = in_type(result, dtype_code(dtype, "mean"))
    return copy_to_out(result, out, "mean")


cdef object deviations_of(object x, object axis, object dtype, object correction, object keepdims,
                          object out, object mask, object mean, bint root, str function):
    """Compute variances or their square roots, with a type, a mask or given means."""
    cdef usm_ndarray array = require_array(x, function, "a"), means
    cdef int code
    axis = reduced_axes(array, axis, function)
    if dtype is not None:
        array = in_type(array, dtype_code(dtype, function))
    if mean is None and (mask is None or mask is True):
        return deviations(array, axis, correction, keepdims, out, root, function)
    if mask is None or mask is True:
        mask = ones_like(array, dtype=bool)
    else:
        mask = colocate_mask(array, mask, function)
    code = floating_code(array)
    work = in_type(array, F4 if code == F2 else code)
    if mean is None:
        means = mean_of(work, axis, None, None, True, mask)
    else:
        means = in_type(colocate(mean, array, function, "mean"), work.code)
        try:
            require_broadcast(means.rank, means.extents, array.rank, array.extents, function)
        except ValueError:
            raise wrong_value(means.shape, function, "mean.shape",
                              f"one that broadcasts to {array.shape}, the shape of a") from None
    deviation = absolute(subtract(work, means))
    divisor = subtract(count_nonzero(mask, axis, keepdims=keepdims), number(correction, function,
                                                                            "correction"))
    total = sum(chosen(mask, square(deviation), 0), axis, keepdims=keepdims)
    result = divide(total, chosen(divisor > 0, divisor, numpy.nan))
    result = in_type(sqrt(result) if root else result,
                     F4 if code == C8 else F8 if code > C8 else code)
    return copy_to_out(result, out, function)


def sum(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    keepdims: bool = False,
    initial: Operand | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """Sum the elements along axes.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <dtype_of_sum>
    <out>
    <keepdims>
    <initial>
    <where>

    Returns
    -------
    usm_ndarray
        The sums; 0 if there is no element.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Integers wrap. float16 is added in float32. The order of the additions depends only on the shape
    and the strides. They form trees, so sums are as accurate as pairwise summation. Source: array
    API 2025.12, `sum`; `out` as in dpctl.tensor.sum.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([[1, 2], [3, 4]])
    >>> usm.sum(x)
    usm_ndarray(10)
    >>> usm.sum(x, axis=0, keepdims=True)
    usm_ndarray([[4, 6]])
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    if where is not None:
        a = apply_mask(a, where, 0, "sum")
    result = add_or_multiply(Reduction.sum, a, axis, dtype, keepdims, out, 0, "sum")
    return result if initial is None else with_initial(add, result, initial, "sum")


def prod(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    keepdims: bool = False,
    initial: Operand | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """Multiply the elements along axes.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <dtype_of_sum>
    <out>
    <keepdims>
    <initial>
    <where>

    Returns
    -------
    usm_ndarray
        The products; 1 if there is no element.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Integers wrap. float16 is multiplied in float32.
    Source: array API 2025.12, `prod`; `out` as in dpctl.tensor.prod.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.prod(usm.asarray([2, 3, 4]))
    usm_ndarray(24)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    if where is not None:
        a = apply_mask(a, where, 1, "prod")
    result = add_or_multiply(Reduction.prod, a, axis, dtype, keepdims, out, 1, "prod")
    return result if initial is None else with_initial(multiply, result, initial, "prod")


def mean(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    keepdims: bool = False,
    *,
    where: Mask = None,
) -> usm_ndarray:
    """Compute the arithmetic mean of the elements along axes.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    dtype : data type, optional
        The elements are converted to this type first. A bool is interpreted as `keepdims`.
    <out>
    <keepdims>
    <where>

    Returns
    -------
    usm_ndarray
        An array of the type of `a`, or of the default floating point type for integers and bools.
        NaN if there is no element.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    float16 is added in float32.
    Source: array API 2025.12, `mean`; positional arguments as in dpctl.tensor.mean.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.mean(usm.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    usm_ndarray([2., 3.])
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    cdef usm_ndarray array
    cdef bint keep
    cdef int code
    cdef Layout layout
    if isinstance(dtype, bool):
        keepdims, dtype = dtype, None
    if dtype is not None or where is not None:
        return mean_of(a, axis, dtype, out, keepdims, where)
    array = array_or_sample(a, "mean", "a")
    keep = is_true(keepdims, "keepdims", "mean")
    code = floating_code(array)
    if isinstance(a, Traced):
        return traced(a, "mean", code, axis, keep, out)
    if array.code < I8:  # int64 sums cannot overflow for fewer than 2**31 integers of 32 bits
        take_layout(&layout, array, axis, "mean")
        if not layout.is_empty and layout.count < <int64_t>1 << (63 - 8 * itemsizes[array.code]):
            sums = run_reduction(Reduction.sum, array, &layout, I8, keep, None, 1, "mean")
            return copy_to_out(divide(sums, layout.count), out, "mean")
    array = in_type(array, code)
    take_layout(&layout, array, axis, "mean")
    if layout.is_empty:
        return of_nothing(array, &layout, code, keep, out, nan_of(code), "mean")
    return run_reduction(Reduction.sum, array, &layout, code, keep, out, <double>layout.count,
                         "mean")


cdef object extremes(Reduction reduction, object combine, object x, object axis, object out,
                     object keepdims, object initial, object where, str function):
    """Implement max() and min()."""
    if where is not None:
        if initial is None:
            raise ValueError(f"{function}: where is given without initial, the result of no "
                             "element")
        x = apply_mask(x, where, initial, function)
    result = apply(reduction, x, axis, -1, keepdims, out, initial, function)
    return result if initial is None else with_initial(combine, result, initial, function)


def max(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
    initial: Operand | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """Return the largest element along axes; NaN if an element is NaN.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <out>
    <keepdims>
    <initial>
    <where>

    Returns
    -------
    usm_ndarray
        An array of the type of `a`.

    Raises
    ------
    <errors_of_extreme>

    Notes
    -----
    Complex numbers are ordered by their real parts, then by their imaginary ones.
    Source: array API 2025.12, `max`; `out` as in dpctl.tensor.max.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.max(usm.asarray([[1, 5], [4, 2]]), axis=0)
    usm_ndarray([4, 5])
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return extremes(Reduction.max, maximum, a, axis, out, keepdims, initial, where, "max")


def min(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
    initial: Operand | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """Return the smallest element along axes; NaN if an element is NaN.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <out>
    <keepdims>
    <initial>
    <where>

    Returns
    -------
    usm_ndarray
        An array of the type of `a`.

    Raises
    ------
    <errors_of_extreme>

    Notes
    -----
    Complex numbers are ordered by their real parts, then by their imaginary ones.
    Source: array API 2025.12, `min`; `out` as in dpctl.tensor.min.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.min(usm.asarray([[1, 5], [4, 2]]), axis=0)
    usm_ndarray([1, 2])
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return extremes(Reduction.min, minimum, a, axis, out, keepdims, initial, where, "min")


def any(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
    *,
    where: Mask = None,
) -> usm_ndarray:
    """Test if any element along axes is true; NaN is true.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    out : usm_ndarray, optional
        A bool array of the result's shape for the result. It may overlap `a`.
    <keepdims>
    <where>

    Returns
    -------
    usm_ndarray
        An array of bools; False if there is no element.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Source: array API 2025.12, `any`; `out` as in dpctl.tensor.any.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.any(usm.asarray([[False, False], [True, False]]), axis=1)
    usm_ndarray([False,  True])
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    if where is not None:
        a = apply_mask(as_bools(a, "any"), where, False, "any")
    return apply(Reduction.any, a, axis, BOOL, keepdims, out, False, "any")


def all(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
    *,
    where: Mask = None,
) -> usm_ndarray:
    """Test if all elements along axes are true; NaN is true.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    out : usm_ndarray, optional
        A bool array of the result's shape for the result. It may overlap `a`.
    <keepdims>
    <where>

    Returns
    -------
    usm_ndarray
        An array of bools; True if there is no element.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Source: array API 2025.12, `all`; `out` as in dpctl.tensor.all.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.all(usm.asarray([[True, False], [True, True]]), axis=1)
    usm_ndarray([False,  True])
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    if where is not None:
        a = apply_mask(as_bools(a, "all"), where, True, "all")
    return apply(Reduction.all, a, axis, BOOL, keepdims, out, True, "all")


def count_nonzero(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    *,
    keepdims: bool = False,
    out: Out = None,
) -> usm_ndarray:
    """Count the nonzero elements along axes.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <keepdims>
    out : usm_ndarray, optional
        An int64 array of the result's shape for the result. It may overlap `a`.

    Returns
    -------
    usm_ndarray
        An array of the default integer type.

    Raises
    ------
    <errors_of_reduction>

    Notes
    -----
    Source: array API 2025.12, `count_nonzero`; `out` as in dpctl.tensor.count_nonzero.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.count_nonzero(usm.asarray([0, 3, 0, 4]))
    usm_ndarray(2)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return apply(Reduction.count_nonzero, a, axis, I8, keepdims, out, 0, "count_nonzero")


cdef usm_ndarray deviations(object x, object axis, object correction, object keepdims, object out,
                            bint root, str function):
    """Compute variances or their square roots."""
    cdef usm_ndarray array = require_array(x, function, "a"), means, result
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef int code, work, k
    cdef double divisor = number(correction, function, "correction")
    cdef Layout layout
    code = floating_code(array)
    work = F4 if code == F2 else code
    array = in_type(array, work)
    if code >= C8:
        code = F4 if code == C8 else F8
    if root and isinstance(out, usm_ndarray) and (<usm_ndarray>out).code != code:
        return copy_to_out(deviations(x, axis, correction, keepdims, None, root, function), out,
                           function)
    take_layout(&layout, array, axis, function)
    if layout.is_empty:
        return of_nothing(array, &layout, code, keep, out, NAN, function)
    means = run_reduction(Reduction.sum, array, &layout, work, True, None, <double>layout.count,
                          function)
    for k in range(layout.rank):
        layout.mean_strides()[k] = means.extents[means.rank + k] \
            if layout.result_strides()[k] else 0
    divisor = layout.count - divisor
    if not divisor > 0:
        divisor = NAN  # the variance is not defined
    if not root or code != F2:
        result = run_reduction(Reduction.sum, array, &layout, code, keep, out, divisor, function,
                               means)
        return sqrt(result, out=result) if root else result
    # The roots are rounded once.
    result = new_result(&layout, array, code, keep, out, function)
    means = run_reduction(Reduction.sum, array, &layout, F4, keep, None, divisor, function, means)
    copy_into(sqrt(means, out=means), result)
    return result


cdef object deviations_by_name(object x, object axis, object dtype, object out, object ddof,
                               object keepdims, object correction, object where, object mean,
                               bint root, str function):
    """Implement var() and std(). dpctl's positional arguments are x, axis, correction, keepdims."""
    if dtype is not None and isinstance(dtype, (int, float, numpy.number)):
        keepdims = keepdims if out is None else out
        correction, dtype, out = dtype, None, None
    correction = ddof if correction is None else correction
    if dtype is not None or where is not None or mean is not None:
        return deviations_of(x, axis, dtype, correction, keepdims, out, where, mean, root, function)
    if isinstance(x, Traced):
        return traced_deviation(x, axis, correction, keepdims, out, function)
    return deviations(x, axis, correction, keepdims, out, root, function)


def var(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    ddof: float = 0.0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
    where: Mask = None,
    mean: ArrayOperand | None = None,
) -> usm_ndarray:
    """Compute the variance along axes: the mean of the squared differences from the mean.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <dtype_of_deviation>
    <out>
    <ddof>
    <keepdims>
    <correction>
    <where>
    mean : usm_ndarray or numpy.ndarray, optional
        The means if they are known, with the reduced axes. Default: they are computed.

    Returns
    -------
    usm_ndarray
        An array of the real type of `a`, or of the default floating point type for integers and
        bools. NaN if there is no element.

    Raises
    ------
    <errors_of_deviation>

    Notes
    -----
    Computes the means first, then the differences from them.
    Source: array API 2025.12, `var`; positional arguments as in dpctl.tensor.var.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.var(usm.asarray([1.0, 3.0]))
    usm_ndarray(1.)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return deviations_by_name(a, axis, dtype, out, ddof, keepdims, correction, where, mean, False,
                              "var")


def std(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    ddof: float = 0.0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
    where: Mask = None,
    mean: ArrayOperand | None = None,
) -> usm_ndarray:
    """Compute the standard deviation along axes: the square root of the variance.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    <axis_of_reduction>
    <dtype_of_deviation>
    <out>
    <ddof>
    <keepdims>
    <correction>
    <where>
    mean : usm_ndarray or numpy.ndarray, optional
        The means if they are known, with the reduced axes. Default: they are computed.

    Returns
    -------
    usm_ndarray
        An array of the real type of `a`, or of the default floating point type for integers and
        bools. NaN if there is no element.

    Raises
    ------
    <errors_of_deviation>

    Notes
    -----
    Computes the means first, then the differences from them.
    Source: array API 2025.12, `std`; positional arguments as in dpctl.tensor.std.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.std(usm.asarray([1.0, 3.0]))
    usm_ndarray(1.)
    >>> usm.std(usm.asarray([1.0, 2.0, 3.0]), correction=1)
    usm_ndarray(1.)
    """
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return deviations_by_name(a, axis, dtype, out, ddof, keepdims, correction, where, mean, True,
                              "std")


# Composed reductions


cdef int real_code(usm_ndarray x, object dtype, int *result, str function) except -1:
    """Return the real floating point type of a computation, and set the type of its result.

    The type of the result is the requested one, by default the type of x.
    """
    cdef int own = floating_code(x)
    result[0] = own if dtype is None else dtype_code(dtype, function)
    if F2 <= result[0] <= F8:
        return result[0]
    if own >= C8:
        raise TypeError(f"{function}: not defined for {DTYPES[own]}")
    return own


cdef tuple reduced_axes(usm_ndarray x, object axis, str function):
    """Return the axes to reduce."""
    if axis is None:
        return tuple(range(x.rank))
    refuse_bools(axis, function)
    return tuple(axis_indices(axis, x, function))


cdef tuple read_floating(object x, object dtype, object axis, str function):
    """Return an array of a real floating point type, the type of the result, and the axes."""
    cdef usm_ndarray array = require_array(x, function, "a")
    cdef int result
    cdef int code = real_code(array, dtype, &result, function)
    axes = reduced_axes(array, axis, function)
    return in_type(array, code), result, axes


cdef usm_ndarray finish_reduction(usm_ndarray result, tuple axes, object keepdims, object out,
                                  str function):
    """Apply `keepdims` and `out` to a result with all axes."""
    if not is_true(keepdims, "keepdims", function):
        result = squeeze(result, axes)
    return copy_to_out(result, out, function)


def logsumexp(
    a: usm_ndarray,
    axis: Axes = None,
    *,
    dtype: DType = None,
    keepdims: bool = False,
    out: Out = None,
) -> usm_ndarray:
    """Compute the logarithm of a sum of exponentials along axes without intermediate overflow.

    Parameters
    ----------
    a : usm_ndarray
    <axis_of_reduction>
    <floating_dtype>
    <keepdims>
    <out>

    Returns
    -------
    usm_ndarray
        The logarithms; -inf if there is no element.

    Raises
    ------
    <errors_of_real>

    Notes
    -----
    Compatible with dpctl.tensor.logsumexp.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.logsumexp(usm.asarray([1000.0, 1000.0]))
    usm_ndarray(1000.69314718)
    """
    array, code, axes = read_floating(a, dtype, axis, "logsumexp")
    if array.size == 0:
        with_axes = sum(array, axes, keepdims=True)
        return finish_reduction(in_type(log(with_axes), code), axes, keepdims, out, "logsumexp")
    largest = max(array, axes, keepdims=True)
    shift = chosen(isfinite(largest), largest, 0)
    terms = subtract(array, shift)
    total = sum(exp(terms, out=terms), axes, keepdims=True)
    result = in_type(add(log(total), shift), code)
    return finish_reduction(result, axes, keepdims, out, "logsumexp")


def reduce_hypot(
    a: usm_ndarray,
    axis: Axes = None,
    *,
    dtype: DType = None,
    keepdims: bool = False,
    out: Out = None,
) -> usm_ndarray:
    """Compute the square root of a sum of squares along axes without intermediate overflow.

    Parameters
    ----------
    a : usm_ndarray
    <axis_of_reduction>
    <floating_dtype>
    <keepdims>
    <out>

    Returns
    -------
    usm_ndarray
        0 where there is no element.

    Raises
    ------
    <errors_of_real>

    Notes
    -----
    Compatible with dpctl.tensor.reduce_hypot.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.reduce_hypot(usm.asarray([3.0, 4.0]))
    usm_ndarray(5.)
    """
    array, code, axes = read_floating(a, dtype, axis, "reduce_hypot")
    if array.size == 0:
        total = in_type(sum(array, axes, keepdims=True), code)
        return finish_reduction(total, axes, keepdims, out, "reduce_hypot")
    terms = absolute(array)
    largest = max(terms, axes, keepdims=True)
    unit = chosen(logical_and(isfinite(largest), not_equal(largest, 0)), largest, 1)
    scaled = divide(terms, unit)
    total = sqrt(sum(square(scaled, out=scaled), axes, keepdims=True))
    result = multiply(total, unit)
    # The result is infinite if an element is infinite, even if another one is NaN.
    infinite = any(isinf(terms), axes, keepdims=True)
    result = in_type(chosen(infinite, numpy.inf, result), code)
    return finish_reduction(result, axes, keepdims, out, "reduce_hypot")
