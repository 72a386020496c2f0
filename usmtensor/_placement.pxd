from usmtensor._native cimport UsmKind
from usmtensor._runtime cimport SyclQueue


cdef SyclQueue common_queue(list arrays, str function)
cdef UsmKind common_kind(list arrays)
cdef int common_code(list arrays, str function) except -1
