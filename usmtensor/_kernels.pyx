"""The kernels: those embedded, those made executable, those kept on disk."""

from libc.stdint cimport uint32_t, uint64_t
from libcpp.string cimport string

from usmtensor._native cimport raised

import os


cdef extern from "runtime/kernel_store.hpp" namespace "usmtensor":
    cdef struct KernelStatistics:
        uint64_t disk, jit, source, bad

    KernelStatistics native_statistics "usmtensor::kernel_statistics"()


cdef extern from "runtime/kernel_pack.hpp" namespace "usmtensor":
    cdef cppclass Bytes "std::vector<std::byte>":
        void *data()
        size_t size()

    cdef cppclass PackedKernel:
        const char *name
        Bytes spirv() except +raised

    uint32_t packed_kernel_count()
    PackedKernel packed_kernel(uint32_t)


cdef extern from "runtime/kernel_cache.hpp" namespace "usmtensor":
    cdef struct CacheInfo:
        string folder, problem
        size_t files
        uint64_t bytes, limit

    CacheInfo native_cache_info "usmtensor::cache_info"() except +raised
    size_t native_clear "usmtensor::clear_cache"() except +raised


def kernel_statistics():
    """How many kernels of this process came from where, and how many cache files were of no use.

    The keys are `disk`, `jit` (compiled from SPIR-V), `source` and `bad`.
    """
    return native_statistics()


def kernels():
    """Pairs of the name of a kernel and its SPIR-V, of all that are embedded."""
    cdef PackedKernel kernel
    cdef Bytes module
    for i in range(packed_kernel_count()):
        kernel = packed_kernel(i)
        module = kernel.spirv()
        yield kernel.name.decode(), (<char *>module.data())[:module.size()]


def kernel_cache():
    """The kernel cache: `folder`, `problem` (why it is not used), `files`, `bytes`, `limit`."""
    cdef dict info = native_cache_info()
    return info | {key: os.fsdecode(info[key]) for key in ("folder", "problem")}


def clear_kernel_cache():
    """Delete the files of the kernel cache, and return how many there were."""
    return native_clear()
