"""Repetition of elements and of whole arrays."""

from libc.stdint cimport int64_t
from usmtensor._core.array cimport allocate_shape, element, require_array, usm_ndarray
from usmtensor._core.copy cimport as_1d, upload
from usmtensor._core.operands cimport assign, colocate, first_array
from usmtensor._core.views cimport as_plain, axis_index, basic_view, reshape_view, view_at
from usmtensor._native.libtensor cimport repeat_runs
from usmtensor._runtime.arguments cimport (
    integers, plain_array, shape_tuple, short_repr, wrong_value,
)

import numpy

from usmtensor._core.copy import asnumpy
from usmtensor._functions.creation import arange
from usmtensor._functions.indexing import take
from usmtensor._functions.reductions import max as max_of, min as min_of, sum as sum_of
from usmtensor._functions.scans import cumulative_sum

__all__ = ["repeat", "tile"]

cdef str RESULT = "the shape of the result"


def repeat(a: ArrayOperand, repeats: Shape | usm_ndarray, axis: Axis = None) -> usm_ndarray:
    """Repeat each element.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        At least one of `a` and `repeats` is a usm_ndarray.
    repeats : int, usm_ndarray, or sequence of int
        The number of repetitions: one for all elements, or one for each index of the axis.
    axis : int, optional
        Default: `a` is flattened in C order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        If the axis is out of range.
    ValueError
        If a count is negative, or the number of counts does not match the axis.
    TypeError
        If counts are not integers.

    Notes
    -----
    Waits for an array of counts, because the shape of the result depends on it.
    Source: array API 2025.12, `repeat`; sequences as in dpctl.tensor.repeat.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.repeat(usm.asarray([1, 2]), 3)
    usm_ndarray([1, 1, 1, 2, 2, 2])
    """
    cdef usm_ndarray source = as_plain(colocate(a, first_array((repeats,)), "repeat", "a")), out
    cdef int along
    if axis is None:
        source, along = as_1d(source), 0
    else:
        along = axis_index(axis, source, "repeat")
    shape = source.shape
    times = repeats
    if type(repeats) is not int or not 0 <= repeats < 2 ** 62:
        times = _repeat_counts(repeats, source, shape[along])
        if isinstance(times, usm_ndarray):
            return _repeat_runs(source, along, times)
    out = allocate_shape(source.queue, source.allocation.kind, source.code, shape_tuple(
        (*shape[:along], shape[along] * times, *shape[along + 1:]), "repeat", RESULT))
    if out.count():
        assign(reshape_view(out, (*shape[:along + 1], times, *shape[along + 1:]), b"C"),
               view_at(source, along + 1, None))
    return out


cdef object _repeat_counts(object repeats, usm_ndarray x, int64_t extent):
    """Return one count, or a device array with a count for each of `extent` indices."""
    cdef usm_ndarray array = repeats if isinstance(repeats, usm_ndarray) else None
    counts = repeats
    if array is None or array.queue is not x.queue or array.count() < 2:
        given = repeats if array is None else asnumpy(array)
        counts = plain_array(given, "repeat")
        if counts.dtype.kind not in "iub":  # 2 ** 70 becomes an object, and [] a float
            counts = numpy.asarray(given, object)
            if all([type(count) is int for count in counts.flat]):
                counts = numpy.asarray(numpy.clip(counts, -1, 2 ** 62), numpy.int64)
    if counts.dtype.kind == "b" and counts.ndim == 1:
        counts = counts.astype(numpy.int8)
    if counts.dtype.kind not in "iu" or counts.ndim > 1:
        raise TypeError(f"repeat: repeats is {short_repr(repeats)}; expected an integer or "
                        "integers along one axis")
    if counts.size not in (1, extent):
        raise ValueError(f"repeat: repeats has {counts.size} elements; expected 1 or {extent}")
    if counts.size == 0:
        return 1
    on_host = isinstance(counts, numpy.ndarray)
    least, most, total = ((numpy.min, numpy.max, numpy.sum) if on_host
                          else (min_of, max_of, sum_of))
    if int(least(counts)) < 0:
        raise wrong_value(repeats, "repeat", "repeats", "no negative numbers")
    if int(most(counts)) * counts.size >= 2 ** 62 \
            and float(total(counts, dtype="f4")) >= 2 ** 62:  # the sum may overflow int64
        raise wrong_value(repeats, "repeat", "repeats", "numbers that fit in memory")
    if counts.size == 1:
        return int(counts.reshape(-1)[0])
    return upload(counts, x.queue, "device", "repeat") if on_host else counts


cdef usm_ndarray _repeat_runs(usm_ndarray x, int axis, usm_ndarray counts):
    """Repeat each element along an axis by the counts in a device array; waits."""
    cdef usm_ndarray starts = cumulative_sum(counts, dtype="i8", include_initial=True), out
    cdef usm_ndarray line = x if x.rank == 1 else \
        arange(x.extents[axis], dtype="i8", usm_type=x.usm_type, sycl_queue=x.queue)
    size = max(element(basic_view(starts, -1)), 0)  # other threads may change the counts
    if x.count() == 0:
        return allocate_shape(x.queue, x.allocation.kind, x.code,
                              (*x.shape[:axis], size, *x.shape[axis + 1:]))
    out = allocate_shape(x.queue, x.allocation.kind, line.code, (size,))
    repeat_runs(x.queue.ref, line.view(), starts.view(), out.view())
    return out if line is x else take(x, out, axis=axis)


def tile(A: usm_ndarray, reps: Shape) -> usm_ndarray:
    """Repeat a whole array along its axes.

    Parameters
    ----------
    A : usm_ndarray
    reps : int or tuple of int
        The number of repetitions for each axis. Missing leading numbers or axes are 1.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If a number is negative.
    TypeError
        If numbers are not integers.

    Notes
    -----
    Source: array API 2025.12, `tile`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.tile(usm.asarray([1, 2]), (2, 2))
    usm_ndarray([[1, 2, 1, 2],
                 [1, 2, 1, 2]])
    """
    cdef usm_ndarray source = require_array(A, "tile", "A"), out
    cdef int ndim
    times = integers(reps, "tile", "reps")
    if min(times, default=0) < 0:
        raise wrong_value(times, "tile", "reps", "no negative numbers")
    shape = source.shape
    ndim = max(len(shape), len(times))
    shape = (1,) * (ndim - len(shape)) + shape
    times = (1,) * (ndim - len(times)) + times
    out = allocate_shape(source.queue, source.allocation.kind, source.code, shape_tuple(
        [n * count for n, count in zip(shape, times)], "tile", RESULT))
    if out.count():
        source = reshape_view(source, tuple([n for extent in shape for n in (1, extent)]), b"C")
        parts = tuple([n for pair in zip(times, shape) for n in pair])
        assign(reshape_view(out, parts, b"C"), source)
    return out
