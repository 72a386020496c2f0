"""Data types, type promotion, constants, and inspection of the namespace."""

import math
from functools import cache

import numpy

from usmtensor._core.array import usm_ndarray
from usmtensor._core.operands import supported_dtype
from usmtensor._runtime.arguments import plain_number, short_repr, wrong_type, wrong_value
from usmtensor._runtime.device import Device
from usmtensor._runtime.dtypes import SUPPORTED
from usmtensor._runtime.platform import get_devices

_NAMES = [dtype.name for dtype in SUPPORTED]
__all__ = [*_NAMES, "__array_namespace_info__", "can_cast", "dtype", "e", "finfo", "iinfo", "inf"]
__all__ += ["isdtype", "nan", "newaxis", "pi", "result_type"]

dtype = numpy.dtype

globals().update((one.name, one.type) for one in SUPPORTED)  # NumPy's scalar classes

e = math.e
pi = math.pi
inf = math.inf
nan = math.nan
newaxis = None


def _to_dtype(function, argument, value):
    value = plain_number(value, f"{function}: {argument}")
    try:
        is_number = not isinstance(value, numpy.dtype) and getattr(value, "ndim", 1) == 0
        found = numpy.asarray(value).dtype if is_number else numpy.dtype(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"{function}: {argument} is {short_repr(value)}; expected an array or a data type"
        ) from None
    if found not in SUPPORTED:
        raise TypeError(f"{function}: {argument} is {found}, which arrays cannot have")
    return found


def can_cast(from_, to, casting="safe"):
    """Return True if a rule allows a cast.

    Parameters
    ----------
    from_ : usm_ndarray or data type
        For an array, the result depends on its device. The device may not support `to`. Without
        double precision, casts of integers to float32 are safe.
    to : data type
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If an argument is not a data type that arrays can have.
    ValueError
        If the rule is unknown.

    Notes
    -----
    Source: array API 2025.12, `can_cast`; `casting` as in dpctl.tensor.can_cast.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.can_cast(usm.int8, usm.int16)
    True
    >>> usm.can_cast(usm.float64, usm.int64)
    False
    """
    to = _to_dtype("can_cast", "to", to)
    if isinstance(from_, usm_ndarray):
        if casting == "safe":
            return result_type(from_, to) == to
        if supported_dtype(to, from_.sycl_queue) != to:
            return False
        from_ = from_.dtype
    if isinstance(from_, (int, float, complex)):
        raise wrong_type(from_, "can_cast", "from_", "an array or a data type")
    return numpy.can_cast(_to_dtype("can_cast", "from_", from_), to, casting)


def result_type(*arrays_and_dtypes):
    """Return the data type to which operands promote.

    Parameters
    ----------
    *arrays_and_dtypes : usm_ndarray, data type or Python scalar
        A Python scalar takes the type of the other operands if that type has its kind or a higher
        kind.

    Returns
    -------
    numpy.dtype
        The type as in NumPy. If an operand is an array, it is limited to the widest type of its
        kind that the array's device supports.

    Raises
    ------
    ValueError
        If there is no argument.
    TypeError
        If an argument has another type, or there is no common type.

    Notes
    -----
    Source: array API 2025.12, `result_type`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.result_type(usm.int8, usm.uint8)
    dtype('int16')
    >>> usm.result_type(usm.float32, 1)
    dtype('float32')
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: expected at least one array, data type or scalar")
    operands = [
        x.dtype if isinstance(x, usm_ndarray) else _as_operand(x) for x in arrays_and_dtypes
    ]
    found = numpy.result_type(*operands)
    for x in arrays_and_dtypes:
        if isinstance(x, usm_ndarray):
            found = supported_dtype(found, x.sycl_queue)
    return found


def _as_operand(x):
    """Convert an operand for NumPy's promotion, which ignores the values of Python scalars."""
    for scalar in (False, 0, 0.0, 0j):
        if isinstance(x, type(scalar)) and not isinstance(x, numpy.generic):
            return scalar
    return _to_dtype("result_type", "an argument", x)


# NumPy's letters by kind.
KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def isdtype(dtype, kind):
    """Return True if a data type is of a kind.

    Parameters
    ----------
    dtype : data type
    kind : str, data type, or tuple of these
        "bool", "signed integer", "unsigned integer", "integral", "real floating" (also float16),
        "complex floating", "numeric", or a data type. A tuple matches if one of its items matches.

    Returns
    -------
    bool

    Raises
    ------
    TypeError
        If arrays cannot have the data type, or the kind is unknown. Python types and NumPy's
        letters are not kinds.

    Notes
    -----
    Source: array API 2025.12, `isdtype`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.isdtype(usm.float32, "real floating")
    True
    >>> usm.isdtype(usm.int8, ("bool", "complex floating"))
    False
    """
    dtype = _to_dtype("isdtype", "dtype", dtype)
    kinds = kind if isinstance(kind, tuple) else (kind,)
    answers = [_is_of_kind(dtype, one) for one in kinds]  # all are checked
    return any(answers)


def _is_of_kind(dtype, kind):
    if isinstance(kind, str) and kind in KINDS:
        return dtype.kind in KINDS[kind]
    if isinstance(kind, numpy.dtype) or (
        isinstance(kind, type) and issubclass(kind, numpy.generic)
    ):
        return dtype == _to_dtype("isdtype", "kind", kind)
    raise TypeError(
        f"isdtype: kind is {short_repr(kind)}; expected a data type or one of {', '.join(KINDS)}"
    )


@cache
def _limits_of(cls, dtype):
    limits, read = object.__new__(cls), cls._source[0]
    for name in cls.__slots__:
        value = getattr(read(dtype), name)
        setattr(limits, name, value.item() if isinstance(value, numpy.generic) else value)
    return limits


class _Limits:
    """NumPy's limits as Python numbers, one for each slot."""

    __slots__ = ()

    @classmethod
    def _of(cls, value, argument):
        function, (_, kinds, expected) = cls.__name__, cls._source
        is_array = isinstance(value, usm_ndarray)
        found = value.dtype if is_array else _to_dtype(function, argument, value)
        if found.kind not in kinds:
            raise ValueError(f"{function}: {argument} is {found}; expected {expected} type")
        return _limits_of(cls, found)

    def __getnewargs__(self):
        return (self.dtype,)


class finfo(_Limits):
    """Limits of a floating point type.

    Parameters
    ----------
    dtype : data type or usm_ndarray
        A complex type has the limits of its real type.

    Raises
    ------
    ValueError
        If it is not a floating point type.
    TypeError
        If it is not a data type that arrays can have.

    Notes
    -----
    Source: array API 2025.12, `finfo`; further attributes as in dpctl.tensor.finfo.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.finfo("float32").bits
    32
    >>> usm.finfo(usm.ones(3, dtype="float32")).eps
    1.1920928955078125e-07
    """

    __slots__ = {
        "bits": "int: The bits of a number.",
        "dtype": "numpy.dtype: The real type.",
        "eps": "float: From 1 to the next number above.",
        "epsneg": "float: From 1 to the next number below.",
        "max": "float: The largest number.",
        "min": "float: The smallest number.",
        "precision": "int: Decimal digits.",
        "resolution": "float: Ten to the power of minus `precision`.",
        "smallest_normal": "float: The smallest positive number of full precision.",
        "tiny": "float: `smallest_normal` by its old name.",
    }

    _source = numpy.finfo, "fc", "a floating point"

    def __new__(cls, dtype):
        return cls._of(dtype, "dtype")

    def __repr__(self):
        return f"finfo({self.dtype}: eps={self.eps:g}, min={self.min:g}, max={self.max:g})"


class iinfo(_Limits):
    """Limits of an integer type.

    Parameters
    ----------
    int_type : data type or usm_ndarray

    Raises
    ------
    ValueError
        If it is not an integer type.
    TypeError
        If it is not a data type that arrays can have.

    Notes
    -----
    Source: array API 2025.12, `iinfo`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.iinfo("int8").min, usm.iinfo("int8").max
    (-128, 127)
    """

    __slots__ = {
        "bits": "int: The bits of a number.",
        "dtype": "numpy.dtype: The type.",
        "max": "int: The largest number.",
        "min": "int: The smallest number.",
    }

    _source = numpy.iinfo, "iu", "an integer"

    def __new__(cls, int_type):
        return cls._of(int_type, "int_type")

    def __repr__(self):
        return f"iinfo({self.dtype}: min={self.min}, max={self.max})"


def __array_namespace_info__():
    """Return an object with the capabilities, devices and data types of the namespace.

    Returns
    -------
    object
        An object with the methods `capabilities`, `default_device`, `default_dtypes`, `devices`,
        `dtypes`.

    Notes
    -----
    Source: array API 2025.12, inspection.

    Examples
    --------
    >>> import usmtensor as usm
    >>> info = usm.__array_namespace_info__()
    >>> info.default_dtypes()["integral"]
    dtype('int64')
    >>> list(info.dtypes(kind="unsigned integer"))
    ['uint8', 'uint16', 'uint32', 'uint64']
    """
    return _Info()


class _Info:
    __slots__ = ()

    def capabilities(self):
        """Return the capabilities of the namespace.

        Returns
        -------
        dict
            "boolean indexing" and "data-dependent shapes" are True. "max dimensions" is None,
            because there is no limit.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.__array_namespace_info__().capabilities()["boolean indexing"]
        True
        """
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self):
        """Return the default device of new arrays.

        Returns
        -------
        Device

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.__array_namespace_info__().default_device() == usm.ones(3).device
        True
        """
        return Device.create_device()

    def devices(self):
        """Return all devices. Each equals the `device` of arrays on it.

        Returns
        -------
        tuple of Device

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.ones(3).device in usm.__array_namespace_info__().devices()
        True
        """
        return tuple(Device.create_device(device) for device in get_devices())

    def default_dtypes(self, *, device=None):
        """Return the default data types of new arrays.

        Parameters
        ----------
        device : Device, SyclQueue, SyclDevice or filter selector string, optional

        Returns
        -------
        dict
            A dict with the keys "real floating", "complex floating", "integral", "indexing".

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.__array_namespace_info__().default_dtypes()["indexing"]
        dtype('int64')
        """
        double = Device.create_device(device).sycl_device.has_aspect_fp64
        return {
            "real floating": dtype("float64" if double else "float32"),
            "complex floating": dtype("complex128" if double else "complex64"),
            "integral": dtype("int64"),
            "indexing": dtype("int64"),
        }

    def dtypes(self, *, device=None, kind=None):
        """Return the data types of the standard that a device supports.

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
            If a kind is unknown.
        TypeError
            If `kind` has another type.

        Examples
        --------
        >>> import usmtensor as usm
        >>> list(usm.__array_namespace_info__().dtypes(kind="signed integer"))
        ['int8', 'int16', 'int32', 'int64']
        """
        queue = Device.create_device(device).sycl_queue
        kinds = ("bool", "numeric") if kind is None else kind
        kinds = (kinds,) if isinstance(kinds, str) else kinds
        if not isinstance(kinds, tuple) or not all(isinstance(one, str) for one in kinds):
            raise TypeError(f"dtypes: kind is {kind!r}; expected a str or a tuple of str")
        for one in kinds:
            if one not in KINDS:
                raise wrong_value(one, "dtypes", "kind", f"one of {', '.join(KINDS)}")
        letters = "".join(KINDS[one] for one in kinds)
        return {
            str(dtype): dtype
            for dtype in SUPPORTED
            if dtype.kind in letters
            and dtype.name != "float16"  # not in the standard
            and supported_dtype(dtype, queue) == dtype
        }
