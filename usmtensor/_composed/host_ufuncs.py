"""NumPy's ufunc methods on arrays of a CPU, whose memory the host reads."""

from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._functions.arguments import location
from usmtensor._libraries import host


def reduce_by_numpy(
    ufunc: numpy.ufunc, x: usm_ndarray, axes: tuple[int, ...], keepdims: bool
) -> usm_ndarray | None:
    """Reduce an array that has elements, or return None if kernels are needed or faster."""
    if x.dtype == "f2" or not host.numpy_serves((x,)):  # NumPy's float16 is slow
        return None
    if keepdims:
        shape = tuple(1 if k in axes else n for k, n in enumerate(x.shape))
    else:
        shape = tuple(n for k, n in enumerate(x.shape) if k not in axes)
    result = usm.empty(shape, dtype=x.dtype, **location(x))

    def fill(view: Any, out: Any) -> None:
        ufunc.reduce(view, axes, out=out, keepdims=keepdims)

    host.call(fill, (x,), (result,))
    return result


def accumulate_by_numpy(ufunc: numpy.ufunc, x: usm_ndarray, axis: int) -> usm_ndarray | None:
    """Accumulate along an axis, or return None if kernels are needed."""
    if not host.numpy_serves((x,)):
        return None
    result = usm.empty(x.shape, dtype=x.dtype, **location(x))

    def fill(view: Any, out: Any) -> None:
        ufunc.accumulate(view, axis, out=out)

    host.call(fill, (x,), (result,))
    return result
