"""Threads, forks, worker processes and the exit of the interpreter, each with a time limit."""

import concurrent.futures
import multiprocessing
import pathlib
import subprocess
import sys
import threading

import joblib
import numpy as np
import pytest
from placement import survives_forks

import usmtensor as usm

pytestmark = [pytest.mark.any_memory, pytest.mark.tier("device")]  # commands reach a queue

PRELUDE = """
import os, sys, threading
import numpy as np
import usmtensor as usm

def work(value=1):
    x = usm.full(1000, value, dtype="i4")
    y = usm.astype(x, "f8")
    y[::2] = 7
    return float(usm.asnumpy(y)[1])
"""


def run(code, timeout=60, silent=True):
    """Runs a script and returns its output; any text on stderr is a failure of a silent script.
    Python 3.12 and newer warn of a fork in a process with threads, which the runtime has."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", PRELUDE + code],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" or not silent
    return done.stdout.split()


def test_first_use_from_many_threads():
    code = """
barrier = threading.Barrier(32)
results = []
def first():
    barrier.wait()
    results.append(work(3))
threads = [threading.Thread(target=first) for _ in range(32)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(*set(results), len(results))
"""
    for _ in range(3):
        assert run(code) == ["3.0", "32"]


def test_threads_on_one_queue_and_on_their_own(device):
    shared = usm.get_device_cached_queue(device)

    def work(number):
        queue = shared if number % 2 else usm.SyclQueue(device, property="in_order")
        for step in range(50):
            x = usm.full(100 + number, step, dtype="i4", sycl_queue=queue)
            y = usm.astype(x, "f4")
            y[1:] = y[:-1]
            assert (usm.asnumpy(y) == step).all()
        return number

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == list(range(8))


def test_threads_on_one_array(queue):
    x = usm.zeros(8, dtype="i8", sycl_queue=queue)

    def work(number):
        for step in range(200):
            x[number] = step

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert x.tolist() == [199] * 8


@pytest.mark.quirk("threads-on-queue")
def test_threads_on_one_out_of_order_queue():
    # Unless threads take turns, the OpenCL CPU driver crashes (8 runs of 8).
    code = """
queue = usm.SyclQueue(usm.select_default_device())
results = []
def repeat(number):
    x = usm.full(8, number, dtype="i4", sycl_queue=queue)
    for step in range(8000):
        y = usm.copy(x)
        if step % 4 == 0:
            queue.wait()
        if step % 100 == 0:
            assert (usm.asnumpy(y) == number).all()
    results.append(number)
threads = [threading.Thread(target=repeat, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(results))
"""
    assert run(code, timeout=120) == ["8"]


@pytest.mark.quirk("own-wait")
def test_waits_of_more_threads_than_cores():
    # If they all wait in the OpenCL CPU driver, one of them may wait for itself (3 runs of 15).
    code = """
other = usm.SyclQueue(usm.select_default_device())
x, many = usm.arange(1000.0), usm.arange(300000.0)
y = usm.arange(1000.0, sycl_queue=other)
def repeat(number):
    for step in range(150):
        kind = (step + number) % 4
        if kind == 0:
            x + y
        elif kind == 1:
            usm.sort(many[::-1])
        elif kind == 2:
            usm.asnumpy(y[usm.astype(x[:3], "i8")])
        else:
            usm.memory.trim()
sys.setswitchinterval(1e-5)
threads = [threading.Thread(target=repeat, args=(number,)) for number in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print("done")
"""
    assert run(code, timeout=120) == ["done"]


@pytest.mark.quirk("queue-end")
def test_queues_end_after_their_commands():
    code = """
device = usm.select_default_device()
for number in range(3000):
    queue = usm.SyclQueue(device)
    x = usm.full(8, number, dtype="i4", sycl_queue=queue)
    if number % 2:
        queue.wait()
    del queue, x
print("end")
"""
    assert run(code) == ["end"]


FORK = """
from usmtensor import _hooks
queue = {queue}
x = usm.full(1 << 16, 1, dtype="i4", sycl_queue=queue)
y = usm.zeros(1 << 16, dtype="i4", sycl_queue=queue)
{pending}
child = os.fork()
if child == 0:
    ok = (usm.asnumpy(y) == {expected}).all() and work(5) == 5.0
    y.to_device(usm.SyclQueue(property="in_order"))[...] = 3
    keep = usm.astype(y, "f8")
    if os.fork() == 0:
        os._exit(0 if (usm.asnumpy(keep) == 3).all() else 1)
    ok = ok and os.waitstatus_to_exitcode(os.wait()[1]) == 0 and (usm.asnumpy(keep) == 3).all()
    os._exit(0 if ok else 1)
assert (usm.asnumpy(y) == {expected}).all()
assert work(6) == 6.0
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


QUEUES = {
    "cached": "usm.get_device_cached_queue(usm.select_default_device())",
    "in order": 'usm.SyclQueue(property="in_order")',
    "out of order": "usm.SyclQueue()",
}


@survives_forks
@pytest.mark.parametrize("queue", QUEUES.values(), ids=QUEUES.keys())
@pytest.mark.parametrize(
    ("pending", "expected"),
    [
        ("", 0),
        ("_hooks.late_copy(queue, y, x, 0.05)", 1),
        ("y[...] = x", 1),
        ("y[...] = x; _hooks.late_host_task(queue); y += x", 2),
    ],
    ids=["none", "late copy", "copy", "task of the host"],
)
@pytest.mark.quirk("awake-threads", "child-threads")
def test_fork(queue, pending, expected):
    assert run(FORK.format(queue=queue, pending=pending, expected=expected)) == ["0"]


# Forks while other threads are busy().
FORKS = """
stop = threading.Event()
threads = [threading.Thread(target=busy) for _ in range(4)]
for thread in threads: thread.start()
for _ in range(10):
    child = os.fork()
    if child == 0:
        os._exit(0 if work(5) == 5.0 else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop.set()
for thread in threads: thread.join()
"""

TASKS_OF_DPCTL = """
import dpctl
def new_queue():
    device = usm.select_default_device().filter_string
    queue = dpctl.SyclQueue(device, property="in_order") if {in_order} else dpctl.SyclQueue(device)
    return queue, usm.SyclQueue(queue)
def task(theirs, ours):
    x = usm.full(1000, 1, dtype="i4", sycl_queue=ours)
    y = usm.copy(x)
    return theirs._submit_keep_args_alive([x, object()], [theirs.submit_barrier()]), y
"""


FORK_WITHOUT_DRIVER = """
x = usm.arange(1000, dtype="i4")
y = x + 1
for use in ({uses}):
    child = os.fork()
    if child == 0:
        try:
            use()
        except Exception as error:
            if "after os.fork the child process can use CPUs only" in str(error):
                os._exit(0)
            print(type(error), error)
        os._exit(1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    assert int(usm.sum(y)) == 500500
"""


@pytest.mark.skipif(usm.select_default_device().is_cpu, reason="the driver survives a fork")
@pytest.mark.quirk("lost-drivers")
def test_fork_without_the_driver():
    uses = ["usm.ones(3)", "x + 1", "int(x[0])", "usm.asnumpy(x)", "x.__setitem__(..., 3)"]
    uses += ["usm.SyclQueue()", "usm.SyclContext()", "usm.from_dlpack(x)"]
    code = FORK_WITHOUT_DRIVER.format(uses=", ".join(f"lambda: {use}" for use in uses))
    # Unified Runtime reports the errors too.
    assert run(code, silent=False) == ["0"] * len(uses)


@survives_forks
@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.quirk("held-commands")
def test_fork_while_host_tasks_wait_for_the_gil(in_order):
    pytest.importorskip("dpctl")
    code = """
queue = new_queue()
for _ in range(5):
    event, y = task(*queue)
    child = os.fork()
    if child == 0:
        os._exit(0 if (usm.asnumpy(y) == 1).all() and work(5) == 5.0 else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    assert (usm.asnumpy(y) == 1).all()
"""
    assert run(TASKS_OF_DPCTL.format(in_order=in_order) + code) == ["0"] * 5


# What a host task drops, the last code that uses it, and a limit of the pool.
DROPPED_IN_HOST_TASKS = {
    "more memory than the pool keeps": ("arrays = [x + 1 for _ in range(4)]", "", 2_500_000),
    "exported memory": ("arrays = [x + 1]; arrays[0].__sycl_usm_array_interface__", "", 0),
    "memory of two queues": (
        "arrays = [x + 1]; arrays += [arrays[0].to_device(usm.SyclQueue()) + 1]",
        "",
        0,
    ),
    "foreign memory": (
        "arrays = [usm.asarray(dpctl.memory.MemoryUSMShared(100, queue=theirs)) + 1]",
        "",
        0,
    ),
    "a queue with memory": ("arrays = [x + 1]", "del queue, theirs, x", 0),
    "a queue": ("arrays = [queue]", "del queue, theirs, x", 0),
}


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("kept", DROPPED_IN_HOST_TASKS.values(), ids=DROPPED_IN_HOST_TASKS)
def test_host_tasks_that_drop_the_last_handle(kept, in_order):
    """A wait for the queue there would never end. The exit finds nothing left to wait for."""
    pytest.importorskip("dpctl")
    code = """
usm.empty(1)  # finds the devices
import dpctl.memory
from usmtensor import _hooks
_hooks.limit_memory(pooled={limit})
for _ in range(10):
    queue = usm.SyclQueue(property="in_order" if {in_order} else None)
    theirs = dpctl.SyclQueue(queue._get_capsule())
    x = usm.ones(250_000, dtype="f4", sycl_queue=queue)
    {drop}
    _hooks.late_host_task(queue, 0.005)
    done = theirs._submit_keep_args_alive(arrays, [theirs.submit_barrier()])
    del arrays
    {then}
    done.wait()
print(float(usm.sum(usm.ones(1000))))
_hooks.late_host_task(usm.SyclQueue(), 0.01)
"""
    drop, then, limit = kept
    code = code.format(drop=drop, then=then, limit=limit, in_order=in_order)
    assert run(code) == ["1000.0"]


def test_exit_while_a_host_task_drops_exported_memory():
    """The task must not wait at the gate, because the exit waits for the task."""
    pytest.importorskip("dpctl")
    code = """
usm.empty(1)
import dpctl
from usmtensor import _hooks
queue = usm.SyclQueue(property="in_order")
theirs = dpctl.SyclQueue(queue._get_capsule())
x = usm.ones(1000, sycl_queue=queue)
x.__sycl_usm_array_interface__
_hooks.late_host_task(queue, 0.5)
theirs._submit_keep_args_alive([x], [theirs.submit_barrier()])
del x
"""
    assert run(code) == []


@survives_forks
@pytest.mark.parametrize("in_order", [True, False])
def test_fork_while_other_threads_submit_host_tasks(in_order):
    pytest.importorskip("dpctl")
    code = """
def busy():
    queue = new_queue()
    while not stop.is_set(): task(*queue)[0].wait()
"""
    assert run(TASKS_OF_DPCTL.format(in_order=in_order) + code + FORKS) == ["0"] * 10


@survives_forks
def test_fork_while_other_threads_work():
    code = """
def busy():
    while not stop.is_set(): work()
"""
    assert run(code + FORKS) == ["0"] * 10


def double(x):
    y = usm.empty_like(x)
    y[...] = x
    return usm.asarray(usm.asnumpy(y) * 2)


def send_double(queue, x):
    queue.put(double(x))


def test_worker_processes_take_and_give_arrays():
    arrays = [usm.full(4, value, dtype="i4") for value in range(3)]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        doubled = list(pool.map(double, arrays))
    for value, y in enumerate(doubled):
        np.testing.assert_array_equal(usm.asnumpy(y), np.full(4, 2 * value, "i4"))


def test_joblib():
    arrays = [usm.full(4, value, dtype="i4") for value in range(3)]
    doubled = joblib.Parallel(n_jobs=2, backend="loky", timeout=120)(
        joblib.delayed(double)(x) for x in arrays
    )
    for value, y in enumerate(doubled):
        np.testing.assert_array_equal(usm.asnumpy(y), np.full(4, 2 * value, "i4"))


def test_a_process_of_multiprocessing():
    context = multiprocessing.get_context("spawn")
    queue = context.SimpleQueue()
    process = context.Process(target=send_double, args=(queue, usm.full(4, 3, dtype="i4")))
    process.start()
    assert usm.asnumpy(queue.get()).tolist() == [6] * 4
    process.join(60)
    assert process.exitcode == 0


def test_soak():
    """A sample of tests/stress/soak.py."""
    script = pathlib.Path(__file__).parent / "stress" / "soak.py"
    done = subprocess.run(
        [sys.executable, str(script), "--operations", "20000"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


EXITS = {
    "live arrays": "x = usm.zeros(1000); y = x[::2]; work()",
    "pending kernels": "x = usm.zeros(1 << 24, dtype='f4')\nfor _ in range(20): x[...] = 1.0",
    "reference cycle": "x = usm.zeros(10); cycle = [x]; cycle.append(cycle)",
    "module global": "np.kept = usm.zeros(10); np.queue = usm.SyclQueue()",
    "late use": """
class Late:
    def __del__(self): work()
late = Late()
import atexit
atexit.register(work)
""",
    "daemon threads": """
import time
def forever(step):
    while True: step()
def on_new_queues():
    x = usm.full(10, 1, dtype="i4", sycl_queue=usm.SyclQueue(property="in_order"))
    x.to_device(usm.SyclQueue())[...] = 2
for step in (work, lambda: usm.empty(1 << 20), on_new_queues, work):
    threading.Thread(target=forever, args=(step,), daemon=True).start()
work()
time.sleep(0.05)
""",
    "daemon threads that export": """
import time
def forever(step):
    while True: step()
for step in (lambda: usm.empty(1).__dlpack_device__(), lambda: usm.from_dlpack(usm.empty(1)),
             lambda: usm.empty(1).__dlpack__(), lambda: usm.asarray(usm.empty(1).usm_data)):
    threading.Thread(target=forever, args=(step,), daemon=True).start()
time.sleep(0.05)
""",
    "daemon threads that share an array": """
import time
x = usm.zeros(250_000, dtype="f4")
def forever():
    while True: usm.add(x, 1, out=x)
for _ in range(3):
    threading.Thread(target=forever, daemon=True).start()
time.sleep(0.05)
usm.add(x, 1, out=x)
""",
    "daemon threads that keep operands": """
import threading
queue = usm.SyclQueue()
memory = [usm.memory.MemoryUSMDevice(1 << 20, queue=queue) for _ in range(2)]
def forever():
    while True: queue.memcpy_async(*memory, 1 << 20)
threading.Thread(target=forever, daemon=True).start()
import time; time.sleep(0.2)
""",
    "daemon threads that drop queues": """
import time
from usmtensor import _hooks
def forever(**keywords):
    while True: _hooks.late_host_task(usm.SyclQueue(**keywords), 0.002)
for keywords in ({}, {"property": "in_order"}, {}, {"property": "in_order"}):
    threading.Thread(target=forever, kwargs=keywords, daemon=True).start()
time.sleep(0.1)
""",
    "pending kernels of an array without end": """
import ctypes
x = usm.zeros(1 << 24, dtype="f4", sycl_queue=usm.SyclQueue())
ctypes.pythonapi.Py_IncRef(ctypes.py_object(x))  # its end would wait for the kernels
for _ in range(30): usm.sin(x, out=x)
""",
    "daemon threads that compute on the host": """
x = usm.ones((300, 300))
def forever(function):
    while True: function()
for function in (lambda: usm.fft.fft(x), lambda: x @ x, lambda: usm.sort(x), lambda: usm.sin(x)):
    threading.Thread(target=forever, args=(function,), daemon=True).start()
import time; time.sleep(0.2)
""",
    "exported view": "x = usm.zeros(10, usm_type='shared'); view = memoryview(x)",
}


@pytest.mark.parametrize("code", EXITS.values(), ids=EXITS.keys())
@pytest.mark.quirk("exit-with-commands", "ended-threads")
def test_exit_is_silent(code):
    for _ in range(2):
        assert run(code, timeout=150) == []


LAST_QUEUE = """
import atexit, threading, time
def check():  # registered before the package, so it runs after the package's handler
    print("waited" if time.monotonic() > end else "early")
atexit.register(check)
import usmtensor as usm
from usmtensor import _hooks
queue = usm.SyclQueue({arguments})
queue.wait()
end = time.monotonic() + 1
_hooks.late_host_task(queue, 1)
dropping = threading.Event()
def drop():
    global queue
    dropping.set()
    del queue
threading.Thread(target=drop, daemon=True).start()
dropping.wait()
time.sleep(0.1)
"""


LONG_EXIT = """
import atexit, threading, time
last = time.monotonic()
atexit.register(lambda: print(time.monotonic() - last > 5.5))  # after the package's handler
import usmtensor as usm
from usmtensor import _hooks
x, queue = usm.ones(10), usm.SyclQueue()
def work():
    global last
    while True:
        x + 1
        last = time.monotonic()
threading.Thread(target=work, daemon=True).start()
time.sleep(0.2)
_hooks.late_host_task(queue, 6)
"""


def test_other_threads_stop_while_an_exit_waits():
    """However long the exit waits: the driver must not end before their work."""
    done = subprocess.run(
        [sys.executable, "-c", LONG_EXIT], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("arguments", ["", "property='in_order'"])
def test_exit_waits_for_the_end_of_a_queue(arguments):
    """A thread waits for the commands of a queue that it drops; the driver must not end first."""
    done = subprocess.run(
        [sys.executable, "-c", LAST_QUEUE.format(arguments=arguments)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "waited\n", "")
