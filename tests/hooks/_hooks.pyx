"""Access of tests and benchmarks below the public functions."""

from cython.operator cimport dereference
from libc.stdint cimport uint32_t, uint64_t
from libcpp.string cimport string
from libcpp.vector cimport vector
from usmtensor._core.array cimport C_CONTIGUOUS, usm_ndarray
from usmtensor._native.libtensor cimport Queue, QueueRef, escape as native_escape, raised
from usmtensor._runtime.memory cimport _Memory
from usmtensor._runtime.queue cimport SyclQueue


cdef extern from "hooks.hpp" namespace "usmtensor":
    cdef enum class Fault:
        allocation, driver, command, command_part, barrier, load, compile, context, queue, event
        pointer

    cdef cppclass LaunchFloor:
        double submit, total

    void plan_faults(Fault, long after, long count, long every) nogil
    long planned_faults(Fault) nogil
    void native_delay "usmtensor::delay"(Fault, double) nogil
    void native_watch_gate "usmtensor::watch_gate"(bint) nogil
    vector[string] native_entries "usmtensor::entries_with_gil"() nogil
    void throw_error(const string &) except +raised
    LaunchFloor native_floor "usmtensor::launch_floor"(
        const QueueRef &, int repeats, int arrays) except +raised nogil
    uint64_t native_submitted_commands "usmtensor::submitted_commands"(const QueueRef &)
    void native_late_copy "usmtensor::submit_late_copy"(
        const QueueRef &, char *, const char *, size_t, double) except +raised nogil
    void native_drop_pending_block "usmtensor::drop_pending_block"(const QueueRef &, size_t)
    void native_late_host_task "usmtensor::submit_late_host_task"(
        const QueueRef &, double) except +raised nogil


cdef extern from "runtime/settings.hpp" namespace "usmtensor":
    cdef enum class Tier(int):
        unset, automatic, device, host

    cdef cppclass Settings:
        bint ordering
        int device_class
        Tier tier
        size_t device_bytes, pooled_bytes

    Settings settings

    cdef cppclass Counts:
        uint64_t host_commands, disk, jit, source, bad

    Counts counts


cdef extern from "runtime/queue.hpp" namespace "usmtensor":
    bint native_is_idle "usmtensor::is_idle"(const Queue &) except +raised


cdef extern from "runtime/kernel_pack.hpp" namespace "usmtensor":
    cdef cppclass Bytes "std::vector<std::byte>":
        void *data()
        size_t size()

    cdef cppclass PackedKernel:
        const char *name
        Bytes spirv() except +raised

    uint32_t packed_kernel_count()
    PackedKernel packed_kernel(uint32_t)


def launch_floor(SyclQueue queue, int repeats=1000, int arrays=1):
    """Median seconds to submit an empty kernel of one to three arrays and their length, and to
    submit it and wait for the queue."""
    cdef LaunchFloor floor
    if repeats < 1 or not 1 <= arrays <= 3:
        raise ValueError(f"launch_floor: repeats, arrays are {repeats}, {arrays}; expected 1 or "
                         "more, 1 to 3")
    with nogil:
        floor = native_floor(queue.ref, repeats, arrays)
    return floor.submit, floor.total


def force_device_class(int device_class):
    """Run the kernel variants of a device class: 0 the device's own, 1 CPUs, 2 GPUs."""
    settings.device_class = device_class


def force_tier(str tier):
    """Force a tier, as USMTENSOR_TIER=`tier` does; an empty string restores the variable's."""
    settings.tier = <Tier><int>["", "auto", "device", "host"].index(tier)


def host_commands():
    """The number of commands that ran on the host."""
    return counts.host_commands


def submitted_commands(SyclQueue queue):
    """The number of commands that the library submitted to a queue."""
    return native_submitted_commands(queue.ref)


def late_copy(SyclQueue queue, usm_ndarray destination, usm_ndarray source, double seconds=0.02):
    """A late copy of a compact array to another of equal type, as a user might submit it."""
    if not (destination.bits & source.bits & C_CONTIGUOUS
            and destination.nbytes == source.nbytes):
        raise ValueError("late_copy: expected compact arrays of equal size")
    native_escape(dereference(destination.allocation))  # foreign code gets the address
    native_escape(dereference(source.allocation))
    native_late_copy(queue.ref, destination.data, source.data, source.nbytes, seconds)


def late_host_task(SyclQueue queue, double seconds=0.02):
    """A host task, as a user might submit it."""
    native_late_host_task(queue.ref, seconds)


def drop_pending_block(SyclQueue queue, size_t nbytes):
    """Put a block of `nbytes` into the pool with a pending command that changes all its bytes, as
    another thread might just before an allocation."""
    native_drop_pending_block(queue.ref, nbytes)


def is_idle(SyclQueue queue):
    """Whether all commands of a queue are known to be complete; does not wait."""
    return native_is_idle(dereference(queue.ref))


cdef dict _faults = {
    "allocation": Fault.allocation,
    "driver": Fault.driver,
    "command": Fault.command,
    "part of a command": Fault.command_part,
    "barrier": Fault.barrier,
    "load": Fault.load,
    "compile": Fault.compile,
    "context": Fault.context,
    "queue": Fault.queue,
    "event": Fault.event,
    "pointer": Fault.pointer,
}


def fail(str step, long after=0, long count=1, *, long every=1):
    """Let `after` steps of a kind pass, then fail each `every`-th until `count` have failed.

    The kinds are "allocation"; "driver", which reports that it has no memory, so that the pools may
    help; "command" and "barrier", which a queue refuses; "part of a command", which a queue refuses
    after it took another part; "load" of a kernel from disk; "compile"; "context", which takes no
    more commands: the library checks this after an error of another kind; "queue", which cannot be
    made; "event", which answers nothing; "pointer", which the driver does not free or know. A call
    replaces the earlier plan for the kind; a count of 0 ends it. Returns the number of failures
    that were left.
    """
    cdef Fault fault = <Fault><int>_faults[step]
    if after < 0 or count < 0 or every < 1:
        raise ValueError(f"fail: after, count, every are {after}, {count}, {every}; "
                         "expected 0, 0, 1 or more")
    left = planned_faults(fault)
    plan_faults(fault, after, count, every)
    return left


def delay(str step, double seconds):
    """Let a step take some more seconds, so that other threads meet it; 0: no longer."""
    native_delay(<Fault><int>_faults[step], seconds)


def watch_gate(on):
    """Record the threads that enter the gate with the GIL, where they may have to wait."""
    native_watch_gate(on)


def entries_with_gil():
    """Their native call stacks since the last call."""
    return [stack.decode(errors="replace") for stack in native_entries()]


def driver_error(bytes message):
    """Raise a driver's error with a message of any bytes."""
    throw_error(message)


def limit_memory(size_t device=0, size_t pooled=0):
    """Lower the memory of a device, and the limit of the pools of one kind; 0: as usual."""
    settings.device_bytes, settings.pooled_bytes = device, pooled


def address(_Memory memory):
    """The address of a memory. Unlike `_pointer`, this does not count as leaving the library."""
    return <size_t>memory.pointer


def escape(_Memory memory):
    """Treat a memory as if its address had left the library."""
    native_escape(dereference(memory.ref))


def set_ordering(enabled):
    """Switch the ordering of commands between queues on or off. Tests of order fail without it."""
    settings.ordering = enabled


def kernel_statistics():
    """Counts of the kernels of this process by origin, and of useless cache files.

    The keys are `disk`, `jit` (compiled from SPIR-V or PTX), `source` and `bad`.
    """
    return {"disk": counts.disk, "jit": counts.jit, "source": counts.source, "bad": counts.bad}


def kernels():
    """Pairs of name and SPIR-V of all embedded kernels."""
    cdef PackedKernel kernel
    cdef Bytes module
    for i in range(packed_kernel_count()):
        kernel = packed_kernel(i)
        module = kernel.spirv()
        yield kernel.name.decode(), (<char *>module.data())[:module.size()]


cdef class Owner:
    """An extension type whose operators apply those of an array that it owns."""
    cdef readonly object array

    def __init__(self, array):
        self.array = array

    def __add__(self, other):
        return self.array + other

    def __neg__(self):
        return -self.array

    def __pow__(self, exponent, modulo):
        return self.array ** exponent
