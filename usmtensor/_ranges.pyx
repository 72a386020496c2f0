"""Making arrays of numbers in sequence, and matrices of a given form."""

from libc.stdint cimport int64_t, uint64_t
from usmtensor._copy cimport copied, copy_into
from usmtensor._creation cimport empty_array
from usmtensor._dtypes cimport BOOL, C8, DTYPES, F2, F4, F8, U8, code_or_default, default_code
from usmtensor._keywords cimport integer, is_true, shown, wrong_type, wrong_value
from usmtensor._native cimport Linear, View, clear_outside, fill_linear, fill_steps
from usmtensor._operands cimport asked_queue
from usmtensor._runtime cimport SyclQueue
from usmtensor._scalars cimport does_not_fit
from usmtensor._usmarray cimport (
    C_CONTIGUOUS, allocate_array, allocate_shape, require_array, usm_ndarray,
)
from usmtensor._views cimport strided_view, basic_view

import math
import numbers
import numpy

from usmtensor._assignment import assign

__all__ = ["arange", "eye", "linspace", "meshgrid", "tril", "triu"]


# Sequences


def arange(start, /, stop=None, step=1, *, dtype=None, device=None, usm_type="device",
           sycl_queue=None):
    """Numbers from `start`, by `step`, up to and without `stop`.

    Parameters
    ----------
    start, stop, step : int, float, or array of no dimensions
        With one number alone, that is `stop`, and `start` is 0. Arrays are read, which waits; the
        result is on the queue of the first one where no other is asked for.
    dtype : data type, optional
        Default: int64 where all numbers are integers, otherwise the device's default floating
        point type. bool only for two elements at most.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional

    Returns
    -------
    usm_ndarray
        Of one dimension and `ceil((stop - start) / step)` elements. Values as in NumPy: by the
        distance of the first two, in the arithmetic of the type.

    Raises
    ------
    ValueError
        `step` is 0, or there is no number of elements.
    OverflowError
        An integer does not fit the type.
    TypeError
        An argument is not a real number, or `dtype` is bool for more than two elements.

    Notes
    -----
    Source: array API 2025.12, `arange`; `usm_type`, `sycl_queue` as in dpctl.tensor.
    """
    cdef SyclQueue queue = asked_queue("arange", device, sycl_queue, (start, stop, step))
    cdef usm_ndarray x
    cdef int code
    if stop is None:
        start, stop = 0, start
    start, stop, step = [_number(value, name, "arange", "a real number", (int, float))
                         for value, name in ((start, "start"), (stop, "stop"), (step, "step"))]
    whole = all([isinstance(value, int) for value in (start, stop, step)])
    code = code_or_default(dtype, queue.ref.get(), "arange", 1 if whole else 2)
    count = _arange_count(start, stop, step)
    wanted = code
    if code == BOOL:
        if count > 2:
            raise TypeError(f"arange: dtype is bool; expected a type of numbers for "
                            f"{shown(count)} elements")
        code = default_code(1 if whole else 2, queue.ref.get().fp64)
    x = empty_array("arange", count, DTYPES[code], "C", None, usm_type, queue)
    if code < F2:
        _fill_integers(x, start, step)
    else:
        _fill_from_two(x, start, step)
    return x if wanted == code else copied(x, BOOL, b"C", queue, None)


cdef object _number(object value, str argument, str function, str expected, tuple types):
    """A number, or what an array of no dimensions holds, as one of Python's types."""
    if type(value) in types:
        return value
    number = value.item() if isinstance(value, (usm_ndarray, numpy.ndarray, numpy.bool_)) \
        and value.ndim == 0 else value
    for kind, of_python in zip((numbers.Integral, numbers.Real, numbers.Complex), types):
        if isinstance(number, kind):
            return of_python(number)
    raise wrong_type(value, function, argument, f"{expected} or an array of no dimensions")


cdef object _as(object kind, object number, str function):
    """A number as a floating point type of NumPy."""
    try:
        return kind(number)
    except OverflowError:
        raise does_not_fit(number, kind.__name__, function) from None


cdef object _arange_count(object start, object stop, object step):
    if step == 0:
        raise ValueError("arange: step is 0; expected another number")
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        return max(-((start - stop) // step), 0)
    try:
        ratio = (stop - start) / step
    except OverflowError:
        ratio = math.inf
    if not math.isfinite(ratio):
        raise ValueError(f"arange: from {shown(start)} to {shown(stop)} by {shown(step)} "
                         "there is no number of elements")
    if ratio == 0 and start != stop:  # less than the smallest float
        return 1 if (stop > start) == (step > 0) else 0
    return max(math.ceil(ratio), 0)


cdef int _fill_integers(usm_ndarray x, object start, object step) except -1:
    """As NumPy: by the difference of the first two elements as the type has them."""
    cdef View view = x.view()
    cdef uint64_t first, by
    count = x.count()
    if count == 0:
        return 0
    begin, second = int(start), int(start + step)
    last = begin + (second - begin) * (count - 1)
    limits = numpy.iinfo(<object>DTYPES[x.code])
    for value in (begin, last):
        if not limits.min <= value <= limits.max:
            raise does_not_fit(value, limits.dtype, "arange")
    first, by = begin % 2 ** 64, (second - begin) % 2 ** 64
    with nogil:  # commands run, and may be waited for
        fill_steps(x.queue.ref, view, first, by)
    return 0


cdef int _fill_from_two(usm_ndarray x, object start, object step) except -1:
    """The same for floats; float16 is computed in float32."""
    cdef Linear line
    cdef usm_ndarray real = x.real
    arithmetic = numpy.float64 if real.code == F8 else numpy.float32
    element = (<object>DTYPES[real.code]).type
    with numpy.errstate(all="ignore"):
        first, second = [arithmetic(_as(element, number, "arange"))
                         for number in (start, start + step)]
        line.step = second - first
    line.start, line.given, line.place, line.floored = first, second, 1, False
    if x.code >= C8:
        assign(x.imag, 0)
    return _put_line(real, line, F8 if real.code == F8 else F4)


cdef int _put_line(usm_ndarray x, Linear line, int arithmetic) except -1:
    """x[i] = start + i * step in the arithmetic of a type; x is 1-d and real."""
    cdef usm_ndarray target = x
    cdef View view
    if x.count() == 0:
        return 0
    if x.code != arithmetic or not x.bits & C_CONTIGUOUS:
        target = allocate_array(x.queue, x.memory.kind(), arithmetic, 1, x.extents, b"C")
    view = target.view()
    with nogil:  # commands run, and may be waited for
        fill_linear(target.queue.ref, view, line)
    if target is not x:
        copy_into(target, x)
    return 0


def linspace(start, stop, /, num, *, dtype=None, device=None, usm_type="device", sycl_queue=None,
             endpoint=True):
    """So many numbers at equal distances from `start` to `stop`.

    Parameters
    ----------
    start, stop : int, float, complex, or array of no dimensions
        Arrays count as the Python scalars that they hold. They are read, which waits; the result is
        on the queue of the first one where no other is asked for.
    num : int
        How many.
    dtype : data type, optional
        Default: the device's default floating point type, complex where a number is. Integers are
        rounded down.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
    endpoint : bool
        Whether the last one is `stop` itself, or the one before it.

    Returns
    -------
    usm_ndarray
        Of one dimension; computed in float64 where the device has it.

    Raises
    ------
    ValueError
        `num` is negative.
    TypeError
        An argument is not a number, `num` is not an integer, or numbers are complex but not
        `dtype`.

    Notes
    -----
    Source: array API 2025.12, `linspace`; `usm_type`, `sycl_queue` as in dpctl.tensor.
    """
    cdef SyclQueue queue = asked_queue("linspace", device, sycl_queue, (start, stop))
    cdef int arithmetic = F8 if queue.ref.get().fp64 else F4
    cdef usm_ndarray x
    cdef Linear line
    cdef int code
    start, stop = [_number(value, name, "linspace", "a number", (int, float, complex))
                   for value, name in ((start, "start"), (stop, "stop"))]
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    code = code_or_default(dtype, queue.ref.get(), "linspace", 3 if is_complex else 2)
    if is_complex and code < C8:
        raise TypeError(f"linspace: dtype is {DTYPES[code]}; expected a complex one for complex "
                        "start or stop")
    count = integer(num, "linspace", "num")
    if count < 0:
        raise wrong_value(count, "linspace", "num", "0 or more")
    closed = is_true(endpoint, "endpoint", "linspace")
    x = empty_array("linspace", count, DTYPES[code], "C", None, usm_type, queue)
    start, stop = [_as(numpy.complex128, number, "linspace") for number in (start, stop)]
    if code >= C8:
        _put_line(x.imag, _line_between(start.imag, stop.imag, count, closed), arithmetic)
    line = _line_between(start.real, stop.real, count, closed)
    line.floored = 1 <= code <= U8
    _put_line(x.real, line, arithmetic)
    return x


cdef Linear _line_between(double start, double stop, int64_t count, bint closed):
    cdef Linear line
    cdef int64_t intervals = count - 1 if closed else count
    line.start, line.given, line.floored = start, stop, False
    line.step = (stop - start) / intervals if intervals > 0 else 0
    line.place = count - 1 if closed and count > 1 else -1
    return line


# Matrices


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, order="C", device=None, usm_type="device",
        sycl_queue=None):
    """A matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    n_rows : int
    n_cols : int, optional
        Default: as many as rows.
    k : int
        How far the diagonal is above the main one; negative: below.
    dtype : data type, optional
        Default: the device's default floating point type.
    order : {"C", "F"}
        Of the axes in memory.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        A negative number of rows or columns.
    TypeError
        A number that is not an integer.

    Notes
    -----
    Source: array API 2025.12, `eye`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.
    """
    cdef usm_ndarray x
    shape = (n_rows, n_rows if n_cols is None else n_cols)
    above = integer(k, "eye", "k")
    x = assign(empty_array("eye", shape, dtype, order, device, usm_type, sycl_queue), 0)
    row, column = max(-above, 0), max(above, 0)
    if row < x.extents[0] and column < x.extents[1]:
        part = basic_view(x, (slice(row, None), slice(column, None)))
        assign(strided_view(part, [min(part.shape)], [sum(part.strides)]), 1)
    return x


def tril(x, /, *, k=0):
    """A copy with zeros above a diagonal of each matrix.

    Parameters
    ----------
    x : usm_ndarray
        Of two or more dimensions, the last two being those of matrices.
    k : int
        How far the diagonal is above the main one; negative: below.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        Fewer than two dimensions.
    TypeError
        `k` is not an integer.

    Notes
    -----
    Source: array API 2025.12, `tril`.
    """
    return _triangle(x, integer(k, "tril", "k") + 1, False, "tril")


def triu(x, /, *, k=0):
    """A copy with zeros below a diagonal of each matrix.

    Parameters
    ----------
    x : usm_ndarray
        Of two or more dimensions, the last two being those of matrices.
    k : int
        How far the diagonal is above the main one; negative: below.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        Fewer than two dimensions.
    TypeError
        `k` is not an integer.

    Notes
    -----
    Source: array API 2025.12, `triu`.
    """
    return _triangle(x, integer(k, "triu", "k"), True, "triu")


cdef usm_ndarray _triangle(object x, object k, bint before, str function):
    cdef usm_ndarray source = require_array(x, function), y
    cdef View view
    cdef int64_t edge = min(max(k, -2 ** 62), 2 ** 62)
    if source.rank < 2:
        raise ValueError(f"{function}: x has {source.rank} dimensions; expected 2 or more")
    y = copied(source, source.code, b"C", source.queue, None)
    view = y.view()
    with nogil:  # commands run, and may be waited for
        clear_outside(y.queue.ref, view, edge, before)
    return y


def meshgrid(*arrays, indexing="xy"):
    """Coordinates of a grid, one array per dimension.

    Parameters
    ----------
    *arrays : usm_ndarray
        The coordinates along each dimension, of one dimension each.
    indexing : {"xy", "ij"}
        "xy" exchanges the first two axes of the grid, "ij" has them in the arrays' order.

    Returns
    -------
    tuple of usm_ndarray
        Copies, of as many dimensions as there are arrays.

    Raises
    ------
    ValueError
        An array of another number of dimensions, or an unknown `indexing`.

    Notes
    -----
    Source: array API 2025.12, `meshgrid`.
    """
    cdef usm_ndarray x, y
    cdef int ndim = len(arrays), axis
    if not isinstance(indexing, str) or indexing not in ("xy", "ij"):
        raise wrong_value(indexing, "meshgrid", "indexing", "'xy' or 'ij'")
    places = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        places[:2] = 1, 0
    shape = [0] * ndim
    sources = [require_array(array, "meshgrid", "one of arrays") for array in arrays]
    for axis, x in zip(places, sources):
        if x.rank != 1:
            raise ValueError(f"meshgrid: an array has {x.rank} dimensions; expected 1")
        shape[axis] = x.extents[0]
    grid = []
    for axis, x in zip(places, sources):
        y = allocate_shape(x.queue, x.memory.kind(), x.code, tuple(shape))
        x = basic_view(x, tuple([slice(None) if k == axis else None for k in range(ndim)]))
        grid.append(assign(y, x))
    return tuple(grid)
