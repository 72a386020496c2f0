"""Window functions, and logarithmic ranges."""

import cmath
import math
from typing import Any, SupportsIndex

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import DType
from usmtensor._functions.arguments import location, named_in_errors
from usmtensor._functions.elementwise import i0
from usmtensor._runtime.arguments import integer, number, wrong_value

__all__ = ["bartlett", "blackman", "geomspace", "hamming", "hanning", "kaiser", "logspace"]


def _centered(M: Any, function: str, placement: dict[str, Any]) -> tuple[int, usm_ndarray]:
    """Return the number of points, and the numbers 1 - M, 3 - M, ..., M - 1."""
    count: int = integer(M, function, "M")
    real = usm.__array_namespace_info__().default_dtypes(
        device=placement["sycl_queue"] or placement["device"]
    )
    return count, usm.arange(1 - count, max(count, 0), 2, dtype=real["real floating"], **placement)


def _cosines(
    M: Any, factors: tuple[float, ...], function: str, placement: dict[str, Any]
) -> usm_ndarray:
    """Return a sum of cosines of multiples of the angle."""
    count, n = _centered(M, function, placement)
    if count == 1:
        return usm.ones_like(n)
    result = usm.full_like(n, factors[0])
    for k, factor in enumerate(factors[1:], 1):
        result = result + factor * usm.cos(n * (math.pi * k / (count - 1)))
    return result


@named_in_errors
def hanning(
    M: SupportsIndex, *, device: Any = None, usm_type: Any = "device", sycl_queue: Any = None
) -> usm_ndarray:
    """Return the Hann window, a raised cosine.

    Parameters
    ----------
    M : int
        The number of points; the result is empty if it is less than 1.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the default floating point type; the largest value is 1 for an
        odd `M`.

    Raises
    ------
    TypeError
        If `M` is not an integer.

    Notes
    -----
    Compatible with numpy.hanning.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.hanning(5)
    usm_ndarray([0. , 0.5, 1. , 0.5, 0. ])
    """
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return _cosines(M, (0.5, 0.5), "hanning", placement)


@named_in_errors
def hamming(
    M: SupportsIndex, *, device: Any = None, usm_type: Any = "device", sycl_queue: Any = None
) -> usm_ndarray:
    """Return the Hamming window, a weighted cosine.

    Parameters
    ----------
    M, device, usm_type, sycl_queue
        As in `hanning`.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the default floating point type; the largest value is 1 for an
        odd `M`.

    Raises
    ------
    TypeError
        If `M` is not an integer.

    Notes
    -----
    Compatible with numpy.hamming.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.hamming(3)
    usm_ndarray([0.08, 1.  , 0.08])
    """
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return _cosines(M, (0.54, 0.46), "hamming", placement)


@named_in_errors
def blackman(
    M: SupportsIndex, *, device: Any = None, usm_type: Any = "device", sycl_queue: Any = None
) -> usm_ndarray:
    """Return the Blackman window, a sum of three cosines.

    Parameters
    ----------
    M, device, usm_type, sycl_queue
        As in `hanning`.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the default floating point type; the largest value is 1 for an
        odd `M`.

    Raises
    ------
    TypeError
        If `M` is not an integer.

    Notes
    -----
    Compatible with numpy.blackman.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.blackman(1)
    usm_ndarray([1.])
    """
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    return _cosines(M, (0.42, 0.5, 0.08), "blackman", placement)


@named_in_errors
def bartlett(
    M: SupportsIndex, *, device: Any = None, usm_type: Any = "device", sycl_queue: Any = None
) -> usm_ndarray:
    """Return the Bartlett window, a triangle.

    Parameters
    ----------
    M, device, usm_type, sycl_queue
        As in `hanning`.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the default floating point type; the largest value is 1 for an
        odd `M`.

    Raises
    ------
    TypeError
        If `M` is not an integer.

    Notes
    -----
    Compatible with numpy.bartlett.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.bartlett(5)
    usm_ndarray([0. , 0.5, 1. , 0.5, 0. ])
    """
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}

    count, n = _centered(M, "bartlett", placement)
    return usm.ones_like(n) if count == 1 else 1 - usm.abs(n) / (count - 1)


@named_in_errors
def kaiser(
    M: SupportsIndex,
    beta: float,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> usm_ndarray:
    """Return the Kaiser window, which uses a modified Bessel function.

    Parameters
    ----------
    M : int
        The number of points; the result is empty if it is less than 1.
    beta : float
        The shape parameter: larger numbers give a narrower window.
    device, usm_type, sycl_queue
        As in `hanning`.

    Returns
    -------
    usm_ndarray
        A 1-D array, of the default floating point type; the largest value is 1 for an
        odd `M`.

    Raises
    ------
    TypeError
        If `M` is not an integer.

    Notes
    -----
    Compatible with numpy.kaiser.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.kaiser(3, 0)
    usm_ndarray([1., 1., 1.])
    """
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}

    count, n = _centered(M, "kaiser", placement)
    shape = number(beta, "kaiser", "beta")
    if count == 1:
        return usm.ones_like(n)
    inside = usm.maximum(1 - usm.square(n / (count - 1)), 0)
    return i0(shape * usm.sqrt(inside)) / i0(usm.full_like(n[:1], shape))


@named_in_errors
def logspace(
    start: Any,
    stop: Any,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: DType = None,
    axis: SupportsIndex = 0,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> usm_ndarray:
    """Return powers of a base with evenly spaced exponents.

    Parameters
    ----------
    start, stop : number or usm_ndarray
        The first and the last exponent.
    num : int
        The number of samples.
    endpoint : bool
        If True, the power of `stop` is the last number. Otherwise it is not included.
    base : number or usm_ndarray
    dtype : data type, optional
        Default: the default floating point type, or the type of the arrays.
    axis : int
        The axis of the numbers if `start` or `stop` is an array.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `num` is not an integer.
    ValueError
        If `num` is negative.

    Notes
    -----
    Compatible with numpy.logspace.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.logspace(0, 3, 4)
    usm_ndarray([   1.,   10.,  100., 1000.])
    """
    exponents = _even(
        start, stop, num, endpoint, device=device, usm_type=usm_type, sycl_queue=sycl_queue
    )
    if isinstance(base, usm_ndarray) and base.ndim > exponents.ndim - 1:
        missing = (1,) * (base.ndim - exponents.ndim + 1)
        exponents = usm.reshape(exponents, (exponents.shape[0], *missing, *exponents.shape[1:]))
    result = usm.pow(base, exponents)
    result = result if dtype is None else usm.astype(result, dtype)
    return usm.moveaxis(result, 0, axis) if result.ndim > 1 else result


def _even(start: Any, stop: Any, num: Any, endpoint: bool, **placement: Any) -> usm_ndarray:
    """Return evenly spaced numbers along the first axis."""
    if isinstance(start, usm_ndarray) or isinstance(stop, usm_ndarray):
        given = start if isinstance(start, usm_ndarray) else stop
        placement = location(given)
    return usm.linspace(start, stop, num, endpoint, **placement)


@named_in_errors
def geomspace(
    start: Any,
    stop: Any,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    dtype: DType = None,
    axis: SupportsIndex = 0,
    *,
    device: Any = None,
    usm_type: Any = "device",
    sycl_queue: Any = None,
) -> usm_ndarray:
    """Return the numbers of a geometric sequence.

    Parameters
    ----------
    start, stop : number
        The first and the last number, real or complex.
    num : int
        The number of samples.
    endpoint : bool
        If True, `stop` is the last number. Otherwise it is not included.
    dtype : data type, optional
        Default: the default floating point type.
    axis : int
        Accepted for compatibility; the result has one axis.
    device, usm_type, sycl_queue
        As in `logspace`.

    Returns
    -------
    usm_ndarray
        The first number is `start`, and with `endpoint` the last one is `stop`.

    Raises
    ------
    TypeError
        If `num` is not an integer, or a bound is not a number.
    ValueError
        If `num` is negative, or a bound is 0.

    Notes
    -----
    Compatible with numpy.geomspace for numbers.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.geomspace(1, 1000, 4)
    usm_ndarray([   1.,   10.,  100., 1000.])
    """
    for value, name in ((start, "start"), (stop, "stop")):
        if isinstance(value, usm_ndarray) and value.ndim > 0:
            raise wrong_value(value.shape, "geomspace", f"{name}.shape", "no dimensions")
        if not isinstance(value, complex):
            number(value, "geomspace", name)
        if value == 0:
            raise wrong_value(value, "geomspace", name, "another number than 0")
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    ratio = complex(stop) / complex(start) if is_complex else stop / start
    if not is_complex and ratio < 0:
        raise wrong_value((start, stop), "geomspace", "start, stop", "two numbers of one sign")
    # Powers of 10, with exponents from 0 to the logarithm of the quotient.
    if is_complex:
        logarithm: complex = cmath.log10(ratio)
    elif 0 < ratio < math.inf:
        logarithm = math.log10(ratio)
    else:  # the quotient is out of range of floating point numbers
        logarithm = math.log10(abs(stop)) - math.log10(abs(start))
    exponents = usm.linspace(
        0.0, logarithm, num, endpoint, device=device, usm_type=usm_type, sycl_queue=sycl_queue
    )
    if abs(logarithm) < 300:
        result = start * usm.pow(10.0, exponents)
    else:  # the powers may be out of range
        half = usm.pow(10.0, exponents / 2)
        result = start * half * half
    if result.size:
        result[0] = start
        if endpoint and result.size > 1:
            result[-1] = stop
    if dtype is None:
        return result
    return usm.astype(result, dtype, copy=False)
