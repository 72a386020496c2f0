"""Work on the calling thread of a CPU device: when it may run there, and the rules for it there:
order, floating point modes, threads, forks, faults.
"""

import contextlib
import ctypes
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, skip_without_tiers
from placement import in_order_queue, out_of_order_queue, survives_forks

import usmtensor as usm
from usmtensor import _hooks

LONG = 0.5  # seconds of pending work


@pytest.fixture(autouse=True)
def host_tier(device):
    skip_without_tiers(device)


SIZE = 64


def made(queue, value=1.0, size=SIZE):
    x = usm.full(size, value, dtype="f4", sycl_queue=queue)
    queue.wait()
    return x


# Pending work decides


def overlapping(x):
    x[1:] = x[:-1]
    return x


# Operations on two arrays that do not wait for the device.
OPERATIONS = {
    "add": lambda x, y: x + y,
    "add a number": lambda x, y: x + 1,
    "exp": lambda x, y: usm.exp(x),
    "in place": lambda x, y: usm.add(x, y, out=x),
    "strided": lambda x, y: x[::2] * y[::-2],
    "astype": lambda x, y: usm.astype(x, "f8"),
    "copy": lambda x, y: usm.copy(x),
    "strided copy": lambda x, y: usm.copy(x[::-2]),
    "fill": lambda x, y: x.__setitem__(..., 3) or x,
    "assignment": lambda x, y: x.__setitem__(np.s_[::2], y[::2]) or x,
    "overlap": lambda x, y: overlapping(x),
    "comparison": lambda x, y: x < y,
    "where": lambda x, y: usm.where(x, x, y),
    "clip": lambda x, y: usm.clip(x, 0, y),
    "tril": lambda x, y: usm.tril(usm.reshape(x, (8, 8))),
    "take": lambda x, y: usm.take(x, usm.astype(y, "i8"), mode="wrap"),
    "arange": lambda x, y: usm.arange(64, dtype="f4", sycl_queue=x.sycl_queue),
}


def late(queue, destination, source, seconds=LONG):
    _hooks.late_copy(queue, destination, source, seconds)
    return destination, source


def pending_work_on_the_queue(x):
    """Work on other arrays, after a user's late command on the queue."""
    queue = x.sycl_queue
    target, source = late(queue, made(queue), made(queue))
    return target, source, target + source


def a_write(x, seconds=LONG):
    return late(x.sycl_queue, x, made(x.sycl_queue, 2.0, x.size), seconds)


def a_read_on_another_queue(x, seconds=LONG):
    other = in_order_queue(x.sycl_device)
    return late(other, made(other, size=x.size), x.to_device(other), seconds)


def a_write_on_another_queue(x, seconds=LONG):
    other = in_order_queue(x.sycl_device)
    return late(other, x.to_device(other), made(other, 2.0, x.size), seconds)


def a_write_on_an_unordered_queue(x, seconds=LONG):
    other = out_of_order_queue(x.sycl_device)
    return late(other, x.to_device(other), made(other, 2.0, x.size), seconds)


PENDING = [
    pending_work_on_the_queue,
    a_write,
    a_read_on_another_queue,
    a_write_on_another_queue,
    a_write_on_an_unordered_queue,
]


@pytest.mark.parametrize("place", [in_order_queue, out_of_order_queue])
@pytest.mark.parametrize("pending", PENDING)
def test_no_call_waits_for_pending_work(pending, place, device):
    """No call waits, no command runs on the host, and all come after the pending work."""
    queue = place(device)

    def operands():
        x, y = made(queue, 0.25), made(queue, 4.0)
        x[1] = 3
        queue.wait()
        return x, y

    expected = []
    for operation in OPERATIONS.values():
        x, y = operands()
        if "write" in pending.__name__:
            x[...] = 2
        with all_on_the_device(queue):  # this compiles all kernels
            result = operation(x, y)
        expected.append(usm.asnumpy(result))
    pairs = [operands() for _ in OPERATIONS]
    x = usm.concat([x for x, _ in pairs])  # one array, so that one pending command concerns all
    queue.wait()
    pairs = [(x[k * SIZE : (k + 1) * SIZE], y) for k, (_, y) in enumerate(pairs)]
    keep = pending(x)
    ran = _hooks.host_commands()
    results = [operation(*pair) for operation, pair in zip(OPERATIONS.values(), pairs, strict=True)]
    assert _hooks.host_commands() == ran
    assert not is_done(keep[0].sycl_queue)
    for name, result, wanted in zip(OPERATIONS, results, expected, strict=True):
        np.testing.assert_array_equal(usm.asnumpy(result), wanted, err_msg=name)


def is_done(queue):
    return queue.submit_barrier().execution_status == usm.event_status_type.complete


# Operations with positions and masks. They may wait for these, but not for the array.
SELECTIONS = {
    "positions": lambda x, i, m: x[i],
    "take": lambda x, i, m: usm.take(x, i),
    "mask": lambda x, i, m: x[m],
    "set positions": lambda x, i, m: x.__setitem__(i, 7) or x,
    "set positions to an array": lambda x, i, m: x.__setitem__(i, usm.asarray(i, dtype="f4")) or x,
    "set a mask": lambda x, i, m: x.__setitem__(m, 7) or x,
    "set a mask to an array": lambda x, i, m: x.__setitem__(m, usm.astype(i, "f4")) or x,
}


@pytest.mark.parametrize("name", SELECTIONS)
@pytest.mark.parametrize("pending", PENDING[1:])
def test_selections_come_after_pending_work(pending, name, device):
    """The host may have counted the mask and checked the positions; the array has work pending."""
    queue = in_order_queue(device)
    x, i = made(queue), usm.asarray([5, 1, -1], sycl_queue=queue)
    m = usm.zeros(SIZE, dtype="?", sycl_queue=queue)
    m[usm.asarray([2, 3, 60], sycl_queue=queue)] = True
    model = np.full(SIZE, 2.0 if "write" in pending.__name__ else 1.0, "f4")
    wanted = {
        "positions": model[[5, 1, -1]],
        "take": model[[5, 1, -1]],
        "mask": model[[2, 3, 60]],
    }.get(name)
    if wanted is None:
        wanted = model.copy()
        wanted[[2, 3, 60] if "mask" in name else [5, 1, -1]] = [5, 1, -1] if "array" in name else 7
    queue.wait()
    target, source = pending(x, 0.1)
    result = SELECTIONS[name](x, i, m)
    np.testing.assert_array_equal(usm.asnumpy(result), wanted)
    if "read" in pending.__name__:  # of the old elements
        target.sycl_queue.wait()
        assert (usm.asnumpy(target) == 1).all()
    del source


@pytest.mark.parametrize("name", SELECTIONS)
def test_small_selections_run_on_the_host(name, device):
    queue = in_order_queue(device)
    x, i = made(queue), usm.asarray([5, 1, -1], sycl_queue=queue)
    m = usm.zeros(SIZE, dtype="?", sycl_queue=queue)
    m[2:5] = True
    with all_on_the_host(queue):
        SELECTIONS[name](x, i, m)


def test_work_of_others_on_other_memory_does_not_matter(device):
    """A user has the queue too, but not the memory of this operation."""
    queue = in_order_queue(device)
    x = made(queue)
    keep = late(queue, made(queue), made(queue))
    ran = _hooks.host_commands()
    assert (usm.asnumpy(x + 1) == 2).all()
    assert _hooks.host_commands() == ran + 1
    del keep


def test_a_host_task_is_pending(device):
    queue = in_order_queue(device)
    x = made(queue)
    usm.asnumpy(x + 1)
    usm_pointer = x.__sycl_usm_array_interface__  # now foreign code may know the memory
    _hooks.late_host_task(queue, LONG)
    ran, start = _hooks.host_commands(), time.perf_counter()
    y = x + 1
    assert time.perf_counter() - start < LONG
    assert _hooks.host_commands() == ran
    assert (usm.asnumpy(y) == 2).all() and usm_pointer


def test_after_a_wait_work_runs_on_the_host_again(device):
    for place in (in_order_queue, out_of_order_queue):
        queue = place(device)
        x = made(queue)
        with all_on_the_device(queue):
            y = x + 1
        with all_on_the_host(queue):
            y = y + x
        assert (usm.asnumpy(y) == 3).all()


@pytest.mark.parametrize("device_class", [1, 2])
def test_a_forced_device_class_has_no_host(device_class, queue):
    x = made(queue)
    ran = _hooks.host_commands()
    _hooks.force_device_class(device_class)
    try:
        y = usm.exp(x[::2]) + 1
    finally:
        _hooks.force_device_class(0)
    assert usm.asnumpy(y).tolist() == pytest.approx([np.e + 1] * (SIZE // 2))
    assert _hooks.host_commands() == ran


def script(code, **environment):
    """The output of a script, in an environment."""
    done = subprocess.run(
        [sys.executable, "-c", "import usmtensor as usm\nfrom usmtensor import _hooks\n" + code],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.stdout.split() or done.stderr


COUNT = """
x = usm.arange(8, dtype="f4")
y = usm.arange(200_000, dtype="f4")
ran = _hooks.host_commands()
x = usm.exp(x * 0) + 1
print(_hooks.host_commands() - ran, float(x[3]))
ran = _hooks.host_commands()
y.sycl_queue.wait()
y = usm.pow(y, y)
print(_hooks.host_commands() - ran)
"""


@pytest.mark.parametrize(
    "environment, expected",
    [
        ({"USMTENSOR_TIER": "auto"}, ["3", "2.0"]),
        ({"USMTENSOR_TIER": ""}, ["3", "2.0"]),
        ({"USMTENSOR_TIER": "host"}, ["3", "2.0", "1"]),
        ({"USMTENSOR_TIER": "device"}, ["0", "2.0", "0"]),
        ({"USMTENSOR_TIER": "auto", "USMTENSOR_DISCRETE": "1"}, ["0", "2.0", "0"]),
        ({"USMTENSOR_TIER": "host", "USMTENSOR_DISCRETE": "1"}, ["0", "2.0", "0"]),
    ],
)
def test_the_variable(environment, expected):
    """By default large work runs on the host only while its kernel compiles."""
    assert script(COUNT, **environment)[: len(expected)] == expected


def test_unknown_values_of_the_variable():
    assert 'USMTENSOR_TIER is "gpu"' in script(COUNT, USMTENSOR_TIER="gpu")


# Floating point modes of the thread

MXCSR = 28  # its offset in fenv_t of x86-64
FLUSH = 0x8040  # subnormal results and operands become zeros
UPWARD, TOWARDS_ZERO = 0x4000, 0x6000


def mxcsr(change=None):
    """The control bits of the thread; changes them."""
    libm, state = ctypes.CDLL("libm.so.6"), (ctypes.c_ubyte * 32)()
    libm.fegetenv(state)
    found = int.from_bytes(state[MXCSR:], "little")
    if change is not None:
        state[MXCSR:] = change.to_bytes(4, "little")
        libm.fesetenv(state)
    return found & ~0x3F


@contextlib.contextmanager
def mode(bits):
    before = mxcsr()
    mxcsr(before | bits)
    try:
        yield
        after = mxcsr()
    finally:
        mxcsr(before)
    assert after == before | bits


MODES = {"flush": FLUSH, "upward": UPWARD, "towards zero": TOWARDS_ZERO, "all": FLUSH | UPWARD}
ROUNDED = {
    "add": lambda x, y: x + y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "sqrt": lambda x, y: usm.sqrt(x),
    "exp": lambda x, y: usm.exp(x),
    "sin": lambda x, y: usm.sin(x),
    "pow": lambda x, y: usm.pow(x, y),
    "round": lambda x, y: usm.round(x),
    "half": lambda x, y: usm.astype(x, "f2"),
    "double": lambda x, y: usm.astype(x, "f8"),
    "integer": lambda x, y: usm.astype(x, "i8"),
    "of integers": lambda x, y: usm.astype(usm.astype(x, "i8") * 1234567891234567, x.dtype),
    "strided": lambda x, y: x[::2] * y[::-2],
    "equal": lambda x, y: x == y * 0,
    "place": lambda x, y: x[usm.astype(x, "?")],
    "number": lambda x, y: x * 0.75,
}


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("bits", MODES.values(), ids=MODES.keys())
def test_modes_of_the_thread_change_nothing(bits, char, queue):
    """The library does not change the modes either."""
    random = np.random.default_rng(3)
    values = np.concatenate([random.normal(size=99), random.normal(size=99) * np.finfo(char).tiny])
    x, y = (usm.asarray(v.astype(char), sycl_queue=queue) for v in (values, values[::-1].copy()))
    for name, operation in ROUNDED.items():
        with all_on_the_host(queue):
            usual = usm.asnumpy(operation(x, y))
            with mode(bits):
                other = operation(x, y)
            other = usm.asnumpy(other)
        np.testing.assert_array_equal(other.view("u1"), usual.view("u1"), err_msg=name)


def test_traps_do_not_reach_the_host():
    """A thread that wants a signal of a division by zero gets none from the library."""
    code = """
import ctypes
x = usm.asarray([1.0, 0.0], dtype="f4")
libm = ctypes.CDLL("libm.so.6")
libm.feenableexcept(4)
y = x / x
libm.fedisableexcept(4)
print(_hooks.host_commands() > 0, y[0] == 1)
"""
    assert script(code) == ["True", "True"]


# Threads and forks


def test_small_work_of_threads_beside_large_work(queue):
    """On one queue, with memory that goes from thread to thread through the pool."""
    stop, wrong = threading.Event(), []

    def large():
        while not stop.is_set():
            x = usm.full(300_000, 3.0, dtype="f4", sycl_queue=queue)
            if not (usm.asnumpy(x * x + x) == 12).all():
                wrong.append("large")

    def small(number):
        for step in range(200):
            x = usm.full(50 + number, float(step), dtype="f4", sycl_queue=queue)
            x[::2] += number
            y = x[usm.asarray([0, 1, 2], sycl_queue=queue)]
            z = (x * 2)[x >= 0]
            if y.tolist() != [step + number, step, step + number] or float(z[1]) != 2 * step:
                wrong.append((number, step))

    worker = threading.Thread(target=large)
    threads = [threading.Thread(target=small, args=(number,)) for number in range(8)]
    ran = _hooks.host_commands()
    worker.start()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stop.set()
    worker.join()
    assert wrong == []
    assert _hooks.host_commands() > ran


@pytest.mark.parametrize(
    "name, select",
    {
        "mask": lambda x, mask: x[mask],
        "nonzero": lambda x, mask: usm.nonzero(mask)[0],
        "extract": lambda x, mask: usm.extract(mask, x),
        "index": lambda x, mask: x[x[10:20]],
        "copy": lambda x, mask: usm.copy(x[::2]),
        "add": lambda x, mask: x + x,
        "overlap": lambda x, mask: overlapping(x),
    }.items(),
)
def test_blocks_that_other_threads_drop_with_a_command_pending(name, select, queue):
    """The block is allocated before the choice of the command's tier."""
    values = np.arange(100)
    wanted = {
        **dict.fromkeys(["mask", "nonzero", "extract"], values[::3]),
        "index": values[10:20],
        "copy": values[::2],
        "add": 2 * values,
        "overlap": np.maximum(values - 1, 0),
    }[name]
    for nbytes in (1, 80, 272, 400, 800):
        x, mask = (usm.asarray(array, sycl_queue=queue) for array in (values, values % 3 == 0))
        queue.wait()
        _hooks.drop_pending_block(queue, nbytes)
        assert usm.asnumpy(select(x, mask)).tolist() == wanted.tolist()
        _hooks.fail("allocation", 0, 0)


def test_other_threads_continue_during_a_long_command_on_the_host(queue):
    x = usm.full(1 << 23, 0.5, dtype="f8", sycl_queue=queue)
    out, stamps, stop = usm.empty_like(x), [], threading.Event()

    def stamp():
        while not stop.wait(0.001):
            stamps.append(time.perf_counter())

    thread = threading.Thread(target=stamp)
    thread.start()
    try:
        with all_on_the_host(queue):
            for operation in (
                lambda: usm.pow(x, x, out=out),
                lambda: usm.pow(x[::-1], x, out=out[::-1]),
            ):
                start = time.perf_counter()
                operation()
                end = time.perf_counter()
                fifth = (end - start) / 5
                assert end - start > 0.005
                assert any(start + fifth < when < end - fifth for when in stamps)
    finally:
        stop.set()
        thread.join()


@survives_forks
@pytest.mark.parametrize("first", [True, False], ids=["first use", "later"])
def test_forks_while_threads_do_small_work(first):
    """No child finds a lock that a thread held."""
    code = f"""
import os, threading, warnings
warnings.simplefilter("ignore")
stop = threading.Event()
queue = usm.get_device_cached_queue(usm.SyclDevice())
def small():
    x = usm.asarray(list(range(50)))
    while not stop.is_set():
        x[usm.asarray([1, 2])] = 3
        y = usm.exp(x[::2]) + 1
if not {first}:
    usm.exp(usm.arange(8.0))
threads = [threading.Thread(target=small) for _ in range(4)]
for thread in threads: thread.start()
states = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        x = usm.exp(usm.zeros(8)) + usm.ones(8)
        os._exit(0 if x.tolist() == [2] * 8 else 1)
    states.append(os.waitpid(child, 0)[1])
stop.set()
for thread in threads: thread.join()
print(*set(states))
"""
    assert script(code) == ["0"]


# Chains: every step is small, and depends on the previous one


def test_a_thousand_steps(queue):
    x = made(queue, 0.0)
    with all_on_the_host(queue):
        ran = _hooks.host_commands()
        for _ in range(1000):
            x = x * 0.5 + 1
        assert _hooks.host_commands() == ran + 2000
        assert usm.asnumpy(x).tolist() == [2] * SIZE
        for _ in range(1000):
            x += 1
        assert _hooks.host_commands() == ran + 3000
    assert usm.asnumpy(x).tolist() == [1002] * SIZE


def test_a_loop_over_rows(queue):
    x = usm.reshape(usm.arange(800, dtype="f8", sycl_queue=queue), (100, 8))
    with all_on_the_host(queue):
        ran, total = _hooks.host_commands(), 0.0
        for row in x:
            row *= 2
            row[0] = usm.exp(row[1:] * 0)[0]
            total += float(row[0])
        assert _hooks.host_commands() >= ran + 300
    assert total == 100
    expected = np.arange(800.0).reshape(100, 8) * 2
    expected[:, 0] = 1
    assert usm.asnumpy(x).tolist() == expected.tolist()


def test_an_iteration_until_the_error_is_small(queue):
    a = usm.asarray(np.linspace(1, 9, 9), sycl_queue=queue)
    with all_on_the_host(queue):
        x = usm.copy(a)
        error, steps = 1.0, 0
        while error > 1e-12:
            better = (x + a / x) / 2
            error = float(usm.abs(better - x)[-1])
            x, steps = better, steps + 1
    assert 3 < steps < 20
    assert usm.asnumpy(x) == pytest.approx(np.sqrt(np.linspace(1, 9, 9)))


# Users' kernels


def compiled():
    counts = _hooks.kernel_statistics()
    return counts["source"] + counts["disk"]


def test_strided_inputs_do_not_wait_for_a_kernel_of_their_own(queue):
    """They are copied for the kernel of contiguous arrays."""
    kernel = usm.ElementwiseKernel("T x, T y", "T z", "z = x * T(3) - y", f"own_{time.time_ns()}")
    before = compiled()
    for n in (30, 300):
        x = usm.reshape(usm.arange(4 * n * n, dtype="f4", sycl_queue=queue), (2 * n, 2 * n))
        for one, other in ((x[::2, ::2], x[1::2, 1::2]), (x[:, :1], x[0]), (x.T, x)):
            wanted = usm.asnumpy(one) * 3 - usm.asnumpy(other)
            np.testing.assert_array_equal(usm.asnumpy(kernel(one, other)), wanted)
            assert n == 300 or compiled() == before + 1
    end = time.monotonic() + 60
    while compiled() == before + 1:
        assert time.monotonic() < end, "the kernel for rows is not compiled in the background"
        time.sleep(0.01)
    np.testing.assert_array_equal(usm.asnumpy(kernel(one, other)), wanted)


# Faults


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_command_that_fails_on_the_host(name, queue):
    """Raises the command's error; arrays stay unchanged, and the next command works."""
    operation = OPERATIONS[name]
    x, y = made(queue, 0.25), made(queue, 4.0)
    x[1] = 3
    before = usm.asnumpy(x), usm.asnumpy(y)
    queue.wait()
    _hooks.force_tier("host")
    submitted = _hooks.submitted_commands(queue)
    _hooks.fail("command")
    try:
        with pytest.raises(usm.SyclError, match="a test asked for this failure"):
            operation(x, y)
        assert _hooks.submitted_commands(queue) == submitted
    finally:
        _hooks.fail("command", 0, 0)
    np.testing.assert_array_equal((usm.asnumpy(x), usm.asnumpy(y)), before)
    with all_on_the_host(queue):
        operation(x, y)


# The module

# What x86-64-v3 adds, by the names of /proc/cpuinfo: `abm` has LZCNT, and AVX includes the rest.
V3 = {"avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"}

SUMS = """
import hashlib
import numpy as np
import usmtensor as usm
from usmtensor import _hooks
x = usm.asarray(np.random.default_rng(0).normal(size=1000).astype("f4"))
found = [usm.exp(x), usm.sum(x), usm.cumulative_sum(x), usm.sort(x), x[::3] * 2]
print(hashlib.sha256(b"".join(usm.asnumpy(y).tobytes() for y in found)).hexdigest())
print(_hooks.host_commands() > 0, "/libtensor_host.so" in open("/proc/self/maps").read())
"""


def sums(**variables):
    done = subprocess.run(
        [sys.executable, "-c", SUMS],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.split()


def test_the_host_tier_needs_a_processor_with_avx2(device):
    """On others the device runs all work, with equal bits."""
    if not device.is_cpu:
        pytest.skip("the host does the work of CPUs alone")
    with open("/proc/cpuinfo") as file:
        flags = next(line for line in file if line.startswith("flags"))
    has_avx2 = str(V3.issubset(flags.split()))
    bits, *with_host = sums()
    same_bits, *without_host = sums(USMTENSOR_TEST_HIDE="avx2")
    assert with_host == [has_avx2, has_avx2]
    assert without_host == ["False", "False"]
    assert bits == same_bits
