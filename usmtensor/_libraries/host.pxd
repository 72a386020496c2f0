from usmtensor._core.array cimport usm_ndarray
from usmtensor._runtime.queue cimport SyclQueue


cdef object onemkl(SyclQueue queue)
cdef object call_quietly(object function, list values)
cdef bint is_host_accessible(tuple arrays)
cpdef int call(object function, tuple inputs, tuple outputs) except -1
