"""Methods of numpy.ndarray that are not functions of the namespace."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, SupportsIndex

import numpy
import numpy.typing as npt

import usmtensor._functions as usm
from usmtensor._composed import choosing, partial_sorts
from usmtensor._composed.files import open_path, write_elements
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import Axis, Out
from usmtensor._functions.arguments import location, named_in_errors
from usmtensor._numpy import names
from usmtensor._runtime.arguments import wrong_type, wrong_value


def transpose(x: usm_ndarray, /, *axes: Any) -> usm_ndarray:
    """Return a view with the axes in another order.

    Parameters
    ----------
    *axes : int, or one tuple of int
        The axis of `x` for each axis of the result. Default: the reverse order.

    Returns
    -------
    usm_ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ones((2, 3, 4)).transpose(0, 2, 1).shape
    (2, 4, 3)
    """
    order: Any = axes
    if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)):
        order = axes[0]
    return names.transpose(x, order or None)


@named_in_errors
def fill(x: usm_ndarray, /, value: Any) -> None:
    """Set all elements to a value.

    Parameters
    ----------
    value : number or 0-D array

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.empty(3)
    >>> x.fill(2)
    >>> x
    usm_ndarray([2., 2., 2.])
    """
    x[...] = value


def take(
    x: usm_ndarray,
    indices: Any,
    /,
    axis: Axis = None,
    out: Out = None,
    mode: Literal["wrap", "clip", "raise"] = "raise",
) -> usm_ndarray:
    """Return the elements at indices along an axis, or in C order.

    Parameters
    ----------
    indices : usm_ndarray or numpy.ndarray of integers, or sequence or int
    axis : int, optional
        Default: all elements in C order.
    out : usm_ndarray, optional
        An array for the result.
    mode : {"raise", "wrap", "clip"}
        As in `usmtensor.take`, but "raise" is the default, as in NumPy. It waits for the check.

    Returns
    -------
    usm_ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray([[1, 2], [3, 4]]).take([0, 3])
    usm_ndarray([1, 4])
    """
    if not isinstance(indices, usm_ndarray):
        whole = numpy.asarray(indices)
        whole = whole.astype(numpy.int64) if whole.size == 0 else whole
        indices = usm.asarray(whole, **location(x))
    return usm.take(x, indices, axis=axis, out=out, mode=mode)


@named_in_errors
def put(
    x: usm_ndarray,
    indices: Any,
    values: Any,
    /,
    mode: Literal["wrap", "clip", "raise"] = "raise",
) -> None:
    """Set the elements at indices in C order.

    Parameters
    ----------
    indices : usm_ndarray or numpy.ndarray of integers, or sequence or int
    values : usm_ndarray, numpy.ndarray, sequence or number
        Repeated if there are fewer values than indices.
    mode : {"raise", "wrap", "clip"}
        As in `take`.

    Raises
    ------
    IndexError
        If an index is out of range.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.zeros(4)
    >>> x.put([0, 2], [5, 7])
    >>> x
    usm_ndarray([5., 0., 7., 0.])
    """
    placement = location(x)
    indices = usm.reshape(usm.asarray(indices, **placement), (-1,))
    values = usm.reshape(usm.asarray(values, **placement), (-1,))
    if indices.size:
        usm.put(x, indices, values, mode=mode)


def compress(x: usm_ndarray, /, condition: Any, axis: Axis = None, out: Out = None) -> usm_ndarray:
    """Return the elements along an axis for which a condition is true.

    Parameters
    ----------
    condition : usm_ndarray or numpy.ndarray of bools, or sequence
        A 1-D array. Elements after its end are left out.
    axis : int, optional
        Default: all elements in C order.
    out : usm_ndarray, optional
        An array for the result.

    Returns
    -------
    usm_ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.arange(4).compress([True, False, True])
    usm_ndarray([0, 2])
    """
    return choosing.compress(condition, x, axis, out)


def setflags(
    x: usm_ndarray, /, write: bool | None = None, align: bool | None = None, uic: bool | None = None
) -> None:
    """Set `x.flags.writable`.

    Parameters
    ----------
    write : bool, optional
        Default: unchanged.
    align, uic : bool, optional
        Accepted for compatibility: all arrays are aligned, and none is a copy that is written back.

    Raises
    ------
    ValueError
        If `align` is false or `uic` is true.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.ones(2)
    >>> x.setflags(write=False)
    >>> x.flags.writable
    False
    """
    if align is not None and not align:
        raise wrong_value(align, "setflags", "align", "True")
    if uic:
        raise wrong_value(uic, "setflags", "uic", "False")
    if write is not None:
        x.flags.writable = bool(write)


def sort(
    x: usm_ndarray,
    /,
    axis: SupportsIndex = -1,
    kind: Literal["stable", "quicksort", "heapsort", "mergesort", "radixsort"] | None = None,
    *,
    descending: bool = False,
    stable: bool | None = True,
) -> None:
    """Sort the elements in place.

    Parameters
    ----------
    axis : int
        The axis to sort along.
    kind, descending, stable
        As in `usmtensor.sort`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([3, 1, 2])
    >>> x.sort()
    >>> x
    usm_ndarray([1, 2, 3])
    """
    if axis is None:  # which flattens, and so is not in place
        raise wrong_type(axis, "sort", "axis", "an integer")
    x[...] = usm.sort(x, axis=axis, descending=descending, stable=stable, kind=kind)


def partition(
    x: usm_ndarray,
    kth: Any,
    /,
    axis: SupportsIndex = -1,
    kind: Literal["introselect"] = "introselect",
) -> None:
    """Partition the elements in place at some indices.

    Parameters
    ----------
    kth : int or sequence of int
        The indices.
    axis : int
        The axis to sort along.
    kind : {"introselect"}
        Ignored, as in `usmtensor.partition`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.asarray([3, 1, 2])
    >>> x.partition(1)
    >>> x[1]
    usm_ndarray(2)
    """
    x[...] = partial_sorts.partition(x, kth, axis, kind)


def to_numpy(x: usm_ndarray, /) -> npt.NDArray[Any]:
    """Return a copy of the elements on the host: usmtensor.asnumpy(x). Waits for pending work.

    Returns
    -------
    numpy.ndarray

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ones(2).to_numpy()
    array([1., 1.])
    """
    return usm.asnumpy(x)


def tobytes(x: usm_ndarray, /, order: Literal["C", "F", "A"] = "C") -> bytes:
    """Return a copy of the bytes of the elements. Waits for pending work.

    Parameters
    ----------
    order : {"C", "F", "A"}
        The order of the elements.

    Returns
    -------
    bytes

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray([1, 2], dtype="u1").tobytes()
    b'\\x01\\x02'
    """
    return usm.asnumpy(x).tobytes(order)


def tofile(x: usm_ndarray, file: Any, /, sep: str = "", format: str = "%s") -> None:
    """Write the elements to a file in chunks. Waits for pending work.

    Parameters
    ----------
    file : path or file object
    sep, format : str
        As in numpy.ndarray.tofile.

    Examples
    --------
    >>> import tempfile
    >>> import usmtensor as usm
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     usm.asarray([1, 2], dtype="u1").tofile(file.name)
    ...     file.read()
    ...
    b'\\x01\\x02'
    """
    if not isinstance(file, (str, PathLike)) and not hasattr(file, "fileno"):
        raise wrong_type(file, "tofile", "file", "a path or an open file")
    if sep:
        usm.asnumpy(x).tofile(file, sep, format)
        return
    with open_path(file, "wb", "tofile") as stream:
        write_elements(x, stream)


def view(x: usm_ndarray, /, dtype: npt.DTypeLike | None = None) -> usm_ndarray:
    """Return a view of the same memory with another data type.

    Parameters
    ----------
    dtype : data type, optional
        Default: the type of the array. If the size of the type differs, the last axis must be
        contiguous, and its extent changes.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If the last axis is not contiguous, its bytes are not a multiple of the size of the type, or
        elements would not be aligned.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray([1.0, 2.0], dtype="f4").view("i4")
    usm_ndarray([1065353216, 1073741824], dtype=int32)
    """
    try:
        found = x.dtype if dtype is None else numpy.dtype(dtype)
    except (TypeError, ValueError, SyntaxError):
        raise wrong_type(dtype, "view", "dtype", "a data type") from None
    if found.kind not in "biufc":
        raise TypeError(f"view: dtype is {found}, which arrays cannot have")
    old, new = x.dtype.itemsize, found.itemsize
    shape: Sequence[int] = x.shape
    strides: Sequence[int] = x.strides
    offset = x._element_offset * old
    if not x.size:  # strides are arbitrary, and need not be divisible
        strides, offset = (*[0] * (x.ndim - 1), 1), 0
    if old != new:
        if not shape or (strides[-1] != 1 and shape[-1] > 1) or shape[-1] * old % new:
            raise wrong_value(
                dtype, "view", "dtype", f"a type that divides the contiguous last axis of {shape}"
            )
        pairs = zip(strides[:-1], shape, strict=False)
        if any(stride * old % new for stride, extent in pairs if extent > 1):
            raise wrong_value(dtype, "view", "dtype", f"a type that divides the strides {strides}")
        shape = (*shape[:-1], shape[-1] * old // new)
        strides = (*[stride * old // new for stride in strides[:-1]], 1)
    if offset % new:
        raise wrong_value(dtype, "view", "dtype", "a type to whose size the elements are aligned")
    result = usm_ndarray(shape, found, strides, x.usm_data, offset // new)
    if not x.flags.writable:
        result.flags.writable = False
    return result
