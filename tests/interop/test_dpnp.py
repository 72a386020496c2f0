"""dpnp: arrays both ways, without copies."""

import gc

import numpy as np
import pytest
from checks import assert_same
from library import run
from test_dlpack_order import in_order_queue, late, needs_default_context

import usmtensor as usm

dpctl = pytest.importorskip("dpctl")
dpnp = pytest.importorskip("dpnp")
tensor = pytest.importorskip("dpnp.tensor")

VALUES = np.arange(24, dtype="i4").reshape(4, 6)
VIEWS = [np.s_[...], np.s_[1:3, ::2], np.s_[:, 2], np.s_[2, 3, ...]]


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)


@pytest.mark.shows(
    "dpnp", "from us", "`dpnp.tensor.asarray(x)`, `dpnp.tensor.from_dlpack(x)`", "none"
)
@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("make", [tensor.asarray, tensor.from_dlpack], ids=["SUAI", "DLPack"])
def test_dpnp_arrays_over_usmtensor_arrays(x, usm_kind, view, make):
    y = make(x[view])
    assert y._pointer == x[view]._pointer
    assert y.usm_type == usm_kind
    assert y.strides == x[view].strides
    np.testing.assert_array_equal(tensor.asnumpy(y), VALUES[view])
    y[...] = 5
    y.sycl_queue.wait()
    assert (usm.asnumpy(x[view]) == 5).all()


@pytest.mark.shows("dpnp", "to us", "`asarray(y)`, `from_dlpack(y)`", "none")
@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("make", [usm.asarray, usm.from_dlpack], ids=["SUAI", "DLPack"])
def test_our_arrays_over_theirs(device, usm_kind, view, make):
    theirs = tensor.asarray(VALUES, usm_type=usm_kind, device=device.filter_string)[view]
    y = make(theirs)
    assert y._pointer == theirs._pointer
    assert y.usm_type == usm_kind
    # dpnp exports arrays of 0 dimensions as read-only tensors.
    assert y.flags.writable == theirs.flags.writable or (make is usm.from_dlpack and y.ndim == 0)
    assert y.sycl_queue == usm.SyclQueue(theirs.sycl_queue)
    assert_same(y, VALUES[view])
    if y.flags.writable:
        y[...] = 7
        y.sycl_queue.wait()
        assert (tensor.asnumpy(theirs) == 7).all()


def test_their_memory_stays_until_our_commands_are_complete(device):
    """dpnp ends its commands with host tasks, for which sycl::free does not wait: a crash."""
    code = f"""
import usmtensor as usm
usm.empty(1)
import dpctl, dpnp.tensor as tensor
queue = dpctl.SyclQueue({device.filter_string!r}, property="in_order")
for _ in range(10):
    theirs = tensor.full(3_000_000, 3, dtype="f4", sycl_queue=queue)
    queue.wait()
    ours = usm.asarray(theirs)
    tensor.sin(tensor.sin(tensor.ones(3_000_000, dtype="f4", sycl_queue=queue)))
    result = ours * 1
    del theirs, ours
    assert (usm.asnumpy(result) == 3).all()
"""
    assert run(code) == ""


def test_negative_strides(x):
    y = tensor.from_dlpack(x[::-1, ::-1])
    np.testing.assert_array_equal(tensor.asnumpy(y), VALUES[::-1, ::-1])
    assert y._pointer == x[::-1, ::-1]._pointer
    theirs = tensor.asarray(VALUES)[::-1, ::-2]
    for make in (usm.asarray, usm.from_dlpack):
        ours = make(theirs)
        assert ours._pointer == theirs._pointer
        assert_same(ours, VALUES[::-1, ::-2])


@pytest.mark.shows(
    "dpnp", "from us", "`dpnp.from_dlpack(x)`, `dpnp.asarray(dpnp.tensor.asarray(x))`", "none"
)
def test_dpnp_array(x, usm_kind):
    for y in (dpnp.asarray(tensor.asarray(x)), dpnp.from_dlpack(x)):
        np.testing.assert_array_equal(dpnp.asnumpy(y), VALUES)
        assert y.get_array()._pointer == x._pointer
    back = usm.asarray(y)
    assert back._pointer == x._pointer
    assert back.usm_type == usm_kind
    assert_same(back, VALUES)


@pytest.mark.shows(
    "dpnp", "from us", "`dpnp.asarray(x, sycl_queue=q)`, `dpnp.asarray(x, device=d)`", "one"
)
def test_dpnp_asarray_with_a_queue(x, device):
    queue = dpctl.SyclQueue(x.sycl_queue._get_capsule())
    for keywords in ({"sycl_queue": queue}, {"device": device.filter_string}):
        np.testing.assert_array_equal(dpnp.asnumpy(dpnp.asarray(x, **keywords)), VALUES)


@pytest.mark.shows("dpnp", "fails", "`dpnp.asarray(x)`: takes `x.sycl_queue` for a dpctl queue", "")
@pytest.mark.xfail(
    strict=True,
    raises=TypeError,
    reason="dpnp.asarray takes the attribute sycl_queue of any object for a queue of dpctl",
)
def test_dpnp_asarray_without_a_queue(x):
    np.testing.assert_array_equal(dpnp.asnumpy(dpnp.asarray(x)), VALUES)


@pytest.mark.parametrize("make", [tensor.asarray, tensor.from_dlpack], ids=["SUAI", "DLPack"])
def test_they_see_our_pending_work(device, make):
    for _ in range(4):
        queue = in_order_queue(device)
        needs_default_context(queue)
        x, _keep = late(queue)
        assert (tensor.asnumpy(make(x)) == 2).all()


@pytest.mark.parametrize("make", [usm.asarray, usm.from_dlpack], ids=["SUAI", "DLPack"])
def test_we_see_their_pending_work(device, make):
    theirs = tensor.zeros(1 << 20, dtype="i4", device=device.filter_string)
    for _ in range(10):
        theirs += 1
    assert (usm.asnumpy(make(theirs) + 1) == 11).all()


def test_producers_deleted_first(queue, usm_kind):
    x = usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)
    held = [tensor.asarray(x), tensor.from_dlpack(x)]
    del x
    gc.collect()
    usm.full((4, 6), -1, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    for y in held:
        np.testing.assert_array_equal(tensor.asnumpy(y), VALUES)
    theirs = tensor.asarray(VALUES, usm_type=usm_kind)
    ours = [usm.asarray(theirs), usm.from_dlpack(theirs)]
    del theirs
    gc.collect()
    tensor.full((4, 6), -1, dtype="i4", usm_type=usm_kind)
    for y in ours:
        assert_same(y, VALUES)


@pytest.mark.parametrize("make", [dpnp.asarray, tensor.asarray], ids=["dpnp", "dpnp.tensor"])
@pytest.mark.parametrize(
    "index",
    [[1, 2], [[3]], 3, [3], [True, False, True, True]],
    ids=["two", "2-D", "0-D", "1", "mask"],
)
def test_their_arrays_as_indices(x, device, make, index):
    theirs = make(index, device=device.filter_string)
    assert_same(x[theirs], VALUES[np.asarray(index)])
    x[theirs] = 7
    expected = VALUES.copy()
    expected[np.asarray(index)] = 7
    assert_same(x, expected)
    if not isinstance(index, list) or not isinstance(index[0], bool):
        assert_same(usm.take(x, theirs, axis=1), expected.take(index, axis=1))


def test_empty(x):
    assert tensor.asarray(x[:0]).shape == (0, 6)
    assert tensor.from_dlpack(x[:0]).shape == (0, 6)
    assert usm.asarray(tensor.empty((0, 6))).shape == (0, 6)
    assert usm.from_dlpack(tensor.empty((0, 6))).shape == (0, 6)


@pytest.mark.shows("dpnp", "to us", "your own kernels on dpnp arrays", "none")
def test_kernels_of_users_on_arrays_of_dpnp():
    x = dpnp.arange(24, dtype="i4").reshape(4, 6)[::2]
    y = dpnp.zeros_like(x)
    twice = usm.ElementwiseKernel("T x", "T y", "y = 2 * x", "twice")
    assert twice(x, y) is y
    np.testing.assert_array_equal(dpnp.asnumpy(y), 2 * VALUES[::2])
