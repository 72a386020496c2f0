from libc.stdint cimport int16_t
from usmtensor._native cimport Operator, Queue, Signature
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray


cdef class ElementwiseFunction:
    cdef const Operator *row
    cdef str name
    # The signature by the types of the inputs, for devices with and without fp16 and fp64.
    cdef int16_t[4][196] chosen

    cdef int choose(self, const Queue *queue, int x, int y=*)
    cdef int search(self, const Queue *queue, int x, int y)
    cdef usm_ndarray call(self, object x, object y, object out, char order, bint operator)
    cdef int run(self, const Signature *signature, SyclQueue queue, object x, usm_ndarray x_array,
                 object y, usm_ndarray y_array, usm_ndarray result) except -1
    cdef int without_kernel(self, int what, usm_ndarray x, usm_ndarray result) except -1
