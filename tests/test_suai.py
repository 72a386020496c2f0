"""`__sycl_usm_array_interface__` of arrays: its content, and every consumer of it."""

import gc
import sys
import weakref

import numpy as np
import pytest
from checks import assert_same, assert_same_strides
from hypothesis import given
from hypothesis import strategies as st
from placement import PLACES
from strategies import DTYPES, examples, missing_aspect, recipes
from stress import fuzz_suai

import usmtensor as usm
from usmtensor import memory as usm_memory


class Foreign:
    """An object that gives an array by the interface only."""

    def __init__(self, x, **changes):
        self.x = x
        self.__sycl_usm_array_interface__ = x.__sycl_usm_array_interface__ | changes


class Buffer(bytearray):
    """A host buffer with an interface that lacks "data"."""

    __slots__ = ("__sycl_usm_array_interface__",)

    @classmethod
    def over(cls, content, queue, **fields):
        self = cls(content)
        self.__sycl_usm_array_interface__ = without_data(queue, **fields)
        return self


def without_data(queue, **fields):
    return {"shape": (6,), "typestr": "<i4", "version": 1, "syclobj": queue} | fields


class Giver:
    def __init__(self, get_capsule):
        self._get_capsule = get_capsule


SYCLOBJ = {
    "filter string": lambda queue: queue.sycl_device.filter_string,
    "context": lambda queue: queue.sycl_context,
    "queue": lambda queue: queue,
    "context capsule": lambda queue: queue.sycl_context._get_capsule(),
    "queue capsule": lambda queue: queue._get_capsule(),
    "queue by _get_capsule": lambda queue: Giver(queue._get_capsule),
    "context by _get_capsule": lambda queue: Giver(queue.sycl_context._get_capsule),
}

VALUES = np.arange(24, dtype="i4").reshape(4, 6)


@pytest.fixture
def x(queue, usm_kind):
    return usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)


def by_asarray(obj):
    return usm.asarray(obj)


def by_memory(obj):
    memory = usm_memory.as_usm_memory(obj)
    interface = obj.__sycl_usm_array_interface__
    return usm.usm_ndarray(interface["shape"], interface["typestr"], buffer=memory)


def by_constructor(obj):
    kinds = {
        "device": usm_memory.MemoryUSMDevice,
        "shared": usm_memory.MemoryUSMShared,
        "host": usm_memory.MemoryUSMHost,
    }
    interface = obj.__sycl_usm_array_interface__
    memory = kinds[usm_memory.as_usm_memory(obj).get_usm_type()](obj)
    return usm.usm_ndarray(interface["shape"], interface["typestr"], buffer=memory)


def by_array_constructor(obj):
    interface = obj.__sycl_usm_array_interface__
    return usm.usm_ndarray(interface["shape"], interface["typestr"], buffer=obj)


VIEWS = [by_asarray, by_memory, by_constructor, by_array_constructor]


def by_setitem(obj):
    y = usm.zeros(obj.__sycl_usm_array_interface__["shape"], dtype="i4")
    y[...] = obj
    return y


def by_function(obj):
    return usm.copy(obj)


def by_sequence(obj):
    return usm.asarray([obj])[0]


COPIES = [by_setitem, by_function, by_sequence]


# --- written -------------------------------------------------------------------------------------


def test_an_index_into_nothing_stays_in_the_memory(queue):
    x = usm.zeros((0, 3, 3), dtype="c16", sycl_queue=queue)
    for y in (x[:, -1, -1], x[:, 2:, ::-1], x.imag):
        assert usm.asarray(Foreign(y)).shape == y.shape


@given(recipe=recipes(), data=st.data())
def test_written(queue, recipe, data):
    _, x = recipe.pair(queue, data.draw(st.sampled_from(["device", "shared", "host"])))
    interface = x.__sycl_usm_array_interface__
    assert usm.SyclQueue(interface.pop("syclobj")) == x.sycl_queue
    assert interface == {
        "data": (x._pointer, False),
        "shape": x.shape,
        "strides": x.strides,
        "typestr": x.dtype.str,
        "typedescr": x.dtype.descr,
        "offset": 0,
        "version": 1,
    }
    assert interface["data"][0] != 0


def test_syclobj_is_a_queue_of_dpctl_for_onedal(queue, dpctl, monkeypatch):
    x = usm.ones(3, sycl_queue=queue)
    if "onedal" not in sys.modules:
        for shown in (x, x.usm_data):
            assert shown.__sycl_usm_array_interface__["syclobj"] is queue
        monkeypatch.setitem(sys.modules, "onedal", sys)
    for shown in (x, x.usm_data):
        theirs = shown.__sycl_usm_array_interface__["syclobj"]
        assert type(theirs) is dpctl.SyclQueue
        assert theirs is x.__sycl_usm_array_interface__["syclobj"]
        assert usm.SyclQueue(theirs) == queue


def test_written_of_memory(x):
    interface = x.usm_data.__sycl_usm_array_interface__
    assert interface["typedescr"] == np.dtype("u1").descr
    assert interface["data"] == (x.usm_data._pointer, False)
    assert "strides" in interface


def test_a_dictionary_is_the_callers_own(x):
    x.__sycl_usm_array_interface__["typedescr"].append("junk")
    assert x.__sycl_usm_array_interface__["typedescr"] == [("", "<i4")]


# --- read ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("syclobj", SYCLOBJ)
@pytest.mark.parametrize("read", VIEWS)
def test_views(device, usm_kind, place, syclobj, read):
    queue = PLACES[place](device)
    if syclobj == "filter string" and (
        queue.sycl_device != device or queue.sycl_context != device.sycl_platform.default_context
    ):
        pytest.skip("no filter string names this context")
    x = usm.asarray(VALUES, usm_type=usm_kind, sycl_queue=queue)
    y = read(Foreign(x, syclobj=SYCLOBJ[syclobj](queue)))
    assert_same(y, VALUES)
    assert y._pointer == x._pointer
    assert y.usm_type == usm_kind
    assert y.sycl_context == x.sycl_context
    assert y.flags.writable
    x[...] = 3
    assert_same(y, np.full_like(VALUES, 3))


@pytest.mark.parametrize("read", COPIES)
def test_copies(x, read):
    y = read(Foreign(x))
    x[...] = -1
    assert_same(y, VALUES)


@given(recipe=recipes(), data=st.data())
def test_layouts(queue, recipe, data):
    expected, x = recipe.pair(queue, data.draw(st.sampled_from(["device", "shared", "host"])))
    y = usm.asarray(Foreign(x))
    assert_same(y, expected)
    assert_same_strides(y, expected)
    assert y._pointer == x._pointer


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_types(queue, dtype):
    if missing_aspect(queue.sycl_device, dtype):
        pytest.skip(f"the device lacks the aspect {missing_aspect(queue.sycl_device, dtype)}")
    host = np.arange(6).astype(dtype)
    x = usm.asarray(host, sycl_queue=queue)
    assert_same(usm.asarray(Foreign(x)), host)
    assert_same(usm.asarray(Foreign(x, typestr=dtype.str[1:])), host)
    if dtype.itemsize > 1:
        with pytest.raises(ValueError, match="typestr"):
            usm.asarray(Foreign(x, typestr=dtype.newbyteorder(">").str))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"offset": 7, "shape": (2, 3)}, None),
        ({"offset": 23, "strides": (-6, -1)}, np.s_[::-1, ::-1]),
        ({"strides": (0, 0)}, None),
        ({"strides": None}, np.s_[...]),
    ],
)
def test_strides_and_offset(x, changes, key):
    y = usm.asarray(Foreign(x, **changes))
    if "shape" in changes:
        assert_same(y, VALUES[1:3, 1:4])
    elif key is None:
        assert_same(y, np.zeros_like(VALUES))
    else:
        assert_same(y, VALUES[key])


def test_lenient(x):
    interface = x.__sycl_usm_array_interface__
    assert_same(usm.asarray(Foreign(x, data=list(interface["data"]), offset=None)), VALUES)
    short = Foreign(x)
    for key in ("strides", "offset", "typedescr"):
        del short.__sycl_usm_array_interface__[key]
    assert_same(usm.asarray(short), VALUES)


@pytest.mark.parametrize("read", [by_asarray, by_array_constructor])
def test_read_only(x, read):
    y = read(Foreign(x, data=(x._pointer, True)))
    assert not y.flags.writable
    with pytest.raises(ValueError, match="read-only"):
        y[...] = 1
    assert_same(x, VALUES)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("version", 2),
        ("version", None),
        ("version", True),
        ("shape", None),
        ("shape", "ab"),
        ("shape", (-1,)),
        ("shape", (2**63,)),
        ("shape", (2**40, 2**40)),
        ("typestr", ">i4"),
        ("typestr", "|O"),
        ("typestr", "\0"),  # as numpy.dtype reads it, a bool
        ("typestr", "float32"),
        ("typestr", "f"),
        ("typestr", " f4"),
        ("typestr", "(2,)f4"),
        ("typestr", 4),
        ("data", None),
        ("data", (0, False)),
        ("data", (8, False)),
        ("data", (2**64, False)),
        ("data", ("p", False)),
        ("data", (1, 2, 3)),
        ("data", 7),
        ("strides", (1,)),
        ("strides", "ab"),
        ("strides", (2**63, 1)),
        ("strides", (2**62, 2**62)),
        ("strides", Ellipsis),
        ("offset", 1.5),
        ("offset", "1"),
        ("offset", 2**62),
        ("syclobj", None),
        ("syclobj", "no such device"),
        ("syclobj", 3),
    ],
)
@pytest.mark.parametrize("read", [by_asarray, usm_memory.as_usm_memory, by_setitem, by_function])
def test_errors_name_key_and_value(x, key, value, read):
    foreign = Foreign(x, **{key: value})
    if read is by_setitem:
        foreign.__sycl_usm_array_interface__.setdefault("shape", (1,))
        with pytest.raises(ValueError) as caught:
            usm.zeros(3, dtype="i4")[...] = foreign
    else:
        with pytest.raises(ValueError) as caught:
            read(foreign)
    assert repr(key) in str(caught.value)
    assert repr(value)[:20] in str(caught.value)


@pytest.mark.parametrize(
    "changes",
    [
        {"shape": (4000, 6)},
        {"strides": (-6, 1)},
        {"strides": (6000, 1)},
        {"offset": -1},
        {"offset": 4000},
        {"offset": 2**40},
    ],
)
def test_elements_outside_the_allocation(x, changes):
    if x.sycl_device.backend != usm.backend_type.opencl:
        pytest.skip("only OpenCL tells the bounds of allocations")
    with pytest.raises(ValueError, match=r"allocation|offset"):
        usm.asarray(Foreign(x, **changes))


@pytest.mark.parametrize(
    "give",
    [
        lambda queue: queue.sycl_device,
        lambda queue: queue.sycl_device._get_capsule(),
        lambda queue: queue.submit_barrier()._get_capsule(),
        lambda queue: Giver(queue.sycl_device._get_capsule),
        lambda queue: Giver(lambda: None),
        lambda queue: Giver(3),
        lambda queue: usm.ones(3, sycl_queue=queue).__dlpack__(dl_device=(1, 0)),
    ],
)
def test_objects_that_name_no_context(x, give):
    with pytest.raises(ValueError, match="'syclobj'"):
        usm.asarray(Foreign(x, syclobj=give(x.sycl_queue)))


def test_misaligned(x):
    with pytest.raises(ValueError, match="multiple of 4"):
        usm.asarray(Foreign(x, data=(x._pointer + 2, False), shape=(3,), strides=None))
    with pytest.raises(ValueError, match="multiple of 8 for complex64"):
        usm.asarray(
            Foreign(x, data=(x._pointer + 4, False), shape=(2,), strides=None, typestr="<c8")
        )


def test_foreign_and_freed_pointers(queue):
    host = np.arange(12, dtype="i4")
    x = usm.ones(3, dtype="i4", sycl_queue=queue)
    foreign = Foreign(x, data=(host.ctypes.data, False))
    with pytest.raises(ValueError, match="'data'"):
        usm.asarray(foreign)
    freed = Foreign(x)
    del x, freed.x, foreign
    gc.collect()
    usm_memory.trim()
    with pytest.raises(ValueError, match="'data'"):
        usm.asarray(freed)


def test_owner_lives_as_long_as_the_array(x):
    foreign = Foreign(x)
    alive = weakref.ref(foreign)
    y = usm.asarray(foreign)
    assert y.usm_data.reference_obj is foreign
    view = y[1:]
    del foreign, y
    gc.collect()
    assert alive() is not None
    del view
    gc.collect()
    assert alive() is None


def test_owner_goes_on_any_thread(x):
    import threading

    held = [usm.asarray(Foreign(x)) for _ in range(50)]
    alive = [weakref.ref(y.usm_data.reference_obj) for y in held]
    threads = [threading.Thread(target=held.pop) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    gc.collect()
    assert not any(ref() for ref in alive)


# --- read through a buffer -----------------------------------------------------------------------


CONTENT = np.arange(6, dtype="<i4")


@pytest.mark.parametrize("syclobj", SYCLOBJ)
def test_buffer_of_the_host_is_copied(queue, syclobj):
    if syclobj == "filter string":
        queue = usm.get_device_cached_queue(queue.sycl_device)
    buffer = Buffer.over(CONTENT.tobytes(), queue, syclobj=SYCLOBJ[syclobj](queue))
    x = usm.asarray(buffer)
    assert_same(x, CONTENT)
    assert x.sycl_context == queue.sycl_context
    buffer[:] = bytes(24)
    assert_same(x, CONTENT)
    with pytest.raises(ValueError, match="copy=False"):
        usm.asarray(buffer, copy=False)


@pytest.mark.parametrize("read", COPIES)
def test_buffer_of_the_host_in_operations(queue, read):
    assert_same(read(Buffer.over(CONTENT.tobytes(), queue)), CONTENT)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"shape": (2, 3)}, CONTENT.reshape(2, 3)),
        ({"shape": (3,), "strides": (2,)}, CONTENT[::2]),
        ({"shape": (3,), "strides": (-2,), "offset": 5}, CONTENT[::-2]),
        ({"shape": (4,), "offset": 2}, CONTENT[2:]),
        ({"shape": (3,), "strides": (0,)}, CONTENT[[0, 0, 0]]),
        ({"shape": ()}, CONTENT[0, ...]),
        ({"shape": (0, 4)}, np.empty((0, 4), "i4")),
        ({"shape": (24,), "typestr": "|u1"}, CONTENT.view("u1")),
    ],
)
def test_fields_describe_the_buffer(queue, fields, expected):
    assert_same(usm.asarray(Buffer.over(CONTENT.tobytes(), queue, **fields)), expected)


@pytest.mark.parametrize(
    "fields",
    [
        {"shape": (7,)},
        {"shape": (6,), "offset": 1},
        {"shape": (6,), "offset": -1},
        {"shape": (6,), "strides": (2,)},
        {"shape": (2,), "strides": (-1,)},
    ],
)
def test_a_buffer_that_is_too_small(queue, fields):
    with pytest.raises(ValueError, match="buffer"):
        usm.asarray(Buffer.over(CONTENT.tobytes(), queue, **fields))


def test_objects_without_data_and_without_buffer(queue):
    class Nothing:
        __sycl_usm_array_interface__ = without_data(queue)

    with pytest.raises(ValueError, match="data"):
        usm.asarray(Nothing())


@pytest.mark.parametrize("kind", ["shared", "host"])
def test_buffer_of_usm_is_viewed(device, queue, kind):
    if not getattr(device, f"has_aspect_usm_{kind}_allocations"):
        pytest.skip(f"the device lacks the aspect usm_{kind}_allocations")
    base = {"shared": usm_memory.MemoryUSMShared, "host": usm_memory.MemoryUSMHost}[kind]

    memory = base(24, queue=queue)
    memory.copy_from_host(CONTENT)
    outside = np.frombuffer(memory, "u1").view(ArrayWithInterface)
    outside.__sycl_usm_array_interface__ = without_data(queue)
    x = usm.asarray(outside, copy=False)
    assert x._pointer == memory._pointer
    assert x.usm_type == kind
    assert usm_memory.as_usm_memory(outside)._pointer == memory._pointer
    assert_same(x, CONTENT)


class ArrayWithInterface(np.ndarray):
    pass


def test_memory_of_a_buffer_of_the_host(queue):
    buffer = Buffer.over(CONTENT.tobytes(), queue)
    for make in (
        usm_memory.MemoryUSMDevice,
        usm_memory.MemoryUSMShared,
        usm_memory.MemoryUSMHost,
    ):
        assert make(buffer, queue=queue).tobytes() == CONTENT.tobytes()
    with pytest.raises(ValueError, match="no copy"):
        usm_memory.as_usm_memory(buffer)
    target = usm_memory.MemoryUSMDevice(24, queue=queue)
    target.copy_from_device(buffer)
    assert target.tobytes() == CONTENT.tobytes()


def test_plain_buffers_are_bytes():
    assert_same(usm.asarray(b"abc"), np.frombuffer(b"abc", "u1"))
    assert usm_memory.MemoryUSMDevice(b"abc").tobytes() == b"abc"


# --- a sample of the fuzz ------------------------------------------------------------------------


@examples(20)
@given(seed=st.integers(0, 2**32))
def test_random_dictionaries(queue, seed):
    if queue.backend != usm.backend_type.opencl:
        pytest.skip("only OpenCL tells the bounds of allocations")
    assert fuzz_suai.main(50, seed, queue) >= 0
