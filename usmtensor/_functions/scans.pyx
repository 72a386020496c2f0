"""Scans along an axis, differences, and indices of extreme elements."""

from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport allocate_shape, extents_tuple, require_array, usm_ndarray
from usmtensor._core.copy cimport as_1d, copy_into
from usmtensor._core.operands cimport (
    assign, check_out, colocate, convert_operands, copy_to_out, first_array, in_type,
)
from usmtensor._core.tracing cimport Traced, array_or_sample
from usmtensor._core.views cimport axis_index, only_axis, reshape_view, view_at
from usmtensor._functions.reductions cimport (
    has_distinct_elements, real_code, refuse_bools, sum_code,
)
from usmtensor._native.libtensor cimport DType, may_overlap
from usmtensor._native.reduction cimport (
    Scan, find_extreme, position_blocks, scan as scan_view, scan_type,
)
from usmtensor._runtime.arguments cimport extents_of, is_true, natural, require
from usmtensor._runtime.dtypes cimport BOOL, F2, I8, dtype_code

import numpy

from usmtensor._functions.arguments import stack_sequence
from usmtensor._functions.elementwise import logaddexp, not_equal, subtract
from usmtensor._functions.indexing import take_along_axis
from usmtensor._functions.manipulation import broadcast_to, concat

__all__ = ["argmax", "argmin", "cumulative_logsumexp", "cumulative_prod", "cumulative_sum", "diff"]


cdef usm_ndarray cumulative(Scan scan, object x, object axis, object dtype, object include_initial,
                            object out, str function):
    cdef usm_ndarray array = require_array(x, function), result, target, scanned
    cdef bint initial = is_true(include_initial, "include_initial", function), is_number = False
    cdef int code = -1 if dtype is None else dtype_code(dtype, function), along, work
    cdef vector[int64_t] extents
    refuse_bools(axis, function)
    if array.rank == 0 and axis is None:
        array, is_number = reshape_view(array, (1,), b"C"), not initial
    along = only_axis(array, axis, function)
    if code < 0:
        code = sum_code(array, out)
    # Convert to the requested type, then to a type that has scan kernels.
    if array.code != code and (array.code >= F2 or code >= F2 or code == BOOL):
        array = in_type(array, code)
    work = scan_type(<DType>array.code)
    array = in_type(array, work)
    shape = extents_tuple(array.rank, array.extents)
    whole = shape[:along] + (shape[along] + initial,) + shape[along + 1:]
    if out is None:
        result = allocate_shape(array.queue, array.allocation.kind, code, whole)
    else:
        extents = extents_of(() if is_number else whole)
        result = require(out, usm_ndarray, function, "out")
        check_out(result, array.queue, code, <int>extents.size(), extents.data(), function, True)
        if is_number:
            result = reshape_view(result, whole, b"C")
    target = result
    if initial:
        target = view_at(result, along, slice(1, None))
    scanned = target
    if code != work or result.code != code or out is not None and (
            not has_distinct_elements(target) or may_overlap(array.view(), target.view())):
        scanned = allocate_shape(array.queue, array.allocation.kind, work, shape)
    if scanned.count():
        scan_view(result.queue.ref, scan, array.view(), along, scanned.view())
    if scanned is not target:
        copy_into(scanned if result.code == code else in_type(scanned, code), target)
    if initial:
        assign(view_at(result, along, slice(0, 1)), scan == Scan.prod)
    if out is not None:
        return out
    return reshape_view(result, (), b"C") if is_number else result


def cumulative_sum(
    x: usm_ndarray,
    /,
    *,
    axis: Axis = None,
    dtype: DType = None,
    include_initial: bool = False,
    out: Out = None,
) -> usm_ndarray:
    """Compute cumulative sums along an axis.

    Parameters
    ----------
    x : usm_ndarray
    <axis_of_scan>
    <dtype_of_sum>
    include_initial : bool
        If True, the result begins with 0, and has one element more.
    <out>

    Returns
    -------
    usm_ndarray

    Raises
    ------
    <errors_of_scan>

    Notes
    -----
    Integers wrap. float16 is computed in float32. The order of the operations depends only on the
    shape and the strides.
    Source: array API 2025.12, `cumulative_sum`; `out` as in dpctl.tensor.cumulative_sum.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cumulative_sum(usm.asarray([1, 2, 3]))
    usm_ndarray([1, 3, 6])
    >>> usm.cumulative_sum(usm.asarray([1, 2, 3]), include_initial=True)
    usm_ndarray([0, 1, 3, 6])
    """
    return cumulative(Scan.sum, x, axis, dtype, include_initial, out, "cumulative_sum")


def cumulative_prod(
    x: usm_ndarray,
    /,
    *,
    axis: Axis = None,
    dtype: DType = None,
    include_initial: bool = False,
    out: Out = None,
) -> usm_ndarray:
    """Compute cumulative products along an axis.

    Parameters
    ----------
    x : usm_ndarray
    <axis_of_scan>
    <dtype_of_sum>
    include_initial : bool
        If True, the result begins with 1, and has one element more.
    <out>

    Returns
    -------
    usm_ndarray

    Raises
    ------
    <errors_of_scan>

    Notes
    -----
    Integers wrap. float16 is computed in float32. The order of the operations depends only on the
    shape and the strides.
    Source: array API 2025.12, `cumulative_prod`; `out` as in dpctl.tensor.cumulative_prod.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cumulative_prod(usm.asarray([1, 2, 3, 4]))
    usm_ndarray([ 1,  2,  6, 24])
    """
    return cumulative(Scan.prod, x, axis, dtype, include_initial, out, "cumulative_prod")


def cumulative_logsumexp(
    x: usm_ndarray,
    /,
    *,
    axis: Axis = None,
    dtype: DType = None,
    include_initial: bool = False,
    out: Out = None,
) -> usm_ndarray:
    """Compute logarithms of cumulative sums of exponentials along an axis.

    Parameters
    ----------
    x : usm_ndarray
    <axis_of_scan>
    <floating_dtype>
    include_initial : bool
        If True, the result begins with -inf, and has one element more.
    <out>

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `x` is not an array; if the axis is not an integer; or if the type is complex.
    ValueError
        If `x` has several dimensions and no axis is given, or `out` has another shape or is
        read-only.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with dpctl.tensor.cumulative_logsumexp.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cumulative_logsumexp(usm.zeros(3))
    usm_ndarray([0.        , 0.69314718, 1.09861229])
    """
    cdef str function = "cumulative_logsumexp"
    cdef usm_ndarray array = require_array(x, function), result, target
    cdef bint is_number = False
    cdef int code, work = real_code(array, dtype, &code, function), along
    cdef bint initial = is_true(include_initial, "include_initial", function)
    refuse_bools(axis, function)
    if array.rank == 0 and axis is None:
        array, is_number = reshape_view(array, (1,), b"C"), not initial
    along = only_axis(array, axis, function)
    shape = extents_tuple(array.rank, array.extents)
    count = shape[along]
    whole = shape[:along] + (count + initial,) + shape[along + 1:]
    result = allocate_shape(array.queue, array.allocation.kind, work, whole)
    target = view_at(result, along, slice(int(initial), None))
    copy_into(array, target)
    # Each step adds the sums `shift` elements before, which doubles the terms of each sum.
    shift = 1
    while shift < count:
        after = view_at(target, along, slice(shift, None))
        before = view_at(target, along, slice(None, -shift))
        copy_into(logaddexp(after, before), after)
        shift *= 2
    if initial:
        assign(view_at(result, along, slice(0, 1)), -numpy.inf)
    result = in_type(result, code)
    return copy_to_out(reshape_view(result, (), b"C") if is_number else result, out, function)


def diff(
    a: ArrayOperand,
    n: SupportsIndex = 1,
    axis: SupportsIndex = -1,
    prepend: Vector | Scalar | None = None,
    append: Vector | Scalar | None = None,
) -> usm_ndarray:
    """Compute differences of neighbours along an axis.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        At least one of the operands is a usm_ndarray.
    axis : int
    n : int
        The number of times that differences are computed.
    prepend, append : usm_ndarray, numpy.ndarray, sequence or number, optional
        Elements to put before and after the elements of `a`: arrays with the shape of `a` except
        along the axis, or one element.

    Returns
    -------
    usm_ndarray
        An array with `n` elements fewer along the axis. For bools, True if neighbours differ.

    Raises
    ------
    TypeError
        If `a` is not an array, or `axis` or `n` is not an integer.
    ValueError
        If `a` is 0-D; if `n` is negative; or if a shape does not match.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `diff`; numbers as in dpctl.tensor.diff.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.diff(usm.asarray([1, 4, 9, 16]))
    usm_ndarray([3, 5, 7])
    """
    cdef usm_ndarray array = colocate(a, first_array((prepend, append)), "diff", "a")
    cdef int along
    count = natural(n, "diff", "n")
    along = axis_index(axis, array, "diff")
    shape = extents_tuple(array.rank, array.extents)
    others = shape[:along] + shape[along + 1:]
    operands = {"prepend": prepend, "a": array, "append": append}
    operands = {name: part for name, part in operands.items() if part is not None}
    names, parts = list(operands), convert_operands("diff", operands)
    for name, part in zip(names, parts):
        if part.ndim and (*part.shape[:along], *part.shape[along + 1:]) != others \
                or part.ndim not in (0, array.rank):
            raise ValueError(f"diff: {name} has shape {part.shape}; expected one element, or "
                             f"{shape}, as a has, except along axis {along}")
    parts = [broadcast_to(part, shape[:along] + (1,) + shape[along + 1:]) if part.ndim == 0
             else part for part in parts]
    array = array if len(parts) == 1 else concat(parts, axis=along)
    for _ in range(min(count, array.extents[along])):
        function = not_equal if array.code == BOOL else subtract
        array = function(view_at(array, along, slice(1, None)),
                         view_at(array, along, slice(None, -1)))
    return array


cdef object position(bint largest, object x, object axis, object keepdims, object out,
                          str function):
    cdef usm_ndarray array = array_or_sample(x, function, "a"), found
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef int along = 0, rank = array.rank
    if isinstance(x, Traced):
        if axis is not None:
            refuse_bools(axis, function)
            axis = axis_index(axis, array, function)
        return (<Traced>x).reduce(function, I8, axis, keep, out,
                                  {} if axis is None else {"axis": axis})
    if axis is not None:
        refuse_bools(axis, function)
        along = axis_index(axis, array, function)
    elif rank != 1:
        array = as_1d(array)
    found = all_positions(largest, array, along, function)
    if keep:
        if axis is None:
            found = reshape_view(found, (1,) * rank, b"C")
    else:
        found = view_at(found, along, 0)
    return copy_to_out(found, out, function)


cdef usm_ndarray all_positions(bint largest, usm_ndarray x, int along, str function):
    """Return the indices of extreme elements along an axis, which has one element in the result."""
    cdef usm_ndarray found
    cdef bint is_empty = x.count() == 0
    cdef int64_t blocks = 1 if is_empty else position_blocks(x.queue.ref, x.view(), along)
    shape = extents_tuple(x.rank, x.extents)
    found = allocate_shape(x.queue, x.allocation.kind, I8, shape[:along] + (blocks,)
                           + shape[along + 1:])
    if shape[along] == 0:
        raise ValueError(f"{function}: a has shape {shape}; expected at least one element "
                         "along the reduced axis")
    if is_empty:
        return found
    find_extreme(x.queue.ref, largest, x.view(), along, found.view())
    if blocks == 1:
        return found
    # Reduce the extreme elements of the blocks.
    values = take_along_axis(x, found, axis=along)
    return take_along_axis(found, all_positions(largest, values, along, function), axis=along)


def argmax(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axis = None,
    out: Out = None,
    keepdims: bool = False,
) -> usm_ndarray:
    """Return the index of the largest element, or of the first NaN, along an axis.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    axis : int, optional
        Default: `a` is flattened in C order.
    <out>
    <keepdims>

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
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return position(True, a, axis, keepdims, out, "argmax")


def argmin(
    a: usm_ndarray | Sequence[usm_ndarray],
    axis: Axis = None,
    out: Out = None,
    keepdims: bool = False,
) -> usm_ndarray:
    """Return the index of the smallest element, or of the first NaN, along an axis.

    Parameters
    ----------
    a : usm_ndarray or sequence of usm_ndarray
        The arrays of a sequence are stacked along a new first axis.
    axis : int, optional
        Default: `a` is flattened in C order.
    <out>
    <keepdims>

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
    if isinstance(a, (list, tuple)):
        a = stack_sequence(a)
    return position(False, a, axis, keepdims, out, "argmin")
