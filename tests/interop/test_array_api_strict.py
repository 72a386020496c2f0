"""array-api-strict: a consumer and a producer of DLPack on the host, strictly by the standard."""

import gc

import numpy as np
import pytest
from checks import assert_same
from dlpack_structs import CPU, Holder
from test_dlpack_order import in_order_queue, late

import usmtensor as usm

strict = pytest.importorskip("array_api_strict")

VALUES = np.arange(24, dtype="i4").reshape(4, 6)


def as_theirs(x):
    return strict.from_dlpack(Holder(x.__dlpack__(dl_device=CPU, max_version=(1, 0))))


@pytest.mark.shows(
    "array-api-strict",
    "from us",
    "`from_dlpack` of an object that gives `x.__dlpack__(dl_device=(1, 0), max_version=(1, 0))`",
    "none",
)
def test_consumer(queue):
    x = usm.asarray(VALUES, usm_type="shared", sycl_queue=queue)
    y = as_theirs(x[1:, ::2])
    assert np.asarray(y).ctypes.data == x[1:, ::2]._pointer
    np.testing.assert_array_equal(np.asarray(y), VALUES[1:, ::2])
    x[...] = 3
    assert (np.asarray(y) == 3).all()
    del x
    gc.collect()
    usm.full((4, 6), -1, dtype="i4", usm_type="shared", sycl_queue=queue)
    assert (np.asarray(y) == 3).all()


def test_pending_work(device):
    x, _keep = late(in_order_queue(device), "shared")
    assert (np.asarray(as_theirs(x)) == 2).all()


@pytest.mark.shows("array-api-strict", "to us", "`from_dlpack(y)`", "one, to the device")
def test_producer():
    y = strict.asarray(VALUES)
    assert_same(usm.from_dlpack(y), VALUES)
