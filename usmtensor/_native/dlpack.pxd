# The structures of DLPack, and exported tensors.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libcpp cimport bool as cbool
from usmtensor._native.libtensor cimport Memory, Release


cdef extern from "usmtensor/dlpack.h" namespace "usmtensor::dlpack":
    enum:
        dlpack_major_version, dlpack_minor_version, dlpack_read_only, dlpack_is_copied,
        kDLCPU, kDLOneAPI, kDLInt, kDLUInt, kDLFloat, kDLComplex, kDLBool

    ctypedef struct DLPackVersion:
        uint32_t major, minor

    ctypedef struct DLDevice:
        int32_t device_type, device_id

    ctypedef struct DLDataType:
        uint8_t code, bits
        uint16_t lanes

    ctypedef struct DLTensor:
        void *data
        DLDevice device
        int32_t ndim
        DLDataType dtype
        int64_t *shape
        int64_t *strides
        uint64_t byte_offset

    ctypedef struct DLManagedTensor:
        DLTensor dl_tensor

    ctypedef struct DLManagedTensorVersioned:
        DLPackVersion version
        uint64_t flags
        DLTensor dl_tensor

    ctypedef struct DLPackExchangeAPIHeader:
        DLPackVersion version

    ctypedef void (*DLPackSetError)(void *, const char *kind, const char *message) noexcept

    ctypedef struct DLPackExchangeAPI:
        DLPackExchangeAPIHeader header
        int (*managed_tensor_allocator)(DLTensor *, DLManagedTensorVersioned **, void *,
                                        DLPackSetError) noexcept
        # On -1 a Python error is set, as Cython expects.
        int (*managed_tensor_from_py_object_no_sync)(void *, DLManagedTensorVersioned **) except -1
        int (*managed_tensor_to_py_object_no_sync)(DLManagedTensorVersioned *, void **) except -1
        int (*dltensor_from_py_object_no_sync)(void *, DLTensor *) except -1
        int (*current_work_stream)(int32_t, int32_t, void **) except -1


cdef extern from "dlpack_export.hpp" namespace "usmtensor":
    cdef cppclass ExportedTensor:
        DLManagedTensorVersioned versioned
        DLManagedTensor unversioned
        Memory memory
        cbool host_view
        int64_t *extents()

    ExportedTensor *new_export(const Memory &, int ndim, cbool versioned) except +
    void delete_export(ExportedTensor *) noexcept
    void call_dlpack_deleter(void *tensor, cbool versioned) noexcept
    Release dlpack_release(void *tensor, cbool versioned)
