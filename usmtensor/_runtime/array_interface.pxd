from libcpp.vector cimport vector
from libc.stdint cimport int64_t
from usmtensor._native.libtensor cimport UsmKind
from usmtensor._runtime.queue cimport SyclQueue


cdef class Interface:
    cdef char *pointer              # the element of all-zero indices
    cdef char *begin                # the lowest address
    cdef size_t nbytes              # between the lowest and the highest address
    cdef bint readonly
    cdef int code                   # dtype code
    cdef vector[int64_t] extents    # shape, then strides in elements
    cdef UsmKind kind               # unknown: a host buffer, which must be copied
    cdef SyclQueue queue
    cdef object owner

cdef Interface read_interface(object obj, str function)
cdef object syclobj_of(SyclQueue queue)
