"""Operations of several threads on one memory run one after the other.

Each operation of a test reads and writes whole arrays whose elements are all equal, so that any two
operations that overlap leave elements that differ, or lose an update.
"""

import random
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import usmtensor as usm
from usmtensor import _hooks

# Numbers of elements on both sides of each limit: at once with the GIL, on the host without it, on
# the device.
SIZES = [1000, 60_000, 250_000, 1_000_000]


@pytest.fixture(autouse=True)
def restless():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def in_threads(*steps, count=100):
    """Calls each step `count` times in a thread of its own; all threads begin at once."""
    barrier = threading.Barrier(len(steps))
    errors = []

    def work(step):
        barrier.wait()
        try:
            for k in range(count):
                step(k)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(step,)) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def value_of(x):
    """The value of all elements."""
    found = np.unique(usm.asnumpy(x))
    assert found.size == 1, f"elements differ: {found[:5]}"
    return found[0]


@pytest.mark.parametrize("tier", ["auto", "host", "device"])
@pytest.mark.parametrize("size", SIZES)
def test_no_update_in_place_is_lost(queue, size, tier):
    _hooks.force_tier(tier)
    x = usm.zeros(size, dtype="f4", sycl_queue=queue)

    def add(_):
        usm.add(x, 1, out=x)

    in_threads(add, add, count=60)
    assert value_of(x) == 120


@pytest.mark.parametrize("size", SIZES)
def test_no_update_is_lost_while_types_are_converted(queue, size):
    """The result is computed in a temporary array, and then copied."""
    x = usm.zeros(size, dtype="f4", sycl_queue=queue)
    one = usm.ones(size, dtype="i4", sycl_queue=queue)  # float64, or float32 on some devices

    def add(_):
        x.__iadd__(one)

    in_threads(add, add, count=40)
    assert value_of(x) == 80


def test_updates_of_views_that_overlap(queue):
    x = usm.zeros(250_001, dtype="i4", sycl_queue=queue)
    first, last = x[:-1], x[1:]

    def add_to(view):
        return lambda _: usm.add(view, 1, out=view)

    in_threads(add_to(first), add_to(last), add_to(x[::-1]), count=40)
    assert value_of(x[1:-1]) == 120
    assert usm.asnumpy(x[[0, -1]]).tolist() == [80, 80]


@pytest.mark.parametrize("size", SIZES)
def test_readers_see_whole_operations(queue, size):
    x = usm.zeros(size, dtype="i4", sycl_queue=queue)
    total = usm.empty((), dtype="i8", sycl_queue=queue)

    def add(_):
        usm.add(x, 1, out=x)

    def copy(_):
        value_of(usm.copy(x))

    def reduce(_):
        usm.sum(x, dtype="i8", out=total)
        assert int(total) % size == 0

    def assign(k):
        x[...] = k

    in_threads(add, copy, reduce, assign, count=40)
    value_of(x)


@pytest.mark.parametrize("seed", range(3))
def test_random_operations_on_shared_arrays(queue, seed):
    """Three threads, three arrays of equal elements, any operation that keeps them equal."""
    choice = random.Random(seed)
    size = choice.choice(SIZES)
    arrays = [usm.zeros(size, dtype="i4", sycl_queue=queue) for _ in range(3)]
    places = usm.arange(size, sycl_queue=queue)
    operations = [
        lambda x, y, k: usm.add(x, k, out=x),
        lambda x, y, k: usm.add(x, y, out=x),
        lambda x, y, k: x.__setitem__(slice(None), k),
        lambda x, y, k: x.__setitem__(slice(None), y),
        lambda x, y, k: x.__setitem__(places, k),
        lambda x, y, k: usm.multiply(x[::-1], 3, out=x),
        lambda x, y, k: usm.sort(x[::-1]),
        lambda x, y, k: usm.maximum(x, y, out=y),
        lambda x, y, k: value_of(x),
        lambda x, y, k: usm.max(x, axis=0).tolist(),
        lambda x, y, k: x.astype("f4"),
    ]

    def work(number):
        own = random.Random(f"{seed} {number}")
        end = time.monotonic() + 2

        def step(k):
            if time.monotonic() < end:
                x, y = own.choices(arrays, k=2)
                own.choice(operations)(x, y, k)

        return step

    with np.errstate(all="ignore"):
        in_threads(*map(work, range(3)), count=200)
    for x in arrays:
        value_of(x)


FIRST_CALLS = """
import sys, threading
import numpy as np
import usmtensor as usm
x = usm.zeros(400_000, dtype="{dtype}")
def add():
    for _ in range(30):
        usm.add(x, 1, out=x)
threads = [threading.Thread(target=add) for _ in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(np.unique(usm.asnumpy(x)).tolist())
"""


@pytest.mark.parametrize("dtype", ["i2", "f8", "c8"])
def test_no_update_is_lost_while_the_kernel_compiles(dtype, device, monkeypatch):
    if dtype == "f8" and not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    monkeypatch.setenv("USMTENSOR_CACHE", "0")
    monkeypatch.setenv("USMTENSOR_KERNELS", "spirv")
    done = subprocess.run(
        [sys.executable, "-c", FIRST_CALLS.format(dtype=dtype)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (eval(done.stdout or "None"), done.stderr) == ([90], "")
