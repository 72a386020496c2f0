from usmtensor._usmarray cimport usm_ndarray


cdef usm_ndarray selected_at_once(usm_ndarray x, object key)
cdef usm_ndarray taken_at_once(usm_ndarray x, usm_ndarray index, object axis)
cdef bint set_at_once(usm_ndarray x, object key, usm_ndarray values) except -1
