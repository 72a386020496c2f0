"""Operands: what arguments are, and the place, type and shape that several have in common."""

from cpython.buffer cimport PyObject_CheckBuffer
cimport numpy as np
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memset
from libcpp.vector cimport vector
from usmtensor._assignment cimport assign
from usmtensor._copy cimport copied, copy_into, upload
from usmtensor._dtypes cimport (
    BOOL, C8, DTYPE_COUNT, DTYPES, F2, F4, default_code, find_code, is_supported, supported_code,
)
from usmtensor._keywords cimport extents_of, kind_name, plain_array, require, wrong_type
from usmtensor._native cimport Queue, UsmKind, same_place
from usmtensor._runtime cimport SyclQueue, default_queue
from usmtensor._usmarray cimport (
    allocate_array, extents_tuple, from_interface, require_array, require_writable, same_shape,
    usm_ndarray,
)
from usmtensor._views cimport basic_view

import numpy

from usmtensor import _device
from usmtensor._errors import ExecutionPlacementError


# Kinds


cdef OperandKind operand_kind(object x):
    cdef type kind = type(x)
    if isinstance(x, usm_ndarray):
        return ARRAY
    if kind is float:
        return PYTHON_FLOAT
    if kind is int:
        return PYTHON_INT
    if isinstance(x, np.ndarray):
        if kind is not np.ndarray:
            return NUMPY_SUBCLASS
        if find_code(x.dtype) < 0:
            return UNKNOWN
        return NUMPY_ARRAY if np.PyArray_NDIM(x) else NUMPY_SCALAR
    if isinstance(x, np.generic):
        return UNKNOWN if find_code(np.PyArray_DescrFromScalar(x)) < 0 else NUMPY_SCALAR
    if isinstance(x, bool):
        return PYTHON_BOOL
    if isinstance(x, int):
        return PYTHON_INT
    if isinstance(x, float):
        return PYTHON_FLOAT
    if isinstance(x, complex):
        return PYTHON_COMPLEX
    return UNKNOWN


cdef object resolved(object x, OperandKind *kind, bint is_operator, str function, str argument):
    """An operand of an unknown kind as one of a known kind: a foreign array in USM, or a number
    such as those of ctypes. None: an operator leaves it to the other operand."""
    if kind[0] < NUMPY_SUBCLASS:
        return x
    if kind[0] == NUMPY_SUBCLASS:
        plain_array(x, f"{function}: {argument}")
        raise wrong_type(x, function, argument, "no subclass of numpy.ndarray (numpy.asarray() "
                         "gives the array itself)")
    is_numpy = isinstance(x, (np.ndarray, np.generic))
    if not is_numpy and PyObject_CheckBuffer(x):
        view = memoryview(x)
        if view.ndim == 0:
            try:
                number = numpy.asarray(view)
            except ValueError:  # NumPy lacks the type
                pass
            else:
                kind[0] = operand_kind(number)
                if kind[0] == NUMPY_SCALAR:
                    return number
                x, is_numpy = number, True
    if is_operator:
        return None
    if is_numpy:
        raise TypeError(f"{function}: {argument} is of data type {x.dtype}, which arrays cannot "
                        "have")
    kind[0] = ARRAY
    array = from_interface(x, function)
    if array is None:
        raise wrong_type(x, function, argument,
                         "usm_ndarray" if argument == "x" else "an array or a number")
    return array


cdef usm_ndarray operand_array(object x, OperandKind kind, SyclQueue queue, str function,
                               UsmKind *usm_kind):
    """An operand as an array, whose USM kind the result may have; None for a number."""
    cdef usm_ndarray array
    if kind == ARRAY:
        array = x
        require_place(queue, array, function)
        usm_kind[0] = min(usm_kind[0], array.memory.kind())
        return array
    return upload(x, queue, "device", function) if kind == NUMPY_ARRAY else None


cdef list placed(str function, dict operands):
    """Operands as arrays, whose shapes nobody else changes, in the place of those that are arrays
    already: sequences as arrays of NumPy, numbers of Python in the type that they and the others
    promote to."""
    cdef OperandKind kind
    cdef usm_ndarray number
    cdef SyclQueue queue
    cdef list values = [], kinds = []
    for name, value in operands.items():
        if isinstance(value, (list, tuple)):
            value = numpy.asarray(value)
        kind = operand_kind(value)
        value = resolved(value, &kind, False, function, name)
        values.append(basic_view(value, Ellipsis) if kind == ARRAY else value)
        kinds.append(<int>kind)
    arrays = [value for value in values if isinstance(value, usm_ndarray)]
    if not arrays:
        raise ExecutionPlacementError(f"{function}: {' and '.join(operands)}: expected an array of "
                                      "a device")
    queue = common_queue(arrays, function)
    usm_kind = common_kind(arrays)
    for place, kind in enumerate(kinds):
        if kind == NUMPY_ARRAY or kind == NUMPY_SCALAR:
            values[place] = upload(values[place], queue, kind_name(usm_kind), function)
    code = common_code([value for value in values if isinstance(value, usm_ndarray)], function)
    for place, kind in enumerate(kinds):
        if PYTHON_BOOL <= kind <= PYTHON_COMPLEX:
            number = allocate_array(queue, usm_kind, python_code(kind, code, queue.ref.get().fp64),
                                    0, NULL, b"C")
            values[place] = assign(number, values[place], function)
    return values


cdef usm_ndarray in_type(usm_ndarray x, int code):
    """An array in a data type: itself, or a copy."""
    return x if x.code == code else copied(x, code, b"K", x.queue, None)


cdef int floating_code(usm_ndarray x) noexcept:
    """The type of an array, the default floating point type for integers and bools."""
    return x.code if x.code >= F2 else default_code(2, x.queue.ref.get().fp64)


cdef usm_ndarray as_floating(usm_ndarray x):
    return in_type(x, floating_code(x))


# Places


cdef SyclQueue common_queue(list arrays, str function):
    """The first array's queue; the others have to be in its context, on its device."""
    cdef usm_ndarray first = arrays[0], x
    for x in arrays:
        require_place(first.queue, x, function)
    return first.queue


cdef SyclQueue asked_queue(str function, object device, object sycl_queue, tuple values):
    """The queue that keywords ask for; without them that of the arrays among some values."""
    arrays = [require_array(x, function) for x in values if isinstance(x, usm_ndarray)]
    if arrays and device is None and sycl_queue is None:
        return common_queue(arrays, function)
    return named_queue(function, device, sycl_queue)


cdef SyclQueue named_queue(str function, object device, object sycl_queue):
    """The queue that keywords name; without them the default one."""
    if device is None and sycl_queue is None:
        return default_queue()
    return _device.normalize_queue(function, device, sycl_queue)


cdef int require_place(SyclQueue queue, usm_ndarray x, str function) except -1:
    """Whether an array is in a queue's context, on its device."""
    if x.queue is not queue \
            and not same_place(dereference(x.queue.ref), dereference(queue.ref)):
        raise ExecutionPlacementError(
            f"{function}: the arrays are on {_device.Device.create_device(queue)} and on "
            f"{x.device}; expected one device and context (to_device moves an array)")
    return 0


cdef UsmKind common_kind(list arrays):
    """The most device-like kind: device before shared before host."""
    cdef usm_ndarray x
    cdef UsmKind kind = UsmKind.host
    for x in arrays:
        kind = min(kind, x.memory.kind())
    return kind


# Types


cdef signed char[1 << DTYPE_COUNT] _promoted  # by the set of types; -1 where nobody asked yet
memset(_promoted, -1, sizeof(_promoted))


cdef int promoted_code(unsigned int types, const Queue *queue) except -1:
    """The type that types promote to on a device; they are a set, of one bit for each code."""
    cdef int code
    if _promoted[types] < 0:
        _promoted[types] = find_code(numpy.result_type(
            *[<object>DTYPES[code] for code in range(DTYPE_COUNT) if types >> code & 1]))
    return supported_code(_promoted[types], queue)


cdef int common_code(list arrays, str function) except -1:
    """The type that arrays promote to, on the first one's device."""
    cdef usm_ndarray x, first = arrays[0]
    cdef unsigned int types = 0
    for x in arrays:
        types |= 1 << x.code
    return promoted_code(types, first.queue.ref.get())


cdef int python_code(OperandKind kind, int other, bint fp64) noexcept:
    """The type that a Python scalar and operands of another type promote to."""
    if kind == PYTHON_INT and other == BOOL:
        return default_code(1, fp64)
    if kind == PYTHON_FLOAT and other < F2:
        return default_code(2, fp64)
    if kind == PYTHON_COMPLEX and other < C8:
        return C8 if other == F2 or other == F4 else default_code(3, fp64)
    return other


cdef int operand_code(object x, OperandKind kind, usm_ndarray array, int other,
                      const Queue *queue) except -1:
    """The type that an operand counts as; Python scalars go by that of the other one."""
    if array is not None:
        return array.code
    if kind == NUMPY_SCALAR:
        return supported_code(find_code(x.dtype), queue)
    return python_code(kind, other, queue.fp64)


cdef bint casts_safely(int from_, int to, const Queue *queue) except -1:
    """Whether a device has a type, and it holds all values of another there."""
    return is_supported(to, queue) and promoted_code(1 << from_ | 1 << to, queue) == to


def promote(operands):
    """The type that data types and Python scalars promote to, whatever the device."""
    cdef unsigned int types = 0
    cdef OperandKind kind, highest = PYTHON_BOOL
    for operand in operands:
        kind = operand_kind(operand)
        if PYTHON_BOOL <= kind <= PYTHON_COMPLEX:
            highest = max(highest, kind)
        else:
            types |= 1 << find_code(operand if kind == UNKNOWN else operand.dtype)
    return <object>DTYPES[python_code(highest, promoted_code(types or 1 << BOOL, NULL), True)]


def supported_dtype(dtype, SyclQueue queue):
    """A data type itself, or the widest of its kind that the queue's device computes in."""
    return <object>DTYPES[supported_code(find_code(dtype), queue.ref.get())]


# Shapes


cdef bint _extend(vector[int64_t] &common, int ndim, const int64_t *shape) noexcept:
    """Broadcasts a shape and another one; says whether they fit."""
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
    """The shape that arrays, or shapes, have together; None is no array."""
    cdef vector[int64_t] shape
    cdef usm_ndarray x
    cdef bint fits
    common.clear()
    for operand in operands:
        if isinstance(operand, usm_ndarray):
            x = operand
            fits = _extend(common, x.rank, x.extents)
        elif operand is not None:
            shape = extents_of(operand)
            fits = _extend(common, <int>shape.size(), shape.data())
        else:
            continue
        if not fits:
            shapes = [str(getattr(operand, "shape", operand)) for operand in operands
                      if operand is not None]
            raise ValueError(f"{function}: cannot broadcast arrays of shapes "
                             f"{' and '.join(shapes)}")
    return 0


cdef tuple broadcast_shape(object operands, str function):
    """The same as a tuple."""
    cdef vector[int64_t] common
    broadcast(common, operands, function)
    return extents_tuple(<int>common.size(), common.data())


# Results


cdef usm_ndarray check_out(object out, str function):
    """The argument `out`, if it can take a result."""
    cdef usm_ndarray result = require(out, usm_ndarray, function, "out")
    require_writable(result, function, "out")
    return result


cdef int check_result(usm_ndarray result, int code, int rank, const int64_t *shape,
                      str function) except -1:
    """Whether `out` is as the result needs it."""
    if not same_shape(result, rank, shape):
        raise ValueError(f"{function}: out has shape {result.shape}; expected "
                         f"{extents_tuple(rank, shape)}")
    if result.code != code:
        raise ValueError(f"{function}: out has data type {result.dtype}; expected {DTYPES[code]}")
    return 0


cdef usm_ndarray delivered(usm_ndarray result, object out, str function):
    """A result, in `out` where there is one."""
    cdef usm_ndarray target
    if out is None:
        return result
    target = check_out(out, function)
    check_result(target, result.code, result.rank, result.extents, function)
    require_place(target.queue, result, function)
    copy_into(result, target)
    return target
