"""TensorFlow by its rules: the steps in the sources of `tf.experimental.dlpack`.

It takes and gives capsules of versions before 1.0 on its own devices; here that is the host. These
steps were also run with TensorFlow 2.21.
"""

import ctypes
import gc

import dlpack_structs as dl
import numpy as np
import pytest
from checks import assert_same
from dlpack_structs import CPU, Holder, Producer
from strategies import DTYPES, skip_without
from test_dlpack_order import in_order_queue, late

import usmtensor as usm

VALUES = np.arange(24, dtype="i4").reshape(4, 6)


def from_dlpack(capsule):
    """The structure and a view of it, as in `tf.experimental.dlpack.from_dlpack`."""
    if dl.name_of(capsule) != b"dltensor":
        raise ValueError("a DLPack tensor must be a capsule with name dltensor")
    tensor = dl.look(capsule).tensor
    if (tensor.device.type, tensor.device.id) != CPU:
        raise ValueError("unsupported device type")
    shape, strides = (dl.integers(p, tensor.ndim) or () for p in (tensor.shape, tensor.strides))
    step = 1
    for n, s in zip(shape[::-1], strides[::-1], strict=True):
        if n > 1 and s != step:
            raise ValueError("invalid strides")
        step *= n
    structure = dl.consume(capsule)
    return structure, dl.as_host_array(structure.tensor)


def to_dlpack(values):
    """A compact tensor with strides and a deleter, as from `tf.experimental.dlpack.to_dlpack`."""
    strides = [s // values.itemsize for s in values.strides]
    producer = Producer(
        values.ctypes.data,
        values.shape,
        values.dtype,
        strides=strides,
        device=CPU,
        version=None,
        owner=values,
    )
    return producer, Holder(producer.capsule())


@pytest.mark.shows(
    "TensorFlow, by its rules",
    "from us",
    "`tf.experimental.dlpack.from_dlpack(x.__dlpack__(dl_device=(1, 0)))`; C-contiguous, writable",
    "none",
)
@pytest.mark.parametrize("kind", ["shared", "host"])
def test_consumer(queue, kind):
    x = usm.asarray(VALUES, usm_type=kind, sycl_queue=queue)
    structure, y = from_dlpack(x[1:].__dlpack__(dl_device=CPU))
    assert y.ctypes.data == x[1:]._pointer
    x[...] = 3
    assert (y == 3).all()
    del x
    gc.collect()
    usm.full((4, 6), -1, dtype="i4", usm_type=kind, sycl_queue=queue)
    assert (y == 3).all()
    dl.delete(structure)


def test_device_memory(queue):
    structure, y = from_dlpack(usm.asarray(VALUES, sycl_queue=queue).__dlpack__(dl_device=CPU))
    np.testing.assert_array_equal(y, VALUES)
    dl.delete(structure)


def test_refused_capsules(queue):
    x = usm.asarray(VALUES, usm_type="shared", sycl_queue=queue)
    for capsule in (
        x.__dlpack__(),
        x.__dlpack__(dl_device=CPU, max_version=(1, 0)),
        x.T.__dlpack__(dl_device=CPU),
        x[:, ::2].__dlpack__(dl_device=CPU),
    ):
        with pytest.raises(ValueError):
            from_dlpack(capsule)
    x.flags.writable = False
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__(dl_device=CPU)


def test_pending_work(device):
    x, _keep = late(in_order_queue(device), "shared")
    structure, y = from_dlpack(x.__dlpack__(dl_device=CPU))
    assert (y == 2).all()
    dl.delete(structure)


@pytest.mark.shows(
    "TensorFlow, by its rules",
    "to us",
    "`from_dlpack(t)`, and of an object that gives `tf.experimental.dlpack.to_dlpack(t)`",
    "one, to the device",
)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_producer(device, dtype):
    skip_without(device, dtype)
    values = np.arange(6).astype(dtype).reshape(2, 3)
    producer, holder = to_dlpack(values)
    assert_same(usm.from_dlpack(holder), values)
    assert producer.deleted == [ctypes.addressof(producer.structure)]
