from usmtensor._native.libtensor cimport Queue


cdef extern from "layout/dtype.hpp" namespace "usmtensor":
    enum:
        BOOL "int(usmtensor::DType::b1)", U1 "int(usmtensor::DType::u1)"
        I4 "int(usmtensor::DType::i4)"
        I8 "int(usmtensor::DType::i8)", U8 "int(usmtensor::DType::u8)"
        F2 "int(usmtensor::DType::f2)", F4 "int(usmtensor::DType::f4)"
        F8 "int(usmtensor::DType::f8)", C8 "int(usmtensor::DType::c8)"
        C16 "int(usmtensor::DType::c16)", DTYPE_COUNT "usmtensor::dtype_count"

cdef int itemsizes[DTYPE_COUNT]
cdef int alignments[DTYPE_COUNT]
cdef tuple DTYPES  # numpy.dtype by code

cpdef int find_code(object dtype)
cdef int code_of_number(int number) noexcept
cdef int dtype_code(object dtype, str function) except -1
cdef int default_code(int kind, bint fp64)
cdef int code_or_default(object dtype, const Queue *queue, str function, int kind=*) except -1
cdef bint is_supported(int code, const Queue *queue)
cdef int supported_code(int code, const Queue *queue)
cdef object to_python(const char *p, int code)
cdef int from_python(object value, int code, char *out, str function) except -1
