from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.operators cimport Operators
from usmtensor._native.dlpack cimport DLPackExchangeAPI
from usmtensor._native.libtensor cimport Allocation, DType, OwnedMemory, UsmKind, View
from usmtensor._runtime.memory cimport _Memory
from usmtensor._runtime.queue cimport SyclQueue


cdef enum:
    C_CONTIGUOUS = 1
    F_CONTIGUOUS = 2
    WRITABLE = 4
    INLINE_DIMS = 4


cdef class usm_ndarray(Operators):
    cdef char *data            # the element of all-zero indices
    cdef int64_t *extents      # shape, then strides in elements
    cdef int64_t[8] inline_extents
    cdef vector[int64_t] many_extents
    cdef int rank
    cdef int code              # dtype code
    cdef int bits              # C_CONTIGUOUS | F_CONTIGUOUS | WRITABLE
    cdef Allocation *allocation  # owned by `handle` or `memory`
    cdef OwnedMemory handle     # owns a new allocation until the memory object takes it
    cdef _Memory memory        # the memory object; None until first used
    cdef SyclQueue queue
    cdef object __weakref__

    cdef int attach(self, _Memory memory) except -1
    cdef void track(self) noexcept
    cdef _Memory memory_object(self)
    cdef void _take_extents(self, usm_ndarray other) noexcept
    cdef int64_t *strides_(self) noexcept
    cdef View view(self) noexcept
    cdef usm_ndarray _part(self, int which)

    cdef inline int64_t count(self) noexcept:
        cdef int64_t n = 1
        cdef int axis
        for axis in range(self.rank):
            n *= self.extents[axis]
        return n

    cdef inline bint has_one_stride(self) noexcept:
        """Return True if neighbours in C order all have the same distance."""
        return self.bits & C_CONTIGUOUS or self.rank == 1

    cdef inline View as_1d_view(self, int64_t *line) noexcept:
        """Return the elements of a compact or 1-D array in memory order, as a 1-D view.

        `line` receives the extent and the stride of the view.
        """
        line[0] = self.count()
        line[1] = 1 if self.bits & (C_CONTIGUOUS | F_CONTIGUOUS) else self.extents[1]
        return View(self.data, <DType>self.code, 1, line, line + 1, self.allocation)


# Functions of modules above this one, for the methods of arrays; `usmtensor._numpy.methods` sets
# them.
cdef struct Above:
    usm_ndarray (*assign)(usm_ndarray destination, object value)
    usm_ndarray (*basic_view)(usm_ndarray x, object key)
    usm_ndarray (*entry)(usm_ndarray x, Py_ssize_t i)
    usm_ndarray (*swap_axes)(usm_ndarray x, int first, int second)

cdef Above above

# Filled by `dlpack`.
cdef DLPackExchangeAPI exchange_api

cdef usm_ndarray new_array(_Memory memory, SyclQueue queue, int code, int ndim)
cdef usm_ndarray allocate_array(SyclQueue queue, UsmKind kind, int code, int ndim,
                                const int64_t *shape, char order, const int64_t *model=*)
cdef bint is_element_like(usm_ndarray x, usm_ndarray y) noexcept
cdef usm_ndarray allocate_shape(SyclQueue queue, UsmKind kind, int code, tuple shape,
                                char order=*)
cdef object extents_tuple(int n, const int64_t *values)
cdef int set_extents(int64_t *extents, object values) except -1
cdef int require_writable(usm_ndarray x, str function, str argument) except -1
cdef int finish(usm_ndarray x, char *data, bint writable) except -1
cdef usm_ndarray from_interface(object obj, str function, bint may_copy=*)
cdef usm_ndarray of_class(usm_ndarray x, object cls)
cdef object element(usm_ndarray x)
cdef object ndarray_over(void *data, int code, int rank, const int64_t *extents,
                         const int64_t *strides, bint writable)
cdef usm_ndarray require_array(object x, str function, str argument=*)


cdef inline bint same_shape(usm_ndarray x, int rank, const int64_t *shape) noexcept:
    cdef int axis
    if x.rank != rank:
        return False
    for axis in range(rank):
        if x.extents[axis] != shape[axis]:
            return False
    return True
