"""Common sections of docstrings, and the docstrings and signatures of the elementwise functions
from their rows of the table."""

import inspect
import re
import textwrap

_DOCSTRING = """{name}({parameters}, /, out=None, order='K')

{summary}

Parameters
----------
{operands}
out : usm_ndarray, optional
    Array for the result, of its shape and data type; may overlap the inputs.
order : {{"K", "C", "F", "A"}}
    Memory order of a new result: that of the inputs, C order, F order, or F order if all inputs
    have it (otherwise C).

Returns
-------
usm_ndarray

Raises
------
TypeError
    An operand is {not_an_operand}, or is of a data type that the function is not defined for.
ValueError
    {shapes}`out` has another shape or type or is read-only; `order` is unknown.
ExecutionPlacementError
    {places}The arrays are on different devices or in different contexts.

Notes
-----
{notes}Data types: {types}.
{source}
"""

_ONE = "x : usm_ndarray"
_TWO = """x1, x2 : usm_ndarray, numpy.ndarray or number
    Operands whose shapes broadcast; at least one is a usm_ndarray. A Python scalar takes the type
    of the other operand if that type is of its kind or above."""


def elementwise_docstring(name, inputs, summary, notes, types, is_standard):
    """The docstring of a function of one or two inputs.

    Parameters
    ----------
    name, summary, notes : str
    inputs : int
    types : list of str
        As in numpy.ufunc.types.
    is_standard : bool
        Whether the array API has the function.

    Returns
    -------
    str
    """
    binary = inputs == 2
    return _DOCSTRING.format(
        name=name,
        parameters="x1, x2" if binary else "x",
        summary=summary,
        operands=_TWO if binary else _ONE,
        not_an_operand="neither array nor number" if binary else "not an array",
        shapes="The shapes do not broadcast; " if binary else "",
        places="No operand is an array. " if binary else "",
        notes=f"{notes}\n" if notes else "",
        types=", ".join(types),
        source=f"Source: array API 2025.12, `{name}`; `out` and `order` as in dpctl.tensor.{name}."
        if is_standard
        else f"Compatible with dpctl.tensor.{name}.",
    )


def elementwise_signature(inputs):
    """The inspect.Signature of a function of one or two inputs."""
    if inputs == 1:
        return inspect.signature(lambda x, /, out=None, order="K": None)
    return inspect.signature(lambda x1, x2, /, out=None, order="K": None)


def sections():
    """Common sections of docstrings: a line <name> in a docstring is replaced by the section.

    <new_array>
    dtype : data type, optional
        Default: the device's default floating point type.
    order : {"C", "F"}
        Of the axes in memory.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        A negative extent, an unknown order or kind.
    USMAllocationError
        The device has no memory.
    <placed>
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
    <result_of_full>
    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        A negative extent, an unknown order or kind; `fill_value` does not broadcast.
    TypeError
        `fill_value` is neither a number nor an array.
    USMAllocationError
        The device has no memory.
    <array_like_another>
    dtype : data type, optional
        Default: that of `x`.
    order : {"K", "C", "F", "A"}
        Of the axes in memory; "K" as in `x`.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: that of `x`.
    usm_type : {"device", "shared", "host"}, optional
        Default: that of `x`.
    sycl_queue : SyclQueue, optional
        Default: that of `x`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        `x` is not an array.
    ValueError
        An unknown order or kind.
    USMAllocationError
        The device has no memory.
    <axis_of_reduction>
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    <keepdims>
    keepdims : bool
        Whether reduced axes stay, with one element.
    <out>
    out : usm_ndarray, optional
        Array for the result, of its shape and data type; may overlap `x`.
    <dtype_of_sum>
    dtype : data type, optional
        The elements are converted to this type first. Default: the type of `x`; for bools and
        integers smaller than the default integer type, that type or its unsigned variant.
    <floating_dtype>
    dtype : data type, optional
        The elements are converted to this real floating point type first. Default: the type of `x`;
        for integers and bools the default floating point type.
    <axis_of_scan>
    axis : int, optional
        Optional only for an array of one dimension.
    <errors_of_reduction>
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.
    <errors_of_extreme>
    TypeError
        `x` is not an array; an axis is not an integer.
    ValueError
        There is no element; an axis is given twice; `out` has another shape or type or is
        read-only.
    AxisError
        An axis is out of range.
    <errors_of_real>
    TypeError
        `x` is not an array; an axis is not an integer; the type is complex.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.
    <errors_of_deviation>
    TypeError
        `x` is not an array; an axis is not an integer; `correction` is not a
        number.
    ValueError
        An axis is given twice; `out` has another shape or type or is read-only.
    AxisError
        An axis is out of range.
    <errors_of_scan>
    TypeError
        `x` is not an array; the axis is not an integer.
    ValueError
        `x` has no dimension, or several and no axis is given; `out` has another shape or type or is
        read-only.
    AxisError
        The axis is out of range.
    <errors_of_position>
    TypeError
        `x` is not an array; the axis is not an integer.
    ValueError
        There is no element; `out` has another shape or type or is read-only.
    AxisError
        The axis is out of range.
    <errors_of_nearness>
    TypeError
        An operand is neither array nor number; a tolerance is not a number.
    ValueError
        The shapes do not broadcast.
    ExecutionPlacementError
        No operand is an array, or the arrays are on different devices or in different contexts.
    <errors_of_sort>
    AxisError
        The axis is out of range.
    TypeError
        `x` is not an array; `descending` or `stable` is not a bool.
    ValueError
        `kind` is unknown.
    <kind>
    kind : {"stable", "radixsort", "mergesort"}, optional
        Has no effect.
    <x_of_set>
    x : usm_ndarray
        Each NaN differs from all other elements; -0.0 equals 0.0.
    <tolerances>
    rtol, atol : float
        The relative tolerance, a factor of `x2`, and the absolute tolerance.
    equal_nan : bool
        Whether NaN is close to NaN.
    """
    parts = re.split(r"^<(\w+)>\n", inspect.getdoc(sections) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def filled(docstring, known):
    """A docstring with the common sections instead of their names: str."""

    def section(found):
        return textwrap.indent(known[found[2]].rstrip() + "\n", found[1])

    return re.sub(r"^( *)<(\w+)>\n", section, docstring, flags=re.MULTILINE) if known else docstring
