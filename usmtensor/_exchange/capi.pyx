"""Functions for native code, in `__pyx_capi__` of the modules that define the classes.

They have the names and signatures of dpctl. Call them with the GIL; errors are Python exceptions.

Cython makes a capsule of each `cdef api` declaration, named by its C signature.
"""

cimport cython
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from usmtensor._core.array cimport finish, new_array, usm_ndarray
from usmtensor._native.libtensor cimport (
    Ownership, Release, UsmKind, deleter_release, element_count, element_extent, escape,
    pointer_kind, python_release, usm_release, within_allocation,
)
from usmtensor._native.runtime cimport (
    address, adopt_context, adopt_device, adopt_event, adopt_queue,
)
from usmtensor._runtime.arguments cimport require
from usmtensor._runtime.dtypes cimport DTYPES, alignments, code_of_number, itemsizes
from usmtensor._runtime.memory cimport _Memory, adopt_memory
from usmtensor._runtime.platform cimport DeviceHandle, SyclContext, wrap_context, wrap_device
from usmtensor._runtime.queue cimport SyclEvent, SyclQueue, wrap_event

from usmtensor._core import array as _usmarray
from usmtensor._runtime import memory as _memory, platform as _platform, queue as _runtime

cdef extern from "<usmtensor/capi.h>":
    struct PyUSMArrayObject: pass
    struct Py_MemoryObject: pass
    struct PySyclContextObject: pass
    struct PySyclDeviceObject: pass
    struct PySyclEventObject: pass
    struct PySyclQueueObject: pass
    ctypedef void *DPCTLSyclContextRef
    ctypedef void *DPCTLSyclDeviceRef
    ctypedef void *DPCTLSyclEventRef
    ctypedef void *DPCTLSyclQueueRef
    ctypedef void *DPCTLSyclUSMRef

# --- arguments -----------------------------------------------------------------------------------


cdef object _checked(void *x, type kind, str function):
    if x == NULL:
        raise TypeError(f"{function}: the object is NULL; expected {kind.__name__}")
    return require(<object>x, kind, function, "the object")


cdef usm_ndarray _array(PyUSMArrayObject *x, str function):
    return <usm_ndarray>_checked(x, usm_ndarray, function)


cdef void *_new_reference(object x):
    """Return a new reference for the caller."""
    Py_INCREF(x)
    return <void *>x


cdef int _not_null(const void *pointer, str function, str argument) except -1:
    if pointer == NULL:
        raise ValueError(f"{function}: {argument} is NULL")
    return 0


cdef SyclQueue _queue(const void *sycl_queue, str function):
    _not_null(sycl_queue, function, "the queue")
    return SyclQueue.wrap(adopt_queue(sycl_queue))


cdef int _code(int typenum, str function) except -1:
    cdef int code = code_of_number(typenum)
    if code < 0:
        raise ValueError(f"{function}: typenum is {typenum}; expected the type number of bool, an "
                         "integer, float16, float32, float64, complex64 or complex128")
    return code


cdef tuple _shape(int nd, const Py_ssize_t *shape, str function):
    cdef int axis
    if nd < 0:
        raise ValueError(f"{function}: nd is {nd}; expected 0 or more")
    if nd:
        _not_null(shape, function, "shape")
    for axis in range(nd):
        if shape[axis] < 0:
            raise ValueError(f"{function}: shape[{axis}] is {shape[axis]}; expected 0 or more")
    return tuple([shape[axis] for axis in range(nd)])


cdef Release _release(PyObject *owner, SyclQueue queue, char *pointer) except *:
    """Release an owner; without an owner, free the memory by the driver."""
    if owner == NULL or <object>owner is None:
        return usm_release(queue.ref, pointer)
    return python_release(<object>owner)


cdef _Memory _adopt(str function, SyclQueue queue, char *pointer, size_t nbytes,
                      Release release, PyObject *owner):
    """Return a memory object for a caller's memory. If this fails, the caller keeps the memory."""
    _not_null(pointer, function, "the pointer")
    cdef UsmKind kind = pointer_kind(pointer, queue.ref.get().context)
    if kind == UsmKind.unknown:
        raise ValueError(f"{function}: the pointer is {<size_t>pointer:#x}, which is not a USM "
                         "pointer of the queue's context")
    if nbytes > <size_t>-1 - <size_t>pointer or not within_allocation(
            pointer, kind, pointer, pointer + nbytes, queue.ref.get().context):
        raise ValueError(f"{function}: {nbytes} bytes leave the allocation at "
                         f"{<size_t>pointer:#x}")
    return adopt_memory(queue, pointer, nbytes, kind, release,
                        None if owner == NULL else <object>owner)


# --- arrays --------------------------------------------------------------------------------------


cdef api char *UsmNDArray_GetData(PyUSMArrayObject *x) except NULL:
    cdef usm_ndarray array = _array(x, "UsmNDArray_GetData")
    escape(dereference(array.allocation))
    return array.data


cdef api int UsmNDArray_GetNDim(PyUSMArrayObject *x) except -1:
    return _array(x, "UsmNDArray_GetNDim").rank


cdef api Py_ssize_t *UsmNDArray_GetShape(PyUSMArrayObject *x) except NULL:
    return <Py_ssize_t *>_array(x, "UsmNDArray_GetShape").extents


cdef api Py_ssize_t *UsmNDArray_GetStrides(PyUSMArrayObject *x) except NULL:
    return <Py_ssize_t *>_array(x, "UsmNDArray_GetStrides").strides_()


cdef api int UsmNDArray_GetTypenum(PyUSMArrayObject *x) except -1:
    return DTYPES[_array(x, "UsmNDArray_GetTypenum").code].num


cdef api int UsmNDArray_GetElementSize(PyUSMArrayObject *x) except -1:
    return itemsizes[_array(x, "UsmNDArray_GetElementSize").code]


cdef api int UsmNDArray_GetFlags(PyUSMArrayObject *x) except -1:
    return _array(x, "UsmNDArray_GetFlags").bits


cdef api Py_ssize_t UsmNDArray_GetOffset(PyUSMArrayObject *x) except -1:
    cdef usm_ndarray array = _array(x, "UsmNDArray_GetOffset")
    return (array.data - array.allocation.pointer) // itemsizes[array.code]


cdef api object UsmNDArray_GetUSMData(PyUSMArrayObject *x):
    return _array(x, "UsmNDArray_GetUSMData").memory_object()


cdef api DPCTLSyclQueueRef UsmNDArray_GetQueueRef(PyUSMArrayObject *x) except NULL:
    return <DPCTLSyclQueueRef>address(dereference(_array(x, "UsmNDArray_GetQueueRef").queue.ref))


cdef api void UsmNDArray_SetWritableFlag(PyUSMArrayObject *x, int flag) except *:
    _array(x, "UsmNDArray_SetWritableFlag")._set_writable(flag != 0)


cdef api object UsmNDArray_MakeSimpleFromMemory(
        int nd, const Py_ssize_t *shape, int typenum, Py_MemoryObject *memory, Py_ssize_t offset,
        char order):
    cdef str function = "UsmNDArray_MakeSimpleFromMemory"
    return usm_ndarray(_shape(nd, shape, function), DTYPES[_code(typenum, function)], None,
                       _checked(memory, _Memory, function), offset, chr(<unsigned char>order))


cdef api object UsmNDArray_MakeSimpleFromPtr(size_t nelems, int typenum, DPCTLSyclUSMRef pointer,
                                             DPCTLSyclQueueRef sycl_queue, PyObject *owner):
    cdef Py_ssize_t shape = nelems, stride = 1
    return _from_pointer("UsmNDArray_MakeSimpleFromPtr", 1, &shape, typenum, &stride,
                         <char *>pointer, sycl_queue, 0, owner)


cdef api object UsmNDArray_MakeFromPtr(
        int nd, const Py_ssize_t *shape, int typenum, const Py_ssize_t *strides,
        DPCTLSyclUSMRef pointer, DPCTLSyclQueueRef sycl_queue, Py_ssize_t offset, PyObject *owner):
    return _from_pointer("UsmNDArray_MakeFromPtr", nd, shape, typenum, strides, <char *>pointer,
                         sycl_queue, offset, owner)


cdef usm_ndarray _from_pointer(str function, int nd, const Py_ssize_t *shape, int typenum,
                               const Py_ssize_t *strides, char *pointer, const void *sycl_queue,
                               Py_ssize_t offset, PyObject *owner):
    cdef int64_t count = 0, low = 0, high = 0
    cdef int code = _code(typenum, function)
    cdef size_t nbytes = 0
    cdef usm_ndarray x
    cdef SyclQueue queue = _queue(sycl_queue, function)
    extents = _shape(nd, shape, function)
    if nd:
        _not_null(strides, function, "strides")
    if (not element_count(nd, <const int64_t *>shape, count) or count > 2 ** 59
            or not element_extent(nd, <const int64_t *>shape, <const int64_t *>strides, low, high)):
        raise ValueError(f"{function}: the extent of shape {extents} is more than fits in memory")
    if count and not -low <= offset <= 2 ** 59:
        raise ValueError(f"{function}: offset is {offset}; expected {-low} or more, because of "
                         "negative strides")
    if <size_t>pointer % alignments[code]:
        raise ValueError(f"{function}: the pointer is {<size_t>pointer:#x}; expected a multiple of "
                         f"{alignments[code]} for {DTYPES[code]} elements")
    if count:
        nbytes = (offset + high + 1) * itemsizes[code]
    # Done before the memory object exists, because a later failure would free the memory.
    x = new_array(None, queue, code, nd)
    memcpy(x.extents, shape, nd * sizeof(int64_t))
    memcpy(x.extents + nd, strides, nd * sizeof(int64_t))
    x.attach(_adopt(function, queue, pointer, nbytes, _release(owner, queue, pointer), owner))
    finish(x, pointer + (offset * itemsizes[code] if count else 0), True)
    return x


# --- memory --------------------------------------------------------------------------------------


cdef api DPCTLSyclUSMRef Memory_GetUsmPointer(Py_MemoryObject *x) except NULL:
    cdef _Memory memory = _checked(x, _Memory, "Memory_GetUsmPointer")
    escape(dereference(memory.ref))
    return <DPCTLSyclUSMRef>memory.pointer


cdef api void *Memory_GetOpaquePointer(Py_MemoryObject *x) except NULL:
    cdef _Memory memory = _checked(x, _Memory, "Memory_GetOpaquePointer")
    escape(dereference(memory.ref))
    with cython.critical_section(memory):
        if memory.handle == NULL:
            memory.handle = new Ownership(memory.ref, memory.pointer)
    return memory.handle


cdef api DPCTLSyclContextRef Memory_GetContextRef(Py_MemoryObject *x) except NULL:
    cdef _Memory memory = _checked(x, _Memory, "Memory_GetContextRef")
    return <DPCTLSyclContextRef>memory.sycl_queue.ref.get().context.get()


cdef api DPCTLSyclQueueRef Memory_GetQueueRef(Py_MemoryObject *x) except NULL:
    cdef _Memory memory = _checked(x, _Memory, "Memory_GetQueueRef")
    return <DPCTLSyclQueueRef>address(dereference(memory.sycl_queue.ref))


cdef api size_t Memory_GetNumBytes(Py_MemoryObject *x) except? <size_t>-1:
    return (<_Memory>_checked(x, _Memory, "Memory_GetNumBytes")).size


cdef api object Memory_Make(DPCTLSyclUSMRef pointer, size_t nbytes, DPCTLSyclQueueRef sycl_queue,
                            PyObject *owner):
    cdef SyclQueue queue = _queue(sycl_queue, "Memory_Make")
    return _adopt("Memory_Make", queue, <char *>pointer, nbytes,
                    _release(owner, queue, <char *>pointer), owner)


cdef api object Memory_MakeWithDeleter(
        DPCTLSyclUSMRef pointer, size_t nbytes, DPCTLSyclQueueRef sycl_queue,
        void (*deleter)(void *) noexcept nogil, void *context):
    _not_null(<const void *>deleter, "Memory_MakeWithDeleter", "the deleter")
    cdef SyclQueue queue = _queue(sycl_queue, "Memory_MakeWithDeleter")
    return _adopt("Memory_MakeWithDeleter", queue, <char *>pointer, nbytes,
                    deleter_release(queue.ref, deleter, context), NULL)


# --- queues, contexts, devices, events -----------------------------------------------------------


cdef api DPCTLSyclQueueRef SyclQueue_GetQueueRef(PySyclQueueObject *x) except NULL:
    cdef SyclQueue queue = _checked(x, SyclQueue, "SyclQueue_GetQueueRef")
    return <DPCTLSyclQueueRef>address(dereference(queue.ref))


cdef api PySyclQueueObject *SyclQueue_Make(DPCTLSyclQueueRef sycl_queue) except NULL:
    return <PySyclQueueObject *>_new_reference(_queue(sycl_queue, "SyclQueue_Make"))


cdef api DPCTLSyclContextRef SyclContext_GetContextRef(PySyclContextObject *x) except NULL:
    cdef SyclContext context = _checked(x, SyclContext, "SyclContext_GetContextRef")
    return <DPCTLSyclContextRef>context.ref.get()


cdef api PySyclContextObject *SyclContext_Make(DPCTLSyclContextRef sycl_context) except NULL:
    _not_null(sycl_context, "SyclContext_Make", "the context")
    return <PySyclContextObject *>_new_reference(wrap_context(adopt_context(sycl_context)))


cdef api DPCTLSyclDeviceRef SyclDevice_GetDeviceRef(PySyclDeviceObject *x) except NULL:
    cdef DeviceHandle device = _checked(x, _platform.SyclDevice, "SyclDevice_GetDeviceRef")
    return <DPCTLSyclDeviceRef>device.ref.get()


cdef api PySyclDeviceObject *SyclDevice_Make(DPCTLSyclDeviceRef sycl_device) except NULL:
    _not_null(sycl_device, "SyclDevice_Make", "the device")
    return <PySyclDeviceObject *>_new_reference(wrap_device(adopt_device(sycl_device)))


cdef api DPCTLSyclEventRef SyclEvent_GetEventRef(PySyclEventObject *x) except NULL:
    cdef SyclEvent event = _checked(x, SyclEvent, "SyclEvent_GetEventRef")
    return <DPCTLSyclEventRef>event.ref.get()


cdef api PySyclEventObject *SyclEvent_Make(DPCTLSyclEventRef sycl_event) except NULL:
    _not_null(sycl_event, "SyclEvent_Make", "the event")
    return <PySyclEventObject *>_new_reference(wrap_event(adopt_event(sycl_event), None))


# --- the flags of UsmNDArray_GetFlags and the type numbers of NumPy ------------------------------

cdef api:
    int USM_ARRAY_C_CONTIGUOUS = 1, USM_ARRAY_F_CONTIGUOUS = 2, USM_ARRAY_WRITABLE = 4
    int UAR_BOOL = 0, UAR_BYTE = 1, UAR_UBYTE = 2, UAR_SHORT = 3, UAR_USHORT = 4, UAR_INT = 5
    int UAR_UINT = 6, UAR_LONG = 7, UAR_ULONG = 8, UAR_LONGLONG = 9, UAR_ULONGLONG = 10
    int UAR_FLOAT = 11, UAR_DOUBLE = 12, UAR_CFLOAT = 14, UAR_CDOUBLE = 15, UAR_HALF = 23
    int UAR_TYPE_SENTINEL = 17


def _offer():
    """Put each capsule into the module where dpctl has it."""
    modules = {"UsmNDArray": _usmarray, "USM": _usmarray, "UAR": _usmarray, "Memory": _memory,
              "SyclQueue": _runtime, "SyclEvent": _runtime, "SyclContext": _platform,
              "SyclDevice": _platform}
    for name, capsule in globals()["__pyx_capi__"].items():
        modules[name.partition("_")[0]].__pyx_capi__[name] = capsule


_offer()
