from usmtensor._native cimport QueueRef


cdef class SyclQueue:
    cdef QueueRef ref
    cdef object _device   # SyclDevice, made once
    cdef object _context  # SyclContext, made once
    cdef object __weakref__

    @staticmethod
    cdef SyclQueue wrap(QueueRef ref)
