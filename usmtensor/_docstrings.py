"""Docstrings and signatures of the elementwise functions, from their rows of the table."""

import inspect

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
