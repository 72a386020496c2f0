"""NumPy functions other than ufuncs on arrays: `usm_ndarray.__array_function__`.

A NumPy function calls the usmtensor function with its name, for all USM kinds. Arrays are never
silently copied to the host.
"""

import inspect
import threading
from functools import cache, partial
from operator import attrgetter
from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._composed.shapes import sliding_window_view
from usmtensor._core.array import bodies
from usmtensor._numpy import functions as _functions
from usmtensor._numpy import ufunc as _ufunc

# usmtensor functions that differ from the NumPy function of the same name. For other functions, a
# parameter that usmtensor does not have is refused unless it has its default value.
_DIFFERENT = {"astype", "can_cast", "place", "put", "put_along_axis"}
_OTHER_PARAMETERS = {"ddof": "correction"}
# The parameters of C functions, which had no signature before NumPy 2.4.
_WITHOUT_SIGNATURE = {
    "concatenate": ("arrays", "axis", "out", "dtype", "casting"),
    "bincount": ("x", "weights", "minlength"),
    "empty_like": ("prototype", "dtype", "order", "subok", "shape"),
}
# Functions that make an array on the queue of the keyword `like`.
_LIKE = {numpy.array, numpy.asarray, numpy.asanyarray}
# For some parameters that usmtensor does not have, the first argument is changed instead.
_INSTEAD = {
    "dtype": lambda x, dtype: (
        [usm.astype(one, dtype, copy=False) for one in x]
        if isinstance(x, list | tuple)
        else usm.astype(x, dtype, copy=False)
    ),
    "shape": lambda x, shape: usm.empty(
        shape, dtype=x.dtype, usm_type=x.usm_type, sycl_queue=x.sycl_queue
    ),
}


class _Equal:
    """A usmtensor function called with NumPy's arguments."""

    def __init__(self, name: str, function: Any):
        self.name = name
        self.function = function
        self.names = [one for one in _parameters(name) if one != "device"]
        own = inspect.signature(function).parameters
        self.known = set(own)
        kinds = {one.kind for one in own.values()}
        # A function of *args has NumPy's parameters.
        self.takes_all = bool(
            {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD} & kinds
        )
        self.by_place = sum(
            one.kind is one.POSITIONAL_ONLY
            or (one.kind is one.POSITIONAL_OR_KEYWORD and one.default is one.empty)
            for one in own.values()
        )

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if self.takes_all or (not keywords and len(args) <= self.by_place):
            return self.function(*args, **keywords)
        if len(args) > len(self.names):
            raise TypeError(f"numpy.{self.name}: {len(args)} arguments; expected {len(self.names)}")
        given = _without_defaults(self.name, dict(zip(self.names, args, strict=False))) | keywords
        positional = []
        for one in self.names[: self.by_place]:
            if one not in given:
                break
            positional.append(given.pop(one))
        named = {}
        for name, value in given.items():
            own = _OTHER_PARAMETERS.get(name, name)
            if name in self.names and own in self.known:
                named[own] = value
            elif name in self.names and name in _INSTEAD:
                positional[0] = _INSTEAD[name](positional[0], value)
            else:
                raise TypeError(f"numpy.{self.name}: the keyword {name} is not supported")
        return self.function(*positional, **named)


@cache
def _parameters(name: str) -> dict[str, Any]:
    """Return the parameters of a NumPy function with their default values."""
    function = attrgetter(name)(numpy)
    try:
        parameters = inspect.signature(function).parameters
    except ValueError:
        return dict.fromkeys(_WITHOUT_SIGNATURE.get(function.__name__, ()), inspect.Parameter.empty)
    return {one.name: one.default for one in parameters.values()}


def _without_defaults(name: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return arguments by name, without arguments that have their default value."""
    defaults = _parameters(name)
    return {
        one: value
        for one, value in given.items()
        if value is not numpy._NoValue
        and not (one == "subok" or (one == "where" and value is True))
        and not (one in defaults and type(value) is type(defaults[one]) and value == defaults[one])
    }


_lock, _made = threading.Lock(), dict[Any, Any]()


def functions() -> dict[Any, Any]:
    """Return the replacements of NumPy functions as a dict by function, which the first call makes.

    In two threads at the same time, `inspect.signature` fails in CPython before 3.11.8.
    """
    if not _made:
        with _lock:
            if not _made:
                _made.update(_table())
    return _made


def _table() -> dict[Any, Any]:
    equals: dict[Any, Any] = {}
    for module in ("", "fft", "linalg"):
        numpy_module, own = (
            getattr(package, module, package) for package in (numpy, bodies.namespace)
        )
        for name, function in list(vars(numpy_module).items()):
            known = isinstance(function, type(numpy.sum)) and name in {*own.__all__} - _DIFFERENT
            if known and getattr(own, name) is not function:  # some names are NumPy's functions
                equals[function] = _Equal(f"{module}.{name}".strip("."), getattr(own, name))
    windows = "lib.stride_tricks.sliding_window_view"
    equals[attrgetter(windows)(numpy)] = _Equal(windows, sliding_window_view)
    for name, function in vars(_functions).items():
        if getattr(function, "__module__", "") == _functions.__name__ and name[0] != "_":
            equals[getattr(numpy, name)] = function
            _parameters(name)
    return equals


def apply(
    function: Any, arguments: tuple[Any, ...], keywords: dict[str, Any], like: Any = None
) -> Any:
    """Implement usm_ndarray.__array_function__ for the array `like`."""
    equal = functions().get(function)
    if equal is not None and function in _LIKE:
        equal = None if like is None else partial(equal, like)
    if equal is not None and not keywords:
        return equal(*arguments)
    name = f"{function.__module__}.{function.__name__}"
    if equal is None and function.__name__ in _DIFFERENT:
        raise TypeError(
            f"{name}: usmtensor.{function.__name__} has other parameters or results: call it"
        )
    if equal is None:
        raise _ufunc.no_function(name)
    _ufunc.require_out(name, keywords.get("out"))
    return equal(*arguments, **_without_defaults(name.removeprefix("numpy."), keywords))
