from usmtensor._native cimport UsmKind
from usmtensor._runtime cimport SyclQueue


cdef class Interface:
    cdef char *pointer        # as in "data", before the offset
    cdef bint readonly
    cdef int code             # of the dtype
    cdef tuple shape
    cdef object strides       # tuple in elements, or None for C order
    cdef object offset
    cdef UsmKind kind
    cdef SyclQueue queue
    cdef object owner

cdef Interface read_interface(object obj, str function)
cdef SyclQueue queue_of(object syclobj, const void *pointer, str function)
