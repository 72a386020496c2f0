from usmtensor._core.array cimport usm_ndarray


cpdef usm_ndarray assign(usm_ndarray destination, object value, str function=*)
cdef usm_ndarray converted_value(object value, usm_ndarray destination, str function)
cdef usm_ndarray assign_value(usm_ndarray destination, object value)
