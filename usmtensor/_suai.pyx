"""`__sycl_usm_array_interface__`: reading the dictionary of another object."""

from usmtensor._dtypes cimport find_code
from usmtensor._native cimport DeviceRef, QueueRef, UsmKind, pointer_device, pointer_kind
from usmtensor._native_runtime cimport default_queue
from usmtensor._platform cimport SyclContext, is_capsule
from usmtensor._runtime cimport SyclQueue

import operator

import numpy

from usmtensor._errors import SyclError
from usmtensor._runtime import get_device_cached_queue


cdef SyclQueue queue_of(object syclobj, const void *pointer, str function):
    """The queue that a `syclobj` gives for a pointer."""
    cdef DeviceRef device
    cdef QueueRef ref
    if isinstance(syclobj, SyclQueue):
        return syclobj
    if isinstance(syclobj, str):
        try:
            return get_device_cached_queue(syclobj)
        except SyclError as error:
            raise _bad(function, "syclobj", syclobj, f"the filter string of a device ({error})"
                       ) from error
    if hasattr(syclobj, "_get_capsule") and not isinstance(syclobj, SyclContext):
        syclobj = syclobj._get_capsule()
    if is_capsule(syclobj, "SyclQueueRef"):
        return SyclQueue(syclobj)
    if is_capsule(syclobj, "SyclContextRef"):
        syclobj = SyclContext(syclobj)
    if not isinstance(syclobj, SyclContext):
        raise _bad(function, "syclobj", syclobj, "a filter selector string, a context, a queue, "
                   "their capsule or an object with _get_capsule()")
    device = pointer_device(pointer, (<SyclContext>syclobj).ref)
    with nogil:
        ref = default_queue((<SyclContext>syclobj).ref, device)
    return SyclQueue.wrap(ref)


cdef tuple _integers(object values, str key, str function):
    if isinstance(values, (str, bytes, dict)):
        raise _bad(function, key, values, "a tuple of integers")
    try:
        return tuple([operator.index(value) for value in values])
    except TypeError:
        raise _bad(function, key, values, "a tuple of integers") from None


cdef object _bad(str function, str key, object value, str expectation):
    return ValueError(f"{function}: __sycl_usm_array_interface__[{key!r}] is {value!r}; "
                      f"expected {expectation}")


cdef Interface read_interface(object obj, str function):
    """The interface of an object, every field checked; None if it has none.

    ValueError names the key and its value.
    """
    cdef Interface view
    interface = getattr(obj, "__sycl_usm_array_interface__", None)
    if interface is None:
        return None
    if not isinstance(interface, dict):
        raise ValueError(f"{function}: __sycl_usm_array_interface__ is {interface!r}; "
                         "expected a dict")

    view = Interface.__new__(Interface)
    view.owner = obj

    version = interface.get("version")
    if type(version) is not int or version != 1:
        raise _bad(function, "version", version, "1")

    data = interface.get("data")
    if not (isinstance(data, (tuple, list)) and len(data) == 2
            and isinstance(data[1], (bool, int))):
        raise _bad(function, "data", data, "a tuple (pointer, read-only flag)")
    try:
        address = operator.index(data[0])
    except TypeError:
        address = 0
    if not 0 < address < 2 ** 64:
        raise _bad(function, "data", data, "a USM pointer and a read-only flag")
    view.pointer = <char *><size_t>address
    # dpctl's memory objects mean "writable" by the flag; their memory always is.
    view.readonly = data[1] and not type(obj).__module__.startswith("dpctl.memory")

    view.shape = _integers(interface.get("shape", 0), "shape", function)
    if any([extent < 0 or extent >= 2 ** 63 for extent in view.shape]):
        raise _bad(function, "shape", view.shape, "no negative extent")

    typestr = interface.get("typestr")
    try:
        dtype = numpy.dtype(typestr) if isinstance(typestr, str) else None
    except TypeError:
        dtype = None
    view.code = find_code(dtype) if dtype is not None and dtype.isnative else -1
    if view.code < 0:
        raise _bad(function, "typestr", typestr,
                   "a native bool, integer, floating point or complex type string")

    strides = interface.get("strides")
    if strides is not None:
        strides = _integers(strides, "strides", function)
        if len(strides) != len(view.shape):
            raise _bad(function, "strides", strides, f"{len(view.shape)} integers")
        if any([not -2 ** 63 <= stride < 2 ** 63 for stride in strides]):
            raise _bad(function, "strides", strides, "strides of 64 bits")
    view.strides = strides

    offset = interface.get("offset")
    try:
        view.offset = 0 if offset is None else operator.index(offset)
    except TypeError:
        raise _bad(function, "offset", offset, "an integer") from None

    view.queue = queue_of(interface.get("syclobj"), view.pointer, function)
    view.kind = pointer_kind(view.pointer, view.queue.ref.get().context)
    if view.kind == UsmKind.unknown:
        raise _bad(function, "data", data, "a USM pointer of the context that 'syclobj' names")
    return view
