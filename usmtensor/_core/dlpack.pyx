"""DLPack 1.3: export, import, and exchange between C libraries."""

cimport cython
cimport numpy as np
from cpython.object cimport PyObject
from cpython.pycapsule cimport (
    PyCapsule_GetName, PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New, PyCapsule_SetName,
)
from cpython.ref cimport Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy
from usmtensor._core.array cimport (
    WRITABLE, allocate_array, exchange_api, finish, ndarray_over, new_array, usm_ndarray,
)
from usmtensor._core.copy cimport as_array, copy_as, upload
from usmtensor._native.dlpack cimport (
    DLDataType, DLManagedTensor, DLManagedTensorVersioned, DLPackSetError, DLTensor, ExportedTensor,
    call_dlpack_deleter, delete_export, dlpack_is_copied, dlpack_major_version,
    dlpack_minor_version, dlpack_read_only, dlpack_release, kDLBool, kDLComplex, kDLCPU, kDLFloat,
    kDLInt, kDLOneAPI, kDLUInt, new_export,
)
from usmtensor._native.libtensor cimport (
    QueueRef, UsmKind, UsmLocation, compact_strides, dlpack_device, dlpack_device_id, element_count,
    element_extent, equal, escape, host_accessible, locate, mark_host_view, share_with,
    within_allocation,
)
from usmtensor._native.runtime cimport address, adopt_queue, default_queue, equal as equal_handles
from usmtensor._runtime.arguments cimport (
    integer, is_true, refuse_mask, require, short_repr, wrong_type, wrong_value,
)
from usmtensor._runtime.dtypes cimport DTYPE_COUNT, DTYPES, alignments, itemsizes
from usmtensor._runtime.memory cimport adopt_memory, new_memory
from usmtensor._runtime.platform cimport is_capsule
from usmtensor._runtime.queue cimport SyclQueue, default_queue as queue_of_default_device

import operator

from usmtensor._core import copy as _copy
from usmtensor._runtime import device as _device
from usmtensor._runtime.enums import DLDeviceType

np.import_array()

__all__ = ["from_dlpack", "get_build_dlpack_version"]

# More dimensions than any array has: a guard against invalid structures.
cdef enum:
    MAX_DIMS = 1024

cdef DLDataType[14] _types
cdef object _ONE_API = DLDeviceType.kDLOneAPI
cdef str _STREAMS = "None, -1, the address of a sycl::queue or a queue"
cdef tuple _VERSION = (dlpack_major_version, dlpack_minor_version)

cdef dict _kinds = {"b": kDLBool, "i": kDLInt, "u": kDLUInt, "f": kDLFloat, "c": kDLComplex}
cdef int _code
for _code in range(DTYPE_COUNT):
    _types[_code] = DLDataType(_kinds[DTYPES[_code].kind], 8 * itemsizes[_code], 1)


# --- export --------------------------------------------------------------------------------------


cdef void _fill(usm_ndarray x, int64_t *extents, int32_t device_type, int32_t device_id,
                DLTensor *tensor) noexcept:
    """Describe an array, with shape and strides at `extents`."""
    tensor.device.device_type = device_type
    tensor.device.device_id = device_id
    tensor.ndim = x.rank
    tensor.dtype = _types[x.code]
    tensor.shape = extents
    tensor.strides = extents + x.rank
    # Consumers expect the start of the allocation for device memory, and element 0 for host memory.
    tensor.data = x.data if device_type == kDLCPU else x.allocation.pointer
    tensor.byte_offset = x.data - <char *>tensor.data


cdef ExportedTensor *_exported(usm_ndarray x, int32_t device_type, int32_t device_id,
                               bint versioned, uint64_t flags) except NULL:
    cdef ExportedTensor *tensor = new_export(x.memory_object().ref, x.rank, versioned)
    cdef DLTensor *described = &tensor.unversioned.dl_tensor
    if versioned:
        described = &tensor.versioned.dl_tensor
        tensor.versioned.flags = flags | (0 if x.bits & WRITABLE else dlpack_read_only)
    memcpy(tensor.extents(), x.extents, 2 * x.rank * sizeof(int64_t))
    _fill(x, tensor.extents(), device_type, device_id, described)
    return tensor


cdef const char *_name(bint versioned) noexcept:
    return "dltensor_versioned" if versioned else "dltensor"


cdef void _end_capsule(object capsule) noexcept:
    """Delete the tensor of an unused capsule."""
    cdef bint versioned = PyCapsule_IsValid(capsule, "dltensor_versioned")
    if versioned or PyCapsule_IsValid(capsule, "dltensor"):
        call_dlpack_deleter(PyCapsule_GetPointer(capsule, _name(versioned)), versioned)


def to_dlpack(usm_ndarray x, stream, max_version, dl_device, copy):
    """Implement usm_ndarray.__dlpack__."""
    cdef bint versioned = max_version is not None and _major(max_version) >= dlpack_major_version
    cdef bint must_copy = copy is not None and is_true(copy, "copy", "__dlpack__")
    cdef bint may_copy = copy is None or must_copy, reached
    cdef int32_t device_type = kDLOneAPI, device_id, own_id
    cdef uint64_t flags = 0
    cdef ExportedTensor *tensor
    cdef SyclQueue queue = x.queue
    if dl_device is not None:
        device_type, device_id = _wanted_device(dl_device)
    if device_type == kDLCPU:
        reached = host_accessible(dereference(x.allocation))
    else:
        own_id = dlpack_device_id(dereference(x.allocation))
        if dl_device is None:
            device_id = own_id
        reached = device_id == own_id
    if not reached and not may_copy:
        raise BufferError(f"__dlpack__: dl_device is {short_repr(dl_device)}, which does not reach "
                          f"USM of kind '{x.usm_type}' on {x.device}; expected copy=None or True")
    if must_copy or not reached:
        if not reached and device_type == kDLOneAPI:
            queue = SyclQueue.wrap(default_queue(dlpack_device(device_id)))
        x = copy_as(x, x.code, b"K", queue, "host" if device_type == kDLCPU else None)
        flags = dlpack_is_copied
    if not versioned and not x.bits & WRITABLE:
        raise BufferError("__dlpack__: the array is read-only, which only DLPack 1.0 and later can "
                          "say; expected max_version=(1, 0) or higher")
    if device_type == kDLOneAPI:
        escape(dereference(x.allocation))
        _order(x, stream)
    tensor = _exported(x, device_type, device_id, versioned, flags)
    try:
        if device_type == kDLCPU:
            _open_view(x, tensor, stream)
        return PyCapsule_New(&tensor.versioned, _name(versioned), _end_capsule)
    except BaseException:
        delete_export(tensor)
        raise


cdef int _open_view(usm_ndarray x, ExportedTensor *tensor, object stream) except -1:
    """Mark the memory as used by the host."""
    if type(stream) is int and stream == -1:
        mark_host_view(dereference(x.allocation))
    else:
        x.memory_object().open_view()
    tensor.host_view = True
    return 0


cdef int _order(usm_ndarray x, object stream) except -1:
    """Order the consumer's work after the work on the array; without a queue, wait."""
    cdef SyclQueue queue
    if stream is None:
        x.memory_object().hand_over()
        return 0
    if hasattr(stream, "_get_capsule"):
        queue = stream if isinstance(stream, SyclQueue) else SyclQueue(stream)
    else:
        number = integer(stream, "__dlpack__", "stream", _STREAMS)
        if number == -1:
            return 0
        # Streams 0 to 2 have a meaning in CUDA, and no object has an address in the first page.
        if not 4096 <= number < 2 ** 64:
            raise wrong_value(number, "__dlpack__", "stream", _STREAMS)
        queue = SyclQueue.wrap(adopt_queue(<const void *><size_t>number))
    share_with(queue.ref, dereference(x.allocation))  # waits for work of another context
    return 0


cdef int _major(object version) except -1:
    if not (isinstance(version, tuple) and len(version) == 2
            and isinstance(version[0], int) and isinstance(version[1], int)):
        raise TypeError(f"__dlpack__: max_version is {short_repr(version)}; expected None or "
                        "(major, minor)")
    return min(max(version[0], 0), dlpack_major_version)


cdef object _kind_of(object device):
    """Return the type in a DLPack device, which may be any enumeration; None for other objects."""
    try:
        return operator.index(device[0]) if isinstance(device, tuple) and len(device) == 2 else None
    except TypeError:
        return None


cdef tuple _wanted_device(object device):
    kind = _kind_of(device)
    if kind is None or not isinstance(device[1], int):
        raise TypeError(f"__dlpack__: dl_device is {short_repr(device)}; expected (DLDeviceType, "
                        "device_id)")
    number = device[1]
    if kind == kDLCPU and number == 0:
        return kDLCPU, 0
    if kind == kDLOneAPI and 0 <= number < 2 ** 31:
        dlpack_device(number)
        return kDLOneAPI, number
    raise BufferError(f"__dlpack__: dl_device is {short_repr(device)}; expected (kDLCPU, 0) or the "
                      "number of a device as (kDLOneAPI, device_id)")


def device_of(usm_ndarray x):
    """Implement usm_ndarray.__dlpack_device__."""
    return _ONE_API, dlpack_device_id(dereference(x.allocation))


# --- import --------------------------------------------------------------------------------------


cdef struct Incoming:
    # A producer's tensor with checked fields.
    void *managed                        # a DLManagedTensorVersioned or a DLManagedTensor
    bint versioned
    bint taken                           # an array or a memory object owns the tensor
    DLTensor *tensor
    uint64_t flags
    int code                             # dtype code
    int64_t count
    char *data                           # the element of all-zero indices
    int64_t low, high                    # the lowest and highest element offset


cdef object _refused(str reason):
    return BufferError(f"from_dlpack: {reason}")


cdef int _open(object capsule, Incoming *incoming) except -1:
    """Read the tensor in a capsule, and mark the capsule as used before other threads use it."""
    incoming.managed = NULL
    incoming.taken = False
    with cython.critical_section(capsule):
        incoming.versioned = is_capsule(capsule, "dltensor_versioned")
        if incoming.versioned or is_capsule(capsule, "dltensor"):
            incoming.managed = PyCapsule_GetPointer(capsule, _name(incoming.versioned))
            PyCapsule_SetName(capsule, "used_dltensor_versioned" if incoming.versioned
                              else "used_dltensor")
    if incoming.managed != NULL and incoming.versioned:
        incoming.flags = (<DLManagedTensorVersioned *>incoming.managed).flags
        incoming.tensor = &(<DLManagedTensorVersioned *>incoming.managed).dl_tensor
    elif incoming.managed != NULL:
        incoming.flags = 0
        incoming.tensor = &(<DLManagedTensor *>incoming.managed).dl_tensor
    elif is_capsule(capsule, "used_dltensor") or is_capsule(capsule, "used_dltensor_versioned"):
        raise _refused("the capsule has been used already")
    else:
        raise TypeError(f"from_dlpack: __dlpack__ gave {capsule!r}; expected a capsule named "
                        "'dltensor' or 'dltensor_versioned'")
    return 0


cdef int _close(object capsule, Incoming *incoming) except -1:
    """Give a tensor that was not taken back to its capsule."""
    return 0 if incoming.taken else PyCapsule_SetName(capsule, _name(incoming.versioned))


cdef int _check(Incoming *incoming) except -1:
    """Read and check the fields of the tensor."""
    cdef DLTensor *tensor = incoming.tensor
    cdef DLDataType dtype = tensor.dtype
    cdef DLManagedTensorVersioned *versioned = <DLManagedTensorVersioned *>incoming.managed
    cdef int axis
    if incoming.versioned and versioned.version.major != dlpack_major_version:
        raise _refused(f"the tensor is of version {versioned.version.major}."
                       f"{versioned.version.minor}; expected {dlpack_major_version}.x")
    for incoming.code in range(DTYPE_COUNT):
        if (_types[incoming.code].code == dtype.code and _types[incoming.code].bits == dtype.bits
                and dtype.lanes == 1):
            break
    else:
        raise _refused(f"dtype is (code {dtype.code}, bits {dtype.bits}, lanes {dtype.lanes}); "
                       "expected one of the types of arrays")
    if not 0 <= tensor.ndim <= MAX_DIMS:
        raise _refused(f"ndim is {tensor.ndim}; expected 0 to {MAX_DIMS}")
    if tensor.ndim and tensor.shape == NULL:
        raise _refused(f"shape is NULL for {tensor.ndim} dimensions")
    for axis in range(tensor.ndim):
        if tensor.shape[axis] < 0:
            raise _refused(f"shape[{axis}] is {tensor.shape[axis]}; expected no negative extent")
    if not element_count(tensor.ndim, tensor.shape, incoming.count) or incoming.count > 2 ** 57:
        raise _refused("the shape has more elements than fit in memory")
    incoming.low = 0
    incoming.high = incoming.count - 1 if incoming.count else 0
    if tensor.ndim and tensor.strides != NULL and not element_extent(
            tensor.ndim, tensor.shape, tensor.strides, incoming.low, incoming.high):
        raise _refused("the extent of shape and strides is more than fits in memory")
    incoming.data = <char *>tensor.data
    if incoming.count == 0:
        return 0
    if tensor.data == NULL:
        raise _refused(f"data is NULL for {incoming.count} elements")
    cdef int64_t size = itemsizes[incoming.code]
    first = <size_t>tensor.data + <object>tensor.byte_offset
    if not -incoming.low * size < first < 2 ** 64 - (incoming.high + 1) * size:
        raise _refused(f"byte_offset is {tensor.byte_offset}; expected an offset within memory")
    incoming.data = <char *><size_t>first
    return 0


cdef void _extents(Incoming *incoming, int64_t *extents) noexcept:
    """Write the shape and then the strides."""
    cdef DLTensor *tensor = incoming.tensor
    cdef int n = tensor.ndim
    if n == 0:
        return
    memcpy(extents, tensor.shape, n * sizeof(int64_t))
    if tensor.strides == NULL:
        compact_strides(n, extents, b"C", extents + n)
    else:
        memcpy(extents + n, tensor.strides, n * sizeof(int64_t))


cdef usm_ndarray _from_usm(Incoming *incoming, object producer):
    """Return a view of a kDLOneAPI tensor."""
    cdef UsmLocation location = locate(incoming.tensor.data, incoming.tensor.device.device_id)
    cdef int64_t size = itemsizes[incoming.code]
    cdef char *begin = incoming.data + incoming.low * size
    cdef char *end = incoming.data + (incoming.high + 1) * size
    cdef SyclQueue queue
    cdef usm_ndarray x
    if incoming.count == 0:
        end = begin
    elif location.kind == UsmKind.unknown:
        raise _refused(f"data is {<size_t>incoming.tensor.data:#x}, which is not a USM pointer of "
                       "the default context of the device's platform")
    elif not within_allocation(<char *>incoming.tensor.data, location.kind, begin, end,
                               location.context):
        raise _refused("shape and strides leave the allocation that data points to")
    elif <size_t>incoming.data % alignments[incoming.code]:
        raise _refused(f"data is at address {<size_t>incoming.data:#x}; expected a multiple of "
                       f"{alignments[incoming.code]} for {DTYPES[incoming.code]} elements")
    queue = _queue_of(producer, location)
    x = new_array(None, queue, incoming.code, incoming.tensor.ndim)
    _extents(incoming, x.extents)
    if location.kind == UsmKind.unknown:  # a null pointer for a tensor without elements
        x.attach(new_memory(queue, UsmKind.device, 0))
        incoming.data = x.allocation.pointer
        call_dlpack_deleter(incoming.managed, incoming.versioned)
    else:
        x.attach(adopt_memory(queue, begin, end - begin, location.kind,
                              dlpack_release(incoming.managed, incoming.versioned)))
    incoming.taken = True
    finish(x, incoming.data, not incoming.flags & dlpack_read_only)
    return x


cdef SyclQueue _queue_of(object producer, const UsmLocation &location):
    """Return the producer's queue for an imported array, or the default queue ordered after it."""
    cdef SyclQueue producer_queue = None
    queue_like = getattr(producer, "sycl_queue", None)
    if queue_like is None:
        interface = getattr(producer, "__sycl_usm_array_interface__", None)
        queue_like = interface.get("syclobj") if isinstance(interface, dict) else None
    if isinstance(queue_like, SyclQueue):
        producer_queue = queue_like
    elif hasattr(queue_like, "_get_capsule"):
        capsule = queue_like._get_capsule()
        if is_capsule(capsule, "SyclQueueRef"):
            producer_queue = SyclQueue(capsule)
    if producer_queue is not None:
        if equal_handles(producer_queue.ref.get().context, location.context) and (
                location.kind == UsmKind.host
                or equal_handles(producer_queue.ref.get().device, location.device)):
            return producer_queue
        producer_queue.wait()
    return SyclQueue.wrap(default_queue(location.context, location.device))


cdef void _end_owner(object owner) noexcept:
    cdef const char *name = PyCapsule_GetName(owner)
    call_dlpack_deleter(PyCapsule_GetPointer(owner, name), PyCapsule_IsValid(owner, "versioned"))


cdef object _as_ndarray(Incoming *incoming):
    """Return a NumPy array over a kDLCPU tensor."""
    cdef int n = incoming.tensor.ndim, axis
    cdef int64_t[2 * 64] extents
    if n > 64:
        raise _refused(f"ndim is {n}; expected at most 64 of host memory")
    _extents(incoming, extents)
    for axis in range(n):
        if incoming.count == 0 or extents[axis] == 1:  # producers may set any stride
            extents[n + axis] = 1
    try:
        array = ndarray_over(incoming.data if incoming.count else NULL, incoming.code, n, extents,
                             extents + n, not incoming.flags & dlpack_read_only)
    except ValueError as error:  # NumPy rejects some extents next to a zero
        raise _refused(str(error)) from None
    owner = PyCapsule_New(incoming.managed, "versioned" if incoming.versioned else "unversioned",
                          _end_owner)
    incoming.taken = True
    if incoming.count:
        np.set_array_base(array, owner)
    return array


cdef object _ask(object dlpack, object dl_device, object copy):
    """Call a producer's __dlpack__ with the keywords that it accepts, and return the capsule."""
    keywords = {"max_version": _VERSION, "dl_device": dl_device, "copy": copy}
    try:
        return dlpack(**{key: value for key, value in keywords.items() if value is not None})
    except TypeError:  # the producer has an earlier version of the protocol
        return dlpack()


def get_build_dlpack_version() -> tuple[int, int]:
    """Return the version of DLPack that usmtensor was built with.

    Returns
    -------
    tuple of int
        Major and minor version. It is the newest version that `__dlpack__` exports.

    Notes
    -----
    Compatible with dpctl's function of that name.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.get_build_dlpack_version()
    (1, 3)
    """
    return _VERSION


def from_dlpack(x: HasDLPack, /, *, device: DeviceLike = None, copy: bool | None = None) -> Any:
    """Make an array over the data of another library, through DLPack.

    Parameters
    ----------
    x : object with `__dlpack__` and `__dlpack_device__`
        USM (kDLOneAPI) is viewed without a copy; host data is copied.
    device : Device, SyclQueue, SyclDevice, filter selector string or DLPack device, optional
        Default: the device of the data, or the default device for host data. ``(kDLCPU, 0)`` gives
        a `numpy.ndarray`.
    copy : bool, optional
        True always copies. False never copies, and raises if a copy is needed. None copies if
        needed.

    Returns
    -------
    usm_ndarray or numpy.ndarray

    Raises
    ------
    TypeError
        If `x` has no `__dlpack__`.
    ValueError
        If a copy is needed but not allowed, or `device` is not valid.
    BufferError
        If arrays cannot hold the data, or the tensor is malformed.

    Notes
    -----
    The array is on `x.sycl_queue`, ordered after the producer's work there. If the producer has no
    queue, its data must be ready. The memory is returned to the producer when the last array over
    it is deleted, on any thread.
    Source: array API 2025.12, `from_dlpack`; devices as in dpctl.tensor.from_dlpack.

    Examples
    --------
    >>> import usmtensor as usm
    >>> import numpy as np
    >>> usm.from_dlpack(np.arange(3))
    usm_ndarray([0, 1, 2])
    """
    cdef Incoming incoming
    cdef SyclQueue queue = None
    if copy is not None:
        copy = is_true(copy, "copy", "from_dlpack")
    refuse_mask(x, "from_dlpack")
    dlpack = getattr(x, "__dlpack__", None)
    device_of_x = getattr(x, "__dlpack_device__", None)
    if not callable(dlpack) or not callable(device_of_x):
        raise wrong_type(x, "from_dlpack", "x", "an object with __dlpack__ and __dlpack_device__")
    to_host = type(device) is tuple and len(device) == 2 and device[0] == kDLCPU
    if to_host and device[1] != 0:
        raise wrong_value(device, "from_dlpack", "device", "(kDLCPU, 0)")
    if not to_host and device is not None:
        queue = _device.normalize_queue("from_dlpack", device, None)
    where = None if to_host else device_of_x()
    kind = _kind_of(where)
    if to_host:
        capsule = _ask(dlpack, (kDLCPU, 0), copy)
    elif kind is None:
        raise TypeError(f"from_dlpack: __dlpack_device__ gave {where!r}; expected a tuple "
                        "(DLDeviceType, device_id)")
    elif kind == kDLOneAPI:
        capsule = _ask(dlpack, None, copy)
    elif copy is not None and not copy:
        raise ValueError(f"from_dlpack: x is on the DLPack device type {kind}, which needs a copy, "
                         "and copy=False does not allow one")
    elif kind == kDLCPU:
        capsule = _ask(dlpack, None, None)
    elif device is None:
        raise _refused(f"x is on the DLPack device type {kind}; expected kDLOneAPI or kDLCPU, "
                       "or the device keyword for a copy")
    else:
        capsule = _ask(dlpack, (kDLCPU, 0), None)
    _open(capsule, &incoming)
    try:
        return _imported(&incoming, x, to_host, queue, device, copy)
    finally:
        _close(capsule, &incoming)


cdef object _imported(Incoming *incoming, object producer, bint to_host, SyclQueue queue,
                      object device, object copy):
    """Return a NumPy array for the host, otherwise an array on a queue.

    If the queue is None, the array stays where the data is.
    """
    cdef int32_t device_type = incoming.tensor.device.device_type
    cdef usm_ndarray y
    _check(incoming)
    if copy and incoming.flags & dlpack_is_copied:
        copy = None
    if device_type == kDLCPU:
        array = _as_ndarray(incoming)
        if to_host:
            return array.copy() if copy else array
        return upload(array, queue or queue_of_default_device(), "device", "from_dlpack")
    if device_type != kDLOneAPI or to_host and copy is False:
        raise _refused(f"device_type is {device_type}; expected "
                       + ("kDLCPU" if to_host else "kDLOneAPI or kDLCPU"))
    y = _from_usm(incoming, producer)
    if to_host:
        return _copy.asnumpy(y)
    x = as_array(y, y.code, b"K", y.queue if queue is None else queue, None, copy)
    if x is None:
        raise ValueError(f"from_dlpack: x is on {y.device}, and copy=False does not allow a copy "
                         f"to device {device!r}")
    return x


# --- exchange between C libraries ----------------------------------------------------------------


cdef int _give(void *obj, DLManagedTensorVersioned **out) except -1:
    cdef usm_ndarray x = _array(obj)
    out[0] = &_exported(x, kDLOneAPI, dlpack_device_id(dereference(x.allocation)), True,
                        0).versioned
    return 0


cdef int _describe(void *obj, DLTensor *out) except -1:
    cdef usm_ndarray x = _array(obj)
    _fill(x, x.extents, kDLOneAPI, dlpack_device_id(dereference(x.allocation)), out)
    return 0


cdef usm_ndarray _array(void *obj):
    """Export an array, and order the queue of _current_queue() after the work on it."""
    cdef usm_ndarray x = require(<object>obj, usm_ndarray, "DLPack", "the object")
    cdef QueueRef queue = default_queue(x.queue.ref.get().context, x.queue.ref.get().device)
    escape(dereference(x.allocation))
    if not equal(dereference(queue), dereference(x.queue.ref)):
        share_with(queue, dereference(x.allocation))
    return x


cdef int _take(DLManagedTensorVersioned *tensor, void **out) except -1:
    cdef Incoming incoming
    incoming.managed = tensor
    incoming.versioned = True
    incoming.tensor = &tensor.dl_tensor
    incoming.flags = tensor.flags
    x = _imported(&incoming, None, False, None, None, None)
    Py_INCREF(x)
    out[0] = <void *><PyObject *>x
    return 0


cdef int _allocate(DLTensor *prototype, DLManagedTensorVersioned **out, void *error_ctx,
                   DLPackSetError set_error) noexcept with gil:
    cdef Incoming incoming
    cdef DLTensor wanted
    cdef SyclQueue queue
    cdef usm_ndarray x
    cdef int32_t device_id = 0
    cdef int32_t device_type = prototype.device.device_type
    try:
        # A prototype, of which only type and shape are used.
        wanted = prototype[0]
        wanted.strides = NULL
        wanted.data = <void *>1
        wanted.byte_offset = 0
        incoming.managed = NULL
        incoming.versioned = False
        incoming.tensor = &wanted
        _check(&incoming)
        if device_type == kDLCPU:
            queue = queue_of_default_device()
        elif device_type == kDLOneAPI:
            device_id = prototype.device.device_id
            queue = SyclQueue.wrap(default_queue(dlpack_device(device_id)))
        else:
            raise _refused(f"device_type is {device_type}; expected kDLOneAPI or kDLCPU")
        x = allocate_array(queue, UsmKind.host if device_type == kDLCPU else UsmKind.device,
                           incoming.code, wanted.ndim, wanted.shape, b"C")
        escape(dereference(x.allocation))
        out[0] = &_exported(x, device_type, device_id, True, 0).versioned
        return 0
    except BaseException as error:
        if set_error != NULL:
            kind = type(error).__name__.encode()
            message = str(error).encode("utf-8", "replace")
            set_error(error_ctx, kind, message)
        return -1


cdef int _current_queue(int32_t device_type, int32_t device_id, void **out) except -1 with gil:
    cdef QueueRef queue
    out[0] = NULL
    if device_type == kDLOneAPI:
        queue = default_queue(dlpack_device(device_id))
        out[0] = <void *>address(dereference(queue))
    elif device_type != kDLCPU:
        raise BufferError(f"device_type is {device_type}; expected kDLOneAPI or kDLCPU")
    return 0


exchange_api.header.version.major = dlpack_major_version
exchange_api.header.version.minor = dlpack_minor_version
exchange_api.managed_tensor_allocator = _allocate
exchange_api.managed_tensor_from_py_object_no_sync = _give
exchange_api.managed_tensor_to_py_object_no_sync = _take
exchange_api.dltensor_from_py_object_no_sync = _describe
exchange_api.current_work_stream = _current_queue
