# Declarations of libtensor/runtime for devices, contexts, events and queues.
from libc.stdint cimport int64_t, uint8_t, uint64_t
from libcpp cimport bool as cbool
from libcpp.string cimport string
from libcpp.vector cimport vector

from usmtensor._native.libtensor cimport (
    Allocation, ContextRef, DeviceRef, EventRef, PlatformRef, Queue, QueueRef, raised,
)


cdef extern from "runtime/device.hpp" namespace "usmtensor" nogil:
    cdef enum class Backend(uint8_t):
        pass

    cdef cppclass PlatformText:
        string name, vendor, version

    void query_platforms "UNLOCKED(query_platforms)"(const string &,
                                                     const string &) except +raised
    vector[PlatformRef] platforms "UNLOCKED(platforms)"() except +raised
    PlatformRef platform_of(const DeviceRef &) except +raised
    vector[DeviceRef] platform_devices(const PlatformRef &) except +raised
    PlatformText describe(const PlatformRef &) except +raised
    Backend backend(const PlatformRef &) except +raised
    cbool equal(const PlatformRef &, const PlatformRef &)
    size_t hash(const PlatformRef &)

    cdef enum class DeviceType(uint8_t):
        pass

    vector[DeviceRef] devices "UNLOCKED(devices)"() except +raised
    vector[DeviceRef] ranked_devices "UNLOCKED(ranked_devices)"() except +raised
    DeviceRef default_device "UNLOCKED(default_device)"() except +raised
    Backend backend(const DeviceRef &) except +raised
    DeviceType device_type(const DeviceRef &) except +raised
    int default_selector_score(const DeviceRef &) except +raised
    string text_info(const DeviceRef &, const string &) except +raised
    vector[int64_t] number_info(const DeviceRef &, const string &) except +raised
    cbool has_aspect(const DeviceRef &, const string &) except +raised
    DeviceRef parent(const DeviceRef &) except +raised
    DeviceRef root(const DeviceRef &) except +raised
    vector[DeviceRef] partition_equally(const DeviceRef &, size_t) except +raised
    vector[DeviceRef] partition_by_counts(const DeviceRef &, const vector[size_t] &) except +raised
    vector[DeviceRef] partition_by_affinity(const DeviceRef &, const string &) except +raised
    cbool equal(const DeviceRef &, const DeviceRef &)
    size_t hash(const DeviceRef &)
    DeviceRef adopt_device(const void *) except +raised

    ContextRef make_context "UNLOCKED(make_context)"(const vector[DeviceRef] &) except +raised
    ContextRef default_context(const PlatformRef &) except +raised
    vector[DeviceRef] context_devices(const ContextRef &) except +raised
    cbool equal(const ContextRef &, const ContextRef &)
    size_t hash(const ContextRef &)
    ContextRef adopt_context(const void *) except +raised


cdef extern from "runtime/event.hpp" namespace "usmtensor" nogil:
    cdef enum class EventStatus(uint8_t):
        complete

    cdef enum class EventTime(uint8_t):
        submit, start, end

    EventRef completed_event() except +raised
    void wait "UNLOCKED(wait)"(const EventRef &, const Queue *) except +raised
    EventStatus status "UNLOCKED(status)"(const EventRef &, const Queue *) except +raised
    vector[EventRef] wait_list(const EventRef &) except +raised
    Backend backend(const EventRef &) except +raised
    uint64_t profiling_time "UNLOCKED(profiling_time)"(const EventRef &, const Queue *,
                                                       EventTime) except +raised
    EventRef adopt_event(const void *) except +raised


cdef extern from "runtime/queue.hpp" namespace "usmtensor" nogil:
    cdef cppclass QueueProperties:
        cbool in_order, enable_profiling

    QueueRef make_queue "UNLOCKED(make_queue)"(const ContextRef &, const DeviceRef &,
                                               QueueProperties) except +raised
    QueueRef adopt_queue "UNLOCKED(adopt_queue)"(const void *) except +raised
    const void *address(const Queue &)
    size_t hash(const Queue &)
    cbool has_profiling(const Queue &)
    Backend backend(const Queue &) except +raised
    cbool known_idle(const Queue &)
    cbool wait "UNLOCKED(wait)"(const Queue &) except +raised


cdef extern from "runtime/default_queues.hpp" namespace "usmtensor" nogil:
    QueueRef default_queue "UNLOCKED(default_queue)"(const DeviceRef &) except +raised
    QueueRef default_queue "UNLOCKED(default_queue)"(const ContextRef &,
                                                     const DeviceRef &) except +raised


cdef extern from "runtime/compile_thread.hpp" namespace "usmtensor" nogil:
    void wait_for_compile_job "UNLOCKED(wait_for_compile_job)"()


cdef extern from "runtime/postponed.hpp" namespace "usmtensor" nogil:
    void set_thread_check(cbool (*is_known)() noexcept nogil)

cdef extern from "runtime/gate.hpp" namespace "usmtensor" nogil:
    void close_gate_at_exit "UNLOCKED(close_gate_at_exit)"()
    void open_gate_later()
    cbool ready_for_fork(cbool wait) except +raised


cdef extern from "runtime/submit.hpp" namespace "usmtensor" nogil:
    cdef cppclass Bytes:
        void *pointer
        const Allocation *memory

    void transfer "UNLOCKED(transfer)"(const Queue &, const Bytes &, const Bytes &,
                                       size_t) except +raised
    EventRef transfer_async "UNLOCKED(transfer_async)"(const Queue &, const Bytes &, const Bytes &,
                                                       size_t,
                                                       const vector[EventRef] &) except +raised
    EventRef barrier "UNLOCKED(barrier)"(const Queue &, const vector[EventRef] &) except +raised
    void prefetch "UNLOCKED(prefetch)"(const Queue &, const Bytes &, size_t) except +raised
    void advise "UNLOCKED(advise)"(const Queue &, const Bytes &, size_t, int) except +raised
