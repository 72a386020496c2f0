"""Run work on one tier of a CPU device, and compare the results of both tiers."""

import contextlib
import os

import numpy as np
import pytest

from usmtensor import _hooks

DISCRETE = os.environ.get("USMTENSOR_DISCRETE") == "1"


def skip_without_tiers(device):
    """Skips the test if all work goes to the device."""
    if not device.is_cpu:
        pytest.skip("only on a CPU device the host may run commands")
    if DISCRETE:
        pytest.skip("in discrete mode the memory is out of the host's reach")


@contextlib.contextmanager
def forced(tier):
    _hooks.force_tier(tier)
    try:
        yield
    finally:
        _hooks.force_tier("")


@contextlib.contextmanager
def all_on_the_host(queue):
    """Every command inside runs on the calling thread, and there is one at least."""
    queue.wait()
    ran, submitted = _hooks.host_commands(), _hooks.submitted_commands(queue)
    with forced("host"):
        yield
    assert _hooks.submitted_commands(queue) == submitted
    assert _hooks.host_commands() > ran


@contextlib.contextmanager
def all_on_the_device(queue):
    """Every command inside goes to the queue, and there is one at least; waits for them."""
    ran, submitted = _hooks.host_commands(), _hooks.submitted_commands(queue)
    with forced("device"):
        yield
    queue.wait()
    assert _hooks.submitted_commands(queue) > submitted
    assert _hooks.host_commands() == ran


def bits(array):
    """The elements as unsigned integers; all NaN become equal. A complex number gives two."""
    array = np.ascontiguousarray(array).reshape(-1)
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), array.dtype.type(np.nan), array)
    return array.view(f"u{array.itemsize}")


def assert_same_bits(host, device, *inputs, case=""):
    """`inputs` are the elements behind the results, and `case` is their name, for the message."""
    assert host.dtype == device.dtype and host.size == device.size, case
    unlike = np.flatnonzero(bits(host) != bits(device))
    if unlike.size:
        per_element = bits(host).size // host.size
        places = np.unique(unlike // per_element)
        lines = [
            f"{', '.join(repr(x.reshape(-1)[i]) for x in inputs)}: "
            f"host {host.reshape(-1)[i]!r}, device {device.reshape(-1)[i]!r}"
            for i in places[:8]
        ]
        pytest.fail(f"{case}: {places.size} of {host.size} elements differ\n" + "\n".join(lines))
