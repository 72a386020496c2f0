"""The array class: construction, attributes, conversion to Python, copies."""

import gc
import operator
import re
import weakref
from collections.abc import Hashable

import numpy as np
import pytest
from checks import assert_same, assert_same_strides
from hypothesis import given
from hypothesis import strategies as st
from placement import PLACES, in_order_queue, out_of_order_queue
from strategies import DTYPES, dtypes, examples, numbered, recipes, shapes, skip_without

import usmtensor as usm
from usmtensor import memory as usm_memory

CLASSES = {
    "device": usm_memory.MemoryUSMDevice,
    "shared": usm_memory.MemoryUSMShared,
    "host": usm_memory.MemoryUSMHost,
}


@pytest.fixture
def memory(queue):
    """Sixteen bytes, 0 to 15."""
    result = usm_memory.MemoryUSMDevice(16, queue=queue)
    result.copy_from_host(bytes(range(16)))
    return result


@pytest.fixture
def make(queue):
    """Makes an uninitialised array on the queue under test."""

    def constructor(*args, **kwargs):
        kwargs.setdefault("buffer_ctor_kwargs", {"queue": queue})
        return usm.usm_ndarray(*args, **kwargs)

    return constructor


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


def default_float(device):
    return np.dtype("f8" if device.has_aspect_fp64 else "f4")


# Construction


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (3, (3,)),
        (np.int32(3), (3,)),
        ((), ()),
        (0, (0,)),
        ((2, 3), (2, 3)),
        ([2, np.uint8(3)], (2, 3)),
        ((2, 0, 3), (2, 0, 3)),
        ((1,) * 70, (1,) * 70),
    ],
)
def test_shapes(make, device, queue, shape, expected):
    x = make(shape)
    size = int(np.prod(expected))
    assert x.shape == expected
    assert all(type(length) is int for length in x.shape)
    assert x.ndim == len(expected)
    assert x.size == size
    assert x.dtype == default_float(device)
    assert x.nbytes == size * x.itemsize
    assert x.usm_type == "device"
    assert x.sycl_queue == queue
    assert x.sycl_device == device


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtypes(make, device, usm_kind, dtype):
    skip_without(device, dtype)
    x = make((2, 3), dtype, buffer=usm_kind)
    assert x.dtype == dtype
    assert x.itemsize == dtype.itemsize
    assert x.nbytes == 6 * dtype.itemsize
    assert x.usm_type == usm_kind
    assert type(x.usm_data) is CLASSES[usm_kind]
    assert x.usm_data.nbytes == x.nbytes


@pytest.mark.parametrize("dtype", ["i4", np.int32, np.dtype("i4"), "int32", usm.int32, "=i4"])
def test_dtype_forms(make, dtype):
    assert make(2, dtype).dtype == np.dtype("i4")


@pytest.mark.parametrize("order", "CF")
def test_order(make, order):
    x = make((2, 3, 4), "i4", order=order)
    assert_same_strides(x, np.empty((2, 3, 4), "i4", order=order))
    assert x.flags.c_contiguous == (order == "C")
    assert x.flags.f_contiguous == (order == "F")


def test_kind_as_bytes(make, usm_kind):
    assert make(2, "i4", buffer=usm_kind.encode()).usm_type == usm_kind


@pytest.mark.parametrize(
    ("shape", "strides", "elements", "offset"),
    [
        ((3,), (1,), 3, 0),
        ((3,), (2,), 5, 0),
        ((3,), (-2,), 5, 4),
        ((2, 3), (-3, 1), 6, 3),
        ((2, 3), (1, -2), 6, 4),
        ((2, 3), (-3, -1), 6, 5),
        ((4,), (0,), 1, 0),
        ((), (), 1, 0),
        ((0,), (5,), 0, 0),
        ((3, 0), (-4, 2), 0, 0),
        ((1, 3), (100, 1), 3, 0),
    ],
)
@pytest.mark.parametrize("given_offset", [0, 3])
def test_allocation_fits_the_strides(make, shape, strides, elements, offset, given_offset):
    x = make(shape, "i4", strides=strides, offset=given_offset)
    assert x.strides == strides
    assert x.usm_data.nbytes == 4 * elements
    assert x._element_offset == offset
    assert x._pointer == x.usm_data._pointer + 4 * offset
    x[...] = numbered(shape, "i4") if 0 not in strides else 1
    assert usm.asnumpy(x).shape == shape


@pytest.mark.parametrize(
    ("shape", "strides", "offset", "expected"),
    [
        ((16,), None, 0, range(16)),
        ((4,), None, 12, range(12, 16)),
        ((4,), (4,), 3, [3, 7, 11, 15]),
        ((4,), (-5,), 15, [15, 10, 5, 0]),
        ((3,), (0,), 9, [9, 9, 9]),
        ((2, 2), (-1, 8), 7, [[7, 15], [6, 14]]),
        ((), None, 15, 15),
    ],
)
def test_over_memory(memory, queue, shape, strides, offset, expected):
    x = usm.usm_ndarray(shape, "u1", strides=strides, buffer=memory, offset=offset)
    assert_same(x, np.asarray(expected, "u1"))
    assert x.sycl_queue == queue
    assert x._element_offset == offset
    assert x._pointer == memory._pointer + offset


def test_over_memory_in_f_order(memory):
    x = usm.usm_ndarray((4, 4), "u1", buffer=memory, order="F")
    assert_same(x, np.arange(16, dtype="u1").reshape(4, 4, order="F"))


def test_over_an_array(x):
    y = usm.usm_ndarray((6,), "i4", buffer=x)
    y[0] = 100
    assert y._pointer == x._pointer
    assert int(x[0, 0]) == 100
    x.flags.writable = False
    assert not usm.usm_ndarray((6,), "i4", buffer=x).flags.writable


def test_over_an_object_with_the_interface(memory):
    class Foreign:
        __sycl_usm_array_interface__ = memory.__sycl_usm_array_interface__

    x = usm.usm_ndarray((4,), "i4", buffer=Foreign())
    assert x._pointer == memory._pointer
    x[...] = 0
    assert memory.tobytes() == bytes(16)


def test_over_an_object_that_is_read_only(memory):
    interface = memory.__sycl_usm_array_interface__
    interface["data"] = (interface["data"][0], True)
    foreign = type("Foreign", (), {"__sycl_usm_array_interface__": interface})()
    x = usm.usm_ndarray((16,), "u1", buffer=foreign)
    assert not x.flags.writable
    with pytest.raises(ValueError):
        x[0] = 1
    assert memory.tobytes() == bytes(range(16))


def test_keeps_the_memory(queue):
    memory = usm_memory.MemoryUSMDevice(16, queue=queue)
    memory.copy_from_host(bytes(range(16)))
    x = usm.usm_ndarray((16,), "u1", buffer=memory)
    memory = None
    gc.collect()
    usm_memory.MemoryUSMDevice(16, queue=queue).memset(255)
    assert_same(x, np.arange(16, dtype="u1"))


def test_arrays_share_one_memory_object():
    x = usm.ones((2, 3))
    memory = x.usm_data
    assert type(memory) is usm_memory.MemoryUSMDevice
    assert (memory.nbytes, memory.sycl_queue) == (x.nbytes, x.sycl_queue)
    assert memory is x.usm_data is x[1:].usm_data
    y = usm.ones(3)
    assert y[1:].usm_data is y.usm_data  # first asked for by a view
    pointer = memory._pointer
    del x
    assert usm.usm_ndarray((2, 3), "f4", buffer=memory)._pointer == pointer


def test_the_collector_sees_only_arrays_in_possible_cycles(device):
    x = usm.ones((2, 3))
    assert not any(gc.is_tracked(array) for array in
                   (x, *x, x.T, x[:, 1:], usm.reshape(x, (3, 2)), x + x))  # fmt: skip
    assert gc.is_tracked(usm.usm_ndarray(6, buffer=usm_memory.MemoryUSMDevice(64))[1:])

    class Queue(usm.SyclQueue):
        pass

    queue = Queue(device)
    queue.array = usm.ones(3, sycl_queue=queue)
    queue.view = queue.array[1:]
    assert queue.view.sycl_queue is queue
    alive = weakref.ref(queue)
    del queue
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("place", PLACES)
def test_made_in_any_place(device, usm_kind, place):
    queue = PLACES[place](device)
    x = usm.usm_ndarray((2, 3), "i4", buffer=usm_kind, buffer_ctor_kwargs={"queue": queue})
    expected = np.arange(6, dtype="i4").reshape(2, 3)
    x[...] = expected
    assert_same(x, expected)
    assert x.sycl_queue == queue
    assert x.sycl_context == queue.sycl_context
    assert x.usm_type == usm_kind


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"shape": {}}, TypeError),
        ({"shape": "ab"}, TypeError),
        ({"shape": 2.5}, TypeError),
        ({"shape": (2, 2.5)}, TypeError),
        ({"shape": (2, None)}, TypeError),
        ({"shape": None}, TypeError),
        ({"shape": -1}, ValueError),
        ({"shape": (2, -1)}, ValueError),
        ({"shape": (2**40, 2**40)}, (MemoryError, OverflowError, ValueError)),
        ({"shape": 2**70}, (MemoryError, OverflowError, TypeError, ValueError)),
        ({"shape": 2, "dtype": "U3"}, TypeError),
        ({"shape": 2, "dtype": "S3"}, TypeError),
        ({"shape": 2, "dtype": object}, TypeError),
        ({"shape": 2, "dtype": "M8[s]"}, TypeError),
        ({"shape": 2, "dtype": "g"}, TypeError),
        ({"shape": 2, "dtype": "V4"}, TypeError),
        ({"shape": 2, "dtype": [("a", "i4")]}, (TypeError, ValueError)),
        ({"shape": 2, "dtype": "junk"}, (TypeError, ValueError)),
        ({"shape": 2, "dtype": 3}, TypeError),
        ({"shape": 2, "dtype": ">i4"}, ValueError),
        ({"shape": 2, "buffer": "junk"}, ValueError),
        ({"shape": 2, "buffer": b"junk"}, ValueError),
        ({"shape": 2, "buffer": {}}, ValueError),
        ({"shape": 2, "buffer": 3}, ValueError),
        ({"shape": 2, "buffer": None}, ValueError),
        ({"shape": 2, "strides": {}}, TypeError),
        ({"shape": 2, "strides": "ab"}, TypeError),
        ({"shape": 2, "strides": (1, 1)}, ValueError),
        ({"shape": 2, "strides": ()}, ValueError),
        ({"shape": 2, "strides": (1.5,)}, TypeError),
        ({"shape": 2, "strides": (2**62,)}, (MemoryError, OverflowError, ValueError)),
        ({"shape": 2, "strides": (-(2**63),)}, (MemoryError, OverflowError, ValueError)),
        ({"shape": 2, "strides": (2**70,)}, (OverflowError, TypeError, ValueError)),
        ({"shape": 2, "order": "K"}, ValueError),
        ({"shape": 2, "order": "junk"}, ValueError),
        ({"shape": 2, "order": 3}, (TypeError, ValueError)),
        ({"shape": 2, "offset": "a"}, TypeError),
        ({"shape": 2, "offset": 1.5}, TypeError),
        ({"shape": 2, "buffer_ctor_kwargs": 3}, TypeError),
        ({"shape": 2, "buffer_ctor_kwargs": {"queue": "junk"}}, TypeError),
        ({"shape": 2, "buffer_ctor_kwargs": {"junk": 1}}, TypeError),
        ({"shape": 2, "junk": 3}, TypeError),
        ({}, TypeError),
    ],
    ids=str,
)
def test_bad_constructor_arguments(arguments, error):
    with pytest.raises(error):
        usm.usm_ndarray(**arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {"shape": 17},
        {"shape": (4, 5)},
        {"shape": 16, "offset": 1},
        {"shape": 1, "offset": 16},
        {"shape": 1, "offset": -1},
        {"shape": (), "offset": 16},
        {"shape": 2, "strides": (-1,)},
        {"shape": 2, "strides": (16,)},
        {"shape": 2, "strides": (-3,), "offset": 2},
        {"shape": (3, 3), "strides": (-5, 4), "offset": 9},
        {"shape": 2, "dtype": "c16"},
        {"shape": 2, "strides": (2**62,)},
        {"shape": 3, "strides": (2**62,)},
        {"shape": 5, "strides": (2**62,), "dtype": "u4"},
        {"shape": 2, "strides": (-(2**63),), "offset": 2**62},
        {"shape": 2, "offset": 2**63 - 1},
    ],
    ids=str,
)
def test_every_element_lies_within_the_memory(memory, device, arguments):
    arguments = {"dtype": "u1"} | arguments
    skip_without(device, arguments["dtype"])
    with pytest.raises((OverflowError, ValueError)):
        usm.usm_ndarray(buffer=memory, **arguments)


def test_error_names_the_geometry(memory):
    with pytest.raises(ValueError, match=r"\(3,\)") as caught:
        usm.usm_ndarray((3,), "i4", strides=(7,), buffer=memory, offset=1)
    message = str(caught.value)
    assert "strides" in message
    assert "(7,)" in message
    assert "offset" in message
    assert re.search(r"\b16\b", message)


@examples(200)
@given(
    shape=st.lists(st.integers(1, 4), max_size=3),
    data=st.data(),
    offset=st.integers(-2, 12),
)
def test_bounds_are_exact(queue, shape, data, offset):
    """Accepts exactly the views that fit the memory, for all signs of the strides."""
    strides = data.draw(st.lists(st.integers(-4, 4), min_size=len(shape), max_size=len(shape)))
    memory = usm_memory.MemoryUSMDevice(10, queue=queue)
    extents = [stride * (length - 1) for length, stride in zip(shape, strides, strict=True)]
    low = offset + sum(extent for extent in extents if extent < 0)
    high = offset + sum(extent for extent in extents if extent > 0)
    fits = low >= 0 and high < 10
    arguments = {"strides": strides, "buffer": memory, "offset": offset}
    if fits:
        x = usm.usm_ndarray(shape, "u1", **arguments)
        assert x.strides == tuple(strides)
    else:
        with pytest.raises(ValueError):
            usm.usm_ndarray(shape, "u1", **arguments)


# Attributes


@examples(200)
@given(recipe=recipes())
def test_attributes_of_views(queue, recipe):
    expected, x = recipe.pair(queue)
    assert x.shape == expected.shape
    assert x.ndim == expected.ndim
    assert x.size == expected.size
    assert x.itemsize == expected.itemsize
    assert x.nbytes == expected.nbytes
    assert x.dtype == expected.dtype
    assert_same_strides(x, expected)
    assert x.flags.c_contiguous == expected.flags.c_contiguous
    assert x.flags.f_contiguous == expected.flags.f_contiguous
    assert x.flags.forc == expected.flags.forc
    assert x.flags.fnc == expected.flags.fnc
    assert x._pointer == x.usm_data._pointer + x._element_offset * x.itemsize


@examples(100)
@given(recipe=recipes())
def test_byte_bounds(queue, recipe):
    expected, x = recipe.pair(queue)
    if expected.size:
        low, high = np.lib.array_utils.byte_bounds(expected)
        begin = expected.__array_interface__["data"][0]
        assert x._byte_bounds == (x._pointer + low - begin, x._pointer + high - begin)
    else:
        low, high = x._byte_bounds
        assert low == high


def test_queue_and_device(x, queue):
    assert x.sycl_queue == queue
    assert x.sycl_context == queue.sycl_context
    assert x.sycl_device == queue.sycl_device
    assert x.device.sycl_queue == queue
    assert x.device == x[0].device
    assert hash(x.device) == hash(x[0].device)
    assert type(x).__name__ == "usm_ndarray"


@pytest.mark.parametrize("name", ["size", "dtype", "strides", "ndim", "usm_data", "device", "T"])
def test_attributes_are_read_only(x, name):
    with pytest.raises(AttributeError):
        setattr(x, name, getattr(x, name))


def test_arrays_are_not_hashable(x):
    assert not isinstance(x, Hashable)
    with pytest.raises(TypeError, match="unhashable type"):
        hash(x)


def test_contiguity_ignores_meaningless_strides(make):
    assert make((1, 3), "i4", strides=(100, 1)).flags.c_contiguous
    assert make((3, 1), "i4", strides=(1, -7)).flags.c_contiguous
    assert make((1, 1), "i4", strides=(5, 9)).flags.fc
    assert make((3, 0), "i4", strides=(7, 5)).flags.fc
    assert not make((3, 2), "i4", strides=(3, 1)).flags.forc


FLAG_KEYS = {
    "C": "c_contiguous",
    "C_CONTIGUOUS": "c_contiguous",
    "F": "f_contiguous",
    "F_CONTIGUOUS": "f_contiguous",
    "W": "writable",
    "WRITABLE": "writable",
    "FC": "fc",
    "FNC": "fnc",
    "FORC": "forc",
}


def test_flags(x):
    for array, c, f in ((x, True, False), (x.T, False, True), (x[0], True, True)):
        flags = array.flags
        assert (flags.c_contiguous, flags.f_contiguous) == (c, f)
        assert (flags.fc, flags.fnc) == (c and f, f and not c)
        assert flags.forc is flags.contiguous is True
        assert flags.writable is True
        for key, name in FLAG_KEYS.items():
            assert flags[key] == getattr(flags, name)
    flags = x[:, 0].flags
    assert not (flags.c_contiguous or flags.f_contiguous or flags.forc or flags.contiguous)
    assert "C_CONTIGUOUS : True" in str(x.flags)


def test_setting_writable(x):
    x.flags.writable = False
    assert x.flags["W"] is False
    x.flags["W"] = True
    assert x.flags.writable is True
    x.flags["WRITABLE"] = False
    assert x.flags.writable is False


@pytest.mark.parametrize("value", [1, 0, None, "True"])
def test_setting_writable_needs_a_bool(x, value):
    with pytest.raises(TypeError):
        x.flags.writable = value
    with pytest.raises(TypeError):
        x.flags["W"] = value
    assert x.flags.writable is True


@pytest.mark.parametrize("key", ["C", "F_CONTIGUOUS", "FORC", "junk", 0])
def test_setting_other_flags(x, key):
    with pytest.raises(ValueError):
        x.flags[key] = True
    with pytest.raises(AttributeError):
        x.flags.c_contiguous = True


def test_read_only(x):
    writable_view = x[0]
    x.flags.writable = False
    for view in (
        x,
        x[0],
        x[...],
        x.T,
        x.mT,
        x.real,
        usm.reshape(x, (6,)),
        usm.permute_dims(x, (1, 0)),
    ):
        assert not view.flags.writable
        with pytest.raises(ValueError):
            view[...] = 1
    assert writable_view.flags.writable
    assert usm.copy(x).flags.writable
    assert usm.astype(x, "i8").flags.writable
    assert_same(x, np.arange(6, dtype="i4").reshape(2, 3))


# Attributes that are fixed


@pytest.mark.parametrize(
    "name", ["shape", "strides", "dtype", "ndim", "size", "itemsize", "nbytes"]
)
def test_the_layout_is_fixed(x, name):
    value = getattr(x, name)
    for change in (lambda: setattr(x, name, value), lambda: delattr(x, name)):
        with pytest.raises((AttributeError, NotImplementedError)):
            change()
    assert getattr(x, name) == value


def test_the_error_of_setting_a_shape_names_reshape(x):
    with pytest.raises(AttributeError, match=r"usmtensor\.reshape\(x, shape\)"):
        x.shape = (3, 2)
    assert x.shape == (2, 3)


def test_an_array_is_initialised_only_once(x):
    x[...] = 1
    x.__init__((100, 100), "f8")
    assert (x.shape, x.dtype) == ((2, 3), np.int32)
    assert usm.asnumpy(x).tolist() == [[1, 1, 1], [1, 1, 1]]


# Transposes and parts


def test_transposes(x, queue):
    expected = np.arange(6, dtype="i4").reshape(2, 3)
    assert_same(x.T, expected.T)
    assert_same(x.mT, expected.T)
    assert x.T._pointer == x._pointer
    stack = usm.asarray(numbered((2, 3, 4), "i4"), sycl_queue=queue)
    assert_same(stack.mT, numbered((2, 3, 4), "i4").mT)
    assert stack.mT._pointer == stack._pointer


@pytest.mark.parametrize("shape", [(), (3,), (0, 2), (2, 3), (2, 3, 4), (1, 2, 0, 3)], ids=str)
def test_transpose_reverses_the_axes(make, shape):
    x = make(shape, "i4")
    assert x.T._pointer == x._pointer
    assert_same(x.T, usm.asnumpy(x).T)


@pytest.mark.parametrize("shape", [(), (3,)])
def test_transposes_of_matrices_need_two_dimensions(make, shape):
    with pytest.raises(ValueError):
        getattr(make(shape, "i4"), "mT")  # noqa: B009


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_parts_of_complex_arrays(device, queue, dtype):
    skip_without(device, dtype)
    values = numbered((3, 4), dtype)[::-1, 1::2]
    x = usm.asarray(numbered((3, 4), dtype), sycl_queue=queue)[::-1, 1::2]
    assert_same(x.real, values.real)
    assert_same(x.imag, values.imag)
    x.real[...] = 7
    x.imag[1] = -2
    values.real[...] = 7
    values.imag[1] = -2
    assert_same(x, values)
    x.real, x.imag = x.imag, 3
    values.real, values.imag = values.imag.copy(), 3
    x.imag += 1
    values.imag += 1
    assert_same(x, values)


def test_parts_of_real_arrays(x):
    expected = np.arange(6, dtype="i4").reshape(2, 3)
    assert_same(x.real, expected)
    assert x.real._pointer == x._pointer
    assert_same(x.imag, np.zeros_like(expected))
    assert x.real.flags.writable and not x.imag.flags.writable
    with pytest.raises(ValueError, match="read-only"):
        x.imag = 1
    with pytest.raises(ValueError, match="read-only"):
        x.imag[0] = 1


# Conversion to Python


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("value", [0, 1, 5])
def test_scalar_conversion(device, queue, dtype, value):
    skip_without(device, dtype)
    expected = np.asarray(value).astype(dtype)
    for shape in ((), (1,), (1, 1, 1)):
        x = usm.asarray(expected.reshape(shape), sycl_queue=queue)
        assert bool(x) is bool(expected)
        assert complex(x) == complex(expected)
        assert type(x.item()) is type(expected.item())
        assert x.item() == expected.item()
        if dtype.kind != "c":
            assert int(x) == x.__int__() == int(expected)
            assert float(x) == x.__float__() == float(expected)
            assert type(int(x)) is int
            assert type(float(x)) is float


def test_extreme_scalars(queue, device):
    for dtype in ("i1", "u1", "i8", "u8"):
        for value in (np.iinfo(dtype).min, np.iinfo(dtype).max):
            x = usm.asarray(np.asarray(value, dtype), sycl_queue=queue)
            assert int(x) == x.item() == operator.index(x) == value
    x = usm.asarray(np.asarray(np.nan, "f4"), sycl_queue=queue)
    assert bool(x) is True
    assert np.isnan(float(x))
    with pytest.raises(ValueError):
        int(x)
    with pytest.raises(OverflowError):
        int(usm.asarray(np.asarray(np.inf, "f4"), sycl_queue=queue))


def test_truth_of_several_elements(x):
    for use in (bool, lambda x: 1 if x > 0 else 2, lambda x: 0 < x < 3):
        with pytest.raises(ValueError, match=r"usmtensor.any\(x\) or usmtensor.all\(x\)"):
            use(x)


def test_scalars_of_views(x):
    assert int(x[1, 2]) == 5
    assert float(x[::-1, ::-2][0, 0]) == 5.0
    assert int(x[1:, 1:2]) == 4


def test_rounds_to_python_numbers(queue):
    x = usm.asarray([[2.5, 2.567]], dtype="f4", sycl_queue=queue)
    assert round(x[0, 0]) == 2 and type(round(x[0, 0])) is int
    assert round(x[0, 1], 1) == round(float(x[0, 1]), 1)
    assert round(usm.asarray(1234, sycl_queue=queue), -2) == 1200
    with pytest.raises(ValueError, match="not one element"):
        round(x)
    with pytest.raises(TypeError, match="round: the array is of complex64"):
        round(usm.asarray(1j, dtype="c8", sycl_queue=queue))


@pytest.mark.parametrize("convert", [bool, int, float, complex, lambda x: x.item()])
@pytest.mark.parametrize("shape", [(0,), (2,), (1, 2), (3, 0)])
def test_only_one_element_makes_a_scalar(make, convert, shape):
    with pytest.raises(ValueError):
        convert(make(shape, "i4"))


@pytest.mark.parametrize("convert", [int, float])
@pytest.mark.parametrize("value", [1 + 2j, 1, 0])
def test_complex_makes_no_real_number(queue, convert, value):
    x = usm.asarray(np.asarray(value, "c8"), sycl_queue=queue)
    assert complex(x) == value
    with pytest.raises(TypeError, match=f"{convert.__name__}: the array is of complex64"):
        convert(x)
    assert convert(x.real) == value.real


@pytest.mark.parametrize("dtype", ["?", "f4", "c8"])
def test_only_integers_are_indices(make, dtype):
    with pytest.raises(TypeError):
        operator.index(make((), dtype))
    with pytest.raises(TypeError):
        [10, 20][make((), dtype)]


def test_integers_are_indices(x):
    assert [10, 20, 30][x[0, 2]] == 30
    assert list(range(int(x[0, 2]))) == [0, 1]
    with pytest.raises((TypeError, ValueError)):
        operator.index(x)


@pytest.mark.parametrize(
    ("value", "dtype", "spec"),
    [
        (3.14159, "f4", ".2f"),
        (42, "i2", "05d"),
        (255, "u1", "x"),
        (2.5, "f2", "+.3e"),
        (1, "i8", ">4"),
    ],
)
def test_format(queue, value, dtype, spec):
    expected = np.asarray(value, dtype)
    x = usm.asarray(expected, sycl_queue=queue)
    assert format(x, spec) == format(expected.item(), spec)
    assert f"{usm.reshape(x, (1,))[0]:{spec}}" == format(expected.item(), spec)


def test_format_of_arrays(x):
    assert f"{x}" == str(x)
    with pytest.raises(TypeError):
        format(x, ".2f")
    with pytest.raises(ValueError):
        format(x[0, 0], "junk")


@examples(100)
@given(recipe=recipes())
def test_tolist(queue, recipe):
    expected, x = recipe.pair(queue)
    assert x.tolist() == expected.tolist()
    assert type(x.tolist()) is type(expected.tolist())


def test_tolist_makes_python_objects(x):
    assert type(x.tolist()[0][0]) is int
    assert type(x[0, 0].tolist()) is int


def test_len_and_iteration(x, make):
    assert len(x) == 2
    assert len(make((0, 3), "i4")) == 0
    rows = list(x)
    assert len(rows) == 2
    assert_same(rows[1], np.array([3, 4, 5], "i4"))
    rows[0][...] = 9
    assert x.tolist()[0] == [9, 9, 9]
    assert list(make((0, 3), "i4")) == []
    first, second = x[:, 0]
    assert (int(first), int(second)) == (9, 3)


def test_no_len_or_iteration_of_zero_dimensions(make):
    with pytest.raises(TypeError):
        len(make((), "i4"))
    with pytest.raises(TypeError):
        iter(make((), "i4"))


def test_no_implicit_conversion_to_numpy(x):
    with pytest.raises(TypeError, match="asnumpy"):
        np.asarray(x)
    with pytest.raises(TypeError, match="asnumpy"):
        np.array(x, dtype="f4")


# Lifetimes and places


def test_weak_references(queue):
    x = usm.zeros(3, dtype="i4", sycl_queue=queue)
    called = []
    watch = weakref.ref(x, called.append)
    assert watch() is x
    view = x[1:]
    del x
    gc.collect()
    assert watch() is None
    assert called == [watch]
    assert_same(view, np.zeros(2, "i4"))


def test_new_arrays_have_nothing_of_ended_ones(queue):
    class Named(usm.usm_ndarray):
        pass

    def make(shape):
        arrays = [usm.ones(shape, sycl_queue=queue) for _ in range(200)]
        arrays.append(Named(shape, buffer_ctor_kwargs={"queue": queue}))
        return arrays, [weakref.ref(x) for x in arrays]

    expected = {(1, 2) * 3: (8, 4, 4, 2, 2, 1), (3,): (1,), (): (), (0, 4): (4, 1)}
    for shape, strides in expected.items():
        arrays, references = make(shape)
        assert all((x.shape, x.strides) == (shape, strides) for x in arrays)
        assert all(weakref.getweakrefs(x) == [references[k]] for k, x in enumerate(arrays))
        assert not any(gc.is_tracked(x) for x in arrays[:-1])


def test_views_keep_their_base(queue):
    x = usm.asarray(np.arange(6, dtype="i4"), sycl_queue=queue)
    views = [x[::2], usm.reshape(x, (2, 3)).T, iter(x)]
    del x
    gc.collect()
    usm.zeros(6, dtype="i4", sycl_queue=queue)
    assert_same(views[0], np.array([0, 2, 4], "i4"))
    assert_same(views[1], np.arange(6, dtype="i4").reshape(2, 3).T)
    assert int(next(views[2])) == 0


# Devices


@pytest.mark.parametrize("place", ["in-order", "out-of-order"])
def test_to_device_within_a_context(x, device, place):
    queue = PLACES[place](device)
    y = x.to_device(queue)
    assert y._pointer == x._pointer
    assert y.sycl_queue == queue
    assert y.strides == x.strides
    y[0] = 50
    assert x.tolist() == [[50, 50, 50], [3, 4, 5]]


@pytest.mark.parametrize("place", ["other context", "sub-device"])
def test_to_device_across_contexts(x, usm_kind, device, place):
    queue = PLACES[place](device)
    x = usm.asarray(x, usm_type=usm_kind)
    y = x.T.to_device(queue)
    assert_same(y, usm.asnumpy(x).T)
    assert y.sycl_queue == queue
    assert y.sycl_context == queue.sycl_context
    assert y.usm_type == usm_kind
    y[...] = 0
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert_same(y.to_device(x.device), np.zeros((3, 2), "i4"))


def test_to_device_forms(x, device, queue):
    other = out_of_order_queue(device)
    on_other = usm.zeros(1, dtype="i4", sycl_queue=other)
    assert x.to_device(other).sycl_queue == other
    assert x.to_device(on_other.device).sycl_queue == other
    assert x.to_device(device).sycl_device == device
    assert x.to_device(device.filter_string).sycl_device == device
    assert x.to_device(x.device).sycl_queue == queue
    assert x.to_device(other, stream=None)._pointer == x._pointer
    assert x.to_device(queue, stream=other)._pointer == x._pointer


@pytest.mark.parametrize(
    ("arguments", "keywords", "error"),
    [
        ((), {}, TypeError),
        ((3,), {}, TypeError),
        (({},), {}, TypeError),
        (("junk",), {}, usm.SyclDeviceCreationError),
        ((None,), {"stream": "junk"}, TypeError),
        ((None,), {"junk": 1}, TypeError),
    ],
)
def test_bad_to_device(x, arguments, keywords, error):
    with pytest.raises(error):
        x.to_device(*arguments, **keywords)


def test_read_only_survives_to_device(x, device):
    x.flags.writable = False
    assert not x.to_device(in_order_queue(device)).flags.writable


# Namespace


def test_array_namespace(x):
    assert x.__array_namespace__() is usm
    assert x.__array_namespace__(api_version=None) is usm
    assert x.__array_namespace__(api_version=usm.__array_api_version__) is usm


@pytest.mark.parametrize(
    ("version", "error"), [("1999.12", ValueError), (3, (TypeError, ValueError))]
)
def test_unknown_api_version(x, version, error):
    with pytest.raises(error):
        x.__array_namespace__(api_version=version)


@examples(60)
@given(shape=shapes(), dtype=dtypes())
def test_new_arrays_are_whole(queue, shape, dtype):
    x = usm.usm_ndarray(shape, dtype, buffer_ctor_kwargs={"queue": queue})
    expected = numbered(shape, dtype)
    x[...] = expected
    assert_same(x, expected)
