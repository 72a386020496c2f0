"""The ufunc methods of binary elementwise functions: `reduce`, `accumulate`, `reduceat`, `outer`
and `at`."""

import math
from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._composed.choosing import copyto
from usmtensor._composed.host_ufuncs import accumulate_by_numpy, reduce_by_numpy
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays, colocate_all, copy_to_out
from usmtensor._functions.arguments import (
    CASTINGS,
    axis_index,
    axis_indices,
    cast_operand,
    location,
    require_one_of,
    stack_sequence,
)
from usmtensor._functions.statistics import combine_at
from usmtensor._runtime.arguments import require, wrong_type, wrong_value

# A reduction of a slice takes as long as the combination of some hundred elements by index.
_ELEMENTS_PER_SLICE = 512
# The reductions of functions, and their scans if there is a kernel.
_REDUCTIONS: dict[str, Any] = {
    "add": usm.sum,
    "multiply": usm.prod,
    "maximum": usm.max,
    "minimum": usm.min,
    "logical_and": usm.all,
    "logical_or": usm.any,
}
# Other associative functions, and their results without elements, as in NumPy.
_IDENTITIES: dict[str, Any] = {
    "bitwise_and": -1,
    "bitwise_or": 0,
    "bitwise_xor": 0,
    "fmax": None,
    "fmin": None,
    "gcd": 0,
    "hypot": 0,
    "lcm": None,
    "logaddexp": -numpy.inf,
    "logical_xor": False,
}
# The functions that round. The others have the same results from NumPy and from kernels.
_ROUNDED = ("hypot", "logaddexp")
_ASSOCIATIVE = (*_REDUCTIONS, *_IDENTITIES)
_SCANS: dict[str, Any] = {"add": usm.cumulative_sum, "multiply": usm.cumulative_prod}
# The functions that combine the values of an index, before the result is combined with the element.
_COMBINED = {name: name for name in _REDUCTIONS} | {"subtract": "add"}
# The functions whose kernels combine values in order, and equivalent functions for bools.
_IN_ORDER = ("add", "multiply", "maximum", "minimum")
_OF_BOOLS = {
    "add": "maximum",
    "logical_or": "maximum",
    "multiply": "minimum",
    "logical_and": "minimum",
}


def _require(function: Any, known: Any, method: str) -> str:
    name: str = function.__name__
    if name not in known:
        raise TypeError(f"{name}.{method}: expected one of the functions {', '.join(known)}")
    return name


def call(function: Any, given: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Call an elementwise function with the keywords `where`, `dtype` and `casting`."""
    name, count = function.__name__, function.nin
    keywords = dict(zip(("out", "order"), given[count:], strict=False)) | keywords
    out, where = keywords.pop("out", None), keywords.pop("where", True)
    dtype, casting = keywords.pop("dtype", None), keywords.pop("casting", None)
    if casting is not None:
        require_one_of(casting, CASTINGS, name, "casting")
    operands = list(given[:count])
    if dtype is not None:
        try:
            dtype = numpy.dtype(dtype)
        except (TypeError, ValueError, SyntaxError):
            raise wrong_type(dtype, name, "dtype", "a data type") from None
        if (
            out is None
            and where is True
            and isinstance(getattr(numpy, name, None), numpy.ufunc)
            and all(isinstance(x, complex | float | int | numpy.generic) for x in operands)
        ):
            return _of_numbers(name, operands, dtype, casting or "same_kind")
        # Functions whose results are bools accept all types.
        if any(types[-1] != "?" for types in function.types):
            arrays = (usm_ndarray, numpy.ndarray)
            operands = [
                cast_operand(x, dtype, casting or "same_kind", name) if isinstance(x, arrays) else x
                for x in operands
            ]
    result = function(*operands, **keywords)
    if dtype is not None and result.dtype != dtype:
        raise TypeError(f"{name}: the dtype {dtype} is not supported; expected {result.dtype}")
    where = True if where is None else where
    if out is None:
        return result if where is True else _with_mask(result, where, name)
    require(out, usm_ndarray, name, "out")
    casting = casting or "same_kind"
    if not numpy.can_cast(result.dtype, out.dtype, casting):
        raise TypeError(
            f"{name}: out has data type {out.dtype}; expected one to which {result.dtype} casts by "
            f"the rule {casting!r}"
        )
    try:
        copyto(out, result, casting, where)
    except (TypeError, ValueError) as error:
        error.args = (f"{name}: {error}",)
        raise
    return out


def _of_numbers(name: str, numbers: list[Any], dtype: Any, casting: str) -> Any:
    """Return NumPy's scalar for numbers that are converted to a type."""
    try:
        with numpy.errstate(all="ignore"):
            return getattr(numpy, name)(*numbers, dtype=dtype, casting=casting)
    except TypeError as error:  # a ufunc's error has its own text
        raise TypeError(f"{name}: {error}") from None
    except OverflowError as error:
        raise OverflowError(f"{name}: {error}") from None


def _with_mask(result: usm_ndarray, where: Any, name: str) -> usm_ndarray:
    """Return a new result. Elements where the mask is false are undefined."""
    mask = colocate_all((result, where), name, ("x", "where"))[1]
    if mask.dtype != bool:
        raise TypeError(f"{name}: where is of data type {mask.dtype}; expected bool")
    try:
        shape = usm.broadcast_shapes(result.shape, mask.shape)
    except ValueError as error:
        raise ValueError(f"{name}: where: {error}") from None
    return result if shape == result.shape else usm.copy(usm.broadcast_to(result, shape))


def reduce(
    function: Any,
    x: Any,
    axis: Any,
    dtype: Any,
    out: Any,
    keepdims: bool,
    initial: Any,
    where: Any,
) -> usm_ndarray:
    name = _require(function, _ASSOCIATIVE, "reduce")
    x = stack_sequence(x)
    require(x, usm_ndarray, f"{name}.reduce", "array")
    if name in _IDENTITIES:
        x = x if dtype is None else usm.astype(x, dtype, copy=False)
        result = _reduce_associative(function, x, axis, keepdims, initial, where)
        return copy_to_out(result, out, f"{name}.reduce")
    keywords = {"initial": initial, "where": where, "dtype": dtype}
    given = {one: value for one, value in keywords.items() if value is not None}
    if "dtype" in given and name not in _SCANS:
        x = usm.astype(x, given.pop("dtype"), copy=False)
    if "initial" in given and name.startswith("logical"):
        result = _REDUCTIONS[name](x, axis, keepdims=keepdims, where=where)
        return function(result, bool(initial), out=out)
    return _REDUCTIONS[name](x, axis, out=out, keepdims=keepdims, **given)


def _reduce_associative(
    function: Any, x: usm_ndarray, axis: Any, keepdims: bool, initial: Any, where: Any
) -> usm_ndarray:
    """Reduce with an associative function."""
    name = f"{function.__name__}.reduce"
    axes = axis_indices(axis, x.ndim, name)
    identity = _IDENTITIES[function.__name__]
    x = _in_result_type(function, x)
    if identity is not None:
        identity = ~x.dtype.type(0) if identity == -1 else x.dtype.type(identity)
    start = identity if initial is None else initial
    if where is not None:
        # The functions without an identity have x as the result for x and x.
        fill = start if identity is None else identity
        if fill is None:
            raise ValueError(f"{name}: where is given; expected initial, too")
        x = usm.where(where, x, fill)
    rest = tuple(extent for k, extent in enumerate(x.shape) if k not in axes)
    count = math.prod(x.shape[k] for k in axes)
    lines = usm.reshape(usm.moveaxis(x, axes, tuple(range(len(axes)))), (count, *rest))
    if count == 0:
        if start is None:
            raise ValueError(f"{name}: array has shape {x.shape}; expected an element or initial")
        result = usm.full(rest, start, dtype=x.dtype, **location(x))
    else:
        result = None
        if function.__name__ not in _ROUNDED:
            result = reduce_by_numpy(getattr(numpy, function.__name__), lines, (0,), False)
        if result is None:
            result = _combine_pairs(function, lines)
        if start is not None:
            result = function(result, start)  # gcd of one element is its absolute value
    return usm.expand_dims(result, axes) if keepdims else result


def _in_result_type(function: Any, x: usm_ndarray) -> usm_ndarray:
    """Convert an array to the type of function(x, x)."""
    sample = x[..., :0] if x.ndim else x
    return usm.astype(x, function(sample, sample).dtype, copy=False)


def _combine_pairs(function: Any, lines: usm_ndarray) -> usm_ndarray:
    """Reduce along the first axis to a new array. Each step halves the number of elements."""
    if lines.shape[0] == 1:
        return usm.copy(lines[0])
    while (n := lines.shape[0]) > 1:
        pairs = function(lines[: n // 2], lines[n // 2 : n // 2 * 2])
        if n % 2:
            pairs[0] = function(pairs[0], lines[-1])
        lines = pairs
    return lines[0]


def accumulate(function: Any, x: usm_ndarray, axis: Any, dtype: Any, out: Any) -> usm_ndarray:
    name = _require(function, _ASSOCIATIVE, "accumulate")
    require(x, usm_ndarray, f"{name}.accumulate", "array")
    if name in _SCANS:
        return _SCANS[name](x, axis=axis, dtype=dtype, out=out)
    if dtype is not None:
        x = usm.astype(x, dtype, copy=False)
    index = axis_index(axis, x.ndim, f"{name}.accumulate")
    x = _in_result_type(function, x)
    result = None
    if name not in _ROUNDED:
        result = accumulate_by_numpy(getattr(numpy, name), x, index)
    if result is None:
        result = usm.moveaxis(_scanned(function, usm.moveaxis(x, index, -1)), -1, index)
    return _finish(result, out, f"{name}.accumulate")


def _finish(result: usm_ndarray, out: Any, name: str) -> usm_ndarray:
    """Return a contiguous result, or copy it to `out`."""
    return usm.asarray(result, order="C") if out is None else copy_to_out(result, out, name)


def _scanned(function: Any, x: usm_ndarray, starts: usm_ndarray | None = None) -> usm_ndarray:
    """Scan with a function along the last axis. Each step doubles the terms of each element.

    `starts` has non-decreasing numbers of runs. The scan restarts where the number changes.
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
    x1, x2 = as_arrays(f"{function.__name__}.outer", {"x1": x1, "x2": x2})
    return function(usm.reshape(x1, x1.shape + (1,) * x2.ndim), x2)


def reduceat(
    function: Any, x: usm_ndarray, indices: Any, axis: Any, dtype: Any, out: Any
) -> usm_ndarray:
    name = f"{_require(function, _REDUCTIONS, 'reduceat')}.reduceat"
    line = usm.moveaxis(require(x, usm_ndarray, name, "array"), axis, 0)
    placement = location(x)
    starts = usm.asnumpy(indices) if isinstance(indices, usm_ndarray) else numpy.asarray(indices)
    if starts.dtype.kind not in "iu" and starts.size:
        raise wrong_type(indices, name, "indices", "integers")
    if starts.ndim != 1:
        raise wrong_value(starts.ndim, name, "indices.ndim", "1")
    count = line.shape[0]
    if starts.size and not (starts.min() >= 0 and starts.max() < count):
        raise IndexError(
            f"{name}: an element of indices is out of range; expected 0 to {count - 1}"
        )
    starts = starts.astype(numpy.int64)
    # Take the first element of each slice, and then combine the others.
    if dtype is None:
        dtype = reduce(function, line[:0], 0, None, None, False, True, None).dtype
    line = usm.astype(line, dtype, copy=False)
    others = numpy.maximum(numpy.append(starts[1:], count) - starts - 1, 0)
    if starts.size * _ELEMENTS_PER_SLICE <= count:
        shape = (starts.size, *line.shape[1:])
        result = usm.empty(shape, dtype=dtype, **placement)
        for k, (start, more) in enumerate(zip(starts.tolist(), others.tolist(), strict=True)):
            reduce(function, line[start : start + 1 + more], 0, dtype, result[k], False, None, None)
        return _finish(usm.moveaxis(result, 0, axis), out, name)
    result = usm.take(line, usm.asarray(starts, **placement), axis=0)
    first = starts + 1 - (numpy.cumsum(others) - others)
    repeats = usm.asarray(others, **placement)
    sources = usm.repeat(usm.asarray(first, **placement), repeats)
    sources += usm.arange(sources.size, **placement)
    slices = usm.repeat(usm.arange(starts.size, **placement), repeats)
    at(function, result, slices, usm.take(line, sources, axis=0))
    return _finish(usm.moveaxis(result, 0, axis), out, name)


def at(function: Any, x: usm_ndarray, indices: Any, values: Any) -> None:
    name = _require(function, _COMBINED, "at")
    where = f"{name}.at"
    require(x, usm_ndarray, where, "array")
    placement = location(x)
    if isinstance(values, list | tuple):
        values = numpy.asarray(values)
    if not isinstance(values, (usm_ndarray, numpy.ndarray, numpy.generic, int, float, complex)):
        raise wrong_type(values, where, "values", "an array or a number")
    kind = getattr(values, "dtype", None)
    # Integers wrap, so these functions may convert them first.
    wraps = name in ("add", "multiply", "subtract") and x.dtype.kind in "iu"
    if kind is not None and not (
        numpy.can_cast(kind, x.dtype, "same_kind") or (wraps and kind.kind in "iu")
    ):
        raise TypeError(f"{where}: values are of {kind}, which an array of {x.dtype} does not take")
    if not x.flags.writable:
        raise ValueError(f"{where}: array is read-only")
    # Indices in C order, for any kind of index.
    positions = usm.reshape(usm.arange(x.size, **placement), x.shape)[indices]
    values = usm.asarray(values, dtype=x.dtype, **placement)
    try:
        values = usm.broadcast_to(values, positions.shape)
    except ValueError as error:
        raise ValueError(f"{where}: values: {error}") from None
    positions, values = usm.reshape(positions, (-1,)), usm.reshape(values, (-1,))
    if positions.size == 0:
        return
    flat = usm.reshape(x, (-1,))  # a copy for some strides
    if not _combine(name, flat, positions, values):
        _combine_sorted(function, flat, positions, values)
    if not x.flags.c_contiguous:
        x[...] = usm.reshape(flat, x.shape)


def _combine(name: str, flat: usm_ndarray, positions: usm_ndarray, values: usm_ndarray) -> bool:
    """Combine the values in order. Return False if there is no kernel for it."""
    is_bool = flat.dtype == bool
    if name == "subtract" and not is_bool:
        name, values = "add", usm.negative(values)
    name = _OF_BOOLS.get(name, name) if is_bool else name
    return name in _IN_ORDER and combine_at(name, flat, positions, values)


def _combine_sorted(
    function: Any, flat: usm_ndarray, positions: usm_ndarray, values: usm_ndarray
) -> None:
    """Combine the values of each index, and then the result with the element."""
    name = function.__name__
    order = usm.argsort(positions)  # stable
    positions, values = positions[order], values[order]
    if name.startswith("logical"):
        values = usm.astype(values, bool)
    values = _scanned(getattr(usm, _COMBINED[name]), values, positions)
    is_last = positions[1:] != positions[:-1]
    last = usm.concat([is_last, usm.ones_like(positions[:1], dtype=bool)])
    positions, values = positions[last], values[last]
    flat[positions] = function(flat[positions], values)
