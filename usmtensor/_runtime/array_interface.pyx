"""`__sycl_usm_array_interface__`: reading foreign dictionaries, and the queue in usmtensor's."""

cimport cython
from cpython.memoryview cimport PyMemoryView_GET_BUFFER
from libc.stdint cimport int64_t
from libcpp.vector cimport vector
from usmtensor._native.libtensor cimport (
    DeviceRef, UsmKind, compact_strides, element_count, element_extent, pointer_device,
    pointer_kind, within_allocation,
)
from usmtensor._native.runtime cimport context_devices, default_queue
from usmtensor._runtime.arguments cimport short_repr, wrong_value
from usmtensor._runtime.dtypes cimport DTYPES, find_code, itemsizes
from usmtensor._runtime.platform cimport SyclContext, is_capsule
from usmtensor._runtime.queue cimport SyclQueue

import operator
import sys

from usmtensor._runtime.errors import SyclError
from usmtensor._runtime.queue import get_device_cached_queue

cdef object syclobj_of(SyclQueue queue):
    """Return the `syclobj` for a queue.

    If the process uses oneDAL, this is dpctl's object for the queue, because oneDAL accepts no
    other class. Other processes get usmtensor's object: a consumer with a dpctl queue may submit
    commands that the library does not see, so each access to the array would have to wait for the
    queue.
    """
    if queue._syclobj is None:
        if "onedal" not in sys.modules or "dpctl" not in sys.modules:
            return queue
        made = sys.modules["dpctl"].SyclQueue(queue._get_capsule())
        with cython.critical_section(queue):
            if queue._syclobj is None:  # set only once, because other threads read it
                queue._syclobj = made
    return queue._syclobj


cdef SyclQueue _queue_of(object syclobj, const void *pointer, str function):
    """Return the queue that a `syclobj` means for a pointer."""
    cdef SyclQueue named = None
    cdef DeviceRef device
    cdef UsmKind kind
    if isinstance(syclobj, SyclQueue):
        return syclobj
    given = syclobj
    if isinstance(syclobj, str):  # names a context, any of whose devices may own the memory
        try:
            named = get_device_cached_queue(syclobj)
        except SyclError as error:
            raise _bad(function, "syclobj", syclobj, f"a filter string ({error})") from error
        syclobj = named.sycl_context
    if callable(getattr(syclobj, "_get_capsule", None)) and not isinstance(syclobj, SyclContext):
        syclobj = syclobj._get_capsule()
    if is_capsule(syclobj, "SyclQueueRef"):
        return SyclQueue(syclobj)
    if is_capsule(syclobj, "SyclContextRef"):
        syclobj = SyclContext(syclobj)
    if not isinstance(syclobj, SyclContext):
        raise _bad(function, "syclobj", given, "a filter selector string, a context, a queue, "
                   "their capsule or an object with _get_capsule()")
    kind = pointer_kind(pointer, (<SyclContext>syclobj).ref)
    if named is not None and (kind == UsmKind.unknown or kind == UsmKind.host):
        return named
    if kind == UsmKind.unknown:
        device = context_devices((<SyclContext>syclobj).ref)[0]
    else:
        device = pointer_device(pointer, (<SyclContext>syclobj).ref)
    return SyclQueue.wrap(default_queue((<SyclContext>syclobj).ref, device))


cdef object _bad(str function, str key, object value, str expectation):
    return wrong_value(value, function, f"__sycl_usm_array_interface__[{key!r}]", expectation)


cdef int _append(vector[int64_t] &extents, object values, str key, str function) except -1:
    """Append a tuple of integers to the extents."""
    if isinstance(values, (str, bytes, dict)):
        raise _bad(function, key, values, "a tuple of integers")
    try:
        for value in values:
            extents.push_back(operator.index(value) if type(value) is not int else value)
    except TypeError:
        raise _bad(function, key, values, "a tuple of integers") from None
    except OverflowError:
        raise _bad(function, key, values, "64-bit integers") from None
    return 0


# Dtype codes by type string, in native byte order. numpy.dtype would accept other text, even "\0".
cdef str _SWAPPED = ">" if sys.byteorder == "little" else "<"
cdef dict _BY_TYPESTR = {
    order + dtype.str[1:]: find_code(dtype)
    for dtype in DTYPES for order in ("", "|", "=", "<", ">")
    if order != _SWAPPED or dtype.itemsize == 1}


cdef int _typestr_code(object typestr, str function) except -1:
    code = _BY_TYPESTR.get(typestr) if isinstance(typestr, str) else None
    if code is None:
        raise _bad(function, "typestr", typestr,
                   "a native bool, integer, floating point or complex type string, as '<f4'")
    return code


cdef Interface read_interface(object obj, str function):
    """Return the interface of an object with all fields checked, or None if it has no interface.

    A ValueError names the key and its value. Without "data", the fields describe the object's
    buffer.
    """
    cdef Interface view
    cdef int64_t count = 0, low = 0, high = 0
    cdef int64_t size, length
    cdef int ndim
    cdef char *start
    cdef bint in_buffer
    interface = getattr(obj, "__sycl_usm_array_interface__", None)
    if interface is None:
        return None
    if not isinstance(interface, dict):
        raise wrong_value(interface, function, "__sycl_usm_array_interface__", "a dict")

    view = Interface.__new__(Interface)

    version = interface.get("version")
    if type(version) is not int or version != 1:
        raise _bad(function, "version", version, "1")

    view.code = _typestr_code(interface.get("typestr"), function)
    size = itemsizes[view.code]

    shape = interface.get("shape")
    _append(view.extents, shape, "shape", function)
    ndim = view.extents.size()
    for extent in view.extents:
        if extent < 0:
            raise _bad(function, "shape", shape, "no negative extent")
    if not element_count(ndim, view.extents.data(), count):
        raise _bad(function, "shape", shape, "a number of elements of 64 bits")

    strides = interface.get("strides")
    if strides is None:
        view.extents.resize(2 * ndim)
        compact_strides(ndim, view.extents.data(), b"C", view.extents.data() + ndim)
    else:
        _append(view.extents, strides, "strides", function)
        if view.extents.size() != <size_t>(2 * ndim):
            raise _bad(function, "strides", strides, f"{ndim} integers")
    if not element_extent(ndim, view.extents.data(), view.extents.data() + ndim, low, high):
        raise _bad(function, "strides", strides, "an extent of 64 bits")

    offset = interface.get("offset")
    try:
        offset = 0 if offset is None else operator.index(offset)
    except TypeError:
        raise _bad(function, "offset", offset, "an integer") from None
    if not -2 ** 57 <= offset <= 2 ** 57:
        raise _bad(function, "offset", offset, "an offset within memory")

    data = interface.get("data")
    in_buffer = "data" not in interface
    if in_buffer:
        address, length = _take_buffer(view, obj, function)
        if count and not (offset + low >= 0 and (offset + high + 1) * size <= length):
            raise _bad(function, "shape", shape, "one that stays with strides "
                       f"{short_repr(strides)} and offset {offset} in the {length} bytes of the "
                       "object's buffer")
        if not count:
            offset = 0
    else:
        address = _take_data(view, data, obj, function)
    if not -low * size < address + offset * size <= 2 ** 64 - 1 - (high + 1) * size:
        raise _bad(function, "offset", offset, "an offset within memory")
    start = <char *><size_t>address
    view.pointer = start + <int64_t>offset * size
    view.begin = view.pointer + low * size
    view.nbytes = (high - low + 1) * size if count else 0

    view.queue = _queue_of(interface.get("syclobj"), start, function)
    view.kind = pointer_kind(start, view.queue.ref.get().context)
    if in_buffer:
        return view
    if view.kind == UsmKind.unknown:
        raise _bad(function, "data", data, "a USM pointer of the context that 'syclobj' names")
    if not within_allocation(start, view.kind, view.begin, view.begin + view.nbytes,
                             view.queue.ref.get().context):
        raise _bad(function, "shape", shape, "one that stays with strides "
                   f"{short_repr(strides)} and offset {offset} in the allocation of data "
                   f"{short_repr(data)}")
    return view


cdef object _take_data(Interface view, object data, object obj, str function):
    """Return the address in the field "data"."""
    if not (isinstance(data, (tuple, list)) and len(data) == 2
            and isinstance(data[1], (bool, int))):
        raise _bad(function, "data", data, "a tuple (pointer, read-only flag)")
    try:
        address = operator.index(data[0])
    except TypeError:
        address = 0
    if not 0 < address < 2 ** 64:
        raise _bad(function, "data", data, "a USM pointer and a read-only flag")
    # In dpctl's memory objects the flag means "writable"; their memory is always writable.
    view.readonly = data[1] and not type(obj).__module__.startswith("dpctl.memory")
    view.owner = obj
    return address


cdef tuple _take_buffer(Interface view, object obj, str function):
    """Return the address and the size of the object's buffer."""
    try:
        buffer = memoryview(obj)
    except (TypeError, BufferError) as error:
        raise _bad(function, "data", None,
                   f"an address, or a buffer of the object ({error})") from None
    if not buffer.contiguous:
        raise _bad(function, "data", None, "an address, or a contiguous buffer")
    view.readonly = buffer.readonly
    view.owner = buffer
    return <size_t>PyMemoryView_GET_BUFFER(buffer).buf, buffer.nbytes
