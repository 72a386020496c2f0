/* The C API of usmtensor, for C and C++17, with the names of dpctl's C API. Call import_usmtensor()
 * first: once per source file in C, once per module in C++.
 *
 * Call all functions with the GIL. On an error they set a Python exception and return NULL or -1.
 * docs/native.md describes their guarantees and the caller's obligations. */
#ifndef USMTENSOR_CAPI_H
#define USMTENSOR_CAPI_H

#include <Python.h>
#include <stddef.h>

#ifdef SyclQueue_GetQueueRef
#error                                                                                             \
    "include either dpctl_capi.h or usmtensor/capi.h in a source file: they declare the same names"
#endif

/* Pointers to a sycl::context, sycl::device, sycl::event or sycl::queue, and to USM. */
typedef struct DPCTLOpaqueSyclContext *DPCTLSyclContextRef;
typedef struct DPCTLOpaqueSyclDevice *DPCTLSyclDeviceRef;
typedef struct DPCTLOpaqueSyclEvent *DPCTLSyclEventRef;
typedef struct DPCTLOpaqueSyclQueue *DPCTLSyclQueueRef;
typedef struct DPCTLOpaqueSyclUSM *DPCTLSyclUSMRef;

/* Python objects; cast a PyObject * to these: usm_ndarray, the memory classes, SyclQueue, ... */
struct PyUSMArrayObject;
struct Py_MemoryObject;
struct PySyclContextObject;
struct PySyclDeviceObject;
struct PySyclEventObject;
struct PySyclQueueObject;

/* Bits of UsmNDArray_GetFlags(). */
enum { USM_ARRAY_C_CONTIGUOUS = 1, USM_ARRAY_F_CONTIGUOUS = 2, USM_ARRAY_WRITABLE = 4 };

/* Type numbers, as in NumPy. */
enum {
  UAR_BOOL = 0,
  UAR_BYTE = 1,
  UAR_UBYTE = 2,
  UAR_SHORT = 3,
  UAR_USHORT = 4,
  UAR_INT = 5,
  UAR_UINT = 6,
  UAR_LONG = 7,
  UAR_ULONG = 8,
  UAR_LONGLONG = 9,
  UAR_ULONGLONG = 10,
  UAR_FLOAT = 11,
  UAR_DOUBLE = 12,
  UAR_CFLOAT = 14,
  UAR_CDOUBLE = 15,
  UAR_TYPE_SENTINEL = 17,
  UAR_HALF = 23
};

/* Module, result, text between result and parameters in the signature, name, and parameters. */
#define USMTENSOR_FUNCTIONS(F)                                                                     \
  F(_core.array, char *, "", UsmNDArray_GetData, (struct PyUSMArrayObject *))                      \
  F(_core.array, int, " ", UsmNDArray_GetNDim, (struct PyUSMArrayObject *))                        \
  F(_core.array, Py_ssize_t *, "", UsmNDArray_GetShape, (struct PyUSMArrayObject *))               \
  F(_core.array, Py_ssize_t *, "", UsmNDArray_GetStrides, (struct PyUSMArrayObject *))             \
  F(_core.array, int, " ", UsmNDArray_GetTypenum, (struct PyUSMArrayObject *))                     \
  F(_core.array, int, " ", UsmNDArray_GetElementSize, (struct PyUSMArrayObject *))                 \
  F(_core.array, int, " ", UsmNDArray_GetFlags, (struct PyUSMArrayObject *))                       \
  F(_core.array, Py_ssize_t, " ", UsmNDArray_GetOffset, (struct PyUSMArrayObject *))               \
  F(_core.array, PyObject *, "", UsmNDArray_GetUSMData, (struct PyUSMArrayObject *))               \
  F(_core.array, DPCTLSyclQueueRef, " ", UsmNDArray_GetQueueRef, (struct PyUSMArrayObject *))      \
  F(_core.array, void, " ", UsmNDArray_SetWritableFlag, (struct PyUSMArrayObject *, int))          \
  F(_core.array, PyObject *, "", UsmNDArray_MakeSimpleFromMemory,                                  \
    (int, Py_ssize_t const *, int, struct Py_MemoryObject *, Py_ssize_t, char))                    \
  F(_core.array, PyObject *, "", UsmNDArray_MakeSimpleFromPtr,                                     \
    (size_t, int, DPCTLSyclUSMRef, DPCTLSyclQueueRef, PyObject *))                                 \
  F(_core.array, PyObject *, "", UsmNDArray_MakeFromPtr,                                           \
    (int, Py_ssize_t const *, int, Py_ssize_t const *, DPCTLSyclUSMRef, DPCTLSyclQueueRef,         \
     Py_ssize_t, PyObject *))                                                                      \
  F(_runtime.memory, DPCTLSyclUSMRef, " ", Memory_GetUsmPointer, (struct Py_MemoryObject *))       \
  F(_runtime.memory, void *, "", Memory_GetOpaquePointer, (struct Py_MemoryObject *))              \
  F(_runtime.memory, DPCTLSyclContextRef, " ", Memory_GetContextRef, (struct Py_MemoryObject *))   \
  F(_runtime.memory, DPCTLSyclQueueRef, " ", Memory_GetQueueRef, (struct Py_MemoryObject *))       \
  F(_runtime.memory, size_t, " ", Memory_GetNumBytes, (struct Py_MemoryObject *))                  \
  F(_runtime.memory, PyObject *, "", Memory_Make,                                                  \
    (DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, PyObject *))                                      \
  F(_runtime.memory, PyObject *, "", Memory_MakeWithDeleter,                                       \
    (DPCTLSyclUSMRef, size_t, DPCTLSyclQueueRef, void (*)(void *), void *))                        \
  F(_runtime.queue, DPCTLSyclQueueRef, " ", SyclQueue_GetQueueRef, (struct PySyclQueueObject *))   \
  F(_runtime.queue, struct PySyclQueueObject *, "", SyclQueue_Make, (DPCTLSyclQueueRef))           \
  F(_runtime.queue, DPCTLSyclEventRef, " ", SyclEvent_GetEventRef, (struct PySyclEventObject *))   \
  F(_runtime.queue, struct PySyclEventObject *, "", SyclEvent_Make, (DPCTLSyclEventRef))           \
  F(_runtime.platform, DPCTLSyclContextRef, " ", SyclContext_GetContextRef,                        \
    (struct PySyclContextObject *))                                                                \
  F(_runtime.platform, struct PySyclContextObject *, "", SyclContext_Make, (DPCTLSyclContextRef))  \
  F(_runtime.platform, DPCTLSyclDeviceRef, " ", SyclDevice_GetDeviceRef,                           \
    (struct PySyclDeviceObject *))                                                                 \
  F(_runtime.platform, struct PySyclDeviceObject *, "", SyclDevice_Make, (DPCTLSyclDeviceRef))

/* Every module that includes this header has its own table. */
#ifdef __cplusplus
#define USMTENSOR_TABLE inline __attribute__((visibility("hidden")))
#else
#define USMTENSOR_TABLE static __attribute__((unused))
#endif

#define USMTENSOR_DECLARE(module, result, space, name, parameters)                                 \
  USMTENSOR_TABLE result(*name) parameters = NULL;
USMTENSOR_FUNCTIONS(USMTENSOR_DECLARE)
#undef USMTENSOR_DECLARE

/* The class usm_ndarray. */
USMTENSOR_TABLE PyTypeObject *PyUSMArrayType = NULL;

static inline int usmtensor_load_function(const char *module, const char *name,
                                          const char *signature, void *function) {
  PyObject *const loaded = PyImport_ImportModule(module);
  PyObject *const table = loaded ? PyObject_GetAttrString(loaded, "__pyx_capi__") : NULL;
  PyObject *const capsule = table ? PyMapping_GetItemString(table, name) : NULL;
  void *const found = capsule ? PyCapsule_GetPointer(capsule, signature) : NULL;
  if (capsule && !found)
    PyErr_Format(PyExc_ImportError, "%s.%s is not a function of type %s", module, name, signature);
  if (found)
    *(void **)function = found;
  Py_XDECREF(capsule);
  Py_XDECREF(table);
  Py_XDECREF(loaded);
  return found ? 0 : -1;
}

/* Returns 0, or -1 with an exception. */
static inline int import_usmtensor(void) {
  PyObject *package, *type;
  package = PyImport_ImportModule("usmtensor"); /* it loads the libraries that the modules need */
  type = package ? PyObject_GetAttrString(package, "usm_ndarray") : NULL;
  Py_XDECREF(package);
  if (!type)
    return -1;
#define USMTENSOR_LOAD(module, result, space, name, parameters)                                    \
  if (usmtensor_load_function("usmtensor." #module, #name, #result space #parameters,              \
                              (void *)&name) < 0) {                                                \
    Py_DECREF(type);                                                                               \
    return -1;                                                                                     \
  }
  USMTENSOR_FUNCTIONS(USMTENSOR_LOAD)
#undef USMTENSOR_LOAD
  Py_XDECREF((PyObject *)PyUSMArrayType);
  PyUSMArrayType = (PyTypeObject *)type;
  return 0;
}

static inline int PyUSMArray_Check(PyObject *object) {
  return PyObject_TypeCheck(object, PyUSMArrayType);
}

#endif
