from usmtensor._kernels.steps cimport Step
from usmtensor._runtime.queue cimport SyclQueue

cdef Step with_columns(Step first, Step second)
cdef list with_rows(list steps)
cdef list with_sequences(list steps, SyclQueue queue)
