"""Every step of an operation fails once. Each failure raises, leaks nothing, and breaks no later
call.

The steps are allocations, commands and compilations.
"""

import copy
import gc
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
from placement import other_context_queue

import usmtensor as usm
from usmtensor import _hooks
from usmtensor import memory as usm_memory

pytestmark = pytest.mark.tier("device")  # commands reach a queue


@pytest.fixture(autouse=True)
def no_faults():
    yield
    for step in ("allocation", "context", "queue", "event", "pointer", *REFUSALS):
        _hooks.fail(step, 0, 0)


def test_texts_of_drivers_need_not_be_utf8():
    with pytest.raises(usm.SyclError, match=r"^no \ufffd memory$"):
        _hooks.driver_error(b"no \xff memory")


def live():
    """Bytes in use, of all devices and kinds."""
    gc.collect()
    return sum(
        kind["live"] for kinds in usm_memory.statistics().values() for kind in kinds.values()
    )


HOST = np.arange(720, dtype="f4")
REFUSALS = ["command", "part of a command", "barrier", "compile"]


def array(queue, shape=(720,)):
    return usm.asarray(HOST.reshape(shape), sycl_queue=queue)


def shift(x):
    x[1:] = x[:-1]
    return x


def assign(x, value):
    x[...] = value
    return x


def memories(queue):
    return [usm_memory.MemoryUSMDevice(2**17, queue=queue) for _ in range(2)]


def on_two_queues(queue):
    x = array(queue)
    return x, x.to_device(usm.SyclQueue(queue.sycl_device))


SIX = (2, 3, 4, 5, 3, 2)
LARGE = np.arange(2.0**15)
# A function that makes the operands, and the operation on them.
OPERATIONS = {
    "empty": (None, lambda queue, _: usm.empty(5, sycl_queue=queue)),
    "zeros": (None, lambda queue, _: usm.zeros((3, 4), sycl_queue=queue)),
    "full": (None, lambda queue, _: usm.full((3, 4), 2, dtype="i4", sycl_queue=queue)),
    "ones": (None, lambda queue, _: usm.ones((3, 4), order="F", sycl_queue=queue)),
    "full of an array": (array, lambda queue, x: usm.full((2, 720), x)),
    "empty_like": (array, lambda queue, x: usm.empty_like(x)),
    "zeros_like": (array, lambda queue, x: usm.zeros_like(x, dtype="c8")),
    "ones_like": (array, lambda queue, x: usm.ones_like(x)),
    "full_like": (array, lambda queue, x: usm.full_like(x, 3)),
    "memory": (None, lambda queue, _: usm_memory.MemoryUSMDevice(100, queue=queue)),
    "memory of a buffer": (None, lambda queue, _: usm_memory.MemoryUSMDevice(b"abc", queue=queue)),
    "copy of a memory": (array, lambda queue, x: usm_memory.MemoryUSMDevice(x.usm_data, copy=True)),
    "usm_ndarray": (
        None,
        lambda queue, _: usm.usm_ndarray((3, 4), "i4", buffer_ctor_kwargs={"queue": queue}),
    ),
    "memory of USM": (array, lambda queue, x: usm_memory.MemoryUSMDevice(x, copy=True)),
    "memset": (memories, lambda queue, pair: pair[0].memset(3)),
    "copy_from_device": (memories, lambda queue, pair: pair[0].copy_from_device(pair[1])),
    "copy_from_device with overlap": (
        lambda queue: usm.usm_ndarray(720, "f4", buffer=array(queue)),
        lambda queue, x: usm_memory.as_usm_memory(x[2:]).copy_from_device(x[:-2]),
    ),
    "copy_from_host": (memories, lambda queue, pair: pair[0].copy_from_host(bytes(2**17))),
    "copy_to_host": (memories, lambda queue, pair: pair[0].copy_to_host()),
    "tobytes": (memories, lambda queue, pair: pair[0].tobytes()),
    "pickle a memory": (memories, lambda queue, pair: pickle.loads(pickle.dumps(pair[0]))),
    "memcpy": (memories, lambda queue, pair: queue.memcpy(*pair, 2**17)),
    "memcpy to the host": (memories, lambda queue, pair: queue.memcpy(bytearray(9), pair[0], 9)),
    "memcpy_async": (memories, lambda queue, pair: queue.memcpy_async(*pair, 2**17).wait()),
    "prefetch": (memories, lambda queue, pair: queue.prefetch(pair[0])),
    "mem_advise": (memories, lambda queue, pair: queue.mem_advise(pair[0], 0, 0)),
    "copy": (array, lambda queue, x: usm.copy(x)),
    "copy.copy": (array, lambda queue, x: copy.copy(x)),
    "copy.deepcopy": (array, lambda queue, x: copy.deepcopy(x)),
    "large copy": (
        lambda queue: usm.zeros(2**16, dtype="f4", sycl_queue=queue),
        lambda queue, x: usm.copy(x),
    ),
    "transposed copy": (
        lambda queue: array(queue, (24, 30)).T,
        lambda queue, x: usm.copy(x, order="C"),
    ),
    "copy on two queues": (on_two_queues, lambda queue, pair: usm.copy(pair[1])),
    "setitem on two queues": (on_two_queues, lambda queue, pair: assign(pair[1], 3)),
    "copy on an out-of-order queue": (
        lambda queue: array(usm.SyclQueue(queue.sycl_device)),
        lambda queue, x: usm.copy(x[::2]),
    ),
    "copy of a view": (array, lambda queue, x: usm.copy(x[::-3])),
    "copy of six axes": (
        lambda queue: usm.permute_dims(array(queue, SIX), (5, 0, 4, 1, 3, 2))[:, ::-1],
        lambda queue, x: usm.copy(x, order="C"),
    ),
    "astype": (array, lambda queue, x: usm.astype(x, "c8")),
    "sum of a large transpose": (
        lambda queue: usm.ones((800, 800), dtype="f4", sycl_queue=queue),
        lambda queue, x: x + x.T,
    ),
    "astype of a large transpose": (
        lambda queue: usm.ones((800, 800), dtype="f4", sycl_queue=queue).T,
        lambda queue, x: usm.astype(x, "i2", order="C"),
    ),
    "asarray of NumPy": (None, lambda queue, _: usm.asarray(HOST, sycl_queue=queue)),
    "asarray of a list": (None, lambda queue, _: usm.asarray([[1, 2], [3, 4]], sycl_queue=queue)),
    "asarray of arrays": (array, lambda queue, x: usm.asarray([x[:3], [x[0], 1, 2]])),
    "from_numpy": (None, lambda queue, _: usm.from_numpy(HOST.astype("f2"), sycl_queue=queue)),
    "from_numpy, large": (None, lambda queue, _: usm.from_numpy(LARGE, sycl_queue=queue)),
    "asarray of a copy": (array, lambda queue, x: usm.asarray(x, copy=True)),
    "asarray of another type": (array, lambda queue, x: usm.asarray(x, dtype="i4")),
    "asnumpy": (lambda queue: array(queue)[::2], lambda queue, x: usm.asnumpy(x)),
    "asnumpy, large": (
        lambda queue: usm.from_numpy(LARGE, sycl_queue=queue),
        lambda queue, x: usm.asnumpy(x),
    ),
    "arange": (None, lambda queue, _: usm.arange(9, dtype="i2", sycl_queue=queue)),
    "arange of floats": (None, lambda queue, _: usm.arange(9, dtype="c8", sycl_queue=queue)),
    "linspace": (None, lambda queue, _: usm.linspace(0, 1j, 9, sycl_queue=queue)),
    "eye": (None, lambda queue, _: usm.eye(9, sycl_queue=queue)),
    "tril": (lambda queue: array(queue, (24, 30)), lambda queue, x: usm.tril(x)),
    "meshgrid": (array, lambda queue, x: usm.meshgrid(x[:3], x[:4])),
    "concat": (array, lambda queue, x: usm.concat([x, x[::2]])),
    "stack": (array, lambda queue, x: usm.stack([x, x[::-1]], axis=1)),
    "roll": (lambda queue: array(queue, (24, 30)).T, lambda queue, x: usm.roll(x, 3)),
    "repeat": (array, lambda queue, x: usm.repeat(x, 3)),
    "repeat by an array": (array, lambda queue, x: usm.repeat(x[:3], usm.astype(x[:3], "i4"))),
    "tile": (array, lambda queue, x: usm.tile(x, (2, 3))),
    "scalar": (array, lambda queue, x: float(x[3])),
    "item": (array, lambda queue, x: x.item(3)),
    "tolist": (array, lambda queue, x: x[::3].tolist()),
    "repr": (array, lambda queue, x: repr(x[::3])),
    "format": (array, lambda queue, x: f"{x[1]:.2f}"),
    "setitem of a scalar": (array, lambda queue, x: assign(x, 3)),
    "setitem of NumPy": (array, lambda queue, x: assign(x, HOST.astype("i4"))),
    "setitem of large NumPy": (
        lambda queue: usm.zeros(LARGE.shape, dtype=LARGE.dtype, sycl_queue=queue),
        lambda queue, x: assign(x, LARGE),
    ),
    "setitem of a list": (array, lambda queue, x: assign(x[:3], [1, 2.5, x[5]])),
    "setitem with overlap": (array, lambda queue, x: shift(x)),
    "setitem of six axes": (
        lambda queue: array(queue, SIX)[:, ::-1, ::2],
        lambda queue, x: assign(x, 1),
    ),
    "reshape with a copy": (
        lambda queue: array(queue, (24, 30)).T,
        lambda queue, x: usm.reshape(x, 720),
    ),
    "to another context": (array, lambda queue, x: x.to_device(other_context_queue(x.sycl_device))),
    "view to another context": (
        lambda queue: array(queue)[::-2],
        lambda queue, x: x.to_device(other_context_queue(x.sycl_device)),
    ),
    "setitem across contexts": (
        lambda queue: (array(queue), array(other_context_queue(queue.sycl_device))[::-1]),
        lambda queue, pair: assign(pair[0], usm.astype(pair[1], "f8")),
    ),
    "getitem of an array": (array, lambda queue, x: x[usm.astype(x[:9], "u8")]),
    "getitem of NumPy": (array, lambda queue, x: x[np.arange(9)]),
    "getitem of two arrays": (
        lambda queue: (array(queue, (24, 30)), usm.astype(array(queue)[:9], "i2")),
        lambda queue, pair: pair[0][pair[1], pair[1]],
    ),
    "getitem of a mask": (array, lambda queue, x: x[::2][usm.astype(x[:360], "?")]),
    "getitem of a mask of two axes": (
        lambda queue: array(queue, (24, 30)).T,
        lambda queue, x: x[usm.astype(x, "?")],
    ),
    "setitem of an array": (array, lambda queue, x: x.__setitem__(usm.astype(x[:9], "i4"), x[:9])),
    "setitem of a mask": (array, lambda queue, x: x.__setitem__(usm.astype(x, "?"), 3)),
    "setitem of a mask, an array": (
        array,
        lambda queue, x: x.__setitem__(usm.astype(x, "?"), x[1:]),
    ),
    "take": (array, lambda queue, x: usm.take(x, usm.astype(x[:9], "u8"))),
    "take into itself": (
        array,
        lambda queue, x: usm.take(x, usm.astype(x[::-1], "i4"), out=x),
    ),
    "take_along_axis": (array, lambda queue, x: usm.take_along_axis(x, usm.astype(x[:9], "u8"))),
    "put": (array, lambda queue, x: usm.put(x, usm.astype(x[:9], "i4"), x[9:18])),
    "put_along_axis": (
        array,
        lambda queue, x: usm.put_along_axis(x, usm.astype(x[:9], "i4"), 2, mode="raise"),
    ),
    "extract": (array, lambda queue, x: usm.extract(x, x)),
    "place": (array, lambda queue, x: usm.place(x, x, x[4:6])),
    "place in a view": (
        lambda queue: array(queue, (24, 30)).T,
        lambda queue, x: usm.place(x, x, x[0, 4:6]),
    ),
    "nonzero": (lambda queue: array(queue, (24, 30)), lambda queue, x: usm.nonzero(x)),
    "sort": (lambda queue: array(queue, (24, 30)), lambda queue, x: usm.sort(x, axis=0)),
    "sort of a long row": (
        lambda queue: usm.asarray(LARGE, sycl_queue=queue),
        lambda queue, x: usm.sort(x, descending=True),
    ),
    "sort, complex": (lambda queue: usm.astype(array(queue), "c16"), lambda queue, x: usm.sort(x)),
    "argsort": (array, lambda queue, x: usm.argsort(x)),
    "top_k": (array, lambda queue, x: usm.top_k(x, 5)),
    "searchsorted": (array, lambda queue, x: usm.searchsorted(x, x[::2], sorter=usm.argsort(x))),
    "isin": (array, lambda queue, x: usm.isin(x, x[:7])),
    "unique_all": (array, lambda queue, x: usm.unique_all(x)),
    "pickle": (lambda queue: pickle.dumps(array(queue)), lambda queue, text: pickle.loads(text)),
}


def fail_each(step, error_type, message, queue, run, made):
    """Lets each step of an operation fail in turn; returns the number of steps."""
    before = live()
    for passed in range(30):
        _hooks.fail(step, passed)
        result = None
        try:
            result = run(queue, made)
        except error_type as error:
            assert message in str(error)
            met = True
        else:
            met = _hooks.fail(step, 0, 0) == 0
            assert not met or step == "barrier"  # the end of a memory waits instead
        assert _hooks.fail(step, 0, 0) == 0
        del result
        assert live() == before
        if not met:
            return passed
    return pytest.fail("the operation has more steps than expected")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_allocation_may_fail(queue, operation):
    prepare, run = OPERATIONS[operation]
    made = prepare(queue) if prepare else None
    run(queue, made)  # memory that the first call keeps for good is not a leak
    if not fail_each("allocation", usm_memory.USMAllocationError, "bytes of USM", queue, run, made):
        pytest.skip("the operation allocates nothing here")


@pytest.mark.parametrize("step", ["command", "part of a command", "barrier"])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_command_may_fail(queue, operation, step):
    prepare, run = OPERATIONS[operation]
    made = prepare(queue) if prepare else None
    run(queue, made)
    if not fail_each(step, usm.SyclError, "a test asked for this failure", queue, run, made):
        pytest.skip("the operation submits nothing here")


def every_kernel_fails_once():
    """In its own process, because a process compiles a kernel only once."""
    queue = usm.get_device_cached_queue(
        usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
    )
    failed = 0
    for name, (prepare, run) in OPERATIONS.items():
        made = prepare(queue) if prepare else None
        before = live()
        for passed in [0, *[1] * 10]:  # one more kernel compiles, and the next one fails
            _hooks.fail("compile", passed)
            try:
                result = run(queue, made)
                break
            except usm.SyclError as error:
                assert " does not compile for " in str(error), name
            failed += 1
            assert live() == before, name
        _hooks.fail("compile", 0, 0)
        result = run(queue, made)
        del result
        assert live() == before, name
        del made
    print(failed)


@pytest.mark.any_memory
def test_every_kernel_may_fail():
    code = "import test_faults; test_faults.every_kernel_fails_once()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ
        | {
            "USMTENSOR_CACHE": "0",
            "PYTHONPATH": str(pathlib.Path(__file__).parent),
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10


def test_a_part_of_a_command_is_complete_when_it_fails(device):
    """Nothing orders it any more, so it must be complete before its arguments are reused."""
    queue = usm.SyclQueue(device, property="in_order")
    x = usm.permute_dims(array(queue, SIX), (5, 0, 4, 1, 3, 2))
    y = usm.zeros(x.shape, dtype="f4", sycl_queue=queue)
    target, source = (usm.zeros(2**14, sycl_queue=queue) for _ in range(2))
    queue.wait()
    _hooks.late_copy(queue, target, source)
    _hooks.fail("part of a command")
    with pytest.raises(usm.SyclError):
        y[...] = x
    assert queue.submit_barrier().execution_status == usm.event_status_type.complete
    assert (usm.asnumpy(y) == usm.asnumpy(x)).all()


def test_a_command_is_complete_when_a_barrier_fails(device):
    """Otherwise the queue of the user's command would not wait for it."""
    a, b = (usm.SyclQueue(device, property="in_order") for _ in range(2))
    for passed in range(10):
        x, slow, target = (usm.zeros(2**14, sycl_queue=queue) for queue in (a, a, b))
        alias, ones = x.to_device(b), usm.ones(2**14, sycl_queue=a)
        a.wait(), b.wait()
        _hooks.late_copy(a, slow, ones)
        _hooks.fail("barrier", passed)
        try:
            x[...] = slow
        except usm.SyclError:
            assert _hooks.fail("barrier", 0, 0) == 0
        else:
            break
        _hooks.late_copy(b, target, alias, seconds=0)
        assert (usm.asnumpy(target) == usm.asnumpy(x)).all()
    assert _hooks.fail("barrier", 0, 0) == 1
    assert passed == 4  # on both queues, before and after


def test_a_failed_assignment_changes_nothing(queue):
    x = array(queue)
    expected = usm.asnumpy(x).copy()
    _hooks.fail("allocation")
    with pytest.raises(usm_memory.USMAllocationError):
        x[1:] = x[:-1]
    assert (usm.asnumpy(x) == expected).all()
    x[1:] = x[:-1]
    assert (usm.asnumpy(x)[1:] == expected[:-1]).all()


@pytest.mark.parametrize("value", [5, HOST.astype("i2"), np.zeros((2, 720))[:1]])
def test_a_refused_assignment_changes_nothing(queue, value):
    x = array(queue)
    _hooks.fail("command")
    with pytest.raises(usm.SyclError):
        x[...] = value
    assert (usm.asnumpy(x) == HOST).all()
    x[...] = value
    assert (usm.asnumpy(x) == value).all()


def test_every_third_fails(queue):
    _hooks.fail("allocation", 2, 10, every=3)
    failed = []
    for number in range(1, 37):
        try:
            usm.empty(number, sycl_queue=queue)
        except usm_memory.USMAllocationError:
            failed.append(number)
    assert failed == list(range(3, 31, 3))


@pytest.mark.parametrize("arguments", [{"after": -1}, {"count": -1}, {"every": 0}])
def test_bad_plans(arguments):
    with pytest.raises(ValueError):
        _hooks.fail("allocation", **arguments)
    with pytest.raises(KeyError):
        _hooks.fail("weather")


# --- a fault of the device -----------------------------------------------------------------------
# On a GPU it ends the context: all later calls fail, without a reason of their own.

ENDED = "the context ended with an earlier error"
ERRORS = usm.SyclError, usm.USMAllocationError
REFUSED = 1 << 20  # bytes: no block of the pool is as large
NO_MEMORY = f"cannot allocate {REFUSED} bytes"


def ask_for_memory(queue):
    """Memory that the driver does not have, and the pool neither."""
    _hooks.fail("driver", 0, 2)
    with pytest.raises(usm.USMAllocationError, match=NO_MEMORY) as caught:
        usm_memory.MemoryUSMDevice(REFUSED, queue=queue)
    return str(caught.value)


@pytest.mark.quirk("faulted-context")
def test_later_errors_name_the_fault_that_ended_a_context(device):
    queue, other = (usm.SyclQueue(usm.SyclContext(device), device) for _ in range(2))
    x = array(queue)
    _hooks.fail("command")
    _hooks.fail("context")
    with pytest.raises(usm.SyclError, match="a test asked for this failure") as first:
        x[...] = 1
    assert ENDED not in str(first.value)
    assert f"{ENDED}: {first.value}" in ask_for_memory(queue)
    _hooks.fail("command")
    with pytest.raises(usm.SyclError, match=ENDED):
        x[...] = 2
    assert ENDED not in ask_for_memory(other)


def end_context(queue):
    """What a fault of the device does to the context of a queue."""
    _hooks.fail("context")
    ask_for_memory(queue)


# Uses of a queue, and the step that fails.
USES = {
    "event of a barrier": ("event", lambda queue, event: event.wait()),
    "events": ("event", lambda queue, event: usm.SyclEvent.wait_for([event])),
    "copy of an event": ("event", lambda queue, event: usm.SyclEvent(event).wait()),
    "status of an event": ("event", lambda queue, event: event.execution_status),
    "time of an event": ("event", lambda queue, event: event.profiling_info_end),
    "event of a capsule": (
        "event",
        lambda queue, event: usm.SyclEvent(event._get_capsule()).wait(),
    ),
    "status of a capsule": (
        "event",
        lambda queue, event: usm.SyclEvent(event._get_capsule()).execution_status,
    ),
    "time of a capsule": (
        "event",
        lambda queue, event: usm.SyclEvent(event._get_capsule()).profiling_info_end,
    ),
    "barrier": ("barrier", lambda queue, event: queue.submit_barrier()),
    "pointer": ("pointer", lambda queue, event: memories(queue)[0].get_usm_type(queue)),
    "arguments of kernels": (
        "pointer",
        lambda queue, event: usm.copy(
            usm.permute_dims(array(queue, SIX), (5, 0, 4, 1, 3, 2))[:, ::-1], order="C"
        ),
    ),
    "new queue": (
        "queue",
        lambda queue, event: usm.SyclQueue(queue.sycl_context, queue.sycl_device),
    ),
    "new cached queue": (
        "queue",
        lambda queue, event: usm.get_device_cached_queue((queue.sycl_context, queue.sycl_device)),
    ),
}


@pytest.mark.parametrize("use", USES)
def test_all_errors_name_the_fault_that_ended_a_context(device, use):
    step, run = USES[use]
    queue = usm.SyclQueue(usm.SyclContext(device), device)
    event = queue.submit_barrier()
    gc.collect()  # the end of another test's queue would wait for an event
    end_context(queue)
    _hooks.fail(step)
    with pytest.raises(ERRORS, match=f"{ENDED[4:]}: {NO_MEMORY}"):
        run(queue, event)
    assert _hooks.fail(step, 0, 0) == 0


def test_an_adopted_queue_names_the_fault(device, dpctl):
    own = dpctl.SyclDevice(device.filter_string)
    theirs = dpctl.SyclQueue(dpctl.SyclContext(own), own)
    end_context(usm.SyclQueue(usm.SyclContext(theirs.sycl_context), device))
    _hooks.fail("queue")
    with pytest.raises(usm.SyclQueueCreationError, match=f"{ENDED}: {NO_MEMORY}"):
        usm.SyclQueue(theirs)


@pytest.mark.parametrize("use", USES)
def test_each_use_may_be_the_first_that_is_known_of_a_fault(device, use):
    step, run = USES[use]
    queue = usm.SyclQueue(usm.SyclContext(device), device)
    event = queue.submit_barrier()
    _hooks.fail("context")
    _hooks.fail(step)
    with pytest.raises(ERRORS) as first:
        run(queue, event)
    assert ENDED not in str(first.value)
    assert f"{ENDED}: {first.value}" in ask_for_memory(queue)


def test_a_free_may_be_the_first_that_is_known_of_a_fault(device):
    """It reports no error of its own."""
    queue = usm.SyclQueue(usm.SyclContext(device), device)
    usm.empty(3, sycl_queue=queue)
    _hooks.fail("pointer", 0, 1000)
    _hooks.fail("context")
    usm_memory.trim()
    assert f"{ENDED}: a test asked for this failure" in ask_for_memory(queue)


def test_a_device_of_another_context_is_no_fault(device, sub_devices):
    context = usm.SyclContext(sub_devices[0])
    with pytest.raises(usm.SyclQueueCreationError):
        usm.SyclQueue(context, sub_devices[1])
    assert ENDED not in ask_for_memory(usm.SyclQueue(context, sub_devices[0]))


def test_copies_of_a_context_that_ended_trouble_no_other_queue(device, queue):
    ended = usm.SyclQueue(usm.SyclContext(device), device)
    ended.memcpy_async(*memories(ended), 2**17)
    _hooks.fail("event")
    queue.memcpy_async(*memories(queue), 2**17).wait()
    assert _hooks.fail("event", 0, 0) == 0


def test_a_failed_allocation_may_be_the_first_that_is_known_of_a_fault(device):
    queue = usm.SyclQueue(usm.SyclContext(device), device)
    _hooks.fail("context")
    first = ask_for_memory(queue)
    assert ENDED not in first
    assert f"{ENDED}: {first}" in ask_for_memory(queue)


def test_ordinary_errors_leave_a_context_as_it_is(device):
    queue = usm.SyclQueue(usm.SyclContext(device), device)
    x = array(queue)
    for step in REFUSALS[:2]:
        _hooks.fail(step)
        with pytest.raises(usm.SyclError):
            x[...] = 1
    first = ask_for_memory(queue)
    assert ENDED not in first + ask_for_memory(queue)
    x[...] = 3
    assert float(x[0]) == 3
