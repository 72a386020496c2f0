"""Creation functions: empty and filled arrays, arrays from data, ranges, and special matrices."""

cimport numpy as np
from cpython.buffer cimport PyObject_CheckBuffer
from cpython.long cimport PyLong_AsUnsignedLongLongMask
from libc.stdint cimport int64_t
from usmtensor._core.array cimport (
    C_CONTIGUOUS, F_CONTIGUOUS, allocate_array, allocate_shape, from_interface, is_element_like,
    require_array, usm_ndarray,
)
from usmtensor._core.copy cimport (
    allocate_like, as_array, copy_as, copy_into, upload, warn_if_converted,
)
from usmtensor._core.operands cimport (
    ARRAY, NUMPY_OTHER, NUMPY_SCALAR, NUMPY_SUBCLASS, OperandKind, PYTHON_BOOL, PYTHON_COMPLEX,
    UNKNOWN, assign, broadcast_shape, colocate_all, common_kind, common_queue, host_array, in_type,
    named_queue, operand_kind, plain_sequence, plain_value, promoted_code, requested_queue,
)
from usmtensor._core.tracing cimport Trace, Traced, current_trace
from usmtensor._core.views cimport axis_index, basic_view, diagonal_view
from usmtensor._native.libtensor cimport Linear, UsmKind, clear_outside, fill_linear, fill_steps
from usmtensor._runtime.arguments cimport (
    buffer_array, integer, is_true, kind_name, kind_of_word, natural, order_char, parse_extents,
    plain_array, plain_number, shape_tuple, short_repr, wrong_type, wrong_value,
)
from usmtensor._runtime.dtypes cimport (
    BOOL, C8, C16, DTYPES, F2, F4, F8, U8, code_or_default, default_code, dtype_code, find_code,
    from_python, supported_code, to_python,
)
from usmtensor._runtime.queue cimport SyclQueue, default_queue

import math
import numbers
from contextlib import suppress

import numpy

from usmtensor._core.array import bodies
from usmtensor._core.dlpack import from_dlpack
from usmtensor._core.tracing import make_like
from usmtensor._functions.manipulation import broadcast_to
from usmtensor._runtime.enums import DLDeviceType

__all__ = ["arange", "asarray", "empty", "empty_like", "eye", "full", "full_like", "linspace",
           "meshgrid", "ones", "ones_like", "tril", "triu", "zeros", "zeros_like"]


cdef tuple _REAL = (int, float), _COMPLEX = (int, float, complex)


cdef bint is_traced(object device, object sycl_queue):
    """Return True if a fused function makes an array on its queue."""
    return device is None and sycl_queue is None and current_trace() is not None


cdef object make_in_trace(object shape, object dtype, object value, str function):
    """Return an array that a fused function makes."""
    cdef Trace trace = current_trace()
    cdef int code = code_or_default(dtype, trace.queue.ref.get(), function)
    return trace.make_array(shape_tuple(shape, function), code, value, function)


cdef usm_ndarray empty_array(str function, object shape, object dtype, object order, object device,
                             object usm_type, object sycl_queue):
    cdef SyclQueue queue = named_queue(function, device, sycl_queue)
    cdef int code = code_or_default(dtype, queue.ref.get(), function)
    cdef char letter = b"C" if order is None else order_char(order, function)
    if letter not in (b"C", b"F"):
        raise wrong_value(order, function, "order", "'C' or 'F'")
    cdef UsmKind kind = kind_of_word(usm_type, function)
    cdef int64_t[4] extents
    cdef int rank = parse_extents(shape, extents)
    if rank >= 0:
        return allocate_array(queue, kind, code, rank, extents, letter)
    return allocate_shape(queue, kind, code, shape_tuple(shape, function), letter)


cdef usm_ndarray _empty_like(str function, object x, object dtype, object order, object shape,
                             object device, object usm_type, object sycl_queue):
    cdef usm_ndarray model = require_array(
        x, function, "prototype" if function == "empty_like" else "a")
    cdef SyclQueue queue = model.queue
    cdef char letter = order_char(order, function)
    if device is not None or sycl_queue is not None:
        queue = named_queue(function, device, sycl_queue)
    if shape is not None:
        is_f = letter == b"F" or letter != b"C" and not model.bits & C_CONTIGUOUS \
            and model.bits & F_CONTIGUOUS
        return empty_array(function, shape, model.dtype if dtype is None else dtype,
                           "F" if is_f else "C", None, usm_type or model.usm_type, queue)
    return allocate_like(model, model.code if dtype is None else dtype_code(dtype, function),
                         letter, queue, usm_type, function)


def empty(
    shape: Shape,
    dtype: DType = None,
    order: Order = "C",
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array whose elements are not set.

    Parameters
    ----------
    shape : int or tuple of int
    <new_array>

    Notes
    -----
    Source: array API 2025.12, `empty`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.empty((2, 3), dtype=usm.float32).shape
    (2, 3)
    """
    if is_traced(device, sycl_queue):
        return make_in_trace(shape, dtype, None, "empty")
    return empty_array("empty", shape, dtype, order, device, usm_type, sycl_queue)


def zeros(
    shape: Shape,
    dtype: DType = None,
    order: Order = "C",
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array of zeros.

    Parameters
    ----------
    shape : int or tuple of int
    <new_array>

    Notes
    -----
    Source: array API 2025.12, `zeros`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.zeros((2, 3))
    usm_ndarray([[0., 0., 0.],
                 [0., 0., 0.]])
    """
    if is_traced(device, sycl_queue):
        return make_in_trace(shape, dtype, 0, "zeros")
    return assign(empty_array("zeros", shape, dtype, order, device, usm_type, sycl_queue), 0)


def ones(
    shape: Shape,
    dtype: DType = None,
    order: Order = "C",
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array of ones.

    Parameters
    ----------
    shape : int or tuple of int
    <new_array>

    Notes
    -----
    Source: array API 2025.12, `ones`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ones((2, 3))
    usm_ndarray([[1., 1., 1.],
                 [1., 1., 1.]])
    """
    if is_traced(device, sycl_queue):
        return make_in_trace(shape, dtype, 1, "ones")
    return assign(empty_array("ones", shape, dtype, order, device, usm_type, sycl_queue), 1)


def full(
    shape: Shape,
    fill_value: Scalar | usm_ndarray,
    dtype: DType = None,
    order: Order = "C",
    *,
    device: DeviceLike = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array filled with one value.

    Parameters
    ----------
    shape : int or tuple of int
    fill_value : scalar or array that broadcasts to `shape`
    dtype : data type, optional
        Default: the type of `fill_value`; for Python scalars the device's default type of their
        kind.
    order : {"C", "F"}
        The memory order of the axes.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        The device of the array. Default: the device of `fill_value` if it is an array, otherwise
        the default device.
    usm_type : {"device", "shared", "host"}, optional
        Default: the kind of `fill_value` if it is an array, otherwise "device".
    sycl_queue : SyclQueue, optional
        The queue of the array, in place of `device`.

    <result_of_full>

    Notes
    -----
    Source: array API 2025.12, `full`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.full(3, 7)
    usm_ndarray([7, 7, 7])
    """
    if is_traced(device, sycl_queue) and not isinstance(fill_value, usm_ndarray):
        return make_full(shape, fill_value, dtype)
    cdef SyclQueue queue = requested_queue("full", device, sycl_queue, (fill_value,))
    if isinstance(fill_value, usm_ndarray):
        usm_type = fill_value.usm_type if usm_type is None else usm_type
        dtype = fill_value.dtype if dtype is None else dtype
    elif dtype is None:
        dtype = _dtype_of_value(fill_value, queue, "full")
    return assign(empty_array("full", shape, dtype, order, None,
                              "device" if usm_type is None else usm_type, queue),
                  fill_value, "full")


cdef object make_full(object shape, object value, object dtype):
    """Return an array that a fused function fills with a number."""
    cdef SyclQueue queue = current_trace().queue
    if dtype is None:
        sample = (<Traced>value).sample if isinstance(value, Traced) else value
        dtype = _dtype_of_value(sample, queue, "full")
    return make_in_trace(shape, dtype, value, "full")


cdef object _dtype_of_value(object value, SyclQueue queue, str function):
    cdef int code
    cdef OperandKind kind
    value = plain_value(value, &kind, function)
    if PYTHON_BOOL <= kind <= PYTHON_COMPLEX:
        return <object>DTYPES[default_code(kind - PYTHON_BOOL, queue.ref.get().fp64)]
    code = find_code(numpy.asarray(value).dtype)
    if code < 0:
        raise wrong_type(value, function, "fill_value", "a number or an array")
    return <object>DTYPES[supported_code(code, queue.ref.get())]


def empty_like(
    prototype: usm_ndarray,
    /,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    shape: Shape | None = None,
    device: DeviceLike = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array shaped like `prototype`, whose elements are not set.

    Parameters
    ----------
    prototype : usm_ndarray
    <array_like_another>

    Notes
    -----
    Source: array API 2025.12, `empty_like`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.empty_like(usm.ones((2, 3))).shape
    (2, 3)
    """
    if isinstance(prototype, Traced) and is_traced(device, sycl_queue):
        return make_like(prototype, dtype, shape, None, "empty_like")
    return _empty_like("empty_like", prototype, dtype, order, shape, device, usm_type, sycl_queue)


def zeros_like(
    a: usm_ndarray,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    shape: Shape | None = None,
    device: DeviceLike = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array of zeros, shaped like `a`.

    Parameters
    ----------
    a : usm_ndarray
    <array_like_another>

    Notes
    -----
    Source: array API 2025.12, `zeros_like`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.zeros_like(usm.ones(3, dtype=usm.int8))
    usm_ndarray([0, 0, 0], dtype=int8)
    """
    if isinstance(a, Traced) and is_traced(device, sycl_queue):
        return make_like(a, dtype, shape, 0, "zeros_like")
    return assign(_empty_like("zeros_like", a, dtype, order, shape, device, usm_type, sycl_queue),
                  0)


def ones_like(
    a: usm_ndarray,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    shape: Shape | None = None,
    device: DeviceLike = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array of ones, shaped like `a`.

    Parameters
    ----------
    a : usm_ndarray
    <array_like_another>

    Notes
    -----
    Source: array API 2025.12, `ones_like`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.ones_like(usm.zeros(3), dtype=usm.int64)
    usm_ndarray([1, 1, 1])
    """
    if isinstance(a, Traced) and is_traced(device, sycl_queue):
        return make_like(a, dtype, shape, 1, "ones_like")
    return assign(_empty_like("ones_like", a, dtype, order, shape, device, usm_type, sycl_queue),
                  1)


def full_like(
    a: usm_ndarray,
    fill_value: Scalar | usm_ndarray,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    shape: Shape | None = None,
    device: DeviceLike = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array filled with one value, shaped like `a`.

    Parameters
    ----------
    a : usm_ndarray
    fill_value : scalar or array that broadcasts to the shape of `a`
    <array_like_another>

    Notes
    -----
    Source: array API 2025.12, `full_like`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.full_like(usm.zeros(3), 0.5)
    usm_ndarray([0.5, 0.5, 0.5])
    """
    if isinstance(a, Traced) and is_traced(device, sycl_queue):
        return make_like(a, dtype, shape, fill_value, "full_like")
    return assign(_empty_like("full_like", a, dtype, order, shape, device, usm_type, sycl_queue),
                  fill_value, "full_like")


def asarray(
    a: Values,
    dtype: DType = None,
    order: KeepOrder = "K",
    *,
    device: DeviceLike = None,
    copy: bool | None = None,
    usm_type: USMType | None = None,
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make an array from a list, a NumPy array or another object with data.

    Parameters
    ----------
    a : usm_ndarray, object with `__sycl_usm_array_interface__`, `__dlpack__` or `__array__`, \
NumPy array, buffer, scalar, or nested sequence of these
        USM is viewed without a copy if dtype, order, kind and device allow it. Host data is copied.
    dtype : data type, optional
        Default: the type of `a`; for Python scalars the device's default type of their kind.
    order : {"K", "C", "F", "A"}
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the device of the arrays in `a`, otherwise the default device.
    copy : bool, optional
        True always copies. False never copies, and raises if a copy is needed. None copies if
        needed.
    usm_type : {"device", "shared", "host"}, optional
        Default: the kind of the arrays in `a`, otherwise "device".
    sycl_queue : SyclQueue, optional

    Returns
    -------
    usm_ndarray
        `a` itself if it already is the requested array.

    Raises
    ------
    TypeError
        If elements have a type that arrays cannot have.
    ValueError
        If a sequence is ragged or nested more than 64 deep, or a copy is needed but not allowed.
    OverflowError
        If a Python integer is out of range.
    ExecutionPlacementError
        If the arrays in a sequence are on different devices and no device is requested.

    Notes
    -----
    Source: array API 2025.12, `asarray`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.asarray([1, 2], dtype=usm.float32)
    usm_ndarray([1., 2.], dtype=float32)
    """
    cdef SyclQueue queue = None
    cdef OperandKind kind = operand_kind(a)
    cdef char letter = order_char(order, "asarray")
    cdef int code = -1 if dtype is None else dtype_code(dtype, "asarray")
    cdef usm_ndarray x = None
    if copy is not None:
        copy = is_true(copy, "copy", "asarray")
    if usm_type is not None:
        kind_of_word(usm_type, "asarray")
    if device is not None or sycl_queue is not None:
        queue = named_queue("asarray", device, sycl_queue)
    if kind == ARRAY:
        x = a
    elif kind == NUMPY_SUBCLASS or kind == UNKNOWN and not isinstance(a, (list, tuple)):
        x = from_interface(a, "asarray", copy is None or copy)
        if x is None and hasattr(a, "__dlpack_device__") \
                and a.__dlpack_device__()[0] == DLDeviceType.kDLOneAPI:
            x = from_dlpack(a)
    if x is not None:
        y = as_array(x, x.code if code < 0 else code, letter, x.queue if queue is None else queue,
                     usm_type, copy)
        if y is None:
            raise _needs_copy(x)
        return y
    if copy is not None and not copy:
        raise _needs_copy(a)
    return _from_data(a, code, letter, queue, usm_type, "asarray")


cdef object _needs_copy(object obj):
    return ValueError(f"asarray: an object of type {type(obj).__name__} cannot become an array "
                      "as asked without a copy, which copy=False does not allow")


def from_anything(obj, usm_ndarray destination, str function):
    """Return the source of `destination[...] = obj` for objects that are not arrays."""
    return _from_data(obj, destination.code, b"C", destination.queue, None, function)


def from_sequence(obj, usm_ndarray other not None, str function):
    """Return a sequence as an array on the queue of another array."""
    return _from_data(obj, -1, b"K", other.queue, kind_name(other.allocation.kind), function)


cdef usm_ndarray _from_data(object obj, int code, char letter, SyclQueue queue, object usm_type,
                            str function):
    """Copy a sequence or host data. NumPy reads it, and the device converts the type."""
    cdef usm_ndarray x
    cdef OperandKind kind = operand_kind(obj)
    cdef bint has_arrays = False, is_sequence = isinstance(obj, (list, tuple))
    cdef char form
    order = chr(letter)
    if is_sequence:
        x = _of_elements(obj) if code < 0 and queue is None and usm_type is None else None
        if x is not None:
            return x
        obj = plain_sequence(obj, &has_arrays, function)
        if has_arrays:
            return _from_nested(obj, code, letter, queue, usm_type, function)
    if NUMPY_SCALAR <= kind <= NUMPY_OTHER:
        array = plain_array(obj, function)
        if letter != b"K":
            array = numpy.asarray(array, order=order)
    elif kind == UNKNOWN and not is_sequence and (
            PyObject_CheckBuffer(obj) or hasattr(obj, "__dlpack__") or hasattr(obj, "__array__")):
        array = _read(obj, order, function)
    else:
        array = host_array(obj, None, order, function)
        form = (<np.dtype>np.PyArray_DESCR(array)).kind
        if form == b"O" and code < 0:
            raise _unsupported(array, function)
        if form in b"biufcO" and code >= 0:
            # NumPy reads the object again in this type, because a cast would wrap large integers.
            array = host_array(obj, DTYPES[code], order, function)
    if (<np.dtype>np.PyArray_DESCR(array)).kind not in b"biufc":
        raise TypeError(f"{function}: elements of type {array.dtype} are not supported")
    x = upload(array, default_queue() if queue is None else queue, usm_type or "device", function)
    if code >= 0:
        return in_type(x, code)
    if NUMPY_SCALAR <= kind <= NUMPY_OTHER or kind == UNKNOWN and not is_sequence:
        warn_if_converted(array, x, function)  # lists of Python numbers have the default type
    return x


cdef object _read(object obj, str order, str function):
    """Read another library's host array, without a copy if possible."""
    # DLPack export fails for other devices and types, and if a copy is needed.
    if PyObject_CheckBuffer(obj):
        with suppress(BufferError):
            return numpy.asarray(buffer_array(obj, function), order=order)
    elif hasattr(obj, "__dlpack__"):
        with suppress(BufferError, RuntimeError):
            return numpy.asarray(numpy.from_dlpack(obj), order=order)
    return host_array(obj, None, order, function, None)


cdef object _unsupported(object array, str function):
    """Return the error for values that NumPy could only store as objects."""
    for value in array.flat:
        if not isinstance(value, (int, float, complex)):
            return TypeError(f"{function}: elements of type {type(value).__name__} "
                             "are not supported")
    return OverflowError(f"{function}: a Python integer does not fit 64 bits")


# Nested sequences with arrays in them


cdef usm_ndarray _of_elements(object values):
    """Return the array of 0-D arrays of one type, queue and kind; None for other sequences."""
    cdef usm_ndarray first, x
    if not values or not isinstance(values[0], usm_ndarray):
        return None
    first = values[0]
    for value in values:
        if not isinstance(value, usm_ndarray) or not is_element_like(<usm_ndarray>value, first) \
                or (<usm_ndarray>value).allocation.kind != first.allocation.kind:
            return None
    x = allocate_shape(first.queue, first.allocation.kind, first.code, (len(values),))
    for k, value in enumerate(values):
        x[k] = value
    return x


cdef tuple _nested_shape(object obj, tuple index, list leaves, str function):
    """Return the shape of a nested sequence, and append the index and value of each leaf."""
    if not isinstance(obj, list):
        leaves.append((index, obj))
        return getattr(obj, "shape", ())
    shapes = {_nested_shape(item, (*index, k), leaves, function) for k, item in enumerate(obj)}
    if len(shapes) > 1:
        raise ValueError(f"{function}: the sequence is ragged: it holds shapes {sorted(shapes)}")
    return (len(obj), *(shapes.pop() if shapes else ()))


cdef usm_ndarray _from_nested(object obj, int code, char letter, SyclQueue queue,
                              object usm_type, str function):
    cdef list leaves = []
    cdef unsigned int types = 0
    shape = _nested_shape(obj, (), leaves, function)
    arrays = [leaf for _, leaf in leaves if isinstance(leaf, usm_ndarray)]
    if queue is None:
        queue = common_queue(arrays, function)
    if usm_type is None:
        usm_type = kind_name(common_kind(arrays))
    if code < 0:
        for _, leaf in leaves:
            types |= 1 << (<usm_ndarray>leaf).code if isinstance(leaf, usm_ndarray) else \
                1 << dtype_code(leaf.dtype if hasattr(leaf, "dtype") else
                                _dtype_of_value(leaf, queue, function), function)
        code = promoted_code(types, queue.ref.get())
    x = empty_array(function, shape, DTYPES[code], "F" if letter == b"F" else "C", None,
                    usm_type, queue)
    for index, leaf in leaves:
        if isinstance(leaf, usm_ndarray):
            x[index] = leaf
        else:
            assign(basic_view(x, index), leaf, function)
    return x


# Sequences


def arange(
    start: float | usm_ndarray | None = None,
    stop: float | usm_ndarray | None = None,
    step: float | usm_ndarray | None = 1,
    dtype: DType = None,
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Return evenly spaced numbers from [start, stop).

    Parameters
    ----------
    start, stop : int, float, or array of no dimensions
        A single number is `stop`, and `start` is 0. Arrays are read, which waits. The result is on
        the queue of the first array unless another one is requested.
    step : int, float, or array of no dimensions or None
        The distance of neighbours. None means 1.
    dtype : data type, optional
        Default: int64 if all numbers are integers, otherwise the device's default floating point
        type. bool is valid for at most two elements.
    <placed>

    Returns
    -------
    usm_ndarray
        A 1-D array with `ceil((stop - start) / step)` elements. As in NumPy, the elements are
        computed from the difference of the first two, in the arithmetic of the type.

    Raises
    ------
    ValueError
        If `step` is 0, or the number of elements would not be finite.
    OverflowError
        If an integer is out of range of the type.
    TypeError
        If an argument is not a real number, or `dtype` is bool for more than two elements.

    Notes
    -----
    Source: array API 2025.12, `arange`; `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.arange(1, 2, 0.25)
    usm_ndarray([1.  , 1.25, 1.5 , 1.75])
    """
    cdef SyclQueue queue = requested_queue("arange", device, sycl_queue, (start, stop, step))
    cdef usm_ndarray x
    cdef int code
    if stop is None:
        start, stop = None, start
    if start is None:
        start = 0
    if step is None:
        step = 1
    start = _number(start, "start", "arange", "a real number", _REAL)
    stop = _number(stop, "stop", "arange", "a real number", _REAL)
    step = _number(step, "step", "arange", "a real number", _REAL)
    whole = isinstance(start, int) and isinstance(stop, int) and isinstance(step, int)
    code = code_or_default(dtype, queue.ref.get(), "arange", 1 if whole else 2)
    count = _arange_count(start, stop, step)
    wanted = code
    if code == BOOL:
        if count > 2:
            raise TypeError(f"arange: dtype is bool; expected a type of numbers for "
                            f"{short_repr(count)} elements")
        code = default_code(1 if whole else 2, queue.ref.get().fp64)
    x = empty_array("arange", count, DTYPES[code], "C", None, usm_type, queue)
    if code < F2:
        _fill_integers(x, start, step)
    else:
        _fill_from_two(x, start, step)
    return x if wanted == code else copy_as(x, BOOL, b"C", queue, None)


cdef object _number(object value, str argument, str function, str expected, tuple types):
    """Return a number, or the element of a 0-D array, as a Python number."""
    if type(value) in types:
        return value
    number = plain_number(value, function)
    if isinstance(number, (usm_ndarray, np.ndarray, np.generic)) and number.ndim == 0:
        number = number.item()
    for kind, of_python in zip((numbers.Integral, numbers.Real, numbers.Complex), types):
        if isinstance(number, kind):
            return of_python(number)
    raise wrong_type(value, function, argument, f"{expected} or a 0-D array")


cdef object _rounded(object number, int code, str function):
    """Return a number rounded to a type."""
    cdef char[16] element
    from_python(number, code, element, function)
    return to_python(element, code)


cdef object _arange_count(object start, object stop, object step):
    if step == 0:
        raise ValueError("arange: step is 0; expected another number")
    if isinstance(start, int) and isinstance(stop, int) and isinstance(step, int):
        return max(-((start - stop) // step), 0)
    try:
        ratio = (stop - start) / step
    except OverflowError:
        ratio = math.inf
    if not math.isfinite(ratio):
        raise ValueError(f"arange: start is {short_repr(start)}, stop {short_repr(stop)} and step "
                         f"{short_repr(step)}; expected a finite number of elements")
    if ratio == 0 and start != stop:  # the ratio underflows
        return 1 if (stop > start) == (step > 0) else 0
    return max(math.ceil(ratio), 0)


cdef int _fill_integers(usm_ndarray x, object start, object step) except -1:
    """Fill integers as NumPy does, from the difference of the first two elements in the type."""
    cdef char[8] element
    count = x.count()
    if count == 0:
        return 0
    begin, second = int(start), int(start + step)
    for value in (begin, begin + (second - begin) * (count - 1)):
        from_python(value, x.code, element, "arange")
    fill_steps(x.queue.ref, x.view(), PyLong_AsUnsignedLongLongMask(begin),
               PyLong_AsUnsignedLongLongMask(second - begin))
    return 0


cdef int _fill_from_two(usm_ndarray x, object start, object step) except -1:
    """Fill floats from a start and a step; float16 is computed in float32."""
    cdef Linear line
    cdef usm_ndarray real = x.real if x.code >= C8 else x
    cdef double first = _rounded(start, real.code, "arange")
    cdef double second = _rounded(start + step, real.code, "arange")
    line = Linear(first, second - first if real.code == F8 else <float>(second - first), second,
                  1, False)
    if x.code >= C8:
        assign(x.imag, 0)
    return _put_line(real, line, F8 if real.code == F8 else F4)


cdef int _put_line(usm_ndarray x, Linear line, int arithmetic) except -1:
    """Compute x[i] = start + i * step in the arithmetic of a type, for a real 1-D array."""
    cdef usm_ndarray target = x
    if x.count() == 0:
        return 0
    if x.code != arithmetic or not x.bits & C_CONTIGUOUS:
        target = allocate_array(x.queue, x.allocation.kind, arithmetic, 1, x.extents, b"C")
    fill_linear(target.queue.ref, target.view(), line)
    if target is not x:
        copy_into(target, x)
    return 0


def linspace(
    start: Values,
    stop: Values,
    num: SupportsIndex = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: DType = None,
    axis: SupportsIndex = 0,
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> Any:
    """Return evenly spaced numbers from `start` to `stop`.

    Parameters
    ----------
    start, stop : usm_ndarray, array_like or scalar
        0-D arrays are treated as Python scalars. They are read, which waits. Other arrays
        broadcast, and give a range for each element. The result is on the queue of the first array
        unless another one is requested.
    num : int
        The number of elements.
    retstep : bool
        If True, also return the distance of neighbours.
    axis : int
        The axis of the ranges in the result, if `start` or `stop` has dimensions.
    dtype : data type, optional
        Default: the device's default floating point type, which is complex if a number is complex.
        Integers are rounded down.
    <placed>
    endpoint : bool
        If True, `stop` is the last number. Otherwise it is not included.

    Returns
    -------
    usm_ndarray, or tuple of two
        An array, which is 1-D for numbers. It is computed in float64 if the device supports it.
        With `retstep` also the distance, which is NaN for a single element.

    Raises
    ------
    AxisError
        If the axis is out of range.
    ValueError
        If `num` is negative.
    TypeError
        If an argument is not a number, `num` is not an integer, or numbers are complex and `dtype`
        is real.

    Notes
    -----
    Source: array API 2025.12, `linspace`; `usm_type`, `sycl_queue` as in dpctl.tensor. Arrays,
    `retstep` and `axis` as in numpy.linspace.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.linspace(0, 1, 5)
    usm_ndarray([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    cdef SyclQueue queue = requested_queue("linspace", device, sycl_queue, (start, stop))
    cdef int arithmetic = F8 if queue.ref.get().fp64 else F4
    cdef usm_ndarray x
    cdef Linear line
    cdef int code
    with_step = is_true(retstep, "retstep", "linspace")
    if any([isinstance(value, (list, tuple)) or getattr(value, "ndim", 0) > 0
            for value in (start, stop)]):
        found = _lines_between(start, stop, num, endpoint, dtype, axis, usm_type, queue)
        return found if with_step else found[0]
    start, stop = [_number(value, name, "linspace", "a number", _COMPLEX)
                   for value, name in ((start, "start"), (stop, "stop"))]
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    code = code_or_default(dtype, queue.ref.get(), "linspace", 3 if is_complex else 2)
    if is_complex and code < C8:
        raise TypeError(f"linspace: dtype is {DTYPES[code]}; expected a complex one for complex "
                        "start or stop")
    count = natural(num, "linspace", "num")
    closed = is_true(endpoint, "endpoint", "linspace")
    x = empty_array("linspace", count, DTYPES[code], "C", None, usm_type, queue)
    start, stop = [_rounded(number, C16, "linspace") for number in (start, stop)]
    if code >= C8:
        _put_line(x.imag, _line_between(start.imag, stop.imag, count, closed), arithmetic)
    line = _line_between(start.real, stop.real, count, closed)
    line.floored = 1 <= code <= U8
    _put_line(x.real, line, arithmetic)
    axis_index(axis, x, "linspace")
    if not with_step:
        return x
    intervals = count - 1 if closed else count
    step = (stop - start) / intervals if intervals > 0 else complex(math.nan)
    return x, step if is_complex else step.real


cdef tuple _lines_between(object start, object stop, object num, object endpoint, object dtype,
                          object axis, object usm_type, SyclQueue queue):
    """Return ranges between the elements of arrays, and the distances of neighbours."""
    cdef int code = -1 if dtype is None else dtype_code(dtype, "linspace")
    usm = bodies.namespace
    placement = {"usm_type": usm_type, "sycl_queue": queue}
    first, last = [value if isinstance(value, usm_ndarray)
                   else _from_data(value, -1, b"K", queue, usm_type, "linspace")
                   for value in (start, stop)]
    inexact = usm.result_type(first, last, 1.0)
    if code >= 0 and code < C8 and inexact.kind == "c":
        raise TypeError(f"linspace: dtype is {DTYPES[code]}; expected a complex one for complex "
                        "start or stop")
    count = natural(num, "linspace", "num")
    closed = is_true(endpoint, "endpoint", "linspace")
    intervals = count - 1 if closed else count
    broadcast_shape((first.shape, last.shape), "linspace")
    first, last = usm.broadcast_arrays(usm.astype(first, inexact), usm.astype(last, inexact))
    step = (last - first) / intervals if intervals > 0 else usm.full_like(first, math.nan)
    x = empty_array("linspace", (count, *first.shape), inexact, "C", None, usm_type, queue)
    if count:
        x[...] = first
        indices = usm.reshape(arange(count, dtype=usm.real(first).dtype, **placement),
                             (-1,) + (1,) * first.ndim)
        if intervals > 0:
            x += indices * step
        if closed and count > 1:
            x[-1] = last
    if 1 <= code <= U8:
        x = usm.floor(x)
    x = x if code < 0 else in_type(x, code)
    axis_index(axis, x, "linspace")
    return usm.moveaxis(x, 0, axis), step


cdef Linear _line_between(double start, double stop, int64_t count, bint closed):
    cdef int64_t intervals = count - 1 if closed else count
    return Linear(start, (stop - start) / intervals if intervals > 0 else 0, stop,
                  count - 1 if closed and count > 1 else -1, False)


# Matrices


def eye(
    N: SupportsIndex,
    M: SupportsIndex | None = None,
    k: SupportsIndex = 0,
    dtype: DType = None,
    order: Order = "C",
    *,
    device: DeviceLike = None,
    usm_type: USMType = "device",
    sycl_queue: SyclQueue | None = None,
) -> usm_ndarray:
    """Make a matrix with ones on a diagonal and zeros elsewhere.

    Parameters
    ----------
    N : int
    M : int, optional
        Default: the number of rows.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.
    dtype : data type, optional
        Default: the device's default floating point type.
    order : {"C", "F"}
        The memory order of the axes.
    <placed>

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If a number of rows or columns is negative.
    TypeError
        If a number is not an integer.

    Notes
    -----
    Source: array API 2025.12, `eye`; `order`, `usm_type`, `sycl_queue` as in dpctl.tensor.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.eye(2, 3, k=1)
    usm_ndarray([[0., 1., 0.],
                 [0., 0., 1.]])
    """
    cdef usm_ndarray x
    shape = (N, N if M is None else M)
    above = integer(k, "eye", "k")
    x = assign(empty_array("eye", shape, dtype, order, device, usm_type, sycl_queue), 0)
    assign(diagonal_view(x, above), 1)
    return x


def tril(m: usm_ndarray, k: SupportsIndex = 0) -> usm_ndarray:
    """Return a copy with zeros above a diagonal of each matrix.

    Parameters
    ----------
    m : usm_ndarray
        An array of two or more dimensions; the last two are the dimensions of the matrices.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If `m` has fewer than two dimensions.
    TypeError
        If `k` is not an integer.

    Notes
    -----
    Source: array API 2025.12, `tril`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.tril(usm.ones((2, 2)))
    usm_ndarray([[1., 0.],
                 [1., 1.]])
    """
    return _triangle(m, integer(k, "tril", "k") + 1, False, "tril")


def triu(m: usm_ndarray, k: SupportsIndex = 0) -> usm_ndarray:
    """Return a copy with zeros below a diagonal of each matrix.

    Parameters
    ----------
    m : usm_ndarray
        An array of two or more dimensions; the last two are the dimensions of the matrices.
    k : int
        The diagonal: 0 is the main one, positive ones are above it.

    Returns
    -------
    usm_ndarray

    Raises
    ------
    ValueError
        If `m` has fewer than two dimensions.
    TypeError
        If `k` is not an integer.

    Notes
    -----
    Source: array API 2025.12, `triu`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.triu(usm.ones((2, 2)))
    usm_ndarray([[1., 1.],
                 [0., 1.]])
    """
    return _triangle(m, integer(k, "triu", "k"), True, "triu")


cdef usm_ndarray _triangle(object x, object k, bint before, str function):
    cdef usm_ndarray source = require_array(x, function, "m"), y
    cdef int64_t edge = min(max(k, -2 ** 62), 2 ** 62)
    if source.rank < 2:
        raise ValueError(f"{function}: m has {source.rank} dimensions; expected 2 or more")
    y = copy_as(source, source.code, b"C", source.queue, None)
    clear_outside(y.queue.ref, y.view(), edge, before)
    return y


def meshgrid(
    *arrays: ArrayOperand,
    indexing: Literal["xy", "ij"] = "xy",
    copy: bool = True,
    sparse: bool = False,
) -> tuple[usm_ndarray, ...]:
    """Return the coordinates of a grid, as an array for each dimension.

    Parameters
    ----------
    *arrays : usm_ndarray or numpy.ndarray
        1-D arrays with the coordinates along each dimension. A 0-D array is one coordinate. At
        least one array is a usm_ndarray.
    indexing : {"xy", "ij"}
        "ij" has the axes in the order of the arrays. "xy" swaps the first two axes.
    copy : bool
        If False, return read-only views instead of copies.
    sparse : bool
        If True, each result has extent 1 along the axes of the other arrays.

    Returns
    -------
    tuple of usm_ndarray
        Arrays with a dimension for each argument.

    Raises
    ------
    ValueError
        If an array has more than one dimension, or `indexing` is unknown.

    Notes
    -----
    Source: array API 2025.12, `meshgrid`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x, y = usm.meshgrid(usm.arange(3), usm.arange(2))
    >>> y
    usm_ndarray([[0, 0, 0],
                 [1, 1, 1]])
    """
    cdef usm_ndarray x, y
    cdef int ndim = len(arrays), axis
    cdef bint copies = is_true(copy, "copy", "meshgrid")
    cdef bint thin = is_true(sparse, "sparse", "meshgrid")
    if not isinstance(indexing, str) or indexing not in ("xy", "ij"):
        raise wrong_value(indexing, "meshgrid", "indexing", "'xy' or 'ij'")
    axes = list(range(ndim))
    if indexing == "xy" and ndim > 1:
        axes[:2] = 1, 0
    shape = [0] * ndim
    sources = colocate_all(arrays, "meshgrid", "one of arrays")
    for axis, x in zip(axes, sources):
        if x.rank > 1:
            raise ValueError(f"meshgrid: an array has {x.rank} dimensions; expected 1 or 0")
        shape[axis] = x.count()
    grid = []
    for axis, x in zip(axes, sources):
        extents = tuple([extent if not thin or k == axis else 1 for k, extent in enumerate(shape)])
        if x.rank == 1:
            x = basic_view(x, tuple([slice(None) if k == axis else None for k in range(ndim)]))
        if copies:
            y = allocate_shape(x.queue, x.allocation.kind, x.code, extents)
            grid.append(assign(y, x))
        else:
            grid.append(broadcast_to(x, extents))
    return tuple(grid)
