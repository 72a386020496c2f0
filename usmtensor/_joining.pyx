"""New arrays that hold the elements of others: joined, repeated, or moved along an axis."""

from libc.stdint cimport int64_t
from usmtensor._copy cimport copied, copy_into
from usmtensor._keywords cimport require, shown, wrong_value
from usmtensor._operands cimport common_code, common_kind, common_queue
from usmtensor._shapes cimport integers, shape_tuple
from usmtensor._usmarray cimport allocate_shape, require_array, usm_ndarray
from usmtensor._views cimport axis_index, basic_view, reshaped

import itertools

import numpy

from usmtensor._assignment import assign
from usmtensor._copy import asnumpy
from usmtensor._indexing import take

__all__ = ["concat", "repeat", "roll", "stack", "tile"]


cdef str RESULT = "the shape of the result"


cdef usm_ndarray _new_like(usm_ndarray x, tuple shape):
    return allocate_shape(x.queue, x.memory.kind(), x.code, shape)


# Joining


cdef list _arrays(object arrays, str function):
    if not require(arrays, (list, tuple), function, "arrays", "tuple or list of usm_ndarray"):
        raise ValueError(f"{function}: arrays is empty; expected at least one array")
    return [require_array(x, function, "one of arrays") for x in arrays]


cdef usm_ndarray _joined(list arrays, tuple shape, str function):
    """An array for all elements of the arrays, not yet set."""
    return allocate_shape(common_queue(arrays, function), common_kind(arrays),
                          common_code(arrays, function), shape)


def concat(arrays, /, *, axis=0):
    """The arrays one after the other along an axis.

    Parameters
    ----------
    arrays : tuple or list of usm_ndarray
        Of equal shape but along the axis.
    axis : int or None
        None: one after the other as flattened in C order.

    Returns
    -------
    usm_ndarray
        Of the type that theirs promote to, on the queue of the first, of the most device-like USM
        kind.

    Raises
    ------
    AxisError
        The axis is out of range.
    ValueError
        No arrays, or shapes that do not fit.
    ExecutionPlacementError
        The arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `concat`.
    """
    cdef list parts = _arrays(arrays, "concat")
    cdef usm_ndarray first = parts[0], x, y, out
    cdef int64_t begin = 0
    cdef int along
    if axis is None:
        out = _joined(parts, (sum([x.count() for x in parts]),), "concat")
        for x in parts:
            y = basic_view(out, slice(begin, begin + x.count()))
            copy_into(x, reshaped(y, x.shape, b"C"))
            begin += x.count()
        return out
    along = axis_index(axis, first, "concat")
    shape = first.shape
    before, after = shape[:along], shape[along + 1:]
    for x in parts:
        if x.rank != first.rank or x.shape[:along] != before or x.shape[along + 1:] != after:
            raise ValueError(f"concat: the arrays have shapes {shape} and {x.shape}; expected "
                             f"equal ones but along axis {along}")
    total = sum([x.extents[along] for x in parts])
    out = _joined(parts, (*before, total, *after), "concat")
    every = (slice(None),) * along
    for x in parts:
        copy_into(x, basic_view(out, (*every, slice(begin, begin + x.extents[along]))))
        begin += x.extents[along]
    return out


def stack(arrays, /, *, axis=0):
    """The arrays side by side along a new axis.

    Parameters
    ----------
    arrays : tuple or list of usm_ndarray
        Of equal shape.
    axis : int
        Where the new axis is in the result; a negative one counts from its end.

    Returns
    -------
    usm_ndarray
        Of the type that theirs promote to, on the queue of the first, of the most device-like USM
        kind.

    Raises
    ------
    AxisError
        The axis is out of range.
    ValueError
        No arrays, or shapes that differ.
    ExecutionPlacementError
        The arrays are on different devices or in different contexts.

    Notes
    -----
    Source: array API 2025.12, `stack`.
    """
    cdef list parts = _arrays(arrays, "stack")
    cdef usm_ndarray first = parts[0], x, out
    cdef int along = axis_index(axis, first, "stack", 1)
    shape = first.shape
    for x in parts:
        if x.shape != shape:
            raise ValueError(f"stack: the arrays have shapes {shape} and {x.shape}; expected "
                             "equal ones")
    out = _joined(parts, (*shape[:along], len(parts), *shape[along:]), "stack")
    every = (slice(None),) * along
    for i, x in enumerate(parts):
        copy_into(x, basic_view(out, (*every, i)))
    return out


# Repeating


def repeat(x, repeats, /, *, axis=None):
    """Every element several times.

    Parameters
    ----------
    x : usm_ndarray
    repeats : int, usm_ndarray, or sequence of int
        How often: one number for all, or one for each index of the axis.
    axis : int, optional
        Default: `x` is flattened in C order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        The axis is out of range.
    ValueError
        A negative number, or as many numbers as do not fit.
    TypeError
        Numbers that are not integers.

    Notes
    -----
    An array of numbers is read first, which waits: the shape of the result depends on it.
    Source: array API 2025.12, `repeat`; sequences as in dpctl.tensor.repeat.
    """
    cdef usm_ndarray source = require_array(x, "repeat"), out
    cdef int along
    if axis is None:
        source, along = _flattened(source), 0
    else:
        along = axis_index(axis, source, "repeat")
    shape = source.shape
    counts = _repeat_counts(repeats, shape[along])
    if counts.size > 1:
        return take(source, numpy.repeat(numpy.arange(shape[along]), counts), axis=along)
    times = int(counts[0]) if counts.size else 1
    out = _new_like(source, shape_tuple(
        (*shape[:along], shape[along] * times, *shape[along + 1:]), "repeat", RESULT))
    if out.count():
        every = (slice(None),) * (along + 1)
        assign(reshaped(out, (*shape[:along + 1], times, *shape[along + 1:]), b"C"),
               basic_view(source, (*every, None)))
    return out


cdef usm_ndarray _flattened(usm_ndarray x):
    """The elements in C order along one axis, a view where there is one."""
    cdef usm_ndarray y = reshaped(x, (x.count(),), b"C")
    if y is not None:
        return y
    return reshaped(copied(x, x.code, b"C", x.queue, None), (x.count(),), b"C")


cdef object _repeat_counts(object repeats, int64_t extent):
    """The numbers on the host: one for all, or one for each of `extent`."""
    given = asnumpy(repeats) if isinstance(repeats, usm_ndarray) else repeats
    counts = numpy.asarray(given)
    if counts.dtype.kind not in "iu":  # as NumPy has no type for 2 ** 70, or for []
        counts = numpy.asarray(given, object)
        if all([type(count) is int for count in counts.flat]):
            counts = numpy.asarray(numpy.clip(counts, -1, 2 ** 62), numpy.int64)
    if counts.dtype.kind not in "iu" or counts.ndim > 1:
        raise TypeError(f"repeat: repeats is {shown(repeats)}; expected an integer or integers "
                        "along one axis")
    counts = counts.reshape(-1)
    if counts.size not in (1, extent):
        raise ValueError(f"repeat: repeats has {counts.size} elements; expected 1 or {extent}")
    if (counts < 0).any():
        raise wrong_value(repeats, "repeat", "repeats", "no negative numbers")
    if counts.sum(dtype=numpy.float64) >= 2 ** 62:  # which an int64 might not hold
        raise wrong_value(repeats, "repeat", "repeats", "numbers that fit in memory")
    return counts.astype(numpy.int64)


def tile(x, repetitions, /):
    """An array several times side by side along its axes.

    Parameters
    ----------
    x : usm_ndarray
    repetitions : int or tuple of int
        Per axis, the last one last; what is missing, here or in `x`, is one.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        A negative number.
    TypeError
        Numbers that are not integers.

    Notes
    -----
    Source: array API 2025.12, `tile`.
    """
    cdef usm_ndarray source = require_array(x, "tile"), out
    cdef int ndim
    times = integers(repetitions, "tile", "repetitions")
    if min(times, default=0) < 0:
        raise wrong_value(times, "tile", "repetitions", "no negative numbers")
    shape = source.shape
    ndim = max(len(shape), len(times))
    shape = (1,) * (ndim - len(shape)) + shape
    times = (1,) * (ndim - len(times)) + times
    out = _new_like(source, shape_tuple([n * count for n, count in zip(shape, times)], "tile",
                                        RESULT))
    if out.count():
        source = reshaped(source, tuple([n for extent in shape for n in (1, extent)]), b"C")
        parts = tuple([n for pair in zip(times, shape) for n in pair])
        assign(reshaped(out, parts, b"C"), source)
    return out


# Moving


def roll(x, /, shift, *, axis=None):
    """The elements moved along axes; those that leave at one end come in at the other.

    Parameters
    ----------
    x : usm_ndarray
    shift : int or tuple of int
        By how many places, towards larger indices.
    axis : int or tuple of int, optional
        One for each shift; shifts along one axis add up. Default: along the elements in C order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    AxisError
        An axis is out of range.
    ValueError
        As many shifts as do not fit the axes.

    Notes
    -----
    Source: array API 2025.12, `roll`.
    """
    cdef usm_ndarray source = require_array(x, "roll"), out
    cdef int along
    shifts = integers(shift, "roll", "shift")
    if axis is None:
        if len(shifts) != 1:
            raise ValueError(f"roll: shift is {shift}; expected an integer where axis is None")
        out = _new_like(source, source.shape)
        _roll_into(_flattened(source), reshaped(out, (source.count(),), b"C"), {0: shifts[0]})
        return out
    axes = integers(axis, "roll", "axis")
    if len(shifts) == 1:
        shifts *= len(axes)
    elif len(axes) == 1:
        axes *= len(shifts)
    if len(shifts) != len(axes):
        raise ValueError(f"roll: shift and axis are {shift} and {axis}; expected as many shifts as "
                         "axes")
    moves = {}
    for by, value in zip(shifts, axes):
        along = axis_index(value, source, "roll")
        moves[along] = moves.get(along, 0) + by
    out = _new_like(source, source.shape)
    _roll_into(source, out, moves)
    return out


cdef int _roll_into(usm_ndarray source, usm_ndarray out, dict moves) except -1:
    """A copy for each combination of the two parts that an axis falls into."""
    cdef int64_t n, by
    cdef int axis
    if source.count() == 0:
        return 0
    pieces = []
    for axis in range(source.rank):
        n = source.extents[axis]
        by = moves.get(axis, 0) % n
        whole = slice(None)
        pieces.append([(slice(n - by), slice(by, None)), (slice(n - by, None), slice(by))]
                      if by else [(whole, whole)])
    for piece in itertools.product(*pieces):
        copy_into(basic_view(source, tuple([from_ for from_, _ in piece])),
                  basic_view(out, tuple([to for _, to in piece])))
    return 0
