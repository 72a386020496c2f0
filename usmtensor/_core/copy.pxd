cimport numpy as np
from libc.stdint cimport int64_t
from usmtensor._core.array cimport usm_ndarray
from usmtensor._runtime.queue cimport SyclQueue


cdef int copy_into(usm_ndarray source, usm_ndarray destination) except -1
cdef int copy_content(object array, usm_ndarray x) except -1
cdef int warn_if_converted(np.ndarray values, usm_ndarray x, str function) except -1
cdef usm_ndarray upload(object array, SyclQueue queue, object usm_type, str function)
cdef usm_ndarray copy_as(usm_ndarray x, int code, char order, SyclQueue queue, object usm_type)
cdef usm_ndarray fill_array(usm_ndarray x, object value, str function)
cdef int require_cast(int from_, int to, object casting, str function) except -1
cdef usm_ndarray as_1d(usm_ndarray x)
cdef usm_ndarray as_contiguous(usm_ndarray x, int code)
cdef usm_ndarray allocate_like(usm_ndarray x, int code, char order, SyclQueue queue,
                               object usm_type, str function)
cdef usm_ndarray as_array(usm_ndarray x, int code, char order, SyclQueue queue, object usm_type,
                          object copy)
