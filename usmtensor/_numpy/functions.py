"""NumPy functions that take other arguments than usmtensor's of the same name, for
`usm_ndarray.__array_function__`. Each calls functions of usmtensor."""

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import colocate_all


def array(like, a, dtype=None, *, copy=True, order="K", ndmin=0):
    """In the place of `like`, unless it is an array of usmtensor."""
    place = {"usm_type": like.usm_type, "sycl_queue": like.sycl_queue}
    place = {} if isinstance(a, usm_ndarray) else place
    x = usm.asarray(a, dtype=dtype, copy=copy, order=order, **place)
    return x[(None,) * (ndmin - x.ndim)] if ndmin > x.ndim else x


def asarray(like, a, dtype=None, order="K", *, copy=None):
    return array(like, a, dtype, copy=copy, order=order)


asanyarray = asarray


def result_type(*arrays_and_dtypes):
    return usm.result_type(*arrays_and_dtypes)


def take(a, indices, axis=None, out=None):
    if not isinstance(a, usm_ndarray):
        a = colocate_all((a, indices), "numpy.take", ("a", "indices"))[0]
    if axis is None:
        a, axis = usm.reshape(a, -1), 0
    return usm.take(a, indices, axis=axis, out=out, mode="raise")


def take_along_axis(arr, indices, axis=-1):
    if not isinstance(arr, usm_ndarray):
        arr = colocate_all((arr, indices), "numpy.take_along_axis", ("arr", "indices"))[0]
    if axis is None:
        arr, axis = usm.reshape(arr, -1), 0
    return usm.take_along_axis(arr, indices, axis, mode="raise")
