from libc.stdint cimport int64_t
from usmtensor._core.array cimport usm_ndarray


cdef usm_ndarray bin_sums(usm_ndarray indices, usm_ndarray weights, int64_t bins)
