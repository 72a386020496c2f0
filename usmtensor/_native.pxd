# What libtensor declares: extern declarations only, the classes stand in the other files.
from libc.stdint cimport int64_t, uint8_t
from libcpp cimport bool as cbool
from libcpp.memory cimport shared_ptr


cdef extern from "native_errors.hpp" namespace "usmtensor":
    void raise_python_error()


cdef extern from "runtime/handles.hpp" namespace "usmtensor":
    cdef cppclass ContextRef:
        const void *get()

    cdef cppclass DeviceRef:
        const void *get()

    cdef cppclass EventRef:
        const void *get()

    cdef cppclass PlatformRef:
        const void *get()


cdef extern from "runtime/queue.hpp" namespace "usmtensor":
    cdef cppclass Queue:
        ContextRef context
        DeviceRef device
        cbool in_order
        cbool cpu
        cbool opencl

    ctypedef shared_ptr[Queue] QueueRef
    cbool equal(const Queue &, const Queue &)
    cbool same_place(const Queue &, const Queue &)
