"""Copies: between arrays, types, USM kinds, queues, contexts and the host."""

cimport numpy as np
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from usmtensor._core.array cimport (
    C_CONTIGUOUS, F_CONTIGUOUS, allocate_array, finish, ndarray_over, of_class, require_array,
    same_shape, usm_ndarray,
)
from usmtensor._core.tracing cimport Traced, array_or_sample
from usmtensor._core.views cimport on_queue, reshape_view
from usmtensor._native.libtensor cimport (
    UsmKind, copy as copy_view, copy_across, copy_with_host, equal, fill, same_device_and_context,
)
from usmtensor._runtime.arguments cimport (
    is_true, kind_of_word, one_of, order_char, plain_array, require,
)
from usmtensor._runtime.dtypes cimport (
    DTYPES, code_of_number, code_or_default, dtype_code, from_python, itemsizes, supported_code,
)
from usmtensor._runtime.queue cimport SyclQueue

import warnings
from copy import deepcopy

import numpy

from usmtensor._runtime import device as _device

np.import_array()

__all__ = ["asnumpy", "astype", "copy", "from_numpy", "to_numpy"]

cdef tuple _CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


cdef int copy_into(usm_ndarray source, usm_ndarray destination) except -1:
    """Assign `destination[...] = source` for equal shapes, in any contexts."""
    cdef int64_t[2] source_line, line
    if not same_shape(source, destination.rank, destination.extents):
        raise ValueError(f"an array of shape {source.shape} was given for one of shape "
                         f"{destination.shape}")
    if not same_device_and_context(dereference(source.queue.ref),
                                   dereference(destination.queue.ref)):
        copy_across(source.queue.ref, source.view(), destination.queue.ref, destination.view())
    elif source.bits & destination.bits & (C_CONTIGUOUS | F_CONTIGUOUS):
        copy_view(destination.queue.ref, source.as_1d_view(source_line),
                  destination.as_1d_view(line))
    else:
        copy_view(destination.queue.ref, source.view(), destination.view())
    return 0


cdef usm_ndarray _as_view(usm_ndarray x, int code, char order, SyclQueue queue, object usm_type):
    """Return x or a view of it if that meets the request, otherwise None."""
    if (code != x.code or order == b"C" and not x.bits & C_CONTIGUOUS
            or order == b"F" and not x.bits & F_CONTIGUOUS
            or order == b"A" and not x.bits & (C_CONTIGUOUS | F_CONTIGUOUS)
            or usm_type is not None and usm_type != x.usm_type
            or not same_device_and_context(dereference(queue.ref), dereference(x.queue.ref))):
        return None
    if queue is x.queue or equal(dereference(queue.ref), dereference(x.queue.ref)):
        return x
    return on_queue(x, queue)


cdef usm_ndarray allocate_like(usm_ndarray x, int code, char order, SyclQueue queue,
                               object usm_type, str function):
    """Return a new compact array with the shape of x, and its USM kind unless one is given."""
    cdef UsmKind kind = x.allocation.kind if usm_type is None else kind_of_word(usm_type, function)
    if x.bits & C_CONTIGUOUS and order != b"F":
        order = b"C"
    elif order == b"A":
        order = b"F" if x.bits & F_CONTIGUOUS else b"C"
    return allocate_array(queue, kind, code, x.rank, x.extents, order, x.strides_())


cdef usm_ndarray copy_as(usm_ndarray x, int code, char order, SyclQueue queue, object usm_type):
    """Return a compact copy of x."""
    cdef usm_ndarray y = allocate_like(x, code, order, queue, usm_type, "copy")
    copy_into(x, y)
    return y


cdef usm_ndarray as_array(usm_ndarray x, int code, char order, SyclQueue queue, object usm_type,
                          object copy):
    """Return x, a view of it or a copy.

    `copy` is True to copy always, and None to copy if needed. If it is False and a copy is needed,
    the result is None.
    """
    cdef usm_ndarray y = None if copy else _as_view(x, code, order, queue, usm_type)
    if y is None and (copy is None or copy):
        return copy_as(x, code, order, queue, usm_type)
    return y


cdef usm_ndarray as_1d(usm_ndarray x):
    """Return the elements in C order along one axis, as a view if possible."""
    cdef usm_ndarray y = reshape_view(x, (x.count(),), b"C")
    return reshape_view(as_contiguous(x, x.code), (x.count(),), b"C") if y is None else y


cdef usm_ndarray as_contiguous(usm_ndarray x, int code):
    """Return a C-contiguous array of a type: the array itself, or a copy."""
    return as_array(x, code, b"C", x.queue, None, None)


def copy(a: usm_ndarray, order: KeepOrder = "K") -> usm_ndarray:
    """Return a copy of an array with its type, USM kind and queue.

    Parameters
    ----------
    a : usm_ndarray
    order : {"K", "C", "F", "A"}
        The memory order of the axes. "K" keeps the order of `a`. "A" is F order if `a` has it,
        otherwise C order.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `a` is not an array.
    ValueError
        If `order` is unknown.

    Notes
    -----
    Compatible with dpctl.tensor.copy.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.zeros(3)
    >>> y = usm.copy(x)
    >>> y[0] = 1
    >>> x, y
    (usm_ndarray([0., 0., 0.]), usm_ndarray([1., 0., 0.]))
    """
    cdef usm_ndarray source = array_or_sample(a, "copy", "a")
    order_char(order, "copy")
    if isinstance(a, Traced):
        return (<Traced>a).cast(source.code, True)
    return copy_as(source, source.code, order_char(order, "copy"), source.queue, None)


cdef int require_cast(int from_, int to, object casting, str function) except -1:
    """Raise an error if a casting rule does not allow a cast between two types."""
    if casting == "unsafe":
        return 0
    one_of(casting, _CASTINGS, function, "casting")
    if not numpy.can_cast(<object>DTYPES[from_], <object>DTYPES[to], casting):
        raise TypeError(f"{function}: cannot cast from {DTYPES[from_]} to {DTYPES[to]} by the rule "
                        f"{casting!r}")
    return 0


def astype(
    x: usm_ndarray,
    /,
    dtype: DType,
    order: KeepOrder = "K",
    casting: Casting = "unsafe",
    *,
    copy: bool = True,
    device: DeviceLike = None,
) -> usm_ndarray:
    """Convert an array to another data type.

    Parameters
    ----------
    x : usm_ndarray
    dtype : data type or None
        None: the device's default floating point type.
    order : {"K", "C", "F", "A"}
    casting : {"no", "equiv", "safe", "same_kind", "unsafe"}
        The casts that are allowed, as in NumPy.
    copy : bool
        If False, return `x` itself if it has the requested type, order and device.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the device of `x`.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If `casting` does not allow the cast.

    Notes
    -----
    Values are equal to NumPy's. Where NumPy's result is undefined, NaN and floats out of range give
    the minimum of a signed integer type, and wrap through int64 for an unsigned type.
    Source: array API 2025.12, `astype`; keywords as in dpctl.tensor.astype.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.astype(usm.asarray([1.9, -1.9]), usm.int32)
    usm_ndarray([ 1, -1], dtype=int32)
    """
    cdef usm_ndarray source = array_or_sample(x, "astype")
    cdef SyclQueue queue = source.queue
    cdef char letter = order_char(order, "astype")
    cdef bint must_copy = is_true(copy, "copy", "astype")
    cdef int code
    if device is not None:
        queue = _device.normalize_queue("astype", device, None)
    code = code_or_default(dtype, queue.ref.get(), "astype")
    require_cast(source.code, code, casting, "astype")
    if isinstance(x, Traced):
        return (<Traced>x).cast(code, must_copy)
    return as_array(source, code, letter, queue, None, True if must_copy else None)


def duplicate(usm_ndarray x, memo):
    """Implement usm_ndarray.__copy__ and __deepcopy__.

    The copy has the class and the attributes of x; with a memo, the attributes are copied too.
    """
    cdef usm_ndarray y = of_class(copy(x), type(x))
    attributes = getattr(x, "__dict__", None)
    if attributes and memo is not None:
        memo[id(x)] = y  # an attribute may refer to the array
        attributes = deepcopy(attributes, memo)
    if attributes:
        y.__dict__.update(attributes)
    return y


def to_device(usm_ndarray x, device, stream):
    """Implement usm_ndarray.to_device."""
    cdef SyclQueue queue = _device.normalize_queue("to_device", device, None)
    if stream is not None:
        require(stream, SyclQueue, "to_device", "stream").wait()
    return as_array(x, x.code, b"K", queue, None, None)


# From and to the host


cdef usm_ndarray upload(object values, SyclQueue queue, object usm_type, str function):
    """Return a compact array with the content and axis order of a NumPy array.

    If the device does not support its type, the result has the widest supported type of its kind.
    """
    cdef int code, axis
    cdef usm_ndarray x
    cdef UsmKind kind = kind_of_word(usm_type, function)
    cdef np.ndarray array = plain_array(values, function)
    if not np.PyArray_ISNOTSWAPPED(array):
        array = array.astype(array.dtype.newbyteorder("="))
    code = supported_code(dtype_code(array.dtype, function), queue.ref.get())
    if code != code_of_number(np.PyArray_TYPE(array)):
        array = array.astype(DTYPES[code])
    if not np.PyArray_ISONESEGMENT(array):
        array = array.copy(order="K")
    x = allocate_array(queue, kind, code, np.PyArray_NDIM(array),
                       <const int64_t *>np.PyArray_DIMS(array), b"C")
    if not np.PyArray_IS_C_CONTIGUOUS(array):
        for axis in range(x.rank):
            x.extents[x.rank + axis] = np.PyArray_STRIDE(array, axis) // itemsizes[code]
        finish(x, x.data, True)
    copy_content(array, x)
    return x


cdef bint _has_warned = False


cdef int warn_if_converted(np.ndarray values, usm_ndarray x, str function) except -1:
    """Warn once if the device does not have the type of NumPy data that became an array."""
    global _has_warned
    if not _has_warned and x.code != code_of_number(np.PyArray_TYPE(values)):
        _has_warned = True
        warnings.warn(f"{function}: the device does not have {values.dtype}, so NumPy data becomes "
                      f"{DTYPES[x.code]}; an explicit dtype={DTYPES[x.code].name!r} does not warn")
    return 0


cdef usm_ndarray fill_array(usm_ndarray x, object value, str function):
    """Set all elements of an array to a number, and return the array."""
    cdef char[16] scalar
    from_python(value, x.code, scalar, function)
    fill(x.queue.ref, x.view(), scalar)
    return x


cdef int copy_content(object array, usm_ndarray x) except -1:
    """Copy the bytes of a NumPy array into an array with the same layout."""
    copy_with_host(x.queue.ref, dereference(x.allocation), x.data, np.PyArray_DATA(array),
                   np.PyArray_NBYTES(array))
    return 0


def from_numpy(
    np_ary: npt.ArrayLike,
    /,
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Copy a NumPy array, with its type and axis order.

    Parameters
    ----------
    np_ary : numpy.ndarray or an object that numpy.asarray takes
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
    sycl_queue : SyclQueue, optional

    Returns
    -------
    usm_ndarray

    Raises
    ------
    TypeError
        If the type of the elements is not supported.

    Notes
    -----
    Compatible with dpctl.tensor.from_numpy.

    Examples
    --------
    >>> import usmtensor as usm
    >>> import numpy as np
    >>> usm.from_numpy(np.arange(3.0))
    usm_ndarray([0., 1., 2.])
    """
    cdef SyclQueue queue = _device.normalize_queue("from_numpy", device, sycl_queue)
    cdef usm_ndarray x = upload(np_ary, queue, usm_type, "from_numpy")
    if isinstance(np_ary, np.ndarray):
        warn_if_converted(np_ary, x, "from_numpy")
    return x


cdef size_t _POOLED_BYTES = 1 << 20  # from here on, new pages would take longer than the copy


def asnumpy(x: usm_ndarray, /) -> npt.NDArray[Any]:
    """Copy an array to a NumPy array; waits for the work on it.

    Parameters
    ----------
    x : usm_ndarray

    Returns
    -------
    numpy.ndarray
        An array with the shape, type and axis order of `x`; also for a 0-D array.

    Raises
    ------
    TypeError
        If `x` is not an array.
    ValueError
        If `x` has more than 64 dimensions, NumPy's limit.

    Notes
    -----
    Compatible with dpctl.tensor.asnumpy. From 1 MiB on, the NumPy array uses USM of host kind from
    the pool of the queue.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asnumpy(usm.arange(3))
    array([0, 1, 2])
    """
    cdef usm_ndarray source = require_array(x, "asnumpy"), pooled = None
    cdef size_t nbytes = <size_t>source.count() * itemsizes[source.code]
    if source.rank > 64:
        raise ValueError(f"asnumpy: x has {source.rank} dimensions; expected at most 64, as NumPy")
    if nbytes >= _POOLED_BYTES:
        try:
            source = pooled = copy_as(source, source.code, b"K", source.queue, "host")
        except MemoryError:  # pageable host memory may still be available
            pass
    if not source.bits & (C_CONTIGUOUS | F_CONTIGUOUS) and pooled is None:
        source = copy_as(source, source.code, b"K", source.queue, None)
    array = ndarray_over(NULL if pooled is None else pooled.data, source.code, source.rank,
                         source.extents, source.strides_(), True)
    if pooled is not None:
        np.set_array_base(array, pooled.memory_object())
        pooled.memory.open_view()  # waits; from now on only the NumPy array uses the memory
        pooled.memory.close_view()
        return array
    copy_with_host(source.queue.ref, dereference(source.allocation), np.PyArray_DATA(array),
                   source.data, nbytes)
    return array


to_numpy = asnumpy


def _unpickle(array, usm_type, writable, cls=usm_ndarray):
    """Return the array in a pickle, on the default device."""
    cdef usm_ndarray x = of_class(from_numpy(array, usm_type=usm_type), cls)
    x._set_writable(writable)
    return x


_unpickle.__module__ = "usmtensor"
