"""Polynomials by their coefficients, the highest power first."""

from typing import Any, SupportsIndex

import usmtensor as usm
from usmtensor._arguments import require_array
from usmtensor._keywords import natural, wrong_value
from usmtensor._operands import as_arrays
from usmtensor._usmarray import usm_ndarray

__all__ = ["polyfit", "polyval"]


def polyval(p: Any, x: Any) -> usm_ndarray:
    """The values of a polynomial.

    Parameters
    ----------
    p : usm_ndarray, numpy.ndarray or sequence
        The coefficients, the highest power first: an array of one dimension.
    x : usm_ndarray, numpy.ndarray, sequence or number
        Where to compute the values. `p` or `x` is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        An array of the shape of `x` and the type that both promote to.

    Raises
    ------
    TypeError
        An operand is neither array nor number.
    ValueError
        `p` has other than one dimension.

    Notes
    -----
    By Horner's method. Compatible with numpy.polyval.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polyval([1, 0, 2], usm.asarray([0, 1, 2]))
    usm_ndarray([2, 3, 6])
    """
    factors, points = as_arrays("polyval", {"p": p, "x": x})
    if factors.ndim != 1:
        raise wrong_value(factors.ndim, "polyval", "p.ndim", "1")
    result = usm.zeros_like(points, dtype=usm.result_type(factors, points))
    for factor in usm.unstack(factors):
        result = result * points + factor
    return result


def polyfit(x: usm_ndarray, y: Any, deg: SupportsIndex, rcond: float | None = None) -> usm_ndarray:
    """The polynomial with the least squares of distances from given values.

    Parameters
    ----------
    x : usm_ndarray
        Where the values are: an array of one dimension and single or double precision.
    y : usm_ndarray, numpy.ndarray or sequence
        The values, one for each element of `x`; or a column for each of several polynomials.
    deg : int
        The degree.
    rcond : float, optional
        Singular values up to this share of the largest one count as zero. Default: the number of
        points times the distance from 1 to the next number.

    Returns
    -------
    usm_ndarray
        The coefficients, the highest power first.

    Raises
    ------
    TypeError
        `x` is not an array of single or double precision; `deg` is not an integer.
    ValueError
        The shapes do not fit; there is no point; `deg` is negative.
    NotImplementedError
        The device has no library of linear algebra.

    Notes
    -----
    Compatible with numpy.polyfit, without `full`, `w` and `cov`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> c = usm.polyfit(usm.asarray([0.0, 1.0, 2.0]), usm.asarray([1.0, 3.0, 5.0]), 1)
    >>> usm.round(c)
    usm_ndarray([2., 1.])
    """
    degree = natural(deg, "polyfit", "deg")
    points, values = as_arrays("polyfit", {"x": require_array(x, "polyfit", "x"), "y": y})
    if points.ndim != 1 or points.size == 0:
        raise wrong_value(points.shape, "polyfit", "x.shape", "one dimension and an element")
    if values.ndim not in (1, 2) or values.shape[0] != points.size:
        raise wrong_value(
            values.shape, "polyfit", "y.shape", f"{points.size} rows, as x has elements"
        )
    matrix = usm.vander(points, degree + 1)
    scale = usm.sqrt(usm.sum(usm.square(matrix), axis=0))
    scale = usm.where(scale == 0, 1, scale)
    rcond = points.size * usm.finfo(points.dtype).eps if rcond is None else rcond
    found = usm.linalg.lstsq(matrix / scale, values, rcond=rcond)[0]
    return (found.T / scale).T if found.ndim == 2 else found / scale
