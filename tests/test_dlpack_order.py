"""DLPack and pending work: calls that wait, and the order of queues."""

import time

import dlpack_structs as dl
import numpy as np
import pytest
from dlpack_structs import CPU, DISCRETE, Holder
from placement import in_order_queue, other_context_queue, out_of_order_queue

import usmtensor as usm
from usmtensor import _hooks

pytestmark = pytest.mark.tier("device")  # commands reach a queue

SIZE = 1 << 14


def late_copy(queue, target, source, seconds=0.02):
    """A copy that starts late, as a user with both pointers might submit it."""
    assert target._pointer != source._pointer
    _hooks.late_copy(queue, target, source, seconds)


def late(queue, usm_type="device"):
    """An array of ones whose elements become twos on `queue` later."""
    x = usm.full(SIZE, 1, dtype="i4", sycl_queue=queue, usm_type=usm_type)
    source = usm.full(SIZE, 2, dtype="i4", sycl_queue=queue)
    queue.wait()
    late_copy(queue, x, source)
    return x, source


def pending(queue):
    """Whether work is pending; a barrier itself takes the driver a moment."""
    barrier = queue.submit_barrier()
    for _ in range(10):
        if barrier.execution_status == usm.event_status_type.complete:
            return False
        time.sleep(2e-4)
    return True


def needs_default_context(queue):
    if queue.sycl_context != queue.sycl_device.sycl_platform.default_context:
        pytest.skip("the queue is not of the default context")


def test_without_stream_the_work_is_done(device):
    queue = in_order_queue(device)
    x, _keep = late(queue)
    x.__dlpack__()
    assert not pending(queue)


def test_minus_one_does_not_wait(device, usm_kind):
    queue, alive = in_order_queue(device), []  # the end of an allocation can wait for the device
    for where in (None, CPU) if usm_kind != "device" else (None,):
        alive.append(late(queue, usm_kind))
        x, _ = alive[-1]
        x.__dlpack__(stream=-1, dl_device=where)
        assert pending(queue)
        queue.wait()


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue, other_context_queue])
@pytest.mark.parametrize("how", ["queue", "address", "capsule"])
def test_the_consumers_queue_comes_after_the_work(device, make, how):
    queue, theirs = in_order_queue(device), make(device)
    for _ in range(4):
        x, _keep = late(queue)
        y = usm.full(SIZE, 0, dtype="i4", sycl_queue=theirs)
        theirs.wait()
        x.__dlpack__(stream=as_stream(theirs, how))
        if theirs.sycl_context == queue.sycl_context:
            late_copy(theirs, y, x, 0.0)  # by the consumer, without any order
            theirs.wait()
            assert (usm.asnumpy(y) == 2).all()
        else:
            assert not pending(queue)


@pytest.mark.parametrize("how", ["queue", "address", "capsule"])
def test_our_work_comes_after_the_consumers(device, how):
    queue, theirs = in_order_queue(device), in_order_queue(device)
    for _ in range(4):
        x = usm.full(SIZE, 1, dtype="i4", sycl_queue=queue)
        source = usm.full(SIZE, 2, dtype="i4", sycl_queue=theirs)
        structure = dl.consume(x.__dlpack__(stream=as_stream(theirs, how)))
        late_copy(theirs, x, source)
        assert (usm.asnumpy(usm.copy(x)) == 2).all()
        dl.delete(structure)


def as_stream(queue, how):
    if how == "queue":
        return queue
    if how == "address":
        return queue.addressof_ref()
    return type("Theirs", (), {"_get_capsule": queue._get_capsule})()


def test_an_import_comes_after_the_producers_work(device):
    queue = in_order_queue(device)
    needs_default_context(queue)
    for _ in range(4):
        x, _keep = late(queue)
        capsule = x.__dlpack__(stream=-1)
        producer = Holder(capsule, x.__dlpack_device__())
        producer.sycl_queue = queue
        y = usm.from_dlpack(producer)
        assert y.sycl_queue == queue
        assert (usm.asnumpy(usm.copy(y)) == 2).all()


def test_a_producers_queue_of_another_context_is_waited_for(device):
    queue, far = in_order_queue(device), other_context_queue(device)
    _busy = late(far)
    y = usm.ones(4, dtype="i4", sycl_queue=queue)
    producer = Holder(y.__dlpack__(), y.__dlpack_device__())
    producer.__sycl_usm_array_interface__ = {"syclobj": far}
    z = usm.from_dlpack(producer)
    assert not pending(far)
    assert z.sycl_context == y.sycl_context


def test_an_import_shares_the_order_of_its_memory(device):
    queue, other = in_order_queue(device), in_order_queue(device)
    needs_default_context(queue)
    for _ in range(4):
        x = usm.full(SIZE, 1, dtype="i4", sycl_queue=queue)
        y = usm.from_dlpack(x, device=other)
        source = usm.full(SIZE, 2, dtype="i4", sycl_queue=queue)
        queue.wait()
        late_copy(queue, x, source)
        assert (usm.asnumpy(usm.copy(y)) == 2).all()


@pytest.mark.parametrize("kind", ["shared", "host"])
def test_a_view_of_the_host_is_never_behind(device, kind):
    """While a consumer holds a kDLCPU capsule, operations complete before they return."""
    queue = in_order_queue(device)
    x = usm.full(SIZE, 1, dtype="i4", sycl_queue=queue, usm_type=kind)
    host = np.from_dlpack(x, device="cpu")
    source = usm.full(SIZE, 2, dtype="i4", sycl_queue=queue)
    alias = usm.from_dlpack(x) if x.sycl_context == device.sycl_platform.default_context else x
    for target, value in ((x, 3), (alias, 4), (x, 5), (alias, 6)):
        source[...] = value
        queue.wait()
        late_source = usm.full(SIZE, value, dtype="i4", sycl_queue=queue)
        late_copy(queue, source, late_source)
        target[...] = source
        assert (host == value).all()
        assert not pending(queue)
    del host
    late_copy(queue, source, late_source)
    x[...] = source
    assert pending(queue) or DISCRETE
    queue.wait()
