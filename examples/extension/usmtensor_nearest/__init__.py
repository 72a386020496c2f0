"""A package on top of usmtensor: the nearest of some centres, for each of many points."""

from importlib.resources import files
from typing import NamedTuple

import usmtensor as usm

__all__ = ["Nearest", "nearest"]

# Compiled at the first call, once for each type T; usmtensor keeps the result on disk.
_kernel = usm.ElementwiseKernel(
    "raw T points, raw T centres, int64 count, int64 axes",
    "int64 index, T distance",
    files(__name__).joinpath("nearest.cpp").read_text(encoding="utf-8"),
    "nearest",
)


class Nearest(NamedTuple):
    index: usm.usm_ndarray
    distance: usm.usm_ndarray


def nearest(points: usm.usm_ndarray, centres: usm.usm_ndarray) -> Nearest:
    """The index of the nearest centre of each point, and its distance.

    The function makes no array of all distances. If several centres are equally near, it chooses
    the first. A point with NaN has the index 0 and the distance NaN.

    Parameters
    ----------
    points : usm_ndarray
        Shape (n, d), of floating point type.
    centres : usm_ndarray
        Shape (k, d), of the same type; k is at least 1.

    Returns
    -------
    Nearest
        `index`, int64, and `distance`, of the type of `points`. Both have shape (n,), and the queue
        and USM type of `points`.

    Raises
    ------
    TypeError
        If an argument is not a usm_ndarray of floating point type, or the types differ.
    ValueError
        If the shapes do not match, or `centres` is empty.
    """
    for name, x in (("points", points), ("centres", centres)):
        if not usm.utils.is_usmtensor_array(x):
            raise TypeError(
                f"nearest: {name} is of type {type(x).__name__}; expected a usm_ndarray"
            )
        if x.ndim != 2:
            raise ValueError(f"nearest: {name} has shape {x.shape}; expected two axes")
        if not usm.isdtype(x.dtype, "real floating"):
            raise TypeError(f"nearest: {name} has type {x.dtype}; expected floating point numbers")
    if points.dtype != centres.dtype:
        raise TypeError(
            f"nearest: centres has type {centres.dtype}; expected {points.dtype}, as points"
        )
    if points.shape[1] != centres.shape[1] or centres.shape[0] == 0:
        raise ValueError(
            f"nearest: centres has shape {centres.shape}; expected (k, {points.shape[1]}), k >= 1"
        )

    location = {"sycl_queue": points.sycl_queue, "usm_type": points.usm_type}
    index = usm.empty(points.shape[0], dtype="int64", **location)
    distance = usm.empty(points.shape[0], dtype=points.dtype, **location)
    _kernel(points, centres, *centres.shape, index, distance)
    return Nearest(index, distance)
