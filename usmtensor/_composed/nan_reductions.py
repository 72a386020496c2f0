"""Reductions and scans that ignore NaN."""

from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._composed.host_ufuncs import reduce_by_numpy
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import copy_to_out
from usmtensor._core.typing import Axes, Axis, DType, Mask, Out
from usmtensor._functions.arguments import (
    axis_indices,
    merge_axes_last,
    named_in_errors,
    require_array,
)

__all__ = ["nanargmax", "nanargmin", "nancumprod", "nancumsum", "nanmax", "nanmean", "nanmedian"]
__all__ += ["nanmin", "nanprod", "nanstd", "nansum", "nanvar"]


def _can_be_nan(a: usm_ndarray) -> bool:
    return a.dtype.kind in "fc"


def _replace_nan(a: Any, value: float, function: str) -> usm_ndarray:
    """Replace NaN with a value."""
    a = require_array(a, function)
    return usm.where(usm.isnan(a), value, a) if _can_be_nan(a) else a


def _numbers(a: usm_ndarray) -> usm_ndarray:
    """Return a mask of the elements that are not NaN."""
    return usm.logical_not(usm.isnan(a))


def _mask_of_numbers(a: usm_ndarray, where: Mask) -> Mask:
    """Return a mask of the elements that are not NaN and that `where` selects."""
    if not _can_be_nan(a):
        return where
    found = _numbers(a)
    return found if where is None else found & usm.asarray(where, sycl_queue=a.sycl_queue)


@named_in_errors
def nansum(
    a: usm_ndarray,
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    keepdims: bool = False,
    initial: float | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """The sum of the elements that are not NaN, along axes.

    Parameters
    ----------
    a : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce. Default: all axes.
    dtype : data type, optional
        The elements are converted to this type first. Default: as in `sum`.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.
    keepdims : bool
        If True, the result keeps the reduced axes with extent 1.
    initial : number, optional
        The initial value.
    where : usm_ndarray or numpy.ndarray, optional
        A mask of the elements to include. It broadcasts with `a`.

    Returns
    -------
    usm_ndarray
        0 where there are no such elements.

    Raises
    ------
    TypeError
        If `a` is not an array, or an axis is not an integer.
    ValueError
        If an axis is given twice, or `out` has another shape or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.nansum.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nansum(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(4.)
    """
    filled = _replace_nan(a, 0, "nansum")
    return usm.sum(filled, axis, dtype, out, keepdims, initial, where)


@named_in_errors
def nanprod(
    a: usm_ndarray,
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    keepdims: bool = False,
    initial: float | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """The product of the elements that are not NaN, along axes.

    Parameters
    ----------
    a : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce. Default: all axes.
    dtype : data type, optional
        The elements are converted to this type first. Default: as in `prod`.
    out, keepdims, initial, where
        As in `nansum`.

    Returns
    -------
    usm_ndarray
        1 where there are no such elements.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `nansum`.

    Notes
    -----
    Compatible with numpy.nanprod.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanprod(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(3.)
    """
    filled = _replace_nan(a, 1, "nanprod")
    return usm.prod(filled, axis, dtype, out, keepdims, initial, where)


@named_in_errors
def nanmax(
    a: usm_ndarray,
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
    initial: float | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """The largest of the elements that are not NaN, along axes.

    Parameters
    ----------
    a, axis, out, keepdims, initial, where
        As in `nansum`.

    Returns
    -------
    usm_ndarray
        An array of the type of `a`; NaN where all elements are NaN.

    Raises
    ------
    TypeError
        If `a` is not an array, or an axis is not an integer.
    ValueError
        If there is no element to reduce; if an axis is given twice; or if `out` has another shape
        or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    NumPy also warns where all elements are NaN. Compatible with numpy.nanmax.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanmax(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(3.)
    """
    result = _extremum(usm.max, -usm.inf, numpy.fmax, a, axis, keepdims, initial, where)
    return copy_to_out(result, out, "nanmax")


@named_in_errors
def nanmin(
    a: usm_ndarray,
    axis: Axes = None,
    out: Out = None,
    keepdims: bool = False,
    initial: float | None = None,
    where: Mask = None,
) -> usm_ndarray:
    """The smallest of the elements that are not NaN, along axes.

    Parameters
    ----------
    a, axis, out, keepdims, initial, where
        As in `nansum`.

    Returns
    -------
    usm_ndarray
        An array of the type of `a`; NaN where all elements are NaN.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `nanmax`.

    Notes
    -----
    NumPy also warns where all elements are NaN. Compatible with numpy.nanmin.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanmin(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(1.)
    """
    result = _extremum(usm.min, usm.inf, numpy.fmin, a, axis, keepdims, initial, where)
    return copy_to_out(result, out, "nanmin")


def _extremum(
    reduction: Any,
    least: float,
    ufunc: numpy.ufunc,
    a: Any,
    axis: Axes,
    keepdims: bool,
    initial: float | None,
    where: Mask,
) -> usm_ndarray:
    """Return the extremum of the elements that are not NaN. `least` replaces NaN."""
    name = f"nan{reduction.__name__}"
    a = require_array(a, name)
    if not _can_be_nan(a):
        return reduction(a, axis, None, keepdims, initial, where)
    if a.size and initial is None and where is None:
        result = reduce_by_numpy(ufunc, a, axis_indices(axis, a.ndim, name), keepdims)
        if result is not None:
            return result
    is_nan = usm.isnan(a)
    result = reduction(usm.where(is_nan, least, a), axis, None, keepdims, initial, where)
    if initial is None:
        result = usm.where(usm.all(is_nan, axis, keepdims=keepdims), usm.nan, result)
    return result


@named_in_errors
def nanargmax(
    a: usm_ndarray, axis: Axis = None, out: Out = None, *, keepdims: bool = False
) -> usm_ndarray:
    """The index of the largest of the elements that are not NaN, along an axis.

    Parameters
    ----------
    a : usm_ndarray
    axis : int, optional
        The axis to search. Default: `a` is flattened in C order.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.
    keepdims : bool
        If True, the result keeps the reduced axes with extent 1.

    Returns
    -------
    usm_ndarray
        An array of the default index type.

    Raises
    ------
    TypeError
        If `a` is not an array, or an axis is not an integer.
    ValueError
        If there is no element, or all elements along the axis are NaN; or if `out` has another
        shape or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Waits if `a` can hold NaN. Compatible with numpy.nanargmax.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanargmax(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(2)
    """
    return _index_of(usm.argmax, a, -usm.inf, axis, out, keepdims, "nanargmax")


def _index_of(
    find: Any, a: usm_ndarray, value: float, axis: Axis, out: Out, keepdims: bool, function: str
) -> usm_ndarray:
    """Return the index that a function finds with a value in place of NaN."""
    result = find(_replace_nan(a, value, function), axis=axis, keepdims=keepdims)
    if _can_be_nan(a) and not usm.all(usm.any(_numbers(a), axis)):
        raise ValueError(
            f"{function}: All-NaN slice encountered"
        )  # xarray checks for NumPy's message
    return copy_to_out(result, out, function)


@named_in_errors
def nanargmin(
    a: usm_ndarray, axis: Axis = None, out: Out = None, *, keepdims: bool = False
) -> usm_ndarray:
    """The index of the smallest of the elements that are not NaN, along an axis.

    Parameters
    ----------
    a, axis, out, keepdims
        As in `nanargmax`.

    Returns
    -------
    usm_ndarray
        An array of the default index type.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `nanargmax`.

    Notes
    -----
    Waits if `a` can hold NaN. Compatible with numpy.nanargmin.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanargmin(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(0)
    """
    return _index_of(usm.argmin, a, usm.inf, axis, out, keepdims, "nanargmin")


@named_in_errors
def nancumsum(
    a: usm_ndarray, axis: Axis = None, dtype: DType = None, out: Out = None
) -> usm_ndarray:
    """Cumulative sums of the elements along an axis, with 0 in place of NaN.

    Parameters
    ----------
    a : usm_ndarray
    axis : int, optional
        The axis to scan. Default: `a` is flattened in C order.
    dtype : data type, optional
        The elements are converted to this type first. Default: as in `cumulative_sum`.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.

    Returns
    -------
    usm_ndarray
        An array of the shape of `a`, or of one dimension.

    Raises
    ------
    TypeError
        If `a` is not an array, or an axis is not an integer.
    ValueError
        If `out` has another shape or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Compatible with numpy.nancumsum.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nancumsum(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray([1., 1., 4.])
    """
    filled = _replace_nan(a, 0, "nancumsum")
    if axis is None:
        filled, axis = usm.reshape(filled, -1), 0
    return usm.cumulative_sum(filled, axis=axis, dtype=dtype, out=out)


@named_in_errors
def nancumprod(
    a: usm_ndarray, axis: Axis = None, dtype: DType = None, out: Out = None
) -> usm_ndarray:
    """Cumulative products of the elements along an axis, with 1 in place of NaN.

    Parameters
    ----------
    a : usm_ndarray
    axis : int, optional
        The axis to scan. Default: `a` is flattened in C order.
    dtype : data type, optional
        The elements are converted to this type first. Default: as in `cumulative_prod`.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.

    Returns
    -------
    usm_ndarray
        An array of the shape of `a`, or of one dimension.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `nancumsum`.

    Notes
    -----
    Compatible with numpy.nancumprod.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nancumprod(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray([1., 1., 3.])
    """
    filled = _replace_nan(a, 1, "nancumprod")
    if axis is None:
        filled, axis = usm.reshape(filled, -1), 0
    return usm.cumulative_prod(filled, axis=axis, dtype=dtype, out=out)


@named_in_errors
def nanmean(
    a: usm_ndarray,
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    keepdims: bool = False,
    *,
    where: Mask = None,
) -> usm_ndarray:
    """The mean of the elements that are not NaN, along axes.

    Parameters
    ----------
    a : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce. Default: all axes.
    dtype : data type, optional
        The elements are converted to this type first. Default: the type of `a`; for integers and
        bools the default floating point type.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.
    keepdims : bool
        If True, the result keeps the reduced axes with extent 1.
    where : usm_ndarray or numpy.ndarray, optional
        A mask of the elements to include. It broadcasts with `a`.

    Returns
    -------
    usm_ndarray
        NaN where there are no such elements.

    Raises
    ------
    TypeError
        If `a` is not an array, or an axis is not an integer.
    ValueError
        If an axis is given twice, or `out` has another shape or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    float16 is added in float32. NumPy also warns where there are no elements.
    Compatible with numpy.nanmean.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanmean(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(2.)
    """
    a = _of_type(a, dtype, "nanmean")
    return usm.mean(a, axis, None, out, keepdims, where=_mask_of_numbers(a, where))


def _of_type(a: Any, dtype: DType, function: str) -> usm_ndarray:
    a = require_array(a, function)
    return a if dtype is None else usm.astype(a, dtype, copy=False)


@named_in_errors
def nanvar(
    a: usm_ndarray,
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
    where: Mask = None,
    mean: usm_ndarray | None = None,
) -> usm_ndarray:
    """The variance of the elements that are not NaN, along axes.

    Parameters
    ----------
    a, axis, dtype, out
        As in `nanmean`.
    ddof, correction : float
        The number to subtract from the number of elements in the divisor. `correction` is the array
        API's name.
    keepdims : bool
        If True, the result keeps the reduced axes with extent 1.
    where : usm_ndarray or numpy.ndarray, optional
        A mask of the elements to include. It broadcasts with `a`.
    mean : usm_ndarray, optional
        The means, if they are known, with the reduced axes. Default: they are computed.

    Returns
    -------
    usm_ndarray
        Real. NaN where there are not more such elements than `ddof`.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `nanmean`.

    Notes
    -----
    float16 is added in float32. NumPy also warns where there are too few elements.
    Compatible with numpy.nanvar.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanvar(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(1.)
    """
    a = _of_type(a, dtype, "nanvar")
    counted = _mask_of_numbers(a, where)
    return usm.var(
        a, axis, None, out, ddof, keepdims, correction=correction, where=counted, mean=mean
    )


@named_in_errors
def nanstd(
    a: usm_ndarray,
    axis: Axes = None,
    dtype: DType = None,
    out: Out = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
    where: Mask = None,
    mean: usm_ndarray | None = None,
) -> usm_ndarray:
    """The standard deviation of the elements that are not NaN, along axes.

    Parameters
    ----------
    a, axis, dtype, out
        As in `nanmean`.
    ddof, correction, keepdims, where
        As in `nanvar`.
    mean : usm_ndarray, optional
        The means, if they are known, with the reduced axes. Default: they are computed.

    Returns
    -------
    usm_ndarray
        Real. NaN where there are not more such elements than `ddof`.

    Raises
    ------
    TypeError, ValueError, AxisError
        As from `nanmean`.

    Notes
    -----
    float16 is added in float32. NumPy also warns where there are too few elements.
    Compatible with numpy.nanstd.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanstd(usm.asarray([1.0, usm.nan, 3.0]))
    usm_ndarray(1.)
    """
    a = _of_type(a, dtype, "nanstd")
    counted = _mask_of_numbers(a, where)
    return usm.std(
        a, axis, None, out, ddof, keepdims, correction=correction, where=counted, mean=mean
    )


@named_in_errors
def nanmedian(
    a: usm_ndarray,
    axis: Axes = None,
    out: Out = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
) -> usm_ndarray:
    """The median of the elements that are not NaN, along axes.

    Parameters
    ----------
    a : usm_ndarray
    axis : int or tuple of int, optional
        The axes to reduce. Default: all axes.
    out : usm_ndarray, optional
        An array for the result. It has the result's shape, and may overlap `a`.
    overwrite_input : bool
        Accepted for compatibility, and ignored: `a` does not change.
    keepdims : bool
        If True, the result keeps the reduced axes with extent 1.

    Returns
    -------
    usm_ndarray
        An array of the type of `a`, of the default floating point type for integers and bools; NaN
        where all elements are NaN.

    Raises
    ------
    TypeError
        If `a` is not an array, or an axis is not an integer.
    ValueError
        If an axis is given twice, or `out` has another shape or is read-only.
    AxisError
        If an axis is out of range.

    Notes
    -----
    Waits for all elements of an array. NumPy also warns where all elements are NaN.
    Compatible with numpy.nanmedian.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.nanmedian(usm.asarray([1.0, usm.nan, 3.0, 4.0]))
    usm_ndarray(3.)
    """
    a = require_array(a, "nanmedian")
    if not _can_be_nan(a):
        return usm.median(a, axis, keepdims=keepdims, out=out)
    axes = axis_indices(axis, a.ndim, "nanmedian")
    lines = merge_axes_last(a, axes)
    if lines.ndim == 1 or lines.size == 0:
        result = usm.median(lines[_numbers(lines)] if lines.ndim == 1 else lines, -1)
    else:
        lines = usm.sort(lines)
        count = usm.count_nonzero(_numbers(lines), -1, keepdims=True)
        middle = usm.concat([usm.maximum((count - 1) // 2, 0), count // 2], axis=-1)
        # Without numbers both elements are NaN.
        middle = usm.minimum(middle, lines.shape[-1] - 1)
        result = usm.mean(usm.take_along_axis(lines, middle, -1), -1)
    if keepdims:
        result = usm.expand_dims(result, axes)
    return copy_to_out(result, out, "nanmedian")
