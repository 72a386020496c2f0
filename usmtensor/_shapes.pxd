cdef tuple shape_tuple(object shape, str function)
cdef tuple complete_shape(object shape, object count, str function)
cdef tuple strides_tuple(object strides, int ndim, str function)
