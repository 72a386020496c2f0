"""NumPy functions that are missing in usmtensor's namespace, for `usm_ndarray.__array_function__`.
Each calls functions of usmtensor."""

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
