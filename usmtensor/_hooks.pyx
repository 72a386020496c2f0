"""What tests and benchmarks reach below the public functions."""

from usmtensor._memory cimport _Memory
from usmtensor._native cimport QueueRef, escape as native_escape, raise_python_error
from usmtensor._runtime cimport SyclQueue


cdef extern from "ops/measure.hpp" namespace "usmtensor":
    cdef cppclass LaunchFloor:
        double submit
        double total

    LaunchFloor native_floor "usmtensor::launch_floor"(
        const QueueRef &, int repeats) except +raise_python_error nogil


cdef extern from "ops/device_class.hpp" namespace "usmtensor":
    void native_force "usmtensor::force_device_class"(int)

cdef extern from "runtime/faults.hpp" namespace "usmtensor":
    cdef enum class Fault:
        allocation
        driver

    void plan_faults(Fault, long after, long count, long every) nogil
    long planned_faults(Fault) nogil


cdef extern from "runtime/pool.hpp" namespace "usmtensor":
    void native_limit "usmtensor::limit_memory"(size_t, size_t)


def launch_floor(SyclQueue queue, int repeats=1000):
    """Median seconds to submit an empty kernel, and to submit it and wait for the queue."""
    cdef LaunchFloor floor
    if repeats < 1:
        raise ValueError(f"launch_floor: repeats is {repeats}; expected 1 or more")
    with nogil:
        floor = native_floor(queue.ref, repeats)
    return floor.submit, floor.total


def force_device_class(int device_class):
    """Run the kernel variants of a device class: 0 as the device is, 1 CPUs, 2 other devices."""
    native_force(device_class)


def fail_allocations(long after=0, long count=1, *, long every=1, bint driver=False):
    """Let `after` allocations pass, then fail each `every`-th until `count` have failed.

    With `driver` it is the driver that has no memory, which the pools can help. Replaces what was
    planned before; a count of 0 ends it. Returns how many were still to fail.
    """
    cdef Fault fault = Fault.driver if driver else Fault.allocation
    if after < 0 or count < 0 or every < 1:
        raise ValueError(f"fail_allocations: after, count, every are {after}, {count}, {every}; "
                         "expected 0, 0, 1 or more")
    left = planned_faults(fault)
    plan_faults(fault, after, count, every)
    return left


def limit_memory(size_t device=0, size_t pooled=0):
    """Lower the bytes that a device has, and that the pools of one kind may hold; 0: as usual."""
    native_limit(device, pooled)


def address(_Memory memory):
    """The address of a memory, which thereby does not leave the library as by `_pointer`."""
    return <size_t>memory.pointer


def escape(_Memory memory):
    """Treat a memory as if its address had left the library."""
    native_escape(memory.ref)
