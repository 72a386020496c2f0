from libcpp.vector cimport vector
from libc.stdint cimport int64_t
from usmtensor._native.libtensor cimport UsmKind
from usmtensor._runtime.queue cimport SyclQueue


cdef class Interface:
    cdef char *pointer              # the element of all-zero indices
    cdef char *begin                # the lowest byte
    cdef size_t nbytes              # from the lowest byte to the highest
    cdef bint readonly
    cdef int code                   # of the dtype
    cdef vector[int64_t] extents    # shape, then strides in elements
    cdef UsmKind kind               # unknown: a host buffer, which must be copied
    cdef SyclQueue queue
    cdef object owner

cdef Interface read_interface(object obj, str function)
cdef object syclobj_of(SyclQueue queue)
