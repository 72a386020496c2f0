"""Each sanitizer reports a fault in the host modules: tests/README.md, Sanitizers.

A run under the sanitizers without a report says something only if these tests pass.
"""

import ctypes
import re
import subprocess
import sys
from pathlib import Path

import pytest
import sanitizers

import usmtensor as usm

pytestmark = pytest.mark.skipif(not sanitizers.ADDRESS, reason="the process has no sanitizers")

# The stage of .ci/run has the first families of kernels: see tests/libtensor/CMakeLists.txt.
CALLS = [
    pytest.param(call, marks=pytest.mark.sanitized)
    for call in ("usm.sort(x)", "x[usm.asarray([30])]", "usm.cumulative_sum(x)")
]
CALLS += ["usm.negative(x)", "usm.sum(x)", "usm.copy(x[::2])", "usm.astype(x, 'f8')"]


def report(code):
    """The last words of a process that must end with an error."""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode != 0, done.stdout
    return done.stderr


@pytest.mark.parametrize("call", CALLS)
def test_a_stray_access(call):
    """Of a kernel, to eight bytes that are poisoned."""
    said = report(
        "import usmtensor as usm\n"
        "from sanitizers import poisoned\n"
        "x = usm.ones(100, dtype='f4')\n"
        "with poisoned(x.usm_data._pointer + 120, 8):\n"
        f"    {call}\n"
    )
    # The second words name a vector that begins in front of the bytes.
    assert re.search("AddressSanitizer: (use-after-poison|unknown-crash)", said), said
    assert re.search(r"libtensor_host|libtensor/(kernels|host)/", said), said


class KeySort(ctypes.Structure):
    """libtensor/host/key_sort.hpp"""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("integers", "floats")),
        ("places", ctypes.c_bool),
        *((name, ctypes.c_int) for name in ("itemsize", "threads")),
        *((name, ctypes.c_int64) for name in ("n", "rows")),
        *((name, ctypes.c_uint64) for name in ("fold", "limit", "top", "bias")),
        *((name, ctypes.c_void_p) for name in ("input", "out", "scratch")),
        ("if_in_order", ctypes.c_bool),
    )


class HostModule(ctypes.Structure):
    """libtensor/layout/argument.hpp"""

    _fields_ = (
        ("families", ctypes.c_void_p),
        ("has_mathematics", ctypes.c_void_p),
        ("sort", ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.POINTER(KeySort))),
    )


def loaded_module():
    """The path of the module of host kernels that this process uses."""
    usm.add(usm.ones(3), 1)
    with open("/proc/self/maps") as file:
        return next(
            line.split(maxsplit=5)[5].rstrip() for line in file if "/libtensor_host" in line
        )


def sort_at_an_odd_address():
    """Asks the module whether numbers of four bytes are in order, where no such numbers may be."""
    describe = ctypes.CDLL(loaded_module()).usmtensor_host_module
    describe.restype = HostModule
    numbers = (ctypes.c_char * 64)()
    address = ctypes.addressof(numbers) + 1
    keys = KeySort(itemsize=4, threads=1, n=8, rows=1, limit=2**32 - 1, if_in_order=True)
    keys.input, keys.out = address, address + 32
    describe().sort(keys)


@pytest.mark.sanitized
def test_undefined_behaviour():
    """A read of a number at an odd address."""
    said = report("from test_sanitizers import sort_at_an_odd_address as fault\nfault()\n")
    assert "runtime error: " in said
    assert "misaligned address" in said
