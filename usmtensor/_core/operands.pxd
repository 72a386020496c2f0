from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport usm_ndarray
from usmtensor._native.libtensor cimport Queue, UsmKind
from usmtensor._runtime.queue cimport SyclQueue


cdef enum OperandKind:
    ARRAY
    PYTHON_BOOL     # Python scalars, in the order of promotion
    PYTHON_INT
    PYTHON_FLOAT
    PYTHON_COMPLEX
    NUMPY_SCALAR    # or a 0-D NumPy array
    NUMPY_ARRAY
    NUMPY_SUBCLASS
    NUMPY_OTHER     # a NumPy object with a data type that arrays cannot have
    UNKNOWN


cdef class Operands:
    cdef list values           # arrays, Python numbers and NumPy numbers
    cdef OperandKind[32] kinds
    cdef SyclQueue queue       # where the function runs
    cdef UsmKind kind          # of the result

    cdef usm_ndarray array(self, int k)
    cdef int code(self, int k) except -1
    cdef int common_code(self, int first=*) except -1
    cdef usm_ndarray model(self)
    cdef usm_ndarray in_type(self, int k, int code, str function)


cdef int numpy_code(object x)
cdef OperandKind operand_kind(object x)
cdef int refuse_sequences(object x, object y, str function, str operator,
                          str expected=*) except -1
cdef object plain_value(object x, OperandKind *kind, str function)
cdef object plain_sequence(object values, bint *has_arrays, str function)
cdef object host_array(object values, object dtype, str order, str function, object copy=*)
cdef Operands read_operands(str function, tuple names, list values, object out=*,
                            bint is_operator=*)
cdef list convert_operands(str function, dict operands)
cdef object read_sequence(object value, str function)
cdef usm_ndarray first_array(object values)
cdef usm_ndarray colocate(object x, usm_ndarray other, str function, str argument)
cpdef list arrays_to_join(object values, str function)
cpdef list colocate_all(object values, str function, object names)
cdef usm_ndarray in_type(usm_ndarray x, int code)
cdef int floating_code(usm_ndarray x) noexcept
cdef usm_ndarray as_floating(usm_ndarray x)
cdef SyclQueue common_queue(list arrays, str function)
cdef SyclQueue requested_queue(str function, object device, object sycl_queue, tuple values)
cdef SyclQueue named_queue(str function, object device, object sycl_queue)
cdef int require_same_device(SyclQueue queue, usm_ndarray x, str function) except -1
cdef UsmKind common_kind(list arrays)
cdef int promoted_code(unsigned int types, const Queue *queue) except -1
cdef int common_code(list arrays, str function) except -1
cdef int python_code(OperandKind kind, int other, bint fp64) noexcept
cdef bint casts_safely(int from_, int to, const Queue *queue) except -1
cdef int broadcast(vector[int64_t] &common, object operands, str function) except -1
cdef tuple broadcast_shape(object operands, str function)
cdef usm_ndarray check_out(object out, SyclQueue queue, int code, int rank, const int64_t *shape,
                           str function, bint casts=*)
cpdef usm_ndarray copy_to_out(usm_ndarray result, object out, str function)
cpdef usm_ndarray assign(usm_ndarray destination, object value, str function=*)
cdef usm_ndarray converted_value(object value, usm_ndarray destination, str function)
cdef usm_ndarray assign_value(usm_ndarray destination, object value)
