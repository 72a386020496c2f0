from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._native.libtensor cimport UsmKind


cpdef int one_of(object value, tuple words, str function, str argument) except -1
cdef char order_char(object order, str function) except 0
cdef UsmKind kind_of_word(object word, str function) except *
cdef bint is_true(object flag, str argument, str function) except -1
cdef str kind_name(UsmKind kind)
cpdef object wrong_type(object value, str function, str argument, str expected)
cpdef object wrong_value(object value, str function, str argument, str expected)
cpdef object require(object value, object kind, str function, str argument, str expected=*)
cdef object as_int(object value)
cpdef object integer(object value, str function, str argument, str expected=*)
cpdef object natural(object value, str function, str argument, str expected=*)
cpdef object number(object value, str function, str argument)
cpdef str short_repr(object value)
cdef int refuse_mask(object array, str function) except -1
cpdef object plain_array(object array, str function)
cdef object buffer_array(object buffer, str function)
cpdef object plain_number(object value, str function)
cdef tuple integers(object values, str function, str argument)
cdef int parse_extents(object shape, int64_t *extents) except -2
cdef tuple shape_tuple(object shape, str function, str argument=*)
cdef tuple complete_shape(object shape, object count, str function)
cdef tuple strides_tuple(object strides, int ndim, str function)
cdef vector[int64_t] extents_of(tuple shape)
