"""Special functions, with the names and arguments of scipy.special.

Examples
--------
>>> import usmtensor as usm
>>> usm.special.erf(usm.asarray([0.0, 0.5, 1.0]))
usm_ndarray([0.        , 0.52049988, 0.84270079])
"""

from math import inf, nan

import usmtensor as usm
from usmtensor._core import hints as _hints
from usmtensor._functions import elementwise as _elementwise
from usmtensor._functions.arguments import named_in_errors
from usmtensor._runtime.arguments import require

_ELEMENTWISE = {
    name: function
    for name, function in vars(_elementwise).items()
    if getattr(function, "__module__", None) == __name__  # the rows of the table say so
}
__all__ = [*_ELEMENTWISE, "log_softmax", "logsumexp", "softmax"]

globals().update(_ELEMENTWISE)
__getattr__, __dir__ = _hints.of_module("usmtensor.special")


def _real(x, function, argument):
    """Return an array of a real floating point type."""
    x = require(x, usm.usm_ndarray, function, argument)
    if x.dtype.kind == "c":
        raise TypeError(f"{function}: {argument} is of data type {x.dtype}; expected a real type")
    return x if x.dtype.kind == "f" else usm.astype(x, usm.result_type(x, 1.0))


def _largest(x, axis):
    """Return the maxima along axes, with 0 in place of infinities."""
    largest = usm.max(x, axis=axis, keepdims=True)
    return usm.where(usm.isfinite(largest), largest, 0)


@named_in_errors
def softmax(x, axis=None):
    """Compute the exponentials of elements, divided by their sum along axes.

    Parameters
    ----------
    x : usm_ndarray
        An array of real numbers.
    axis : int or tuple of int, optional
        The axes of the sums. Default: all axes.

    Returns
    -------
    usm_ndarray
        An array of the shape of `x`, of a floating point type.

    Raises
    ------
    TypeError
        If `x` is not an array, or is complex.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with scipy.special.softmax.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.special.softmax(usm.asarray([0.0, 1.0, 1000.0]))
    usm_ndarray([0., 0., 1.])
    """
    x = _real(x, "softmax", "x")
    if x.size == 0:
        return usm.copy(x)
    powers = usm.exp(x - usm.max(x, axis=axis, keepdims=True))
    powers /= usm.sum(powers, axis=axis, keepdims=True)
    return powers


@named_in_errors
def log_softmax(x, axis=None):
    """Compute the logarithm of `softmax`, also where softmax underflows.

    Parameters
    ----------
    x, axis
        As in `softmax`.

    Returns
    -------
    usm_ndarray
        An array of the shape of `x`, of a floating point type.

    Raises
    ------
    TypeError, AxisError
        As from `softmax`.

    Notes
    -----
    Compatible with scipy.special.log_softmax.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.special.log_softmax(usm.asarray([0.0, 1.0, 1000.0]))
    usm_ndarray([-1000.,  -999.,     0.])
    """
    x = _real(x, "log_softmax", "x")
    if x.size == 0:
        return usm.copy(x)
    shifted = x - _largest(x, axis)
    shifted -= usm.log(usm.sum(usm.exp(shifted), axis=axis, keepdims=True))
    return shifted


@named_in_errors
def logsumexp(a, axis=None, b=None, keepdims=False, return_sign=False):
    """Compute the logarithm of a sum of exponentials along axes without intermediate overflow.

    Parameters
    ----------
    a : usm_ndarray
        An array of real numbers.
    axis : int or tuple of int, optional
        The axes to sum. Default: all axes.
    b : usm_ndarray, numpy.ndarray or number, optional
        Factors of the exponentials. The shape broadcasts with the shape of `a`.
    keepdims : bool
        If True, the result keeps the summed axes with extent 1.
    return_sign : bool
        If True, the sign of the sum is also returned. Otherwise the logarithm of a negative sum is
        NaN.

    Returns
    -------
    usm_ndarray, or tuple of two
        The logarithm of the absolute value of the sum, and with `return_sign` the sign.

    Raises
    ------
    TypeError
        If `a` is not an array, or is complex.
    ValueError
        If the shapes do not broadcast.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with scipy.special.logsumexp. `usmtensor.logsumexp` has `dtype` and `out` in place of
    the factors and the sign.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([1000.0, 1000.0])
    >>> usm.special.logsumexp(x)
    usm_ndarray(1000.69314718)
    >>> usm.special.logsumexp(x, b=usm.asarray([1, -2]), return_sign=True)
    (usm_ndarray(1000.), usm_ndarray(-1.))
    """
    a = _real(a, "logsumexp", "a")
    if b is None and not return_sign:
        return usm.logsumexp(a, axis, keepdims=keepdims)
    factors = usm.ones_like(a) if b is None else _real(b * usm.ones_like(a), "logsumexp", "b")
    terms = usm.where(factors == 0, -inf, a + usm.zeros_like(factors))
    shift = _largest(terms, axis) if terms.size else 0
    total = usm.sum(factors * usm.exp(terms - shift), axis=axis, keepdims=True)
    log = usm.log(usm.abs(total)) + shift
    sign = usm.sign(total)
    if not return_sign:
        log = usm.where(sign < 0, nan, log)
    if not keepdims:
        axes = tuple(k for k, n in enumerate(log.shape) if axis is None)
        axes = axes if axis is None else axis
        log, sign = usm.squeeze(log, axes), usm.squeeze(sign, axes)
    return (log, sign) if return_sign else log
