"""usmtensor.utils."""

import itertools

import numpy as np
import pytest

import usmtensor as usm
from usmtensor import utils


def test_execution_queue(device, queue):
    other = usm.SyclQueue(device)
    assert utils.get_execution_queue([queue]) == queue
    assert utils.get_execution_queue((queue, usm.SyclQueue(queue), queue)) == queue
    assert utils.get_execution_queue([queue, other]) is None
    assert utils.get_execution_queue([]) is None


def test_execution_queue_bad_input(queue):
    for junk in ({}, {"a": queue}, queue, None, 1, [1], [queue, None], "ab"):
        with pytest.raises(TypeError, match="get_execution_queue"):
            utils.get_execution_queue(junk)


@pytest.mark.parametrize("types", [*itertools.product(["device", "shared", "host"], repeat=2)])
def test_coerced_usm_type(types):
    order = ["device", "shared", "host"]
    expected = order[min(map(order.index, types))]
    assert utils.get_coerced_usm_type(list(types)) == expected
    assert utils.get_coerced_usm_type(types[:1]) == types[0]


def test_coerced_usm_type_of_unknown_words():
    assert utils.get_coerced_usm_type([]) is None
    assert utils.get_coerced_usm_type(["device", "unknown"]) is None


def test_coerced_usm_type_bad_input():
    for junk in ({}, {"device": 1}, "device", None, 1, [1], ["device", None]):
        with pytest.raises(TypeError, match="get_coerced_usm_type"):
            utils.get_coerced_usm_type(junk)


def test_validate_usm_type():
    for word in ("device", "shared", "host"):
        assert utils.validate_usm_type(word) is None
        assert utils.validate_usm_type(word, allow_none=False) is None
    assert utils.validate_usm_type(None) is None
    with pytest.raises(TypeError, match="str"):
        utils.validate_usm_type(None, allow_none=False)
    for junk in (1, b"device", ["device"]):
        with pytest.raises(TypeError, match="usm_type"):
            utils.validate_usm_type(junk)
    for word in ("", "Device", "unknown"):
        with pytest.raises(ValueError, match="usm_type"):
            utils.validate_usm_type(word)


def test_is_usmtensor_array(queue):
    x = usm.ones((2, 3), sycl_queue=queue)
    for array in (x, x[0, 0], x[:0], usm.astype(x, "c8")):
        assert utils.is_usmtensor_array(array) is True
    for other in (np.ones(3), x.to_numpy(), x.usm_data, type(x), usm, [x], (x, x), 1.5, None):
        assert utils.is_usmtensor_array(other) is False


def test_placement_error_is_one_class():
    assert utils.ExecutionPlacementError is usm.ExecutionPlacementError


def test_order_manager(device):
    queue = usm.SyclQueue(device)
    manager = utils.SequentialOrderManager[queue]
    assert manager.submitted_events == []
    source, target = bytes(1000), bytearray(1000)
    first = queue.memcpy_async(target, source, 1000)
    manager.add_event_pair(usm.SyclEvent(), first)
    manager.add_event_pair([usm.SyclEvent()], [first, first])
    # Another handle on the queue gives these events too.
    again = utils.SequentialOrderManager[usm.SyclQueue(queue)]
    assert len(again.submitted_events) <= 3
    queue.submit_barrier(again.submitted_events)
    again.wait()
    assert manager.submitted_events == []
    assert first.execution_status is usm.event_status_type.complete
    assert utils.SequentialOrderManager[usm.SyclQueue(device)].submitted_events == []


def test_order_manager_bad_input(queue):
    for junk in (None, 1, "cpu", {}):
        with pytest.raises(TypeError, match="SequentialOrderManager"):
            utils.SequentialOrderManager[junk]
    manager = utils.SequentialOrderManager[queue]
    for junk in (None, 1, [1], {}):
        with pytest.raises(TypeError, match="host_task_event"):
            manager.add_event_pair(junk, usm.SyclEvent())
        with pytest.raises(TypeError, match="computation_event"):
            manager.add_event_pair(usm.SyclEvent(), junk)
    with pytest.raises(TypeError):
        manager.add_event_pair(usm.SyclEvent())


def test_benchmark(queue):
    seen = []

    def function(x, y=None):
        seen.append((x, y))
        return usm.sin(x)

    x = usm.ones(1000, dtype="f4", sycl_queue=queue)
    times = utils.benchmark(function, x, repeat=4, y=x)
    assert len(seen) > 4 and all(a is x and b is x for a, b in seen)
    assert len(times.calls) == len(times.complete) == 4
    assert all(0 < call <= end for call, end in zip(*times, strict=True))
    rows = [line.split() for line in str(times).splitlines()]
    assert rows[0] == ["median", "least", "most"]
    assert [row[0] for row in rows[1:]] == ["call", "complete"]
    ordered = sorted(times.complete)
    expected = [(ordered[1] + ordered[2]) / 2, ordered[0], ordered[3]]
    assert rows[2][1::2] == [f"{seconds * 1e6:.1f}" for seconds in expected]


def test_benchmark_bad_input():
    with pytest.raises(TypeError, match="benchmark: function is of type int; expected a callable"):
        utils.benchmark(3)
    with pytest.raises(ValueError, match="benchmark: repeat is 0; expected 1 or more"):
        utils.benchmark(usm.sin, usm.ones(1), repeat=0)
    with pytest.raises(TypeError, match="benchmark: repeat"):
        utils.benchmark(usm.sin, usm.ones(1), repeat=1.5)
