from usmtensor._usmarray cimport usm_ndarray


cdef usm_ndarray empty_array(str function, object shape, object dtype, object order, object device,
                             object usm_type, object sycl_queue)
