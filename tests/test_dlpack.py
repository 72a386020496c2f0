"""DLPack both ways: export, import, capsules and ownership."""

import ctypes
import gc
import subprocess
import sys
import textwrap
import threading
import weakref
from pathlib import Path

import dlpack_structs as dl
import numpy as np
import pytest
from checks import assert_same, shares_memory
from dlpack_structs import CPU, Holder, Producer, made
from hypothesis import given
from hypothesis import strategies as st
from placement import PLACES, in_order_queue, other_context_queue, out_of_order_queue
from strategies import DTYPES, dtypes, examples, recipes, skip_without
from stress import fuzz_dlpack

import usmtensor as usm


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(np.arange(24, dtype="i4").reshape(4, 6), usm_type=usm_kind, sycl_queue=queue)


def host_reaches(x):
    return x.usm_type != "device" or (x.sycl_device.is_cpu and not dl.DISCRETE)


def position_of_root(device):
    return usm.get_devices().index(device.get_unpartitioned_parent_device())


def live_bytes(device):
    gc.collect()
    return sum(row["live"] for row in usm.memory.statistics().get(device, {}).values())


# --- devices -------------------------------------------------------------------------------------


def test_device_types():
    assert usm.DLDeviceType.kDLCPU == 1
    assert usm.DLDeviceType.kDLOneAPI == 14


def test_device_and_its_number(device):
    pair = usm.sycl_device_to_dldevice(device)
    assert pair == (usm.DLDeviceType.kDLOneAPI, usm.get_devices().index(device))
    assert usm.dldevice_to_sycl_device(pair) == device
    assert usm.dldevice_to_sycl_device((14, pair[1])) == device


def test_number_of_a_sub_device(sub_devices, device):
    assert usm.sycl_device_to_dldevice(sub_devices[0]) == usm.sycl_device_to_dldevice(device)


@pytest.mark.parametrize("junk", [None, 3, "cpu"])
def test_no_device(junk):
    with pytest.raises(TypeError):
        usm.sycl_device_to_dldevice(junk)
    with pytest.raises(TypeError):
        usm.dldevice_to_sycl_device(junk)


@pytest.mark.parametrize("junk", [(14,), (1, 0), (14, -1), (14, 10**6), ("a", "b"), (14, 0, 0)])
def test_no_dlpack_device(junk):
    with pytest.raises(ValueError):
        usm.dldevice_to_sycl_device(junk)


# --- export --------------------------------------------------------------------------------------


@given(recipe=recipes(), version=st.sampled_from([None, (1, 0), (1, 3), (2, 0)]), data=st.data())
def test_fields(queue, recipe, version, data):
    expected, x = recipe.pair(queue, data.draw(st.sampled_from(["device", "shared", "host"])))
    capsule = x.__dlpack__(max_version=version)
    assert dl.name_of(capsule) == (b"dltensor" if version is None else b"dltensor_versioned")
    structure = dl.look(capsule)
    tensor = structure.tensor
    assert structure.deleter
    if version is not None:
        assert (structure.major, structure.minor) == (1, 3)
        assert structure.flags == 0
    assert (tensor.device.type, tensor.device.id) == x.__dlpack_device__()
    assert tensor.ndim == x.ndim
    assert bytes(tensor.dtype) == bytes(dl.DataType.of(expected.dtype))
    if x.ndim:
        assert dl.integers(tensor.shape, x.ndim) == x.shape
        assert dl.integers(tensor.strides, x.ndim) == x.strides
    assert tensor.data == x.usm_data._pointer
    assert tensor.data + tensor.byte_offset == x._pointer


@given(recipe=recipes(), data=st.data())
def test_fields_for_the_host(queue, recipe, data):
    expected, x = recipe.pair(queue, data.draw(st.sampled_from(["device", "shared", "host"])))
    structure = dl.look(x.__dlpack__(max_version=(1, 0), dl_device=CPU))
    tensor = structure.tensor
    assert (tensor.device.type, tensor.device.id) == CPU
    assert tensor.byte_offset == 0
    assert tensor.data
    if host_reaches(x):
        assert structure.flags == 0
        assert tensor.data == x._pointer
    else:
        assert structure.flags == dl.IS_COPIED
    if x.size:
        np.testing.assert_array_equal(dl.as_host_array(tensor), expected)


def test_device_is_that_of_the_pointer(x, device):
    assert x.__dlpack_device__() == (14, position_of_root(device))
    kind, number = x.__dlpack_device__()
    assert type(kind) is usm.DLDeviceType
    assert type(number) is int


@pytest.mark.parametrize("place", PLACES)
def test_other_contexts_are_refused(device, usm_kind, place):
    """Memory without a device number is not exported; __dlpack_device__ raises too."""
    queue = PLACES[place](device)
    x = usm.ones(5, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    if queue.sycl_context == device.sycl_platform.default_context:
        assert x.__dlpack_device__() == (14, position_of_root(device))
        assert_same(usm.from_dlpack(x), np.ones(5, "i4"))
        return
    for ask in (x.__dlpack__, x.__dlpack_device__, lambda: usm.from_dlpack(x)):
        with pytest.raises(BufferError, match="default context"):
            ask()
    assert (np.from_dlpack(Holder(x.__dlpack__(dl_device=CPU, max_version=(1, 0)))) == 1).all()


@pytest.mark.parametrize("version", [(0, 8), None])
def test_a_consumer_of_the_old_version(x, version):
    assert dl.name_of(x.__dlpack__(max_version=version)) == b"dltensor"


def test_version_of_the_build(x):
    assert usm.get_build_dlpack_version() == (1, 3)
    capsule = x.__dlpack__(max_version=usm.get_build_dlpack_version())
    assert dl.name_of(capsule) == b"dltensor_versioned"


@pytest.mark.parametrize("version", [1, "1.0", (1,), (1, 2, 3), ("1", "0"), [1, 0], (1.0, 0)])
def test_bad_max_version(x, version):
    with pytest.raises(TypeError, match="max_version"):
        x.__dlpack__(max_version=version)


@pytest.mark.parametrize(
    ("where", "error"),
    [
        ((2, 0), BufferError),
        ((1, 1), BufferError),
        ((14, -1), BufferError),
        ((14, 10**6), BufferError),
        ((14, 2**40), BufferError),
        ((1,), TypeError),
        (1, TypeError),
        ("cpu", TypeError),
        (("1", 0), TypeError),
    ],
)
def test_bad_dl_device(x, where, error):
    with pytest.raises(error, match=r"dl_device|device_id"):
        x.__dlpack__(dl_device=where)


@pytest.mark.parametrize("keywords", [{"copy": "no"}, {"stream": "s"}, {"stream": 1.5}])
def test_bad_keywords(x, keywords):
    with pytest.raises(TypeError, match=next(iter(keywords))):
        x.__dlpack__(**keywords)


@pytest.mark.parametrize("stream", [0, 1, 2, -2, True, 2**64])
def test_streams_other_than_queues(x, stream):
    with pytest.raises(ValueError, match="stream"):
        x.__dlpack__(stream=stream)


def test_read_only(x):
    x.flags.writable = False
    assert dl.look(x.__dlpack__(max_version=(1, 0))).flags == dl.READ_ONLY
    for version in (None, (0, 8)):
        with pytest.raises(BufferError, match="read-only"):
            x.__dlpack__(max_version=version)
    assert not usm.from_dlpack(x).flags.writable
    copied = dl.look(x.__dlpack__(copy=True))  # a copy can be written
    assert copied.tensor.data


@pytest.mark.parametrize("where", [None, CPU, "own"])
@pytest.mark.parametrize("copy", [None, True, False])
def test_copy(x, where, copy):
    if where == "own":
        where = x.__dlpack_device__()
    needed = where == CPU and not host_reaches(x)
    if needed and copy is False:
        with pytest.raises(BufferError, match="copy"):
            x.__dlpack__(dl_device=where, copy=copy)
        return
    v = x[::-1, ::2]
    structure = dl.look(v.__dlpack__(dl_device=where, copy=copy, max_version=(1, 0)))
    copied = bool(copy) or needed
    assert structure.flags == (dl.IS_COPIED if copied else 0)
    same = structure.tensor.data + structure.tensor.byte_offset == v._pointer
    assert same != copied


def test_another_device_is_reached_by_a_copy(x):
    others = [i for i in range(len(usm.get_devices())) if i != x.__dlpack_device__()[1]]
    if not others:
        pytest.skip("there is one device")
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(14, others[0]), copy=False)
    capsule = x.__dlpack__(dl_device=(14, others[0]), max_version=(1, 0))
    assert dl.look(capsule).flags == dl.IS_COPIED
    assert_same(usm.from_dlpack(Holder(capsule, (14, others[0]))), usm.asnumpy(x))


def test_zero_size_has_a_pointer(queue, usm_kind):
    x = usm.empty((0, 3), dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    for where in (None, CPU):
        assert dl.look(x.__dlpack__(dl_device=where)).tensor.data
    assert usm.from_dlpack(x).shape == (0, 3)


# --- ownership -----------------------------------------------------------------------------------


def test_an_unused_capsule_gives_up_the_memory(queue, usm_kind, device):
    before = live_bytes(device)
    x = usm.zeros(2**20, dtype="u1", usm_type=usm_kind, sycl_queue=queue)
    capsules = [
        x.__dlpack__(max_version=v, dl_device=d) for v in (None, (1, 3)) for d in (None, CPU)
    ]
    held = live_bytes(device)
    assert held > before
    del x
    assert live_bytes(device) == held
    del capsules
    assert live_bytes(device) == before


@pytest.mark.parametrize("version", [None, (1, 3)])
@pytest.mark.parametrize("where", [None, CPU])
def test_a_consumer_keeps_the_memory(queue, usm_kind, version, where):
    expected = np.arange(24, dtype="i4")
    x = usm.asarray(expected, usm_type=usm_kind, sycl_queue=queue)
    structure = dl.consume(x.__dlpack__(max_version=version, dl_device=where))
    del x
    gc.collect()
    usm.full(24, -1, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    if where == CPU:
        np.testing.assert_array_equal(dl.as_host_array(structure.tensor), expected)
    dl.delete(structure)


def delete_on_another_thread(structure):
    thread = threading.Thread(target=dl.delete, args=(structure,))
    thread.start()
    thread.join()


def delete_with_the_gil(structure):
    ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(structure.deleter)(ctypes.addressof(structure))


@pytest.mark.parametrize("delete", [dl.delete, delete_on_another_thread, delete_with_the_gil])
@pytest.mark.parametrize("version", [None, (1, 3)])
def test_the_deleter_gives_up_the_memory(queue, usm_kind, device, delete, version):
    before = live_bytes(device)
    x = usm.ones(99, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    structures = [
        dl.consume(x.__dlpack__(max_version=version, dl_device=where)) for where in (None, CPU)
    ]
    del x
    assert live_bytes(device) > before
    for structure in structures:
        delete(structure)
    assert live_bytes(device) == before


@pytest.mark.parametrize("place", PLACES)
def test_memory_of_a_python_owner(device, place):
    """A capsule of an array over an owner's interface: the owner dies last."""
    queue = PLACES[place](device)
    x = usm.ones(4, dtype="i4", sycl_queue=queue)

    class Owner:
        __sycl_usm_array_interface__ = x.__sycl_usm_array_interface__

    owner = Owner()
    alive = weakref.ref(owner)
    structure = dl.consume(usm.asarray(owner).__dlpack__(dl_device=CPU))
    del owner
    gc.collect()
    copied = not host_reaches(x)
    assert (alive() is None) == copied
    dl.delete(structure)
    gc.collect()
    assert alive() is None


def test_deleters_after_the_interpreter():
    """The C library calls them after Python's end; the process ends silently."""
    script = """
        import ctypes, sys
        sys.path.insert(0, {tests!r})
        import dlpack_structs as dl
        import usmtensor as usm

        class Owner:
            def __init__(self, x):
                self.x = x
                self.__sycl_usm_array_interface__ = x.__sycl_usm_array_interface__
            def __del__(self):
                print("deleted")

        at_exit = ctypes.CDLL(None).__cxa_atexit
        at_exit.argtypes = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
        for x in (usm.ones(5), usm.ones(5, usm_type="shared"), usm.asarray(Owner(usm.ones(7)))):
            for where in (None, (1, 0)):
                for version in (None, (1, 0)):
                    s = dl.consume(x.__dlpack__(dl_device=where, max_version=version))
                    at_exit(s.deleter, ctypes.addressof(s), None)
        del x
        y = usm.from_dlpack(usm.ones(9))
        print("end")
    """
    script = textwrap.dedent(script).format(tests=str(Path(__file__).parent))
    done = subprocess.run(
        [sys.executable, "-P", "-c", script], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "end\n", "")


# --- import --------------------------------------------------------------------------------------


@given(recipe=recipes(), version=st.sampled_from([None, (1, 3)]), data=st.data())
def test_round_trip(queue, recipe, version, data):
    expected, x = recipe.pair(queue, data.draw(st.sampled_from(["device", "shared", "host"])))
    y = usm.from_dlpack(Holder(x.__dlpack__(max_version=version), x.__dlpack_device__()))
    assert_same(y, expected)
    assert y.strides == x.strides
    assert not x.size or y._pointer == x._pointer
    assert y.usm_type == x.usm_type
    assert y.sycl_device == x.sycl_device
    assert y.sycl_context == x.sycl_context


def test_the_producers_queue_is_adopted(device, usm_kind):
    for make in (in_order_queue, out_of_order_queue):
        queue = make(device)
        x = usm.ones(3, usm_type=usm_kind, sycl_queue=queue, dtype="i4")
        if x.sycl_context == device.sycl_platform.default_context:
            assert usm.from_dlpack(x).sycl_queue == queue


def test_imported_memory_keeps_the_producer(queue, usm_kind):
    expected = np.arange(24, dtype="i4")
    x = usm.asarray(expected, usm_type=usm_kind, sycl_queue=queue)
    y = usm.from_dlpack(x)
    view = usm.from_dlpack(y[::2])
    del x, y
    gc.collect()
    usm.full(24, -1, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    assert_same(view, expected[::2])


VALUES = np.arange(6, 12, dtype="i4").reshape(2, 3)


@pytest.mark.parametrize("version", [None, (1, 0), (1, 99)])
@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, VALUES),
        ({"strides": None}, VALUES),
        ({"strides": (-3, -1)}, np.arange(6, 0, -1, dtype="i4").reshape(2, 3)),
        ({"strides": (0, 0)}, np.full((2, 3), 6, "i4")),
        ({"shape": None, "strides": None}, np.array(6, "i4")),
        ({"shape": (0, 3), "data": None}, np.empty((0, 3), "i4")),
        ({"shape": (0, 3)}, np.empty((0, 3), "i4")),
        ({"shape": (1,), "strides": (2**62,)}, np.array([6], "i4")),
        ({"dtype": "f4", "shape": (0,), "data": None, "strides": None}, np.empty(0, "f4")),
    ],
)
def test_made_by_hand(x, version, changes, expected):
    producer = made(x, version=version, **changes)
    y = usm.from_dlpack(producer)
    assert_same(y, expected)
    assert y.flags.writable
    if expected.size:
        assert not producer.deleted
    view = y[...]
    del y
    if expected.size:
        assert not producer.deleted
    del view
    assert len(producer.deleted) == 1


@pytest.mark.parametrize("version", [None, (1, 3)])
def test_without_deleter(x, version):
    y = usm.from_dlpack(made(x, deleter=False, version=version))
    assert_same(y, VALUES)
    del y
    y = usm.from_dlpack(made(x, deleter=False, version=version, shape=(0,), strides=(1,)))
    del y
    Producer.alive.clear()


def test_flags(x):
    assert not usm.from_dlpack(made(x, flags=dl.READ_ONLY)).flags.writable
    assert usm.from_dlpack(made(x, flags=dl.IS_COPIED)).flags.writable


@pytest.mark.parametrize("version", [None, (1, 3)])
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"device": (14, -1)}, "device_id"),
        ({"device": (14, 10**6)}, "device_id"),
        ({"byte_offset": 26}, "multiple"),
        ({"byte_offset": 2**64 - 1}, "byte_offset"),
        ({"byte_offset": 2**40}, "allocation"),
        ({"shape": (2, 2**30)}, "allocation"),
        ({"strides": (2**40, 1)}, "allocation"),
        ({"strides": (2**62, 2**62)}, "extent"),
        ({"strides": (-(2**30), 1)}, "allocation|within memory"),  # by its address
        ({"shape": (-1, 3)}, "shape"),
        ({"shape": (2**62, 2**62)}, "elements"),
        ({"shape": (2**60, 1), "strides": (0, 0)}, "elements"),
        ({"ndim": -1}, "ndim"),
        ({"ndim": 2**31 - 1}, "ndim"),
        ({"ndim": 2, "shape": None}, "shape"),
        ({"data": None}, "data"),
        ({"data": 64}, "pointer"),
        ({"dtype": dl.DataType(0, 32, 2)}, "dtype"),
        ({"dtype": dl.DataType(0, 24, 1)}, "dtype"),
        ({"dtype": dl.DataType(4, 16, 1)}, "dtype"),
        ({"dtype": dl.DataType(6, 1, 1)}, "dtype"),
    ],
)
def test_malformed(x, version, changes, words):
    if words == "allocation|within memory" and x.sycl_queue.backend != usm.backend_type.opencl:
        pytest.skip("only OpenCL tells the bounds of allocations")
    producer = made(x, version=version, **changes)
    with pytest.raises(BufferError, match=words):
        usm.from_dlpack(producer)
    assert not producer.deleted  # the capsule still owns it
    Producer.alive.clear()


def test_memory_other_than_usm(x):
    host = np.arange(12, dtype="i4")
    with pytest.raises(BufferError, match="not a USM pointer"):
        usm.from_dlpack(made(x, data=host.ctypes.data))
    Producer.alive.clear()


@pytest.mark.parametrize("version", [(0, 9), (2, 0), (2**32 - 1, 0)])
def test_only_the_deleter_of_a_foreign_version_is_used(x, version):
    nonsense = made(x, version=version, data=8, ndim=-5, shape=None, strides=None)
    with pytest.raises(BufferError, match="version"):
        usm.from_dlpack(nonsense)
    Producer.alive.clear()


@pytest.mark.parametrize("version", [None, (1, 3)])
def test_a_capsule_is_used_once(x, version):
    holder = Holder(x.__dlpack__(max_version=version), x.__dlpack_device__())
    y = usm.from_dlpack(holder)
    assert dl.name_of(holder.capsule).startswith(b"used_")
    with pytest.raises(BufferError, match="used already"):
        usm.from_dlpack(holder)
    del holder
    assert_same(y, usm.asnumpy(x))


@pytest.mark.parametrize("junk", [None, 3, "text", object(), np.dtype("f4"), [1, 2]])
def test_no_producer(junk):
    with pytest.raises(TypeError, match="from_dlpack"):
        usm.from_dlpack(junk)


def test_producers_that_do_not_keep_the_protocol(x):
    class NotCallable:
        __dlpack__ = 3
        __dlpack_device__ = CPU

    with pytest.raises(TypeError):
        usm.from_dlpack(NotCallable())
    for capsule in (None, 3, x.sycl_queue._get_capsule()):
        with pytest.raises(TypeError, match="capsule"):
            usm.from_dlpack(Holder(capsule))
    for where in (None, 3, (1,), ("a", 0), [1, 0]):
        with pytest.raises(TypeError, match="__dlpack_device__"):
            usm.from_dlpack(Holder(x.__dlpack__(), where))


class Enumerator:
    """A member of an enumeration other than int, as in native modules."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return int(self.value)


def test_kinds_of_devices_of_any_enumeration(x):
    one_api, number = x.__dlpack_device__()
    holder = Holder(x.__dlpack__(), (Enumerator(one_api), number))
    assert usm.from_dlpack(holder)._pointer == x._pointer
    capsule = x.__dlpack__(dl_device=(Enumerator(1), 0))
    assert_same(usm.from_dlpack(Holder(capsule, (Enumerator(1), 0))), usm.asnumpy(x))


def test_arguments_for_the_producer(x):
    producer = made(x)
    usm.from_dlpack(producer, copy=False)
    assert producer.asked == {"max_version": (1, 3), "copy": False}
    producer = made(x)
    usm.from_dlpack(producer)
    assert producer.asked == {"max_version": (1, 3)}  # never a stream


def test_a_producer_without_keywords(x):
    class Old:
        def __dlpack__(self):
            return x.__dlpack__()

        __dlpack_device__ = x.__dlpack_device__

    assert_same(usm.from_dlpack(Old()), usm.asnumpy(x))
    assert not shares_memory(usm.from_dlpack(Old(), copy=True), x)


def test_copy_of_an_import(x):
    assert usm.from_dlpack(x)._pointer == x._pointer
    assert usm.from_dlpack(x, copy=False)._pointer == x._pointer
    copied = usm.from_dlpack(x, copy=True)
    assert not shares_memory(copied, x)
    assert_same(copied, usm.asnumpy(x))
    with pytest.raises(TypeError, match="copy"):
        usm.from_dlpack(x, copy="no")


def test_device_of_an_import(x, device):
    expected = usm.asnumpy(x)
    for where in (device, x.device, x.sycl_queue, x.__dlpack_device__()):
        y = usm.from_dlpack(x, device=where)
        assert y._pointer == x._pointer
        assert y.sycl_queue == x.sycl_queue
    queue = in_order_queue(device)
    y = usm.from_dlpack(x, device=queue)
    assert y.sycl_queue == queue
    assert (y._pointer == x._pointer) == (queue.sycl_context == x.sycl_context)
    far = other_context_queue(device)
    y = usm.from_dlpack(x, device=far)
    assert y.sycl_queue == far
    assert_same(y, expected)
    with pytest.raises(ValueError, match="copy=False"):
        usm.from_dlpack(x, device=far, copy=False)
    for junk in ((14,), (2, 0), (1, 1), (14, 10**6)):
        with pytest.raises(ValueError):
            usm.from_dlpack(x, device=junk)
    with pytest.raises(TypeError):
        usm.from_dlpack(x, device=3)


# --- the host ------------------------------------------------------------------------------------


@given(recipe=recipes(), version=st.sampled_from([None, (1, 3)]))
def test_host_data_is_copied(queue, recipe, version):
    base = recipe.base()
    view = recipe.of_numpy(base)
    strides = [s // view.itemsize for s in view.strides]
    producer = Producer(
        view.ctypes.data, view.shape, view.dtype, strides=strides, device=(1, 0), version=version
    )
    x = usm.from_dlpack(producer, device=queue)
    assert_same(x, view)
    assert x.sycl_queue == queue
    assert len(producer.deleted) == 1


def test_the_deleter_is_called_while_an_exception_is_pending(x):
    producer = made(x)
    with pytest.raises(ZeroDivisionError):
        print(usm.from_dlpack(producer), 1 / 0)  # the array ends as the exception leaves
    assert len(producer.deleted) == 1


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_from_numpy(device, dtype):
    skip_without(device, dtype)
    host = np.arange(6).reshape(2, 3).astype(dtype)
    x = usm.from_dlpack(host)
    assert_same(x, host)
    assert x.device == usm.Device.create_device()
    assert_same(usm.from_dlpack(host.T, device=device), host.T)
    assert_same(usm.from_dlpack(host, copy=True), host)
    with pytest.raises(ValueError, match="copy=False"):
        usm.from_dlpack(host, copy=False)


def test_host_tensors_that_numpy_does_not_take():
    host = np.arange(6, dtype="i4")
    flat = Producer(host.ctypes.data, (1,) * 65, "i4", device=(1, 0))
    with pytest.raises(BufferError, match="ndim"):
        usm.from_dlpack(flat)
    nothing = Producer(None, (0, 2**62), "i8", device=(1, 0))
    with pytest.raises(BufferError):
        usm.from_dlpack(nothing)
    Producer.alive.clear()


def test_other_kinds_of_devices():
    host = np.arange(4, dtype="i4")

    class Elsewhere:
        def __dlpack__(self, *, max_version=None, dl_device=None, copy=None):
            self.asked = dl_device
            return Producer(host.ctypes.data, (4,), "i4", device=(1, 0)).capsule()

        def __dlpack_device__(self):
            return (2, 0)

    with pytest.raises(BufferError, match="device type 2"):
        usm.from_dlpack(Elsewhere())
    with pytest.raises(ValueError, match="copy=False"):
        usm.from_dlpack(Elsewhere(), copy=False)
    elsewhere = Elsewhere()
    assert_same(usm.from_dlpack(elsewhere, device=usm.Device.create_device()), host)
    assert elsewhere.asked == (1, 0)
    with pytest.raises(BufferError, match="device_type"):
        usm.from_dlpack(Holder(Producer(host.ctypes.data, (4,), "i4", device=(2, 0)).capsule()))
    Producer.alive.clear()


@given(recipe=recipes(), data=st.data())
def test_to_numpy(queue, recipe, data):
    expected, x = recipe.pair(queue, data.draw(st.sampled_from(["device", "shared", "host"])))
    host = usm.from_dlpack(x, device=(1, 0))
    assert type(host) is np.ndarray
    np.testing.assert_array_equal(host, expected, strict=True)
    if host.size:
        assert (host.ctypes.data == x._pointer) == host_reaches(x)
    copied = usm.from_dlpack(x, device=CPU, copy=True)
    np.testing.assert_array_equal(copied, expected, strict=True)
    assert not host.size or copied.ctypes.data != x._pointer


def test_to_numpy_keeps_the_memory(queue, usm_kind):
    expected = np.arange(24, dtype="i4")
    x = usm.asarray(expected, usm_type=usm_kind, sycl_queue=queue)
    host = usm.from_dlpack(x, device=CPU)
    x.flags.writable = False
    locked = usm.from_dlpack(x, device=CPU)
    assert locked.flags.writeable == (not host_reaches(x))
    del x
    gc.collect()
    usm.full(24, -1, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    np.testing.assert_array_equal(host, expected)


def test_numpy_from_dlpack(x):
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        np.from_dlpack(x)  # requests no host copy, and accepts only host memory
    host = np.from_dlpack(x, device="cpu")
    np.testing.assert_array_equal(host, usm.asnumpy(x))
    if host_reaches(x):
        assert host.ctypes.data == x._pointer
        assert np.from_dlpack(x, device="cpu", copy=False).ctypes.data == x._pointer
    else:
        with pytest.raises((BufferError, ValueError)):
            np.from_dlpack(x, device="cpu", copy=False)


# --- a sample of the fuzz ------------------------------------------------------------------------


@examples(20)
@given(seed=st.integers(0, 2**32), dtype=dtypes())
def test_random_structures(queue, seed, dtype):
    del dtype
    assert fuzz_dlpack.main(50, seed, queue) >= 0
