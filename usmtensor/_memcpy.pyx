"""Copies and hints of a queue: the bodies of SyclQueue's methods."""
from cpython.buffer cimport (
    PyBUF_ANY_CONTIGUOUS, PyBUF_WRITABLE, PyBuffer_Release, PyObject_CheckBuffer,
    PyObject_GetBuffer,
)
from cython.operator cimport dereference as deref
from libcpp.vector cimport vector

cimport usmtensor._native_runtime as native
from usmtensor._memory cimport _Memory
from usmtensor._native cimport EventRef
from usmtensor._runtime cimport SyclQueue, dependencies, wrap_event

import operator

from usmtensor._memory import as_usm_memory
from usmtensor._runtime import keep_until


cdef class _Operand:
    """One side of a copy: bytes that stay where they are while this object lives."""

    cdef Py_buffer buffer
    cdef bint has_buffer
    cdef _Memory memory
    cdef native.Bytes bytes
    cdef size_t nbytes

    def __dealloc__(self):
        if self.has_buffer:
            PyBuffer_Release(&self.buffer)


cdef _Operand _operand(object obj, SyclQueue queue, bint writable, str function, str argument):
    cdef _Operand operand = _Operand.__new__(_Operand)
    if isinstance(obj, _Memory) or hasattr(obj, "__sycl_usm_array_interface__"):
        _take_usm(operand, obj, queue, function, argument)
    elif PyObject_CheckBuffer(obj):
        _take_buffer(operand, obj, writable, function, argument)
    else:
        raise TypeError(
            f"{function}: {argument} must be USM memory or have a contiguous buffer, "
            f"not {type(obj).__name__}"
        )
    return operand


cdef int _take_usm(_Operand operand, object obj, SyclQueue queue, str function,
                   str argument) except -1:
    cdef _Memory memory = as_usm_memory(obj)
    if getattr(obj, "nbytes", memory.size) != memory.size:
        raise ValueError(f"{function}: {argument} is not contiguous")
    if memory.sycl_queue.sycl_context != queue.sycl_context:
        raise ValueError(f"{function}: {argument} is memory of another context than the queue's")
    operand.memory = memory
    operand.bytes.pointer = memory.pointer
    operand.bytes.memory = memory.ref.get()
    operand.nbytes = memory.size
    return 0


cdef int _take_buffer(_Operand operand, object obj, bint writable, str function,
                      str argument) except -1:
    cdef int flags = PyBUF_ANY_CONTIGUOUS
    if writable:
        flags |= PyBUF_WRITABLE
    try:
        PyObject_GetBuffer(obj, &operand.buffer, flags)
    except (BufferError, ValueError) as error:
        need = "a writable contiguous" if writable else "a contiguous"
        raise type(error)(f"{function}: {argument} needs {need} buffer: {error}") from None
    operand.has_buffer = True
    operand.bytes.pointer = operand.buffer.buf
    operand.bytes.memory = NULL
    operand.nbytes = operand.buffer.len
    return 0


cdef size_t _byte_count(object nbytes, str function, str argument) except? 0:
    try:
        count = operator.index(nbytes)
    except TypeError:
        raise TypeError(
            f"{function}: {argument} must be an int, not {type(nbytes).__name__}"
        ) from None
    if not 0 <= count < 2**63:
        raise ValueError(f"{function}: {argument} is {count}, expected a number of bytes")
    return count


cdef int _check_size(_Operand operand, size_t nbytes, str function, str argument) except -1:
    if nbytes > operand.nbytes:
        raise ValueError(
            f"{function}: {nbytes} bytes asked for, but {argument} has only {operand.nbytes}"
        )
    return 0


def memcpy(SyclQueue queue, dst, src, nbytes):
    cdef _Operand destination = _operand(dst, queue, True, "memcpy", "dst")
    cdef _Operand source = _operand(src, queue, False, "memcpy", "src")
    cdef size_t count = _byte_count(nbytes, "memcpy", "nbytes")
    _check_size(destination, count, "memcpy", "dst")
    _check_size(source, count, "memcpy", "src")
    with nogil:
        native.transfer(deref(queue.ref), destination.bytes, source.bytes, count)


def memcpy_async(SyclQueue queue, dst, src, nbytes, events):
    cdef _Operand destination = _operand(dst, queue, True, "memcpy_async", "dst")
    cdef _Operand source = _operand(src, queue, False, "memcpy_async", "src")
    cdef size_t count = _byte_count(nbytes, "memcpy_async", "nbytes")
    cdef vector[EventRef] after
    cdef EventRef done
    _check_size(destination, count, "memcpy_async", "dst")
    _check_size(source, count, "memcpy_async", "src")
    after = dependencies(queue, events, "memcpy_async", "dEvents")
    with nogil:
        done = native.transfer_async(
            deref(queue.ref), destination.bytes, source.bytes, count, after
        )
    event = wrap_event(done, queue)
    keep_until(event, (destination, source))
    return event


cdef _Operand _hinted(SyclQueue queue, object mem, object count, str function):
    """The memory that a hint is about, cut to the bytes asked for; 0 means all."""
    cdef _Operand operand
    cdef size_t nbytes
    if not isinstance(mem, _Memory) and not hasattr(mem, "__sycl_usm_array_interface__"):
        raise TypeError(f"{function}: mem must be USM memory, not {type(mem).__name__}")
    operand = _operand(mem, queue, False, function, "mem")
    nbytes = _byte_count(count, function, "count")
    _check_size(operand, nbytes, function, "mem")
    if nbytes:
        operand.nbytes = nbytes
    return operand


def prefetch(SyclQueue queue, mem, count):
    cdef _Operand operand = _hinted(queue, mem, count, "prefetch")
    if operand.nbytes == 0:
        return
    with nogil:
        native.prefetch(deref(queue.ref), operand.bytes, operand.nbytes)


def mem_advise(SyclQueue queue, mem, count, advice):
    cdef _Operand operand = _hinted(queue, mem, count, "mem_advise")
    cdef int hint
    try:
        hint = operator.index(advice)
    except TypeError:
        raise TypeError(
            f"mem_advise: advice must be an int, not {type(advice).__name__}"
        ) from None
    if operand.nbytes == 0:
        return
    with nogil:
        native.advise(deref(queue.ref), operand.bytes, operand.nbytes, hint)
