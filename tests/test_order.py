"""Program order between queues while slow work is pending.

Each scenario is a function of two queues of one context. It submits a late command past the
library, as a user would, then uses the library, and checks whether the result is that of program
order. It must hold every time, and fail at least once while ordering is switched off: otherwise
the scenario tests nothing.
"""

import ctypes
import operator
import os
import subprocess
import sys
import time

import numpy as np
import pytest
from placement import in_order_queue, out_of_order_queue

import usmtensor as usm
from usmtensor import _hooks

pytestmark = [pytest.mark.any_memory, pytest.mark.tier("device")]  # commands reach a queue

TRIES = int(os.environ.get("USMTENSOR_TEST_ORDER_TRIES", "4"))
SIZE = 1 << 14
DISCRETE = os.environ.get("USMTENSOR_DISCRETE") == "1"


def filled(value, queue, usm_type="device", size=SIZE):
    return usm.full(size, value, dtype="i4", sycl_queue=queue, usm_type=usm_type)


def is_all(x, value):
    return bool((usm.asnumpy(x) == value).all())


def late_write(queue, x, value):
    """x[...] = value, pending on a queue."""
    source = filled(value, queue, size=x.size)
    source.sycl_queue.wait()
    _hooks.late_copy(queue, x, source)
    return source


def late_read(queue, x):
    """A pending copy of x."""
    target = filled(0, queue, size=x.size)
    queue.wait()
    _hooks.late_copy(queue, target, x)
    return target


# --- one queue writes, the other reads -----------------------------------------------------------


def copy_of_an_alias(a, b):
    x = filled(1, a)
    alias = x.to_device(b)
    keep = late_write(a, x, 2)
    right = is_all(usm.copy(alias), 2)
    del keep
    return right


def work_of_the_user_on_an_alias(a, b):
    x, target = filled(1, a), filled(0, b)
    keep = late_write(a, x, 2)
    alias = x.to_device(b)
    _hooks.late_copy(b, target, alias, seconds=0)
    right = is_all(target, 2)
    del keep
    return right


def work_of_the_user_on_a_memory(a, b):
    x, target = filled(1, a), filled(0, b)
    keep = late_write(a, x, 2)
    memory = type(x.usm_data)(x.usm_data, queue=b)
    alias = usm.usm_ndarray(x.shape, dtype=x.dtype, buffer=memory)
    _hooks.late_copy(b, target, alias, seconds=0)
    right = is_all(target, 2)
    del keep
    return right


def copy_on_the_home_queue(a, b):
    x = filled(1, a)
    alias = x.to_device(b)
    keep = late_write(b, alias, 2)
    right = is_all(usm.copy(x), 2)
    del keep
    return right


def to_device_after_the_work(a, b):
    x = filled(1, a)
    keep = late_write(a, x, 2)
    right = is_all(usm.copy(x.to_device(b)), 2)
    del keep
    return right


def asarray_with_another_queue(a, b):
    x = filled(1, a)
    keep = late_write(a, x, 2)
    right = is_all(usm.copy(usm.asarray(x, sycl_queue=b)), 2)
    del keep
    return right


def setitem_from_another_queue(a, b):
    x, y = filled(1, a), filled(0, b)
    keep = late_write(a, x, 2)
    y[...] = x
    right = is_all(y, 2)
    del keep
    return right


def cast_of_many_dimensions(a, b):
    x = filled(1, a, size=2**12)
    cube = usm.reshape(x.to_device(b), (2,) * 12)
    alias = usm.permute_dims(cube, (*range(0, 12, 2), *range(1, 12, 2)))
    keep = late_write(a, x, 2)
    right = is_all(usm.astype(alias, "f4"), 2)
    del keep
    return right


# --- one queue reads, the other writes -----------------------------------------------------------


def write_under_a_read(a, b):
    x = filled(1, a)
    alias = x.to_device(b)
    seen = late_read(a, x)
    alias[...] = 2
    a.wait()
    return is_all(seen, 1) and is_all(x, 2)


def host_write_under_a_read(a, b):
    x = filled(1, a)
    alias = x.to_device(b)
    seen = late_read(a, x)
    alias[...] = np.full(SIZE, 2, "i4")
    a.wait()
    return is_all(seen, 1) and is_all(x, 2)


def work_of_the_user_later(a, b):
    x, target = filled(1, a), filled(0, a)
    alias, slow = x.to_device(b), filled(2, b)
    keep = late_write(b, slow, 3)
    alias[...] = slow  # pending on b, after the late write
    _hooks.late_copy(a, target, x, 0.0)  # at once, by the user, on the other queue
    a.wait()
    del keep
    return is_all(target, 3)


def release_under_a_read(a, b):
    x = filled(1, a)
    alias = x.to_device(b)
    seen = late_read(b, alias)
    del x, alias
    others = [filled(2, a) for _ in range(8)]  # one of them may get the memory
    a.wait(), b.wait()
    del others
    return is_all(seen, 1)


# --- looking -------------------------------------------------------------------------------------


def looking_at(look):
    def scenario(a, b):
        x = filled(1, a, "shared")
        alias = x.to_device(b)
        keep = late_write(a, x, 2)
        right = bool(np.all(look(alias) == 2))
        a.wait()
        del keep
        return right

    scenario.__name__ = look.__name__
    return scenario


def asnumpy(x):
    return usm.asnumpy(x)


def item(x):
    return x[3].item()


def buffer(x):
    return np.asarray(x).copy()


def suai(x):
    pointer = x.__sycl_usm_array_interface__["data"][0]
    import ctypes

    return np.ctypeslib.as_array((ctypes.c_int32 * x.size).from_address(pointer)).copy()


def pickled(x):
    import pickle

    return usm.asnumpy(pickle.loads(pickle.dumps(x)))


def memory_to_host(x):
    return np.frombuffer(x.usm_data.copy_to_host(), "i4")


def memory_copy(x):
    other = type(x.usm_data)(x.nbytes, queue=x.sycl_queue)
    other.copy_from_device(x.usm_data)
    return np.frombuffer(other.copy_to_host(), "i4")


SCENARIOS = [
    copy_of_an_alias,
    work_of_the_user_on_an_alias,
    work_of_the_user_on_a_memory,
    copy_on_the_home_queue,
    to_device_after_the_work,
    asarray_with_another_queue,
    setitem_from_another_queue,
    cast_of_many_dimensions,
    write_under_a_read,
    host_write_under_a_read,
    work_of_the_user_later,
    *map(looking_at, (asnumpy, item, buffer, suai, pickled, memory_to_host, memory_copy)),
]


def dpctl_queue(device):
    dpctl = pytest.importorskip("dpctl")
    return usm.SyclQueue(dpctl.SyclQueue(device.filter_string, property="in_order"))


QUEUES = {
    "in order": (in_order_queue, in_order_queue),
    "second out of order": (in_order_queue, out_of_order_queue),
    "first out of order": (out_of_order_queue, in_order_queue),
    "both out of order": (out_of_order_queue, out_of_order_queue),
    "one of dpctl": (in_order_queue, dpctl_queue),
}


@pytest.fixture(params=QUEUES.values(), ids=QUEUES.keys())
def queues(request, device):
    first, second = (make(device) for make in request.param)
    yield first, second
    first.wait()
    second.wait()


@pytest.fixture
def without_ordering():
    _hooks.set_ordering(False)
    yield
    _hooks.set_ordering(True)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=operator.attrgetter("__name__"))
def test_order(queues, scenario):
    assert [scenario(*queues) for _ in range(TRIES)] == [True] * TRIES


def test_release(queues):
    assert [release_under_a_read(*queues) for _ in range(TRIES)] == [True] * TRIES


def fails_sometimes(scenario, *queues):
    """Whether a scenario fails within a minute; the load of the machine decides how often."""
    deadline = time.monotonic() + 60
    return any(not scenario(*queues) for _ in iter(lambda: time.monotonic() > deadline, True))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=operator.attrgetter("__name__"))
def test_order_is_chance_without_ordering(device, without_ordering, scenario):
    if DISCRETE and scenario is work_of_the_user_later:
        pytest.skip("in discrete mode no work of the library is pending when the user's comes")
    a, b = in_order_queue(device), in_order_queue(device)
    try:
        assert fails_sometimes(scenario, a, b)
    finally:
        a.wait()
        b.wait()


# --- one queue -----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
def test_work_of_the_user_on_the_same_queue(device, make):
    queue = make(device)
    for _ in range(TRIES):
        x, y = filled(1, queue), filled(0, queue)
        keep = late_write(queue, x, 2)
        y[...] = x
        x[...] = 5
        assert is_all(y, 2)
        assert is_all(x, 5)
        del keep


@pytest.mark.skipif(DISCRETE, reason="in discrete mode operations are done when they return")
def test_operations_return_before_they_are_done(device):
    queue = in_order_queue(device)
    x, y = filled(1, queue), filled(0, queue)
    keep = late_write(queue, x, 2)
    y[...] = x
    z = usm.astype(y, "f8")
    assert queue.submit_barrier().execution_status != usm.event_status_type.complete
    assert is_all(z, 2)
    del keep


def test_an_idle_queue_is_known_without_a_wait(device):
    queue = in_order_queue(device)
    x = filled(1, queue)
    keep = late_write(queue, x, 2)
    assert not _hooks.is_idle(queue)
    deadline = time.monotonic() + 30
    while not _hooks.is_idle(queue):
        assert time.monotonic() < deadline
    assert is_all(x, 2)
    del keep


LOOKS = """
import os
import usmtensor as usm
from usmtensor import _hooks

device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE"))
queue = usm.SyclQueue(device, property="in_order")
x, y = (usm.full(64, value, dtype="i4", sycl_queue=queue) for value in (1, 2))
queue.wait()
_hooks.late_copy(queue, x, y, seconds=0.5)
print("looks", flush=True)
assert not any(_hooks.is_idle(queue) for _ in range(20))
print("end of looks", flush=True)
queue.wait()
assert int(x[0]) == 2
"""


def test_is_idle_does_not_keep_the_queue_busy():
    done = subprocess.run(
        [sys.executable, "-c", LOOKS],
        env=os.environ | {"SYCL_UR_TRACE": "2"},  # prints each call of the driver
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    looks = done.stdout.partition("looks\n")[2].partition("end of looks\n")[0]
    assert looks.count("<--- urEventGetInfo") == 20
    assert looks.count("<--- urEnqueue") == 1


def test_a_view_of_the_host_is_never_behind(device):
    queue = in_order_queue(device)
    x = filled(1, queue, "shared")
    view = np.asarray(x)
    source = filled(2, queue, "shared")
    for value in range(20):
        source[...] = value
        keep = late_write(queue, source, value + 1)
        x[...] = source
        assert (view == value + 1).all()
        del keep
    del view
    late_write(queue, source, 7)
    x[...] = source
    assert is_all(x, 7)


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
def test_foreign_commands_delay_only_memory_within_their_reach(device, make):
    queue = make(device)
    x, shown = filled(3, queue, "shared"), filled(1, queue, "shared")
    queue.wait()
    keep = filled(2, queue)
    queue.wait()
    _hooks.late_copy(queue, shown, keep, seconds=0.2)
    assert int(x[0]) == 3
    assert ctypes.c_int32.from_address(_hooks.address(shown.usm_data)).value == 1
    assert is_all(shown, 2)
    del keep


def test_arguments_of_pending_launches(device):
    # Each needs a block for the axes beyond the fourth, which the host writes.
    queue = in_order_queue(device)
    x = usm.asarray(np.arange(2**10, dtype="i4"), sycl_queue=queue)
    keep = late_write(queue, filled(0, queue), 1)
    host = np.arange(2**10, dtype="i4").reshape((2,) * 10)
    orders = [np.random.default_rng(seed).permutation(10) for seed in range(200)]
    cube = usm.reshape(x, (2,) * 10)
    copies = [usm.copy(usm.permute_dims(cube, order), order="C") for order in orders]
    for order, copied in zip(orders, copies, strict=True):
        assert (usm.asnumpy(copied) == host.transpose(order)).all()
    del keep


def test_memory_that_comes_back_keeps_its_order(device):
    memory = pytest.importorskip("dpctl.memory")
    a, b = in_order_queue(device), in_order_queue(device)
    for _ in range(TRIES):
        x = filled(1, a)
        came_back = usm.asarray(memory.as_usm_memory(x), sycl_queue=b)
        back = usm.usm_ndarray(SIZE, "i4", buffer=came_back)
        assert back.sycl_queue == b
        keep = late_write(a, x, 2)
        assert is_all(usm.copy(back), 2)
        del keep


class Piece:
    """A foreign object that gives some elements of an array, with a queue."""

    def __init__(self, x, first, count, queue):
        self.__sycl_usm_array_interface__ = {
            "data": (_hooks.address(x.usm_data) + first * x.itemsize, False),
            "shape": (count,),
            "typestr": x.dtype.str,
            "version": 1,
            "syclobj": queue,
        }
        self.owner = x


def halves_and_the_whole(a, b, c):
    x = filled(1, a, "shared", 2 * SIZE)
    a.wait()
    halves = usm.asarray(Piece(x, 0, SIZE, a)), usm.asarray(Piece(x, SIZE, SIZE, b))
    keep = late_write(a, halves[0], 2)
    halves[1][...] = 2
    whole = usm.asarray(Piece(x, 0, 2 * SIZE, c))
    right = is_all(usm.copy(whole), 2)
    del keep
    return right


def the_whole_and_halves(a, b, c):
    x = filled(1, a, "shared", 2 * SIZE)
    a.wait()
    halves = usm.asarray(Piece(x, 0, SIZE, a)), usm.asarray(Piece(x, SIZE, SIZE, b))
    whole = usm.asarray(Piece(x, 0, 2 * SIZE, c))
    keep = late_write(c, whole, 2)
    right = is_all(usm.copy(halves[0]), 2) and is_all(usm.copy(halves[1]), 2)
    del keep
    return right


def written_before_it_comes_back(x, slow, b, c):
    """Whether a piece of x, dropped with a write of `b` pending, is read after it on `c`."""
    first = usm.asarray(Piece(x, 0, SIZE, b))
    keep = late_write(b, slow, 2)
    first[...] = slow
    del first
    right = is_all(usm.copy(usm.asarray(Piece(x, 0, SIZE, c))), 2)
    del keep
    return right


def a_piece_that_comes_back(a, b, c):
    x = filled(1, a, "shared")
    slow = filled(1, b, "shared")
    a.wait(), b.wait()
    return written_before_it_comes_back(x, slow, b, c)


def a_piece_that_came_back_before(a, b, c):
    x = filled(1, a, "shared")
    slow = filled(1, b, "shared")
    a.wait()
    keep = late_write(b, slow, 1)
    for _ in range(6):  # with work pending: the records of these must not end the last one's
        usm.asarray(Piece(x, 0, SIZE, b))
    b.wait()
    del keep
    return written_before_it_comes_back(x, slow, b, c)


def a_piece_with_work_of_the_user_that_comes_back(a, b, c):
    x = filled(1, a, "shared")
    a.wait()
    first = usm.asarray(Piece(x, 0, SIZE, b))
    keep = late_write(b, first, 2)
    del first
    right = is_all(usm.copy(usm.asarray(Piece(x, SIZE // 2, SIZE // 2, c))), 2)
    del keep
    return right


OVERLAPS = [
    halves_and_the_whole,
    the_whole_and_halves,
    a_piece_that_comes_back,
    a_piece_that_came_back_before,
    a_piece_with_work_of_the_user_that_comes_back,
]


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
@pytest.mark.parametrize("scenario", OVERLAPS, ids=operator.attrgetter("__name__"))
def test_bytes_that_overlap_are_one_memory(device, scenario, make):
    queues = [make(device) for _ in range(3)]
    assert [scenario(*queues) for _ in range(TRIES)] == [True] * TRIES


@pytest.mark.parametrize("scenario", OVERLAPS, ids=operator.attrgetter("__name__"))
def test_overlap_is_chance_without_ordering(device, without_ordering, scenario):
    if DISCRETE and scenario in (a_piece_that_comes_back, a_piece_that_came_back_before):
        pytest.skip("in discrete mode no work of the library is pending when the piece ends")
    queues = [in_order_queue(device) for _ in range(3)]
    try:
        assert fails_sometimes(scenario, *queues)
    finally:
        for queue in queues:
            queue.wait()


def test_views_of_the_host_outlive_the_merger_of_orders(device):
    queue = in_order_queue(device)
    x = filled(1, queue, "shared", 2 * SIZE)
    low = usm.asarray(Piece(x, 0, SIZE, queue))
    high = usm.asarray(Piece(x, SIZE, SIZE, queue))
    view = np.asarray(low)
    whole = usm.asarray(Piece(x, 0, 2 * SIZE, in_order_queue(device)))
    for value in (2, 3):
        source = filled(0, queue, size=SIZE)
        keep = late_write(queue, source, value)
        high[...] = source  # as for a host view of a part of the memory
        assert _hooks.is_idle(queue)
        del view, keep
        view = np.asarray(whole)
    del view


def test_other_context(device):
    a = in_order_queue(device)
    b = usm.SyclQueue(usm.SyclContext(device), device, property="in_order")
    for _ in range(TRIES):
        x, y = filled(1, a), filled(0, b)
        keep = late_write(a, x, 2)
        y[...] = x
        assert is_all(y, 2)
        seen = late_read(b, y)
        y[...] = filled(9, a)
        b.wait()
        assert is_all(seen, 2)
        assert is_all(y, 9)
        del keep


BIG = 1 << 17  # more than the host tier copies


def copied(x):
    y = filled(0, x.sycl_queue, size=BIG)
    x.sycl_queue.memcpy(y.usm_data, x.usm_data, x.nbytes)
    return y


def copied_later(x):
    y = filled(0, x.sycl_queue, size=BIG)
    x.sycl_queue.memcpy_async(y.usm_data, x.usm_data, x.nbytes).wait()
    return y


def written(x):
    x[...] = np.full(BIG, 3, "i4")
    return x


def cleared(x):
    x.usm_data.memset(3)
    return x


COMMANDS = {
    operator.pos: 2,
    usm.copy: 2,
    copied: 2,
    copied_later: 2,
    written: 3,
    cleared: 0x03030303,
}


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__)
@pytest.mark.quirk("overtaken-barrier")
def test_commands_wait_for_a_host_task(device, make, command):
    """The driver gets no command until the host task is complete, from the library or a user."""
    queue = make(device)
    x = filled(1, queue, size=BIG)
    command(usm.copy(x))  # so that nothing is compiled meanwhile
    queue.wait()
    for _ in range(TRIES):
        x[...] = 1
        _hooks.late_host_task(queue)
        x += 1
        assert is_all(command(x), COMMANDS[command])
