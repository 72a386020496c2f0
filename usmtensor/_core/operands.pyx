"""Operands: the kinds of arguments, their common queue, type and shape, and assignment."""

cimport cython
cimport numpy as np
from cpython.buffer cimport PyObject_CheckBuffer
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memset
from libcpp.vector cimport vector
from usmtensor._core.array cimport (
    C_CONTIGUOUS, allocate_array, extents_tuple, from_interface, require_array, require_writable,
    same_shape, usm_ndarray,
)
from usmtensor._core.copy cimport as_array, copy_as, copy_content, copy_into, fill_array, upload
from usmtensor._core.views cimport as_plain, broadcast_view, require_broadcast
from usmtensor._native.libtensor cimport Queue, UsmKind, same_device_and_context
from usmtensor._runtime.arguments cimport (
    extents_of, kind_name, plain_array, plain_number, refuse_mask, require, wrong_type, wrong_value,
)
from usmtensor._runtime.dtypes cimport (
    BOOL, C8, DTYPE_COUNT, DTYPES, F2, F4, F8, default_code, find_code, is_supported,
    supported_code,
)
from usmtensor._runtime.queue cimport SyclQueue, default_queue

import array as arrays_of_python
from collections import deque
from types import FunctionType

import numpy

from usmtensor._core.array import bodies
from usmtensor._runtime import device as _device
from usmtensor._runtime.errors import ExecutionPlacementError, OperandTypeError


# Kinds


cdef object _FLOAT64 = numpy.float64


cdef int numpy_code(object x):
    """Return the code of a NumPy array or scalar, or -1 for a type that arrays cannot have."""
    if type(x) is _FLOAT64:  # the type of most NumPy scalars
        return F8
    # A scalar subclass may override `dtype`.
    return find_code(x.dtype if isinstance(x, np.ndarray) else np.PyArray_DescrFromScalar(x))


cdef OperandKind operand_kind(object x):
    cdef type kind = type(x)
    if isinstance(x, usm_ndarray):
        return ARRAY
    if kind is float:
        return PYTHON_FLOAT
    if kind is int:
        return PYTHON_INT
    if isinstance(x, (np.ndarray, np.generic)):
        if isinstance(x, np.ndarray) and kind is not np.ndarray:
            return NUMPY_SUBCLASS
        if numpy_code(x) < 0:
            return NUMPY_OTHER
        return NUMPY_ARRAY if kind is np.ndarray and np.PyArray_NDIM(x) else NUMPY_SCALAR
    if isinstance(x, bool):
        return PYTHON_BOOL
    if isinstance(x, int):
        return PYTHON_INT
    if isinstance(x, float):
        return PYTHON_FLOAT
    if isinstance(x, complex):
        return PYTHON_COMPLEX
    return UNKNOWN


def is_of_other_type(x):
    """Return True if an operand has a NumPy data type that arrays cannot have."""
    return operand_kind(x) == NUMPY_OTHER


cdef object _resolve(object x, OperandKind *kind, bint is_operator, str function, str argument):
    """Convert an operand of an unknown kind, such as a foreign USM array or a ctypes number.

    Returns None for an operator, which leaves the operation to the other operand.
    """
    if kind[0] == NUMPY_SUBCLASS:
        plain_array(x, f"{function}: {argument}")
        raise wrong_type(x, function, argument, "no subclass of numpy.ndarray (numpy.asarray() "
                         "gives the array itself)")
    if kind[0] == UNKNOWN:
        try:
            x = plain_number(x, function)
        except TypeError:
            if not is_operator:
                raise
        kind[0] = operand_kind(x)
        if kind[0] == NUMPY_SCALAR:
            return x
    if is_operator:
        return None
    if kind[0] == NUMPY_OTHER:
        raise TypeError(f"{function}: {argument} is of data type {x.dtype}, which arrays cannot "
                        "have")
    kind[0] = ARRAY
    array = from_interface(x, function)
    if array is None:
        raise wrong_type(x, function, argument,
                         "usm_ndarray" if argument == "x" else "an array or a number")
    return array


cdef tuple _SEQUENCES = (list, tuple, str, bytes, bytearray, arrays_of_python.array, deque)


cdef int refuse_sequences(object x, object y, str function, str operator,
                          str expected="an array or a number") except -1:
    """Raise a TypeError for a sequence operand, unless its class has such an operator.

    Otherwise `[1, 2] * x` would fall back to list repetition, with `x` as the count. But
    `"-" * x[0]` repeats text, as with NumPy's scalars.
    """
    for other, array in ((x, y), (y, x)):
        if (operator == "mul" and isinstance(other, (str, bytes)) and isinstance(array, usm_ndarray)
                and (<usm_ndarray>array).rank == 0):
            continue
        reflected = getattr(type(other), f"__r{operator}__", None)
        if isinstance(other, _SEQUENCES) and not isinstance(reflected, FunctionType):
            raise wrong_type(other, function, "an operand", expected)
    return 0


cdef object plain_value(object x, OperandKind *kind, str function):
    """Convert a value that is to be copied.

    An ndarray subclass becomes a plain ndarray, a foreign USM array becomes a usm_ndarray, and a
    0-D buffer becomes a number. The kind of sequences and of other objects stays UNKNOWN.
    """
    kind[0] = operand_kind(x)
    if kind[0] == NUMPY_SUBCLASS:
        x = plain_array(x, function)
    elif kind[0] == UNKNOWN:
        array = from_interface(x, function)
        x = plain_number(x, function) if array is None else array
    else:
        return x
    kind[0] = operand_kind(x)
    return x


cdef object plain_sequence(object values, bint *has_arrays, str function):
    """Return a nested sequence as NumPy would read it, with each usm_ndarray as an array.

    Raises ValueError if the sequence contains itself.
    """
    cdef bint has_buffers = False
    _search(values, has_arrays, &has_buffers, function, 0)
    return _with_arrays(values, function, 0) if has_arrays[0] or has_buffers else values


cdef int _search(object values, bint *arrays, bint *buffers, str function, int depth) except -1:
    """Set `arrays` and `buffers` if a nested sequence has a usm_ndarray or a buffer."""
    if isinstance(values, (list, tuple)):
        _require_depth(depth, function)
        for value in values:
            _search(value, arrays, buffers, function, depth + 1)
    elif isinstance(values, usm_ndarray):
        arrays[0] = True
    elif isinstance(values, np.ndarray):
        refuse_mask(values, function)
    elif not isinstance(values, (int, float, complex, np.generic)):
        arrays[0] |= hasattr(values, "__sycl_usm_array_interface__")
        buffers[0] |= PyObject_CheckBuffer(values)
    return 0


cdef int _require_depth(int depth, str function) except -1:
    if depth == 64:
        raise ValueError(f"{function}: the sequence is nested too deeply; expected at most 64 "
                         "dimensions, as in NumPy")
    return 0


cdef object _with_arrays(object values, str function, int depth):
    """Return the sequence with each leaf as a usm_ndarray, a NumPy array or a scalar."""
    cdef OperandKind kind
    if isinstance(values, (list, tuple)):
        _require_depth(depth, function)  # checked again, because the sequence may have changed
        return [_with_arrays(value, function, depth + 1) for value in values]
    values = plain_value(values, &kind, function)
    return numpy.asarray(values) if kind == UNKNOWN else values


cdef object host_array(object values, object dtype, str order, str function, object copy=True):
    """Call numpy.array(). Its errors name the function."""
    try:
        return numpy.array(values, dtype=dtype, order=order, copy=copy)
    except (OverflowError, TypeError, ValueError) as error:
        if type(error) not in (OverflowError, TypeError, ValueError):  # raised by user code
            raise
        raise type(error)(f"{function}: {error}") from None


@cython.final
@cython.no_gc
@cython.freelist(4)
cdef class Operands:
    """At most 32 operands of a function: arrays on one device, and numbers."""

    cdef usm_ndarray array(self, int k):
        """Return an operand if it is an array."""
        return <usm_ndarray>self.values[k] if self.kinds[k] == ARRAY else None

    cdef int code(self, int k) except -1:
        """Return the type of an operand for promotion."""
        if self.kinds[k] == ARRAY:
            return (<usm_ndarray>self.values[k]).code
        if self.kinds[k] == NUMPY_SCALAR:
            return supported_code(numpy_code(self.values[k]), self.queue.ref.get())
        return self.common_code()

    cdef int common_code(self, int first=0) except -1:
        """Return the promoted type of the operands from `first` on; Python scalars come last."""
        cdef const Queue *queue = self.queue.ref.get()
        cdef int k, code, count = len(self.values)
        cdef unsigned int types = 0
        for k in range(first, count):
            if not PYTHON_BOOL <= self.kinds[k] <= PYTHON_COMPLEX:
                types |= 1 << self.code(k)
        code = promoted_code(types or 1 << BOOL, queue)
        for k in range(first, count):
            code = python_code(self.kinds[k], code, queue.fp64)
        return code

    cdef usm_ndarray model(self):
        """Return the first array, or None if the arrays have different shapes."""
        cdef usm_ndarray x, first = None
        cdef int k
        for k in range(<int>len(self.values)):
            x = self.array(k)
            if first is None:
                first = x
            elif x is not None and not same_shape(x, first.rank, first.extents):
                return None
        return first

    cdef usm_ndarray in_type(self, int k, int code, str function):
        """Return an operand as an array of a type."""
        if self.kinds[k] == ARRAY:
            return in_type(as_plain(self.values[k]), code)
        x = allocate_array(self.queue, self.kind, code, 0, NULL, b"C")
        return fill_array(x, self.values[k], function)


cdef Operands read_operands(str function, tuple names, list values, object out=None,
                            bint is_operator=False):
    """Return operands on the queue of `out` or of the first array. This takes the list over.

    Returns None for an operator, which leaves the operation to the other operand.
    """
    cdef Operands operands = Operands.__new__(Operands)
    cdef SyclQueue queue = (<usm_ndarray>out).queue if isinstance(out, usm_ndarray) else None
    cdef UsmKind usm_kind = UsmKind.host
    cdef OperandKind kind
    cdef usm_ndarray x
    cdef bint has_array = False, travels = False
    cdef int k, count = len(values)
    for k in range(count):
        value = values[k]
        kind = operand_kind(value)
        if kind >= NUMPY_SUBCLASS:
            value = values[k] = _resolve(value, &kind, is_operator, function, names[k])
            if value is None:
                return None
        if kind == ARRAY:
            x = <usm_ndarray>value
            has_array = True
            if queue is None:
                queue = x.queue
            require_same_device(queue, x, function)
            usm_kind = min(usm_kind, x.allocation.kind)
        travels |= kind == NUMPY_ARRAY
        operands.kinds[k] = kind
    if not has_array:
        if count == 1:
            raise wrong_type(values[0], function, names[0], "usm_ndarray")
        given = [f"{name} is of type {type(value).__name__}" for name, value in zip(names, values)]
        raise OperandTypeError(f"{function}: {', '.join(given)}; expected at least one "
                               "usm_ndarray; usmtensor.asarray makes one")
    if travels:
        for k in range(count):
            if operands.kinds[k] == NUMPY_ARRAY:
                values[k] = upload(values[k], queue, kind_name(usm_kind), function)
                operands.kinds[k] = ARRAY
    operands.values, operands.queue, operands.kind = values, queue, usm_kind
    return operands


cdef object read_sequence(object value, str function):
    """Return a sequence as a host array, and anything else unchanged."""
    cdef bint has_arrays = False
    if not isinstance(value, (list, tuple)):
        return value
    return host_array(plain_sequence(value, &has_arrays, function), None, "K", function)


cdef list convert_operands(str function, dict operands):
    """Return operands, also sequences, as arrays on one device.

    Python numbers have the type that all operands promote to.
    """
    cdef int k
    cdef list values = [read_sequence(value, function) for value in operands.values()]
    cdef Operands read = read_operands(function, tuple(operands), values)
    return [read.in_type(k, read.code(k), function) for k in range(len(operands))]


cdef usm_ndarray first_array(object values):
    """Return the first usm_ndarray among some values, or None."""
    for value in values:
        if isinstance(value, usm_ndarray):
            return <usm_ndarray>value
    return None


cdef usm_ndarray colocate(object x, usm_ndarray other, str function, str argument):
    """Return an argument as an array.

    A NumPy array or scalar is copied to the queue of `other`, another argument of the function.
    """
    cdef OperandKind kind
    if isinstance(x, usm_ndarray):
        return <usm_ndarray>x
    if other is None or not isinstance(x, (np.ndarray, np.generic)):
        return require_array(x, function, argument)
    kind = operand_kind(x)
    if kind >= NUMPY_SUBCLASS:
        _resolve(x, &kind, False, function, argument)  # raises the error
    return upload(x, other.queue, kind_name(other.allocation.kind), function)


cpdef list colocate_all(object values, str function, object names):
    """Return the arrays of a function, with NumPy arrays on the queue of the first usm_ndarray.

    `names` has a name for each array, or is one name for all.
    """
    cdef usm_ndarray first = first_array(values)
    return [colocate(x, first, function, names if isinstance(names, str) else names[k])
            for k, x in enumerate(values)]


cpdef list arrays_to_join(object values, str function):
    """Return arrays to join, with NumPy arrays and sequences on the first usm_ndarray's queue."""
    cdef usm_ndarray first = first_array(values)
    if first is not None:
        values = [bodies.from_sequence(x, first, function) if isinstance(x, (list, tuple)) else x
                  for x in values]
    return colocate_all(values, function, "one of arrays")


cdef usm_ndarray in_type(usm_ndarray x, int code):
    """Return an array in a data type: the array itself, or a copy."""
    return x if x.code == code else copy_as(x, code, b"K", x.queue, None)


cdef int floating_code(usm_ndarray x) noexcept:
    """Return the type of an array, or the default floating point type for integers and bools."""
    return x.code if x.code >= F2 else default_code(2, x.queue.ref.get().fp64)


cdef usm_ndarray as_floating(usm_ndarray x):
    return in_type(x, floating_code(x))


# Queues


cdef SyclQueue common_queue(list arrays, str function):
    """Return the first array's queue. The others must be in its context and on its device."""
    cdef usm_ndarray first = arrays[0], x
    for x in arrays:
        require_same_device(first.queue, x, function)
    return first.queue


cdef SyclQueue requested_queue(str function, object device, object sycl_queue, tuple values):
    """Return the queue that keywords name, or else the queue of the arrays among some values."""
    arrays = [x for x in values if isinstance(x, usm_ndarray)]
    if arrays and device is None and sycl_queue is None:
        return common_queue(arrays, function)
    return named_queue(function, device, sycl_queue)


cdef SyclQueue named_queue(str function, object device, object sycl_queue):
    """Return the queue that keywords name, or else the default queue."""
    if device is None and sycl_queue is None:
        return default_queue()
    return _device.normalize_queue(function, device, sycl_queue)


cdef int require_same_device(SyclQueue queue, usm_ndarray x, str function) except -1:
    """Raise unless an array is in the context and on the device of a queue."""
    if x.queue is not queue \
            and not same_device_and_context(dereference(x.queue.ref), dereference(queue.ref)):
        raise ExecutionPlacementError(
            f"{function}: the arrays are on {_device.Device.create_device(queue)} and on "
            f"{x.device}; expected one device and context (to_device moves an array)")
    return 0


cdef UsmKind common_kind(list arrays):
    """Return the most device-like kind: device before shared before host."""
    cdef usm_ndarray x
    cdef UsmKind kind = UsmKind.host
    for x in arrays:
        kind = min(kind, x.allocation.kind)
    return kind


# Types


cdef signed char[1 << DTYPE_COUNT] _promoted  # by the set of types; -1 until first used
memset(_promoted, -1, sizeof(_promoted))


cdef int promoted_code(unsigned int types, const Queue *queue) except -1:
    """Return the type that types promote to on a device. `types` is a bit set of codes."""
    cdef int code
    if _promoted[types] < 0:
        _promoted[types] = find_code(numpy.result_type(
            *[<object>DTYPES[code] for code in range(DTYPE_COUNT) if types >> code & 1]))
    return supported_code(_promoted[types], queue)


cdef int common_code(list arrays, str function) except -1:
    """Return the type that arrays promote to on the first array's device."""
    cdef usm_ndarray x, first = arrays[0]
    cdef unsigned int types = 0
    for x in arrays:
        types |= 1 << x.code
    return promoted_code(types, first.queue.ref.get())


cdef int python_code(OperandKind kind, int other, bint fp64) noexcept:
    """Return the type that a Python scalar and operands of another type promote to."""
    if kind == PYTHON_INT and other == BOOL:
        return default_code(1, fp64)
    if kind == PYTHON_FLOAT and other < F2:
        return default_code(2, fp64)
    if kind == PYTHON_COMPLEX and other < C8:
        return C8 if other == F2 or other == F4 else default_code(3, fp64)
    return other


cdef bint casts_safely(int from_, int to, const Queue *queue) except -1:
    """Return True if a device has the type `to`, and it holds all values of `from_`."""
    return is_supported(to, queue) and promoted_code(1 << from_ | 1 << to, queue) == to


def supported_dtype(dtype, SyclQueue queue):
    """Return a data type, or the widest type of its kind that the queue's device supports."""
    return <object>DTYPES[supported_code(find_code(dtype), queue.ref.get())]


# Shapes


cdef bint _extend(vector[int64_t] &common, int ndim, const int64_t *shape) noexcept:
    """Broadcast a shape with `common`. Return False if they do not broadcast."""
    cdef int axis
    cdef int64_t *own
    if ndim > <int>common.size():
        common.insert(common.begin(), ndim - common.size(), 1)
    own = common.data() + common.size() - ndim
    for axis in range(ndim):
        if own[axis] == 1:
            own[axis] = shape[axis]
        elif shape[axis] != 1 and shape[axis] != own[axis]:
            return False
    return True


cdef int broadcast(vector[int64_t] &common, object operands, str function) except -1:
    """Compute the shape to which arrays or shapes broadcast; numbers are ignored."""
    cdef vector[int64_t] shape
    cdef usm_ndarray x
    cdef bint fits
    common.clear()
    for operand in operands:
        if isinstance(operand, usm_ndarray):
            x = operand
            fits = _extend(common, x.rank, x.extents)
        elif isinstance(operand, tuple):
            shape = extents_of(operand)
            fits = _extend(common, <int>shape.size(), shape.data())
        else:
            continue
        if not fits:
            shapes = [str(getattr(operand, "shape", operand)) for operand in operands
                      if isinstance(operand, (usm_ndarray, tuple))]
            raise ValueError(f"{function}: arrays of shapes {' and '.join(shapes)} "
                             "cannot be broadcast together")
    return 0


cdef tuple broadcast_shape(object operands, str function):
    """Return the shape to which arrays or shapes broadcast, as a tuple."""
    cdef vector[int64_t] common
    broadcast(common, operands, function)
    return extents_tuple(<int>common.size(), common.data())


# Results


cdef usm_ndarray check_out(object out, SyclQueue queue, int code, int rank, const int64_t *shape,
                           str function, bint casts=False):
    """Check `out` and return it. With `casts`, the result may be converted to its type."""
    cdef usm_ndarray target = require(out, usm_ndarray, function, "out")
    require_writable(target, function, "out")
    require_same_device(queue, target, function)
    if not same_shape(target, rank, shape):
        raise ValueError(f"{function}: out has shape {target.shape}; expected "
                         f"{extents_tuple(rank, shape)}")
    if target.code == code:
        return target
    if not casts:
        raise ValueError(f"{function}: out has data type {target.dtype}; expected {DTYPES[code]}")
    if not numpy.can_cast(<object>DTYPES[code], target.dtype, "same_kind"):
        raise TypeError(f"{function}: out has data type {target.dtype}; expected one to which "
                        f"{DTYPES[code]} casts by the rule 'same_kind'")
    return target


cpdef usm_ndarray copy_to_out(usm_ndarray result, object out, str function):
    """Return a result, copied to `out` if `out` is given."""
    cdef usm_ndarray target
    if out is None:
        return result
    target = check_out(out, result.queue, result.code, result.rank, result.extents, function, True)
    copy_into(result, target)
    return target


# Assignment of numbers, arrays and objects that asarray accepts


cpdef usm_ndarray assign(usm_ndarray destination, object value, str function="__setitem__"):
    """Assign `destination[...] = value`, broadcast and converted, and return the destination."""
    cdef usm_ndarray source
    cdef OperandKind kind
    value = plain_value(value, &kind, function)
    if _is_number(value, kind):
        return fill_array(destination, value, function)
    if isinstance(value, np.ndarray):
        if _assign_directly(destination, value):
            return destination
        require_broadcast(np.PyArray_NDIM(value), <const int64_t *>np.PyArray_DIMS(value),
                          destination.rank, destination.extents, function, True)
    source = _array_of(value, kind, destination, function)
    if not same_shape(source, destination.rank, destination.extents):
        source = broadcast_view(source, destination.rank, destination.extents, function, True)
    copy_into(source, destination)
    return destination


cdef usm_ndarray assign_value(usm_ndarray destination, object value):
    """Implement `x[...] = value`."""
    return assign(destination, value)


cdef usm_ndarray converted_value(object value, usm_ndarray destination, str function):
    """Return a value as an array with the type and the queue of the destination."""
    cdef OperandKind kind
    value = plain_value(value, &kind, function)
    if _is_number(value, kind):
        return fill_array(allocate_array(destination.queue, UsmKind.device, destination.code, 0,
                                         NULL, b"C"), value, function)
    return as_array(_array_of(value, kind, destination, function), destination.code, b"K",
                    destination.queue, None, None)


cdef bint _is_number(object value, OperandKind kind):
    """Return True if a value is a number. NumPy scalars of any type are numbers."""
    return PYTHON_BOOL <= kind <= NUMPY_SCALAR or isinstance(value, np.generic)


cdef usm_ndarray _array_of(object value, OperandKind kind, usm_ndarray destination, str function):
    """Return the array for a value that is not a number."""
    if kind == ARRAY:
        return value
    if kind != UNKNOWN:
        return upload(value, destination.queue, "device", function)
    if isinstance(value, (str, bytes)):
        raise wrong_type(value, function, "value", "numbers")
    return bodies.from_anything(value, destination, function)


cdef bint _assign_directly(usm_ndarray destination, object value) except -1:
    """Copy a host array of equal layout in one step. Return False if the layouts differ."""
    if (value.dtype.num != DTYPES[destination.code].num or not value.dtype.isnative
            or not destination.bits & C_CONTIGUOUS or not value.flags.c_contiguous
            or value.shape != destination.shape):
        return False
    copy_content(value, destination)
    return True


# For functions in Python


def as_arrays(str function, dict operands):
    """Call convert_operands() for at most 32 operands."""
    if len(operands) > 32:
        raise wrong_value(len(operands), function, "the number of operands", "at most 32")
    return convert_operands(function, operands)
