"""The bodies of SyclQueue's methods for copies and memory hints."""
from cython.operator cimport dereference as deref
from libcpp.vector cimport vector

cimport usmtensor._native.runtime as native
from usmtensor._native.libtensor cimport EventRef
from usmtensor._runtime.arguments cimport integer, wrong_type, wrong_value
from usmtensor._runtime.memory cimport HostBuffer, _Memory, host_buffer
from usmtensor._runtime.queue cimport SyclQueue, dependencies, wrap_event

from usmtensor._runtime.memory import as_usm_memory
from usmtensor._runtime.queue import keep_until


cdef class _Operand:
    """The source or destination of a copy: bytes that this object keeps alive."""

    cdef object owner
    cdef native.Bytes bytes
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
    native.transfer(deref(queue.ref), destination.bytes, source.bytes, count)


def memcpy_async(SyclQueue queue, dst, src, nbytes, events):
    cdef size_t count = _byte_count(nbytes, "memcpy_async", "nbytes")
    cdef _Operand destination = _operand(queue, dst, count, True, "memcpy_async", "dst")
    cdef _Operand source = _operand(queue, src, count, False, "memcpy_async", "src")
    cdef vector[EventRef] after = dependencies(queue, events, "memcpy_async", "dEvents")
    event = wrap_event(native.transfer_async(deref(queue.ref), destination.bytes, source.bytes,
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
        native.prefetch(deref(queue.ref), operand.bytes, operand.nbytes)


def mem_advise(SyclQueue queue, mem, count, advice):
    cdef _Operand operand = _hint_operand(queue, mem, count, "mem_advise")
    cdef int hint = integer(advice, "mem_advise", "advice")
    if operand.nbytes:
        native.advise(deref(queue.ref), operand.bytes, operand.nbytes, hint)
