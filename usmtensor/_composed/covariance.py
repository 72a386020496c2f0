"""Covariances and correlation coefficients."""

from typing import Any

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import as_arrays
from usmtensor._core.typing import DType
from usmtensor._functions.arguments import named_in_errors, require_array
from usmtensor._functions.manipulation import diagonal_of
from usmtensor._runtime.arguments import integer, wrong_value

__all__ = ["corrcoef", "cov"]


@named_in_errors
def cov(
    m: usm_ndarray,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: DType = None,
) -> usm_ndarray:
    """Compute the covariances of variables.

    Parameters
    ----------
    m : usm_ndarray
        An array of at most two dimensions: a row for each variable, a column for each observation.
    y : usm_ndarray, numpy.ndarray or sequence, optional
        Additional variables in the same form.
    rowvar : bool
        If False, there is a column for each variable and a row for each observation.
    bias : bool
        If True, divide by the number of observations, otherwise by one less.
    ddof : int, optional
        The number to subtract from the number of observations, instead of the number from `bias`.
    fweights : usm_ndarray, numpy.ndarray or sequence of int, optional
        The number of times that each observation occurs.
    aweights : usm_ndarray, numpy.ndarray or sequence, optional
        The weight of each observation.
    dtype : floating point type, optional
        Default: double precision if the device supports it.

    Returns
    -------
    usm_ndarray
        An array with a row and a column for each variable; a 0-D array for a single variable.

    Raises
    ------
    TypeError
        If `m` is not an array, `fweights` are not integers, or `dtype` is not a floating point
        type.
    ValueError
        If an array has more than two dimensions; if the numbers of observations or weights differ;
        or if a weight is negative.

    Notes
    -----
    Waits if there are weights. Compatible with numpy.cov.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.cov(usm.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    usm_ndarray([[ 1., -1.],
                 [-1.,  1.]])
    """
    if ddof is not None:
        ddof = integer(ddof, "cov", "ddof")
    given = {"m": require_array(m, "cov", "m"), "y": y, "fweights": fweights, "aweights": aweights}
    given = {name: value for name, value in given.items() if value is not None}
    arrays = dict(zip(given, as_arrays("cov", given), strict=True))
    target = dtype
    if target is None:
        target = usm.result_type(*(arrays[k] for k in ("m", "y") if k in arrays), usm.float64)
    rows = [_rows(arrays[k], k, rowvar, target) for k in ("m", "y") if k in arrays]
    x = usm.concat(rows) if len(rows) > 1 else rows[0]
    if x.dtype.kind not in "fc":
        raise TypeError(f"cov: dtype is {x.dtype}; expected a floating point type")
    weights = _weights(arrays, x)
    ddof = int(not bias) if ddof is None else ddof
    total: Any = x.shape[1] if weights is None else usm.sum(weights)
    if "aweights" in arrays and ddof:
        squares = usm.sum(weights * usm.astype(arrays["aweights"], x.real.dtype))
        divisor = total - ddof * squares / total
    else:
        divisor = total - ddof
    distances = x - usm.average(x, 1, weights, keepdims=True)
    factors = distances if weights is None else distances * weights
    factors = (
        usm.conj(factors) if x.dtype.kind == "c" else factors
    )  # a product of an array and its own transpose is faster
    products = usm.matmul(distances, factors.T)
    # As in NumPy, a divisor below 0 counts as 0.
    result = products / (max(divisor, 0) if weights is None else usm.maximum(divisor, 0))
    return usm.squeeze(usm.astype(result, target, copy=False))


def _rows(x: usm_ndarray, argument: str, rowvar: bool, dtype: Any) -> usm_ndarray:
    """Return an array with a row for each variable."""
    if x.ndim > 2:
        raise wrong_value(x.ndim, "cov", f"{argument}.ndim", "at most 2")
    if x.ndim < 2:
        x = usm.reshape(x, (1, x.size))
    elif not rowvar and (x.shape[0] != 1 or argument == "m"):
        x = x.T
    return usm.astype(x, dtype, copy=False)


def _weights(arrays: dict[str, usm_ndarray], x: usm_ndarray) -> usm_ndarray | None:
    """Return the product of both kinds of weights, in the real type of x."""
    weights = None
    for name in ("fweights", "aweights"):
        if name not in arrays:
            continue
        one = arrays[name]
        if name == "fweights" and one.dtype.kind not in "iu":
            raise TypeError(f"cov: fweights are of data type {one.dtype}; expected integers")
        if one.shape != (x.shape[1],):
            raise wrong_value(one.shape, "cov", f"{name}.shape", f"({x.shape[1]},)")
        if usm.any(one < 0):
            raise ValueError(f"cov: an element of {name} is negative; expected 0 or more")
        one = usm.astype(one, x.real.dtype)
        weights = one if weights is None else weights * one
    return weights


@named_in_errors
def corrcoef(
    x: usm_ndarray, y: Any = None, rowvar: bool = True, *, dtype: DType = None
) -> usm_ndarray:
    """Compute Pearson correlation coefficients of variables.

    Parameters
    ----------
    x : usm_ndarray
        An array of at most two dimensions: a row for each variable, a column for each observation.
    y, rowvar, dtype
        As in `cov`.

    Returns
    -------
    usm_ndarray
        An array with a row and a column for each variable; a 0-D array for a single variable.
        NaN for a variable that does not vary.

    Raises
    ------
    TypeError, ValueError
        As from `cov`.

    Notes
    -----
    Compatible with numpy.corrcoef.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.corrcoef(usm.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]))
    usm_ndarray([[ 1., -1.],
                 [-1.,  1.]])
    """
    require_array(x, "corrcoef", "x")
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    deviations = usm.sqrt(usm.real(diagonal_of(c, 0, "diagonal")))
    c = c / deviations[:, None] / deviations[None, :]
    c.real[...] = usm.clip(usm.real(c), -1, 1)
    if c.dtype.kind == "c":
        c.imag[...] = usm.clip(usm.imag(c), -1, 1)
    return c
