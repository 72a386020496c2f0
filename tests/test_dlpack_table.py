"""The table by which C libraries exchange arrays, `__dlpack_c_exchange_api__`."""

import ctypes
import sys

import dlpack_structs as dl
import numpy as np
import pytest
from checks import assert_same
from dlpack_structs import CPU, Producer, made
from placement import in_order_queue
from test_dlpack_order import SIZE, late, late_copy, needs_default_context

import usmtensor as usm


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(np.arange(24, dtype="i4").reshape(4, 6), usm_type=usm_kind, sycl_queue=queue)


class Table(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("give", ctypes.c_void_p),
        ("take", ctypes.c_void_p),
        ("describe", ctypes.c_void_p),
        ("current_queue", ctypes.c_void_p),
    )


SET_ERROR = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p)
ALLOCATE = ctypes.PYFUNCTYPE(
    ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)
GIVE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
TAKE = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
CURRENT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32, ctypes.c_void_p)


@pytest.fixture
def table():
    get = ctypes.pythonapi.PyCapsule_GetPointer
    capsule = usm.usm_ndarray.__dlpack_c_exchange_api__
    assert dl.name_of(capsule) == b"dlpack_exchange_api"
    table = Table.from_address(get(capsule, b"dlpack_exchange_api"))
    assert (table.major, table.minor, table.previous) == (1, 3, None)
    return table


def given_by(table, x):
    out = ctypes.c_void_p()
    assert GIVE(table.give)(x, ctypes.addressof(out)) == 0
    return dl.Versioned.from_address(out.value)


def taken_by(table, structure):
    out = ctypes.c_void_p()
    assert TAKE(table.take)(ctypes.addressof(structure), ctypes.addressof(out)) == 0
    result = ctypes.cast(out, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(result))
    return result


def test_table_gives_and_takes(table, x):
    v = x[::-1, 1:]
    structure = given_by(table, v)
    assert (structure.major, structure.minor, structure.flags) == (1, 3, 0)
    y = taken_by(table, structure)
    assert y._pointer == v._pointer
    assert y.strides == v.strides
    assert_same(y, usm.asnumpy(v))
    fresh = object()
    assert sys.getrefcount(y) == sys.getrefcount(fresh)
    x.flags.writable = False
    assert not taken_by(table, given_by(table, x)).flags.writable


def test_table_describes_without_owning(table, x):
    tensor = dl.Tensor()
    assert GIVE(table.describe)(x, ctypes.addressof(tensor)) == 0
    assert tensor.data + tensor.byte_offset == x._pointer
    assert dl.integers(tensor.shape, 2) == x.shape
    assert dl.integers(tensor.strides, 2) == x.strides


def test_table_takes_host_data_as_a_copy(table):
    host = np.arange(4, dtype="f4")
    producer = Producer(host.ctypes.data, (4,), "f4", device=(1, 0))
    assert_same(taken_by(table, producer.structure), host)
    assert len(producer.deleted) == 1


def test_table_refuses(table, x):
    out = ctypes.c_void_p()
    with pytest.raises(TypeError):
        GIVE(table.give)(3, ctypes.addressof(out))
    bad = made(x, ndim=-1)
    with pytest.raises(BufferError, match="ndim"):
        TAKE(table.take)(ctypes.addressof(bad.structure), ctypes.addressof(out))
    bad = made(x, version=(2, 0))
    with pytest.raises(BufferError, match="version"):
        TAKE(table.take)(ctypes.addressof(bad.structure), ctypes.addressof(out))
    with pytest.raises(BufferError):
        CURRENT(table.current_queue)(2, 0, ctypes.addressof(out))
    with pytest.raises(BufferError):
        CURRENT(table.current_queue)(14, 10**6, ctypes.addressof(out))
    Producer.alive.clear()


def test_table_allocates(table, x):
    for where in (x.__dlpack_device__(), CPU):
        prototype = made(x, shape=(3, 5), strides=(7, 9), data=None, device=where)
        out = ctypes.c_void_p()
        address = ctypes.addressof(prototype.structure.tensor)
        assert ALLOCATE(table.allocate)(address, ctypes.addressof(out), None, None) == 0
        structure = dl.Versioned.from_address(out.value)
        assert structure.tensor.data
        assert dl.integers(structure.tensor.shape, 2) == (3, 5)
        assert dl.integers(structure.tensor.strides, 2) == (5, 1)
        assert (structure.tensor.device.type, structure.tensor.device.id) == where
        if where == CPU:
            dl.as_host_array(structure.tensor)[...] = 7
            dl.delete(structure)
        else:
            assert taken_by(table, structure).shape == (3, 5)
    Producer.alive.clear()


def test_table_says_why_it_cannot_allocate(table, x):
    heard = []
    set_error = SET_ERROR(lambda context, kind, message: heard.append((kind, message)))
    for changes in ({"device": (2, 0)}, {"shape": (2**50, 2**9)}, {"ndim": -1}):
        prototype = made(x, **changes)
        out = ctypes.c_void_p()
        code = ALLOCATE(table.allocate)(
            ctypes.addressof(prototype.structure.tensor),
            ctypes.addressof(out),
            None,
            ctypes.cast(set_error, ctypes.c_void_p),
        )
        assert code == -1
    assert [kind for kind, _ in heard][::2] == [b"BufferError", b"BufferError"]
    assert all(message for _, message in heard)
    Producer.alive.clear()


def test_current_queue_comes_after_the_work(table, device):
    default = usm.get_device_cached_queue(device)
    queue = in_order_queue(device)
    needs_default_context(queue)
    out = ctypes.c_void_p()
    number = usm.sycl_device_to_dldevice(device)[1]
    assert CURRENT(table.current_queue)(14, number, ctypes.addressof(out)) == 0
    assert out.value == default.addressof_ref()
    assert CURRENT(table.current_queue)(1, 0, ctypes.addressof(out)) == 0
    assert out.value is None
    for _ in range(4):
        x, _keep = late(queue)
        y = usm.full(SIZE, 0, dtype="i4", sycl_queue=default)
        structure = given_by(table, x)
        late_copy(default, y, x, 0.0)
        default.wait()
        assert (usm.asnumpy(y) == 2).all()
        dl.delete(structure)
