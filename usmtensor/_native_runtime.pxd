# What libtensor/runtime declares of devices, contexts, events and queues.
from libc.stdint cimport uint8_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector

from usmtensor._native cimport (
    Allocation, ContextRef, DeviceRef, EventRef, PlatformRef, Queue, QueueRef, raise_python_error,
)


cdef extern from "runtime/platform.hpp" namespace "usmtensor" nogil:
    cdef enum class Backend(uint8_t):
        pass

    cdef cppclass PlatformText:
        string name, vendor, version

    void set_driver_variable(const string &, const string &) except +raise_python_error
    vector[PlatformRef] platforms() except +raise_python_error
    PlatformRef platform_of(const DeviceRef &) except +raise_python_error
    vector[DeviceRef] platform_devices(const PlatformRef &) except +raise_python_error
    PlatformText describe(const PlatformRef &) except +raise_python_error
    Backend backend(const PlatformRef &) except +raise_python_error
    cbool equal(const PlatformRef &, const PlatformRef &)
    size_t hash(const PlatformRef &)


cdef extern from "runtime/device.hpp" namespace "usmtensor" nogil:
    cdef enum class DeviceType(uint8_t):
        pass

    cdef cppclass Info:
        pass

    vector[DeviceRef] devices(Backend, DeviceType) except +raise_python_error
    DeviceRef default_device() except +raise_python_error
    DeviceRef select_device(const string &) except +raise_python_error
    DeviceRef select_device(const vector[string] &,
                            const vector[string] &) except +raise_python_error
    Backend backend(const DeviceRef &) except +raise_python_error
    DeviceType device_type(const DeviceRef &) except +raise_python_error
    int default_selector_score(const DeviceRef &) except +raise_python_error
    Info info(const DeviceRef &, const string &) except +raise_python_error
    cbool has_aspect(const DeviceRef &, const string &) except +raise_python_error
    string filter_string(const DeviceRef &, cbool, cbool) except +raise_python_error
    size_t device_id(const DeviceRef &) except +raise_python_error
    cbool is_sub_device(const DeviceRef &) except +raise_python_error
    DeviceRef parent(const DeviceRef &) except +raise_python_error
    DeviceRef root(const DeviceRef &) except +raise_python_error
    vector[DeviceRef] partition_equally(const DeviceRef &, size_t) except +raise_python_error
    vector[DeviceRef] partition_by_counts(const DeviceRef &,
                                          const vector[size_t] &) except +raise_python_error
    vector[DeviceRef] partition_by_affinity(const DeviceRef &,
                                            const string &) except +raise_python_error
    cbool equal(const DeviceRef &, const DeviceRef &)
    size_t hash(const DeviceRef &)
    void *release_copy(const DeviceRef &) except +raise_python_error
    DeviceRef adopt_device(const void *) except +raise_python_error
    void delete_device(void *)


cdef extern from "info_to_python.hpp" namespace "usmtensor" nogil:
    object info_to_python(const Info &)


cdef extern from "runtime/context.hpp" namespace "usmtensor" nogil:
    ContextRef make_context(const vector[DeviceRef] &) except +raise_python_error
    ContextRef default_context(const PlatformRef &) except +raise_python_error
    vector[DeviceRef] context_devices(const ContextRef &) except +raise_python_error
    cbool equal(const ContextRef &, const ContextRef &)
    size_t hash(const ContextRef &)
    void *release_copy(const ContextRef &) except +raise_python_error
    ContextRef adopt_context(const void *) except +raise_python_error
    void delete_context(void *)


cdef extern from "runtime/event.hpp" namespace "usmtensor" nogil:
    cdef enum class EventStatus(uint8_t):
        complete

    cdef enum class EventTime(uint8_t):
        submit, start, end

    EventRef completed_event() except +raise_python_error
    void wait(const EventRef &) except +raise_python_error
    EventStatus status(const EventRef &) except +raise_python_error
    vector[EventRef] wait_list(const EventRef &) except +raise_python_error
    Backend backend(const EventRef &) except +raise_python_error
    uint64_t profiling_time(const EventRef &, EventTime) except +raise_python_error
    void *release_copy(const EventRef &) except +raise_python_error
    EventRef adopt_event(const void *) except +raise_python_error
    void delete_event(void *)


cdef extern from "runtime/queue.hpp" namespace "usmtensor" nogil:
    cdef cppclass QueueProperties:
        cbool in_order, enable_profiling

    QueueRef make_queue(const ContextRef &, const DeviceRef &,
                        QueueProperties) except +raise_python_error
    QueueRef adopt_queue(const void *) except +raise_python_error
    void *release_copy(const QueueRef &) except +raise_python_error
    void delete_queue(void *)
    QueueRef default_queue(const DeviceRef &) except +raise_python_error
    QueueRef default_queue(const ContextRef &, const DeviceRef &) except +raise_python_error
    const void *address(const Queue &)
    size_t hash(const Queue &)
    cbool has_profiling(const Queue &)
    Backend backend(const Queue &) except +raise_python_error
    void wait(const Queue &) except +raise_python_error


cdef extern from "runtime/gate.hpp" namespace "usmtensor" nogil:
    void close_gate_at_exit()


cdef extern from "runtime/command.hpp" namespace "usmtensor" nogil:
    cdef cppclass Bytes:
        void *pointer
        const Allocation *memory

    void transfer(const Queue &, const Bytes &, const Bytes &, size_t) except +raise_python_error
    EventRef transfer_async(const Queue &, const Bytes &, const Bytes &, size_t,
                            const vector[EventRef] &) except +raise_python_error
    EventRef barrier(const Queue &, const vector[EventRef] &) except +raise_python_error
    void prefetch(const Queue &, const Bytes &, size_t) except +raise_python_error
    void advise(const Queue &, const Bytes &, size_t, int) except +raise_python_error
