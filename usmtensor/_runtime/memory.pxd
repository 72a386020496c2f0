from usmtensor._native.libtensor cimport OwnedMemory, Ownership, Release, UsmKind
from usmtensor._runtime.array_interface cimport Interface
from usmtensor._runtime.queue cimport SyclQueue


cdef class _Memory:
    cdef OwnedMemory ref
    cdef Ownership *handle  # ownership passed to native code; keeps the memory alive
    cdef char *pointer
    cdef size_t size
    cdef readonly SyclQueue sycl_queue
    cdef readonly object reference_obj
    cdef bint is_plain      # neither it nor its queue refers to user objects
    cdef object __weakref__

    cdef UsmKind kind(self)
    cdef UsmKind _kind_in(self, object syclobj, str function) except *
    cdef int _become(self, str function, UsmKind kind, _Memory other, object queue) except -1
    cdef int describe(self, SyclQueue queue) except -1
    cdef int hand_over(self) except -1
    cdef int open_view(self) except -1
    cdef void close_view(self) noexcept

# A contiguous host buffer, which this object keeps alive.
cdef class HostBuffer:
    cdef Py_buffer view

cdef HostBuffer host_buffer(object obj, bint writable, str function, str argument,
                            type refusal=*)
cdef int allocate_memory(OwnedMemory &ref, SyclQueue queue, UsmKind kind, size_t nbytes,
                         size_t alignment=*) except -1
cdef _Memory new_memory(SyclQueue queue, UsmKind kind, size_t nbytes, size_t alignment=*)
cdef _Memory memory_of_kind(UsmKind kind)
cdef _Memory adopt_memory(SyclQueue queue, char *pointer, size_t nbytes, UsmKind kind,
                         Release release, object owner=*)
cdef _Memory memory_of(Interface view)
cdef tuple allocation_keywords(object keywords, str function)
cdef dict interface_of(const char *pointer, bint readonly, tuple shape, object strides,
                       str typestr, SyclQueue queue)
