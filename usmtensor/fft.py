"""Fourier transforms: the extension `fft` of the array API standard.

Transforms need a library, and raise NotImplementedError on devices without one. Frequencies and
shifts run on any device. `norm="backward"` scales the inverse transform by 1/n, "forward" scales
the forward transform by 1/n, and "ortho" scales both by 1/sqrt(n).

Examples
--------
>>> import usmtensor as usm
>>> x = usm.sin(2 * usm.pi * 3 * usm.arange(64) / 64)  # three waves
>>> usm.argmax(usm.abs(usm.fft.rfft(x)))
usm_ndarray(3)
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

import numpy.typing as npt

import usmtensor as usm
from usmtensor import usm_ndarray as _Array
from usmtensor._core import hints as _hints
from usmtensor._core.operands import copy_to_out
from usmtensor._core.typing import Out
from usmtensor._functions.arguments import axis_indices, host_values, named_in_errors
from usmtensor._libraries.dispatch import Transform
from usmtensor._runtime.arguments import integer, number, require, short_repr, wrong_value

__all__ = ["fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifft2", "ifftn"]
__all__ += ["ifftshift", "ihfft", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn"]

if not TYPE_CHECKING:  # with __getattr__, type checkers would accept any name
    __getattr__, __dir__ = _hints.of_module("usmtensor.fft")


_Norm: TypeAlias = Literal["backward", "ortho", "forward"] | None  # None is "backward"
_Axis: TypeAlias = SupportsIndex
_Points: TypeAlias = SupportsIndex | None
_Steps: TypeAlias = list[tuple[_Points, int]]
_Ints: TypeAlias = Sequence[SupportsIndex] | None

_fft = Transform("fft")
_ifft = Transform("ifft")
_rfft = Transform("rfft", real_input=True)
_irfft = Transform("irfft", real_output=True)

_REVERSE: dict[_Norm, _Norm] = {None: "forward", "backward": "forward", "forward": "backward"}


# Along one axis ----------------------------------------------------------------------------------


def fft(
    a: _Array, n: _Points = None, axis: _Axis = -1, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the discrete Fourier transform along an axis.

    Parameters
    ----------
    a : usm_ndarray
        An array of one or more dimensions, real or complex.
    n : int, optional
        The number of points: `a` is truncated or zero-padded. Default: the extent of the axis.
    axis : int
        The axis of the transform.
    norm : {"backward", "ortho", "forward"}, optional
        Normalization: "backward" scales the inverse by 1/n, "ortho" scales both directions by
        1/sqrt(n), and "forward" scales the transform by 1/n.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`, and n elements along the axis.

    Raises
    ------
    TypeError
        If `a` is not an array of single or double precision.
    AxisError
        If the axis is out of range.
    ValueError
        If there is no point to transform; if `norm` is unknown; or if `out` has another shape.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `fft.fft`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.fft(usm.asarray([1.0, 0.0, 0.0, 0.0]))
    usm_ndarray([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return copy_to_out(_fft(a, n, axis, norm), out, "fft")


def ifft(
    a: _Array, n: _Points = None, axis: _Axis = -1, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `fft`.

    Parameters
    ----------
    a, n, axis, norm, out
        As in `fft`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`, and n elements along the axis.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `fft`.

    Notes
    -----
    Source: array API 2025.12, `fft.ifft`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.ifft(usm.asarray([4.0, 0.0, 0.0, 0.0]))
    usm_ndarray([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return copy_to_out(_ifft(a, n, axis, norm), out, "ifft")


def rfft(
    a: _Array, n: _Points = None, axis: _Axis = -1, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the first half of the Fourier transform of real numbers.

    Parameters
    ----------
    a : usm_ndarray
        A real array of one or more dimensions.
    n, axis, norm, out
        As in `fft`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`, and n // 2 + 1 elements along the axis.

    Raises
    ------
    TypeError
        If `a` is not a real array of single or double precision.
    AxisError, ValueError, NotImplementedError
        As from `fft`.

    Notes
    -----
    Source: array API 2025.12, `fft.rfft`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.rfft(usm.asarray([1.0, 0.0, 0.0, 0.0]))
    usm_ndarray([1.+0.j, 1.+0.j, 1.+0.j])
    """
    return copy_to_out(_rfft(a, n, axis, norm), out, "rfft")


def irfft(
    a: _Array, n: _Points = None, axis: _Axis = -1, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `rfft`.

    Parameters
    ----------
    a : usm_ndarray
        The first half of a Hermitian spectrum. The imaginary part of the first element is treated
        as 0, and for even n also that of the last element.
    n : int, optional
        The number of elements of the result along the axis. Default: 2 * (m - 1), where `a` has m.
    axis, norm, out
        As in `fft`.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `fft`.

    Notes
    -----
    Source: array API 2025.12, `fft.irfft`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.irfft(usm.asarray([4.0 + 0j, 0.0, 0.0]))
    usm_ndarray([1., 1., 1., 1.])
    """
    return copy_to_out(_irfft(a, n, axis, norm), out, "irfft")


@named_in_errors
def hfft(
    a: _Array, n: _Points = None, axis: _Axis = -1, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the Fourier transform of a Hermitian signal, which is real.

    Parameters
    ----------
    a : usm_ndarray
        The first half of the signal.
    n : int, optional
        The number of elements of the result along the axis. Default: 2 * (m - 1), where `a` has m.
    axis, norm, out
        As in `fft`.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `fft`.

    Notes
    -----
    Source: array API 2025.12, `fft.hfft`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.hfft(usm.asarray([1.0, 0.0, 0.0]))
    usm_ndarray([1., 1., 1., 1.])
    """
    conjugate = usm.conj(a) if isinstance(a, _Array) and a.dtype.kind == "c" else a
    return copy_to_out(_irfft(conjugate, n, axis, _REVERSE.get(norm, norm), "hfft"), out, "hfft")


@named_in_errors
def ihfft(
    a: _Array, n: _Points = None, axis: _Axis = -1, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `hfft`.

    Parameters
    ----------
    a : usm_ndarray
        A real array of one or more dimensions.
    n, axis, norm, out
        As in `fft`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`, and n // 2 + 1 elements along the axis.

    Raises
    ------
    TypeError
        If `a` is not a real array of single or double precision.
    AxisError, ValueError, NotImplementedError
        As from `fft`.

    Notes
    -----
    Source: array API 2025.12, `fft.ihfft`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.ihfft(usm.asarray([1.0, 1.0, 1.0, 1.0]))
    usm_ndarray([1.-0.j, 0.-0.j, 0.-0.j])
    """
    result = _rfft(a, n, axis, _REVERSE.get(norm, norm), "ihfft")
    return copy_to_out(usm.conj(result, out=result), out, "ihfft")


# Along several axes ------------------------------------------------------------------------------


def _steps(x: _Array, s: Any, axes: Any, function: str) -> _Steps:
    """The number of points for each axis, and the axis, counted from the front."""
    require(x, _Array, function, "a")
    if axes is None:
        if s is not None:
            raise ValueError(f"{function}: s is given without axes; expected both")
        axes = range(x.ndim)
    axes = axis_indices(_listed(axes), x.ndim, function, "axes")
    points = [None] * len(axes) if s is None else list(s)
    if len(points) != len(axes):
        raise ValueError(
            f"{function}: s has {len(points)} elements; expected {len(axes)}, as axes has"
        )
    if not axes:
        raise ValueError(f"{function}: axes is {axes}; expected one or more")
    return [(x.shape[axis] if n == -1 else n, axis) for n, axis in zip(points, axes, strict=True)]


def _listed(axes: Any) -> Any:
    """Convert sequences and iterators of axes for axis_indices()."""
    axes = host_values(axes)
    return tuple(axes) if isinstance(axes, Iterable) else axes


def _along(transform: Transform, x: _Array, steps: _Steps, norm: _Norm, function: str) -> _Array:
    """Transform along each axis, beginning with the last one."""
    for n, axis in reversed(steps):
        x = transform(x, n, axis, norm, function)
    return x


@named_in_errors
def fftn(
    a: _Array, s: _Ints = None, axes: _Ints = None, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the discrete Fourier transform along several axes.

    Parameters
    ----------
    a : usm_ndarray
        An array of one or more dimensions, real or complex.
    s : sequence of int, optional
        The number of points along each of `axes`, which are then required. `a` is truncated or
        zero-padded; -1 means the extent of `a`. Default: the extents of `a`.
    axes : sequence of int, optional
        The axes of the transform. Default: all.
    norm : {"backward", "ortho", "forward"}, optional
        Normalization: "backward" scales the inverse by 1/n, "ortho" scales both directions by
        1/sqrt(n), and "forward" scales the transform by 1/n.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`.

    Raises
    ------
    TypeError
        If `a` is not an array of single or double precision.
    AxisError
        If an axis is out of range.
    ValueError
        If there is no point to transform; if `s` and `axes` do not match; if an axis is given
        twice; if `norm` is unknown; or if `out` has another shape.
    NotImplementedError
        If the device has no library.

    Notes
    -----
    Source: array API 2025.12, `fft.fftn`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.fftn(usm.ones((2, 2)))
    usm_ndarray([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """
    return copy_to_out(_along(_fft, a, _steps(a, s, axes, "fftn"), norm, "fftn"), out, "fftn")


@named_in_errors
def ifftn(
    a: _Array, s: _Ints = None, axes: _Ints = None, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `fftn`.

    Parameters
    ----------
    a, s, axes, norm, out
        As in `fftn`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `fftn`.

    Notes
    -----
    Source: array API 2025.12, `fft.ifftn`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> usm.real(usm.fft.ifftn(usm.fft.fftn(x)))
    usm_ndarray([[1., 2.],
                 [3., 4.]])
    """
    return copy_to_out(_along(_ifft, a, _steps(a, s, axes, "ifftn"), norm, "ifftn"), out, "ifftn")


@named_in_errors
def rfftn(
    a: _Array, s: _Ints = None, axes: _Ints = None, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the Fourier transform of real numbers: the first half along the last axis.

    Parameters
    ----------
    a : usm_ndarray
        A real array of one or more dimensions.
    s, axes, norm, out
        As in `fftn`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`, and s[-1] // 2 + 1 elements along the last of the axes.

    Raises
    ------
    TypeError
        If `a` is not a real array of single or double precision.
    AxisError, ValueError, NotImplementedError
        As from `fftn`.

    Notes
    -----
    Source: array API 2025.12, `fft.rfftn`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.rfftn(usm.ones((2, 4)))
    usm_ndarray([[8.+0.j, 0.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    *others, (n, axis) = _steps(a, s, axes, "rfftn")
    return copy_to_out(
        _along(_fft, _rfft(a, n, axis, norm, "rfftn"), others, norm, "rfftn"), out, "rfftn"
    )


@named_in_errors
def irfftn(
    a: _Array, s: _Ints = None, axes: _Ints = None, norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `rfftn`.

    Parameters
    ----------
    a : usm_ndarray
        The first half of a Hermitian spectrum along the last of the axes.
    s : sequence of int, optional
        The extents of the result along the axes. Default: the extents of `a`, except 2 * (m - 1)
        for the last axis, where `a` has m.
    axes, norm, out
        As in `fftn`.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `fftn`.

    Notes
    -----
    Source: array API 2025.12, `fft.irfftn`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> usm.fft.irfftn(usm.fft.rfftn(x))
    usm_ndarray([[1., 2.],
                 [3., 4.]])
    """
    *others, (n, axis) = _steps(a, s, axes, "irfftn")
    return copy_to_out(
        _irfft(_along(_ifft, a, others, norm, "irfftn"), n, axis, norm, "irfftn"), out, "irfftn"
    )


@named_in_errors
def fft2(
    a: _Array, s: _Ints = None, axes: _Ints = (-2, -1), norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the discrete Fourier transform along two axes: `fftn` with other default axes.

    Parameters
    ----------
    a : usm_ndarray
        An array of two or more dimensions, real or complex.
    s : sequence of int, optional
        The number of points along each of the axes. Default: all.
    axes : sequence of int
        The axes of the transform.
    norm, out
        As in `fftn`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `fftn`.

    Notes
    -----
    Compatible with numpy.fft.fft2.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.fft2(usm.ones((2, 2)))
    usm_ndarray([[4.+0.j, 0.+0.j],
                 [0.+0.j, 0.+0.j]])
    """
    return fftn(a, s, axes, norm, out)


@named_in_errors
def ifft2(
    a: _Array, s: _Ints = None, axes: _Ints = (-2, -1), norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `fft2`.

    Parameters
    ----------
    a, s, axes
        As in `fft2`.
    norm, out
        As in `ifftn`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `ifftn`.

    Notes
    -----
    Compatible with numpy.fft.ifft2.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.ifft2(usm.ones((2, 2))).shape
    (2, 2)
    """
    return ifftn(a, s, axes, norm, out)


@named_in_errors
def rfft2(
    a: _Array, s: _Ints = None, axes: _Ints = (-2, -1), norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the transform of real numbers along two axes: `rfftn` with other default axes.

    Parameters
    ----------
    a : usm_ndarray
        An array of two or more dimensions, real.
    s, axes
        As in `fft2`.
    norm, out
        As in `rfftn`.

    Returns
    -------
    usm_ndarray
        Complex, of the precision of `a`; n // 2 + 1 elements along the last of the axes.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `rfftn`.

    Notes
    -----
    Compatible with numpy.fft.rfft2.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.rfft2(usm.ones((2, 2))).shape
    (2, 2)
    """
    return rfftn(a, s, axes, norm, out)


@named_in_errors
def irfft2(
    a: _Array, s: _Ints = None, axes: _Ints = (-2, -1), norm: _Norm = "backward", out: Out = None
) -> _Array:
    """Compute the inverse of `rfft2`.

    Parameters
    ----------
    a, s, axes
        As in `fft2`.
    norm, out
        As in `irfftn`.

    Returns
    -------
    usm_ndarray
        Real, of the precision of `a`.

    Raises
    ------
    TypeError, AxisError, ValueError, NotImplementedError
        As from `irfftn`.

    Notes
    -----
    Compatible with numpy.fft.irfft2.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.irfft2(usm.ones((2, 2))).shape
    (2, 2)
    """
    return irfftn(a, s, axes, norm, out)


# Frequencies and shifts --------------------------------------------------------------------------


def _frequencies(
    n: SupportsIndex, d: float, dtype: npt.DTypeLike | None, device: Any, function: str
) -> tuple[_Array, float]:
    """Return the numbers 0 to n - 1, and the frequency of index 1."""
    count: int = integer(n, function, "n")
    if count < 1:
        raise wrong_value(n, function, "n", "a positive number of points")
    if dtype is None:
        dtype = usm.__array_namespace_info__().default_dtypes(device=device)["real floating"]
    elif not usm.isdtype(dtype, "real floating"):
        expected = "a real floating point type"
        raise TypeError(f"{function}: dtype is {short_repr(dtype)}; expected {expected}")
    distance = number(d, function, "d")
    if not distance:
        raise wrong_value(d, function, "d", "a distance other than zero")
    return usm.arange(count, dtype=dtype, device=device), 1.0 / (count * distance)


@named_in_errors
def fftfreq(
    n: SupportsIndex, d: float = 1.0, *, dtype: npt.DTypeLike | None = None, device: Any = None
) -> _Array:
    """Return the frequencies of the elements in a result of `fft`.

    Parameters
    ----------
    n : int
        The number of points.
    d : float
        The distance between neighbouring points.
    dtype : data type, optional
        Real. Default: the device's floating point type.
    device : Device, SyclQueue, SyclDevice or filter string, optional
        The device of the result. Default: the default device.

    Returns
    -------
    usm_ndarray
        An array of shape (n,): 0, 1, ..., then the negative numbers in ascending order, divided by
        n * d.

    Raises
    ------
    TypeError
        If `n` is not an integer, or `dtype` is not real.
    ValueError
        If `n` is not positive, or `d` is zero.

    Notes
    -----
    Source: array API 2025.12, `fft.fftfreq`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.fftfreq(4)
    usm_ndarray([ 0.  ,  0.25, -0.5 , -0.25])
    """
    steps, first = _frequencies(n, d, dtype, device, "fftfreq")
    steps[(steps.size + 1) // 2 :] -= steps.size
    steps *= first
    return steps


@named_in_errors
def rfftfreq(
    n: SupportsIndex, d: float = 1.0, *, dtype: npt.DTypeLike | None = None, device: Any = None
) -> _Array:
    """Return the frequencies of the elements in a result of `rfft`.

    Parameters
    ----------
    n, d, dtype, device
        As in `fftfreq`.

    Returns
    -------
    usm_ndarray
        An array of shape (n // 2 + 1,): 0, 1, ..., n // 2, divided by n * d.

    Raises
    ------
    TypeError, ValueError
        As from `fftfreq`.

    Notes
    -----
    Source: array API 2025.12, `fft.rfftfreq`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.rfftfreq(4)
    usm_ndarray([0.  , 0.25, 0.5 ])
    """
    steps, first = _frequencies(n, d, dtype, device, "rfftfreq")
    return usm.multiply(steps[: steps.size // 2 + 1], first)


@named_in_errors
def fftshift(x: _Array, axes: _Axis | _Ints = None) -> _Array:
    """Move the frequency 0 of a spectrum to the middle.

    Parameters
    ----------
    x : usm_ndarray
        A spectrum in the order of `fft`.
    axes : int or sequence of int, optional
        The axes to move. Default: all.

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `x`.

    Raises
    ------
    TypeError
        If `x` is not an array.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Source: array API 2025.12, `fft.fftshift`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.fftshift(usm.fft.fftfreq(4))
    usm_ndarray([-0.5 , -0.25,  0.  ,  0.25])
    """
    return _shifted(x, axes, "fftshift", 0)


@named_in_errors
def ifftshift(x: _Array, axes: _Axis | _Ints = None) -> _Array:
    """Compute the inverse of `fftshift`.

    Parameters
    ----------
    x : usm_ndarray
        A spectrum with the frequency 0 in the middle.
    axes : int or sequence of int, optional
        The axes to move. Default: all.

    Returns
    -------
    usm_ndarray
        An array of the shape and type of `x`.

    Raises
    ------
    TypeError, AxisError
        As from `fftshift`.

    Notes
    -----
    Source: array API 2025.12, `fft.ifftshift`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fft.ifftshift(usm.asarray([1, 2, 3, 4]))
    usm_ndarray([3, 4, 1, 2])
    """
    return _shifted(x, axes, "ifftshift", 1)


def _shifted(x: _Array, axes: Any, function: str, added: int) -> _Array:
    """The elements moved by half of each extent, or by the other half."""
    require(x, _Array, function, "x")
    axes = axis_indices(_listed(axes), x.ndim, function, "axes")
    return usm.roll(x, [(x.shape[axis] + added) // 2 for axis in axes], axis=axes)
