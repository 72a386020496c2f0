"""Padding arrays along their axes."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._functions.arguments import (
    host_values,
    location,
    named_in_errors,
    require_array,
    require_one_of,
)
from usmtensor._runtime.arguments import natural, wrong_value

__all__ = ["pad"]

# The keywords of each mode, and their default values.
_KEYWORDS: dict[str, dict[str, Any]] = {
    "constant": {"constant_values": 0},
    "edge": {},
    "empty": {},
    "linear_ramp": {"end_values": 0},
    "maximum": {"stat_length": None},
    "mean": {"stat_length": None},
    "median": {"stat_length": None},
    "minimum": {"stat_length": None},
    "reflect": {"reflect_type": "even"},
    "symmetric": {"reflect_type": "even"},
    "wrap": {},
}
_LARGE = 1 << 16  # elements that the device copies


@named_in_errors
def pad(
    array: usm_ndarray, pad_width: Any, mode: str | Callable[..., Any] = "constant", **kwargs: Any
) -> usm_ndarray:
    """Pad an array with elements before and after its elements along each axis.

    Parameters
    ----------
    array : usm_ndarray
    pad_width : int, pair of int, sequence of pairs, usm_ndarray, or dict
        The numbers of elements to add before and after: one number, a pair for all axes, a pair for
        each axis, or a dict of numbers and pairs by axis.
    mode : str or callable
        "constant" (with the keyword `constant_values`, default 0), "edge", "linear_ramp"
        (`end_values`, default 0), "maximum", "mean", "median", "minimum" (`stat_length`, the number
        of elements at the edge to use; default all), "reflect", "symmetric" (`reflect_type`, "even"
        or "odd"), "wrap" or "empty". A function changes each padded vector in place. It is called
        with the vector, the pair of widths, the axis and the keywords.
    **kwargs : number, pair, sequence of pairs, usm_ndarray or str
        The keyword of the mode: one value, a pair, or a pair for each axis, as for `pad_width`.

    Returns
    -------
    usm_ndarray
        An array of the type of `array`, in C order.

    Raises
    ------
    TypeError
        If `array` is not an array, or a width is not an integer.
    OverflowError
        If an integer of `constant_values` or `end_values` does not fit the type of `array`.
    ValueError
        If a width is negative; if `mode` or a keyword is unknown; or if there is no element to
        repeat.

    Notes
    -----
    Waits for widths and values that are in a usm_ndarray. Compatible with numpy.pad.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.pad(usm.asarray([1, 2, 3]), (1, 2))
    usm_ndarray([0, 1, 2, 3, 0, 0])
    >>> usm.pad(usm.asarray([1, 2, 3]), 2, mode="reflect")
    usm_ndarray([3, 2, 1, 2, 3, 2, 1])
    """
    x = require_array(array, "pad", "array")
    widths = _widths(pad_width, x.ndim)
    if not callable(mode):
        require_one_of(mode, tuple(_KEYWORDS), "pad", "mode")
        if unknown := kwargs.keys() - _KEYWORDS[mode].keys():
            known = ", ".join(_KEYWORDS[mode]) or "no keyword"
            raise wrong_value(mode, "pad", "mode", f"one with {unknown.pop()}; it has {known}")
        kwargs = {name: host_values(one) for name, one in {**_KEYWORDS[mode], **kwargs}.items()}
    shape = tuple(n + sum(width) for n, width in zip(x.shape, widths, strict=True))
    center = tuple(
        slice(before, before + n) for n, (before, _) in zip(x.shape, widths, strict=True)
    )
    result = usm.empty(shape, dtype=x.dtype, **location(x))
    if callable(mode):
        result[...] = 0
        result[center] = x
        for axis, width in enumerate(widths):
            _call(mode, result, axis, width, kwargs)
        return result
    # While the device copies a large center, the host could not set the borders, which takes it
    # less time than a launch. So they come first, unless they wait for the device anyway.
    center_first = "stat_length" in kwargs or x.size < _LARGE
    if center_first:
        result[center] = x
    for axis, width in enumerate(widths):
        if mode == "empty" or not any(width):
            continue
        if x.shape[axis] == 0 and mode != "constant":
            raise wrong_value(x.shape, "pad", "array.shape", f"an element along axis {axis}")
        inner = None if center_first or mode == "constant" else x
        for part, middle in _parts(result, inner, center, axis):
            part, middle = (usm.moveaxis(one, axis, -1) for one in (part, middle))
            _pad_axis(part, middle, axis, x.ndim, width, mode, kwargs)
    if not center_first:
        result[center] = x
    return result


def _parts(
    result: usm_ndarray, inner: usm_ndarray | None, center: tuple[slice, ...], axis: int
) -> Iterator[tuple[usm_ndarray, usm_ndarray]]:
    """Parts of the result, with the elements between their borders along an axis. The axes before
    this one are complete; of the axes after it, only the center is set. `inner` replaces the
    elements of the center while they are not set."""
    whole = (slice(None),)

    def part(*index: slice) -> tuple[usm_ndarray, usm_ndarray]:
        return result[(*index, *whole, *center[axis + 1 :])], result[(*index, *center[axis:])]

    if inner is None:
        yield part(*whole * axis)
        return
    yield part(*center[:axis])[0], inner
    for k, (n, middle) in enumerate(zip(result.shape, center[:axis], strict=False)):
        for border in (slice(0, middle.start), slice(middle.stop, n)):
            if border.start < border.stop:
                yield part(*center[:k], border, *whole * (axis - k - 1))


def _widths(given: Any, ndim: int) -> list[tuple[int, int]]:
    if isinstance(given, dict):
        by_axis = [(0, 0)] * ndim
        for axis, width in given.items():
            if not isinstance(axis, int) or not -ndim <= axis < ndim:
                raise wrong_value(given, "pad", "pad_width", f"axes from {-ndim} to {ndim - 1}")
            width = host_values(width)
            by_axis[axis] = width if isinstance(width, tuple | list) else (width, width)
        given = by_axis
    pairs = _pairs(host_values(given), ndim, "pad_width")
    return [(natural(a, "pad", "pad_width"), natural(b, "pad", "pad_width")) for a, b in pairs]


def _pairs(given: Any, ndim: int, argument: str) -> list[list[Any]]:
    """Return a value, a pair or pairs as a pair for each axis."""
    if isinstance(given, int | float):
        return [[given, given]] * ndim
    try:
        values = numpy.broadcast_to(numpy.asarray(given, dtype=object), (ndim, 2))
    except ValueError:
        expected = f"one value, a pair or {ndim} pairs"
        raise wrong_value(given, "pad", argument, expected) from None
    return [list(pair) for pair in values]


def _values(given: Any, x: usm_ndarray, ndim: int, axis: int, argument: str) -> list[Any]:
    """Return the values before and after the elements along an axis."""
    pair = _pairs(given, ndim, argument)[axis]
    if x.dtype.kind in "iu":
        limits = numpy.iinfo(x.dtype)
        for value in pair:
            if isinstance(value, int | numpy.integer) and not limits.min <= value <= limits.max:
                raise OverflowError(f"pad: {argument}: {value} does not fit {x.dtype}")
    return pair


def _call(
    function: Callable[..., Any],
    x: usm_ndarray,
    axis: int,
    width: tuple[int, int],
    kwargs: dict[str, Any],
) -> None:
    """Call a function for each vector along an axis."""
    rows = usm.moveaxis(x, axis, -1)
    for index in numpy.ndindex(rows.shape[:-1]):
        function(rows[index], width, axis, kwargs)


def _pad_axis(
    x: usm_ndarray,
    center: usm_ndarray,
    axis: int,
    ndim: int,
    width: tuple[int, int],
    mode: str,
    kwargs: dict[str, Any],
) -> None:
    """Set the first and the last elements along the last axis, from those between them."""
    before, after = width
    left, right = x[..., :before], x[..., x.shape[-1] - after :]
    if mode == "constant":
        left[...], right[...] = _values(kwargs["constant_values"], x, ndim, axis, "constant_values")
    elif mode == "edge":
        left[...], right[...] = center[..., :1], center[..., -1:]
    elif mode == "linear_ramp":
        first, last = _values(kwargs["end_values"], x, ndim, axis, "end_values")
        left[...] = _ramp(center[..., :1], first, before)
        right[...] = usm.flip(_ramp(center[..., -1:], last, after), axis=-1)
    elif "stat_length" in kwargs:
        lengths = _pairs(kwargs["stat_length"], ndim, "stat_length")[axis]
        n = center.shape[-1]
        first, last = (
            n if one is None else min(natural(one, "pad", "stat_length"), n) for one in lengths
        )
        if first == last == n:
            left[...] = right[...] = _statistic(center, mode)
        else:
            if before:
                left[...] = _statistic(center[..., :first], mode)
            if after:
                right[...] = _statistic(center[..., n - last :], mode)
    else:
        odd = False
        if mode != "wrap":
            odd = require_one_of(kwargs["reflect_type"], ("even", "odd"), "pad", "reflect_type")
            odd = odd == "odd"
        for part, start in ((left, -before), (right, center.shape[-1])):
            if part.shape[-1]:
                part[...] = _extend(center, start, part.shape[-1], mode, odd)


def _ramp(edge: usm_ndarray, end: Any, count: int) -> usm_ndarray:
    """Return values from `end` towards the edge, without the edge."""
    work = usm.astype(edge, usm.result_type(edge, 0.0), copy=False)
    steps = usm.arange(count, dtype=work.dtype, **location(edge))
    values = steps * ((work - end) / max(count, 1)) + end
    return usm.floor(values) if edge.dtype.kind in "iu" else values


def _statistic(x: usm_ndarray, mode: str) -> usm_ndarray:
    if x.shape[-1] == 0:
        raise wrong_value(0, "pad", "stat_length", "1 or more")
    if mode in ("maximum", "minimum"):
        return (usm.max if mode == "maximum" else usm.min)(x, axis=-1, keepdims=True)
    values = (usm.mean if mode == "mean" else usm.median)(x, axis=-1, keepdims=True)
    return usm.round(values) if x.dtype.kind in "iu" else values


def _extend(x: usm_ndarray, start: int, count: int, mode: str, odd: bool) -> usm_ndarray:
    """Return the elements of the periodic extension of x from an index on."""
    n = x.shape[-1]
    doubled = 0 if mode == "reflect" else 1  # whether the edge comes twice
    if mode == "wrap" and count <= n:
        return x[..., :count] if start > 0 else x[..., n - count :]
    if mode != "wrap" and count < n + doubled and not odd:  # one mirror
        first = n + doubled - 1 - count if start > 0 else 1 - doubled
        return usm.flip(x[..., first : first + count], axis=-1)
    placement = location(x)
    at = numpy.arange(start, start + count)
    if mode == "wrap":
        return usm.take(x, usm.asarray(at % n, **placement), axis=-1)
    period = max(2 * (n - 1 + doubled), 1)
    # The last edge is mirrored on the left and the first edge on the right, so that with odd
    # reflection each element depends on only one mirror.
    shift = int(start > 0 and not doubled)
    turn, at = (at - shift) // period, (at - shift) % period + shift
    back = at >= n - 1 if start < 0 and not doubled else at > n - 1
    at = numpy.where(back, period - doubled - at, at) if n > 1 else 0 * at
    values = usm.take(x, usm.asarray(at, **placement), axis=-1)
    if not odd:
        return values
    # Each mirror is a point (edge, value), about which the extension is point-symmetric.
    signs = numpy.where(back, -1, 1)
    last = 2 * (turn + back)
    if n == 1 and not doubled:  # all mirrors are the same point
        signs, last, turn = numpy.ones_like(last), numpy.zeros_like(last), numpy.zeros_like(last)
    terms = values * usm.asarray(signs.astype(x.dtype), **placement)
    for edge, factors in ((x[..., :1], -2 * turn), (x[..., -1:], last)):
        if factors.any():
            terms = terms + edge * usm.asarray(factors.astype(x.dtype), **placement)
    return terms
