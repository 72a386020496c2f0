from usmtensor._usmarray cimport usm_ndarray


cdef usm_ndarray assigned(object value, usm_ndarray destination, str function)
