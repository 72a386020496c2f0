"""Arrays and views for the property tests. A recipe makes a view in NumPy and in usmtensor."""

import os
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import usmtensor as usm

DTYPES = tuple(
    map(
        np.dtype,
        ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"],
    )
)


def examples(percent):
    """A percentage of the examples of the current profile."""
    return settings(max_examples=max(settings().max_examples * percent // 100, 5))


def missing_aspect(device, dtype):
    """The aspect that `device` lacks for `dtype`, or None."""
    dtype = np.dtype(dtype)
    if dtype.char == "e" and not device.has_aspect_fp16:
        return "fp16"
    if dtype.char in "dD" and not device.has_aspect_fp64:
        return "fp64"
    return None


def skip_without(device, *dtypes):
    """Skips the test if `device` lacks an aspect that one of the types needs."""
    for dtype in dtypes:
        if aspect := missing_aspect(device, dtype):
            pytest.skip(f"the device lacks the aspect {aspect}")


@cache
def supported_dtypes():
    """The dtypes of the device under test."""
    device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
    return tuple(dtype for dtype in DTYPES if missing_aspect(device, dtype) is None)


def dtypes(kinds="biufc", least=0):
    """Any dtype of the device under test, of some kinds and of at least so many bytes."""
    return st.deferred(
        lambda: st.sampled_from(
            [t for t in supported_dtypes() if t.kind in kinds and t.itemsize >= least]
        )
    )


def shapes(max_dims=4, max_side=5, min_dims=0):
    """Shapes, also of 0 dimensions or no elements."""
    return hnp.array_shapes(min_dims=min_dims, max_dims=max_dims, min_side=0, max_side=max_side)


def numbered(shape, dtype, order="C"):
    """An array of different elements, which every dtype represents exactly."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64))
    count = np.arange(size)
    if dtype.kind == "b":
        values = (count * 7 + count // 3) % 5 < 2
    elif dtype.kind == "c":
        values = count % 127 - 1j * (count % 113)
    else:
        values = count % 127
    return values.astype(dtype).reshape(shape, order=order)


def as_tuple(index):
    return index if isinstance(index, tuple) else (index,)


def view_of(array, index):
    """`array[index]` as a view, also where NumPy would give a scalar."""
    index = as_tuple(index)
    if not any(entry is Ellipsis for entry in index):
        index = (*index, Ellipsis)
    return array[index]


@dataclass(frozen=True)
class Recipe:
    """The steps from a new array to a view, for NumPy and for usmtensor.

    A step is ("index", basic index), ("permute", axes) or ("broadcast", (axis, length)), which
    inserts a new axis of stride zero.
    """

    shape: tuple
    dtype: np.dtype
    order: str
    steps: tuple

    def base(self):
        return numbered(self.shape, self.dtype, self.order)

    def of_numpy(self, base):
        for step in self.steps:
            base = taken(base, *step)
        return base

    def of_usm(self, base):
        for step, argument in self.steps:
            if step == "index":
                base = base[argument]
            elif step == "permute":
                base = usm.permute_dims(base, argument)
            else:
                axis, length = argument
                base = usm.usm_ndarray(
                    (*base.shape[:axis], length, *base.shape[axis:]),
                    base.dtype,
                    strides=(*base.strides[:axis], 0, *base.strides[axis:]),
                    buffer=base.usm_data,
                    offset=base._element_offset if base.size else 0,
                )
        return base

    def pair(self, queue, usm_type="device"):
        """The view in NumPy and its equal on `queue`."""
        base = self.base()
        on_device = usm.asarray(base, usm_type=usm_type, sycl_queue=queue)
        return self.of_numpy(base), self.of_usm(on_device)


def stretched(array, axis, length):
    """`array` with a new axis of stride zero, writable unlike `numpy.broadcast_to`'s."""
    return np.lib.stride_tricks.as_strided(
        array,
        (*array.shape[:axis], length, *array.shape[axis:]),
        (*array.strides[:axis], 0, *array.strides[axis:]),
    )


def taken(array, step, argument):
    """One step of a recipe, in NumPy."""
    if step == "index":
        return view_of(array, argument)
    if step == "permute":
        return array.transpose(argument)
    return stretched(array, *argument)


def over_memory(view, base, memory):
    """The usm_ndarray over `memory`, a copy of `base`, with the offset and strides of `view`."""
    itemsize = view.dtype.itemsize
    byte_offset = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return usm.usm_ndarray(
        view.shape,
        view.dtype,
        strides=tuple(stride // itemsize for stride in view.strides),
        buffer=memory,
        offset=byte_offset // itemsize if view.size else 0,
    )


@st.composite
def recipes(draw, dtype=None, broadcast=True, max_dims=4, max_side=5, max_steps=3):
    """Views made by slicing, permuting and (if `broadcast`) stretching an array of either order."""
    shape = draw(shapes(max_dims, max_side))
    dtype = draw(dtypes()) if dtype is None else np.dtype(dtype)
    order = draw(st.sampled_from("CF"))
    steps = []
    kinds = ["index", "permute", "broadcast"] if broadcast else ["index", "permute"]
    view = np.empty(shape, dtype, order)
    for kind in draw(st.lists(st.sampled_from(kinds), max_size=max_steps)):
        if kind == "index":
            argument = draw(hnp.basic_indices(view.shape, allow_newaxis=True, max_dims=6))
        elif kind == "permute":
            argument = tuple(draw(st.permutations(range(view.ndim))))
        else:
            argument = draw(st.integers(0, view.ndim)), draw(st.integers(0, 3))
        steps.append((kind, argument))
        view = taken(view, kind, argument)
    return Recipe(shape, dtype, order, tuple(steps))


@st.composite
def layouts(draw, ndim):
    """Memory layouts of arrays of so many axes: the order of the axes and their steps."""
    order = draw(st.permutations(range(ndim)))
    steps = draw(st.lists(st.sampled_from([1, 1, 1, 2, -1]), min_size=ndim, max_size=ndim))
    return tuple(order), tuple(steps)


def laid_out(values, layout, queue):
    """A NumPy array and a usmtensor array with these values and equal strides, in a layout."""
    order, steps = layout
    inverse = tuple(np.argsort(order))
    window = (*(slice(None, None, step) for step in steps), ...)
    extents = [values.shape[axis] * abs(step) for axis, step in enumerate(steps)]
    base = np.zeros([extents[axis] for axis in order], values.dtype)
    host = base.transpose(inverse)[window]
    host[...] = values
    ours = usm.permute_dims(usm.asarray(base, sycl_queue=queue), inverse)[window]
    return host, ours
