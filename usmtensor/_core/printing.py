"""Text of arrays in NumPy's layout, with separate options.

NumPy formats the text. This module copies the elements to the host. If an array is larger than the
threshold, it copies only the corners that the text shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from usmtensor._core.array import usm_ndarray
from usmtensor._core.copy import asnumpy
from usmtensor._runtime.arguments import natural, require, wrong_value

__all__ = ["get_print_options", "print_options", "set_print_options"]
__all__ += ["usm_ndarray_repr", "usm_ndarray_str"]

_DEFAULTS = {"linewidth": 75, "edgeitems": 3, "threshold": 1000, "precision": 8}
_DEFAULTS |= {"floatmode": "maxprec", "suppress": False, "nanstr": "nan", "infstr": "inf"}
_DEFAULTS |= {"sign": "-"}
_ALIASES = {"line_width": "linewidth", "edge_items": "edgeitems"}
_IMPLIED_DTYPES = frozenset(map(np.dtype, (np.bool_, np.int64, np.float64, np.complex128)))

_FloatMode: TypeAlias = Literal["fixed", "unique", "maxprec", "maxprec_equal"]
_Sign: TypeAlias = Literal["-", "+", " "]
_WORDS = {"floatmode": get_args(_FloatMode), "sign": get_args(_Sign)}

_options = ContextVar("usmtensor_print_options", default=MappingProxyType(_DEFAULTS))


def _checked(function, name, value):
    if name in _WORDS:
        if not isinstance(value, str) or value not in _WORDS[name]:
            raise wrong_value(value, function, name, f"one of {_WORDS[name]}")
        return value
    kind = type(_DEFAULTS.get(name, False))
    if kind is int:
        return natural(value, function, name)
    if kind is str:
        return require(value, str, function, name)
    return bool(require(value, (np.bool_, int), function, name, "bool"))


def _merged(function, arguments):
    """Return the current options, or NumPy's if `numpy` is true, updated by the given arguments."""
    result = dict(_options.get())
    if _checked(function, "numpy", arguments.get("numpy", False)):
        current = np.get_printoptions()
        result = {name: current[name] for name in _DEFAULTS}
        if result["sign"] not in _WORDS["sign"]:  # NumPy's "legacy"
            result["sign"] = _DEFAULTS["sign"]
    for argument, value in arguments.items():
        name = _ALIASES.get(argument, argument)
        if name in _DEFAULTS and value is not None:
            result[name] = _checked(function, name, value)
    return result


def set_print_options(
    linewidth: int | None = None,
    edgeitems: int | None = None,
    threshold: int | None = None,
    precision: int | None = None,
    floatmode: _FloatMode | None = None,
    suppress: bool | None = None,
    nanstr: str | None = None,
    infstr: str | None = None,
    sign: _Sign | None = None,
    numpy: bool = False,
) -> None:
    """Set print options for arrays in the current thread or asynchronous context.

    Options that are None keep their values.

    Parameters
    ----------
    linewidth : int, optional
        The number of characters in a line. Initially 75.
    edgeitems : int, optional
        The number of elements shown at each end of an axis of a summarised array. Initially 3.
    threshold : int, optional
        Arrays with more elements than this are summarised. Initially 1000.
    precision : int, optional
        The number of digits after the decimal point. Initially 8.
    floatmode : {"fixed", "unique", "maxprec", "maxprec_equal"}, optional
        The meaning of `precision`, as in `numpy.set_printoptions`. Initially "maxprec".
    suppress : bool, optional
        If True, small numbers are printed in fixed-point notation. Initially False.
    nanstr, infstr : str, optional
        The text for not-a-number and infinity. Initially "nan" and "inf".
    sign : {"-", "+", " "}, optional
        The sign of positive numbers: none, a plus or a space. Initially "-".
    numpy : bool, optional
        If True, start from NumPy's current options instead of usmtensor's.

    Raises
    ------
    TypeError
        If an option has a wrong type.
    ValueError
        If `floatmode` or `sign` is not one of its words, or a number is negative.

    Notes
    -----
    Source: dpctl.tensor; the options have the meanings of `numpy.set_printoptions`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.set_print_options(precision=3)
    >>> usm.asarray([0.123456, 1.0])
    usm_ndarray([0.123, 1.   ])
    >>> usm.set_print_options(precision=8)
    """
    _options.set(MappingProxyType(_merged("set_print_options", locals())))


def get_print_options() -> dict[str, Any]:
    """Return the current print options.

    Returns
    -------
    dict
        A copy of the options, by the parameter names of `set_print_options`.

    Notes
    -----
    Source: dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.get_print_options()["precision"]
    8
    """
    return dict(_options.get())


@contextmanager
def print_options(*args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
    """Set print options for the body of a `with` statement.

    Parameters
    ----------
    *args, **kwargs
        As in `set_print_options`.

    Yields
    ------
    dict
        A copy of the current options.

    Raises
    ------
    TypeError, ValueError
        As from `set_print_options`.

    Notes
    -----
    Source: dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> with usm.print_options(precision=2):
    ...     print(usm.asarray([0.12345]))
    ...
    [0.12]
    """
    before = _options.get()
    set_print_options(*args, **kwargs)
    try:
        yield get_print_options()
    finally:
        _options.set(before)


def _corners(x, edgeitems, axis=0):
    """Copy the corners of `x` that a summary shows to the host, with one more element per axis."""
    if axis == x.ndim:
        return asnumpy(x)
    if x.shape[axis] <= 2 * edgeitems + 1:
        return _corners(x, edgeitems, axis + 1)
    before = (slice(None),) * axis
    # One element more than the summary shows, so that NumPy still summarises.
    ends = slice(None, edgeitems), slice(-edgeitems - 1, None)
    return np.concatenate([_corners(x[(*before, end)], edgeitems, axis + 1) for end in ends], axis)


def _text(function, x, options, separator, prefix, suffix):
    require(x, usm_ndarray, function, "x")
    for name, value in (("separator", separator), ("prefix", prefix), ("suffix", suffix)):
        require(value, str, function, name)
    if x.size > options["threshold"]:
        host = _corners(x, options["edgeitems"])
        options = options | {"threshold": 0}
    else:
        host = asnumpy(x)
    with np.printoptions(**options, legacy=False):
        return np.array2string(host, separator=separator, prefix=prefix, suffix=suffix)


def usm_ndarray_str(
    x: usm_ndarray,
    line_width: int | None = None,
    edge_items: int | None = None,
    threshold: int | None = None,
    precision: int | None = None,
    floatmode: _FloatMode | None = None,
    suppress: bool | None = None,
    sign: _Sign | None = None,
    numpy: bool = False,
    separator: str = " ",
    prefix: str = "",
    suffix: str = "",
) -> str:
    """Return the elements of an array as text, in the layout of `numpy.array2string`.

    Parameters
    ----------
    x : usm_ndarray
        An array of any shape and dtype.
    line_width, edge_items, threshold, precision, floatmode, suppress, sign, numpy : optional
        As in `set_print_options`, for this call only.
    separator : str, optional
        Text between elements.
    prefix, suffix : str, optional
        Text that the caller puts around the result. It is not part of the result, but its length
        affects line breaks.

    Returns
    -------
    str
        The text.

    Raises
    ------
    TypeError
        If `x` is not a usm_ndarray or an option has a wrong type.
    ValueError
        If `floatmode` or `sign` is not one of its words, or a number is negative.

    Notes
    -----
    Waits for pending work on `x`. Source: dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.usm_ndarray_str(usm.asarray([1.0, 0.25]), precision=1)
    '[1.  0.2]'
    """
    options = _merged("usm_ndarray_str", locals())
    return _text("usm_ndarray_str", x, options, separator, prefix, suffix)


def usm_ndarray_repr(
    x: usm_ndarray,
    line_width: int | None = None,
    precision: int | None = None,
    suppress: bool | None = None,
    prefix: str = "usm_ndarray",
) -> str:
    """Return an array as text with its class, and its shape and dtype if they are not obvious.

    Parameters
    ----------
    x : usm_ndarray
        An array of any shape and dtype.
    line_width, precision, suppress : optional
        As in `set_print_options`, for this call only.
    prefix : str, optional
        The name of the class.

    Returns
    -------
    str
        Such as ``usm_ndarray([1, 2], dtype=int8)``. The text has no dtype if it is bool, int64,
        float64 or complex128. It has a shape only if the array is summarised or has no elements.

    Raises
    ------
    TypeError
        If `x` is not a usm_ndarray or an option has a wrong type.
    ValueError
        If a number is negative.

    Notes
    -----
    Waits for pending work on `x`. Source: dpctl.tensor; the layout is that of `numpy.array_repr`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.usm_ndarray_repr(usm.asarray([1.0, 0.25]), precision=1)
    'usm_ndarray([1. , 0.2])'
    """
    function = "usm_ndarray_repr"
    options = _merged(function, locals())
    start = require(prefix, str, function, "prefix") + "("
    text = start + _text(function, x, options, ", ", start, ")")

    extras = []
    if (x.size == 0 and x.shape != (0,)) or x.size > options["threshold"]:
        extras.append(f"shape={x.shape}")
    if x.size == 0 or x.dtype not in _IMPLIED_DTYPES:
        extras.append(f"dtype={x.dtype.name}")
    if not extras:
        return text + ")"
    text += ","
    tail = ", ".join(extras) + ")"
    last_line = text[text.rfind("\n") + 1 :]
    fits = len(last_line) + 1 + len(tail) <= options["linewidth"]
    return text + (" " if fits else "\n" + " " * len(start)) + tail
