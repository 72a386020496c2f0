"""Comparison of nearly equal numbers, and replacement of NaN and infinities."""

from usmtensor._core.array cimport require_array, require_writable, usm_ndarray
from usmtensor._core.copy cimport copy_as
from usmtensor._core.operands cimport (
    as_floating, broadcast_shape, colocate, convert_operands, in_type,
)
from usmtensor._core.views cimport require_broadcast
from usmtensor._functions.elementwise cimport are_numbers
from usmtensor._runtime.arguments cimport is_true, number
from usmtensor._runtime.dtypes cimport C8, DTYPES, F2

import numpy

from usmtensor._functions.elementwise import (
    abs as absolute, add, equal, isfinite, isnan, less_equal, logical_and, logical_or, multiply,
    subtract, where,
)
from usmtensor._functions.reductions import all as all_of

__all__ = ["allclose", "isclose", "nan_to_num"]


cdef object close(object x1, object x2, object rtol, object atol, object equal_nan, str function):
    cdef usm_ndarray a, b, difference, result
    cdef bint with_nan = is_true(equal_nan, "equal_nan", function)
    relative, absolutely = number(rtol, function, "rtol"), number(atol, function, "atol")
    if are_numbers([x1, x2]):
        return numpy.isclose(x1, x2, relative, absolutely, with_nan)
    # Numbers are compared as floating point, so Python integers of any size are valid.
    a, b = convert_operands(function, {"a": float(x1) if isinstance(x1, int) else x1,
                                       "b": float(x2) if isinstance(x2, int) else x2})
    broadcast_shape((a.shape, b.shape), function)
    b = as_floating(b)
    difference = subtract(a, b)
    difference = absolute(difference, out=difference if difference.code < C8 else None)
    size = absolute(b)
    multiply(size, relative, out=size)
    result = less_equal(difference, add(size, absolutely, out=size))
    logical_and(result, isfinite(b), out=result)
    logical_or(result, equal(a, b), out=result)
    if with_nan:
        logical_or(result, logical_and(isnan(a), isnan(b)), out=result)
    return result


def isclose(
    a: Operand,
    b: Operand,
    *,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> usm_ndarray:
    """Test if elements are nearly equal: abs(a - b) <= atol + rtol * abs(b).

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray or number
        Operands whose shapes broadcast; at least one is a usm_ndarray.
    <tolerances>

    Returns
    -------
    usm_ndarray
        An array of bools. Infinities are close only to equal infinities.

    Raises
    ------
    <errors_of_nearness>

    Notes
    -----
    The tolerances are keywords, because NumPy and dpctl order them differently.
    Compatible with numpy.isclose.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.isclose(usm.asarray([1.0, 2.0]), usm.asarray([1.0, 2.1]))
    usm_ndarray([ True, False])
    """
    return close(a, b, rtol, atol, equal_nan, "isclose")


def allclose(
    a: Operand,
    b: Operand,
    *,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
) -> usm_ndarray:
    """Test if all elements are nearly equal, as for `isclose`.

    Parameters
    ----------
    a, b : usm_ndarray, numpy.ndarray or number
        Operands whose shapes broadcast; at least one is a usm_ndarray.
    <tolerances>

    Returns
    -------
    usm_ndarray
        A 0-D array of bool.

    Raises
    ------
    <errors_of_nearness>

    Notes
    -----
    Compatible with dpctl.tensor.allclose.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.allclose(usm.asarray([1.0, 2.0]), usm.asarray([1.0, 2.0 + 1e-9]))
    usm_ndarray(True)
    """
    found = close(a, b, rtol, atol, equal_nan, "allclose")
    return all_of(found) if isinstance(found, usm_ndarray) else found


cdef object replacement(object value, usm_ndarray part, str function, str argument):
    """Return the replacement of elements of a real array: a number, or an array that broadcasts."""
    cdef usm_ndarray array
    if not isinstance(value, (usm_ndarray, numpy.ndarray)):
        return number(value, function, argument)
    array = colocate(value, part, function, argument)
    if array.code >= C8:
        raise TypeError(f"{function}: {argument} is of data type {array.dtype}; expected real "
                        "numbers")
    require_broadcast(array.rank, array.extents, part.rank, part.extents,
                      f"{function}: {argument}", False)
    return in_type(array, part.code)


def nan_to_num(
    x: usm_ndarray,
    copy: bool = True,
    nan: float | ArrayOperand = 0.0,
    posinf: float | ArrayOperand | None = None,
    neginf: float | ArrayOperand | None = None,
) -> usm_ndarray:
    """Replace NaN and infinities by numbers, also in the parts of complex numbers.

    Parameters
    ----------
    x : usm_ndarray
    copy : bool
        If False, write the result to `x`.
    nan, posinf, neginf : float, usm_ndarray or numpy.ndarray, optional
        The replacements of NaN, positive and negative infinities. Arrays broadcast to the shape of
        `x`. Default: 0, the largest and the smallest number of the data type.

    Returns
    -------
    usm_ndarray
        An array of the shape and data type of `x`.

    Raises
    ------
    TypeError
        If `x` is not an array, or a replacement is neither a number nor a real array.
    ValueError
        If `x` is to be written, and is read-only, or a replacement does not broadcast to its shape.

    Notes
    -----
    Compatible with numpy.nan_to_num.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nan_to_num(usm.asarray([1.0, float("nan")]))
    usm_ndarray([1., 0.])
    """
    cdef str function = "nan_to_num"
    cdef usm_ndarray source = require_array(x, function), result = source, part
    cdef bint makes_copy = is_true(copy, "copy", function)
    if not makes_copy:
        require_writable(source, function, "x")
    if makes_copy:
        result = copy_as(source, source.code, b"K", source.queue, None)
    for part in (result,) if result.code < C8 else (result._part(0), result._part(1)):
        by_nan = replacement(nan, part, function, "nan")
        largest = None if posinf is None else replacement(posinf, part, function, "posinf")
        smallest = None if neginf is None else replacement(neginf, part, function, "neginf")
        if result.code < F2:
            break  # integers are finite
        limits = numpy.finfo(DTYPES[part.code])
        values = ((isnan(part), by_nan),
                  (equal(part, numpy.inf), float(limits.max) if largest is None else largest),
                  (equal(part, -numpy.inf), float(limits.min) if smallest is None else smallest))
        for where_, value in values:
            where(where_, value, part, out=part)
    return result
