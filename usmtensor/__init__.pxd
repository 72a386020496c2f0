# Declarations for Cython code: arrays, memory, queues, contexts and events as types of arguments,
# and the functions of usmtensor/capi.h on them. Call import_usmtensor() first.

cdef extern from *:
    """
    #include <usmtensor/capi.h>
    /* The fields of these types are private. */
    typedef struct PyUSMArrayObject { PyObject_HEAD } PyUSMArrayObject;
    typedef struct Py_MemoryObject { PyObject_HEAD } Py_MemoryObject;
    typedef struct PySyclContextObject { PyObject_HEAD } PySyclContextObject;
    typedef struct PySyclDeviceObject { PyObject_HEAD } PySyclDeviceObject;
    typedef struct PySyclEventObject { PyObject_HEAD } PySyclEventObject;
    typedef struct PySyclQueueObject { PyObject_HEAD } PySyclQueueObject;
    """
    ctypedef class usmtensor._core.array.usm_ndarray [object PyUSMArrayObject, check_size ignore]:
        pass
    ctypedef class usmtensor._runtime.memory._Memory [object Py_MemoryObject, check_size ignore]:
        pass
    ctypedef class usmtensor._runtime.platform.SyclContext [object PySyclContextObject,
                                                            check_size ignore]:
        pass
    ctypedef class usmtensor._runtime.platform.SyclDevice [object PySyclDeviceObject,
                                                           check_size ignore]:
        pass
    ctypedef class usmtensor._runtime.queue.SyclEvent [object PySyclEventObject, check_size ignore]:
        pass
    ctypedef class usmtensor._runtime.queue.SyclQueue [object PySyclQueueObject, check_size ignore]:
        pass

    ctypedef void *DPCTLSyclContextRef
    ctypedef void *DPCTLSyclDeviceRef
    ctypedef void *DPCTLSyclEventRef
    ctypedef void *DPCTLSyclQueueRef
    ctypedef void *DPCTLSyclUSMRef

    enum:
        USM_ARRAY_C_CONTIGUOUS, USM_ARRAY_F_CONTIGUOUS, USM_ARRAY_WRITABLE,
        UAR_BOOL, UAR_BYTE, UAR_UBYTE, UAR_SHORT, UAR_USHORT, UAR_INT, UAR_UINT, UAR_LONG,
        UAR_ULONG, UAR_LONGLONG, UAR_ULONGLONG, UAR_HALF, UAR_FLOAT, UAR_DOUBLE, UAR_CFLOAT,
        UAR_CDOUBLE

    int import_usmtensor() except -1

    char *UsmNDArray_GetData(usm_ndarray) except NULL
    int UsmNDArray_GetNDim(usm_ndarray) except -1
    Py_ssize_t *UsmNDArray_GetShape(usm_ndarray) except NULL
    Py_ssize_t *UsmNDArray_GetStrides(usm_ndarray) except NULL
    int UsmNDArray_GetTypenum(usm_ndarray) except -1
    int UsmNDArray_GetElementSize(usm_ndarray) except -1
    int UsmNDArray_GetFlags(usm_ndarray) except -1
    Py_ssize_t UsmNDArray_GetOffset(usm_ndarray) except -1
    object UsmNDArray_GetUSMData(usm_ndarray)
    DPCTLSyclQueueRef UsmNDArray_GetQueueRef(usm_ndarray) except NULL
    void UsmNDArray_SetWritableFlag(usm_ndarray, int) except *
    object UsmNDArray_MakeSimpleFromMemory(int, const Py_ssize_t *, int, _Memory, Py_ssize_t, char)
    object UsmNDArray_MakeSimpleFromPtr(size_t, int, DPCTLSyclUSMRef, DPCTLSyclQueueRef, object)
    object UsmNDArray_MakeFromPtr(int, const Py_ssize_t *, int, const Py_ssize_t *,
                                  DPCTLSyclUSMRef, DPCTLSyclQueueRef, Py_ssize_t, object)

    DPCTLSyclUSMRef Memory_GetUsmPointer(_Memory) except NULL
    void *Memory_GetOpaquePointer(_Memory) except NULL
    DPCTLSyclContextRef Memory_GetContextRef(_Memory) except NULL
    DPCTLSyclQueueRef Memory_GetQueueRef(_Memory) except NULL
    size_t Memory_GetNumBytes(_Memory) except? <size_t>-1
    object Memory_Make(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, object)
    object Memory_MakeWithDeleter(DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef,
                                  void (*)(void *) noexcept nogil, void *)

    DPCTLSyclQueueRef SyclQueue_GetQueueRef(SyclQueue) except NULL
    SyclQueue SyclQueue_Make(DPCTLSyclQueueRef)
    DPCTLSyclEventRef SyclEvent_GetEventRef(SyclEvent) except NULL
    SyclEvent SyclEvent_Make(DPCTLSyclEventRef)
    DPCTLSyclContextRef SyclContext_GetContextRef(SyclContext) except NULL
    SyclContext SyclContext_Make(DPCTLSyclContextRef)
    DPCTLSyclDeviceRef SyclDevice_GetDeviceRef(SyclDevice) except NULL
    SyclDevice SyclDevice_Make(DPCTLSyclDeviceRef)
