from usmtensor._core.array cimport usm_ndarray


cdef int sum_code(usm_ndarray x, object out) except -1
cdef bint has_distinct_elements(usm_ndarray x) noexcept
cdef int refuse_bools(object axis, str function) except -1
cdef int real_code(usm_ndarray x, object dtype, int *result, str function) except -1
cdef tuple reduced_axes(usm_ndarray x, object axis, str function)
cdef usm_ndarray finish_reduction(usm_ndarray result, tuple axes, object keepdims, object out,
                                  str function)
