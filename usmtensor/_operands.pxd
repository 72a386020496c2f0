from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._native cimport Queue, UsmKind
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport usm_ndarray


# What an operand is.
cdef enum Sort:
    ARRAY
    WEAK_BOOL
    WEAK_INT
    WEAK_FLOAT
    WEAK_COMPLEX
    STRONG             # a NumPy scalar, or array of no dimensions
    HOST               # a NumPy array
    UNKNOWN


cdef SyclQueue common_queue(list arrays, str function)
cdef SyclQueue asked_queue(str function, object device, object sycl_queue, tuple values)
cdef int require_place(SyclQueue queue, usm_ndarray x, str function) except -1
cdef UsmKind common_kind(list arrays)
cdef int common_code(list arrays, str function) except -1
cdef Sort sort_of(object x)
cdef bint is_weak(Sort sort) noexcept
cdef int weak_code(Sort sort, int other, bint fp64) noexcept
cdef int host_code(object x, const Queue *queue, str name) except -1
cdef object known(object x, Sort *sort, str name, str argument)
cdef usm_ndarray operand_array(object x, Sort sort, SyclQueue queue, str name, UsmKind *kind)
cdef int operand_code(object x, Sort sort, usm_ndarray array, usm_ndarray other,
                      const Queue *queue, str name) except -1
cdef usm_ndarray check_out(object out, str name)
cdef int extend(vector[int64_t] &common, usm_ndarray x, usm_ndarray y, usm_ndarray z,
                str name) except -1
cdef int check_result(usm_ndarray result, int code, int rank, const int64_t *shape,
                      str name) except -1
cdef int promoted(int x, int y, int z, const Queue *queue)
