from usmtensor._native.libtensor cimport ContextRef, DeviceRef, PlatformRef


# An immutable runtime object, which is valid only in this process.
cdef class Handle:
    pass


cdef class SyclPlatform(Handle):
    cdef PlatformRef ref
    cdef object __weakref__


# The base of SyclDevice, a Python class with a property for each row of a table.
cdef class DeviceHandle(Handle):
    cdef DeviceRef ref
    cdef dict _answers  # a cache of properties, which never change
    cdef object __weakref__


cdef class SyclContext(Handle):
    cdef ContextRef ref
    cdef object __weakref__


cdef DeviceHandle wrap_device(DeviceRef ref)
cdef SyclContext wrap_context(ContextRef ref)
cdef object python_backend(int value)

# A capsule with the SYCL object of a handle, which it keeps alive.
cdef object new_capsule(const void *content, const char *name, object owner)
# The SYCL object in a capsule of this name, or NULL with a TypeError that names the function.
cdef void *capsule_pointer(object capsule, const char *name, str function) except NULL
cdef bint is_capsule(object obj, const char *name)
