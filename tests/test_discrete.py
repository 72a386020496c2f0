"""Discrete mode: a host access to device memory dies on a CPU, as it would on a GPU."""

import os
import signal
import subprocess
import sys

import pytest

import usmtensor as usm

pytestmark = pytest.mark.tier("device")  # commands reach a queue

READ = """
import ctypes
ctypes.string_at(_hooks.address(x.usm_data), 1)
"""
WRITE = """
import ctypes
ctypes.memset(_hooks.address(x.usm_data), 1, 1)
"""
SETUP = """
import os
import numpy as np
import usmtensor as usm
from usmtensor import _hooks
device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
queue = usm.get_device_cached_queue(device)
x = usm.full(1000, 3, dtype="i4", sycl_queue=queue)
"""


@pytest.fixture(autouse=True)
def needs_a_cpu(device):
    if not device.is_cpu:
        pytest.skip("the device is no CPU: its memory is out of reach anyway")


def run(code, discrete=True):
    """The exit status of code in its own process."""
    result = subprocess.run(
        [sys.executable, "-c", SETUP + code],
        env=os.environ | {"USMTENSOR_DISCRETE": "1" if discrete else "0"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    if result.returncode > 0:
        raise AssertionError(result.stderr)
    return result.returncode


PLACES = {
    "new": "",
    "reused": "del x\nx = usm.full(1000, 3, dtype='i4', sycl_queue=queue)\n",
    "large": "x = usm.zeros(2**22, sycl_queue=queue)\n",
    "copied": "y = usm.copy(x)\nusm.asnumpy(y)\nx = usm.astype(y, 'f4')\n",
    "after a fault": """
_hooks.fail("allocation")
try:
    usm.copy(x)
except MemoryError:
    pass
""",
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("access", [READ, WRITE], ids=["read", "write"])
def test_a_host_access_dies(place, access):
    assert run(PLACES[place] + access) == -signal.SIGSEGV


@pytest.mark.parametrize("access", [READ, WRITE], ids=["read", "write"])
def test_the_same_access_passes_with_the_mode_off(access):
    assert run(access, discrete=False) == 0


@pytest.mark.parametrize("kind", ["shared", "host"])
def test_other_kinds_stay_open(device, kind):
    if not getattr(device, f"has_aspect_usm_{kind}_allocations"):
        pytest.skip(f"the device lacks the aspect usm_{kind}_allocations")
    assert run(f"x = usm.empty_like(x, usm_type={kind!r})\n" + READ) == 0


def test_an_escaped_block_stays_open():
    code = "_hooks.escape(x.usm_data)\nx[...] = 5\ny = usm.copy(x)\n"
    assert run(code + READ + WRITE) == 0
    assert run(code + "x = y\n" + READ) == -signal.SIGSEGV


def test_a_freed_block_is_closed():
    code = "import ctypes\nplace = _hooks.address(x.usm_data)\ndel x\n"
    assert run(code + "ctypes.string_at(place, 1)\n") == -signal.SIGSEGV


def test_operations_work():
    code = """
import threading
x[1:] = x[:-1]
x[::2] = 7
host = usm.asnumpy(x)
assert (host[::2] == 7).all() and (host[1::2] == 3).all()
values = np.arange(2 * 3 * 4 * 5 * 6 * 7).reshape(2, 3, 4, 5, 6, 7)
order = (5, 0, 4, 1, 3, 2)
y = usm.permute_dims(usm.asarray(values, sycl_queue=queue), order)
assert (usm.asnumpy(usm.copy(y, order="C")) == values.transpose(order)).all()
other = usm.SyclQueue(usm.SyclContext(device), device)
assert (usm.asnumpy(x.to_device(other)) == host).all()
assert float(x[0]) == 7 and repr(x)
def work():
    for _ in range(50):
        assert (usm.asnumpy(usm.copy(x)) == host).all()
threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
    assert run(code) == 0


@pytest.mark.parametrize("kind", ["shared", "host"])
@pytest.mark.tier("host")
def test_operations_on_other_kinds_work(device, kind):
    if not getattr(device, f"has_aspect_usm_{kind}_allocations"):
        pytest.skip(f"the device lacks the aspect usm_{kind}_allocations")
    code = f"""
for dtype in ("i1", "i4", "f8"):
    for size in (1, 9, 1000, 100000):
        host = np.arange(size, dtype=dtype)[::-1] % 7
        x = usm.asarray(host, usm_type={kind!r}, copy=True)
        assert (usm.asnumpy(usm.sort(x)) == np.sort(host)).all()
        assert usm.asnumpy(usm.argsort(x, stable=True))[0] == host.argmin()
        assert (usm.asnumpy(usm.cumulative_sum(x, dtype="f8")) == host.cumsum(dtype="f8")).all()
        assert int(usm.sum(x, dtype="i8")) == host.sum(dtype="i8")
        assert usm.unique_counts(x)[1].sum() == size
        mask = x > 3
        x[mask] = x[mask] + 1
        host[host > 3] += 1
        assert (usm.asnumpy(x) == host).all() and usm.nonzero(x)[0].size == (host != 0).sum()
        assert (usm.asnumpy(x[usm.argsort(x)]) == np.sort(host)).all()
"""
    assert run(code) == 0


def test_no_host_memory_is_read_implicitly(device):
    with pytest.raises((BufferError, TypeError)):
        memoryview(usm.empty(3, device=device))
