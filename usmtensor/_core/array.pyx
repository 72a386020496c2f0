"""The array: a strided view of USM memory."""

cimport cython
cimport numpy as np
from cpython.buffer cimport PyObject_GetBuffer
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from cython.operator cimport dereference
from libc.stdint cimport int64_t
from libc.string cimport memcmp, memcpy
from libcpp.vector cimport vector
from usmtensor._core.operators cimport Operators
from usmtensor._native.libtensor cimport (
    DType, UsmKind, View, compact_strides, compact_strides_like, contiguity, copy_element,
    copy_element_here, element_count, element_extent, escape,
)
from usmtensor._runtime.arguments cimport (
    extents_of, integer, kind_name, kind_of_word, one_of, shape_tuple, short_repr, strides_tuple,
    wrong_type, wrong_value,
)
from usmtensor._runtime.array_interface cimport Interface, read_interface
from usmtensor._runtime.dtypes cimport (
    C8, DTYPES, F2, F4, F8, U8, alignments, code_or_default, from_python, is_supported, itemsizes,
    to_python,
)
from usmtensor._runtime.memory cimport (
    _Memory, allocate_memory, allocation_keywords, interface_of, memory_of, memory_of_kind,
    new_memory,
)
from usmtensor._runtime.queue cimport SyclQueue

import re
from types import SimpleNamespace

import numpy

from usmtensor._core import hints as _hints
from usmtensor._core.flags import Flags
from usmtensor._runtime import device as _device

np.import_array()

__all__ = ["usm_ndarray"]

cdef extern from "Python.h":
    void PyObject_GC_Track(PyObject *)
    void PyObject_GC_UnTrack(PyObject *)
    long long PyLong_AsLongLongAndOverflow(object, int *overflow) except? -1
    ctypedef object (*newfunc)(PyTypeObject *, PyObject *, PyObject *)
    ctypedef struct PyTypeObject:
        newfunc tp_new
        void *tp_vectorcall
        int (*tp_init)(object, PyObject *, PyObject *) except -1

cdef extern from "python_lifetime.hpp" namespace "usmtensor":
    void reuse_objects "usmtensor::ObjectFreeList::install"(PyTypeObject *cls)

# The bodies of methods that need modules above this one; `usmtensor._numpy.methods` sets them.
bodies = SimpleNamespace()

cdef tuple _TYPESTRS = tuple([dtype.str for dtype in DTYPES])
_API_VERSIONS = ("2021.12", "2022.12", "2023.12", "2024.12", "2025.12")


cdef usm_ndarray new_array(_Memory memory, SyclQueue queue, int code, int ndim):
    """Return an array without extents. The caller sets the extents, then calls finish()."""
    cdef usm_ndarray x = usm_ndarray.__new__(usm_ndarray)
    x.queue = queue
    x.code = code
    _reserve(x, ndim)
    if memory is not None:
        x.attach(memory)
    return x


cdef int _reserve(usm_ndarray x, int ndim) except -1:
    if ndim > INLINE_DIMS:
        x.many_extents.resize(2 * ndim)
        x.extents = x.many_extents.data()
    x.rank = ndim
    return 0


cdef usm_ndarray allocate_array(SyclQueue queue, UsmKind kind, int code, int ndim,
                                const int64_t *shape, char order, const int64_t *model=NULL):
    """Return a new compact array. Order K has the memory order of the model strides."""
    cdef int64_t count
    cdef usm_ndarray x = new_array(None, queue, code, ndim)
    memcpy(x.extents, shape, ndim * sizeof(int64_t))
    _require_type(code, queue)
    count = _size(x)
    if ndim < 2:  # the most frequent case: both orders are the same
        x.extents[ndim] = 1
        x.bits = C_CONTIGUOUS | F_CONTIGUOUS | WRITABLE
    else:
        if order == b"K":
            compact_strides_like(ndim, x.extents, model, x.strides_())
        else:
            compact_strides(ndim, x.extents, order, x.strides_())
        x.bits = contiguity(ndim, x.extents, x.strides_()) | WRITABLE
    allocate_memory(x.handle, queue, kind, count * itemsizes[code])
    x.allocation = x.handle.get()
    x.data = x.allocation.pointer
    x.track()
    return x


cdef usm_ndarray allocate_shape(SyclQueue queue, UsmKind kind, int code, tuple shape,
                                char order=b"C"):
    """Return a new compact array."""
    cdef vector[int64_t] extents
    try:
        extents = extents_of(shape)
    except OverflowError:
        raise ValueError(f"shape {shape} has more elements than fit in memory") from None
    return allocate_array(queue, kind, code, <int>extents.size(), extents.data(), order)


cdef int64_t _size(usm_ndarray x) except -1:
    """Return the number of elements. Raise if it is too large, even if all strides are zero."""
    cdef int64_t count = 0
    if not element_count(x.rank, x.extents, count) or count > <int64_t>1 << 59:
        raise ValueError(f"shape {x.shape} has more elements than fit in memory")
    return count


cdef int set_extents(int64_t *extents, object values) except -1:
    for value in values:
        extents[0] = value
        extents += 1
    return 0


cdef int _require_type(int code, SyclQueue queue) except -1:
    if not is_supported(code, queue.ref.get()):
        raise ValueError(f"dtype {DTYPES[code]} is not supported by {queue.sycl_device!r}: the "
                         f"device lacks the aspect fp{16 if code == F2 else 64}")
    return 0


cdef int finish(usm_ndarray x, char *data, bint writable) except -1:
    """Set the data pointer, and the flags that follow from the extents."""
    # An index into an array without elements must not move the pointer out of the memory.
    x.data = data if _size(x) else x.allocation.pointer
    x.bits = contiguity(x.rank, x.extents, x.extents + x.rank) | (WRITABLE if writable else 0)
    return 0


cdef int require_writable(usm_ndarray x, str function, str argument) except -1:
    if not x.bits & WRITABLE:
        raise ValueError(f"{function}: {argument} is read-only")
    return 0


cdef object extents_tuple(int n, const int64_t *values):
    cdef int i
    if n == 1:
        return (values[0],)
    if n == 2:
        return (values[0], values[1])
    return tuple([values[i] for i in range(n)])


cdef usm_ndarray from_interface(object obj, str function, bint may_copy=True):
    """Return a view of an object's __sycl_usm_array_interface__, or None if it has none.

    If the interface has no "data", a host buffer is copied.
    """
    cdef Interface view = read_interface(obj, function)
    cdef _Memory memory
    cdef usm_ndarray x
    if view is None:
        return None
    if view.kind == UsmKind.unknown and view.nbytes and not may_copy:
        raise ValueError(f"{function}: the buffer of a {type(obj).__name__} is not USM of the "
                         "context, and copy=False does not allow a copy")
    _require_alignment(view.pointer, view.code, function, "__sycl_usm_array_interface__ gives")
    memory = memory_of(view)
    x = new_array(memory, view.queue, view.code, view.extents.size() // 2)
    memcpy(x.extents, view.extents.data(), 2 * x.rank * sizeof(int64_t))
    finish(x, memory.pointer + (view.pointer - view.begin), not view.readonly)
    return x


cdef usm_ndarray require_array(object x, str function, str argument="x"):
    cdef usm_ndarray array
    if isinstance(x, usm_ndarray):
        return <usm_ndarray>x
    array = from_interface(x, function)
    if array is None:
        raise wrong_type(x, function, argument,
                         "usm_ndarray or an object with __sycl_usm_array_interface__")
    return array


cdef int _require_alignment(const char *pointer, int code, str function, str source) except -1:
    if <size_t>pointer % alignments[code]:
        raise ValueError(f"{function}: {source} address {<size_t>pointer:#x}; expected a multiple "
                         f"of {alignments[code]} for {DTYPES[code]} elements")
    return 0


cdef object ndarray_over(void *data, int code, int rank, const int64_t *extents,
                         const int64_t *strides, bint writable):
    """Return a NumPy array of at most 64 dimensions. It allocates memory if data is NULL."""
    cdef np.npy_intp[64] steps
    cdef int axis
    for axis in range(min(rank, 64)):
        steps[axis] = strides[axis] * itemsizes[code]
    return np.PyArray_New(np.ndarray, rank, <np.npy_intp *>extents,
                          (<np.dtype>DTYPES[code]).type_num, steps, data, 0,
                          np.NPY_ARRAY_WRITEABLE if writable and data != NULL else 0, None)


cdef object element(usm_ndarray x):
    """Return the only element as a Python scalar; waits."""
    cdef char[16] value
    if x.count() != 1:
        raise ValueError(f"an array of shape {x.shape} is not one element: only arrays of size 1 "
                         "convert to a Python scalar")
    copy_element(x.queue.ref, dereference(x.allocation), value, x.data, itemsizes[x.code])
    return to_python(value, x.code)


cdef bint is_same_view(usm_ndarray x, usm_ndarray y) noexcept:
    """Return True for two views of the same elements. `x[key] += 1` assigns such a view."""
    return (x.data == y.data and x.code == y.code and x.queue is y.queue
            and same_shape(x, y.rank, y.extents)
            and memcmp(x.strides_(), y.strides_(), x.rank * sizeof(int64_t)) == 0)


cdef bint is_element_like(usm_ndarray x, usm_ndarray y) noexcept:
    """Return True if x is a 0-D array of the type and queue of y."""
    return x.rank == 0 and x.code == y.code and x.queue is y.queue


cdef char *address_of(usm_ndarray x, object key) except? NULL:
    """Return the address of the element for a key of Python integers, one per axis.

    NULL if the key has anything else or is out of range.
    """
    cdef tuple keys = <tuple>key if type(key) is tuple else (key,)
    cdef char *address = x.data
    cdef int axis, overflow = 0
    cdef int64_t i
    if len(keys) != x.rank:
        return NULL
    for axis in range(x.rank):
        if type(keys[axis]) is not int:
            return NULL
        i = PyLong_AsLongLongAndOverflow(keys[axis], &overflow)
        if i < 0:
            i += x.extents[axis]
        if overflow or not 0 <= i < x.extents[axis]:
            return NULL
        address += i * x.strides_()[axis] * itemsizes[x.code]
    return address


cdef object _real_element(usm_ndarray x, str function):
    if x.code >= C8:
        raise TypeError(f"{function}: the array is of {x.dtype}; expected a real array (`real` "
                        "gives the real parts)")
    return element(x)


@cython.no_gc_clear  # a buffer of the array may live longer
cdef class usm_ndarray(Operators):
    """usm_ndarray(shape, dtype=None, strides=None, buffer="device", offset=0, order="C", \
buffer_ctor_kwargs={}, array_namespace=None)\n--\n

    N-dimensional array: a strided view of USM memory.

    Parameters
    ----------
    shape : int or sequence of int
    dtype : data type, optional
        Default: the device's default floating point type.
    strides : sequence of int, optional
        In elements. Strides may be negative or zero. Default: compact, in the memory order `order`.
    buffer : {"device", "shared", "host"}, memory object, array or object with \
`__sycl_usm_array_interface__`
        A USM kind allocates memory for the shape and strides. Other objects are viewed without a
        copy; for an array its `usm_data` is viewed.
    offset : int
        The distance of the element with all-zero indices from the start of the memory, in elements.
        It is ignored if `buffer` is a USM kind, because then it follows from the strides.
    order : {"C", "F"}
        The memory order of the axes, if `strides` are not given.
    buffer_ctor_kwargs : dict
        `queue` and `alignment` of a new allocation.
    array_namespace : module, optional
        Accepted for compatibility; the namespace is usmtensor.

    Raises
    ------
    ValueError
        If an element would be outside the memory, or the order, the kind or the byte order is not
        valid.
    TypeError
        If the shape, the strides or the dtype has a wrong type.
    USMAllocationError
        If the device does not have enough memory.

    Notes
    -----
    Compatible with dpctl.tensor.usm_ndarray.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.usm_ndarray((2, 3), dtype="float32")  # elements are not set
    >>> x[...] = 1
    >>> x.shape, x.dtype, x.usm_type
    ((2, 3), dtype('float32'), 'device')
    >>> y = usm.usm_ndarray(3, dtype="float32", buffer=x.usm_data, offset=3)  # the second row
    >>> y[0] = 5
    >>> x
    usm_ndarray([[1., 1., 1.],
                 [5., 1., 1.]], dtype=float32)
    """

    __array_priority__ = 100  # above NumPy's 0, because dask and SciPy choose functions by it
    # How C libraries exchange arrays (DLPack 1.3).
    __dlpack_c_exchange_api__ = PyCapsule_New(&exchange_api, "dlpack_exchange_api", NULL)

    def __cinit__(self):
        self.extents = self.inline_extents

    def __init__(self, shape, dtype=None, strides=None, buffer="device", offset=0, order="C",
                 buffer_ctor_kwargs=None, array_namespace=None):
        if self.allocation != NULL:  # __new__ has initialised it
            return
        cdef str function = "usm_ndarray"
        cdef int ndim
        cdef int64_t count, low = 0, high = 0, nbytes
        cdef bint writable = True
        cdef usm_ndarray base
        cdef Interface interface
        shape = shape_tuple(shape, function)
        if order not in ("C", "F", "c", "f"):
            raise wrong_value(order, function, "order", "'C' or 'F'")
        ndim = len(shape)
        _reserve(self, ndim)
        set_extents(self.extents, shape)
        count = _size(self)
        if strides is None:
            compact_strides(ndim, self.extents, ord(order.upper()), self.extents + ndim)
        else:
            set_extents(self.extents + ndim, strides_tuple(strides, ndim, function))
        if (not element_extent(ndim, self.extents, self.extents + ndim, low, high)
                or high - low > 2 ** 59):
            raise ValueError(f"{function}: the extent of shape {shape} and strides {strides} is "
                             "more than fits in memory")
        first = integer(offset, function, "offset")
        if isinstance(buffer, bytes):
            buffer = buffer.decode("ascii", "replace")
        if isinstance(buffer, str):
            kind = kind_of_word(buffer, function)
            self.queue, alignment = allocation_keywords(buffer_ctor_kwargs, function)
        elif isinstance(buffer, usm_ndarray):
            base = buffer
            writable = base.bits & WRITABLE
            self.queue, self.memory = base.queue, base.memory_object()
        elif isinstance(buffer, _Memory):
            self.memory = buffer
            self.queue = self.memory.sycl_queue
        else:
            interface = read_interface(buffer, function)
            if interface is None:
                raise ValueError(
                    f"{function}: buffer is of type {type(buffer).__name__}; expected 'device', "
                    "'shared', 'host', a memory object, an array or an object with "
                    "__sycl_usm_array_interface__")
            writable = not interface.readonly
            self.queue, self.memory = interface.queue, memory_of(interface)
        self.code = code_or_default(dtype, self.queue.ref.get(), function)
        if self.memory is None:
            _require_type(self.code, self.queue)
            nbytes = (high - low + 1) * itemsizes[self.code] if count else 0
            self.memory = new_memory(self.queue, kind, nbytes, alignment)
            first = -low
        else:
            size = self.memory.size
            _require_alignment(self.memory.pointer, self.code, function, "buffer is at")
            if count == 0:  # the pointer stays within the memory although no element is accessed
                first = min(max(first, 0), size // itemsizes[self.code])
            elif not (0 <= first + low and (first + high + 1) * itemsizes[self.code] <= size):
                raise ValueError(
                    f"{function}: shape {shape}, strides {self.strides} and offset "
                    f"{short_repr(first)} of {DTYPES[self.code]} elements leave the {size} bytes "
                    "of buffer")
        self.allocation = self.memory.ref.get()
        finish(self, self.memory.pointer + <int64_t>first * itemsizes[self.code], writable)

    cdef int attach(self, _Memory memory) except -1:
        """Set the memory of a new array."""
        self.memory = memory
        self.allocation = memory.ref.get()
        self.track()
        return 0

    cdef void track(self) noexcept:
        # Arrays that cannot be part of a reference cycle stay untracked. Otherwise garbage
        # collections would visit each of many small arrays, which can take longer than their work.
        if type(self.queue) is not SyclQueue or not (self.memory is None or self.memory.is_plain):
            PyObject_GC_Track(<PyObject *>self)

    cdef _Memory memory_object(self):
        """Return the memory object. The first call makes it and moves the handle into it."""
        cdef _Memory made
        if self.memory is None:
            made = memory_of_kind(self.allocation.kind)
            if self.memory is None:  # a finalizer may have made it meanwhile
                made.ref.swap(self.handle)
                made.describe(self.queue)
                made.is_plain = type(self.queue) is SyclQueue
                self.memory = made
        return self.memory

    cdef void _take_extents(self, usm_ndarray other) noexcept:
        """Take over the extents of another new array."""
        memcpy(self.inline_extents, other.inline_extents, sizeof(self.inline_extents))
        self.many_extents.swap(other.many_extents)
        self.extents, other.extents = self.inline_extents, other.inline_extents
        if not self.many_extents.empty():
            self.extents = self.many_extents.data()
        self.rank, self.bits = other.rank, other.bits

    cdef int64_t *strides_(self) noexcept:
        return self.extents + self.rank

    cdef View view(self) noexcept:
        return View(self.data, <DType>self.code, self.rank, self.extents,
                    self.extents + self.rank, self.allocation)

    # Attributes

    @property
    def shape(self) -> tuple[int, ...]:
        """tuple of int: The extents."""
        return extents_tuple(self.rank, self.extents)

    @shape.setter
    def shape(self, value):
        raise AttributeError("shape cannot be set: write x = usmtensor.reshape(x, shape), which "
                             "gives a view if the strides allow one")

    @property
    def strides(self) -> tuple[int, ...]:
        """tuple of int: The step along each axis, in elements."""
        return extents_tuple(self.rank, self.extents + self.rank)

    @property
    def ndim(self) -> int:
        """int: The number of axes."""
        return self.rank

    @property
    def size(self) -> int:
        """int: The number of elements."""
        return self.count()

    @property
    def itemsize(self) -> int:
        """int: The size of an element in bytes."""
        return itemsizes[self.code]

    @property
    def nbytes(self) -> int:
        """int: The size of all elements in bytes."""
        return self.count() * itemsizes[self.code]

    @property
    def dtype(self) -> np.dtype[Any]:
        """numpy.dtype: The type of the elements."""
        return <object>DTYPES[self.code]

    @property
    def usm_data(self) -> Memory:
        """MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost: The memory that the array views."""
        return self.memory_object()

    @property
    def usm_type(self) -> USMType:
        """str: "device", "shared" or "host"."""
        return kind_name(self.allocation.kind)

    @property
    def flags(self) -> Flags:
        """Flags: Contiguity and writability."""
        return Flags(self, self.bits)

    def _set_writable(self, bint writable):
        self.bits = (self.bits & ~WRITABLE) | (WRITABLE if writable else 0)

    @property
    def sycl_queue(self) -> SyclQueue:
        """SyclQueue: The queue that operations on the array use."""
        return self.queue

    @property
    def sycl_device(self) -> SyclDevice:
        """SyclDevice: The device of the queue."""
        return self.sycl_queue.sycl_device

    @property
    def sycl_context(self) -> SyclContext:
        """SyclContext: The context that the memory is bound to."""
        return self.sycl_queue.sycl_context

    @property
    def device(self) -> Device:
        """Device: The location of the array, for `device=` keywords (array API)."""
        return _device.of_queue(self.queue)

    @property
    def _pointer(self) -> int:
        """int: The address of the element with all-zero indices."""
        escape(dereference(self.allocation))
        return <size_t>self.data

    @property
    def _element_offset(self) -> int:
        """int: The distance of that element from the start of the memory, in elements."""
        return (self.data - self.allocation.pointer) // itemsizes[self.code]

    @property
    def _byte_bounds(self) -> tuple[int, ...]:
        """tuple of int: The first address of the elements, and the address after the last one."""
        cdef int64_t low = 0, high = 0
        element_extent(self.rank, self.extents, self.strides_(), low, high)
        if self.count() == 0:
            high = -1
        return (<size_t>(self.data + low * itemsizes[self.code]),
                <size_t>(self.data + (high + 1) * itemsizes[self.code]))

    @property
    def T(self) -> usm_ndarray:
        """usm_ndarray: The axes in reverse order, as in NumPy."""
        if self.rank == 2:
            return above.swap_axes(self, 0, 1)
        return bodies.permute_dims(self, tuple(range(self.rank)[::-1]))

    @property
    def mT(self) -> usm_ndarray:
        """usm_ndarray: A view with the last two axes swapped (array API)."""
        if self.rank < 2:
            raise ValueError(f"mT: the array has {self.rank} dimensions; expected 2 or more")
        return above.swap_axes(self, self.rank - 2, self.rank - 1)

    cdef usm_ndarray _part(self, int which):
        """Return a view of the real (0) or imaginary (1) parts of a complex array."""
        cdef int code = F4 if self.code == C8 else F8, axis
        cdef usm_ndarray y = new_array(self.memory_object(), self.queue, code, self.rank)
        for axis in range(self.rank):
            y.extents[axis] = self.extents[axis]
            y.extents[self.rank + axis] = 2 * self.extents[self.rank + axis]
        finish(y, self.data + which * itemsizes[code], self.bits & WRITABLE)
        return y

    @property
    def real(self) -> usm_ndarray:
        """usm_ndarray: A view of the real parts; the array itself if it is real."""
        return self._part(0) if self.code >= C8 else self

    @real.setter
    def real(self, value: Values) -> None:
        self.real[...] = value

    @property
    def imag(self) -> usm_ndarray:
        """usm_ndarray: A view of the imaginary parts; read-only zeros if the array is real."""
        if self.code >= C8:
            return self._part(1)
        zeros = bodies.zeros_like(self)
        zeros._set_writable(False)
        return zeros

    @imag.setter
    def imag(self, value: Values) -> None:
        self.imag[...] = value

    # Indexing

    def __getitem__(self, key):
        cdef usm_ndarray y = above.basic_view(self, key)
        return y if y is not None else bodies.selected(self, key)

    def __setitem__(self, key, value):
        cdef usm_ndarray y
        cdef char *address
        cdef char[16] element
        require_writable(self, "__setitem__", "the array")
        if isinstance(value, (float, int, np.generic)):
            address = address_of(self, key)
            if address != NULL:
                from_python(value, self.code, element, "__setitem__")
                copy_element(self.queue.ref, dereference(self.allocation), address, element,
                             itemsizes[self.code])
                return
        if isinstance(value, usm_ndarray) and is_element_like(<usm_ndarray>value, self):
            y = <usm_ndarray>value
            address = address_of(self, key)
            if address == y.data or address != NULL and copy_element_here(
                    self.queue.ref.get()[0], dereference(y.allocation), y.data,
                    dereference(self.allocation), address, itemsizes[self.code]):
                return
        y = self if key is Ellipsis else above.basic_view(self, key)
        if y is not None:
            if not isinstance(value, usm_ndarray) or not is_same_view(y, <usm_ndarray>value):
                above.assign(y, value)
        else:
            bodies.set_selected(self, key, value)

    def __delitem__(self, key):
        raise ValueError("elements of an array cannot be deleted")

    def __len__(self):
        if self.rank == 0:
            raise TypeError("len() of a 0-D array")
        return self.extents[0]

    def __dir__(self):
        return [name for name in object.__dir__(self) if re.match("[^_]|__(?!pyx)", name)]

    def __iter__(self):
        if self.rank == 0:
            raise TypeError("iteration over a 0-D array")
        return _iterate(self, self.extents[0])

    def __contains__(self, value):
        found = self == value
        return bool(bodies.namespace.any(found) if isinstance(found, usm_ndarray) else found)

    # Scalars

    def __bool__(self):
        if self.count() != 1:
            raise ValueError(f"an array of shape {self.shape} is neither true nor false: write "
                             "usmtensor.any(x) or usmtensor.all(x), and x & y for `x and y`")
        return bool(element(self))

    def __int__(self):
        return int(_real_element(self, "int"))

    def __float__(self):
        return float(_real_element(self, "float"))

    def __complex__(self):
        return complex(element(self))

    def __round__(self, ndigits=None):
        return round(_real_element(self, "round"), ndigits)

    def __index__(self):
        if not 1 <= self.code <= U8 or self.count() != 1:
            raise TypeError(f"an array of {self.dtype} and shape {self.shape} is not an integer")
        return element(self)

    def item(self, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> PythonScalar:
        """Return one element as a Python scalar; waits.

        Parameters
        ----------
        *args : int or tuple of int
            No argument returns the only element. One integer is an index into the elements in C
            order. Several integers are an index for each axis.

        Returns
        -------
        bool, int, float or complex

        Raises
        ------
        ValueError
            If there is no index and the array has not one element, or the number of indices is
            wrong.
        IndexError
            If an index is out of range.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.asarray([[1, 2], [3, 4]]).item(1, 0)
        3
        """
        if len(args) == 1 and isinstance(args[0], tuple):
            args = args[0]
        if not args:
            return element(self)
        if len(args) == 1 and self.rank != 1:
            flat = integer(args[0], "item", "the index")
            if not -self.count() <= flat < self.count():
                raise IndexError(f"item: index {short_repr(flat)} is out of bounds for size "
                                 f"{self.count()}")
            args = numpy.unravel_index(flat % self.count(), self.shape)
        if len(args) != self.rank:
            raise ValueError(f"item: {len(args)} indices for an array of {self.rank} dimensions")
        indices = tuple([integer(arg, "item", "an index") for arg in args])
        return element(above.basic_view(self, indices))

    def tolist(self) -> Any:
        """Return the elements as nested lists of Python scalars; waits.

        Returns
        -------
        list, or a scalar for a 0-D array

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.asarray([[1, 2], [3, 4]]).tolist()
        [[1, 2], [3, 4]]
        """
        return bodies.asnumpy(self).tolist()

    def __format__(self, str spec):
        if self.rank == 0:
            return format(element(self), spec)
        return object.__format__(self, spec)

    def __repr__(self):
        return bodies.repr(self)

    def __str__(self):
        if self.rank == 0:  # as NumPy's scalar, whatever the print options
            return str(self.dtype.type(element(self)))
        return bodies.str(self)

    # Copies

    def to_device(self, device: DeviceLike, /, *, stream: Any = None) -> usm_ndarray:
        """Return the array on another device or queue.

        Parameters
        ----------
        device : Device, SyclQueue, SyclDevice or filter selector string
        stream : SyclQueue, optional
            The array is read after the pending work of this queue.

        Returns
        -------
        usm_ndarray
            A view on the other queue within one context, otherwise a copy.

        Raises
        ------
        SyclDeviceCreationError
            If no device matches.

        Examples
        --------
        >>> import usmtensor as usm
        >>> x = usm.ones(3)
        >>> queue = usm.SyclQueue()
        >>> x.to_device(queue).sycl_queue == queue
        True
        """
        return bodies.to_device(self, device, stream)

    def __copy__(self):
        return bodies.duplicate(self, None)

    def __deepcopy__(self, memo):
        return bodies.duplicate(self, memo)

    def __reduce__(self):
        arguments = (bodies.asnumpy(self), self.usm_type, bool(self.bits & WRITABLE))
        if type(self) is not usm_ndarray:
            arguments += (type(self),)
        return bodies.unpickle, arguments, getattr(self, "__dict__", None)

    # Exchange

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        """dict: The view in USM, as the SYCL USM array interface describes it, version 1."""
        self.memory_object().hand_over()
        return interface_of(self.data, not self.bits & WRITABLE, self.shape, self.strides,
                            _TYPESTRS[self.code], self.queue)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """Return the array as a DLPack capsule for another library.

        Parameters
        ----------
        stream : SyclQueue, int, object with `_get_capsule`, optional
            The consumer's queue or its address. Commands that are submitted to it later run after
            the work on the array. None waits for that work. -1 does neither.
        max_version : tuple of int, optional
            The consumer's (major, minor). Without it, the capsule has the older format.
        dl_device : tuple of int, optional
            ``(DLDeviceType.kDLCPU, 0)`` is the host, without a copy if the host can access the
            memory. ``(DLDeviceType.kDLOneAPI, i)`` is the i-th device.
        copy : bool, optional
            True always copies, False never copies, None copies if needed.

        Returns
        -------
        capsule
            Named "dltensor_versioned" or "dltensor".

        Raises
        ------
        BufferError
            If the memory is not in its platform's default context, the device is not one of these,
            a copy is needed but not allowed, or the array is read-only and `max_version` is not
            given.

        Notes
        -----
        While the consumer of a capsule for the host exists, operations on the memory are complete
        when they return. Source: array API 2025.12, `__dlpack__`.
        """
        return bodies.to_dlpack(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self):
        """Return (DLDeviceType.kDLOneAPI, index of the memory's device in `get_devices()`).

        Raises BufferError if `__dlpack__` cannot export the array.
        """
        return bodies.dlpack_device(self)

    def __array_namespace__(self, *, api_version=None):
        """Return the module that implements the array API for this array.

        Parameters
        ----------
        api_version : str, optional
            A version of the standard, "2021.12" to "2025.12".

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.ones(3).__array_namespace__() is usm
        True
        """
        if api_version is not None:
            one_of(api_version, _API_VERSIONS, "__array_namespace__", "api_version")
        return bodies.namespace

    def __array__(self, dtype=None, *, copy=None):
        """Return an ndarray view of shared or host memory. Raise for device memory.

        A 0-D array of device memory converts to a copy, as it does to a Python number.
        """
        if self.rank == 0 and self.allocation.kind == UsmKind.device and copy is not False:
            value = numpy.asarray(self.dtype.type(element(self)))
            return value if dtype is None else value.astype(dtype, copy=False)
        self._require_host_kind(TypeError)
        return numpy.array(memoryview(self), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        """Apply the usmtensor function that has the ufunc's name.

        Other ufuncs raise TypeError, because arrays are never silently copied to the host.
        """
        if not kwargs and method == "__call__":
            function = (<dict>bodies.simple_ufuncs).get(ufunc)
            if function is not None:
                return function(*inputs)
        return bodies.apply_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, func, types, args, kwargs):
        """Apply the usmtensor function for a NumPy function that is not a ufunc."""
        return bodies.apply_function(func, args, kwargs, self)

    def __getattr__(self, name):
        raise _hints.missing(f"{type(self).__name__!r} object", name, self, _hints.METHODS)

    def _require_host_kind(self, error):
        # This depends on the USM kind, not on the device, so that CPU programs also run on a GPU.
        if self.allocation.kind == UsmKind.device:
            raise error("an array of USM kind 'device' has no host view, as NumPy, pandas or "
                        "matplotlib need one: use usmtensor.asnumpy() of an array, and "
                        "usmtensor.asarray() of a list with arrays; some SciPy functions take "
                        "arrays if SCIPY_ARRAY_API=1 is set before SciPy is imported")

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        self._require_host_kind(BufferError)
        view = ndarray_over(self.data, self.code, self.rank, self.extents, self.strides_(),
                            self.bits & WRITABLE)
        try:
            PyObject_GetBuffer(view, buffer, flags)
        except ValueError as error:  # read-only, or not contiguous as the consumer requests
            raise BufferError(str(error)) from None
        Py_DECREF(None)  # the reference of buffer.obj by Cython, which NumPy has overwritten
        self.memory_object().open_view()
        Py_INCREF(view)  # owns the format, shape and strides of the buffer
        buffer.internal = <void *>view
        buffer.obj = self

    def __releasebuffer__(self, Py_buffer *buffer):
        Py_DECREF(<object>buffer.internal)
        self.memory_object().close_view()


reuse_objects(<PyTypeObject *>usm_ndarray)

cdef newfunc _make_room = (<PyTypeObject *>usm_ndarray).tp_new


cdef object _new(PyTypeObject *cls, PyObject *args, PyObject *keywords):
    """Implement `__new__` of arrays and of their subclasses.

    An object of a subclass is made last, so that user code, such as `__del__` after an error, never
    sees an array without memory.
    """
    cdef tuple nothing = ()  # a null pointer would crash
    cdef usm_ndarray y, x = _make_room(<PyTypeObject *>usm_ndarray, <PyObject *>nothing, NULL)
    (<PyTypeObject *>usm_ndarray).tp_init(x, args, keywords)
    if cls is <PyTypeObject *>usm_ndarray:
        x.track()
        return x
    y = _make_room(cls, <PyObject *>nothing, NULL)
    y._take_extents(x)
    y.code, y.data, y.allocation = x.code, x.data, x.allocation
    y.memory, y.queue = x.memory, x.queue
    return y


(<PyTypeObject *>usm_ndarray).tp_new = _new
(<PyTypeObject *>usm_ndarray).tp_vectorcall = NULL  # Cython's calls its own tp_new


cdef usm_ndarray of_class(usm_ndarray x, object cls):
    """Return the array as an object of a subclass, without calling its `__init__`."""
    if cls is usm_ndarray:
        return x
    return (<object>usm_ndarray).__new__(cls, x.shape, x.dtype, x.strides, x, x._element_offset)


def _iterate(usm_ndarray x, Py_ssize_t n):
    cdef Py_ssize_t i
    for i in range(n):
        yield _row(x, i)


cdef usm_ndarray _row(usm_ndarray x, Py_ssize_t i):
    cdef usm_ndarray y = above.entry(x, i)
    return above.basic_view(x, i) if y is None else y
