"""Functions with NumPy's arguments for `usm_ndarray.__array_function__`.

The usmtensor functions with the same names have other arguments.
"""

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import colocate_all
from usmtensor._functions.arguments import location
from usmtensor._numpy import names


def array(like, a, dtype=None, *, copy=True, order="K", ndmin=0):
    """Make an array on the queue of `like`, unless `a` is a usm_ndarray."""
    placement = {} if isinstance(a, usm_ndarray) else location(like)
    return names.array(a, dtype, copy=copy, order=order, ndmin=ndmin, **placement)


def asarray(like, a, dtype=None, order="K", *, copy=None):
    return array(like, a, dtype, copy=copy, order=order)


asanyarray = asarray


def result_type(*arrays_and_dtypes):
    return usm.result_type(*arrays_and_dtypes)


def take(a, indices, axis=None, out=None):
    if not isinstance(a, usm_ndarray):
        a = colocate_all((a, indices), "numpy.take", ("a", "indices"))[0]
    return usm.take(a, indices, axis=axis, out=out, mode="raise")


def take_along_axis(arr, indices, axis=-1):
    if not isinstance(arr, usm_ndarray):
        arr = colocate_all((arr, indices), "numpy.take_along_axis", ("arr", "indices"))[0]
    if axis is None:
        arr, axis = usm.reshape(arr, -1), 0
    return usm.take_along_axis(arr, indices, axis, mode="raise")
