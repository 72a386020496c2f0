from usmtensor._usmarray cimport usm_ndarray


cdef bint is_within_reach(tuple arrays)
cpdef int call(object function, tuple inputs, tuple outputs) except -1
