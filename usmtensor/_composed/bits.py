"""Bits as elements, and packed into bytes."""

from typing import Any, Literal, SupportsIndex

import numpy
import numpy.typing as npt

import usmtensor._functions as usm
from usmtensor._composed.padding import pad
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import Axis
from usmtensor._functions.arguments import flat_or_axis, location, require_array, require_one_of
from usmtensor._runtime.arguments import integer

__all__ = ["packbits", "unpackbits"]


def _last_axis(a: usm_ndarray, axis: Axis, function: str) -> tuple[usm_ndarray, int]:
    """Move an axis to the end, and return the array and the axis. None flattens the array."""
    a, index = flat_or_axis(a, axis, function)
    return usm.moveaxis(a, index, -1), index


# A word has eight bytes that are 0 or 1. In its product with a factor these are the bits of the
# highest byte. No two terms of the product meet in a bit, so nothing carries.
_FACTORS = {"big": 0x8040201008040201, "little": 0x0102040810204080}


def _bytes_of_bits(bitorder: str) -> npt.NDArray[Any]:
    """Return the bits of each byte, as a word of eight bytes."""
    every = numpy.arange(256, dtype="u1")[:, None]
    return numpy.unpackbits(every, axis=1, bitorder=bitorder).view("u8")[:, 0]


def packbits(
    a: usm_ndarray, /, axis: Axis = None, bitorder: Literal["big", "little"] = "big"
) -> usm_ndarray:
    """Pack the elements into the bits of bytes.

    Parameters
    ----------
    a : usm_ndarray
        An array of integers or bools. Nonzero elements are packed as 1.
    axis : int, optional
        The axis to pack. Default: all elements in C order.
    bitorder : {"big", "little"}
        "big" if the first element is the highest bit of a byte, "little" if it is the lowest bit.

    Returns
    -------
    usm_ndarray
        An array of type uint8. The last bytes are padded with zeros.

    Raises
    ------
    TypeError
        If `a` is not an array of integers or bools.
    ValueError
        If `bitorder` is unknown.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with numpy.packbits.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.packbits(usm.asarray([1, 0, 0, 0, 0, 0, 1, 1, 1]))
    usm_ndarray([131, 128], dtype=uint8)
    """
    a = require_array(a, "packbits")
    if a.dtype.kind not in "biu":
        raise TypeError(f"packbits: a is of data type {a.dtype}; expected integers or bools")
    bits, index = _last_axis(usm.astype(a, bool, copy=False), axis, "packbits")
    require_one_of(bitorder, ("big", "little"), "packbits", "bitorder")
    count = -(-bits.shape[-1] // 8)
    padded = usm.zeros((*bits.shape[:-1], 8 * count), dtype=bool, **location(a))
    padded[..., : bits.shape[-1]] = bits
    words = usm_ndarray((*bits.shape[:-1], count), dtype="u8", buffer=padded)
    packed = usm.astype(words * _FACTORS[bitorder] >> 56, "u1")
    return usm.moveaxis(packed, -1, index)


def unpackbits(
    a: usm_ndarray,
    /,
    axis: Axis = None,
    count: SupportsIndex | None = None,
    bitorder: Literal["big", "little"] = "big",
) -> usm_ndarray:
    """Unpack bytes into an element for each bit.

    Parameters
    ----------
    a : usm_ndarray
        An array of type uint8.
    axis : int, optional
        The axis to unpack. Default: all elements in C order.
    count : int, optional
        The number of bits to keep along the axis, padded with zeros if there are fewer. A negative
        number drops bits at the end. Default: all.
    bitorder : {"big", "little"}
        "big" if the highest bit of a byte comes first, "little" if the lowest bit comes first.

    Returns
    -------
    usm_ndarray
        An array of type uint8, with elements 0 and 1.

    Raises
    ------
    TypeError
        If `a` is not an array of type uint8.
    ValueError
        If `bitorder` is unknown, or `count` drops more bits than there are.
    AxisError
        If the axis is out of range.

    Notes
    -----
    Compatible with numpy.unpackbits.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.unpackbits(usm.asarray([131, 128], dtype="u1"), count=9)
    usm_ndarray([1, 0, 0, 0, 0, 0, 1, 1, 1], dtype=uint8)
    """
    a = require_array(a, "unpackbits")
    if a.dtype != "u1":
        raise TypeError(f"unpackbits: a is of data type {a.dtype}; expected uint8")
    packed, index = _last_axis(a, axis, "unpackbits")
    require_one_of(bitorder, ("big", "little"), "unpackbits", "bitorder")
    words = usm.take(usm.asarray(_bytes_of_bits(bitorder), **location(a)), packed)
    bit_count = 8 * packed.shape[-1]
    bits = usm_ndarray((*packed.shape[:-1], bit_count), dtype="u1", buffer=words)
    if count is not None:
        wanted = integer(count, "unpackbits", "count")
        wanted += bit_count if wanted < 0 else 0
        if wanted < 0:
            raise ValueError(f"unpackbits: count is {count}; expected at least {-bit_count}")
        bits = bits[..., :wanted]
        bits = pad(bits, [(0, 0)] * (bits.ndim - 1) + [(0, wanted - bits.shape[-1])])
    return usm.moveaxis(bits, -1, index)
