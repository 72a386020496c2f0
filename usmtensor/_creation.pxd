from usmtensor._usmarray cimport usm_ndarray


cdef usm_ndarray empty_array(str function, object shape, object dtype, object order, object device,
                             object usm_type, object sycl_queue)
cdef bint holds_arrays(object obj, str function, int depth=*) except -1
