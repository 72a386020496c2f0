"""JAX on the CPU: DLPack on the host."""

import gc

import numpy as np
import pytest
from checks import assert_same
from dlpack_structs import CPU, Holder
from test_dlpack_order import in_order_queue, late

import usmtensor as usm

jax = pytest.importorskip("jax")

VALUES = np.arange(24, dtype="i4").reshape(4, 6)


@pytest.fixture(params=["shared", "host"])
def x(request, queue):
    if not getattr(queue.sycl_device, f"has_aspect_usm_{request.param}_allocations"):
        pytest.skip(f"the device lacks the aspect usm_{request.param}_allocations")
    return usm.asarray(VALUES, usm_type=request.param, sycl_queue=queue)


def as_theirs(x, **keywords):
    # jax knows only versions before 1.0, and does not request the host.
    return jax.numpy.from_dlpack(Holder(x.__dlpack__(dl_device=CPU)), **keywords)


@pytest.mark.shows(
    "jax",
    "from us",
    "`jax.numpy.from_dlpack` of an object that gives `x.__dlpack__(dl_device=(1, 0))`; compact",
    "none; one unless aligned to 64 bytes",
)
def test_consumer(x):
    y = as_theirs(x, copy=False)
    assert y.unsafe_buffer_pointer() == x._pointer
    np.testing.assert_array_equal(y, VALUES)
    np.testing.assert_array_equal(as_theirs(x.T), VALUES.T)
    x[...] = 3
    assert (np.asarray(y) == 3).all()


def test_unaligned_address(x):
    y = as_theirs(x[1:])
    assert y.unsafe_buffer_pointer() != x[1:]._pointer
    np.testing.assert_array_equal(y, VALUES[1:])
    with pytest.raises(ValueError, match="align"):
        as_theirs(x[1:], copy=False)


@pytest.mark.parametrize("view", [np.s_[:, ::2], np.s_[::-1]], ids=str)
def test_strides_that_jax_lacks(x, view):
    with pytest.raises(Exception, match="strid"):
        as_theirs(x[view])
    assert_same(x, VALUES)


def test_producer_deleted_first(x):
    z = usm.asarray(x, copy=True)
    kind, queue = z.usm_type, z.sycl_queue
    y = as_theirs(z)
    del z
    gc.collect()
    usm.full((4, 6), -1, dtype="i4", usm_type=kind, sycl_queue=queue)
    np.testing.assert_array_equal(y, VALUES)


def test_pending_work(device):
    x, _keep = late(in_order_queue(device), "shared")
    assert (np.asarray(as_theirs(x)) == 2).all()


@pytest.mark.shows("jax", "to us", "`from_dlpack(y)`, `asarray(y)`", "one, to the device")
def test_producer():
    y = jax.numpy.asarray(VALUES) + 1
    assert_same(usm.from_dlpack(y), VALUES + 1)
    assert_same(usm.asarray(y), VALUES + 1)
