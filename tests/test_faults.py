"""Every allocation of an operation fails once: an exception, no leak, and all is well after it."""

import gc
import pickle

import numpy as np
import pytest
from placement import other_context_queue

import usmtensor as usm
from usmtensor import _hooks
from usmtensor import memory as usm_memory


@pytest.fixture(autouse=True)
def no_faults():
    yield
    _hooks.fail_allocations(0, 0)


def live():
    """Bytes in use, of all devices and kinds."""
    gc.collect()
    return sum(
        kind["live"] for kinds in usm_memory.statistics().values() for kind in kinds.values()
    )


HOST = np.arange(720, dtype="f4")


def array(queue, shape=(720,)):
    return usm.asarray(HOST.reshape(shape), sycl_queue=queue)


def shift(x):
    x[1:] = x[:-1]
    return x


def assign(x, value):
    x[...] = value
    return x


def shared_to_itself(queue):
    memory = usm_memory.MemoryUSMDevice(64, queue=queue)
    memory.copy_from_host(bytes(range(64)))
    return (
        memory,
        usm.usm_ndarray(40, "u1", buffer=memory),
        usm.usm_ndarray(32, "u1", buffer=memory),
    )


SIX = (2, 3, 4, 5, 3, 2)
# What is made before, and the operation on it.
OPERATIONS = {
    "empty": (None, lambda queue, _: usm.empty(5, sycl_queue=queue)),
    "zeros": (None, lambda queue, _: usm.zeros((3, 4), sycl_queue=queue)),
    "full": (None, lambda queue, _: usm.full((3, 4), 2, dtype="i4", sycl_queue=queue)),
    "empty_like": (array, lambda queue, x: usm.empty_like(x)),
    "memory": (None, lambda queue, _: usm_memory.MemoryUSMDevice(100, queue=queue)),
    "memory of a buffer": (None, lambda queue, _: usm_memory.MemoryUSMDevice(b"abc", queue=queue)),
    "copy of a memory": (array, lambda queue, x: usm_memory.MemoryUSMDevice(x.usm_data, copy=True)),
    "usm_ndarray": (
        None,
        lambda queue, _: usm.usm_ndarray((3, 4), "i4", buffer_ctor_kwargs={"queue": queue}),
    ),
    "copy": (array, lambda queue, x: usm.copy(x)),
    "copy of a view": (array, lambda queue, x: usm.copy(x[::-3])),
    "copy of six axes": (
        lambda queue: usm.permute_dims(array(queue, SIX), (5, 0, 4, 1, 3, 2))[:, ::-1],
        lambda queue, x: usm.copy(x, order="C"),
    ),
    "astype": (array, lambda queue, x: usm.astype(x, "c8")),
    "asarray of NumPy": (None, lambda queue, _: usm.asarray(HOST, sycl_queue=queue)),
    "asarray of a list": (None, lambda queue, _: usm.asarray([[1, 2], [3, 4]], sycl_queue=queue)),
    "asarray of a copy": (array, lambda queue, x: usm.asarray(x, copy=True)),
    "asarray of another type": (array, lambda queue, x: usm.asarray(x, dtype="i4")),
    "asnumpy": (lambda queue: array(queue)[::2], lambda queue, x: usm.asnumpy(x)),
    "scalar": (array, lambda queue, x: float(x[3])),
    "setitem of a scalar": (array, lambda queue, x: assign(x, 3)),
    "setitem of NumPy": (array, lambda queue, x: assign(x, HOST.astype("i4"))),
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
    "pickle": (lambda queue: pickle.dumps(array(queue)), lambda queue, text: pickle.loads(text)),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_allocation_may_fail(queue, operation):
    prepare, run = OPERATIONS[operation]
    made = prepare(queue) if prepare else None
    run(queue, made)  # what the first call keeps for good is not a leak
    before = live()
    for passed in range(30):
        _hooks.fail_allocations(passed)
        try:
            result = run(queue, made)
            break
        except usm_memory.USMAllocationError as error:
            assert "bytes of USM" in str(error)
        assert _hooks.fail_allocations(0, 0) == 0
        assert live() == before
    assert _hooks.fail_allocations(0, 0) == 1, "the operation makes more allocations than expected"
    if passed == 0:
        pytest.skip("the operation allocates nothing here")
    del result
    assert live() == before


def test_a_failed_assignment_changes_nothing(queue):
    x = array(queue)
    expected = usm.asnumpy(x).copy()
    _hooks.fail_allocations()
    with pytest.raises(usm_memory.USMAllocationError):
        x[1:] = x[:-1]
    assert (usm.asnumpy(x) == expected).all()
    x[1:] = x[:-1]
    assert (usm.asnumpy(x)[1:] == expected[:-1]).all()


def test_every_third_fails(queue):
    _hooks.fail_allocations(2, 10, every=3)
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
        _hooks.fail_allocations(**arguments)
