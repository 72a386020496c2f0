"""Copies and pickles of handles on objects of the runtime."""

import copy
import pickle

import pytest

import usmtensor as usm


@pytest.fixture(params=["queue", "device", "context", "platform", "event", "Device"])
def handle(request, queue):
    return {
        "queue": queue,
        "device": queue.sycl_device,
        "context": queue.sycl_context,
        "platform": queue.sycl_device.sycl_platform,
        "event": queue.submit_barrier(),
        "Device": usm.empty(0, sycl_queue=queue).device,
    }[request.param]


def test_copies(handle):
    assert copy.copy(handle) is copy.deepcopy(handle) is handle
    first, second = copy.deepcopy([{"on": handle}, handle])
    assert first["on"] is second is handle


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles(handle, protocol):
    words = f"^{type(handle).__name__}: .*pickled.*filter_string"
    with pytest.raises(TypeError, match=words):
        pickle.dumps(handle, protocol)


def test_copies_of_flags(queue):
    x = usm.ones(3, sycl_queue=queue)
    flags = copy.copy(x.flags)
    assert flags == x.flags
    flags.writable = False
    assert not x.flags.writable
    assert copy.deepcopy(x.flags) == x.flags


def test_a_device_is_its_queue(device, queue):
    for one in (queue, usm.SyclQueue(device)):
        place = usm.Device.create_device(one)
        assert usm.SyclQueue(place) == one
        assert usm.zeros(1, sycl_queue=usm.SyclQueue(place)).device == place
