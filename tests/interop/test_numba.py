"""numba: compiled functions over memory that the host can reach."""

import numpy as np
import pytest
from checks import assert_same
from test_dlpack_order import in_order_queue, late

import usmtensor as usm

numba = pytest.importorskip("numba")


@pytest.fixture(params=["shared", "host"])
def x(request, queue):
    if not getattr(queue.sycl_device, f"has_aspect_usm_{request.param}_allocations"):
        pytest.skip(f"the device lacks the aspect usm_{request.param}_allocations")
    values = np.arange(24, dtype="f8")
    return usm.asarray(values, usm_type=request.param, sycl_queue=queue)


@numba.njit
def add_to(values, number):
    for i in range(values.size):
        values[i] += number


@pytest.mark.shows(
    "numba",
    "from us",
    "functions over `np.asarray(x)`, `np.frombuffer(x.usm_data)`",
    "none",
)
@pytest.mark.parametrize("look", [np.asarray, lambda x: np.frombuffer(x.usm_data, x.dtype)])
def test_in_place(x, look):
    view = look(x)
    assert view.ctypes.data == x._pointer
    add_to(view, 1.5)
    assert_same(x, np.arange(24, dtype="f8") + 1.5)


def test_pending_work(device):
    x, _keep = late(in_order_queue(device), "shared")
    view = np.asarray(x)
    add_to(view, 1)
    assert (usm.asnumpy(x) == 3).all()


def test_the_view_keeps_the_memory(queue, x):
    view = np.asarray(usm.asarray(x, copy=True))
    usm.full(24, -1.0, usm_type=x.usm_type, sycl_queue=queue)
    add_to(view, 1.0)
    np.testing.assert_array_equal(view, np.arange(24) + 1.0)


def test_device_memory_is_refused(queue):
    x = usm.ones(3, sycl_queue=queue)
    with pytest.raises((BufferError, TypeError)):
        add_to(x, 1.0)
