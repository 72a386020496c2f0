"""Polynomials as arrays of coefficients, with the highest power first."""

from typing import Any, Literal, SupportsIndex

import usmtensor._functions as usm
from usmtensor._composed.calculus import convolve
from usmtensor._composed.diagonals import vander
from usmtensor._composed.padding import pad
from usmtensor._composed.shapes import as_1d
from usmtensor._core.array import bodies, usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._functions.arguments import location, named_in_errors, require_array
from usmtensor._runtime.arguments import natural, wrong_value

__all__ = ["poly", "polyadd", "polyder", "polydiv", "polyfit", "polyint", "polymul", "polysub"]
__all__ += ["polyval", "roots"]


def polyval(p: Any, x: Any) -> usm_ndarray:
    """Evaluate a polynomial.

    Parameters
    ----------
    p : usm_ndarray, numpy.ndarray or sequence
        The coefficients, the highest power first: a 1-D array.
    x : usm_ndarray, numpy.ndarray, sequence or number
        The points at which to evaluate. `p` or `x` is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        An array of the shape of `x` and the type to which both promote.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If `p` is not 1-D.

    Notes
    -----
    Uses Horner's method. Compatible with numpy.polyval.

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


@named_in_errors
def polyfit(
    x: Any,
    y: Any,
    deg: SupportsIndex,
    rcond: float | None = None,
    full: bool = False,
    w: Any = None,
    cov: bool | Literal["unscaled"] = False,
) -> Any:
    """Fit a polynomial to points by least squares.

    Parameters
    ----------
    x : usm_ndarray, numpy.ndarray or sequence
        Where the values are: an array of one dimension. At least one of `x` and `y` is a
        usm_ndarray.
    y : usm_ndarray, numpy.ndarray or sequence
        The values at the points, or a column of values for each of several polynomials.
    deg : int
        The degree.
    rcond : float, optional
        Singular values not larger than `rcond` times the largest are treated as zero. Default: the
        number of points times eps.
    full : bool
        If True, also return details of the solution.
    w : usm_ndarray, numpy.ndarray or sequence, optional
        The weight of the residual of each point. Default: ones.
    cov : bool or "unscaled"
        If True, also return the covariances of the coefficients, scaled so that only the ratios of
        the weights matter. "unscaled" treats the weights as inverse standard deviations.

    Returns
    -------
    usm_ndarray, or tuple
        The coefficients, the highest power first. With `full` also the sum of squared residuals,
        the rank and the singular values of the equations, and `rcond`. With `cov` also the
        covariance matrix, with a last axis for several polynomials.

    Raises
    ------
    TypeError
        If `x` is of float16, or `deg` is not an integer.
    ValueError
        If the shapes do not match; if there is no point; if `deg` is negative; or if there are not
        more points than coefficients for scaled covariances.
    NotImplementedError
        If the device has no linear algebra library.

    Notes
    -----
    Compatible with numpy.polyfit.

    Examples
    --------
    >>> import usmtensor as usm
    >>> c = usm.polyfit(usm.asarray([0.0, 1.0, 2.0]), usm.asarray([1.0, 3.0, 5.0]), 1)
    >>> usm.round(c)
    usm_ndarray([2., 1.])
    """
    degree = natural(deg, "polyfit", "deg")
    points, values = as_arrays("polyfit", {"x": x, "y": y})
    points = points + 0.0  # powers of integers would overflow
    if points.ndim != 1 or points.size == 0:
        raise wrong_value(points.shape, "polyfit", "x.shape", "one dimension and an element")
    if values.ndim not in (1, 2) or values.shape[0] != points.size:
        raise wrong_value(
            values.shape, "polyfit", "y.shape", f"{points.size} rows, as x has elements"
        )
    matrix = vander(points, degree + 1)
    if w is not None:
        _, weights = as_arrays("polyfit", {"x": points, "w": w})
        if weights.shape != points.shape:
            raise wrong_value(weights.shape, "polyfit", "w.shape", f"{points.shape}, as x has")
        matrix = matrix * weights[:, None]
        values = values * (weights[:, None] if values.ndim == 2 else weights)
    scale = usm.sqrt(usm.sum(usm.square(matrix), axis=0))
    scale = usm.where(scale == 0, 1, scale)
    matrix = matrix / scale
    rcond = points.size * usm.finfo(points.dtype).eps if rcond is None else rcond
    linalg = bodies.namespace.linalg
    solved, squares, rank, singular = linalg.lstsq(matrix, values, rcond=rcond)
    found = (solved.T / scale).T
    if full:
        return found, squares, rank, singular, rcond
    if not cov:
        return found
    covariances = linalg.inv(matrix.T @ matrix) / (scale[:, None] * scale)
    covariances = covariances[..., None] if values.ndim == 2 else covariances
    if cov == "unscaled":
        return found, covariances
    if points.size <= degree + 1:
        raise ValueError(
            f"polyfit: x has {points.size} elements; expected more than the {degree + 1} "
            "coefficients for scaled covariances"
        )
    squares = usm.sum(usm.square(values - matrix @ solved), axis=0)
    return found, covariances * (squares / (points.size - degree - 1))


def _lines(function: str, p: Any, q: Any) -> list[usm_ndarray]:
    """Return the coefficients of two polynomials."""
    found = [as_1d(one) for one in as_arrays(function, {"a1": p, "a2": q})]
    for name, line in zip(("a1", "a2"), found, strict=True):
        if line.ndim != 1:
            raise wrong_value(line.shape, function, f"{name}.shape", "one dimension")
    return found


def _of_length(line: usm_ndarray, length: int) -> usm_ndarray:
    """Return coefficients, with leading zeros up to a length."""
    return pad(line, (length - line.size, 0)) if line.size < length else line


def polyadd(a1: Any, a2: Any) -> usm_ndarray:
    """Add two polynomials.

    Parameters
    ----------
    a1, a2 : usm_ndarray, numpy.ndarray, sequence or number
        The coefficients, the highest power first. One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        The coefficients, as many as the longer polynomial has.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If an operand has more than one dimension.

    Notes
    -----
    Compatible with numpy.polyadd.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polyadd(usm.asarray([1, 2]), [9, 5, 4])
    usm_ndarray([9, 6, 6])
    """
    p, q = _lines("polyadd", a1, a2)
    length = max(p.size, q.size)
    return _of_length(p, length) + _of_length(q, length)


def polysub(a1: Any, a2: Any) -> usm_ndarray:
    """Subtract two polynomials.

    Parameters
    ----------
    a1, a2 : usm_ndarray, numpy.ndarray, sequence or number
        The coefficients, the highest power first. One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        The coefficients, as many as the longer polynomial has.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If an operand has more than one dimension.

    Notes
    -----
    Compatible with numpy.polysub.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polysub(usm.asarray([2, 10, -2]), [3, 10, -4])
    usm_ndarray([-1,  0,  2])
    """
    p, q = _lines("polysub", a1, a2)
    length = max(p.size, q.size)
    return _of_length(p, length) - _of_length(q, length)


def polymul(a1: Any, a2: Any) -> usm_ndarray:
    """Multiply two polynomials.

    Parameters
    ----------
    a1, a2 : usm_ndarray, numpy.ndarray, sequence or number
        The coefficients, the highest power first. One of them is a usm_ndarray.

    Returns
    -------
    usm_ndarray
        The coefficients, one less than both polynomials have in total. Leading zeros are kept,
        unlike in NumPy.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If an operand has more than one dimension, or no element.

    Notes
    -----
    Compatible with numpy.polymul.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polymul(usm.asarray([1, 2, 3]), [9, 5, 1])
    usm_ndarray([ 9, 23, 38, 17,  3])
    """
    p, q = _lines("polymul", a1, a2)
    for name, line in (("a1", p), ("a2", q)):
        if line.size == 0:
            raise wrong_value(line.shape, "polymul", f"{name}.shape", "one element or more")
    return convolve(p, q)


def polydiv(u: Any, v: Any) -> tuple[usm_ndarray, usm_ndarray]:
    """Divide two polynomials, and return the quotient and the remainder.

    Parameters
    ----------
    u, v : usm_ndarray, numpy.ndarray, sequence or number
        The coefficients, the highest power first. One of them is a usm_ndarray.

    Returns
    -------
    quotient, remainder : usm_ndarray
        Coefficients of a floating point type. Leading zeros of the remainder are removed.

    Raises
    ------
    TypeError
        If an operand is neither an array nor a number.
    ValueError
        If an operand has more than one dimension, or no element.

    Notes
    -----
    Waits for the remainder. Compatible with numpy.polydiv.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polydiv(usm.asarray([3, 5, 2]), [2, 1])
    (usm_ndarray([1.5 , 1.75]), usm_ndarray([0.25]))
    """
    p, q = _lines("polydiv", u, v)
    for name, line in (("u", p), ("v", q)):
        if line.size == 0:
            raise wrong_value(line.shape, "polydiv", f"{name}.shape", "one element or more")
    kind = usm.result_type(p, q, 1.0)
    rest, divisor = usm.astype(p, kind), usm.astype(q, kind)
    steps = max(p.size - q.size + 1, 0)
    quotient = usm.zeros_like(rest, shape=max(steps, 1))
    for k in range(steps):
        quotient[k] = rest[k] / divisor[0]
        rest[k : k + q.size] -= quotient[k] * divisor
    small = usm.abs(rest) <= 1e-8
    first = rest.size - 1 if usm.all(small) else int(usm.argmin(small))
    return quotient, rest[first:]


@named_in_errors
def poly(seq_of_zeros: Any) -> usm_ndarray:
    """Return the polynomial with given roots, or the characteristic polynomial of a matrix.

    Parameters
    ----------
    seq_of_zeros : usm_ndarray
        The roots, or a square matrix.

    Returns
    -------
    usm_ndarray
        The coefficients, the highest power first. The first one is 1. They are real if the roots
        are real or pairs of conjugate numbers.

    Raises
    ------
    TypeError
        If `seq_of_zeros` is not an array.
    ValueError
        If the array is neither 1-D nor a square matrix.
    NotImplementedError
        If the roots of a matrix are requested, and the device has no linear algebra library.

    Notes
    -----
    Waits for complex roots. Compatible with numpy.poly.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.poly(usm.asarray([1, 2, 3]))
    usm_ndarray([ 1., -6., 11., -6.])
    """
    zeros = require_array(seq_of_zeros, "poly", "seq_of_zeros")
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1] and zeros.size:
        real = usm.astype(zeros, usm.result_type(zeros, 1.0), copy=False)
        zeros = bodies.namespace.linalg.eigvals(real)
    elif zeros.ndim != 1:
        expected = "one dimension, or two equal extents"
        raise wrong_value(zeros.shape, "poly", "seq_of_zeros.shape", expected)
    zeros = usm.astype(zeros, usm.result_type(zeros, 1.0), copy=False)
    result = usm.ones_like(zeros, shape=1)
    for k in range(zeros.size):
        longer = pad(result, (0, 1))
        longer[1:] -= result * zeros[k]
        result = longer
    if zeros.dtype.kind == "c" and usm.all(usm.sort(zeros) == usm.sort(usm.conj(zeros))):
        return usm.copy(usm.real(result))
    return result


@named_in_errors
def roots(p: Any) -> usm_ndarray:
    """Return the roots of a polynomial.

    Parameters
    ----------
    p : usm_ndarray
        The coefficients, the highest power first: a 1-D array.

    Returns
    -------
    usm_ndarray
        Complex numbers, also if all roots are real.

    Raises
    ------
    TypeError
        If `p` is not an array.
    ValueError
        If `p` is not 1-D.
    LinAlgError
        If `p` has infinities or NaN.
    NotImplementedError
        If the device has no linear algebra library.

    Notes
    -----
    Computes the eigenvalues of the companion matrix. Waits for the coefficients. Compatible with
    numpy.roots.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.round(usm.real(usm.roots(usm.asarray([1.0, -3.0, 2.0]))))
    usm_ndarray([2., 1.])
    """
    line, _ = _coefficients(p, 0, "roots")
    line = usm.astype(line, usm.result_type(line, 1.0), copy=False)
    kind = usm.result_type(line, 1j)
    nonzero = usm.asnumpy(usm.nonzero(line)[0])
    if not nonzero.size:
        return usm.zeros_like(line, shape=0, dtype=kind)
    after = line.size - 1 - int(nonzero[-1])  # the number of zero roots
    line = line[int(nonzero[0]) : line.size - after]
    found = usm.zeros_like(line, shape=line.size - 1 + after, dtype=kind)
    if line.size > 1:
        companion = usm.eye(line.size - 1, k=-1, dtype=line.dtype, **location(line))
        companion[0] = -line[1:] / line[0]
        found[: line.size - 1] = bodies.namespace.linalg.eigvals(companion)
    return found


def _coefficients(p: Any, m: Any, function: str) -> tuple[usm_ndarray, int]:
    line = require_array(p, function, "p")
    if line.ndim != 1:
        raise wrong_value(line.shape, function, "p.shape", "one dimension")
    return line, natural(m, function, "m")


def _powers(line: usm_ndarray) -> usm_ndarray:
    """Return the integers from the number of coefficients down to one."""
    return usm.arange(line.size, 0, -1, sycl_queue=line.sycl_queue)


def polyder(p: usm_ndarray, m: SupportsIndex = 1) -> usm_ndarray:
    """Differentiate a polynomial.

    Parameters
    ----------
    p : usm_ndarray
        The coefficients, the highest power first: a 1-D array.
    m : int
        The order of the derivative.

    Returns
    -------
    usm_ndarray
        The coefficients, `m` fewer than `p` has.

    Raises
    ------
    TypeError
        If `p` is not an array.
    ValueError
        If `p` is not 1-D, or `m` is negative.

    Notes
    -----
    Compatible with numpy.polyder.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polyder(usm.asarray([1, 1, 1, 1]))
    usm_ndarray([3, 2, 1])
    """
    line, count = _coefficients(p, m, "polyder")
    for _ in range(min(count, line.size)):
        line = line[:-1] * _powers(line[:-1])
    return line


@named_in_errors
def polyint(p: usm_ndarray, m: SupportsIndex = 1, k: Any = None) -> usm_ndarray:
    """Integrate a polynomial.

    Parameters
    ----------
    p : usm_ndarray
        The coefficients, the highest power first: a 1-D array.
    m : int
        The number of integrations.
    k : number or sequence of numbers, optional
        The constant of each integration. Default: zeros.

    Returns
    -------
    usm_ndarray
        The coefficients, `m` more than `p` has, of a floating point type.

    Raises
    ------
    TypeError
        If `p` is not an array.
    ValueError
        If `p` is not 1-D; if `m` is negative; or if `k` has another length.

    Notes
    -----
    Compatible with numpy.polyint.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.polyint(usm.asarray([3, 2, 1]), k=5)
    usm_ndarray([1., 1., 1., 5.])
    """
    line, count = _coefficients(p, m, "polyint")
    given = 0 if k is None else k
    constants = list(given) if isinstance(given, list | tuple) else [given] * count
    if len(constants) != count:
        raise wrong_value(k, "polyint", "k", f"a number, or {count} numbers")
    for constant in constants:
        line = pad(line / _powers(line), (0, 1))
        line[-1] = constant
    return line
