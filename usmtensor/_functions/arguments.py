"""Argument checks for functions that are composed of other functions."""

import functools
import math
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numpy
from numpy.exceptions import AxisError

from usmtensor._core.array import usm_ndarray
from usmtensor._functions.manipulation import permute_dims, reshape, stack
from usmtensor._runtime.arguments import integer, require, wrong_value

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


def named_in_errors(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Decorate a function: errors of the functions that it calls begin with its name."""
    name = function.__name__

    @functools.wraps(function)
    def call(*args: _Parameters.args, **keywords: _Parameters.kwargs) -> _Result:
        try:
            return function(*args, **keywords)
        except AxisError as error:
            is_named = str(error).startswith(f"{name}:")
            raise (error if is_named else AxisError(f"{name}: {error}")) from None
        except (
            IndexError,
            NotImplementedError,
            OverflowError,
            TypeError,
            ValueError,
        ) as error:
            if len(error.args) == 1 and not str(error).startswith((f"{name}:", f"{name}(")):
                error.args = (f"{name}: {error}",)
            raise

    return call


def require_array(value: Any, function: str, argument: str = "a") -> usm_ndarray:
    array: usm_ndarray = require(value, usm_ndarray, function, argument)
    return array


def stack_sequence(value: Any) -> Any:
    """Stack a sequence that has arrays to one array. Other values are unchanged."""
    has_arrays = isinstance(value, list | tuple) and any(isinstance(x, usm_ndarray) for x in value)
    return stack(value) if has_arrays else value


def host_values(value: Any) -> Any:
    """Return numbers, or nested sequences of numbers, with arrays as Python numbers and lists.

    Waits for the arrays.
    """
    if isinstance(value, list | tuple):
        return (list if isinstance(value, list) else tuple)(map(host_values, value))
    return value.tolist() if isinstance(value, usm_ndarray) else value


def require_one_of(value: Any, words: tuple[str, ...], function: str, argument: str) -> str:
    """Return a word if it is one of several."""
    if not isinstance(value, str) or value not in words:
        expected = f"{', '.join(map(repr, words[:-1]))} or {words[-1]!r}"
        raise wrong_value(value, function, argument, expected)
    return value


def axis_index(axis: Any, ndim: int, function: str, argument: str = "axis") -> int:
    """Return the non-negative index of an axis of an array of `ndim` dimensions."""
    index: int = integer(axis, function, argument)
    if not -ndim <= index < ndim:
        raise AxisError(max(min(index, 2**63), -(2**63)), ndim, f"{function}: {argument}")
    return index % ndim


def axis_indices(axis: Any, ndim: int, function: str, argument: str = "axis") -> tuple[int, ...]:
    """Return the non-negative indices of one or several different axes; None means all axes."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, list | tuple) else (axis,)
    found = tuple(axis_index(one, ndim, function, argument) for one in given)
    if len(set(found)) < len(found):
        raise wrong_value(axis, function, argument, "different axes")
    return found


def flat_or_axis(x: usm_ndarray, axis: Any, function: str) -> tuple[usm_ndarray, int]:
    """Return an array and the index of an axis. None flattens the array."""
    if axis is None:
        return reshape(x, x.size), 0
    return x, axis_index(axis, x.ndim, function)


def cast_operand(x: usm_ndarray, dtype: Any, casting: Any, function: str) -> Any:
    """Return an array in a type, if the casting rule allows it."""
    require_one_of(casting, CASTINGS, function, "casting")
    if not numpy.can_cast(x.dtype, dtype, casting):
        raise TypeError(
            f"{function}: an operand is of data type {x.dtype}, and casting is {casting!r}; "
            f"expected operands that cast to {dtype}"
        )
    return x.astype(dtype, copy=False)


def location(x: usm_ndarray) -> dict[str, Any]:
    """Return the keywords with which a creation function makes an array on the queue of `x`."""
    return {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}


def merge_axes_last(x: usm_ndarray, axes: tuple[int, ...]) -> usm_ndarray:
    """Merge some axes, in their order, to the last axis of an array."""
    kept = [k for k in range(x.ndim) if k not in axes]
    extents = (*(x.shape[k] for k in kept), math.prod(x.shape[k] for k in axes))
    return reshape(permute_dims(x, (*kept, *axes)), extents)
