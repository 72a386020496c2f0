"""The cache of compiled kernels on disk."""

from libc.stdint cimport uint32_t, uint64_t
from libcpp.string cimport string

from cython.operator cimport dereference as deref
from usmtensor._native.libtensor cimport KernelTable, raised
from usmtensor._runtime.queue cimport SyclQueue

import os


cdef extern from "runtime/kernel_cache.hpp" namespace "usmtensor":
    cdef struct CacheInfo:
        string folder, problem
        size_t files
        uint64_t bytes, limit

    CacheInfo native_cache_info "usmtensor::cache_info"() except +raised
    size_t native_clear "usmtensor::clear_cache"() except +raised

cdef extern from "runtime/kernel_pack.hpp" namespace "usmtensor":
    cdef cppclass PackedKernel:
        const char *name

    uint32_t packed_kernel_count()
    PackedKernel packed_kernel(uint32_t)

cdef extern from "runtime/kernel_store.hpp" namespace "usmtensor" nogil:
    void native_make "UNLOCKED(make_kernel)"(KernelTable &, uint32_t) except +raised


def kernel_cache():
    """Return a dict about the kernel cache: `folder`, `problem` (the reason if the cache is not
    used), `files`, `bytes` and `limit`."""
    cdef dict info = native_cache_info()
    return info | {"folder": os.fsdecode(info["folder"]),
                   "problem": info["problem"].decode("utf-8", "replace")}


def clear_kernel_cache():
    """Delete the files of the kernel cache and return their number."""
    return native_clear()


def kernel_names():
    """Return the names of the packed kernels: function, loop and types."""
    return [packed_kernel(k).name.decode() for k in range(packed_kernel_count())]


def make_kernel(SyclQueue queue, uint32_t index):
    """Compile the kernel with an index in `kernel_names()`, unless it is in a cache."""
    native_make(deref(queue.ref).kernels, index)
