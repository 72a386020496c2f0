"""The methods of the elementwise functions of two arrays: `reduce`, `accumulate`, `outer`, `at`."""

from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import arrays_together, copy_to_out
from usmtensor._runtime.arguments import require, wrong_type

# The reductions of functions, and their scans where there is a kernel.
_REDUCTIONS: dict[str, Any] = {
    "add": usm.sum,
    "multiply": usm.prod,
    "maximum": usm.max,
    "minimum": usm.min,
    "logical_and": usm.all,
    "logical_or": usm.any,
}
_SCANS: dict[str, Any] = {"add": usm.cumulative_sum, "multiply": usm.cumulative_prod}
# The function that combines the values of one index before they meet the element.
_COMBINED = {name: name for name in _REDUCTIONS} | {"subtract": "add"}


def _require(function: Any, known: Any, method: str) -> str:
    name: str = function.__name__
    if name not in known:
        raise TypeError(f"{name}.{method}: expected one of the functions {', '.join(known)}")
    return name


def reduce(
    function: Any,
    x: usm_ndarray,
    axis: Any,
    dtype: Any,
    out: Any,
    keepdims: bool,
    initial: Any,
    where: Any,
) -> usm_ndarray:
    name = _require(function, _REDUCTIONS, "reduce")
    require(x, usm_ndarray, f"{name}.reduce", "array")
    keywords = {"initial": initial, "where": where, "dtype": dtype}
    given = {one: value for one, value in keywords.items() if value is not None}
    if "dtype" in given and name not in _SCANS:
        x = usm.astype(x, given.pop("dtype"), copy=False)
    if "initial" in given and name.startswith("logical"):
        result = _REDUCTIONS[name](x, axis, keepdims=keepdims, where=where)
        return function(result, bool(initial), out=out)
    return _REDUCTIONS[name](x, axis, out=out, keepdims=keepdims, **given)


def accumulate(function: Any, x: usm_ndarray, axis: Any, dtype: Any, out: Any) -> usm_ndarray:
    name = _require(function, _REDUCTIONS, "accumulate")
    require(x, usm_ndarray, f"{name}.accumulate", "array")
    if name in _SCANS:
        return _SCANS[name](x, axis=axis, dtype=dtype, out=out)
    if dtype is not None:
        x = usm.astype(x, dtype, copy=False)
    if name.startswith("logical"):
        x = usm.astype(x, bool, copy=False)
    line = usm.moveaxis(x, axis, -1)
    result = usm.moveaxis(_scanned(function, line), -1, axis)
    return result if out is None else copy_to_out(result, out, f"{name}.accumulate")


def _scanned(function: Any, x: usm_ndarray, starts: usm_ndarray | None = None) -> usm_ndarray:
    """The scan of a function along the last axis; each step doubles the terms of each element.

    With `starts`, numbers of runs that never fall, the scan begins anew where the number changes.
    """
    result, shift = usm.copy(x), 1
    while shift < x.shape[-1]:
        found = function(result[..., shift:], result[..., :-shift])
        if starts is not None:
            same = starts[shift:] == starts[:-shift]
            if not usm.any(same):  # waits
                break
            found = usm.where(same, found, result[..., shift:])
        result[..., shift:] = found
        shift *= 2
    return result


def outer(function: Any, x1: Any, x2: Any) -> usm_ndarray:
    name = f"{function.__name__}.outer"
    x1, x2 = arrays_together((x1, x2), name, ("x1", "x2"))
    return function(usm.reshape(x1, x1.shape + (1,) * x2.ndim), x2)


def at(function: Any, x: usm_ndarray, indices: Any, values: Any) -> None:
    name = _require(function, _COMBINED, "at")
    where = f"{name}.at"
    require(x, usm_ndarray, where, "array")
    place = {"usm_type": x.usm_type, "sycl_queue": x.sycl_queue}
    if not isinstance(values, (usm_ndarray, numpy.ndarray, numpy.generic, int, float, complex)):
        raise wrong_type(values, where, "values", "an array or a number")
    kind = getattr(values, "dtype", None)
    if kind is not None and not numpy.can_cast(kind, x.dtype, "same_kind"):
        raise TypeError(f"{where}: values are of {kind}, which an array of {x.dtype} does not take")
    if not x.flags.writable:
        raise ValueError(f"{where}: array is read-only")
    # Positions in C order for any kind of index.
    positions = usm.reshape(usm.arange(x.size, **place), x.shape)[indices]
    values = usm.broadcast_to(usm.asarray(values, dtype=x.dtype, **place), positions.shape)
    positions, values = usm.reshape(positions, (-1,)), usm.reshape(values, (-1,))
    if positions.size == 0:
        return
    order = usm.argsort(positions)  # stable
    positions, values = positions[order], values[order]
    combine = getattr(usm, _COMBINED[name])
    if name.startswith("logical"):
        values = usm.astype(values, bool)
    values = _scanned(combine, values, positions)
    last = usm.concat([positions[1:] != positions[:-1], usm.ones(1, dtype=bool, **place)])
    positions, values = positions[last], values[last]
    flat = usm.reshape(x, (-1,))  # a copy of some views
    flat[positions] = function(flat[positions], values)
    if not x.flags.c_contiguous:
        x[...] = usm.reshape(flat, x.shape)
