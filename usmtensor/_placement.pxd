from usmtensor._native cimport UsmKind
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray


cdef SyclQueue common_queue(list arrays, str function)
cdef SyclQueue asked_queue(str function, object device, object sycl_queue, tuple values)
cdef int require_place(SyclQueue queue, usm_ndarray x, str function) except -1
cdef UsmKind common_kind(list arrays)
cdef int common_code(list arrays, str function) except -1
