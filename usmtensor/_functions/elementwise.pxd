from libc.stdint cimport int64_t
from usmtensor._core.array cimport usm_ndarray
from usmtensor._core.operands cimport Operands

cdef bint are_numbers(list values)

cdef usm_ndarray new_result(Operands operands, int code, int rank, const int64_t *shape,
                            char order, usm_ndarray temporary=*)
