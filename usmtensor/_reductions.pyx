"""Reductions: functions that make one element of those along some axes."""

from libc.math cimport NAN
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from libcpp.vector cimport vector
from usmtensor._assignment cimport assign
from usmtensor._copy cimport copied, copy_into
from usmtensor._dtypes cimport BOOL, F2, F4, I8, U8, default_code, dtype_code
from usmtensor._keywords cimport is_true, wrong_type
from usmtensor._native cimport (
    DType, Reduction, View, may_overlap, reduce as reduce_view, reduced_type,
)
from usmtensor._operands cimport check_out, check_result, require_place
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport C_CONTIGUOUS, allocate_array, require_array, usm_ndarray
from usmtensor._views cimport axis_indices

__all__ = ["all", "any", "count_nonzero", "max", "mean", "min", "prod", "sum"]

cdef enum:
    FEW = 8  # dimensions whose extents need no allocation


# An array's layout with the axes that are reduced, taken when no code of the caller runs any more.
cdef cppclass Layout:
    int rank, kept
    int64_t count             # of elements that make one
    bint is_empty, has_results
    int64_t *shape            # then the strides of x, then those of the result: 0 where reduced
    int64_t[24] few
    vector[int64_t] many

    int64_t *strides():
        return this.shape + this.rank

    int64_t *result_strides():
        return this.shape + 2 * this.rank


cdef int take_layout(Layout *layout, usm_ndarray x, object axis, str function) except -1:
    """The layout of x, reduced along `axis`: all axes, one or several."""
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
    if rank > FEW:
        layout.many.resize(3 * rank)
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
    """The array that takes a result: of the axes of x in memory, or `out`."""
    cdef int64_t[16] few
    cdef vector[int64_t] many
    cdef int64_t *extents = few
    cdef int k, n = 0, rank = layout.rank if keepdims else layout.kept
    cdef int64_t *marks = layout.result_strides()
    cdef usm_ndarray result
    if rank > FEW:
        many.resize(2 * rank)
        extents = many.data()
    for k in range(layout.rank):
        if marks[k] or keepdims:
            extents[n] = layout.shape[k] if marks[k] else 1
            extents[rank + n] = layout.strides()[k]
            n += 1
    if out is None:
        return allocate_array(x.queue, x.memory.kind(), code, rank, extents,
                              b"C" if x.bits & C_CONTIGUOUS else b"K", extents + rank)
    result = check_out(out, function)
    check_result(result, code, rank, extents, function)
    require_place(result.queue, x, function)
    return result


cdef bint is_apart(Layout *layout, usm_ndarray x, usm_ndarray out):
    """Whether results may go to `out` while x is read, each to a place of its own."""
    cdef View from_ = x.view(), to = out.view()
    cdef int k
    for k in range(out.rank):
        if out.extents[k] > 1 and out.extents[out.rank + k] == 0:
            return False
    return not may_overlap(from_, to)


cdef usm_ndarray reduced(Reduction what, usm_ndarray x, Layout *layout, int code, bint keepdims,
                         object out, double divisor, str function):
    """A reduction of x into a result of a type, or into `out`."""
    cdef usm_ndarray result, target
    cdef View from_, to
    cdef int k, n = 0, found = reduced_type(what, <DType>x.code)
    cdef int64_t *strides = layout.result_strides()
    cdef SyclQueue queue
    result = target = new_result(layout, x, code, keepdims, out, function)
    if not (found == code or found == I8 and code == U8) \
            or out is not None and not is_apart(layout, x, result):
        target = new_result(layout, x, found, keepdims, None, function)
    queue = result.queue
    from_ = x.view()
    from_.ndim = layout.rank
    from_.shape = layout.shape
    from_.strides = layout.strides()
    to = target.view()
    for k in range(layout.rank):
        if strides[k]:
            # Of one element the stride may be any, but not that of a reduced axis.
            strides[k] = target.extents[target.rank + n] or 1
            n += 1
        elif keepdims:
            n += 1
    to.ndim = layout.rank
    to.shape = layout.shape
    to.strides = strides
    if not reduce_view(queue.ref, what, from_, to, divisor, True):
        with nogil:  # commands run, and may be waited for
            reduce_view(queue.ref, what, from_, to, divisor, False)
    if target is not result:
        copy_into(target, result)
    return result


cdef usm_ndarray of_nothing(usm_ndarray x, Layout *layout, int code, bint keepdims, object out,
                            object value, str function):
    """The result for an array without elements."""
    cdef usm_ndarray result
    if value is None and layout.count == 0:
        raise ValueError(f"{function}: x has shape {x.shape}; expected an element at least along "
                         "the axes that are reduced")
    result = new_result(layout, x, code, keepdims, out, function)
    if layout.has_results:
        assign(result, value)
    return result


cdef usm_ndarray apply(Reduction what, object x, object axis, int code, object keepdims, object out,
                       object of_none, str function):
    """A reduction whose result is of a type (-1: as x)."""
    cdef usm_ndarray array = require_array(x, function)
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef Layout layout
    take_layout(&layout, array, axis, function)
    if code < 0:
        code = array.code
    if layout.is_empty:
        return of_nothing(array, &layout, code, keep, out, of_none, function)
    return reduced(what, array, &layout, code, keep, out, 1, function)


cdef int accumulated_code(usm_ndarray x, object dtype, str function) except -1:
    """The type of a sum or product: the default integer for smaller ones, and what is asked for."""
    if dtype is not None:
        return dtype_code(dtype, function)
    if x.code >= F2:
        return x.code
    return U8 if is_unsigned(x.code) else I8


cdef bint is_unsigned(int code) noexcept:
    return BOOL < code < F2 and code % 2 == 0


cdef usm_ndarray accumulated(Reduction what, object x, object axis, object dtype, object keepdims,
                             object out, object of_none, str function):
    cdef usm_ndarray array = require_array(x, function)
    cdef bint keep = is_true(keepdims, "keepdims", function)
    cdef int code = accumulated_code(array, dtype, function), source = array.code
    cdef Layout layout
    if code == BOOL:  # sums of bools are logical or, products logical and
        what = Reduction.any if what == Reduction.sum else Reduction.all
    elif source == code or source < F2 and BOOL < code < F2:
        pass  # integers wrap in the end as well as at the start
    elif source != F2 or code != F4:
        source = code
    if source == F2 != array.code:
        array = copied(array, F2, b"K", array.queue, None)
    if what == Reduction.prod and reduced_type(what, <DType>source) < 0:
        source = F4 if source == F2 else I8
    if source != array.code:
        array = copied(array, source, b"K", array.queue, None)
    take_layout(&layout, array, axis, function)
    if layout.is_empty:
        return of_nothing(array, &layout, code, keep, out, of_none, function)
    return reduced(what, array, &layout, code, keep, out, 1, function)


def sum(x, /, axis=None, *, dtype=None, keepdims=False, out=None):
    """Sums.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    dtype : data type, optional
        To which the elements are converted first. Default: that of `x`; for integers and bools the
        default integer type, of unsigned ones the unsigned type.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape and data type; may overlap `x`.

    Returns
    -------
    usm_ndarray
        0 where there is no element.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Integers wrap. Halves are added in single precision. Numbers are added in an order that follows
    from the shape and the strides alone, in trees: as accurate as pairwise summation.
    Source: array API 2025.12, `sum`; `out` as in dpctl.tensor.sum.
    """
    return accumulated(Reduction.sum, x, axis, dtype, keepdims, out, 0, "sum")


def prod(x, /, axis=None, *, dtype=None, keepdims=False, out=None):
    """Products.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    dtype : data type, optional
        To which the elements are converted first. Default: that of `x`; for integers and bools the
        default integer type, of unsigned ones the unsigned type.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape and data type; may overlap `x`.

    Returns
    -------
    usm_ndarray
        1 where there is no element.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Integers wrap. Halves are multiplied in single precision.
    Source: array API 2025.12, `prod`; `out` as in dpctl.tensor.prod.
    """
    return accumulated(Reduction.prod, x, axis, dtype, keepdims, out, 1, "prod")


def mean(x, /, axis=None, keepdims=False, *, out=None):
    """Arithmetic means.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape and data type; may overlap `x`.

    Returns
    -------
    usm_ndarray
        Of the type of `x`, of the default floating point type for integers and bools; NaN where
        there is no element.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Halves are added in single precision.
    Source: array API 2025.12, `mean`; positional arguments as in dpctl.tensor.mean.
    """
    cdef usm_ndarray array = require_array(x, "mean")
    cdef bint keep = is_true(keepdims, "keepdims", "mean")
    cdef int code = array.code
    cdef Layout layout
    if code < F2:
        code = default_code(2, array.queue.ref.get().fp64)
        array = copied(array, code, b"K", array.queue, None)
    take_layout(&layout, array, axis, "mean")
    if layout.is_empty:
        return of_nothing(array, &layout, code, keep, out, NAN, "mean")
    return reduced(Reduction.sum, array, &layout, code, keep, out, <double>layout.count, "mean")


def max(x, /, axis=None, *, keepdims=False, out=None):
    """The largest elements; NaN where one is NaN.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape and data type; may overlap `x`.

    Returns
    -------
    usm_ndarray
        Of the type of `x`.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        There is no element; an axis is given twice; `out` has another shape or type or is
        read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Complex numbers are ordered by their real parts, then by their imaginary ones.
    Source: array API 2025.12, `max`; `out` as in dpctl.tensor.max.
    """
    return apply(Reduction.max, x, axis, -1, keepdims, out, None, "max")


def min(x, /, axis=None, *, keepdims=False, out=None):
    """The smallest elements; NaN where one is NaN.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape and data type; may overlap `x`.

    Returns
    -------
    usm_ndarray
        Of the type of `x`.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        There is no element; an axis is given twice; `out` has another shape or type or is
        read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Complex numbers are ordered by their real parts, then by their imaginary ones.
    Source: array API 2025.12, `min`; `out` as in dpctl.tensor.min.
    """
    return apply(Reduction.min, x, axis, -1, keepdims, out, None, "min")


def any(x, /, axis=None, *, keepdims=False, out=None):
    """Whether elements are true: any but zero, NaN too.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape, of bools; may overlap `x`.

    Returns
    -------
    usm_ndarray
        False where there is no element.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `any`; `out` as in dpctl.tensor.any.
    """
    return apply(Reduction.any, x, axis, BOOL, keepdims, out, False, "any")


def all(x, /, axis=None, *, keepdims=False, out=None):
    """Whether all elements are true: any but zero, NaN too.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape, of bools; may overlap `x`.

    Returns
    -------
    usm_ndarray
        True where there is no element.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `all`; `out` as in dpctl.tensor.all.
    """
    return apply(Reduction.all, x, axis, BOOL, keepdims, out, True, "all")


def count_nonzero(x, /, axis=None, *, keepdims=False, out=None):
    """How many elements are not zero.

    Parameters
    ----------
    x : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    keepdims : bool
        Whether reduced axes stay, with one element.
    out : usm_ndarray, optional
        Where the result goes, of its shape, of int64; may overlap `x`.

    Returns
    -------
    usm_ndarray
        Of the default integer type.

    Raises
    ------
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `count_nonzero`; `out` as in dpctl.tensor.count_nonzero.
    """
    return apply(Reduction.count_nonzero, x, axis, I8, keepdims, out, 0, "count_nonzero")
