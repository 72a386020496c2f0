"""Grids and concatenation in NumPy's index notation: `mgrid`, `ogrid`, `r_`, `c_`."""

from typing import Any

import numpy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._functions.arguments import location
from usmtensor._runtime.arguments import require

__all__ = ["c_", "mgrid", "ogrid", "r_"]


class _Notation:
    """An object that computes arrays from slices."""

    _name = "r_"

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return f"usmtensor.{self._name}"

    def _on_host(self, key: Any) -> Any:
        """Return NumPy's result for the slices of a key."""
        try:
            return getattr(numpy, self._name)[key]
        except (AttributeError, IndexError, TypeError, ValueError) as error:
            error.args = (f"{self._name}: {error}",)
            raise


class _Grid(_Notation):
    """A grid on the default device.

    `ogrid` has an array for each axis, with extent 1 along the other axes. `mgrid` has all elements
    in one array.
    """

    def __getitem__(self, key: Any) -> Any:
        found = _OPEN._on_host(key)
        if not isinstance(found, tuple):
            return usm.asarray(found)
        lines = [usm.asarray(line) for line in found]
        return tuple(lines) if self is _OPEN else usm.stack(usm.broadcast_arrays(*lines))


class _Joined(_Notation):
    """Concatenates slices, numbers and arrays.

    `r_` joins along the first axis. `c_` joins along the last axis, with 1-D arrays as columns.
    """

    def __getitem__(self, key: Any) -> usm_ndarray:
        parts = key if isinstance(key, tuple) else (key,)
        arrays = [part for part in parts if isinstance(part, usm_ndarray)]
        if not arrays:
            return usm.asarray(self._on_host(key))
        placement = location(arrays[0])
        for part in parts:
            require(part, _PARTS, self._name, "a part", "slice, number or array")
        values = [part for part in parts if not isinstance(part, slice)]
        kind = usm.result_type(*(getattr(part, "dtype", part) for part in values))
        found = []
        for part in parts:
            if isinstance(part, slice):
                part = usm.asarray(numpy.r_[part], **placement)
            elif isinstance(part, int | float | complex):
                part = usm.asarray(part, dtype=kind, **placement)
            elif not isinstance(part, usm_ndarray):
                part = usm.asarray(part, **placement)
            if self._name == "c_" and part.ndim < 2:
                part = usm.reshape(part, (-1, 1))
            found.append(part if part.ndim else part[None])
        return usm.concat(found, axis=-1 if self._name == "c_" else 0)


_PARTS = (usm_ndarray, numpy.ndarray, numpy.generic, slice, int, float, complex)
_OPEN = _Grid("ogrid")
mgrid = _Grid("mgrid")
ogrid = _OPEN
r_ = _Joined("r_")
c_ = _Joined("c_")
