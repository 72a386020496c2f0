from usmtensor._native cimport Queue


cdef enum:
    BOOL = 0, I4 = 5, I8 = 7, U8 = 8, F2 = 9, F4 = 10, F8 = 11, C8 = 12, C16 = 13,
    DTYPE_COUNT = 14

cdef int itemsizes[14]
cdef int alignments[14]
cdef tuple DTYPES  # numpy.dtype by code

cdef int find_code(object dtype)
cdef int code_of_number(int number) noexcept
cdef int dtype_code(object dtype, str function) except -1
cdef int default_code(int kind, bint fp64)
cdef int code_or_default(object dtype, const Queue *queue, str function, int kind=*) except -1
cdef bint is_supported(int code, const Queue *queue)
cdef int supported_code(int code, const Queue *queue)
