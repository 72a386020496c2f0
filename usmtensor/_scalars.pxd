cdef object to_python(const char *p, int code)
cdef int from_python(object value, int code, char *out) except -1
