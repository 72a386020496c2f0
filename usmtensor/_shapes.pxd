from libc.stdint cimport int64_t
from libcpp.vector cimport vector


cdef tuple integers(object values, str function, str argument)
cdef tuple shape_tuple(object shape, str function, str argument=*)
cdef tuple complete_shape(object shape, object count, str function)
cdef tuple strides_tuple(object strides, int ndim, str function)
cdef vector[int64_t] extents_of(tuple shape)
