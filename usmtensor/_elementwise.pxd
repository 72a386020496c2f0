from libc.stdint cimport int64_t
from usmtensor._operands cimport Operands
from usmtensor._usmarray cimport usm_ndarray

cdef bint are_numbers(list values)

cdef usm_ndarray new_result(Operands operands, int code, int rank, const int64_t *shape,
                            char order)
