"""`x.flat`: the elements of an array in C order."""

from collections.abc import Iterator
from typing import Any

import usmtensor._functions as usm
from usmtensor._composed.shapes import resize
from usmtensor._core.array import usm_ndarray
from usmtensor._functions.arguments import location, require_array


class Flat:
    """The elements of an array in C order, which can be read and set by index."""

    __slots__ = ("_array",)

    _array: usm_ndarray

    def __new__(cls, array: usm_ndarray) -> Any:
        self = super().__new__(cls)
        self._array = require_array(array, "flat", "array")
        return self

    @property
    def base(self) -> usm_ndarray:
        """usm_ndarray: The array."""
        return self._array

    def __len__(self) -> int:
        return self._array.size

    def __iter__(self) -> Iterator[usm_ndarray]:
        return iter(self.copy())

    def __getitem__(self, key: Any) -> usm_ndarray:
        """Return a copy of some elements."""
        return usm.copy(usm.reshape(self._array, (-1,))[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set some elements. Values are repeated if there are fewer values than elements."""
        x = self._array
        flat = usm.reshape(x, (-1,))  # a copy for some strides
        if isinstance(value, list | tuple) or getattr(value, "ndim", None):
            values, selected = usm.asarray(value, **location(x)), flat[key]
            if values.size:
                value = usm.reshape(resize(values, selected.size), selected.shape)
        flat[key] = value
        if not x.flags.c_contiguous:
            x[...] = usm.reshape(flat, x.shape)

    def copy(self) -> usm_ndarray:
        """Return a 1-D copy of all elements."""
        return usm.reshape(self._array, (-1,), copy=True)

    def __repr__(self) -> str:
        return f"{self._array!r}.flat"


def get(x: usm_ndarray) -> Flat:
    """The elements in C order: ``x.flat[key]`` is a copy, and can be set."""
    return Flat(x)


def set_all(x: usm_ndarray, value: Any) -> None:
    Flat(x)[...] = value
