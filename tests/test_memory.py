"""Tests of the memory classes, for each USM kind."""

import copy
import gc
import importlib
import pickle
import re
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest
from checks import name_of
from placement import PLACES, other_context_queue

import usmtensor as usm
from usmtensor import memory as usm_memory

CLASSES = {
    "device": usm_memory.MemoryUSMDevice,
    "shared": usm_memory.MemoryUSMShared,
    "host": usm_memory.MemoryUSMHost,
}
ENUM = {"device": 1, "shared": 2, "host": 3}
PATTERN = bytes(range(1, 17))


class Suai:
    """A foreign object that gives USM memory by the interface."""

    def __init__(self, interface, owner=None):
        self.interface = interface
        self.owner = owner

    @property
    def __sycl_usm_array_interface__(self):
        return self.interface


class WithCapsule:
    """An object with a capsule and nothing else."""

    def __init__(self, syclobj):
        self._get_capsule = syclobj._get_capsule


SYCLOBJ = {
    "filter string": lambda queue: queue.sycl_device.filter_string,
    "context": lambda queue: queue.sycl_context,
    "queue": lambda queue: queue,
    "context capsule": lambda queue: queue.sycl_context._get_capsule(),
    "queue capsule": lambda queue: queue._get_capsule(),
    "_get_capsule": WithCapsule,
}


@pytest.fixture
def memory_class(usm_kind):
    return CLASSES[usm_kind]


@pytest.fixture
def memory(memory_class, queue):
    """Sixteen bytes, 1 to 16."""
    result = memory_class(16, queue=queue)
    result.copy_from_host(PATTERN)
    return result


ABSENT = type("Absent", (), {"__repr__": lambda self: "absent"})()


def described(memory, **changes):
    """A foreign object over `memory` whose interface differs by `changes`."""
    interface = memory.__sycl_usm_array_interface__ | changes
    interface = {name: value for name, value in interface.items() if value is not ABSENT}
    return Suai(interface, owner=memory)


# Making memory


@pytest.mark.parametrize("nbytes", [1, 16, 4097, np.int64(24), np.uint8(3)])
def test_made_of_a_number_of_bytes(memory_class, usm_kind, queue, nbytes):
    memory = memory_class(nbytes, queue=queue)
    assert memory.nbytes == memory.size == len(memory) == int(nbytes)
    assert memory.get_usm_type() == usm_kind
    assert memory.get_usm_type_enum() == ENUM[usm_kind]
    assert memory.reference_obj is None
    assert memory.sycl_queue == memory._queue == queue
    assert memory.sycl_context == memory._context == queue.sycl_context
    assert memory.sycl_device == queue.sycl_device
    assert memory._pointer > 0
    assert sys.getsizeof(memory) > memory.nbytes


def test_made_without_a_queue(usm_kind):
    device = usm.select_default_device()
    if not getattr(device, f"has_aspect_usm_{usm_kind}_allocations"):
        pytest.skip(f"the default device lacks usm_{usm_kind}_allocations")
    assert CLASSES[usm_kind](8).sycl_device == device


def test_size_zero(memory_class, usm_kind, queue):
    memory = memory_class(0, queue=queue)
    assert memory.nbytes == len(memory) == 0
    assert memory.tobytes() == bytes(memory) == b""
    assert memory.get_usm_type() == usm_kind
    interface = memory.__sycl_usm_array_interface__
    assert interface["shape"] == (0,)
    assert interface["data"][0] != 0
    assert memory_class(memory).nbytes == 0
    memory.memset(3)
    memory.copy_from_host(b"")
    assert bytes(memory.copy_to_host()) == b""
    assert pickle.loads(pickle.dumps(memory)).nbytes == 0


@pytest.mark.parametrize("alignment", [0, 8, 64, 4096])
def test_alignment(memory_class, queue, alignment):
    memory = memory_class(100, alignment=alignment, queue=queue)
    assert memory._pointer % max(alignment, 1) == 0


@pytest.mark.parametrize("place", PLACES)
def test_made_in_any_place(memory_class, usm_kind, device, place):
    queue = PLACES[place](device)
    memory = memory_class(16, queue=queue)
    memory.copy_from_host(PATTERN)
    assert memory.tobytes() == PATTERN
    assert memory.sycl_queue == queue
    assert memory.get_usm_type(queue) == memory.get_usm_type(queue.sycl_context) == usm_kind


@pytest.mark.parametrize(
    ("arguments", "keywords", "error"),
    [
        ((), {}, TypeError),
        ((-1,), {}, ValueError),
        ((2.5,), {}, (TypeError, ValueError)),
        (("8",), {}, (TypeError, ValueError)),
        ((None,), {}, (TypeError, ValueError)),
        ((object(),), {}, ValueError),
        ((2**70,), {}, (MemoryError, OverflowError, ValueError)),
        ((8,), {"queue": "junk"}, TypeError),
        ((8,), {"alignment": "junk"}, TypeError),
        ((8,), {"alignment": 3}, ValueError),
        ((8,), {"copy": "junk"}, TypeError),
        ((8,), {"junk": 1}, TypeError),
        ((8, 8), {}, TypeError),
    ],
)
def test_bad_constructor_arguments(memory_class, arguments, keywords, error):
    with pytest.raises(error):
        memory_class(*arguments, **keywords)


def test_too_much_memory(memory_class, queue):
    with pytest.raises(usm_memory.USMAllocationError, match=str(2**60)):
        memory_class(2**60, queue=queue)


def test_other_kind_needs_copy(memory, usm_kind, queue):
    for kind, other in CLASSES.items():
        if kind == usm_kind:
            continue
        if not getattr(queue.sycl_device, f"has_aspect_usm_{kind}_allocations"):
            continue
        with pytest.raises(ValueError):
            other(memory)
        converted = other(memory, copy=True)
        assert converted.get_usm_type() == kind
        assert converted.tobytes() == PATTERN
        assert converted._pointer != memory._pointer


def test_same_kind_is_zero_copy(memory_class, memory):
    view = memory_class(memory)
    assert view._pointer == memory._pointer
    assert view.nbytes == memory.nbytes
    assert view.reference_obj is None
    view.memset(9)
    assert memory.tobytes() == bytes([9]) * 16


def test_same_kind_copy(memory_class, memory):
    duplicate = memory_class(memory, copy=True)
    assert duplicate._pointer != memory._pointer
    memory.memset(0)
    assert duplicate.tobytes() == PATTERN


def test_view_keeps_the_allocation(memory_class, memory, queue):
    view = memory_class(memory)
    memory = None
    gc.collect()
    replacement = memory_class(16, queue=queue)
    replacement.memset(255)
    assert view.tobytes() == PATTERN


def test_subclass(memory_class, queue):
    class Named(memory_class):
        def __init__(self, *args, name="", **kwargs):
            self.name = name

        def __new__(cls, *args, name="", **kwargs):
            return super().__new__(cls, *args, **kwargs)

    memory = Named(8, name="mine", queue=queue)
    assert isinstance(memory, memory_class)
    assert memory.name == "mine"
    assert usm_memory.as_usm_memory(memory)._pointer == memory._pointer


def test_memory_goes_back(memory_class, queue):
    """Half a gigabyte passes through 32 MB at a time: a leak would keep it resident."""

    def resident():
        with open("/proc/self/statm") as statm:
            return int(statm.read().split()[1]) * 4096

    memory_class(2**25, queue=queue).memset(1)
    before = resident()
    for _ in range(16):
        memory = memory_class(2**25, queue=queue)
        memory.memset(1)
        memory_class(memory)
    del memory
    assert resident() - before < 2**28


# Host copies


def test_copy_to_host_makes_a_buffer(memory):
    host = memory.copy_to_host()
    assert bytes(host) == PATTERN
    memoryview(host).cast("B")[0] = 77
    assert memory.tobytes() == PATTERN


@pytest.mark.parametrize("make", [bytearray, lambda n: np.zeros(n, np.uint8)])
@pytest.mark.parametrize("extra", [0, 5])
def test_copy_to_host_fills_a_buffer(memory, make, extra):
    host = make(16 + extra)
    assert memory.copy_to_host(host) is host
    assert bytes(host) == PATTERN + bytes(extra)


def test_copy_to_host_fills_items_of_any_size(memory):
    host = np.zeros(2, np.float64)
    memory.copy_to_host(host)
    assert host.tobytes() == PATTERN


@pytest.mark.parametrize(
    ("host", "error"),
    [
        (bytearray(15), ValueError),
        (bytes(16), (BufferError, TypeError, ValueError)),
        (3, TypeError),
        ("text", TypeError),
        (np.zeros(32, np.uint8)[::2], (BufferError, TypeError, ValueError)),
    ],
)
def test_copy_to_host_refuses(memory, host, error):
    with pytest.raises(error):
        memory.copy_to_host(host)
    if isinstance(host, (bytearray, np.ndarray)):
        assert not any(bytes(host))


def test_copy_from_host(memory):
    memory.copy_from_host(bytearray(b"abc"))
    assert memory.tobytes() == b"abc" + PATTERN[3:]
    memory.copy_from_host(np.array([1.5, -2.5]))
    assert memory.tobytes() == np.array([1.5, -2.5]).tobytes()


@pytest.mark.parametrize(
    ("host", "error"),
    [
        (bytes(17), ValueError),
        (3, TypeError),
        ("text", TypeError),
        (None, TypeError),
        (np.zeros(32, np.uint8)[::2], (BufferError, TypeError, ValueError)),
    ],
)
def test_copy_from_host_refuses(memory, host, error):
    with pytest.raises(error):
        memory.copy_from_host(host)
    assert memory.tobytes() == PATTERN


@pytest.mark.parametrize(("arguments", "byte"), [((), 0), ((7,), 7), ((255,), 255)])
def test_memset(memory, arguments, byte):
    memory.memset(*arguments)
    assert memory.tobytes() == bytes([byte]) * 16


@pytest.mark.parametrize(
    ("value", "error"), [(-1, (OverflowError, ValueError)), ("a", TypeError), (None, TypeError)]
)
def test_memset_refuses(memory, value, error):
    with pytest.raises(error):
        memory.memset(value)
    assert memory.tobytes() == PATTERN


def test_tobytes(memory):
    assert memory.tobytes() == bytes(memory) == PATTERN
    assert type(memory.tobytes()) is bytes


def test_buffer_protocol(memory, usm_kind):
    if usm_kind == "device":
        with pytest.raises((BufferError, TypeError)):
            memoryview(memory)
        with pytest.raises((BufferError, TypeError)):
            np.frombuffer(memory, np.uint8)
        return
    view = memoryview(memory)
    assert view.nbytes == 16
    assert not view.readonly
    assert view.tobytes() == PATTERN
    view.cast("B")[0] = 99
    assert memory.tobytes()[0] == 99


@pytest.fixture(params=["shared", "host"])
def host_memory_class(request, device):
    """The classes whose memory the host can reach."""
    aspect = f"usm_{request.param}_allocations"
    if not getattr(device, f"has_aspect_{aspect}"):
        pytest.skip(f"the device lacks the aspect {aspect}")
    return CLASSES[request.param]


def test_buffer_keeps_the_memory(host_memory_class, queue):
    memory = host_memory_class(16, queue=queue)
    memory.copy_from_host(PATTERN)
    view = np.frombuffer(memory, np.uint8)
    memory = None
    gc.collect()
    host_memory_class(16, queue=queue).memset(255)
    assert view.tobytes() == PATTERN


def test_work_on_memory_under_a_buffer_is_complete(host_memory_class, queue):
    """While a host view is alive, operations on its memory complete before they return."""
    memory = host_memory_class(2**24, queue=queue)
    view = np.frombuffer(memory, np.uint8)
    for byte in (3, 4):
        memory.memset(byte)
        assert view[-1] == byte
        assert view[0] == byte


# Device copies


@pytest.mark.parametrize("kind", CLASSES)
def test_copy_from_device_of_each_kind(memory_class, queue, kind):
    if not getattr(queue.sycl_device, f"has_aspect_usm_{kind}_allocations"):
        pytest.skip(f"the device lacks usm_{kind}_allocations")
    source = CLASSES[kind](16, queue=queue)
    source.copy_from_host(PATTERN)
    target = memory_class(20, queue=queue)
    target.memset(200)
    target.copy_from_device(source)
    assert target.tobytes() == PATTERN + bytes([200]) * 4


@pytest.mark.parametrize("place", PLACES)
def test_copy_from_device_of_another_place(memory, memory_class, device, place):
    target = memory_class(16, queue=PLACES[place](device))
    target.copy_from_device(memory)
    assert target.tobytes() == PATTERN
    memory.memset(5)
    memory.copy_from_device(target)
    assert memory.tobytes() == PATTERN


def test_copy_from_device_takes_foreign_objects(memory, memory_class, queue):
    target = memory_class(4, queue=queue)
    target.copy_from_device(described(memory, shape=(4,)))
    assert target.tobytes() == PATTERN[:4]


@pytest.mark.parametrize(
    ("source", "error"), [(3, (TypeError, ValueError)), (None, (TypeError, ValueError))]
)
def test_copy_from_device_refuses_strangers(memory, source, error):
    with pytest.raises(error):
        memory.copy_from_device(source)


def test_copy_from_device_refuses_larger_sources(memory, memory_class, queue):
    with pytest.raises(ValueError):
        memory.copy_from_device(memory_class(17, queue=queue))
    assert memory.tobytes() == PATTERN


def test_queue_memcpy(memory, memory_class, queue):
    target = memory_class(16, queue=queue)
    queue.memcpy(target, memory, 16)
    assert target.tobytes() == PATTERN
    host = bytearray(16)
    queue.memcpy_async(host, target, 16).wait()
    assert bytes(host) == PATTERN


# Pickle and copy


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(memory, memory_class, protocol):
    restored = pickle.loads(pickle.dumps(memory, protocol))
    assert type(restored) is memory_class
    assert restored.tobytes() == PATTERN
    assert restored._pointer != memory._pointer


def test_pickle_of_an_unknown_kind(memory, usm_kind):
    function, arguments = memory.__reduce__()[:2]
    assert usm_kind in [argument for argument in arguments if isinstance(argument, str)]
    forged = [
        "junk" if isinstance(argument, str) and argument == usm_kind else argument
        for argument in arguments
    ]
    with pytest.raises(ValueError):
        function(*forged)


def test_deepcopy(memory, memory_class):
    duplicate = copy.deepcopy(memory)
    memory.memset(0)
    assert type(duplicate) is memory_class
    assert duplicate.tobytes() == PATTERN


# The kind of a pointer


def test_get_usm_type(memory, usm_kind, queue):
    for syclobj in (None, queue, queue.sycl_context):
        assert memory.get_usm_type(syclobj) == memory.get_usm_type(syclobj=syclobj) == usm_kind
        assert memory.get_usm_type_enum(syclobj) == ENUM[usm_kind]
    for junk in (3, "cpu", queue.sycl_device):
        with pytest.raises(TypeError):
            memory.get_usm_type(junk)
        with pytest.raises(TypeError):
            memory.get_usm_type_enum(junk)


def test_repr(memory, usm_kind):
    text = repr(memory)
    assert usm_kind in text.lower()
    assert "16 bytes" in text
    assert hex(memory._pointer) in text


# The array interface


def test_interface_produced(memory, queue):
    interface = memory.__sycl_usm_array_interface__
    assert interface["shape"] == (16,)
    assert interface["typestr"] == "|u1"
    assert interface["data"] == (memory._pointer, False)
    assert interface["data"][1] is False
    assert interface["strides"] in (None, (1,))
    assert interface["offset"] == 0
    assert interface["version"] == 1
    assert usm.SyclQueue(interface["syclobj"]) == queue


@pytest.mark.parametrize("form", SYCLOBJ)
def test_as_usm_memory(memory, memory_class, queue, form):
    foreign = described(memory, syclobj=SYCLOBJ[form](queue))
    wrapped = usm_memory.as_usm_memory(foreign)
    assert type(wrapped) is memory_class
    assert wrapped._pointer == memory._pointer
    assert wrapped.nbytes == 16
    assert wrapped.sycl_context == queue.sycl_context
    if "context" not in form or memory.get_usm_type() != "host":
        assert wrapped.sycl_device == queue.sycl_device
    else:  # it belongs to the context, and so to all its devices
        assert wrapped.sycl_device in queue.sycl_context.get_devices()
    assert wrapped.reference_obj is foreign
    assert wrapped.tobytes() == PATTERN


@pytest.mark.parametrize("form", ["queue", "context", "context capsule", "queue capsule"])
def test_as_usm_memory_in_another_context(memory_class, device, form):
    queue = other_context_queue(device)
    memory = memory_class(16, queue=queue)
    memory.copy_from_host(PATTERN)
    wrapped = usm_memory.as_usm_memory(described(memory, syclobj=SYCLOBJ[form](queue)))
    assert type(wrapped) is memory_class
    assert wrapped._pointer == memory._pointer
    assert wrapped.sycl_context == queue.sycl_context
    assert wrapped.tobytes() == PATTERN


@pytest.mark.parametrize("junk", [3, None, "text", object()])
def test_as_usm_memory_refuses(junk):
    with pytest.raises((TypeError, ValueError)):
        usm_memory.as_usm_memory(junk)


def test_foreign_owner_lives_as_long_as_the_memory(memory, memory_class):
    foreign = described(memory)
    watch = weakref.ref(foreign)
    wrapped = memory_class(foreign)
    view = memory_class(wrapped)
    del foreign, wrapped
    gc.collect()
    assert watch() is not None
    assert view.tobytes() == PATTERN
    del view
    gc.collect()
    assert watch() is None


@pytest.mark.parametrize(
    ("changes", "begin", "end"),
    [
        ({}, 0, 16),
        ({"shape": (4,), "typestr": "<i4"}, 0, 16),
        ({"shape": (2, 3)}, 0, 6),
        ({"shape": (3,), "offset": 2}, 2, 5),
        ({"shape": (3,), "offset": 1, "typestr": "<u2"}, 2, 8),
        ({"shape": (3,), "strides": (4,)}, 0, 9),
        ({"shape": (3,), "strides": (-4,), "offset": 10}, 2, 11),
        ({"shape": (2, 2), "strides": (-3, 2), "offset": 5}, 2, 8),
        ({"shape": (5,), "strides": (0,), "offset": 3}, 3, 4),
        ({"shape": (), "offset": 7}, 7, 8),
        ({"shape": (0,)}, 0, 0),
        ({"shape": (3, 0)}, 0, 0),
        ({"shape": (2,), "typestr": "<c8"}, 0, 16),
        ({"shape": (8,), "typestr": "<f2"}, 0, 16),
        ({"shape": (4,), "typestr": "|b1"}, 0, 4),
        ({"shape": (4,), "offset": ABSENT}, 0, 4),
        ({"shape": (4,), "strides": ABSENT}, 0, 4),
        ({"shape": (4,), "strides": None}, 0, 4),
    ],
)
def test_interface_extent(memory, memory_class, changes, begin, end):
    """The memory contains the lowest and the highest byte of the interface."""
    wrapped = memory_class(described(memory, **changes))
    assert wrapped.nbytes == end - begin
    if end > begin:
        assert wrapped._pointer == memory._pointer + begin
    assert wrapped.tobytes() == PATTERN[begin:end]


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 0},
        {"version": 2},
        {"version": "1"},
        {"version": ABSENT},
        {"data": 5},
        {"data": ("junk", False)},
        {"data": (1.5, False)},
        {"data": (None, False)},
        {"data": ()},
        {"data": (-1, False)},
        {"data": (2**70, False)},
        {"shape": None},
        {"shape": ABSENT},
        {"shape": (-1,)},
        {"shape": ("a",)},
        {"shape": (1.5,)},
        {"shape": (2**62, 2**62)},
        {"typestr": "junk"},
        {"typestr": ABSENT},
        {"typestr": 3},
        {"typestr": "|O"},
        {"typestr": "<U3"},
        {"typestr": "<f16"},
        {"typestr": "<M8[s]"},
        {"strides": Ellipsis},
        {"strides": (1, 1)},
        {"strides": "a"},
        {"strides": ("a",)},
        {"offset": "a"},
        {"typestr": ">i4"},
        {"data": ABSENT},
    ],
    ids=str,
)
def test_bad_interface(memory, memory_class, changes):
    with pytest.raises(ValueError):
        memory_class(described(memory, **changes))


@pytest.mark.parametrize("syclobj", [None, 3, ABSENT, "junk", object()], ids=name_of)
def test_bad_syclobj(memory, memory_class, syclobj):
    with pytest.raises((TypeError, ValueError, usm.SyclError)):
        memory_class(described(memory, syclobj=syclobj))


def test_interface_is_read_leniently_where_nothing_is_lost(memory, memory_class):
    pointer = memory._pointer
    foreign = described(memory, data=[pointer, False], shape=[4], offset=None, strides=[2])
    wrapped = memory_class(foreign)
    assert wrapped._pointer == pointer
    assert wrapped.nbytes == 7


def test_interface_other_than_a_dictionary(memory_class):
    with pytest.raises(ValueError):
        memory_class(Suai(3))


def test_interface_of_memory_other_than_usm(memory_class, queue):
    host = np.zeros(16, np.uint8)
    interface = {
        "shape": (16,),
        "typestr": "|u1",
        "data": (host.ctypes.data, False),
        "strides": None,
        "offset": 0,
        "version": 1,
        "syclobj": queue,
    }
    with pytest.raises(ValueError):
        memory_class(Suai(interface))
    with pytest.raises(ValueError):
        usm_memory.as_usm_memory(Suai(interface))


def test_interface_errors_name_the_value(memory, memory_class):
    with pytest.raises(ValueError, match="version"):
        memory_class(described(memory, version=7))
    with pytest.raises(ValueError, match=re.escape("<U3")):
        memory_class(described(memory, typestr="<U3"))


# dpctl


@pytest.fixture
def dpctl_memory(dpctl):
    return importlib.import_module("dpctl.memory")


@pytest.fixture
def dpctl_queue(dpctl, queue):
    return dpctl.SyclQueue(queue._get_capsule())


def test_dpctl_takes_usmtensor_memory(memory, usm_kind, memory_class, dpctl_memory):
    theirs = dpctl_memory.as_usm_memory(memory)
    assert type(theirs).__name__ == memory_class.__name__
    assert theirs._pointer == memory._pointer
    assert theirs.nbytes == 16
    assert bytes(theirs.tobytes()) == PATTERN
    theirs.memset(8)
    assert memory.tobytes() == bytes([8]) * 16


def test_dpctl_keeps_usmtensor_memory_alive(memory_class, queue, dpctl_memory):
    memory = memory_class(16, queue=queue)
    memory.copy_from_host(PATTERN)
    theirs = dpctl_memory.as_usm_memory(memory)
    memory = None
    gc.collect()
    memory_class(16, queue=queue).memset(255)
    assert bytes(theirs.tobytes()) == PATTERN


@pytest.fixture
def theirs(memory_class, dpctl_memory, dpctl_queue):
    result = getattr(dpctl_memory, memory_class.__name__)(16, queue=dpctl_queue)
    result.copy_from_host(PATTERN)
    return result


def test_usmtensor_takes_dpctl_memory(memory_class, theirs, queue):
    memory = memory_class(theirs)
    assert memory._pointer == theirs._pointer
    assert memory.nbytes == 16
    assert memory.sycl_context == queue.sycl_context
    assert memory.tobytes() == PATTERN
    memory.memset(6)
    assert bytes(theirs.tobytes()) == bytes([6]) * 16
    assert type(usm_memory.as_usm_memory(theirs)) is memory_class


def test_usmtensor_keeps_dpctl_memory_alive(memory_class, dpctl_memory, dpctl_queue):
    theirs = getattr(dpctl_memory, memory_class.__name__)(16, queue=dpctl_queue)
    theirs.copy_from_host(PATTERN)
    memory = memory_class(theirs)
    theirs = None
    gc.collect()
    getattr(dpctl_memory, memory_class.__name__)(16, queue=dpctl_queue).memset(255)
    assert memory.tobytes() == PATTERN


def test_array_over_dpctl_memory_is_writable(theirs):
    """dpctl's flag says "writable" where the protocol says "read-only"."""
    x = usm.usm_ndarray((2, 2), "i4", buffer=theirs)
    assert x.flags.writable
    x[...] = 3
    assert bytes(theirs.tobytes()) == np.full(4, 3, "i4").tobytes()


@pytest.mark.parametrize("of_context", [False, True], ids=["queue", "context"])
def test_dpctl_objects_as_syclobj(memory, memory_class, dpctl_queue, of_context):
    syclobj = dpctl_queue.sycl_context if of_context else dpctl_queue
    wrapped = memory_class(described(memory, syclobj=syclobj))
    assert wrapped._pointer == memory._pointer
    assert wrapped.tobytes() == PATTERN


def test_copy_from_device_of_dpctl(memory_class, theirs, queue):
    memory = memory_class(16, queue=queue)
    memory.copy_from_device(theirs)
    assert memory.tobytes() == PATTERN
    memory.memset(1)
    theirs.copy_from_device(memory)
    assert bytes(theirs.tobytes()) == bytes([1]) * 16


def test_free_bytes(queue):
    device = queue.sycl_device
    for given in (device, queue, usm.Device.create_device(queue)):
        free = usm_memory.free_bytes(given)
        assert free is None or 0 < free <= 2 * device.global_mem_size
    with pytest.raises(TypeError, match="free_bytes: device is of type int"):
        usm_memory.free_bytes(3)
    with pytest.raises(usm.SyclDeviceCreationError, match="no such device"):
        usm_memory.free_bytes("no such device")
    if device.is_cpu and sys.platform == "linux":
        text = Path("/proc/meminfo").read_text(encoding="ascii")
        available = int(re.search(r"MemAvailable: +(\d+) kB", text)[1]) * 1024
        assert 0.5 < free / available < 2
