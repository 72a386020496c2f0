"""PyTorch on the CPU: DLPack and buffers."""

import ctypes
import gc

import dlpack_structs as dl
import numpy as np
import pytest
from checks import assert_same
from test_dlpack_order import in_order_queue, late
from test_dlpack_table import Table, given_by, taken_by

import usmtensor as usm

torch = pytest.importorskip("torch")

CPU = (usm.DLDeviceType.kDLCPU, 0)
VALUES = np.arange(24, dtype="i4").reshape(4, 6)


@pytest.fixture(params=["shared", "host"])
def x(request, queue):
    if not getattr(queue.sycl_device, f"has_aspect_usm_{request.param}_allocations"):
        pytest.skip(f"the device lacks the aspect usm_{request.param}_allocations")
    return usm.asarray(VALUES, usm_type=request.param, sycl_queue=queue)


def as_tensor(x):
    # torch itself does not request the host.
    return torch.from_dlpack(x.__dlpack__(dl_device=CPU, max_version=(1, 0)))


@pytest.mark.shows(
    "torch",
    "from us",
    "`torch.from_dlpack(x.__dlpack__(dl_device=(1, 0), max_version=(1, 0)))`; no negative strides",
    "none",
)
def test_capsule(x):
    tensor = as_tensor(x[1:, ::2])
    assert tensor.data_ptr() == x[1:, ::2]._pointer
    np.testing.assert_array_equal(tensor.numpy(), VALUES[1:, ::2])
    tensor += 1
    assert_same(x[1:, ::2], VALUES[1:, ::2] + 1)


def test_work_while_a_tensor_lives_is_complete(x):
    tensor = as_tensor(x)
    for value in range(20):
        x[...] = value
        assert (tensor.numpy() == value).all()


def test_pending_work(device):
    x, _keep = late(in_order_queue(device), "shared")
    assert (as_tensor(x).numpy() == 2).all()


def test_producer_deleted_first(queue, x):
    y = usm.asarray(x, copy=True)
    tensor, kind = as_tensor(y), y.usm_type
    del y
    gc.collect()
    usm.full((4, 6), -1, dtype="i4", usm_type=kind, sycl_queue=queue)
    np.testing.assert_array_equal(tensor.numpy(), VALUES)


@pytest.mark.shows("torch", "from us", "`torch.frombuffer(x.usm_data, dtype=...)`", "none")
def test_buffer(x):
    tensor = torch.frombuffer(x.usm_data, dtype=torch.int32)
    assert tensor.data_ptr() == x._pointer
    np.testing.assert_array_equal(tensor.numpy(), VALUES.ravel())


def test_device_memory_for_the_host(queue):
    x = usm.asarray(VALUES, sycl_queue=queue)
    np.testing.assert_array_equal(as_tensor(x).numpy(), VALUES)


@pytest.mark.shows("torch", "to us", "`from_dlpack(t)`", "one, to the device")
@pytest.mark.parametrize(
    "dtype", ["?", "u1", "i1", "i2", "i4", "i8", "f2", "f4", "f8", "c8", "c16"]
)
def test_tensors_become_arrays(dtype):
    host = np.arange(6).astype(dtype).reshape(2, 3)
    tensor = torch.from_numpy(host)
    assert_same(usm.from_dlpack(tensor), host)
    assert_same(usm.from_dlpack(tensor.T), host.T)
    with pytest.raises(ValueError, match="copy=False"):
        usm.from_dlpack(tensor, copy=False)


def test_types_that_arrays_do_not_have():
    with pytest.raises(BufferError, match="dtype"):
        usm.from_dlpack(torch.ones(3, dtype=torch.bfloat16))


def table_of(kind):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    return Table.from_address(get(kind.__dlpack_c_exchange_api__, b"dlpack_exchange_api"))


@pytest.mark.shows("torch", "to us", "`__dlpack_c_exchange_api__`", "one, to the device")
def test_between_c_libraries(queue):
    """usmtensor takes torch's tensors. This torch lacks our device and refuses our arrays."""
    ours, theirs = table_of(usm.usm_ndarray), table_of(torch.Tensor)
    assert_same(taken_by(ours, given_by(theirs, torch.from_numpy(VALUES))), VALUES)
    x = usm.asarray(VALUES, sycl_queue=queue)
    structure = given_by(ours, x)
    with pytest.raises((RuntimeError, SystemError)):
        taken_by(theirs, structure)
    dl.delete(structure)
    assert_same(x, VALUES)
