cdef object to_python(const char *p, int code)
cdef object does_not_fit(object value, object type_, str function)
cdef int from_python(object value, int code, char *out, str function) except -1
