"""Data types, their promotion, and constants."""

import builtins
import math

import numpy

from usmtensor._usmarray import usm_ndarray

__all__ = [
    "bool",
    "can_cast",
    "complex64",
    "complex128",
    "dtype",
    "e",
    "float16",
    "float32",
    "float64",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "nan",
    "newaxis",
    "pi",
    "result_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

dtype = numpy.dtype

bool = numpy.dtype("bool")
int8 = numpy.dtype("int8")
int16 = numpy.dtype("int16")
int32 = numpy.dtype("int32")
int64 = numpy.dtype("int64")
uint8 = numpy.dtype("uint8")
uint16 = numpy.dtype("uint16")
uint32 = numpy.dtype("uint32")
uint64 = numpy.dtype("uint64")
float16 = numpy.dtype("float16")
float32 = numpy.dtype("float32")
float64 = numpy.dtype("float64")
complex64 = numpy.dtype("complex64")
complex128 = numpy.dtype("complex128")

_SUPPORTED = frozenset(
    (
        *(bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64),
        *(float16, float32, float64, complex64, complex128),
    )
)

e = math.e
pi = math.pi
inf = math.inf
nan = math.nan
newaxis = None


def _to_dtype(function, argument, value):
    try:
        found = numpy.dtype(value)
    except TypeError:
        raise TypeError(
            f"{function}: {argument} is {value!r}; expected an array or a data type"
        ) from None
    if found not in _SUPPORTED:
        raise TypeError(f"{function}: {argument} is {found}, which arrays cannot have")
    return found


def can_cast(from_, to, /, *, casting="safe"):
    """Whether a cast is allowed by a rule.

    Parameters
    ----------
    from_ : usm_ndarray or data type
    to : data type
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        An argument is not a data type that arrays can have.
    ValueError
        An unknown rule.

    Notes
    -----
    Source: array API 2025.12, `can_cast`; `casting` as in dpctl.tensor.can_cast.
    """
    if isinstance(from_, usm_ndarray):
        from_ = from_.dtype
    if isinstance(from_, (builtins.bool, int, float, complex)):
        raise TypeError(f"can_cast: from_ is {from_!r}; expected an array or a data type")
    return numpy.can_cast(
        _to_dtype("can_cast", "from_", from_), _to_dtype("can_cast", "to", to), casting
    )


def result_type(*arrays_and_dtypes):
    """The data type that results from operands.

    Parameters
    ----------
    *arrays_and_dtypes : usm_ndarray, data type or Python scalar
        Python scalars take the type of the others where these are of their kind or above.

    Returns
    -------
    numpy.dtype

    Raises
    ------
    ValueError
        No argument.
    TypeError
        An argument is none of these, or there is no common type.

    Notes
    -----
    Source: array API 2025.12, `result_type`.
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: expected at least one array, data type or scalar")
    operands = []
    for operand in arrays_and_dtypes:
        if isinstance(operand, usm_ndarray):
            operands.append(operand.dtype)
        elif isinstance(operand, (builtins.bool, int, float, complex)):
            operands.append(operand)
        else:
            operands.append(_to_dtype("result_type", "an argument", operand))
    return numpy.result_type(*operands)
