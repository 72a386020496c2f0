"""Operands: what arguments are, and where the result of several lives, of what type and shape."""

from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._copy cimport upload
from usmtensor._dtypes cimport BOOL, C8, DTYPES, F2, F4, default_code, find_code, supported_code
from usmtensor._keywords cimport require, wrong_type
from usmtensor._native cimport Queue, UsmKind, same_place
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport WRITABLE, from_interface, require_array, same_shape, usm_ndarray

import numpy

from usmtensor import _device
from usmtensor._errors import ExecutionPlacementError


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
    cdef usm_ndarray first = arrays[0], x
    cdef UsmKind kind = first.memory.kind()
    for x in arrays:
        if <int>x.memory.kind() < <int>kind:
            kind = x.memory.kind()
    return kind


cdef int common_code(list arrays, str function) except -1:
    """The type that the arrays promote to, on the first one's device."""
    cdef usm_ndarray first = arrays[0], x
    for x in arrays:
        if x.code != first.code:
            break
    else:
        return first.code
    dtype = numpy.result_type(*[<object>DTYPES[x.code] for x in arrays])
    return supported_code(find_code(dtype), first.queue.ref.get())


cdef Sort sort_of(object x):
    cdef type kind = type(x)
    if isinstance(x, usm_ndarray):
        return ARRAY
    if kind is float:
        return WEAK_FLOAT
    if kind is int:
        return WEAK_INT
    if isinstance(x, numpy.generic):
        return STRONG
    if isinstance(x, numpy.ndarray):
        return STRONG if x.ndim == 0 else HOST
    if isinstance(x, bool):
        return WEAK_BOOL
    if isinstance(x, int):
        return WEAK_INT
    if isinstance(x, float):
        return WEAK_FLOAT
    if isinstance(x, complex):
        return WEAK_COMPLEX
    return UNKNOWN


cdef bint is_weak(Sort sort) noexcept:
    return WEAK_BOOL <= sort <= WEAK_COMPLEX


cdef int weak_code(Sort sort, int other, bint fp64) noexcept:
    """The type that a Python scalar takes beside operands of another; whatever else takes that."""
    if sort == WEAK_INT and other == BOOL:
        return default_code(1, fp64)
    if sort == WEAK_FLOAT and other < F2:
        return default_code(2, fp64)
    if sort == WEAK_COMPLEX and other < C8:
        return C8 if other == F2 or other == F4 else default_code(3, fp64)
    return other


cdef int host_code(object x, const Queue *queue, str name) except -1:
    """The type of a NumPy scalar or array, as the device can have it."""
    cdef int code = find_code(x.dtype)
    if code < 0:
        raise TypeError(f"{name}: an operand is of data type {x.dtype}, which arrays cannot have")
    return supported_code(code, queue)


cdef object known(object x, Sort *sort, str name, str argument):
    """An operand; an array for one that is not of our types."""
    if sort[0] != UNKNOWN:
        return x
    sort[0] = ARRAY
    array = from_interface(x, name)
    if array is None:
        raise wrong_type(x, name, argument,
                         "usm_ndarray" if argument == "x" else "an array or a number")
    return array


cdef usm_ndarray operand_array(object x, Sort sort, SyclQueue queue, str name, UsmKind *kind):
    """An operand as an array, whose kind the result may have; None for a number."""
    cdef usm_ndarray array
    if sort == ARRAY:
        array = require_array(x, name)
        require_place(queue, array, name)
        kind[0] = min(kind[0], array.memory.kind())
        return array
    if sort == HOST:
        code = host_code(x, queue.ref.get(), name)
        return upload(x.astype(<object>DTYPES[code], copy=False), queue, "device", name)
    return None


cdef int operand_code(object x, Sort sort, usm_ndarray array, usm_ndarray other,
                      const Queue *queue, str name) except -1:
    """The type that an operand counts as; Python scalars take that of the other one."""
    if array is not None:
        return array.code
    if sort == STRONG:
        return host_code(x, queue, name)
    return weak_code(sort, other.code, queue.fp64)


cdef usm_ndarray check_out(object out, str name):
    """The argument `out`, if it can take a result."""
    cdef usm_ndarray result = require(out, usm_ndarray, name, "out")
    if not result.bits & WRITABLE:
        raise ValueError(f"{name}: out is read-only")
    return result


cdef int extend(vector[int64_t] &common, usm_ndarray x, usm_ndarray y, usm_ndarray z,
                str name) except -1:
    """The shape that arrays have together; None stands for no array."""
    cdef int axis, place
    cdef int64_t own
    cdef usm_ndarray array
    common.clear()
    for one in (x, y, z):
        if one is None:
            continue
        array = one
        if array.rank > <int>common.size():
            common.insert(common.begin(), array.rank - common.size(), 1)
        for axis in range(array.rank):
            own = array.extents[axis]
            place = common.size() - array.rank + axis
            if common[place] == 1:
                common[place] = own
            elif own != 1 and own != common[place]:
                shapes = [(<usm_ndarray>one).shape for one in (x, y, z) if one is not None]
                raise ValueError(f"{name}: cannot broadcast arrays of shapes "
                                 f"{' and '.join(map(str, shapes))}")
    return 0


cdef int check_result(usm_ndarray result, int code, int rank, const int64_t *shape,
                      str name) except -1:
    """Whether `out` is what the result needs."""
    cdef int axis
    if not same_shape(result, rank, shape):
        raise ValueError(f"{name}: out has shape {result.shape}; expected "
                         f"{tuple([shape[axis] for axis in range(rank)])}")
    if result.code != code:
        raise ValueError(f"{name}: out has data type {result.dtype}; expected {DTYPES[code]}")
    return 0


cdef int promoted(int x, int y, int z, const Queue *queue):
    """The type that three types promote to on a device; bool leaves it to the others."""
    dtype = numpy.result_type(<object>DTYPES[x], <object>DTYPES[y], <object>DTYPES[z])
    return supported_code(find_code(dtype), queue)
