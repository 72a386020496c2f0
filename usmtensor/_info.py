"""What the array API standard lets a program ask of a namespace."""

from usmtensor import _types
from usmtensor._device import Device
from usmtensor._operands import supported_dtype
from usmtensor._platform import get_devices

__all__ = ["__array_namespace_info__"]


def __array_namespace_info__():
    """What the namespace can do, and with which devices and data types.

    Returns
    -------
    object
        With the methods `capabilities`, `default_device`, `default_dtypes`, `devices`, `dtypes`.

    Notes
    -----
    Source: array API 2025.12, inspection.
    """
    return _Info()


class _Info:
    __slots__ = ()

    def capabilities(self):
        """What the namespace can do.

        Returns
        -------
        dict
            "boolean indexing" and "data-dependent shapes", both True, and "max dimensions", None:
            any number.
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self):
        """The device of arrays that are made without a word on it.

        Returns
        -------
        Device
        """
        return Device.create_device()

    def devices(self):
        """All devices; each equals the `device` of the arrays that are made on it.

        Returns
        -------
        tuple of Device
        """
        return tuple(Device.create_device(device) for device in get_devices())

    def default_dtypes(self, *, device=None):
        """The data types of arrays that are made without a word on it.

        Parameters
        ----------
        device : Device, SyclQueue, SyclDevice or filter selector string, optional

        Returns
        -------
        dict
            With the keys "real floating", "complex floating", "integral", "indexing".
        """
        double = Device.create_device(device).sycl_device.has_aspect_fp64
        return {
            "real floating": _types.float64 if double else _types.float32,
            "complex floating": _types.complex128 if double else _types.complex64,
            "integral": _types.int64,
            "indexing": _types.int64,
        }

    def dtypes(self, *, device=None, kind=None):
        """The data types of the standard that a device computes in.

        Parameters
        ----------
        device : Device, SyclQueue, SyclDevice or filter selector string, optional
        kind : str or tuple of str, optional
            As in `isdtype`. Default: all.

        Returns
        -------
        dict
            Data types by name.

        Raises
        ------
        ValueError
            An unknown kind.
        TypeError
            `kind` is anything else.
        """
        queue = Device.create_device(device).sycl_queue
        kinds = ("bool", "numeric") if kind is None else kind
        kinds = (kinds,) if isinstance(kinds, str) else kinds
        if not isinstance(kinds, tuple) or not all(isinstance(one, str) for one in kinds):
            raise TypeError(f"dtypes: kind is {kind!r}; expected a str or a tuple of str")
        letters = "".join(_types.kind_letters(one, "dtypes") for one in kinds)
        return {
            str(dtype): dtype
            for dtype in _types.SUPPORTED
            if dtype.kind in letters
            and dtype != _types.float16  # which the standard does not know
            and supported_dtype(dtype, queue) == dtype
        }
