"""What native code calls: functions in `__pyx_capi__` of the modules of the classes, by the names
and signatures of dpctl. Called with the GIL; an error is a Python exception."""

cimport cython
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memcpy
from usmtensor._dtypes cimport DTYPES, alignments, code_of_number, itemsizes
from usmtensor._memory cimport _Memory, adopt_memory
from usmtensor._native cimport (
    Ownership, Release, UsmKind, calling, element_count, element_extent, escape, freeing,
    pointer_kind, releasing, within_allocation,
)
from usmtensor._native_runtime cimport (
    ContextRef, DeviceRef, EventRef, QueueRef, address, adopt_context, adopt_device, adopt_event,
    adopt_queue,
)
from usmtensor._platform cimport DeviceHandle, SyclContext, wrap_context, wrap_device
from usmtensor._runtime cimport SyclEvent, SyclQueue, wrap_event
from usmtensor._usmarray cimport finish, new_array, usm_ndarray

from usmtensor import _memory, _platform, _runtime, _usmarray

ctypedef void (*Deleter)(void *) noexcept nogil

# --- arguments -----------------------------------------------------------------------------------


cdef object _checked(PyObject *x, type kind, str function):
    if x == NULL:
        raise TypeError(f"{function}: the object is NULL; expected {kind.__name__}")
    if not isinstance(<object>x, kind):
        raise TypeError(f"{function}: the object is of type {type(<object>x).__name__}; expected "
                        f"{kind.__name__}")
    return <object>x


cdef usm_ndarray _array(PyObject *x, str function):
    return <usm_ndarray>_checked(x, usm_ndarray, function)


cdef _Memory _memory_object(PyObject *x, str function):
    return <_Memory>_checked(x, _Memory, function)


cdef int _not_null(const void *pointer, str function, str argument) except -1:
    if pointer == NULL:
        raise ValueError(f"{function}: {argument} is NULL")
    return 0


cdef SyclQueue _queue(const void *sycl_queue, str function):
    cdef QueueRef ref
    _not_null(sycl_queue, function, "the queue")
    with nogil:
        ref = adopt_queue(sycl_queue)
    return SyclQueue.wrap(ref)


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
    """Lets go of an owner; without one the memory goes to the driver."""
    if owner == NULL or <object>owner is None:
        return freeing(queue.ref, pointer)
    return releasing(<object>owner)


cdef _Memory _adopted(str function, SyclQueue queue, char *pointer, size_t nbytes,
                      Release release, PyObject *owner):
    """Memory of a caller, who keeps it when this fails."""
    cdef UsmKind kind
    cdef _Memory memory
    _not_null(pointer, function, "the pointer")
    with nogil:
        kind = pointer_kind(pointer, queue.ref.get().context)
    if kind == UsmKind.unknown:
        raise ValueError(f"{function}: the pointer is {<size_t>pointer:#x}, which is no USM "
                         "pointer of the queue's context")
    if nbytes > <size_t>-1 - <size_t>pointer or not within_allocation(
            pointer, kind, pointer, pointer + nbytes, queue.ref.get().context):
        raise ValueError(f"{function}: {nbytes} bytes leave the allocation at "
                         f"{<size_t>pointer:#x}")
    memory = adopt_memory(queue, pointer, nbytes, kind, release)
    if owner != NULL and <object>owner is not None:
        Py_INCREF(<object>owner)
        memory.reference_obj = <object>owner
    return memory


# --- arrays --------------------------------------------------------------------------------------


cdef char *UsmNDArray_GetData(PyObject *x) except NULL:
    cdef usm_ndarray array = _array(x, "UsmNDArray_GetData")
    escape(dereference(array.memory.ref))
    return array.data


cdef int UsmNDArray_GetNDim(PyObject *x) except -1:
    return _array(x, "UsmNDArray_GetNDim").rank


cdef Py_ssize_t *UsmNDArray_GetShape(PyObject *x) except NULL:
    return <Py_ssize_t *>_array(x, "UsmNDArray_GetShape").extents


cdef Py_ssize_t *UsmNDArray_GetStrides(PyObject *x) except NULL:
    return <Py_ssize_t *>_array(x, "UsmNDArray_GetStrides").strides_()


cdef int UsmNDArray_GetTypenum(PyObject *x) except -1:
    return DTYPES[_array(x, "UsmNDArray_GetTypenum").code].num


cdef int UsmNDArray_GetElementSize(PyObject *x) except -1:
    return itemsizes[_array(x, "UsmNDArray_GetElementSize").code]


cdef int UsmNDArray_GetFlags(PyObject *x) except -1:
    return _array(x, "UsmNDArray_GetFlags").bits


cdef Py_ssize_t UsmNDArray_GetOffset(PyObject *x) except -1:
    cdef usm_ndarray array = _array(x, "UsmNDArray_GetOffset")
    return (array.data - array.memory.pointer) // itemsizes[array.code]


cdef object UsmNDArray_GetUSMData(PyObject *x):
    return _array(x, "UsmNDArray_GetUSMData").memory


cdef const void *UsmNDArray_GetQueueRef(PyObject *x) except NULL:
    return address(dereference(_array(x, "UsmNDArray_GetQueueRef").queue.ref))


cdef void UsmNDArray_SetWritableFlag(PyObject *x, int flag) except *:
    _array(x, "UsmNDArray_SetWritableFlag")._set_writable(flag != 0)


cdef object UsmNDArray_MakeSimpleFromMemory(int nd, const Py_ssize_t *shape, int typenum,
                                            PyObject *memory, Py_ssize_t offset, char order):
    cdef str function = "UsmNDArray_MakeSimpleFromMemory"
    return usm_ndarray(_shape(nd, shape, function), DTYPES[_code(typenum, function)], None,
                       _memory_object(memory, function), offset, chr(<unsigned char>order))


cdef object UsmNDArray_MakeSimpleFromPtr(size_t nelems, int typenum, char *pointer,
                                         const void *sycl_queue, PyObject *owner):
    cdef Py_ssize_t shape = nelems, stride = 1
    return _from_pointer("UsmNDArray_MakeSimpleFromPtr", 1, &shape, typenum, &stride, pointer,
                         sycl_queue, 0, owner)


cdef object UsmNDArray_MakeFromPtr(int nd, const Py_ssize_t *shape, int typenum,
                                   const Py_ssize_t *strides, char *pointer,
                                   const void *sycl_queue, Py_ssize_t offset, PyObject *owner):
    return _from_pointer("UsmNDArray_MakeFromPtr", nd, shape, typenum, strides, pointer,
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
            or not element_extent(nd, <const int64_t *>shape, <const int64_t *>strides, low, high)
            or low < -2 ** 59 or high > 2 ** 59):
        raise ValueError(f"{function}: the extent of shape {extents} is more than fits in memory")
    if count and not -low <= offset <= 2 ** 59:
        raise ValueError(f"{function}: offset is {offset}; expected {-low} or more, which is what "
                         "the strides go back")
    if <size_t>pointer % alignments[code]:
        raise ValueError(f"{function}: the pointer is {<size_t>pointer:#x}; expected a multiple of "
                         f"{alignments[code]} for {DTYPES[code]} elements")
    if count:
        nbytes = (offset + high + 1) * itemsizes[code]
    # Before the memory, which would be freed if this failed later.
    x = new_array(None, queue, code, nd)
    memcpy(x.extents, shape, nd * sizeof(int64_t))
    memcpy(x.extents + nd, strides, nd * sizeof(int64_t))
    x.memory = _adopted(function, queue, pointer, nbytes, _release(owner, queue, pointer), owner)
    finish(x, pointer + (offset * itemsizes[code] if count else 0), True)
    return x


# --- memory --------------------------------------------------------------------------------------


cdef char *Memory_GetUsmPointer(PyObject *x) except NULL:
    cdef _Memory memory = _memory_object(x, "Memory_GetUsmPointer")
    escape(dereference(memory.ref))
    return memory.pointer


cdef void *Memory_GetOpaquePointer(PyObject *x) except NULL:
    cdef _Memory memory = _memory_object(x, "Memory_GetOpaquePointer")
    escape(dereference(memory.ref))
    with cython.critical_section(memory):
        if memory.handle == NULL:
            memory.handle = new Ownership(memory.ref, memory.pointer)
    return memory.handle


cdef const void *Memory_GetContextRef(PyObject *x) except NULL:
    return _memory_object(x, "Memory_GetContextRef").sycl_queue.ref.get().context.get()


cdef const void *Memory_GetQueueRef(PyObject *x) except NULL:
    return address(dereference(_memory_object(x, "Memory_GetQueueRef").sycl_queue.ref))


cdef size_t Memory_GetNumBytes(PyObject *x) except? <size_t>-1:
    return _memory_object(x, "Memory_GetNumBytes").size


cdef object Memory_Make(char *pointer, size_t nbytes, const void *sycl_queue, PyObject *owner):
    cdef SyclQueue queue = _queue(sycl_queue, "Memory_Make")
    return _adopted("Memory_Make", queue, pointer, nbytes, _release(owner, queue, pointer), owner)


cdef object Memory_MakeWithDeleter(char *pointer, size_t nbytes, const void *sycl_queue,
                                   Deleter deleter, void *context):
    _not_null(<const void *>deleter, "Memory_MakeWithDeleter", "the deleter")
    cdef SyclQueue queue = _queue(sycl_queue, "Memory_MakeWithDeleter")
    return _adopted("Memory_MakeWithDeleter", queue, pointer, nbytes,
                    calling(queue.ref, deleter, context), NULL)


# --- queues, contexts, devices, events -----------------------------------------------------------


cdef const void *SyclQueue_GetQueueRef(PyObject *x) except NULL:
    return address(dereference((<SyclQueue>_checked(x, SyclQueue, "SyclQueue_GetQueueRef")).ref))


cdef object SyclQueue_Make(const void *sycl_queue):
    return _queue(sycl_queue, "SyclQueue_Make")


cdef const void *SyclContext_GetContextRef(PyObject *x) except NULL:
    return (<SyclContext>_checked(x, SyclContext, "SyclContext_GetContextRef")).ref.get()


cdef object SyclContext_Make(const void *sycl_context):
    cdef ContextRef ref
    _not_null(sycl_context, "SyclContext_Make", "the context")
    with nogil:
        ref = adopt_context(sycl_context)
    return wrap_context(ref)


cdef const void *SyclDevice_GetDeviceRef(PyObject *x) except NULL:
    return (<DeviceHandle>_checked(x, _platform.SyclDevice, "SyclDevice_GetDeviceRef")).ref.get()


cdef object SyclDevice_Make(const void *sycl_device):
    cdef DeviceRef ref
    _not_null(sycl_device, "SyclDevice_Make", "the device")
    with nogil:
        ref = adopt_device(sycl_device)
    return wrap_device(ref)


cdef const void *SyclEvent_GetEventRef(PyObject *x) except NULL:
    return (<SyclEvent>_checked(x, SyclEvent, "SyclEvent_GetEventRef")).ref.get()


cdef object SyclEvent_Make(const void *sycl_event):
    cdef EventRef ref
    _not_null(sycl_event, "SyclEvent_Make", "the event")
    with nogil:
        ref = adopt_event(sycl_event)
    return wrap_event(ref, None)


# --- the tables ----------------------------------------------------------------------------------


cdef int _offer(object module, const char *name, const char *signature, void *what) except -1:
    module.__pyx_capi__[name.decode()] = PyCapsule_New(what, signature, NULL)
    return 0


_offer(_usmarray, "UsmNDArray_GetData", "char *(struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetData)
_offer(_usmarray, "UsmNDArray_GetNDim", "int (struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetNDim)
_offer(_usmarray, "UsmNDArray_GetShape", "Py_ssize_t *(struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetShape)
_offer(_usmarray, "UsmNDArray_GetStrides", "Py_ssize_t *(struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetStrides)
_offer(_usmarray, "UsmNDArray_GetTypenum", "int (struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetTypenum)
_offer(_usmarray, "UsmNDArray_GetElementSize", "int (struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetElementSize)
_offer(_usmarray, "UsmNDArray_GetFlags", "int (struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetFlags)
_offer(_usmarray, "UsmNDArray_GetOffset", "Py_ssize_t (struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetOffset)
_offer(_usmarray, "UsmNDArray_GetUSMData", "PyObject *(struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetUSMData)
_offer(_usmarray, "UsmNDArray_GetQueueRef", "DPCTLSyclQueueRef (struct PyUSMArrayObject *)",
       <void *>UsmNDArray_GetQueueRef)
_offer(_usmarray, "UsmNDArray_SetWritableFlag", "void (struct PyUSMArrayObject *, int)",
       <void *>UsmNDArray_SetWritableFlag)
_offer(_usmarray, "UsmNDArray_MakeSimpleFromMemory",
       "PyObject *(int, Py_ssize_t const *, int, struct Py_MemoryObject *, Py_ssize_t, char)",
       <void *>UsmNDArray_MakeSimpleFromMemory)
_offer(_usmarray, "UsmNDArray_MakeSimpleFromPtr",
       "PyObject *(size_t, int, DPCTLSyclUSMRef, DPCTLSyclQueueRef, PyObject *)",
       <void *>UsmNDArray_MakeSimpleFromPtr)
_offer(_usmarray, "UsmNDArray_MakeFromPtr",
       "PyObject *(int, Py_ssize_t const *, int, Py_ssize_t const *, DPCTLSyclUSMRef, "
       "DPCTLSyclQueueRef, Py_ssize_t, PyObject *)",
       <void *>UsmNDArray_MakeFromPtr)

_offer(_memory, "Memory_GetUsmPointer", "DPCTLSyclUSMRef (struct Py_MemoryObject *)",
       <void *>Memory_GetUsmPointer)
_offer(_memory, "Memory_GetOpaquePointer", "void *(struct Py_MemoryObject *)",
       <void *>Memory_GetOpaquePointer)
_offer(_memory, "Memory_GetContextRef", "DPCTLSyclContextRef (struct Py_MemoryObject *)",
       <void *>Memory_GetContextRef)
_offer(_memory, "Memory_GetQueueRef", "DPCTLSyclQueueRef (struct Py_MemoryObject *)",
       <void *>Memory_GetQueueRef)
_offer(_memory, "Memory_GetNumBytes", "size_t (struct Py_MemoryObject *)",
       <void *>Memory_GetNumBytes)
_offer(_memory, "Memory_Make", "PyObject *(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, PyObject *)",
       <void *>Memory_Make)
_offer(_memory, "Memory_MakeWithDeleter",
       "PyObject *(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, void (*)(void *), void *)",
       <void *>Memory_MakeWithDeleter)

_offer(_runtime, "SyclQueue_GetQueueRef", "DPCTLSyclQueueRef (struct PySyclQueueObject *)",
       <void *>SyclQueue_GetQueueRef)
_offer(_runtime, "SyclQueue_Make", "struct PySyclQueueObject *(DPCTLSyclQueueRef)",
       <void *>SyclQueue_Make)
_offer(_runtime, "SyclEvent_GetEventRef", "DPCTLSyclEventRef (struct PySyclEventObject *)",
       <void *>SyclEvent_GetEventRef)
_offer(_runtime, "SyclEvent_Make", "struct PySyclEventObject *(DPCTLSyclEventRef)",
       <void *>SyclEvent_Make)
_offer(_platform, "SyclContext_GetContextRef", "DPCTLSyclContextRef (struct PySyclContextObject *)",
       <void *>SyclContext_GetContextRef)
_offer(_platform, "SyclContext_Make", "struct PySyclContextObject *(DPCTLSyclContextRef)",
       <void *>SyclContext_Make)
_offer(_platform, "SyclDevice_GetDeviceRef", "DPCTLSyclDeviceRef (struct PySyclDeviceObject *)",
       <void *>SyclDevice_GetDeviceRef)
_offer(_platform, "SyclDevice_Make", "struct PySyclDeviceObject *(DPCTLSyclDeviceRef)",
       <void *>SyclDevice_Make)

# The flags of UsmNDArray_GetFlags and the type numbers of NumPy.
_NUMBERS = {
    "USM_ARRAY_C_CONTIGUOUS": 1, "USM_ARRAY_F_CONTIGUOUS": 2, "USM_ARRAY_WRITABLE": 4,
    "UAR_BOOL": 0, "UAR_BYTE": 1, "UAR_UBYTE": 2, "UAR_SHORT": 3, "UAR_USHORT": 4, "UAR_INT": 5,
    "UAR_UINT": 6, "UAR_LONG": 7, "UAR_ULONG": 8, "UAR_LONGLONG": 9, "UAR_ULONGLONG": 10,
    "UAR_FLOAT": 11, "UAR_DOUBLE": 12, "UAR_CFLOAT": 14, "UAR_CDOUBLE": 15,
    "UAR_TYPE_SENTINEL": 17, "UAR_HALF": 23,
}
cdef int[20] _numbers


cdef int _offer_numbers() except -1:
    cdef int place = 0
    for name, value in _NUMBERS.items():
        _numbers[place] = value
        _offer(_usmarray, name.encode(), "int", &_numbers[place])
        place += 1
    return 0


_offer_numbers()
