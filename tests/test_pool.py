"""Freed blocks are kept and reused, unless memory is short or their address left the library."""

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import usmtensor as usm
from usmtensor import _hooks
from usmtensor import memory as usm_memory

pytestmark = pytest.mark.tier("device")  # commands reach a queue

CLASSES = {
    "device": usm_memory.MemoryUSMDevice,
    "shared": usm_memory.MemoryUSMShared,
    "host": usm_memory.MemoryUSMHost,
}
MIB = 2**20


@pytest.fixture(autouse=True)
def nothing_pooled():
    gc.collect()
    usm_memory.trim()
    yield
    _hooks.limit_memory()
    _hooks.fail("allocation", 0, 0)
    _hooks.fail("driver", 0, 0)


@pytest.fixture
def fresh(device):
    """A new queue with its own pool."""
    return usm.SyclQueue(device, property="in_order")


@pytest.fixture
def make(fresh, usm_kind):
    return lambda nbytes, **keywords: CLASSES[usm_kind](nbytes, queue=fresh, **keywords)


@pytest.fixture
def count(device, usm_kind):
    """The statistics of the kind; all zero before its first allocation."""

    def read(name):
        return usm_memory.statistics().get(device, {}).get(usm_kind, {}).get(name, 0)

    return read


def skip_unless_pooling():
    """Skips tests of the pool when the suite runs without it."""
    x = usm.empty(1)
    del x
    if not sum(
        kind["pooled"] for kinds in usm_memory.statistics().values() for kind in kinds.values()
    ):
        pytest.skip("USMTENSOR_POOL=0")
    usm_memory.trim()


@pytest.fixture
def pooling():
    skip_unless_pooling()


def run(code, **environment):
    """The output lines of code in its own process."""
    result = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout.splitlines()


# Reuse


@pytest.mark.parametrize("nbytes", [0, 1, 64, 1000, MIB, 5 * MIB])
def test_a_freed_block_is_reused(make, count, pooling, nbytes):
    address = _hooks.address(make(nbytes))
    hits, misses, pooled = count("hits"), count("misses"), count("pooled")
    assert pooled >= max(nbytes, 1)
    memory = make(nbytes)
    assert _hooks.address(memory) == address != 0
    assert count("hits") == hits + 1
    assert count("misses") == misses
    assert count("pooled") == 0


def test_memory_of_large_numpy_arrays_is_pooled(fresh, pooling):
    x = usm.ones(2**19, dtype="f4", sycl_queue=fresh)
    first = usm.asnumpy(x)
    address = first.ctypes.data
    first[:] = 2
    second = usm.asnumpy(x)
    assert (first == 2).all() and (second == 1).all()
    del first
    third = usm.asnumpy(x)
    assert third.ctypes.data == address
    view = third[::3]
    del third, x
    usm_memory.trim()
    assert (view == 1).all()


def test_large_numpy_arrays_do_without_the_pool(fresh):
    x = usm.ones(2**19, dtype="f4", sycl_queue=fresh)
    usm_memory.trim()
    _hooks.fail("allocation", 0, 1)
    y = usm.asnumpy(x)
    assert _hooks.fail("allocation", 0, 0) == 0
    assert y.flags.owndata
    assert (y == 1).all()


def test_neighbouring_sizes_share_blocks(make, pooling):
    first = _hooks.address(make(1001))
    second = _hooks.address(make(1023))
    assert first == second


@pytest.mark.parametrize("nbytes", [1, 63, 65, 257, 4097, 10**6, 2**21 + 1, 2**22 - 1, 2**25 + 1])
def test_rounding_is_bounded(make, count, nbytes):
    before = count("live")
    memory = make(nbytes)
    unit = 4096 if os.environ.get("USMTENSOR_DISCRETE") == "1" else 64
    unit = unit if nbytes < 4 * MIB else 2 * MIB
    assert nbytes <= count("live") - before <= max(nbytes + unit, nbytes * 1.25)
    del memory
    assert count("live") == before


@pytest.mark.parametrize("nbytes", [0, 1, 64, 320, 2**20, 2**22 - 1, 2**22, 2**25 + 1])
def test_alignment(make, device, nbytes):
    blocks = [make(nbytes) for _ in range(3)]
    alignment = 2**21 if device.is_cpu and nbytes >= 2**22 else 64
    assert not any(_hooks.address(block) % alignment for block in blocks)
    assert len({_hooks.address(block) for block in blocks}) == 3


def test_a_block_of_unusual_alignment_is_not_kept(make, count):
    try:
        memory = make(100, alignment=2**22)
    except usm_memory.USMAllocationError:
        pytest.skip("the driver has no such alignment")
    assert _hooks.address(memory) % 2**22 == 0
    memory.memset(3)
    assert memory.tobytes() == bytes([3]) * 100
    del memory
    assert count("pooled") == 0


def test_peak(make, count):
    memory = make(MIB)
    peak = count("peak")
    assert peak >= count("live") >= MIB
    del memory
    assert count("peak") == peak


def test_a_queue_has_its_own_blocks(make, usm_kind, device, count, pooling):
    del_address = _hooks.address(make(4096))
    other = CLASSES[usm_kind](4096, queue=usm.SyclQueue(device, property="in_order"))
    assert _hooks.address(other) != del_address


def test_commands_on_reused_blocks_come_in_order(fresh):
    """Each array dies with its last command pending, and the next takes its block."""
    total = usm.zeros(2**18, dtype="i4", sycl_queue=fresh)
    for value in range(50):
        x = usm.full(2**18, value, dtype="i4", sycl_queue=fresh)
        total = usm.copy(x)
        del x
    assert (usm.asnumpy(total) == 49).all()


def test_host_writes_into_a_reused_block_come_after_its_commands(fresh):
    for value in range(50):
        x = usm.full(2**10, value, dtype="i4", sycl_queue=fresh)
        y = usm.copy(x)
        del x
        z = usm.asarray(np.full(2**10, -1, "i4"), sycl_queue=fresh)
        assert (usm.asnumpy(y) == value).all()
        assert (usm.asnumpy(z) == -1).all()


def test_threads(fresh, usm_kind, count):
    if fresh.backend == usm.backend_type.cuda and usm_kind != "device":
        pytest.skip("on CUDA a wait beside other threads can skip a command: docs/devices.md")
    errors = []

    def work(byte):
        try:
            for size in [1, 100, 5000, 100, 70000] * 20:
                memory = CLASSES[usm_kind](size, queue=fresh)
                memory.memset(byte)
                if memory.tobytes() != bytes([byte]) * size:
                    errors.append((byte, size))
        except Exception as error:
            errors.append(error)

    live = count("live")
    threads = [threading.Thread(target=work, args=(byte,)) for byte in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert count("live") == live


# Back to the driver


def free_beside_copies():
    device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
    for queue in (usm.SyclQueue(device, property="in_order"), usm.SyclQueue(device)):
        for _ in range(300):
            x = usm_memory.as_usm_memory(usm.empty(2000, dtype="f4", sycl_queue=queue)[3:])
            x.copy_from_device(usm_memory.MemoryUSMDevice(x.nbytes, queue=queue))
            del x
        for _ in range(300):
            x = usm.empty(2**16, dtype="f4", sycl_queue=queue)
            x[7:] = usm.ones(2**16 - 7, dtype="f4", sycl_queue=queue)
            del x
            usm_memory.trim()


@pytest.mark.quirk("early-free")
def test_free_beside_copies():
    """The driver of the CPU crashed where a copy to the middle of a block ended after the free."""
    code = "import test_pool; test_pool.free_beside_copies()"
    assert run(code, PYTHONPATH=os.path.dirname(__file__)) == []


def test_trim(make, count, pooling):
    blocks = [make(size) for size in (64, 5000, 5 * MIB)]
    live = count("live")
    blocks.clear()
    assert count("pooled") == live - count("live") > 5 * MIB
    assert usm_memory.trim() == live - count("live")
    assert count("pooled") == 0
    assert usm_memory.trim() == 0


def test_a_dying_queue_returns_its_blocks(usm_kind, device, count, pooling):
    queue = usm.SyclQueue(device, property="in_order")
    memory = CLASSES[usm_kind](MIB, queue=queue)
    del memory
    assert count("pooled") >= MIB
    del queue
    gc.collect()
    assert count("pooled") == 0


def test_memory_keeps_its_queue(usm_kind, device, count):
    live = count("live")
    memory = CLASSES[usm_kind](MIB, queue=usm.SyclQueue(device, property="in_order"))
    gc.collect()
    memory.memset(7)
    assert memory.tobytes() == bytes([7]) * MIB
    del memory
    gc.collect()
    assert (count("live"), count("pooled")) == (live, 0)


def test_an_escaped_block_is_not_kept(make, count):
    escaped = count("escaped")
    memory = make(4096)
    view = usm.usm_ndarray(4096, "u1", buffer=memory)
    _hooks.escape(memory)
    del memory
    assert count("escaped") == escaped  # the array still holds it
    del view
    assert count("escaped") == escaped + 1
    assert count("pooled") == 0


def test_an_escaped_block_is_not_reused_under_its_consumer(fresh, device, dpctl):
    """A consumer with only the address has a pending copy when the owner dies."""
    dpctl_memory = pytest.importorskip("dpctl.memory")
    nbytes = 2**26
    queue = dpctl.SyclQueue(usm.SyclQueue(device, property="in_order")._get_capsule())
    for _ in range(3):
        memory = usm_memory.MemoryUSMDevice(nbytes, queue=fresh)
        memory.memset(1)
        interface = dict(memory.__sycl_usm_array_interface__)
        _hooks.escape(memory)
        borrowed = dpctl_memory.as_usm_memory(
            type("Borrowed", (), {"__sycl_usm_array_interface__": interface})()
        )
        target = dpctl_memory.MemoryUSMDevice(nbytes, queue=queue)
        event = queue.memcpy_async(target, borrowed, nbytes)
        del memory
        usm_memory.MemoryUSMDevice(nbytes, queue=fresh).memset(2)
        event.wait()
        assert set(bytes(target.tobytes())) == {1}


# Limits


def test_pools_hold_no_more_than_their_limit(make, count, pooling):
    _hooks.limit_memory(pooled=2 * MIB)
    blocks = [make(MIB) for _ in range(2)] + [make(MIB // 2) for _ in range(4)]
    while blocks:
        blocks.pop()
        assert count("pooled") <= 2 * MIB
    make(3 * MIB)
    assert count("pooled") <= 2 * MIB


def test_the_limit_does_not_keep_blocks_of_forgotten_sizes(make, count, pooling):
    _hooks.limit_memory(pooled=2 * MIB)
    blocks = [make(MIB) for _ in range(2)]
    blocks.clear()
    make(MIB // 2)
    hits = count("hits")
    make(MIB // 2)
    assert count("hits") == hits + 1


def used(device):
    """Live bytes of a device, of all kinds."""
    return sum(kind["live"] for kind in usm_memory.statistics()[device].values())


def skip_unless_on_device(usm_kind, device):
    if usm_kind != "device" and not device.is_cpu:
        pytest.skip("the kind does not lie on the device alone")


def test_pressure_empties_the_pools(make, count, usm_kind, device, pooling):
    skip_unless_on_device(usm_kind, device)
    make(4 * MIB)
    assert count("pooled") == 4 * MIB
    _hooks.limit_memory(device=used(device) + 6 * MIB)
    memory = make(3 * MIB)
    assert count("pooled") == 0
    memory.memset(1)


@pytest.mark.quirk("overcommit")
def test_more_than_the_device_has(make, usm_kind, device, count):
    skip_unless_on_device(usm_kind, device)
    make(64)
    _hooks.limit_memory(device=used(device) + 4 * MIB)
    live = count("live")
    memory = make(3 * MIB)
    with pytest.raises(usm_memory.USMAllocationError) as raised:
        make(2 * MIB + 5)
    message = str(raised.value)
    for word in (str(2 * MIB + 5), usm_kind, device.name, f"{count('live')} bytes", "0 pooled"):
        assert word in message
    del memory
    make(2 * MIB + 5).memset(1)
    assert count("live") == live


def test_a_driver_without_memory_is_asked_again(make, count, pooling):
    make(MIB)
    _hooks.fail("driver")
    memory = make(2 * MIB)
    assert count("pooled") == 0
    memory.memset(4)
    assert memory.tobytes() == bytes([4]) * (2 * MIB)


def test_a_driver_that_stays_without_memory(make, count, usm_kind):
    live = count("live")
    _hooks.fail("driver", 0, 2)
    with pytest.raises(usm_memory.USMAllocationError, match=f"1000 bytes of USM.*{usm_kind}"):
        make(1000)
    assert count("live") == live
    assert _hooks.fail("driver", 0, 0) == 0
    make(1000).memset(1)


@pytest.mark.parametrize("nbytes", [2**50, 2**62, 2**63 - 1])
def test_impossible_sizes(make, count, nbytes):
    live = count("live")
    with pytest.raises(usm_memory.USMAllocationError, match=str(nbytes)):
        make(nbytes)
    assert count("live") == live


# Statistics


def test_statistics(make, device, usm_kind):
    memory = make(1)
    statistics = usm_memory.statistics()
    assert set(statistics[device]) == {"device", "shared", "host"}
    row = statistics[device][usm_kind]
    assert set(row) == {"live", "pooled", "peak", "hits", "misses", "escaped"}
    assert all(type(value) is int for value in row.values())
    assert row["live"] >= memory.nbytes


# Variables, and the end of the process

POOLED = """
import usmtensor as usm
from usmtensor import memory
x = usm.empty(2**20, dtype="u1")
del x
print(sum(kind["pooled"] for kinds in memory.statistics().values() for kind in kinds.values()))
"""


def test_pool_off():
    assert run(POOLED, USMTENSOR_POOL="0") == ["0"]
    assert run(POOLED, USMTENSOR_POOL="1") == [str(2**20)]


def test_pool_limit_variable():
    assert run(POOLED, USMTENSOR_POOL="1", USMTENSOR_POOL_LIMIT="1000") == ["0"]
    assert run(POOLED, USMTENSOR_POOL="1", USMTENSOR_POOL_LIMIT="0") == ["0"]
    assert run(POOLED, USMTENSOR_POOL="1", USMTENSOR_POOL_LIMIT=str(2**20)) == [str(2**20)]


@pytest.mark.parametrize("value", ["junk", "-1", "1.5", "2GB"])
def test_bad_pool_limit(value):
    code = """
import usmtensor as usm
for _ in range(2):
    try:
        usm.empty(1)
    except ValueError as error:
        print(error)
"""
    lines = run(code, USMTENSOR_POOL_LIMIT=value)
    assert len(lines) == 2
    assert all("USMTENSOR_POOL_LIMIT" in line and value in line for line in lines)


def test_exit_with_everything_alive():
    code = """
import sys, threading
import usmtensor as usm
queue = usm.SyclQueue(property="in_order")
x = usm.zeros(2**22, sycl_queue=queue)
y = usm.zeros(10)
z = usm.empty(10)
del z
sys.modules["kept"] = [x, y, queue]
def work():
    while True:
        usm.zeros(1000)
threading.Thread(target=work, daemon=True).start()
"""
    assert run(code) == []
