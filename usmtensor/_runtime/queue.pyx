"""Queues and events."""
from cpython.exc cimport PyErr_Fetch, PyErr_Restore
from cpython.object cimport PyObject
from cpython.pycapsule cimport PyCapsule_CheckExact
from cython.operator cimport dereference as deref
from libcpp cimport bool as cbool
from libcpp.vector cimport vector

cimport usmtensor._native.runtime as native
from usmtensor._native.libtensor cimport (
    ContextRef, EventRef, Queue, QueueRef, equal as equal_queues,
)
from usmtensor._runtime.arguments cimport one_of, require, wrong_type
from usmtensor._runtime.platform cimport (
    DeviceHandle, Handle, SyclContext, capsule_pointer, new_capsule, python_backend, wrap_context,
    wrap_device,
)

import atexit
import os
import threading
from contextvars import ContextVar
from types import SimpleNamespace
from weakref import WeakValueDictionary

from usmtensor._runtime.arguments import require_all
from usmtensor._runtime.enums import event_status_type
from usmtensor._runtime.errors import SyclDeviceCreationError, SyclError, SyclQueueCreationError
from usmtensor._runtime.platform import SyclDevice

__all__ = ["SyclEvent", "SyclQueue", "get_device_cached_queue"]

# The bodies of methods that need modules above this one; `usmtensor._numpy.methods` sets them.
bodies = SimpleNamespace()

# The first argument of a constructor whose caller sets the native handle.
cdef object _EMPTY = object()


# --- events --------------------------------------------------------------------------------------

cdef class SyclEvent(Handle):
    """SyclEvent(arg=None)\n--\n

    A handle of a command in a queue. dpctl-compatible.

    Parameters
    ----------
    arg : None, SyclEvent or capsule, optional
        None makes a completed event. A SyclEvent, or a capsule named "SyclEventRef", gives another
        handle of that event.

    Raises
    ------
    SyclDeviceCreationError
        If there is no device.
    TypeError
        If `arg` is of another type.

    Examples
    --------
    >>> import usmtensor as usm
    >>> event = usm.SyclQueue().submit_barrier()
    >>> event.wait()
    >>> event.execution_status
    <event_status_type.complete: 4>
    """

    def __cinit__(self, arg=None):
        if arg is _EMPTY:
            return
        if arg is None:
            SyclDevice()  # without a device, the runtime ends a process that queries the event
            self.ref = native.completed_event()
        elif isinstance(arg, SyclEvent):
            self.ref = (<SyclEvent>arg).ref
            self._queue = (<SyclEvent>arg)._queue
        else:
            if hasattr(arg, "_get_capsule"):
                arg = arg._get_capsule()
            self.ref = native.adopt_event(capsule_pointer(arg, "SyclEventRef", "SyclEvent"))

    cdef const Queue *_queue_for_errors(self) noexcept:
        """Return the queue that error messages name, or NULL if it is unknown."""
        if self._queue is None:
            return NULL
        return self._queue.ref.get()

    cdef object _time(self, EventTime time):
        return native.profiling_time(self.ref, self._queue_for_errors(), time)

    def wait(self) -> None:
        """Wait until the command is complete.

        Examples
        --------
        >>> import usmtensor as usm
        >>> event = usm.SyclQueue().submit_barrier()
        >>> event.wait()
        """
        native.wait(self.ref, self._queue_for_errors())

    @staticmethod
    def wait_for(events: SyclEvent | Sequence[SyclEvent]) -> None:
        """Wait until the commands of all events are complete.

        Parameters
        ----------
        events : SyclEvent or sequence of SyclEvent

        Raises
        ------
        TypeError
            If `events` is anything else.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queues = [usm.SyclQueue(), usm.SyclQueue()]
        >>> usm.SyclEvent.wait_for([queue.submit_barrier() for queue in queues])
        """
        if isinstance(events, SyclEvent):
            events = (events,)
        for event in require_all(events, SyclEvent, "SyclEvent.wait_for", "events"):
            event.wait()

    @property
    def execution_status(self) -> enums.event_status_type:
        """event_status_type: The progress of the command."""
        return event_status_type(<int>native.status(self.ref, self._queue_for_errors()))

    def get_wait_list(self) -> list[SyclEvent]:
        """Return the events that the command waits for, as a list of SyclEvent.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclEvent().get_wait_list()
        []
        """
        cdef vector[EventRef] found = native.wait_list(self.ref)
        return [wrap_event(found[i], None) for i in range(found.size())]

    @property
    def backend(self) -> enums.backend_type:
        """backend_type: The backend of the queue that the event comes from."""
        return python_backend(<int>native.backend(self.ref))

    @property
    def profiling_info_submit(self) -> int:
        """int: The time of submission in nanoseconds of the device's clock.

        Raises
        ------
        SyclError
            If the queue was not made with "enable_profiling".
        """
        return self._time(native.EventTime.submit)

    @property
    def profiling_info_start(self) -> int:
        """int: The time at which the command started, as for `profiling_info_submit`."""
        return self._time(native.EventTime.start)

    @property
    def profiling_info_end(self) -> int:
        """int: The time at which the command ended, as for `profiling_info_submit`."""
        return self._time(native.EventTime.end)

    def addressof_ref(self):
        """The address of the `sycl::event`, valid as long as this object lives.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclEvent().addressof_ref() != 0
        True
        """
        return <size_t>self.ref.get()

    def _get_capsule(self):
        """A capsule named "SyclEventRef" with the `sycl::event`, which it keeps alive."""
        return new_capsule(self.ref.get(), "SyclEventRef", self)

    def __repr__(self):
        return f"<usmtensor.SyclEvent [{self.execution_status.name}]>"


cdef SyclEvent wrap_event(EventRef ref, SyclQueue queue):
    cdef SyclEvent event = SyclEvent.__new__(SyclEvent, _EMPTY)
    event.ref = ref
    event._queue = queue
    return event


# --- memory that commands still use --------------------------------------------------------------
# The operands of copies that may still run, and their events, because memory must outlive commands.
cdef list _in_flight = []
_in_flight_lock = threading.Lock()


def is_pending(event):
    """Return True if a command may still run. No command runs after the end of its context."""
    try:
        return event.execution_status is not event_status_type.complete
    except SyclError:
        return False


def _let_go():
    """Release the operands of completed copies.

    This does not hold the lock while it queries events, because queries pass the gate: an exit that
    has closed the gate would wait for the lock.
    """
    done = [entry for entry in list(_in_flight) if not is_pending(entry[0])]
    finished = {id(entry) for entry in done}
    with _in_flight_lock:
        _in_flight[:] = [entry for entry in _in_flight if id(entry) not in finished]


def keep_until(event, operands):
    """Keep the operands of a command alive until its event is complete."""
    _let_go()
    with _in_flight_lock:
        _in_flight.append((event, operands))


cdef extern from "Python.h":
    void *PyGILState_GetThisThreadState() nogil


cdef cbool has_python_made_thread() noexcept with gil:
    cdef PyObject *kind
    cdef PyObject *value
    cdef PyObject *trace
    cdef bint found = False
    PyErr_Fetch(&kind, &value, &trace)  # handles may be dropped during an error
    try:
        own = threading.get_ident()
        for thread in threading.enumerate():
            found |= thread.ident == own
    except BaseException:  # at the end of the interpreter
        pass
    PyErr_Restore(kind, value, trace)
    return found


cdef cbool is_python_thread() noexcept nogil:
    """Return True if Python created the calling thread, which drops a handle.

    Other threads, such as those of host tasks, must not wait.
    """
    return PyGILState_GetThisThreadState() != NULL and has_python_made_thread()


native.set_thread_check(is_python_thread)


@atexit.register
def _end():
    # A C handler would run after the handlers of libraries that a compilation has loaded.
    native.close_gate_at_exit()
    native.wait_for_compile_job()
    try:
        with nogil:
            native.ready_for_fork(True)  # waits, because the driver aborts if commands are pending
        for event, _ in list(_in_flight):
            if is_pending(event):
                event.wait()
        _let_go()
    finally:
        native.open_gate_later()


def _before_fork():
    """Wait for all work without the GIL, because host tasks such as dpctl's need it."""
    for _ in range(100):  # other threads may submit more
        with nogil:
            native.ready_for_fork(True)
        if native.ready_for_fork(False):
            break


os.register_at_fork(before=_before_fork)

# --- queues --------------------------------------------------------------------------------------

cdef native.QueueProperties _properties(object property) except *:
    cdef native.QueueProperties result
    words = [] if property is None else [property] if isinstance(property, str) else property
    require(words, (list, tuple), "SyclQueue", "property", "None, str or list of str")
    for word in words:
        one_of(word, ("in_order", "enable_profiling", "default"), "SyclQueue", "a property")
    result.in_order = "in_order" in words
    result.enable_profiling = "enable_profiling" in words
    return result


cdef QueueRef _adopt(object arg) except *:
    if isinstance(arg, Handle) and hasattr(arg, "sycl_queue"):  # a Device
        return (<SyclQueue>arg.sycl_queue).ref
    if hasattr(arg, "_get_capsule"):
        arg = arg._get_capsule()
    elif not PyCapsule_CheckExact(arg):
        raise wrong_type(arg, "SyclQueue", "arg", "filter string, SyclDevice, SyclContext and "
                         "SyclDevice, SyclQueue, Device or capsule named 'SyclQueueRef'")
    return native.adopt_queue(capsule_pointer(arg, "SyclQueueRef", "SyclQueue"))


cdef vector[EventRef] dependencies(SyclQueue queue, object events, str function,
                                   str argument) except *:
    """Return the events that a command can wait for, after waiting for those of other contexts."""
    cdef vector[EventRef] result
    cdef SyclEvent event
    for event in require_all([] if events is None else events, SyclEvent, function, argument):
        if event._queue is not None and event._queue.sycl_context == queue.sycl_context:
            result.push_back(event.ref)
        else:
            event.wait()
    return result


cdef class SyclQueue(Handle):
    """SyclQueue(*args, property=None)\n--\n

    A SYCL queue. dpctl-compatible.

    Parameters
    ----------
    *args
        No argument makes a new queue on the default device. A filter string or a SyclDevice makes a
        new queue on that device. A SyclContext and a SyclDevice make a new queue in that context. A
        SyclQueue, a Device, another package's queue (any object with `_get_capsule`) or a capsule
        named "SyclQueueRef" gives another handle of that queue.
    property : None, str or list of str, optional
        "in_order" and "enable_profiling". Without "in_order", the commands of a queue may run in
        any order.

    Raises
    ------
    SyclQueueCreationError
        If no device matches, or the device is not of the context.
    ValueError
        If a property is unknown.
    TypeError
        If the arguments are of other types.

    Examples
    --------
    >>> import usmtensor as usm
    >>> queue = usm.SyclQueue(property="in_order")
    >>> x = usm.ones(3, sycl_queue=queue)
    >>> (x + 1).sycl_queue == queue
    True
    >>> usm.SyclQueue(usm.SyclDevice(), property=["in_order", "enable_profiling"])
    <usmtensor.SyclQueue on ..., property=['in_order', 'enable_profiling']>
    """

    def __cinit__(self, *args, property=None):
        cdef ContextRef context
        cdef DeviceHandle device
        cdef native.QueueProperties properties
        if len(args) == 1 and args[0] is _EMPTY:
            return
        if len(args) > 2:
            raise TypeError(f"SyclQueue: takes at most 2 positional arguments, got {len(args)}")
        properties = _properties(property)
        arg = args[0] if args else None
        if len(args) == 2:
            expected = "SyclContext and a SyclDevice"
            context = (<SyclContext>require(arg, SyclContext, "SyclQueue", "arg", expected)).ref
            device = require(args[1], DeviceHandle, "SyclQueue", "arg", expected)
        elif isinstance(arg, SyclQueue):
            self.take((<SyclQueue>arg).ref)
            return
        elif isinstance(arg, DeviceHandle):
            device = arg
        elif arg is None or isinstance(arg, str):
            try:
                device = SyclDevice(arg)
            except SyclDeviceCreationError as error:
                raise SyclQueueCreationError(f"SyclQueue: {error}") from error
        else:
            self.take(_adopt(arg))
            return
        self.take(native.make_queue(context, device.ref, properties))

    def __dealloc__(self):
        # The last owner waits for the commands, without the GIL.
        with nogil:
            self.ref.reset()

    @staticmethod
    cdef SyclQueue wrap(QueueRef ref):
        cdef SyclQueue queue = SyclQueue.__new__(SyclQueue, _EMPTY)
        queue.take(ref)
        return queue

    cdef int take(self, QueueRef ref) except -1:
        """Make this object a handle of a queue."""
        self.ref = ref
        self._device = wrap_device(deref(ref).device)
        self._context = wrap_context(deref(ref).context)
        return 0

    @property
    def sycl_device(self) -> SyclDevice:
        """SyclDevice: The device that the queue's commands run on."""
        return self._device

    @property
    def sycl_context(self) -> SyclContext:
        """SyclContext: The context of the queue. Commands can use the memory of this context."""
        return self._context

    def get_sycl_device(self) -> SyclDevice:
        """`sycl_device`.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclQueue().get_sycl_device() == usm.SyclDevice()
        True
        """
        return self.sycl_device

    def get_sycl_context(self) -> SyclContext:
        """`sycl_context`.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> queue.get_sycl_context() == queue.sycl_context
        True
        """
        return self.sycl_context

    @property
    def backend(self) -> enums.backend_type:
        """backend_type: The backend that drives the queue."""
        return python_backend(<int>native.backend(deref(self.ref)))

    @property
    def name(self) -> str:
        """str: The name of the queue's device."""
        return self.sycl_device.name

    @property
    def driver_version(self) -> str:
        """str: The driver version of the queue's device."""
        return self.sycl_device.driver_version

    @property
    def is_in_order(self) -> bool:
        """bool: True if each command waits for the previous one."""
        return deref(self.ref).in_order

    @property
    def has_enable_profiling(self) -> bool:
        """bool: True if the events of the queue have profiling times."""
        return native.has_profiling(deref(self.ref))

    def print_device_info(self) -> None:
        """Print name, driver version, vendor and filter string of the queue's device.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclQueue().print_device_info()
        Name            ...
        Driver version  ...
        Vendor          ...
        Filter string   ...
        """
        self.sycl_device.print_device_info()

    def wait(self) -> None:
        """Wait until every command of the queue is complete.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> x = usm.ones(3, sycl_queue=queue) + 1
        >>> queue.wait()
        """
        if not native.known_idle(deref(self.ref)):
            native.wait(deref(self.ref))
        if _in_flight:
            _let_go()

    def submit_barrier(self, dependent_events: Sequence[SyclEvent] | None = None) -> SyclEvent:
        """Submit a barrier.

        Parameters
        ----------
        dependent_events : sequence of SyclEvent, optional
            The events that later commands wait for. Default: all earlier commands.

        Returns
        -------
        SyclEvent
            It is complete when these commands are complete.

        Raises
        ------
        TypeError
            If `dependent_events` holds anything else.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> event = queue.submit_barrier()
        >>> event.wait()
        """
        cdef vector[EventRef] after = dependencies(self, dependent_events, "submit_barrier",
                                                   "dependent_events")
        return wrap_event(native.barrier(deref(self.ref), after), self)

    def memcpy(self, dst: Any, src: Any, nbytes: int) -> None:
        """Copy bytes, and wait until the copy is complete.

        Parameters
        ----------
        dst, src : USM memory or buffer
            USM memory of the queue's context, or any object with a contiguous buffer.
        nbytes : int
            The number of bytes to copy, from the start of `src` to the start of `dst`.

        Raises
        ------
        TypeError
            If `dst` or `src` is of another type, or `nbytes` is not an int.
        ValueError
            If `dst` or `src` has fewer than `nbytes` bytes, is not contiguous, or belongs to
            another context.
        BufferError or ValueError
            If `dst` is read-only.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> memory = usm.memory.MemoryUSMDevice(4, queue=queue)
        >>> queue.memcpy(memory, b"USM!", 4)
        >>> memory.tobytes()
        b'USM!'
        """
        bodies.memcpy(self, dst, src, nbytes)

    def memcpy_async(
        self, dst: Any, src: Any, nbytes: int, dEvents: Sequence[SyclEvent] | None = None
    ) -> SyclEvent:
        """Copy bytes without waiting.

        The library keeps both operands alive until the copy is complete. Do not change their
        content before.

        Parameters
        ----------
        dst, src : USM memory or buffer
            USM memory of the queue's context, or any object with a contiguous buffer.
        nbytes : int
            The number of bytes to copy, from the start of `src` to the start of `dst`.
        dEvents : sequence of SyclEvent, optional
            The copy waits for these events.

        Returns
        -------
        SyclEvent
            It is complete when the copy is complete.

        Raises
        ------
        TypeError
            If `dst` or `src` is of another type, or `nbytes` is not an int.
        ValueError
            If `dst` or `src` has fewer than `nbytes` bytes, is not contiguous, or belongs to
            another context.
        BufferError or ValueError
            If `dst` is read-only.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> memory = usm.memory.MemoryUSMDevice(4, queue=queue)
        >>> event = queue.memcpy_async(memory, b"USM!", 4)
        >>> event.wait()
        >>> memory.tobytes()
        b'USM!'
        """
        return bodies.memcpy_async(self, dst, src, nbytes, dEvents)

    def prefetch(self, mem: Memory, count: int = 0) -> None:
        """Prefetch memory to the queue's device.

        Parameters
        ----------
        mem : USM memory
            Memory of the queue's context.
        count : int, optional
            The number of bytes from its start; 0 means all.

        Raises
        ------
        TypeError
            If `mem` is not USM memory or `count` is not an int.
        ValueError
            If `mem` has fewer bytes or belongs to another context.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> queue.prefetch(usm.memory.MemoryUSMShared(4096, queue=queue))
        """
        bodies.prefetch(self, mem, count)

    def mem_advise(self, mem: Memory, count: int, advice: int) -> None:
        """Advise the driver about the use of memory.

        Parameters
        ----------
        mem : USM memory
            Memory of the queue's context.
        count : int
            The number of bytes from its start; 0 means all.
        advice : int
            A number that the backend defines; 0 resets all advice.

        Raises
        ------
        TypeError
            If `mem` is not USM memory, or a number is not an int.
        ValueError
            If `mem` has fewer bytes or belongs to another context.
        SyclError
            If the backend does not know the advice.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> queue.mem_advise(usm.memory.MemoryUSMShared(4096, queue=queue), 4096, 0)
        """
        bodies.mem_advise(self, mem, count, advice)

    def addressof_ref(self):
        """The address of the `sycl::queue`, valid as long as this object lives.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclQueue().addressof_ref() != 0
        True
        """
        return <size_t>native.address(deref(self.ref))

    def _get_capsule(self):
        """A capsule named "SyclQueueRef" with the `sycl::queue`, which it keeps alive."""
        return new_capsule(native.address(deref(self.ref)), "SyclQueueRef", self)

    def __eq__(self, other):
        if self is other:
            return True
        if not isinstance(other, SyclQueue):
            return NotImplemented
        return equal_queues(deref(self.ref), deref((<SyclQueue>other).ref))

    def __hash__(self):
        return native.hash(deref(self.ref))

    def __repr__(self):
        words = ["in_order"] * self.is_in_order + ["enable_profiling"] * self.has_enable_profiling
        return f"<usmtensor.SyclQueue on {self.sycl_device!r}, property={words}>"


# --- the default queues --------------------------------------------------------------------------
# libtensor keeps one queue for each device. These are the Python objects for the queues.

cdef SyclQueue _default = None
_cached = WeakValueDictionary()


cdef bint _is_chosen = False  # true after the first default_device(...) block, which is rare
_chosen = ContextVar("usmtensor.default_device", default=None)


def choose_queue(SyclQueue queue not None):
    """Make a queue the default in the current context, and return the token for restore_queue()."""
    global _is_chosen
    _is_chosen = True
    return _chosen.set(queue)


def restore_queue(token):
    _chosen.reset(token)


def set_default_queue(SyclQueue queue=None):
    """Make a queue the default of the process; None means the queue of SYCL's default device."""
    global _default
    _default = queue


cpdef SyclQueue default_queue():
    """Return the queue of the default device."""
    global _default
    if _is_chosen:
        queue = _chosen.get()
        if queue is not None:
            return queue
    if _default is None:
        _default = get_device_cached_queue(SyclDevice())
    return _default


def get_device_cached_queue(
    key: SyclDevice | tuple[SyclContext, SyclDevice] | str,
) -> SyclQueue:
    """Return the in-order queue that this process keeps for a device. dpctl-compatible.

    New arrays are on this queue by default.

    Parameters
    ----------
    key : SyclDevice, str or (SyclContext, SyclDevice)
        A device or its filter string means the device in its platform's default context.

    Returns
    -------
    SyclQueue
        Equal arguments give the same object while it is in use.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches a filter string.
    SyclQueueCreationError
        If the device is not of the context.
    TypeError
        If `key` is of another type.

    Examples
    --------
    >>> import usmtensor as usm
    >>> queue = usm.get_device_cached_queue(usm.SyclDevice())
    >>> usm.ones(3).sycl_queue is queue
    True
    """
    cdef DeviceHandle device
    cdef ContextRef context
    cdef QueueRef ref
    function = "get_device_cached_queue"
    expected = "SyclDevice, filter string or tuple (SyclContext, SyclDevice)"
    if isinstance(key, tuple) and len(key) == 2:
        context = (<SyclContext>require(key[0], SyclContext, function, "key[0]", expected)).ref
        device = require(key[1], DeviceHandle, function, "key[1]", expected)
        ref = native.default_queue(context, device.ref)
    else:
        key = SyclDevice(key) if isinstance(key, str) else key
        device = require(key, DeviceHandle, function, "key", expected)
        ref = native.default_queue(device.ref)
    queue = _cached.get(<size_t>ref.get())
    return queue or _cached.setdefault(<size_t>ref.get(), SyclQueue.wrap(ref))
