"""PyTorch on `xpu` by its rules: the steps in its sources, without such a device.

A tensor of `xpu` is device memory of the default context. Its capsule has the position of the
device in `get_devices()`, `__dlpack_device__` has PyTorch's own number. An import uses the pointer
and ignores the number. PyTorch passes no stream; a proposed change passes the address of the
`sycl::queue`.
"""

import ctypes
import gc

import dlpack_structs as dl
import numpy as np
import pytest
from checks import assert_same
from dlpack_structs import K_ONE_API, Producer
from test_dlpack_order import SIZE, in_order_queue, late, late_copy, needs_default_context, pending
from test_dlpack_table import Table, given_by, taken_by

import usmtensor as usm

VALUES = np.arange(24, dtype="i4").reshape(4, 6)


@pytest.fixture
def x(queue):
    needs_default_context(queue)
    return usm.asarray(VALUES, sycl_queue=queue)


def imported(structure, context):
    """Address, shape and strides that `torch.from_dlpack` reads from a structure."""
    tensor = structure.tensor
    assert tensor.device.type == K_ONE_API
    memory = usm.memory.as_usm_memory(Pointer(tensor.data, context))
    if memory.get_usm_type(context) != "device":
        raise ValueError("expected device memory of the default context")
    shape, strides = (dl.integers(p, tensor.ndim) or () for p in (tensor.shape, tensor.strides))
    assert all(s >= 0 for s in strides)
    return tensor.data + tensor.byte_offset, shape, strides


class Pointer:
    def __init__(self, address, context):
        self.__sycl_usm_array_interface__ = {
            "data": (address, False),
            "shape": (1,),
            "typestr": "|u1",
            "version": 1,
            "syclobj": context,
        }


class Tensor(Producer):
    """A tensor of `xpu`, with the methods of torch.Tensor."""

    def __init__(self, x):
        # Strides of axes of one element are 1; the address includes the offset.
        strides = [1 if n < 2 else s for n, s in zip(x.shape, x.strides, strict=True)]
        number = x.__dlpack_device__()[1]
        super().__init__(
            x._pointer, x.shape, x.dtype, strides=strides, device=(K_ONE_API, number), owner=x
        )

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        assert stream is None
        return self.capsule()

    def __dlpack_device__(self):
        return K_ONE_API, 7  # PyTorch's own number


@pytest.mark.shows(
    "torch XPU, by its rules",
    "from us",
    "`torch.from_dlpack(x)`; device memory of the default context, no negative strides",
    "none",
)
@pytest.mark.parametrize("view", [np.s_[...], np.s_[1:, ::2], np.s_[2, 3, ...]], ids=str)
def test_consumer(x, view):
    kind, number = x.__dlpack_device__()
    assert (kind, number) == (K_ONE_API, usm.get_devices().index(x.sycl_device))
    v = x[view]
    structure = dl.consume(v.__dlpack__(max_version=(1, 0)))
    context = x.sycl_device.sycl_platform.default_context
    assert imported(structure, context) == (v._pointer, v.shape, v.strides)
    del x, v
    gc.collect()
    assert imported(structure, context)  # the memory still lives
    dl.delete(structure)


@pytest.mark.parametrize("kind", ["shared", "host"])
def test_refused_memory(queue, kind):
    needs_default_context(queue)
    x = usm.asarray(VALUES, usm_type=kind, sycl_queue=queue)
    with pytest.raises(ValueError):
        imported(dl.look(x.__dlpack__(max_version=(1, 0))), x.sycl_context)


def test_without_a_stream_the_work_is_done(device):
    queue = in_order_queue(device)
    needs_default_context(queue)
    x, _keep = late(queue)
    x.__dlpack__(max_version=(1, 0))
    assert not pending(queue)


def test_their_queue_as_the_proposed_change_passes_it(device):
    queue, theirs = in_order_queue(device), in_order_queue(device)
    needs_default_context(queue)
    for _ in range(4):
        x, _keep = late(queue)
        y = usm.full(SIZE, 0, dtype="i4", sycl_queue=theirs)
        theirs.wait()
        structure = dl.consume(x.__dlpack__(max_version=(1, 0), stream=theirs.addressof_ref()))
        late_copy(theirs, y, x, 0.0)
        theirs.wait()
        assert (usm.asnumpy(y) == 2).all()
        dl.delete(structure)


@pytest.mark.shows(
    "torch XPU, by its rules", "to us", "`from_dlpack(t)`; `t` has to be ready", "none"
)
@pytest.mark.parametrize("view", [np.s_[...], np.s_[1:, ::2], np.s_[:1], np.s_[2, 3, ...]], ids=str)
def test_producer(x, view):
    theirs = Tensor(x[view])
    y = usm.from_dlpack(theirs)
    assert y._pointer == x[view]._pointer
    assert y.usm_type == "device"
    assert y.sycl_device == x.sycl_device
    assert_same(y, VALUES[view])
    y[...] = 7
    assert (usm.asnumpy(x[view]) == 7).all()
    deleted = theirs.deleted
    assert not deleted
    del y
    assert len(deleted) == 1


@pytest.mark.shows(
    "torch XPU, by its rules", "from us", "`__dlpack_c_exchange_api__`, between C libraries", "none"
)
def test_between_c_libraries(x):
    """An extension that uses only the table."""
    capsule = usm.usm_ndarray.__dlpack_c_exchange_api__
    get = ctypes.pythonapi.PyCapsule_GetPointer
    ours = Table.from_address(get(capsule, b"dlpack_exchange_api"))
    structure = given_by(ours, x)
    assert imported(structure, x.sycl_context) == (x._pointer, x.shape, x.strides)
    dl.delete(structure)
    y = taken_by(ours, Tensor(x).structure)
    assert y._pointer == x._pointer
    assert_same(y, VALUES)
