"""What docstrings have in common; those of the elementwise functions, and their signatures, from
the rows of the table."""

import inspect
import re
import textwrap

_DOCSTRING = """{name}({parameters}, /, out=None, order='K')

{summary}

Parameters
----------
{operands}
out : usm_ndarray, optional
    Where the result goes, of its shape and data type; may overlap the inputs.
order : {{"K", "C", "F", "A"}}
    Of the axes of a new result in memory: as those of the inputs, C order, F order, or F order
    where all inputs are (otherwise C).

Returns
-------
usm_ndarray

Raises
------
TypeError
    An operand is {not_an_operand}, or is of a data type that the function is not defined for.
ValueError
    {shapes}`out` has another shape or type or is read-only; an unknown order.
ExecutionPlacementError
    {places}The arrays are on different devices or in different contexts.

Notes
-----
{notes}Data types: {types}.
{source}
"""

_ONE = "x : usm_ndarray"
_TWO = """x1, x2 : usm_ndarray, numpy.ndarray or number
    Of shapes that broadcast; at least one usm_ndarray. Python scalars take the type of the other
    operand where that is of their kind or above."""


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
    """What several docstrings of functions say: a line <name> in them stands for it.

    <axis_of_reduction>
    axis : int or tuple of int, optional
        The axes to reduce; default: all of them.
    <keepdims>
    keepdims : bool
        Whether reduced axes stay, with one element.
    <out>
    out : usm_ndarray, optional
        Where the result goes, of its shape and data type; may overlap `x`.
    <dtype_of_sum>
    dtype : data type, optional
        To which the elements are converted first. Default: that of `x`; for integers and bools the
        default integer type, of unsigned ones the unsigned type.
    <floating_dtype>
    dtype : data type, optional
        To which the elements are converted first: a real floating point type. Default: that of
        `x`; the default floating point type for integers and bools.
    <axis_of_scan>
    axis : int, optional
        May be left out for an array of one dimension.
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
        An operand is neither array nor number; a tolerance is no number.
    ValueError
        The shapes do not broadcast.
    ExecutionPlacementError
        No operand is an array, or the arrays are on different devices or in different contexts.
    <errors_of_sort>
    AxisError
        The axis is out of range.
    TypeError
        `x` is not an array, `descending` or `stable` is no bool.
    ValueError
        An unknown kind.
    <kind>
    kind : {"stable", "radixsort", "mergesort"}, optional
        Has no effect.
    <x_of_set>
    x : usm_ndarray
        Each NaN is different from all others; -0.0 equals 0.0.
    <tolerances>
    rtol, atol : float
        The distance that is allowed: in parts of `x2`, and besides.
    equal_nan : bool
        Whether NaN is close to NaN.
    """
    parts = re.split(r"^<(\w+)>\n", inspect.getdoc(sections) or "", flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def filled(docstring, known):
    """A docstring, with the sections that are known in place of their names: str."""

    def section(found):
        return textwrap.indent(known[found[2]].rstrip() + "\n", found[1])

    return re.sub(r"^( *)<(\w+)>\n", section, docstring, flags=re.MULTILINE) if known else docstring
