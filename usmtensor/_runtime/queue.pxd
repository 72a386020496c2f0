from libcpp.vector cimport vector
from usmtensor._native.libtensor cimport EventRef, Queue, QueueRef
from usmtensor._native.runtime cimport EventTime
from usmtensor._runtime.platform cimport DeviceHandle, Handle, SyclContext


cdef class SyclEvent(Handle):
    cdef EventRef ref
    cdef SyclQueue _queue  # the queue of the command; None if unknown
    cdef object __weakref__

    cdef const Queue *_queue_for_errors(self) noexcept
    cdef object _time(self, EventTime time)


cdef class SyclQueue(Handle):
    cdef QueueRef ref
    cdef DeviceHandle _device   # a SyclDevice
    cdef SyclContext _context
    cdef object _syclobj        # for oneDAL; see syclobj_of()
    cdef object __weakref__

    @staticmethod
    cdef SyclQueue wrap(QueueRef ref)
    cdef int take(self, QueueRef ref) except -1


cdef SyclEvent wrap_event(EventRef ref, SyclQueue queue)
# The events that a command can wait for. The host waits for events of other contexts.
cdef vector[EventRef] dependencies(SyclQueue queue, object events, str function,
                                   str argument) except *

# The in-order queue of the default device, on which arrays live by default.
cpdef SyclQueue default_queue()
