from usmtensor._native.libtensor cimport Queue


cdef extern from "layout/dtype.hpp" namespace "usmtensor":
    enum:
        BOOL "int(usmtensor::DType::bool8)", U1 "int(usmtensor::DType::uint8)"
        I4 "int(usmtensor::DType::int32)"
        I8 "int(usmtensor::DType::int64)", U8 "int(usmtensor::DType::uint64)"
        F2 "int(usmtensor::DType::float16)", F4 "int(usmtensor::DType::float32)"
        F8 "int(usmtensor::DType::float64)", C8 "int(usmtensor::DType::complex64)"
        C16 "int(usmtensor::DType::complex128)", DTYPE_COUNT "usmtensor::dtype_count"

cdef int itemsizes[DTYPE_COUNT]
cdef int alignments[DTYPE_COUNT]
cdef tuple DTYPES  # numpy.dtype by code

cpdef int find_code(object dtype)
cpdef str cpp_type(int code)
cdef int code_of_number(int number) noexcept
cdef int dtype_code(object dtype, str function) except -1
cdef int default_code(int kind, bint fp64)
cdef int code_or_default(object dtype, const Queue *queue, str function, int kind=*) except -1
cdef bint is_supported(int code, const Queue *queue)
cdef int supported_code(int code, const Queue *queue)
cdef object to_python(const char *p, int code)
cdef int from_python(object value, int code, char *out, str function) except -1
