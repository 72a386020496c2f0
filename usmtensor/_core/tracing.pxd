from usmtensor._core.array cimport usm_ndarray
from usmtensor._core.operators cimport Operators
from usmtensor._runtime.queue cimport SyclQueue


# One call of a function with operands that stand for its arguments, as statements of C++.
cdef class Trace:
    cdef SyclQueue queue
    cdef list lines      # statements
    cdef set families    # whose headers they need
    cdef list numbers    # (place among the arguments,), or (function, operands, type)
    cdef dict scalars    # of the kernel, by name: (number, type)
    cdef bint updates    # whether an in-place operator joins arguments
    cdef bint over


cdef class Traced(Operators):
    cdef Trace trace
    cdef object sample      # an array of its type without dimensions; or a number
    cdef str name           # in C++
    cdef object inputs      # the arguments that it depends on, which give its shape
    cdef int code           # of the elements `name`
    cdef bint is_shared     # with a view, as of real parts
    cdef tuple reduction    # of these elements: a function and its keywords; or None


cdef Traced find_traced(list values)
cdef Traced number_of(object function, list values)
cdef bint is_traced_scalar(object x, list others)
cdef usm_ndarray array_or_sample(object x, str function)
cdef str type_name(int code)
