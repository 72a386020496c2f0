"""What tests and benchmarks reach below the public functions."""

from usmtensor._native cimport QueueRef, raise_python_error
from usmtensor._runtime cimport SyclQueue


cdef extern from "ops/measure.hpp" namespace "usmtensor":
    cdef cppclass LaunchFloor:
        double submit
        double total

    LaunchFloor native_floor "usmtensor::launch_floor"(
        const QueueRef &, int repeats) except +raise_python_error nogil


cdef extern from "ops/device_class.hpp" namespace "usmtensor":
    void native_force "usmtensor::force_device_class"(int)


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
