"""USM memory objects: untyped bytes of device, shared or host kind, and copies of them."""

cimport cython
from cpython.buffer cimport (
    PyBUF_ANY_CONTIGUOUS, PyBUF_WRITABLE, PyBuffer_FillInfo, PyBuffer_Release,
    PyObject_CheckBuffer, PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from cython.operator cimport dereference
from libcpp.vector cimport vector
from usmtensor._native.libtensor cimport (
    EventRef, OwnedMemory, PoolCounts, PoolStatistics, Release, UsmKind, adopt, allocate,
    allocate_pooled, close_host_view, copy_bytes, copy_with_host, drain, escape, open_host_view,
    pointer_kind, pool_statistics, python_release, release_memory, set_bytes, share_with,
    trim_pools,
)
from usmtensor._native.runtime cimport (
    Bytes, advise, number_info, prefetch as prefetch_bytes, transfer, transfer_async,
)
from usmtensor._runtime.arguments cimport (
    integer, is_true, kind_name, kind_of_word, refuse_mask, require, short_repr, wrong_type,
    wrong_value,
)
from usmtensor._runtime.array_interface cimport Interface, read_interface, syclobj_of
from usmtensor._runtime.platform cimport DeviceHandle, SyclContext, wrap_device
from usmtensor._runtime.queue cimport SyclQueue, dependencies, wrap_event

from usmtensor._runtime.device import normalize_queue
from usmtensor._runtime.errors import USMAllocationError
from usmtensor._runtime.queue import keep_until

__all__ = ["MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared", "USMAllocationError",
           "as_usm_memory", "free_bytes", "statistics", "trim"]

cdef extern from "Python.h":
    ctypedef object (*newfunc)(PyTypeObject *, PyObject *, PyObject *)
    ctypedef struct PyTypeObject:
        newfunc tp_new
        void *tp_vectorcall
        int (*tp_init)(object, PyObject *, PyObject *) except -1

    void PyObject_GC_Track(PyObject *)
    void PyObject_GC_UnTrack(PyObject *)


cdef _Memory memory_of_kind(UsmKind kind):
    """Return a memory object without an allocation."""
    if kind == UsmKind.device:
        return MemoryUSMDevice.__new__(MemoryUSMDevice)
    if kind == UsmKind.shared:
        return MemoryUSMShared.__new__(MemoryUSMShared)
    return MemoryUSMHost.__new__(MemoryUSMHost)


cdef _Memory new_memory(SyclQueue queue, UsmKind kind, size_t nbytes, size_t alignment=0):
    """Return a memory object with a new allocation."""
    cdef OwnedMemory ref  # allocated first, so that no code can see an object without memory
    cdef _Memory memory
    allocate_memory(ref, queue, kind, nbytes, alignment)
    memory = memory_of_kind(kind)
    memory.ref.swap(ref)
    memory.describe(queue)
    memory.is_plain = type(queue) is SyclQueue
    return memory


cdef int allocate_memory(OwnedMemory &ref, SyclQueue queue, UsmKind kind, size_t nbytes,
                         size_t alignment=0) except -1:
    # Only an allocation by the driver is slow enough to release the GIL.
    ref = allocate_pooled(queue.ref, kind, nbytes, alignment)
    if not ref:
        ref = allocate(queue.ref, kind, nbytes, alignment)
    return 0


cdef _Memory adopt_memory(SyclQueue queue, char *pointer, size_t nbytes, UsmKind kind,
                         Release release, object owner=None):
    """Return a memory object over foreign USM, which `release` frees.

    This takes the reference to `owner` that `release` drops.
    """
    cdef _Memory memory = memory_of_kind(kind)
    memory.ref = adopt(queue.ref, pointer, nbytes, kind, release)
    memory.describe(queue)
    if owner is not None:
        Py_INCREF(owner)
        memory.reference_obj = owner
    return memory


cdef _Memory memory_of(Interface view):
    """Return the memory that an interface describes, and keep its owner alive.

    Host buffers are copied.
    """
    cdef _Memory memory
    if view.kind == UsmKind.unknown:
        memory = new_memory(view.queue, UsmKind.device, view.nbytes)
        copy_with_host(view.queue.ref, dereference(memory.ref), memory.pointer, view.begin,
                       view.nbytes)
        return memory
    return adopt_memory(view.queue, view.begin, view.nbytes, view.kind, python_release(view.owner),
                        view.owner)


cdef dict interface_of(const char *pointer, bint readonly, tuple shape, object strides,
                       str typestr, SyclQueue queue):
    """Return a `__sycl_usm_array_interface__`, version 1."""
    return {"data": (<size_t>pointer, readonly), "shape": shape, "strides": strides,
            "typestr": typestr, "typedescr": [("", typestr)], "offset": 0, "version": 1,
            "syclobj": syclobj_of(queue)}


cdef class HostBuffer:
    def __dealloc__(self):
        PyBuffer_Release(&self.view)  # does nothing without a buffer


cdef HostBuffer host_buffer(object obj, bint writable, str function, str argument,
                            type refusal=None):
    """Return the buffer of an object. Its errors are raised as `refusal` if that is given."""
    cdef HostBuffer buffer = HostBuffer.__new__(HostBuffer)
    refuse_mask(obj, function)
    if not PyObject_CheckBuffer(obj):
        raise wrong_type(obj, function, argument, "an object with a contiguous buffer")
    try:
        PyObject_GetBuffer(obj, &buffer.view,
                           PyBUF_ANY_CONTIGUOUS | (PyBUF_WRITABLE if writable else 0))
    except (BufferError, ValueError) as error:
        need = "a writable contiguous" if writable else "a contiguous"
        raise (refusal or type(error))(f"{function}: {argument} needs {need} buffer: {error}"
                                       ) from None
    return buffer


@cython.freelist(64)
@cython.no_gc_clear  # a buffer or an array over the memory may live longer
cdef class _Memory:
    """_Memory(obj, *, alignment=0, queue=None, copy=False)\n--\n

    Base of the three memory classes."""

    cdef UsmKind kind(self):
        return self.ref.get().kind if self.ref.get() != NULL else UsmKind.unknown

    def __init__(self, obj, *, alignment=0, queue=None, copy=False):
        if self.ref:  # __new__ has initialised it
            return
        name = type(self).__name__
        cdef UsmKind kind = <UsmKind>(1 + <int>_CLASSES.index(type(self)))  # as `_new` made it
        cdef Interface view
        cdef _Memory other = None
        cdef bint copies = is_true(copy, "copy", name)
        nbytes = source = None
        if isinstance(obj, _Memory):
            other = obj
        else:
            nbytes = _nbytes(name, obj)
            view = read_interface(obj, name) if nbytes is None else None
            if view is not None:
                other = memory_of(view)
                copies |= view.kind == UsmKind.unknown  # a host buffer
        if other is not None and not copies:
            self._become(name, kind, other, queue)
            return
        if other is not None:
            nbytes = other.size
            queue = other.sycl_queue if queue is None else queue
        elif nbytes is None:
            if not PyObject_CheckBuffer(obj):
                raise ValueError(f"{name}: obj is of type {type(obj).__name__}; expected a number "
                                 "of bytes, a memory object, a buffer or an object with "
                                 "__sycl_usm_array_interface__")
            source = obj
            nbytes = memoryview(obj).nbytes
        own = normalize_queue(name, None, queue)
        allocate_memory(self.ref, own, kind, nbytes, _alignment(name, alignment))
        self.describe(own)
        if other is not None:
            self._copy_from(other, nbytes)
        elif source is not None:
            self.copy_from_host(source)

    def __dealloc__(self):
        if self.handle != NULL:
            with nogil:
                del self.handle
        # Freeing foreign memory may run Python code. Cython has saved a pending exception here, but
        # not in the destructor of the handle.
        release_memory(self.ref)

    cdef int _become(self, str function, UsmKind kind, _Memory other, object queue) except -1:
        """Make this object another view of an allocation, ordered with a new queue if given."""
        if other.kind() != kind:
            raise ValueError(f"{function}: obj is USM of kind '{kind_name(other.kind())}'; "
                             f"expected '{kind_name(kind)}', or copy=True")
        cdef SyclQueue own = other.sycl_queue
        if queue is not None:
            own = require(queue, SyclQueue, function, "queue")
            if own.sycl_context != other.sycl_context:
                raise ValueError(f"{function}: queue is of another context than obj; expected its "
                                 "context, or copy=True")
            share_with(own.ref, dereference(other.ref))
        self.ref = other.ref
        self.reference_obj = other.reference_obj
        return self.describe(own)

    cdef int describe(self, SyclQueue queue) except -1:
        """Set the fields that follow from the allocation."""
        self.pointer, self.size = self.ref.get().pointer, self.ref.get().nbytes
        self.sycl_queue = queue
        return 0

    cdef int hand_over(self) except -1:
        """Wait for work and mark the memory as exported, before its pointer leaves the library."""
        escape(dereference(self.ref))
        drain(dereference(self.ref))
        return 0

    cdef int open_view(self) except -1:
        """Begin a host access: until close_view(), operations wait for their commands."""
        open_host_view(dereference(self.ref))
        return 0

    cdef void close_view(self) noexcept:
        close_host_view(dereference(self.ref))

    def _copy_from(self, _Memory source, size_t nbytes):
        copy_bytes(dereference(source.ref), source.pointer,
                   dereference(self.ref), self.pointer, nbytes)

    @property
    def nbytes(self) -> int:
        """int: The size of the memory in bytes."""
        return self.size

    @property
    def _pointer(self) -> int:
        """int: The address of the first byte."""
        escape(dereference(self.ref))
        return <size_t>self.pointer

    @property
    def sycl_context(self) -> SyclContext:
        """SyclContext: The context of the memory."""
        return self.sycl_queue.sycl_context

    @property
    def sycl_device(self) -> SyclDevice:
        """SyclDevice: The device of the memory's queue."""
        return self.sycl_queue.sycl_device

    @property
    def _context(self) -> SyclContext:
        """SyclContext: `sycl_context`."""
        return self.sycl_context

    @property
    def _queue(self) -> SyclQueue:
        """SyclQueue: `sycl_queue`."""
        return self.sycl_queue

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]:
        """dict: The bytes as a 1-D array of type `|u1`; waits for pending work."""
        self.hand_over()
        return interface_of(self.pointer, False, (self.size,), None, "|u1", self.sycl_queue)

    def __len__(self):
        return self.size

    @property
    def size(self) -> int:
        """int: The size of the memory in bytes."""
        return self.size

    def __sizeof__(self):
        return object.__sizeof__(self) + self.size

    def __repr__(self):
        return (f"<{type(self).__name__}: {self.size} bytes of USM of kind "
                f"'{kind_name(self.kind())}' at {<size_t>self.pointer:#x} "
                f"on {self.sycl_queue.sycl_device.name}>")

    def __bytes__(self):
        return self.tobytes()

    def tobytes(self) -> bytes:
        """Return a copy of the memory as a bytes object.

        Returns
        -------
        bytes

        Examples
        --------
        >>> import usmtensor as usm
        >>> memory = usm.memory.MemoryUSMDevice(4)
        >>> memory.memset(65)
        >>> memory.tobytes()
        b'AAAA'
        """
        cdef bytes result = PyBytes_FromStringAndSize(NULL, self.size)
        copy_with_host(self.sycl_queue.ref, dereference(self.ref), PyBytes_AS_STRING(result),
                       self.pointer, self.size)
        return result

    def copy_to_host(self, obj: Buffer | None = None) -> Any:
        """Copy the memory into a host buffer.

        Parameters
        ----------
        obj : writable contiguous buffer of at least `nbytes` bytes, optional
            Default: a new bytearray.

        Returns
        -------
        The buffer.

        Raises
        ------
        ValueError
            If `obj` is not writable, not contiguous or too small.

        Examples
        --------
        >>> import usmtensor as usm
        >>> memory = usm.memory.MemoryUSMDevice(b"USM!")
        >>> memory.copy_to_host()
        bytearray(b'USM!')
        """
        cdef HostBuffer target
        if obj is None:
            obj = bytearray(self.size)
        target = host_buffer(obj, True, "copy_to_host", "obj", ValueError)
        if <size_t>target.view.len < self.size:
            raise ValueError(f"copy_to_host: obj has {target.view.len} bytes; expected "
                             f"{self.size} or more")
        copy_with_host(self.sycl_queue.ref, dereference(self.ref), target.view.buf, self.pointer,
                       self.size)
        return obj

    def copy_from_host(self, obj: Buffer) -> None:
        """Copy a host buffer into the first bytes of the memory.

        Parameters
        ----------
        obj : contiguous buffer of at most `nbytes` bytes

        Raises
        ------
        ValueError
            If `obj` is not contiguous or is larger than the memory.

        Examples
        --------
        >>> import usmtensor as usm
        >>> memory = usm.memory.MemoryUSMDevice(4)
        >>> memory.copy_from_host(b"USM!")
        >>> memory.tobytes()
        b'USM!'
        """
        cdef HostBuffer source = host_buffer(obj, False, "copy_from_host", "obj", ValueError)
        if <size_t>source.view.len > self.size:
            raise ValueError(f"copy_from_host: obj has {source.view.len} bytes; expected at most "
                             f"{self.size}")
        copy_with_host(self.sycl_queue.ref, dereference(self.ref), self.pointer, source.view.buf,
                       source.view.len)

    def copy_from_device(self, sycl_usm_ary: HasSUAI) -> None:
        """Copy USM of any context into the first bytes of the memory.

        Parameters
        ----------
        sycl_usm_ary : object with `__sycl_usm_array_interface__`
            The source, of at most `nbytes` bytes.

        Raises
        ------
        TypeError
            If the object has no such interface.
        ValueError
            If the source is larger than the memory.

        Examples
        --------
        >>> import usmtensor as usm
        >>> source = usm.memory.MemoryUSMShared(b"USM!")
        >>> memory = usm.memory.MemoryUSMDevice(4)
        >>> memory.copy_from_device(source)
        >>> memory.tobytes()
        b'USM!'
        """
        cdef _Memory source
        if isinstance(sycl_usm_ary, _Memory):
            source = sycl_usm_ary
        else:
            source = memory_of(_interface(sycl_usm_ary, "copy_from_device", "sycl_usm_ary"))
        if source.size > self.size:
            raise ValueError(f"copy_from_device: sycl_usm_ary has {source.size} bytes; "
                             f"expected at most {self.size}")
        self._copy_from(source, source.size)

    def memset(self, val: SupportsIndex = 0) -> None:
        """Set every byte.

        Parameters
        ----------
        val : int
            The byte, 0 to 255.

        Examples
        --------
        >>> import usmtensor as usm
        >>> memory = usm.memory.MemoryUSMDevice(3)
        >>> memory.memset(1)
        >>> list(memory.tobytes())
        [1, 1, 1]
        """
        byte = integer(val, "memset", "val")
        if not 0 <= byte < 256:
            raise wrong_value(byte, "memset", "val", "a byte, 0 to 255")
        set_bytes(dereference(self.ref), self.pointer, byte, self.size)

    def get_usm_type(
        self, syclobj: SyclContext | SyclQueue | CapsuleType | None = None
    ) -> Literal["device", "shared", "host", "unknown"]:
        """Return the USM kind of the memory.

        Parameters
        ----------
        syclobj : SyclContext or SyclQueue, optional
            If given, the driver is asked for the kind of the pointer in that context.

        Returns
        -------
        str
            "device", "shared", "host" or "unknown".

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.memory.MemoryUSMHost(8).get_usm_type()
        'host'
        """
        return kind_name(self._kind_in(syclobj, "get_usm_type"))

    def get_usm_type_enum(
        self, syclobj: SyclContext | SyclQueue | CapsuleType | None = None
    ) -> Literal[0, 1, 2, 3]:
        """Return the USM kind of the memory as a number.

        Parameters
        ----------
        syclobj : SyclContext or SyclQueue, optional
            As in `get_usm_type`.

        Returns
        -------
        int
            1 device, 2 shared, 3 host, 0 unknown.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.memory.MemoryUSMHost(8).get_usm_type_enum()
        3
        """
        return <int>self._kind_in(syclobj, "get_usm_type_enum")

    cdef UsmKind _kind_in(self, object syclobj, str function) except *:
        if syclobj is None:
            return self.kind()
        if isinstance(syclobj, SyclContext):
            return pointer_kind(self.pointer, (<SyclContext>syclobj).ref)
        require(syclobj, SyclQueue, function, "syclobj", "SyclContext or SyclQueue")
        return pointer_kind(self.pointer, (<SyclQueue>syclobj).ref.get().context)

    def __reduce__(self):
        arguments = (self.get_usm_type(), self.tobytes())
        if type(self) not in _CLASSES:
            arguments += (type(self),)
        return _unpickle, arguments, getattr(self, "__dict__", None)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        if self.kind() == UsmKind.device:
            raise BufferError(f"{type(self).__name__} has no host buffer: use copy_to_host()")
        PyBuffer_FillInfo(buffer, self, self.pointer, self.size, False, flags)
        self.open_view()

    def __releasebuffer__(self, Py_buffer *buffer):
        self.close_view()


cdef class MemoryUSMDevice(_Memory):
    """MemoryUSMDevice(obj, *, alignment=0, queue=None, copy=False)

    USM of device kind, which the host accesses only by copies.

    <memory>

    Examples
    --------
    >>> import usmtensor as usm
    >>> memory = usm.memory.MemoryUSMDevice(1024)
    >>> memory.nbytes, memory.get_usm_type()
    (1024, 'device')
    >>> usm.memory.MemoryUSMDevice(b"USM!").tobytes()
    b'USM!'
    """


cdef class MemoryUSMShared(_Memory):
    """MemoryUSMShared(obj, *, alignment=0, queue=None, copy=False)

    USM of shared kind, which moves between host and device and has a host buffer.

    <memory>

    Examples
    --------
    >>> import usmtensor as usm
    >>> memory = usm.memory.MemoryUSMShared(b"USM!")
    >>> bytes(memoryview(memory))  # a buffer of the host, without a copy
    b'USM!'
    """


cdef class MemoryUSMHost(_Memory):
    """MemoryUSMHost(obj, *, alignment=0, queue=None, copy=False)

    USM of host kind: host memory that the device can access, with a host buffer.

    <memory>

    Examples
    --------
    >>> import usmtensor as usm
    >>> memory = usm.memory.MemoryUSMHost(b"USM!")
    >>> bytes(memoryview(memory))  # a buffer of the host, without a copy
    b'USM!'
    """


cdef newfunc _new_base = (<PyTypeObject *>_Memory).tp_new


cdef object _new(PyTypeObject *cls, PyObject *args, PyObject *keywords):
    """Implement `__new__` of memory objects and of their subclasses.

    User code never sees an object without memory, not even the `__del__` of a subclass after an
    error.
    """
    cdef tuple nothing = ()
    cdef _Memory x, y
    base = _base_of(<object>cls)
    x = _new_base(<PyTypeObject *>base, <PyObject *>nothing, NULL)
    PyObject_GC_UnTrack(<PyObject *>x)
    (<PyTypeObject *>_Memory).tp_init(x, args, keywords)
    if <object>cls is base:
        PyObject_GC_Track(<PyObject *>x)
        return x
    y = _new_base(cls, <PyObject *>nothing, NULL)
    y.ref.swap(x.ref)
    y.describe(x.sycl_queue)
    y.reference_obj = x.reference_obj
    return y


for _class in (_Memory, MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost):
    (<PyTypeObject *>_class).tp_new = _new
    (<PyTypeObject *>_class).tp_vectorcall = NULL  # Cython's calls its own tp_new


cdef tuple _CLASSES = (MemoryUSMDevice, MemoryUSMShared, MemoryUSMHost)  # by kind, from 1


cdef object _base_of(object cls):
    for base in _CLASSES:
        if issubclass(cls, base):
            return base
    raise TypeError("_Memory is abstract: use MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost")


cdef object _nbytes(str function, object obj):
    """Return a non-negative number of bytes, or None if obj is not an integer."""
    # An array of one integer is not a size.
    if isinstance(obj, bool) or hasattr(obj, "__sycl_usm_array_interface__") \
            or not hasattr(obj, "__index__"):
        return None
    try:
        nbytes = integer(obj, function, "obj")
    except TypeError:  # a NumPy array
        return None
    if nbytes < 0:
        raise wrong_value(nbytes, function, "obj", "a number of bytes, 0 or more")
    if nbytes >= 2 ** 63:
        raise USMAllocationError(f"{function}: cannot allocate {short_repr(nbytes)} bytes")
    return nbytes


cdef size_t _alignment(str function, object alignment) except? 1:
    value = integer(alignment, function, "alignment")
    if value < 0 or value & (value - 1):
        raise wrong_value(value, function, "alignment", "0 or a power of two")
    return value


cdef tuple allocation_keywords(object keywords, str function):
    """Return (queue, alignment) from buffer_ctor_kwargs."""
    keywords = {} if keywords is None else require(keywords, dict, function, "buffer_ctor_kwargs")
    unknown = set(keywords) - {"queue", "alignment"}
    if unknown:
        raise TypeError(f"{function}: buffer_ctor_kwargs has {sorted(map(str, unknown))}; expected "
                        "'queue' and 'alignment'")
    return (normalize_queue(function, None, keywords.get("queue")),
            _alignment(function, keywords.get("alignment", 0)))


cdef Interface _interface(object obj, str function, str argument):
    view = read_interface(obj, function)
    if view is None:
        raise wrong_type(obj, function, argument, "an object with __sycl_usm_array_interface__")
    return view


def _unpickle(kind, content, cls=None):
    """Return the memory in a pickle, on the default device."""
    if cls is None:
        cls = _CLASSES[<int>kind_of_word(kind, "pickle") - 1]
    memory = cls(len(content))
    if memory.get_usm_type() != kind:
        raise ValueError(f"pickled memory has kind {kind!r} and class {cls.__name__}")
    memory.copy_from_host(content)
    return memory


_unpickle.__module__ = "usmtensor.memory"


def as_usm_memory(obj):
    """Return the memory of an object's `__sycl_usm_array_interface__`, without a copy.

    Parameters
    ----------
    obj : memory object or object with `__sycl_usm_array_interface__`

    Returns
    -------
    MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost
        The class for the kind of the pointer. It keeps `obj` alive.

    Raises
    ------
    TypeError
        If the object has no such interface.
    ValueError
        If its interface is not valid.

    Notes
    -----
    Compatible with dpctl.memory.as_usm_memory.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.ones(4, dtype="float32")
    >>> memory = usm.memory.as_usm_memory(x)
    >>> memory.nbytes, memory.get_usm_type()
    (16, 'device')
    """
    cdef Interface view
    if isinstance(obj, _Memory):
        return obj
    view = _interface(obj, "as_usm_memory", "obj")
    if view.kind == UsmKind.unknown:
        raise ValueError("as_usm_memory: the interface of obj has no 'data', and its buffer is not "
                         "USM of the context; expected USM, which needs no copy")
    return memory_of(view)


def statistics():
    """Return memory counters of all devices in use so far.

    Returns
    -------
    dict
        For each `SyclDevice` and USM kind a dictionary of integers. ``live`` and ``peak`` are the
        current and the maximum number of bytes in use. ``pooled`` is the number of bytes of freed
        blocks in the pools. ``hits`` and ``misses`` are the numbers of allocations from a pool and
        from the driver. ``escaped`` is the number of freed blocks that the pools did not keep,
        because foreign code had their address.

    Notes
    -----
    The sizes of blocks are rounded up, by at most a quarter and to at least 64 bytes. Foreign
    memory is not counted.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.ones(1000)
    >>> usm.memory.statistics()[x.sycl_device]["device"]["live"] >= x.nbytes
    True
    """
    cdef vector[PoolStatistics] rows = pool_statistics()
    cdef size_t i
    result = {}
    for i in range(rows.size()):
        kinds = result.setdefault(wrap_device(rows[i].device), {})
        kinds[kind_name(rows[i].kind)] = (<PoolCounts *>&rows[i])[0]
    return result


def free_bytes(device=None):
    """Return the number of free bytes of a device, if it is known.

    Parameters
    ----------
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        Default: the default device.

    Returns
    -------
    int or None
        None if neither the driver nor the system reports the number.

    Notes
    -----
    For a GPU the driver reports the bytes that no process has allocated. For a CPU Linux reports
    the bytes that are available without swapping. Blocks in the pools are not free: `trim` returns
    them. Other processes may allocate the memory at any time.

    Examples
    --------
    >>> import usmtensor as usm
    >>> free = usm.memory.free_bytes()
    >>> free is None or free > 0
    True
    """
    cdef DeviceHandle handle = normalize_queue("free_bytes", device, None).sycl_device
    answer = number_info(handle.ref, b"free_memory")
    if answer.size():
        return answer[0]
    return _bytes_of_system() if handle._answer("is_cpu") else None


def _bytes_of_system():
    """Return the available host memory in bytes, or None if the system does not report it."""
    try:
        with open("/proc/meminfo") as lines:
            return next((int(line.split()[1]) << 10 for line in lines
                         if line.startswith("MemAvailable:")), None)
    except OSError:
        return None


def trim():
    """Return the blocks in the pools to the drivers.

    Returns
    -------
    int
        The number of bytes.

    Notes
    -----
    Waits for commands that use the blocks. The library calls this itself before it raises
    `USMAllocationError`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> del_bytes = usm.memory.trim()
    >>> del_bytes >= 0
    True
    """
    return trim_pools()


# The bodies of SyclQueue's methods for copies and memory hints


cdef class _Operand:
    """The source or destination of a copy: bytes that this object keeps alive."""

    cdef object owner
    cdef Bytes bytes
    cdef size_t nbytes


cdef bint _is_usm(object obj):
    return isinstance(obj, _Memory) or hasattr(obj, "__sycl_usm_array_interface__")


cdef _Operand _operand(SyclQueue queue, object obj, size_t nbytes, bint writable, str function,
                       str argument):
    """Return an operand that has at least `nbytes` bytes."""
    cdef _Operand operand = _Operand.__new__(_Operand)
    cdef HostBuffer buffer
    cdef _Memory memory
    if _is_usm(obj):
        memory = as_usm_memory(obj)
        if getattr(obj, "nbytes", memory.size) != memory.size:
            raise ValueError(f"{function}: {argument} is not contiguous")
        if memory.sycl_queue.sycl_context != queue.sycl_context:
            raise ValueError(f"{function}: {argument} is memory of another context than the "
                             "queue's")
        operand.owner = memory
        operand.bytes.pointer = memory.pointer
        operand.bytes.memory = memory.ref.get()
        operand.nbytes = memory.size
    else:
        buffer = host_buffer(obj, writable, function, argument)
        operand.owner = buffer
        operand.bytes.pointer = buffer.view.buf
        operand.bytes.memory = NULL
        operand.nbytes = buffer.view.len
    if nbytes > operand.nbytes:
        raise ValueError(f"{function}: {nbytes} bytes requested, but {argument} has only "
                         f"{operand.nbytes}")
    return operand


cdef size_t _byte_count(object nbytes, str function, str argument) except? 0:
    count = integer(nbytes, function, argument)
    if not 0 <= count < 2**63:
        raise wrong_value(count, function, argument, "a number of bytes")
    return count


def memcpy(SyclQueue queue, dst, src, nbytes):
    cdef size_t count = _byte_count(nbytes, "memcpy", "nbytes")
    cdef _Operand destination = _operand(queue, dst, count, True, "memcpy", "dst")
    cdef _Operand source = _operand(queue, src, count, False, "memcpy", "src")
    transfer(dereference(queue.ref), destination.bytes, source.bytes, count)


def memcpy_async(SyclQueue queue, dst, src, nbytes, events):
    cdef size_t count = _byte_count(nbytes, "memcpy_async", "nbytes")
    cdef _Operand destination = _operand(queue, dst, count, True, "memcpy_async", "dst")
    cdef _Operand source = _operand(queue, src, count, False, "memcpy_async", "src")
    cdef vector[EventRef] after = dependencies(queue, events, "memcpy_async", "dEvents")
    event = wrap_event(transfer_async(dereference(queue.ref), destination.bytes, source.bytes,
                                             count, after), queue)
    keep_until(event, (destination, source))
    return event


cdef _Operand _hint_operand(SyclQueue queue, object mem, object count, str function):
    """Return the memory for a hint, limited to `count` bytes; 0 means all bytes."""
    cdef size_t nbytes = _byte_count(count, function, "count")
    if not _is_usm(mem):
        raise wrong_type(mem, function, "mem", "USM memory")
    cdef _Operand operand = _operand(queue, mem, nbytes, False, function, "mem")
    if nbytes:
        operand.nbytes = nbytes
    return operand


def prefetch(SyclQueue queue, mem, count):
    cdef _Operand operand = _hint_operand(queue, mem, count, "prefetch")
    if operand.nbytes:
        prefetch_bytes(dereference(queue.ref), operand.bytes, operand.nbytes)


def mem_advise(SyclQueue queue, mem, count, advice):
    cdef _Operand operand = _hint_operand(queue, mem, count, "mem_advise")
    cdef int hint = integer(advice, "mem_advise", "advice")
    if operand.nbytes:
        advise(dereference(queue.ref), operand.bytes, operand.nbytes, hint)
