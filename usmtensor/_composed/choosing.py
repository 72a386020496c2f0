"""Choose elements from several arrays, or by conditions."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy

import usmtensor._functions as usm
from usmtensor._composed.shapes import resize
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays, copy_to_out
from usmtensor._core.typing import ArrayOperand, Axis, Out
from usmtensor._functions.arguments import (
    flat_or_axis,
    location,
    named_in_errors,
    require_array,
    require_one_of,
)
from usmtensor._runtime.arguments import require, short_repr, wrong_value

__all__ = ["choose", "compress", "copyto", "piecewise", "putmask", "select"]


@named_in_errors
def choose(
    a: ArrayOperand, choices: Any, out: Out = None, mode: Literal["raise", "wrap", "clip"] = "raise"
) -> usm_ndarray:
    """Choose each element from the array that an array of indices selects.

    Parameters
    ----------
    a : usm_ndarray or numpy.ndarray
        An array of integers.
    choices : sequence of usm_ndarray, numpy.ndarray or number, or usm_ndarray
        Arrays that broadcast with `a`, or one array with the choices along its first axis.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap the
        inputs.
    mode : {"raise", "wrap", "clip"}
        The treatment of indices out of range. "raise" waits and raises, "wrap" takes the remainder,
        "clip" takes the nearest index.

    Returns
    -------
    usm_ndarray
        An array of the type that the choices promote to.

    Raises
    ------
    TypeError
        If `a` is not an array of integers.
    ValueError
        If an index is out of range; if there are no choices; or if the shapes do not broadcast.

    Notes
    -----
    Compatible with numpy.choose.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.choose(usm.asarray([0, 1, 0]), [usm.asarray([1, 2, 3]), 7])
    usm_ndarray([1, 7, 3])
    """
    require_one_of(mode, ("raise", "wrap", "clip"), "choose", "mode")
    given = usm.unstack(choices) if isinstance(choices, usm_ndarray) else choices
    require(given, (list, tuple), "choose", "choices", "a sequence of arrays")
    if not given:
        raise wrong_value(choices, "choose", "choices", "1 array or more")
    first = require_array(_first_array((a, *given), a), "choose")
    index = as_arrays("choose", {"first": first, "a": a})[1]
    if index.dtype.kind not in "biu":
        raise TypeError(f"choose: a is of data type {index.dtype}; expected integers")
    arrays = [as_arrays("choose", {"a": index, "a choice": one})[1] for one in given]
    dtype = usm.result_type(*arrays)
    count = len(arrays)
    if mode == "wrap":
        index = usm.astype(index, usm.int64) % count
    elif mode == "clip":
        index = usm.clip(usm.astype(index, usm.int64), 0, count - 1)
    elif usm.any((index < 0) | (index >= count)):
        raise ValueError(f"choose: an index is out of range; expected 0 to {count - 1}")
    result = usm.broadcast_to(
        usm.astype(arrays[-1], dtype, copy=False),
        usm.broadcast_shapes(index.shape, *(x.shape for x in arrays)),
    )
    for k, x in enumerate(arrays[:-1]):
        result = usm.where(index == k, usm.astype(x, dtype, copy=False), result)
    return copy_to_out(usm.copy(result) if count == 1 else result, out, "choose")


def _first_array(values: Iterable[Any], default: Any) -> Any:
    return next((x for x in values if isinstance(x, usm_ndarray)), default)


@named_in_errors
def compress(condition: Any, a: ArrayOperand, axis: Axis = None, out: Out = None) -> usm_ndarray:
    """Return the parts of an array along an axis for which a condition is true.

    Parameters
    ----------
    condition : usm_ndarray, numpy.ndarray or sequence of bool
        A 1-D array. If it is shorter than the axis, the other parts are left out.
    a : usm_ndarray or numpy.ndarray
    axis : int, optional
        Default: `a` is flattened in C order.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `a` is not an array.
    ValueError
        If `condition` is not 1-D.
    IndexError
        If `condition` is longer than the axis, and true there.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Waits for the number of parts. Compatible with numpy.compress.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.compress([True, False, True], usm.asarray([[1, 2, 3], [4, 5, 6]]), axis=1)
    usm_ndarray([[1, 3],
                 [4, 6]])
    """
    mask, x = as_arrays("compress", {"condition": condition, "a": a})
    if mask.ndim != 1:
        raise wrong_value(mask.ndim, "compress", "condition.ndim", "1")
    x, along = flat_or_axis(x, axis, "compress")
    (index,) = usm.nonzero(mask)
    result = usm.take(x, index, axis=along, mode="raise")
    return copy_to_out(result, out, "compress")


@named_in_errors
def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> usm_ndarray:
    """Choose each element by the first condition that is true.

    Parameters
    ----------
    condlist : sequence of usm_ndarray or numpy.ndarray
        Arrays of bools.
    choicelist : sequence of usm_ndarray, numpy.ndarray or number
        A choice for each condition. Conditions and choices broadcast.
    default : usm_ndarray, numpy.ndarray or number
        The choice if no condition is true.

    Returns
    -------
    usm_ndarray
        An array of the type that the choices and the default promote to.

    Raises
    ------
    TypeError
        If a condition is not of bools.
    ValueError
        If there are no conditions, or there is another number of choices; or if the shapes do not
        broadcast.

    Notes
    -----
    Compatible with numpy.select.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.arange(5)
    >>> usm.select([x < 2, x > 3], [x, 10 * x], -1)
    usm_ndarray([ 0,  1, -1, -1, 40])
    """
    for value, name in ((condlist, "condlist"), (choicelist, "choicelist")):
        require(value, (list, tuple), "select", name, "a sequence of arrays")
    if not condlist or len(condlist) != len(choicelist):
        expected = f"1 array or more, as many as the {len(condlist)} conditions"
        raise wrong_value(choicelist, "select", "choicelist", expected)
    operands = {f"condition {k}": x for k, x in enumerate(condlist)}
    operands |= {f"choice {k}": x for k, x in enumerate(choicelist)} | {"default": default}
    first = require_array(_first_array(operands.values(), condlist[0]), "select", "condition 0")
    kinds = [x.dtype for x in (*choicelist, default) if hasattr(x, "dtype")]
    if kinds:  # numbers take the type of all choices
        first = usm.empty(0, dtype=usm.result_type(*kinds), **location(first))
    # One by one, because as_arrays() takes at most 32.
    arrays = [as_arrays("select", {"first": first, name: x})[1] for name, x in operands.items()]
    conditions, values = arrays[: len(condlist)], arrays[len(condlist) :]
    for k, x in enumerate(conditions):
        if x.dtype != "?":
            raise TypeError(f"select: condition {k} is of data type {x.dtype}; expected bools")
    shape = usm.broadcast_shapes(*(x.shape for x in (*conditions, *values)))
    result = usm.broadcast_to(values[-1], shape)
    for condition, value in zip(conditions[::-1], values[-2::-1], strict=True):
        result = usm.where(condition, value, result)
    return result


@named_in_errors
def piecewise(
    x: usm_ndarray, condlist: Any, funclist: Sequence[Any], *args: Any, **kw: Any
) -> usm_ndarray:
    """Evaluate a piecewise function.

    Parameters
    ----------
    x : usm_ndarray
    condlist : usm_ndarray or numpy.ndarray of bool, or sequence of them
        For each function, a mask in the shape of `x`. If several are true, the last one counts.
    funclist : sequence of callable or number
        A function of the elements or a constant for each condition. An additional one is for all
        other elements, which are 0 by default.
    *args, **kw : object
        Additional arguments of the functions.

    Returns
    -------
    usm_ndarray
        An array of the type of `x`.

    Raises
    ------
    TypeError
        If `x` or a condition is not an array.
    ValueError
        If the numbers of functions and conditions differ.

    Notes
    -----
    Waits for the number of elements of each piece. Compatible with numpy.piecewise.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([-2.0, 1.0, 3.0])
    >>> usm.piecewise(x, [x < 0, x >= 0], [-1, lambda x: 2 * x])
    usm_ndarray([-1.,  2.,  6.])
    """
    require_array(x, "piecewise", "x")
    conditions = list(condlist) if isinstance(condlist, list | tuple) else [condlist]
    conditions = [
        usm.astype(as_arrays("piecewise", {"x": x, "a condition": one})[1], bool, copy=False)
        for one in conditions
    ]
    count = len(conditions)
    if len(funclist) == count + 1:
        others = usm.zeros_like(conditions[0])
        for one in conditions:
            others = others | one
        conditions.append(~others)
    elif len(funclist) != count:
        expected = f"{count} or {count + 1} functions for the {count} conditions"
        raise wrong_value(funclist, "piecewise", "funclist", expected)
    result = usm.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if callable(function):
            elements = x[condition]
            if elements.size:
                result[condition] = function(elements, *args, **kw)
        else:
            result[condition] = function
    return result


@named_in_errors
def copyto(
    dst: usm_ndarray,
    src: Any,
    casting: Literal["no", "equiv", "safe", "same_kind", "unsafe"] = "same_kind",
    where: Any = True,
) -> None:
    """Copy values into an array where a mask is true.

    Parameters
    ----------
    dst : usm_ndarray
        The array that changes.
    src : usm_ndarray, numpy.ndarray, sequence or number
        Values that broadcast to the shape of `dst`.
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The conversions to the type of `dst` that are allowed. A Python number takes that type.
    where : usm_ndarray, numpy.ndarray, sequence or number
        A mask that broadcasts to the shape of `dst`.

    Raises
    ------
    TypeError
        If `dst` is not an array, or `casting` does not allow the conversion.
    ValueError
        If the shapes do not broadcast, or `dst` is read-only.

    Notes
    -----
    Compatible with numpy.copyto.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.zeros(3)
    >>> usm.copyto(x, 1, where=usm.asarray([True, False, True]))
    >>> x
    usm_ndarray([1., 0., 1.])
    """
    target = require_array(dst, "copyto", "dst")
    if isinstance(where, int | float | complex):
        where = usm.asarray(bool(where), **location(target))
    values, mask = as_arrays("copyto", {"dst": target, "src": src, "where": where})[1:]
    if mask.dtype != "?":
        raise TypeError(f"copyto: where is of data type {mask.dtype}; expected bools")
    allowed: bool
    if isinstance(src, int | float | complex) and casting in ("same_kind", "safe"):
        allowed = numpy.result_type(target.dtype, src).kind == target.dtype.kind
    else:
        allowed = usm.can_cast(values.dtype, target.dtype, casting=casting)
    if not allowed:
        raise TypeError(
            f"copyto: src is {short_repr(src)}, of data type {values.dtype}, and casting is "
            f"{casting!r}; expected values that cast to {target.dtype}"
        )
    shape = target.shape
    # As in NumPy, `src` may have more axes of extent 1, which an assignment also ignores.
    while values.ndim > target.ndim and values.shape[0] == 1:
        values = values[0]
    values = usm.broadcast_to(usm.astype(values, target.dtype, copy=False), shape)
    target[...] = usm.where(usm.broadcast_to(mask, shape), values, target)


def putmask(a: usm_ndarray, mask: Any, values: Any) -> None:
    """Set the elements where a mask is true; values are repeated as needed.

    Parameters
    ----------
    a : usm_ndarray
        The array that changes.
    mask : usm_ndarray, numpy.ndarray or sequence
        An element for each element of `a`; nonzero elements are true.
    values : usm_ndarray, numpy.ndarray, sequence or number
        The values, which are repeated in C order to the size of `a`.

    Raises
    ------
    TypeError
        If `a` is not an array, or its type does not take the values.
    ValueError
        If `mask` has another number of elements, or `a` is read-only.

    Notes
    -----
    Compatible with numpy.putmask.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.arange(5)
    >>> usm.putmask(x, x > 2, [-3, -4])
    >>> x
    usm_ndarray([ 0,  1,  2, -4, -3])
    """
    target = require_array(a, "putmask")
    if isinstance(values, list | tuple):
        try:
            values = usm.asarray(values, dtype=target.dtype, **location(target))
        except (OverflowError, TypeError, ValueError) as error:
            expected = f"{target.dtype} numbers"
            error.args = (f"putmask: values is {short_repr(values)}; expected {expected}",)
            raise
    where, found = as_arrays("putmask", {"a": target, "mask": mask, "values": values})[1:]
    if where.size != target.size:
        raise wrong_value(where.shape, "putmask", "mask.shape", f"{target.size} elements")
    if found.size == 0:
        return
    where = usm.reshape(usm.astype(where, bool, copy=False), target.shape)
    repeated = found if found.size == 1 else resize(found, target.shape)
    try:
        copyto(target, usm.reshape(repeated, ()) if found.size == 1 else repeated, where=where)
    except (TypeError, ValueError) as error:
        error.args = (str(error).replace("copyto: src", "putmask: values", 1),)
        raise
