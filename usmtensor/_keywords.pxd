from usmtensor._native cimport UsmKind


cdef char order_char(object order, str function) except 0
cdef UsmKind kind_of_word(object word, str function) except *
cdef bint is_true(object flag, str argument, str function) except -1
cdef str kind_name(UsmKind kind)
cpdef object wrong_type(object value, str function, str argument, str expected)
cpdef object wrong_value(object value, str function, str argument, str expected)
cpdef object require(object value, object kind, str function, str argument, str expected=*)
cdef object as_int(object value)
cpdef object integer(object value, str function, str argument, str expected=*)
cpdef str shown(object value)
