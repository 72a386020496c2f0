"""NumPy's ufuncs on arrays: `usm_ndarray.__array_ufunc__`."""

import inspect
import re
from functools import cache
from typing import Any

import numpy

from usmtensor._core import hints as _hints
from usmtensor._core.array import bodies, usm_ndarray
from usmtensor._core.operands import is_of_other_type
from usmtensor._functions.arguments import location
from usmtensor._functions.creation import asarray

# The functions that replace ufuncs, by ufunc; filled at the first call.
simple: dict[numpy.ufunc, Any] = {}

# Ufuncs that compare objects of any class.
_EQUALITIES = {numpy.equal, numpy.not_equal}


@cache
def _functions():
    """Return the usmtensor functions with the name of a NumPy ufunc, by ufunc.

    Ufuncs of other packages with such a name may do something else.
    """
    namespace = bodies.namespace
    functions = {
        ufunc: getattr(namespace, name)
        for name, ufunc in vars(numpy).items()
        if isinstance(ufunc, numpy.ufunc) and name in namespace.__all__
    }
    simple.update((key, value) for key, value in functions.items() if key not in _EQUALITIES)
    return functions


def no_function(name):
    """Return the error for a NumPy function that usmtensor does not have."""
    parts = re.split("[ .]", name)
    hints = {} if parts[1] in ("linalg", "fft") else _hints.FUNCTIONS | _hints.UFUNCS
    hint = hints.get(parts[-1])
    instead = f"write {hint}, or use" if hint else "use"
    return TypeError(
        f"{name}: usmtensor has no such function, and never copies arrays to the host silently: "
        f"{instead} usmtensor.asnumpy()"
    )


def require_out(name, out):
    """Raise a TypeError if `out` is on the host."""
    if not isinstance(out, (usm_ndarray, type(None))):
        raise TypeError(
            f"{name}: out is of type {type(out).__name__}; expected usm_ndarray (for a result on "
            "the host use usmtensor.asnumpy())"
        )


def apply(ufunc, method, inputs, keywords):
    """Implement usm_ndarray.__array_ufunc__."""
    function = _functions().get(ufunc)
    name = f"the ufunc {ufunc.__name__}"
    if method != "__call__":
        name += f".{method}"
    if ufunc is numpy.divmod and method == "__call__" and not keywords:
        x, y = inputs
        return x // y, x % y
    if method in ("accumulate", "at", "outer", "reduce", "reduceat") and hasattr(function, method):
        if "out" in keywords:
            keywords["out"] = keywords["out"][0]
            require_out(name, keywords["out"])
        return getattr(function, method)(*inputs, **_known(keywords))
    if function is None or method != "__call__":
        raise no_function(name)
    if unknown := keywords.keys() - _parameters(function):
        raise TypeError(f"{name}: the keyword {min(unknown)} is not supported")
    out = keywords.pop("out", (None,))
    for result in out:
        require_out(name, result)
    if ufunc in _EQUALITIES and any(map(is_of_other_type, inputs)):
        return ufunc is numpy.not_equal  # as Python compares unrelated objects
    if any(result is not None for result in out):
        keywords["out"] = out[0] if len(out) == 1 else out
    target = next((result for result in out if result is not None), None)
    if target is not None and not any(isinstance(operand, usm_ndarray) for operand in inputs):
        inputs = [_colocate(target, operand) for operand in inputs]
    return function(*inputs, **keywords)


def _known(keywords):
    """Return keywords without those that have NumPy's default value."""
    return {
        name: value
        for name, value in keywords.items()
        if value is not numpy._NoValue and not (name == "where" and value is True)
    }


def _colocate(target, operand):
    """Copy a NumPy array to the queue of a usm_ndarray. Other operands are unchanged."""
    if type(operand) is not numpy.ndarray:
        return operand
    return asarray(operand, **location(target))


@cache
def _parameters(function):
    return inspect.signature(function).parameters.keys()
