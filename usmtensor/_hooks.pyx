"""What tests and benchmarks reach below the public functions."""

from usmtensor._native cimport QueueRef, raise_python_error
from usmtensor._runtime cimport SyclQueue
from usmtensor._usmarray cimport C_CONTIGUOUS, usm_ndarray


cdef extern from "ops/measure.hpp" namespace "usmtensor":
    cdef cppclass LaunchFloor:
        double submit
        double total

    LaunchFloor native_floor "usmtensor::launch_floor"(
        const QueueRef &, int repeats) except +raise_python_error nogil


cdef extern from "ops/device_class.hpp" namespace "usmtensor":
    void native_force "usmtensor::force_device_class"(int)


    void native_late_copy "usmtensor::submit_late_copy"(
        const QueueRef &, char *, const char *, size_t,
        double) except +raise_python_error nogil


cdef extern from "runtime/order.hpp" namespace "usmtensor":
    void native_set_ordering "usmtensor::set_ordering"(bint)


def set_ordering(enabled):
    """Leave the order of commands between queues to chance, or not: shows that a test of it bites."""
    native_set_ordering(enabled)


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


def late_copy(SyclQueue queue, usm_ndarray destination, usm_ndarray source, double seconds=0.02):
    """destination[...] = source of equal type, compact, as a user's own command that begins late."""
    if not (destination.bits & source.bits & C_CONTIGUOUS
            and destination.nbytes == source.nbytes):
        raise ValueError("late_copy: expected compact arrays of equal size")
    native_late_copy(queue.ref, destination.data, source.data, source.nbytes, seconds)
