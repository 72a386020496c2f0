"""The sanitizers in the process of the tests: see tests/README.md, Sanitizers."""

import contextlib
import ctypes

_process = ctypes.CDLL(None)
ADDRESS = hasattr(_process, "__asan_poison_memory_region")


@contextlib.contextmanager
def poisoned(address, nbytes):
    """AddressSanitizer reports each access of instrumented code to these bytes. A byte at the start
    of eight aligned ones counts only together with the seven after it."""
    if not ADDRESS or nbytes <= 0:
        yield
        return
    region = ctypes.c_void_p(address), ctypes.c_size_t(nbytes)
    _process.__asan_poison_memory_region(*region)
    try:
        yield
    finally:
        _process.__asan_unpoison_memory_region(*region)
