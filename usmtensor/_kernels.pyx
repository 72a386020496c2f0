"""The cache of compiled kernels on disk."""

from libc.stdint cimport uint64_t
from libcpp.string cimport string

from usmtensor._native cimport raised

import os


cdef extern from "runtime/kernel_cache.hpp" namespace "usmtensor":
    cdef struct CacheInfo:
        string folder, problem
        size_t files
        uint64_t bytes, limit

    CacheInfo native_cache_info "usmtensor::cache_info"() except +raised
    size_t native_clear "usmtensor::clear_cache"() except +raised


def kernel_cache():
    """The kernel cache: `folder`, `problem` (why it is not used), `files`, `bytes`, `limit`."""
    cdef dict info = native_cache_info()
    return info | {key: os.fsdecode(info[key]) for key in ("folder", "problem")}


def clear_kernel_cache():
    """Delete the files of the kernel cache, and return their number."""
    return native_clear()
