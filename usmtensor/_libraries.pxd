from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray


cdef object onemkl(SyclQueue queue)
cdef bint is_within_reach(tuple arrays)
cpdef int call(object function, tuple inputs, tuple outputs) except -1
