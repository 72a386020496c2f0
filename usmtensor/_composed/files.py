"""Arrays in files and buffers.

Large arrays are copied in chunks, so that the host never has a whole copy.
"""

from __future__ import annotations

import os
import tokenize
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import numpy
from numpy.lib import format as npy

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.copy import asnumpy
from usmtensor._core.typing import DeviceLike, DType, USMType
from usmtensor._functions.arguments import named_in_errors
from usmtensor._runtime.arguments import integer, natural, require, wrong_type, wrong_value
from usmtensor._runtime.queue import SyclQueue

__all__ = ["frombuffer", "fromfile", "fromiter", "fromstring", "genfromtxt", "load", "loadtxt"]
__all__ += ["save", "savetxt", "savez", "savez_compressed"]

_CHUNK = 1 << 23  # bytes
_ZIP = (
    b"PK\x03\x04",
    b"PK\x05\x06",
)  # the first bytes of archives with members and of empty archives


# Pieces ------------------------------------------------------------------------------------------


@contextmanager
def open_path(file: Any, mode: str, function: str, suffix: str = "") -> Iterator[Any]:
    """Open a path, with a suffix if it has none. An open file is returned unchanged."""
    if hasattr(file, "read" if mode == "rb" else "write"):
        yield file
        return
    if not isinstance(file, str | bytes | os.PathLike):
        raise wrong_type(file, function, "file", "a path or an open file")
    path = os.fsdecode(file)
    with open(path if path.endswith(suffix) else path + suffix, mode) as stream:
        yield stream


def write_elements(x: usm_ndarray, file: Any) -> None:
    """Write the elements in C order."""
    line = usm.reshape(x, -1)
    step = _CHUNK // x.dtype.itemsize
    for start in range(0, x.size, step):
        file.write(asnumpy(line[start : start + step]).view("u1"))


def _read_elements(file: Any, x: usm_ndarray, dtype: numpy.dtype[Any], function: str) -> None:
    """Read the elements of a contiguous array, which may have another byte order in the file."""
    line = usm.reshape(x, -1, copy=False)
    step = _CHUNK // dtype.itemsize
    buffer = numpy.empty(min(step, x.size), dtype)
    for start in range(0, x.size, step):
        piece = buffer[: x.size - start]
        nbytes = _read(file, memoryview(piece.view("u1")))
        if nbytes < piece.nbytes:
            raise ValueError(
                f"{function}: file has {start * dtype.itemsize + nbytes} bytes of elements; "
                f"expected {x.size * dtype.itemsize}"
            )
        line[start : start + piece.size] = piece


def _array_for(shape: Any, dtype: numpy.dtype[Any], placement: dict[str, Any]) -> usm_ndarray:
    """Make an array for elements of a type in a file, with the type that asarray would give."""
    own = usm.asarray(numpy.empty(0, dtype.newbyteorder("=")), **placement).dtype
    return usm.empty(shape, dtype=own, **placement)


def _read(file: Any, to: memoryview) -> int:
    """Read bytes from a file, and return their number. Some files return fewer bytes at a time."""
    done = 0
    while done < len(to):
        if hasattr(file, "readinto"):
            count = file.readinto(to[done:])
        else:
            data = file.read(len(to) - done)
            count = len(data)
            to[done : done + count] = data
        if not count:
            break
        done += count
    return done


# NumPy's formats ---------------------------------------------------------------------------------


def _write_array(x: usm_ndarray, file: Any) -> None:
    turned = x.flags.f_contiguous and not x.flags.c_contiguous
    header = {"descr": x.dtype.str, "fortran_order": turned, "shape": x.shape}
    npy.write_array_header_1_0(file, header)
    write_elements(usm.permute_dims(x, range(x.ndim)[::-1]) if turned else x, file)


def _read_array(file: Any, max_header_size: int, placement: dict[str, Any]) -> usm_ndarray:
    version = npy.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise ValueError(f"load: file has version {version}; expected (1, 0) or (2, 0)")
    reader = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    try:
        shape, turned, dtype = reader(file, max_header_size=max_header_size)
    except tokenize.TokenError as error:
        raise ValueError(f"load: cannot parse the header of file: {error}") from None
    if dtype.hasobject:
        raise ValueError("load: file has an array of objects; expected numbers")
    x = _array_for(shape[::-1] if turned else shape, dtype, placement)
    _read_elements(file, x, dtype, "load")
    return usm.permute_dims(x, range(x.ndim)[::-1]) if turned else x


class _Archive(Mapping[str, usm_ndarray]):
    """The arrays of an .npz file by name. Each access reads an array."""

    def __new__(cls, file: Any, max_header_size: int, placement: dict[str, Any]) -> _Archive:
        self = super().__new__(cls)
        self._zip = zipfile.ZipFile(file)
        self._given = max_header_size, placement
        self.files = [name.removesuffix(".npy") for name in self._zip.namelist()]
        return self

    def __getitem__(self, name: str) -> usm_ndarray:
        members = self._zip.namelist()
        if name not in members and f"{name}.npy" not in members:
            raise KeyError(f"load: file has no array {name!r}; expected one of {self.files}")
        with self._zip.open(name if name in members else f"{name}.npy") as member:
            return _read_array(member, *self._given)

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)

    def __repr__(self) -> str:
        return f"<archive of arrays: {', '.join(self.files)}>"

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._zip.close()


@named_in_errors
def load(
    file: Any,
    mmap_mode: Literal["r", "c"] | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10000,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray | Mapping[str, usm_ndarray]:
    """Load an array from an .npy file, or the arrays from an .npz file.

    Parameters
    ----------
    file : path or binary file
    mmap_mode : {"r", "c"}, optional
        Accepted for compatibility. The array is always on the device, and files are read in chunks.
    allow_pickle, fix_imports, encoding : optional
        Accepted for compatibility, and ignored: pickles are never read.
    max_header_size : int
        The maximum number of bytes in a header.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional

    Returns
    -------
    usm_ndarray, or mapping of usm_ndarray by name
        The mapping reads an array at each access. It has NumPy's attributes `files` and `close`,
        and can be used in a `with` statement.

    Raises
    ------
    ValueError
        If the file has another format, an array of objects, or too few bytes.
    TypeError
        If `file` is neither a path nor a file, or an array has a data type that arrays cannot have.

    Notes
    -----
    Compatible with numpy.load.

    Examples
    --------
    >>> import io
    >>> import usmtensor as usm
    >>> file = io.BytesIO()
    >>> usm.save(file, usm.arange(3))
    >>> file.seek(0)
    0
    >>> usm.load(file)
    usm_ndarray([0, 1, 2])
    """
    if mmap_mode not in (None, "r", "c"):
        raise wrong_value(mmap_mode, "load", "mmap_mode", "'r', 'c' or None")
    most = natural(max_header_size, "load", "max_header_size")
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    usm.empty(0, **placement)  # raises now if the device is unknown
    with open_path(file, "rb", "load") as stream:
        begin = stream.tell()
        magic = stream.read(len(npy.MAGIC_PREFIX))
        stream.seek(begin)
        if magic == npy.MAGIC_PREFIX:
            return _read_array(stream, most, placement)
        if not magic.startswith(_ZIP):
            raise ValueError(f"load: file begins with {magic!r}; expected an .npy or .npz file")
    return _Archive(file if hasattr(file, "read") else os.fsdecode(file), most, placement)


@named_in_errors
def save(file: Any, arr: Any, allow_pickle: bool = True) -> None:
    """Write an array to an .npy file.

    Parameters
    ----------
    file : path or binary file
        The suffix ".npy" is appended to a path without a suffix.
    arr : usm_ndarray or array_like
    allow_pickle : bool
        Accepted for compatibility, and ignored: arrays of numbers need no pickles.

    Raises
    ------
    TypeError
        If `file` is neither a path nor a file, or `arr` has elements that arrays cannot have.

    Notes
    -----
    Compatible with numpy.save. The array is copied to the host in chunks.

    Examples
    --------
    >>> import io
    >>> import numpy
    >>> import usmtensor as usm
    >>> file = io.BytesIO()
    >>> usm.save(file, usm.ones((2, 3)))
    >>> file.seek(0)
    0
    >>> numpy.load(file).shape
    (2, 3)
    """
    x = usm.asarray(arr)
    with open_path(file, "wb", "save", ".npy") as stream:
        _write_array(x, stream)


def _write_archive(
    function: str, compression: int, file: Any, arrays: tuple[Any, ...], named: dict[str, Any]
) -> None:
    members = {f"arr_{k}": x for k, x in enumerate(arrays)}
    if both := members.keys() & named.keys():
        raise ValueError(f"{function}: two arrays have the name {min(both)!r}; expected one")
    members = {name: usm.asarray(x) for name, x in {**members, **named}.items()}
    with (
        open_path(file, "wb", function, ".npz") as stream,
        zipfile.ZipFile(stream, "w", compression) as archive,
    ):
        for name, x in members.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                _write_array(x, member)


@named_in_errors
def savez(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write several arrays to an .npz file.

    Parameters
    ----------
    file : path or binary file
        The suffix ".npz" is appended to a path without a suffix.
    *args : usm_ndarray or array_like
        Arrays with the names "arr_0", "arr_1" and so on.
    allow_pickle : bool
        Accepted for compatibility, and ignored: arrays of numbers need no pickles.
    **kwds : usm_ndarray or array_like
        Arrays by name.

    Raises
    ------
    TypeError
        If `file` is neither a path nor a file, or an array has elements that arrays cannot have.
    ValueError
        If two arrays have the same name.

    Notes
    -----
    Compatible with numpy.savez. The arrays are copied to the host in chunks.

    Examples
    --------
    >>> import io
    >>> import usmtensor as usm
    >>> file = io.BytesIO()
    >>> usm.savez(file, usm.arange(3), weights=usm.ones(2))
    >>> file.seek(0)
    0
    >>> with usm.load(file) as arrays:
    ...     print(arrays.files, arrays["weights"])
    ...
    ['arr_0', 'weights'] [1. 1.]
    """
    _write_archive("savez", zipfile.ZIP_STORED, file, args, kwds)


@named_in_errors
def savez_compressed(file: Any, *args: Any, allow_pickle: bool = True, **kwds: Any) -> None:
    """Write several arrays to a compressed .npz file.

    Parameters
    ----------
    file, allow_pickle : optional
        As in `savez`.
    *args, **kwds : usm_ndarray or array_like
        As in `savez`.

    Raises
    ------
    TypeError, ValueError
        As from `savez`.

    Notes
    -----
    Compatible with numpy.savez_compressed. The arrays are copied to the host in chunks.

    Examples
    --------
    >>> import io
    >>> import usmtensor as usm
    >>> file = io.BytesIO()
    >>> usm.savez_compressed(file, zeros=usm.zeros(10_000))
    >>> file.tell() < 1000
    True
    """
    _write_archive("savez_compressed", zipfile.ZIP_DEFLATED, file, args, kwds)


# Bytes and text ----------------------------------------------------------------------------------


@named_in_errors
def fromfile(
    file: Any,
    dtype: DType = float,
    count: int = -1,
    sep: str = "",
    offset: int = 0,
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array from the bytes in a file, or from the numbers in a text file.

    Parameters
    ----------
    file : path or open file
    dtype : data type
        The type of the elements in the file.
    count : int
        The number of elements to read. Default: all.
    sep : str
        The separator of numbers in a text file. Default: the file is binary.
    offset : int
        The number of bytes to skip first, for binary files.
    device, usm_type, sycl_queue : optional
        As in `load`.

    Returns
    -------
    usm_ndarray
        A 1-D array. It has fewer than `count` elements if the file has fewer.

    Raises
    ------
    TypeError
        If `file` is neither a path nor a file.
    ValueError
        If the data type is not a type of numbers; or if `offset` is negative, or given for a text.

    Notes
    -----
    Compatible with numpy.fromfile. Binary files are read in chunks.

    Examples
    --------
    >>> import tempfile
    >>> import usmtensor as usm
    >>> with tempfile.TemporaryFile() as file:
    ...     usm.arange(4, dtype="u1").tofile(file)
    ...     _ = file.seek(0)
    ...     usm.fromfile(file, "u1", offset=1)
    ...
    usm_ndarray([1, 2, 3], dtype=uint8)
    """
    placement = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    kind = _type_in_file(dtype, "fromfile")
    wanted, skipped = integer(count, "fromfile", "count"), natural(offset, "fromfile", "offset")
    if require(sep, str, "fromfile", "sep"):
        if skipped:
            raise wrong_value(offset, "fromfile", "offset", "0 for a text")
        return usm.asarray(numpy.fromfile(file, kind, wanted, sep), **placement)
    with open_path(file, "rb", "fromfile") as stream:
        stream.seek(skipped, os.SEEK_CUR)
        begin = stream.tell()
        available = max(stream.seek(0, os.SEEK_END) - begin, 0)
        stream.seek(begin)
        if available == 0 and stream.read(1):  # a device, such as /dev/urandom, has no size
            available = max(wanted, 0) * kind.itemsize
            stream.seek(begin)
        available //= kind.itemsize
        size = available if wanted < 0 else min(wanted, available)
        x = _array_for(size, kind, placement)
        _read_elements(stream, x, kind, "fromfile")
    return x


def _type_in_file(dtype: Any, function: str) -> numpy.dtype[Any]:
    """Return a data type, which may have any byte order."""
    try:
        kind = numpy.dtype(dtype)
    except (TypeError, ValueError):
        raise wrong_value(dtype, function, "dtype", "a data type") from None
    if kind.kind not in "biufc":
        raise wrong_value(dtype, function, "dtype", "a data type of numbers")
    return kind


def _through_numpy(
    function: str,
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    device: Any,
    usm_type: Any,
    sycl_queue: Any,
) -> Any:
    """Copy the result of a NumPy function to a device."""
    try:
        x = getattr(numpy, function)(*args, **keywords)
    except (AttributeError, BufferError) as error:
        raise TypeError(f"{function}: {error}") from None
    return usm.asarray(x, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


@named_in_errors
def frombuffer(
    buffer: Any,
    dtype: DType = float,
    count: int = -1,
    offset: int = 0,
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array from a copy of the bytes in a buffer.

    Parameters
    ----------
    buffer : object with the buffer protocol
    dtype : data type
        The type of the elements in the buffer.
    count : int
        The number of elements to take. Default: all.
    offset : int
        The number of bytes to skip first.
    device, usm_type, sycl_queue : optional
        As in `load`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `buffer` is not a buffer.
    ValueError
        If the data type is not a type of numbers; or if the buffer has too few bytes, or a part of
        an element.

    Notes
    -----
    Compatible with numpy.frombuffer, except that the result is writable.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.frombuffer(b"\\x01\\x02\\x03", dtype="u1", offset=1)
    usm_ndarray([2, 3], dtype=uint8)
    """
    return _through_numpy(
        "frombuffer",
        (buffer, _type_in_file(dtype, "frombuffer"), count, offset),
        {},
        device,
        usm_type,
        sycl_queue,
    )


@named_in_errors
def fromiter(
    iter: Iterable[Any],
    dtype: DType,
    count: int = -1,
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array from the numbers of an iterator.

    Parameters
    ----------
    iter : iterable of numbers
    dtype : data type
    count : int
        The number of numbers to take. Default: all.
    device, usm_type, sycl_queue : optional
        As in `load`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `iter` is not iterable, or an element is not a number.
    ValueError
        If there are fewer numbers than `count`.

    Notes
    -----
    Compatible with numpy.fromiter.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fromiter((k * k for k in range(4)), dtype=int)
    usm_ndarray([0, 1, 4, 9])
    """
    return _through_numpy(
        "fromiter",
        (iter, _type_in_file(dtype, "fromiter"), count),
        {},
        device,
        usm_type,
        sycl_queue,
    )


@named_in_errors
def fromstring(
    string: str,
    dtype: DType = float,
    count: int = -1,
    *,
    sep: str,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array from the numbers in a string.

    Parameters
    ----------
    string : str
    dtype : data type
    count : int
        The number of numbers to take. Default: all.
    sep : str
        The separator of the numbers.
    device, usm_type, sycl_queue : optional
        As in `load`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `string` is not a str.
    ValueError
        If the text has anything other than numbers, or `sep` is empty.

    Notes
    -----
    Compatible with numpy.fromstring.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.fromstring("1, 2, 3", sep=",")
    usm_ndarray([1., 2., 3.])
    """
    return _through_numpy(
        "fromstring",
        (string, _type_in_file(dtype, "fromstring"), count),
        {"sep": sep},
        device,
        usm_type,
        sycl_queue,
    )


@named_in_errors
def loadtxt(
    fname: Any,
    *args: Any,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
    **keywords: Any,
) -> usm_ndarray:
    """Make an array from the numbers in a text file.

    Parameters
    ----------
    fname : path, open file or iterable of lines
    *args, **keywords
        The other arguments of numpy.loadtxt, such as `dtype`, `delimiter` and `usecols`.
    device, usm_type, sycl_queue : optional
        As in `load`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `fname` is not as expected, or a column does not have numbers.
    ValueError
        If the text has anything other than numbers.

    Notes
    -----
    Compatible with numpy.loadtxt, which makes an array on the host.

    Examples
    --------
    >>> import io
    >>> import usmtensor as usm
    >>> usm.loadtxt(io.StringIO("1,2\\n3,4"), delimiter=",")
    usm_ndarray([[1., 2.],
                 [3., 4.]])
    """
    return _through_numpy("loadtxt", (fname, *args), keywords, device, usm_type, sycl_queue)


@named_in_errors
def genfromtxt(
    fname: Any,
    *args: Any,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
    **keywords: Any,
) -> usm_ndarray:
    """Make an array from the numbers in a text file, in which numbers may be missing.

    Parameters
    ----------
    fname : path, open file or iterable of lines
    *args, **keywords
        The other arguments of numpy.genfromtxt, such as `dtype`, `delimiter` and `usecols`.
    device, usm_type, sycl_queue : optional
        As in `load`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `fname` is not as expected, or a column does not have numbers.
    ValueError
        If the text has anything other than numbers.

    Notes
    -----
    Compatible with numpy.genfromtxt, which makes an array on the host.

    Examples
    --------
    >>> import io
    >>> import usmtensor as usm
    >>> usm.genfromtxt(io.StringIO("1,2\\n,4"), delimiter=",")
    usm_ndarray([[ 1.,  2.],
                 [nan,  4.]])
    """
    return _through_numpy("genfromtxt", (fname, *args), keywords, device, usm_type, sycl_queue)


@named_in_errors
def savetxt(fname: Any, X: Any, *args: Any, **keywords: Any) -> None:
    """Write an array of one or two dimensions as text.

    Parameters
    ----------
    fname : path or open file
    X : usm_ndarray or array_like
    *args, **keywords
        The other arguments of numpy.savetxt, such as `fmt`, `delimiter` and `header`.

    Raises
    ------
    TypeError, ValueError
        As from numpy.savetxt.

    Notes
    -----
    Compatible with numpy.savetxt, which writes a copy on the host.

    Examples
    --------
    >>> import io
    >>> import usmtensor as usm
    >>> file = io.StringIO()
    >>> usm.savetxt(file, usm.eye(2), fmt="%g")
    >>> file.getvalue()
    '1 0\\n0 1\\n'
    """
    host = asnumpy(X) if isinstance(X, usm_ndarray) else numpy.asarray(X)
    if host.dtype == object:
        raise wrong_type(X, "savetxt", "X", "an array of numbers")
    numpy.savetxt(fname, host, *args, **keywords)
