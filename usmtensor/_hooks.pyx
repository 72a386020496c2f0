"""What tests, benchmarks and the command line reach below the public functions."""

from libc.stdint cimport uint64_t
from libcpp.string cimport string

from usmtensor._native cimport QueueRef, raise_python_error
from usmtensor._runtime cimport SyclQueue

import os


cdef extern from "ops/measure.hpp" namespace "usmtensor":
    cdef cppclass LaunchFloor:
        double submit
        double total

    LaunchFloor native_floor "usmtensor::launch_floor"(
        const QueueRef &, int repeats) except +raise_python_error nogil


cdef extern from "ops/device_class.hpp" namespace "usmtensor":
    void native_force "usmtensor::force_device_class"(int)


cdef extern from "runtime/kernel_store.hpp" namespace "usmtensor":
    cdef struct KernelStatistics:
        uint64_t disk
        uint64_t jit
        uint64_t source
        uint64_t bad

    KernelStatistics native_statistics "usmtensor::kernel_statistics"()
    void native_fail "usmtensor::fail_compiles"(int)


cdef extern from "runtime/kernel_cache.hpp" namespace "usmtensor":
    cdef cppclass CacheInfo:
        string folder
        string problem
        size_t files
        uint64_t bytes
        uint64_t limit

    CacheInfo native_cache_info "usmtensor::cache_info"() except +raise_python_error
    size_t native_clear "usmtensor::clear_cache"() except +raise_python_error


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


def kernel_statistics():
    """How many kernels of this process came from where, and how many cache files were of no use.

    The keys are `disk`, `jit` (compiled from SPIR-V), `source` and `bad`.
    """
    return native_statistics()


def fail_compiles(int count):
    """Let the next `count` compilations of kernels fail."""
    native_fail(count)


def kernel_cache():
    """The kernel cache: `folder`, `problem` (why it is not used), `files`, `bytes`, `limit`."""
    cdef CacheInfo info = native_cache_info()
    return {
        "folder": os.fsdecode(info.folder),
        "problem": os.fsdecode(info.problem),
        "files": info.files,
        "bytes": info.bytes,
        "limit": info.limit,
    }


def clear_kernel_cache():
    """Delete the files of the kernel cache, and return how many there were."""
    return native_clear()
