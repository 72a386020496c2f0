"""NumPy functions that are missing in usmtensor's namespace, for `usm_ndarray.__array_function__`.
Each calls functions of usmtensor. xarray calls the functions that ignore NaN."""

from math import inf, nan, prod

from numpy.lib.array_utils import normalize_axis_tuple

import usmtensor as usm
from usmtensor._operands import arrays_together


def array(like, a, dtype=None, *, copy=True, order="K", ndmin=0):
    """In the place of `like`, unless it is an array of usmtensor."""
    place = {"usm_type": like.usm_type, "sycl_queue": like.sycl_queue}
    place = {} if isinstance(a, usm.usm_ndarray) else place
    x = usm.asarray(a, dtype=dtype, copy=copy, order=order, **place)
    return x[(None,) * (ndmin - x.ndim)] if ndmin > x.ndim else x


def asarray(like, a, dtype=None, order="K", *, copy=None):
    return array(like, a, dtype, copy=copy, order=order)


asanyarray = asarray


def atleast_1d(*arrays):
    arrays = arrays_together(arrays, "numpy.atleast_1d", "one of arrays")
    return _one_or_all([x if x.ndim else x[None] for x in arrays])


def atleast_2d(*arrays):
    arrays = arrays_together(arrays, "numpy.atleast_2d", "one of arrays")
    return _one_or_all([x if x.ndim > 1 else x[None] for x in map(atleast_1d, arrays)])


def atleast_3d(*arrays):
    arrays = arrays_together(arrays, "numpy.atleast_3d", "one of arrays")
    return _one_or_all([x if x.ndim > 2 else x[..., None] for x in map(atleast_2d, arrays)])


def _one_or_all(arrays):
    return arrays[0] if len(arrays) == 1 else tuple(arrays)


def broadcast_arrays(*args):
    return usm.broadcast_arrays(*args)


def cumprod(a, axis=None, dtype=None, out=None):
    return _scan(usm.cumulative_prod, a, axis, dtype, out)


def cumsum(a, axis=None, dtype=None, out=None):
    return _scan(usm.cumulative_sum, a, axis, dtype, out)


def _scan(function, a, axis, dtype, out):
    if axis is None:
        a, axis = usm.reshape(a, -1), 0
    return function(a, axis=axis, dtype=dtype, out=out)


def diagonal(a, offset=0, axis1=0, axis2=1):
    return usm.linalg.diagonal(usm.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)


def einsum(*operands, out=None, optimize=True, **keywords):
    return usm.einsum(*operands, out=out, optimize=optimize, **keywords)


def hstack(tup):
    parts = [atleast_1d(x) for x in arrays_together(tup, "numpy.hstack", "one of tup")]
    return usm.concat(parts, axis=0 if parts[0].ndim == 1 else 1)


def iscomplexobj(x):
    return x.dtype.kind == "c"


def isrealobj(x):
    return x.dtype.kind != "c"


def ndim(a):
    return a.ndim


def ravel(a, order="C"):
    return usm.reshape(a, -1, order="A" if order == "K" else order)


def result_type(*arrays_and_dtypes):
    return usm.result_type(*arrays_and_dtypes)


def round(a, decimals=0, out=None):
    return a.round(decimals, out)


around = round


def shape(a):
    return a.shape


def size(a, axis=None):
    return a.size if axis is None else a.shape[axis]


def take(a, indices, axis=None, out=None):
    if not isinstance(a, usm.usm_ndarray):
        a = arrays_together((a, indices), "numpy.take", ("a", "indices"))[0]
    if axis is None:
        a, axis = usm.reshape(a, -1), 0
    return usm.take(a, indices, axis=axis, out=out, mode="raise")


def take_along_axis(arr, indices, axis=-1):
    if not isinstance(arr, usm.usm_ndarray):
        arr = arrays_together((arr, indices), "numpy.take_along_axis", ("arr", "indices"))[0]
    if axis is None:
        arr, axis = usm.reshape(arr, -1), 0
    return usm.take_along_axis(arr, indices, axis, mode="raise")


def transpose(a, axes=None):
    return usm.permute_dims(a, range(a.ndim)[::-1] if axes is None else axes)


def vstack(tup):
    parts = arrays_together(tup, "numpy.vstack", "one of tup")
    return usm.concat([atleast_2d(x) for x in parts], axis=0)


def where(condition, *values):
    if not values:
        return usm.nonzero(condition)
    return usm.where(condition, *values)


# Functions that ignore NaN


def _filled(a, value):
    """The elements, with `value` instead of NaN."""
    return usm.where(usm.isnan(a), value, a) if a.dtype.kind in "fc" else a


def _numbers(a):
    """A mask of the elements that are not NaN."""
    return usm.logical_not(usm.isnan(a))


def nancumprod(a, axis=None, dtype=None, out=None):
    return cumprod(_filled(a, 1), axis, dtype, out)


def nancumsum(a, axis=None, dtype=None, out=None):
    return cumsum(_filled(a, 0), axis, dtype, out)


def nansum(a, axis=None, dtype=None, out=None, keepdims=False):
    return usm.sum(_filled(a, 0), axis, dtype=dtype, out=out, keepdims=keepdims)


def nanprod(a, axis=None, dtype=None, out=None, keepdims=False):
    return usm.prod(_filled(a, 1), axis, dtype=dtype, out=out, keepdims=keepdims)


def nanmax(a, axis=None, *, keepdims=False):
    result = usm.max(_filled(a, -inf), axis, keepdims=keepdims)
    return usm.where(usm.any(_numbers(a), axis, keepdims=keepdims), result, _nan_of(result))


def nanmin(a, axis=None, *, keepdims=False):
    result = usm.min(_filled(a, inf), axis, keepdims=keepdims)
    return usm.where(usm.any(_numbers(a), axis, keepdims=keepdims), result, _nan_of(result))


def _nan_of(result):
    """The result where all elements are NaN. Integers are never NaN."""
    return nan if result.dtype.kind in "fc" else result


def nanargmax(a, axis=None, *, keepdims=False):
    _require_numbers(a, axis)
    return usm.argmax(_filled(a, -inf), axis=axis, keepdims=keepdims)


def nanargmin(a, axis=None, *, keepdims=False):
    _require_numbers(a, axis)
    return usm.argmin(_filled(a, inf), axis=axis, keepdims=keepdims)


def _require_numbers(a, axis):
    if a.dtype.kind in "fc" and not usm.all(usm.any(_numbers(a), axis)):  # waits
        raise ValueError("All-NaN slice encountered")  # NumPy's text, which xarray checks


def nanmean(a, axis=None, dtype=None, *, keepdims=False):
    a = a if dtype is None else usm.astype(a, dtype, copy=False)
    if a.dtype.kind not in "fc":
        return usm.mean(a, axis, keepdims)
    weights = usm.astype(_numbers(a), usm.real(a).dtype)
    return usm.average(_filled(a, 0), axis, weights, keepdims=keepdims)


def nanvar(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    a = a if dtype is None else usm.astype(a, dtype, copy=False)
    if a.dtype.kind not in "fc":
        return usm.var(a, axis, ddof, keepdims)
    apart = usm.abs(_filled(a - nanmean(a, axis, keepdims=True), 0))
    count = usm.count_nonzero(_numbers(a), axis, keepdims=keepdims) - ddof
    count = usm.where(count > 0, usm.astype(count, apart.dtype), nan)
    return usm.sum(apart * apart, axis, keepdims=keepdims) / count


def nanstd(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    return usm.sqrt(nanvar(a, axis, dtype, ddof=ddof, keepdims=keepdims))


def nanmedian(a, axis=None, *, keepdims=False):
    if a.dtype.kind not in "fc":
        return usm.median(a, axis, keepdims=keepdims)
    axes = normalize_axis_tuple(range(a.ndim) if axis is None else axis, a.ndim)
    kept = [k for k in range(a.ndim) if k not in axes]
    count = prod([a.shape[k] for k in axes])
    line = usm.reshape(usm.permute_dims(a, (*kept, *axes)), (*[a.shape[k] for k in kept], count))
    if keepdims:
        return usm.expand_dims(nanmedian(line, -1), axes)
    if line.size == 0:
        return usm.median(line, -1)
    line = usm.sort(line)
    count = usm.count_nonzero(_numbers(line), -1, keepdims=True)
    middle = usm.concat([usm.maximum((count - 1) // 2, 0), count // 2], axis=-1)
    # If all elements are NaN, both are NaN.
    return usm.mean(usm.take_along_axis(line, usm.minimum(middle, line.shape[-1] - 1)), -1)
