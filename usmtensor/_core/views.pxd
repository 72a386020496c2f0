from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._core.array cimport usm_ndarray
from usmtensor._runtime.queue cimport SyclQueue


cdef int axis_index(object axis, usm_ndarray x, str function, int added=*) except -1
cdef int only_axis(usm_ndarray x, object axis, str function) except -1
cdef list axis_indices(object axes, usm_ndarray x, str function, str argument=*, int added=*)
cdef object plain_index(object item)
cdef usm_ndarray entry(usm_ndarray x, Py_ssize_t i)
cdef usm_ndarray basic_view(usm_ndarray x, object key)
cdef usm_ndarray view_at(usm_ndarray x, int axis, object item)
cdef usm_ndarray part_at(usm_ndarray x, int axis, int64_t begin, int64_t count)
cdef bint is_integer(object item) except -1
cdef usm_ndarray reshape_view(usm_ndarray x, tuple shape, char order)
cdef usm_ndarray same_memory(usm_ndarray x, int ndim)
cdef usm_ndarray strided_view(usm_ndarray x, vector[int64_t] extents, vector[int64_t] strides)
cdef usm_ndarray permute_axes(usm_ndarray x, list axes)
cdef usm_ndarray diagonal_view(usm_ndarray x, object offset)
cdef usm_ndarray swap_axes(usm_ndarray x, int first, int second)
cdef usm_ndarray as_plain(usm_ndarray x, SyclQueue queue=*)
cdef usm_ndarray on_queue(usm_ndarray x, SyclQueue queue)
cdef int require_broadcast(int rank, const int64_t *own, int ndim, const int64_t *shape,
                           str function, bint to_fewer=*) except -1
cdef usm_ndarray broadcast_view(usm_ndarray x, int ndim, const int64_t *shape, str function,
                                bint to_fewer=*)
