cdef bint holds_arrays(object obj, str function, int depth=*) except -1
