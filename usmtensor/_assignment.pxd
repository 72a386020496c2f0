from usmtensor._usmarray cimport usm_ndarray


cdef usm_ndarray converted_value(object value, usm_ndarray destination, str function)
