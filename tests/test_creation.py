"""Arrays from Python objects, NumPy and buffers, and back."""

import array
import importlib
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
from checks import assert_same, assert_same_strides, name_of, shares_memory
from hypothesis import given
from hypothesis import strategies as st
from placement import PLACES, in_order_queue, out_of_order_queue
from strategies import DTYPES, dtypes, examples, numbered, recipes, shapes, skip_without

import usmtensor as usm
from usmtensor import memory as usm_memory

NEW = {
    "empty": usm.empty,
    "zeros": usm.zeros,
    "ones": usm.ones,
    "full": lambda shape, **keywords: usm.full(shape, 1, **keywords),
}
LIKE = {
    "empty_like": usm.empty_like,
    "zeros_like": usm.zeros_like,
    "ones_like": usm.ones_like,
    "full_like": lambda x, **keywords: usm.full_like(x, 1, **keywords),
}
TO_NUMPY = {"asnumpy": usm.asnumpy, "to_numpy": usm.to_numpy}


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


@pytest.fixture
def default_float(device):
    return np.dtype("f8" if device.has_aspect_fp64 else "f4")


# empty, zeros, ones, full


@examples(100)
@given(shape=shapes(), dtype=dtypes(), order=st.sampled_from("CF"))
@pytest.mark.parametrize("name", ["zeros", "ones"])
def test_zeros_and_ones(queue, name, shape, dtype, order):
    x = getattr(usm, name)(shape, dtype=dtype, order=order, sycl_queue=queue)
    expected = getattr(np, name)(shape, dtype, order=order)
    assert_same(x, expected)
    assert_same_strides(x, expected)


@examples(100)
@given(shape=shapes(), dtype=dtypes(), value=st.sampled_from([0, 1, True, 100]))
def test_full(queue, shape, dtype, value):
    assert_same(usm.full(shape, value, dtype=dtype, sycl_queue=queue), np.full(shape, value, dtype))


@pytest.mark.parametrize("make", NEW.values(), ids=NEW)
@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (3, (3,)),
        (np.int64(3), (3,)),
        ((), ()),
        ([2, 3], (2, 3)),
        ((2, np.uint8(3)), (2, 3)),
        (0, (0,)),
    ],
)
def test_shapes(queue, make, shape, expected):
    assert make(shape, sycl_queue=queue).shape == expected


@pytest.mark.parametrize("make", NEW.values(), ids=NEW)
def test_kind_and_order(queue, usm_kind, make):
    x = make((2, 3), dtype="i4", order="F", usm_type=usm_kind, sycl_queue=queue)
    assert x.usm_type == usm_kind
    assert x.dtype == "i4"
    assert x.flags.f_contiguous
    assert x.sycl_queue == queue


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_names_of_dtypes(dtype, device, queue):
    skip_without(device, dtype)
    names = [dtype.str[1:], dtype.str, dtype.name, dtype.char, dtype.type]
    names += [kind for kind in (bool, int, float, complex) if np.dtype(kind) == dtype]
    for name in names:
        assert usm.empty(1, dtype=name, sycl_queue=queue).dtype == dtype


@pytest.mark.parametrize("name", ["empty", "zeros", "ones"])
def test_default_dtype(queue, default_float, name):
    for keywords in ({}, {"dtype": None}):
        x = getattr(usm, name)(3, sycl_queue=queue, **keywords)
        assert x.dtype == default_float
        assert x.usm_type == "device"
        assert x.flags.c_contiguous


def test_default_dtype_of_full(queue, default_float):
    default_complex = np.result_type(default_float, "c8")
    for value, dtype in ((True, "?"), (2, "i8"), (2.5, default_float), (1j, default_complex)):
        assert_same(usm.full(2, value, sycl_queue=queue), np.full(2, value, dtype))
    for value in (np.int8(3), np.float32(1.5), np.bool_(True), np.asarray(3, "u2")):
        assert_same(usm.full(2, value, sycl_queue=queue), np.full(2, value))


def test_values_of_no_dimensions(queue):
    """NumPy's arrays of no dimensions convert as other arrays do: complex numbers to bools by both
    parts, integers wrap."""
    for value in (np.complex128(3j), np.array(3j), 3j):
        x = usm.full(2, value, dtype="?", sycl_queue=queue)
        assert x.tolist() == [True, True]
        x[...] = False
        x[0] = value
        x[[1]] = value
        assert x.tolist() == [True, True]
    x = usm.zeros(1, dtype="i1", sycl_queue=queue)
    x[...] = np.array(300, "i2")
    assert x.tolist() == [44]
    with pytest.raises(OverflowError):
        x[...] = np.int16(300)


def test_full_of_arrays(x):
    assert_same(usm.full((4, 3), x[1], sycl_queue=x.sycl_queue), np.full((4, 3), [3, 4, 5], "i4"))
    scalar = usm.full(2, x[0, 2])
    assert_same(scalar, np.full(2, 2, "i4"))
    assert scalar.sycl_queue == x.sycl_queue
    row = np.array([1.5, 2.5, 3.5], "f4")
    assert_same(usm.full((2, 3), row, sycl_queue=x.sycl_queue), np.full((2, 3), row))
    assert_same(usm.full_like(x, row, dtype="f4"), np.full((2, 3), row))


def test_full_takes_the_kind_of_its_value(queue, usm_kind):
    value = usm.asarray(3, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    assert usm.full(2, value).usm_type == usm_kind
    assert usm.full(2, value, usm_type="device").usm_type == "device"
    assert usm.full(2, 3, usm_type=None, sycl_queue=queue).usm_type == "device"


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [
        ("a", None, TypeError),
        (None, None, TypeError),
        ({}, None, TypeError),
        (object(), None, TypeError),
        (300, "i1", OverflowError),
        (-1, "u4", OverflowError),
        (2**70, None, OverflowError),
        ([1, 2], None, ValueError),
        (np.ones((2, 2)), "f4", ValueError),
    ],
    ids=name_of,
)
def test_bad_full_values(queue, value, dtype, error):
    with pytest.raises(error):
        usm.full(3, value, dtype=dtype, sycl_queue=queue)
    with pytest.raises(error):
        usm.full_like(usm.empty(3, dtype="i8", sycl_queue=queue), value, dtype=dtype)


@pytest.mark.parametrize("make", NEW.values(), ids=NEW)
@pytest.mark.parametrize(
    ("shape", "error"),
    [
        (-1, ValueError),
        ((2, -1), ValueError),
        (2.5, TypeError),
        ((2, 2.5), TypeError),
        ("a", TypeError),
        ({}, TypeError),
        (None, TypeError),
        ((2**40, 2**40), (MemoryError, OverflowError, ValueError)),
    ],
    ids=str,
)
def test_bad_shapes(make, shape, error):
    with pytest.raises(error):
        make(shape)


BAD_KEYWORDS = [
    ({"dtype": "U3"}, (TypeError, ValueError)),
    ({"dtype": object}, (TypeError, ValueError)),
    ({"dtype": ">i4"}, ValueError),
    ({"dtype": "junk"}, (TypeError, ValueError)),
    ({"order": "junk"}, ValueError),
    ({"order": 3}, TypeError),
    ({"usm_type": "junk"}, ValueError),
    ({"usm_type": 3}, TypeError),
    ({"device": "junk"}, usm.SyclDeviceCreationError),
    ({"device": 3}, TypeError),
    ({"device": {}}, TypeError),
    ({"sycl_queue": "cpu"}, TypeError),
    ({"sycl_queue": 3}, TypeError),
    ({"junk": 3}, TypeError),
]


def test_no_order(queue):
    """None is the default order, as in NumPy."""
    x = np.asfortranarray(np.ones((2, 3)))
    y = usm.asarray(x, sycl_queue=queue)
    for name in ("copy", "asarray", "array", "zeros_like", "ravel"):
        for order in (None, "C"):
            found = getattr(usm, name)(y, order=order)
            expected = getattr(np, name)(x, order=order)
            assert found.flags.c_contiguous == expected.flags.c_contiguous
    for name in ("zeros", "ones", "empty"):
        assert getattr(usm, name)((2, 3), order=None, sycl_queue=queue).flags.c_contiguous
    assert usm.full((2, 3), 1, order=None).flags.c_contiguous
    assert_same(usm.reshape(y, -1, order=None), np.reshape(x, -1, order=None))
    assert usm.add(y, y, order=None).flags.f_contiguous
    at = usm.asarray([5, 1], sycl_queue=queue)
    rows, columns = usm.unravel_index(at, (2, 3), order=None)
    assert_same(rows, np.array([1, 0]))
    assert_same(usm.ravel_multi_index((rows, columns), (2, 3), order=None), np.array([5, 1]))


@pytest.mark.parametrize("make", NEW.values(), ids=NEW)
@pytest.mark.parametrize(("keywords", "error"), BAD_KEYWORDS, ids=str)
def test_bad_keywords(make, keywords, error):
    with pytest.raises(error):
        make(2, **keywords)


@pytest.mark.parametrize("make", LIKE.values(), ids=LIKE)
@pytest.mark.parametrize(("keywords", "error"), BAD_KEYWORDS, ids=str)
def test_bad_keywords_of_likes(x, make, keywords, error):
    with pytest.raises(error):
        make(x, **keywords)


@pytest.mark.parametrize(("keywords", "error"), BAD_KEYWORDS, ids=str)
def test_bad_keywords_of_asarray(keywords, error):
    with pytest.raises(error):
        usm.asarray([1, 2], **keywords)


@pytest.mark.parametrize(
    ("keywords", "error"),
    [bad for bad in BAD_KEYWORDS if "dtype" not in bad[0] and "order" not in bad[0]],
    ids=str,
)
def test_bad_keywords_of_from_numpy(keywords, error):
    with pytest.raises(error):
        usm.from_numpy(np.ones(2, "f4"), **keywords)


@pytest.mark.parametrize("make", NEW.values(), ids=NEW)
def test_new_arrays_have_c_or_f_order(make):
    for order in "KA":
        with pytest.raises(ValueError):
            make((2, 3), order=order)


# Devices and queues of new arrays


CREATORS = {
    **{name: lambda make=make, **kw: make((2,), **kw) for name, make in NEW.items()},
    "asarray of a list": lambda **kw: usm.asarray([1, 2], **kw),
    "asarray of NumPy": lambda **kw: usm.asarray(np.arange(2, dtype="i4"), **kw),
    "from_numpy": lambda **kw: usm.from_numpy(np.arange(2, dtype="i4"), **kw),
}


@pytest.mark.parametrize("create", CREATORS.values(), ids=CREATORS)
def test_device_forms(device, queue, create):
    other = in_order_queue(device)
    on_other = usm.empty(1, dtype="i4", sycl_queue=other)
    assert create(sycl_queue=other).sycl_queue == other
    assert create(device=other).sycl_queue == other
    assert create(device=on_other.device).sycl_queue == other
    assert create(device=device).sycl_queue == queue
    assert create(device=device.filter_string).sycl_queue == queue
    assert create(device=other, sycl_queue=other).sycl_queue == other


@pytest.mark.parametrize("create", CREATORS.values(), ids=CREATORS)
def test_device_and_queue_must_agree(device, create):
    with pytest.raises(TypeError):
        create(device=in_order_queue(device), sycl_queue=in_order_queue(device))


@pytest.mark.parametrize("create", CREATORS.values(), ids=CREATORS)
def test_the_default_device_is_the_default(create):
    x = create()
    assert x.sycl_device == usm.select_default_device()
    assert x.sycl_queue == usm.get_device_cached_queue(x.sycl_device)


# zeros_like and others


@examples(100)
@given(recipe=recipes(broadcast=False), order=st.sampled_from("KACF"), dtype=st.none() | dtypes())
@pytest.mark.parametrize("name", LIKE)
def test_like_functions(queue, name, recipe, order, dtype):
    expected, x = recipe.pair(queue)
    y = LIKE[name](x, order=order, dtype=dtype)
    layout = np.empty_like(expected, order=order)
    assert y.shape == expected.shape
    assert y.dtype == (dtype or expected.dtype)
    assert_same_strides(y, layout)
    if name != "empty_like":
        fill = 0 if name == "zeros_like" else 1
        assert_same(y, np.full(expected.shape, fill, y.dtype))
    if y.size:
        assert not shares_memory(x, y)


@pytest.mark.parametrize("make", LIKE.values(), ids=LIKE)
def test_like_functions_keep_kind_and_queue(device, usm_kind, make):
    queue, other = in_order_queue(device), out_of_order_queue(device)
    x = usm.zeros(3, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    y = make(x)
    assert (y.usm_type, y.sycl_queue) == (usm_kind, queue)
    assert make(x, usm_type=None).usm_type == usm_kind
    assert make(x, usm_type="device").usm_type == "device"
    assert make(x, sycl_queue=other).sycl_queue == other
    assert make(x, device=other).sycl_queue == other


@pytest.mark.parametrize("make", LIKE.values(), ids=LIKE)
@pytest.mark.parametrize("junk", [[1, 2], 3, np.ones(2), None], ids=repr)
def test_like_functions_need_an_array(make, junk):
    with pytest.raises(TypeError):
        make(junk)


# asarray


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (True, "?"),
        (3, "i8"),
        (-(2**63), "i8"),
        (2**63, "u8"),
        (2.5, "float"),
        (1j, "complex"),
        ([], "float"),
        ([[], []], "float"),
        ([1, 2, 3], "i8"),
        ((True, False), "?"),
        ([True, 2], "i8"),
        ([True, 2, 3.5], "float"),
        ([[1, 2], (3, 4j)], "complex"),
        (range(4), "i8"),
        (range(3, 0, -1), "i8"),
        ([range(2), range(2, 4)], "i8"),
        ([np.float32(1), np.float32(2)], "f4"),
        ([np.int8(1), 2.0], "float"),
        ([[[1]]], "i8"),
        (np.int16(5), "i2"),
        (np.bool_(True), "?"),
        (np.complex64(1 - 2j), "c8"),
    ],
    ids=str,
)
def test_asarray_of_python_objects(queue, default_float, value, dtype):
    if dtype == "float":
        dtype = default_float
    elif dtype == "complex":
        dtype = np.result_type(default_float, "c8")
    assert_same(usm.asarray(value, sycl_queue=queue), np.asarray(value, dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_asarray_with_a_dtype(device, queue, dtype):
    skip_without(device, dtype)
    for value in (1, [0, 1, 2], [[True, False]], [], np.arange(3, dtype="i2")):
        assert_same(usm.asarray(value, dtype=dtype, sycl_queue=queue), np.asarray(value, dtype))


def test_asarray_truncates_floats(queue):
    assert usm.asarray([1.5, -2.5], dtype="i4", sycl_queue=queue).tolist() == [1, -2]


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [
        ([[1], [1, 2]], None, ValueError),
        ([1, [2]], None, ValueError),
        ([[1], 2], None, ValueError),
        ([[[1, 2]], [[1], [2]]], None, ValueError),
        (2**64, None, OverflowError),
        ([2**70], None, OverflowError),
        (-(2**63) - 1, None, OverflowError),
        ([300], "i1", OverflowError),
        (-1, "u8", OverflowError),
        ([1, 2**40], "i4", OverflowError),
        ("a", None, TypeError),
        (object(), None, TypeError),
        (None, None, TypeError),
        ({}, None, TypeError),
        ({1, 2}, None, TypeError),
        (["a"], None, (TypeError, ValueError)),
        ([None], None, (TypeError, ValueError)),
        ([1, "a"], None, (TypeError, ValueError)),
        ([1, {}], None, (TypeError, ValueError)),
        (np.array(["a"]), None, TypeError),
        (np.array([1], object), None, TypeError),
        (np.array([1], "M8[s]"), None, TypeError),
        ([1j], "f4", TypeError),
    ],
    ids=name_of,
)
def test_asarray_refuses(queue, value, dtype, error):
    with pytest.raises(error):
        usm.asarray(value, dtype=dtype, sycl_queue=queue)


def test_asarray_of_endless_lists():
    """In a process of its own, which a stack overflow would end."""
    program = """
import pytest, usmtensor
endless = []
endless.append(endless)
deep = 1
for _ in range(100_000):
    deep = [deep]
for value in (endless, deep):
    with pytest.raises((RecursionError, TypeError, ValueError)):
        usmtensor.asarray(value)
"""
    child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert child.returncode == 0, child.stderr


@examples(100)
@given(recipe=recipes(), order=st.sampled_from("KACF"), dtype=st.none() | dtypes())
def test_asarray_of_numpy(queue, recipe, order, dtype):
    source = recipe.of_numpy(recipe.base())
    x = usm.asarray(source, order=order, dtype=dtype, sycl_queue=queue)
    assert_same(x, source if dtype is None else exact_cast(source, dtype))
    if order in "CF":
        assert x.flags[order]


def exact_cast(source, dtype):
    """A cast of values that every dtype holds, so that NumPy's result is right."""
    values = source.real if source.dtype.kind == "c" and dtype.kind not in "bc" else source
    return values.astype(dtype)


def test_asarray_keeps_the_order_of_numpy_arrays(queue):
    source = np.asfortranarray(numbered((2, 3), "i4"))
    assert usm.asarray(source, sycl_queue=queue).flags.f_contiguous
    assert usm.asarray(source, order="C", sycl_queue=queue).flags.c_contiguous
    assert usm.from_numpy(source, sycl_queue=queue).flags.f_contiguous


def test_asarray_copies_numpy_arrays(queue, usm_kind):
    source = np.arange(4, dtype="i4")
    x = usm.asarray(source, usm_type=usm_kind, sycl_queue=queue)
    source[...] = 9
    assert x.usm_type == usm_kind
    assert x.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError):
        usm.asarray(source, copy=False, sycl_queue=queue)


@pytest.mark.parametrize("value", [[1, 2], 3, np.ones(2, "f4"), b"ab"], ids=repr)
def test_host_data_cannot_come_without_a_copy(value):
    with pytest.raises(ValueError):
        usm.asarray(value, copy=False)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes of Python have no buffers")
def test_errors_of_a_producer_of_buffers_are_its_own():
    class Broken:
        def __buffer__(self, flags):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        usm.asarray(Broken())


@pytest.mark.parametrize(
    ("buffer", "expected"),
    [
        (b"abc", np.frombuffer(b"abc", "u1")),
        (bytearray(b"abc"), np.frombuffer(b"abc", "u1")),
        (array.array("i", [1, -2]), np.array([1, -2], "i4")),
        (array.array("f", [1.5, -2]), np.array([1.5, -2], "f4")),
        (memoryview(b"abcdef")[::2], np.frombuffer(b"ace", "u1")),
        (memoryview(bytes(range(6))).cast("B", (2, 3)), np.arange(6, dtype="u1").reshape(2, 3)),
        (memoryview(b"").cast("H"), np.empty(0, "u2")),
    ],
    ids=["bytes", "bytearray", "int", "float", "strided", "2-d", "empty"],
)
def test_asarray_of_buffers(queue, buffer, expected):
    assert_same(usm.asarray(buffer, sycl_queue=queue), expected)


def test_asarray_of_an_array(x, device):
    assert usm.asarray(x) is x
    assert usm.asarray(x, copy=False) is x
    assert usm.asarray(x, dtype="i4", order="C", usm_type="device") is x
    copied = usm.asarray(x, copy=True)
    assert_same(copied, usm.asnumpy(x))
    assert not shares_memory(copied, x)
    for keywords in ({"dtype": "f4"}, {"order": "F"}):
        changed = usm.asarray(x, **keywords)
        assert not shares_memory(changed, x)
        assert_same(changed, usm.asnumpy(x).astype(changed.dtype))
        with pytest.raises(ValueError):
            usm.asarray(x, copy=False, **keywords)
    assert usm.asarray(x, order="F").flags.f_contiguous
    other = in_order_queue(device)
    moved = usm.asarray(x, sycl_queue=other)
    assert moved.sycl_queue == other
    assert_same(moved, usm.asnumpy(x))


def test_asarray_of_a_view(x):
    view = x[::-1, ::2]
    assert usm.asarray(view) is view
    assert usm.asarray(view, order="K") is view
    assert usm.asarray(view, order="C").flags.c_contiguous
    assert_same(usm.asarray(view, dtype="f4"), np.array([[3, 5], [0, 2]], "f4"))


@pytest.mark.parametrize("place", PLACES)
def test_asarray_between_places_and_kinds(x, device, usm_kind, place):
    queue = PLACES[place](device)
    y = usm.asarray(x.T, usm_type=usm_kind, sycl_queue=queue)
    assert_same(y, usm.asnumpy(x).T)
    assert (y.usm_type, y.sycl_queue) == (usm_kind, queue)


def test_asarray_without_a_copy_cannot_change_the_kind(queue):
    if not queue.sycl_device.has_aspect_usm_host_allocations:
        pytest.skip("the device lacks usm_host_allocations")
    x = usm.zeros(2, dtype="i4", usm_type="host", sycl_queue=queue)
    with pytest.raises(ValueError):
        usm.asarray(x, usm_type="device", copy=False)
    assert usm.asarray(x).usm_type == "host"


def test_asarray_of_memory(queue, usm_kind):
    values = np.arange(8, dtype="u1")
    memory = usm.asarray(values, usm_type=usm_kind, sycl_queue=queue).usm_data
    x = usm.asarray(memory)
    assert_same(x, values)
    assert x._pointer == memory._pointer
    assert x.usm_type == usm_kind
    x[0] = 9
    assert memory.tobytes()[0] == 9
    assert not shares_memory(usm.asarray(memory, copy=True), x)


def test_asarray_of_a_foreign_array(x):
    """Shape, strides, offset and the read-only flag of the array interface count."""

    class Foreign:
        def __init__(self, **changes):
            self.__sycl_usm_array_interface__ = {
                "shape": (2, 2),
                "typestr": "<i4",
                "data": (x._pointer, False),
                "strides": (-3, 2),
                "offset": 3,
                "version": 1,
                "syclobj": x.sycl_queue,
            } | changes

    y = usm.asarray(Foreign())
    assert_same(y, np.array([[3, 5], [0, 2]], "i4"))
    assert shares_memory(y, x)
    assert y.sycl_queue == x.sycl_queue
    y[0, 0] = 30
    assert int(x[1, 0]) == 30
    assert_same(usm.asarray(Foreign(strides=None, offset=0)), np.array([[0, 1], [2, 30]], "i4"))
    read_only = usm.asarray(Foreign(data=(x._pointer, True), syclobj=x.sycl_context))
    assert not read_only.flags.writable
    for changes in ({"version": 2}, {"typestr": "<U1"}, {"shape": (-1, 2)}, {"strides": (1,)}):
        with pytest.raises(ValueError):
            usm.asarray(Foreign(**changes))


def test_interface_of_arrays(x):
    view = x[::-1, 1:]
    interface = view.__sycl_usm_array_interface__
    assert interface["shape"] == (2, 2)
    assert interface["typestr"] == "<i4"
    assert interface["data"] == (view._pointer, False)
    assert interface["strides"] == (-3, 1)
    assert interface["offset"] == 0
    assert interface["version"] == 1
    assert usm.SyclQueue(interface["syclobj"]) == x.sycl_queue
    x.flags.writable = False
    assert x.__sycl_usm_array_interface__["data"][1] is True
    assert "strides" in x.__sycl_usm_array_interface__


def test_dpctl_takes_our_arrays_and_we_its_memory(x, dpctl):
    theirs = importlib.import_module("dpctl.memory").as_usm_memory(x)
    assert theirs._pointer == x._pointer
    assert bytes(theirs.tobytes()) == np.arange(6, dtype="i4").tobytes()
    y = usm.asarray(theirs)
    assert_same(y, np.frombuffer(np.arange(6, dtype="i4").tobytes(), "u1"))
    assert y._pointer == x._pointer
    assert y.flags.writable


def test_sequences_of_elements(queue, usm_kind):
    x = usm.asarray(numbered((3,), "i4"), usm_type=usm_kind, sycl_queue=queue)
    y, doubled = usm.astype(x, "f4"), x * 2
    for values, expected, dtype in (
        (list(x), x, "i4"),
        (tuple(doubled), doubled, "i4"),  # perhaps not computed yet
        ([y[2], y[1]], y[2:0:-1], "f4"),
        ([x[0], 1], [x[0], 1], "i8"),
        ([x[0], x[:1].sum(dtype="i8")], [x[0], x[0]], "i8"),
    ):
        made = usm.asarray(values)
        assert (made.usm_type, made.sycl_queue, made.dtype) == (usm_kind, queue, dtype)
        assert made.tolist() == [int(one) for one in expected]
    made[0] = 9
    assert x.tolist() == numbered((3,), "i4").tolist()


def test_asarray_of_sequences_with_arrays(x, queue, default_float):
    rows = np.arange(6, dtype="i4").reshape(2, 3)
    assert_same(usm.asarray([x, x], sycl_queue=queue), np.array([rows, rows]))
    assert_same(usm.asarray([x[0], [7, 8, 9]]), np.array([rows[0], [7, 8, 9]], "i8"))
    assert_same(
        usm.asarray((x[1], np.ones(3, "f4"))), np.array([rows[1], np.ones(3)], default_float)
    )
    nested = usm.asarray([[x[0], (1, 2, 3)], [x[1, ::-1], np.full(3, 2.5)]])
    expected = np.array([[rows[0], (1, 2, 3)], [rows[1, ::-1], np.full(3, 2.5)]], default_float)
    assert_same(nested, expected)
    scalars = usm.asarray([x[0, 1], x[1, 2], 7], dtype="u1")
    assert_same(scalars, np.array([1, 5, 7], "u1"))
    assert scalars.sycl_queue == queue
    with pytest.raises(ValueError):
        usm.asarray([x[0], [1, 2]])
    with pytest.raises(ValueError):
        usm.asarray([x, x[0]])
    with pytest.raises(ValueError):
        usm.asarray([x, x], copy=False)


def test_asarray_of_sequences_takes_the_device_like_kind(queue, usm_kind):
    x = usm.ones(2, dtype="i4", usm_type=usm_kind, sycl_queue=queue)
    y = usm.asarray([x, x])
    assert y.sycl_queue == queue
    assert y.usm_type == usm_kind
    mixed = usm.asarray([x, usm.ones(2, dtype="i4", sycl_queue=queue)])
    assert mixed.usm_type == "device"
    assert usm.asarray([x, [1, 2]], usm_type="device").usm_type == "device"


@pytest.mark.parametrize("copy", ["junk", 2.5])
def test_copy_is_a_bool_or_none(copy):
    with pytest.raises(TypeError):
        usm.asarray([1], copy=copy)


def test_positional_arguments():
    for x in (usm.asarray([1, 1], "i4"), usm.ones(2, "i4", "C"), usm.full(2, 1, "i4")):
        assert_same(x, np.ones(2, "i4"))
    assert_same(usm.arange(0, 3, 1, "i4"), np.arange(0, 3, 1, "i4"))
    assert usm.linspace(0, 1).shape == (50,)
    assert usm.linspace(0, 1, 4, False).tolist() == [0, 0.25, 0.5, 0.75]
    assert_same(usm.eye(2, 3, 1, "i4"), np.eye(2, 3, 1, "i4"))
    assert_same(usm.tril(usm.ones((2, 2), "i4"), -1), np.tril(np.ones((2, 2), "i4"), -1))
    with pytest.raises(TypeError):
        usm.asarray(obj=[1])
    with pytest.raises(TypeError):
        usm.asarray()
    with pytest.raises(TypeError):
        usm.zeros(2, "i4", "C", None)


# To and from NumPy


@examples(100)
@given(recipe=recipes())
@pytest.mark.parametrize("convert", TO_NUMPY.values(), ids=TO_NUMPY)
def test_to_numpy(queue, convert, recipe):
    expected, x = recipe.pair(queue)
    host = convert(x)
    assert type(host) is np.ndarray
    np.testing.assert_array_equal(host, expected, strict=True)
    assert host.flags.writeable
    assert host.flags.aligned


@pytest.mark.parametrize("dtype", ["?", "f2", "c16"])
@pytest.mark.parametrize(
    "view",
    [
        lambda x: x,
        lambda x: x[0].T,
        lambda x: x[:, ::-2],
        lambda x: x.__array_namespace__().permute_dims(x, (1, 2, 0)),
        lambda x: x[0],
    ],
    ids=["C", "F", "strided", "permuted", "piece"],
)
def test_to_numpy_of_large_arrays(queue, dtype, view):
    values = np.random.default_rng(0).integers(0, 9, (3, 1024, 512)).astype(dtype)
    expected, host = view(values), usm.asnumpy(view(usm.from_numpy(values, sycl_queue=queue)))
    assert type(host) is np.ndarray
    np.testing.assert_array_equal(host, expected, strict=True)
    assert host.strides == np.copy(expected, order="K").strides
    assert host.flags.writeable
    assert host.flags.aligned


@pytest.mark.parametrize("convert", TO_NUMPY.values(), ids=TO_NUMPY)
def test_to_numpy_copies_device_memory(x, convert):
    host = convert(x)
    x[...] = 9
    assert host.tolist() == [[0, 1, 2], [3, 4, 5]]
    host[...] = 4
    assert x.tolist() == [[9] * 3] * 2


@pytest.mark.parametrize("convert", TO_NUMPY.values(), ids=TO_NUMPY)
@pytest.mark.parametrize("junk", [[1], 3, np.ones(2), None, memoryview(b"a")], ids=name_of)
def test_to_numpy_needs_an_array(convert, junk):
    with pytest.raises(TypeError):
        convert(junk)


@examples(60)
@given(recipe=recipes())
def test_from_numpy(queue, recipe):
    source = recipe.of_numpy(recipe.base())
    x = usm.from_numpy(source, sycl_queue=queue)
    assert_same(x, source)
    assert x.sycl_queue == queue
    assert x.usm_type == "device"


def test_from_numpy_kind(queue, usm_kind):
    assert (
        usm.from_numpy(np.ones(2, "f4"), usm_type=usm_kind, sycl_queue=queue).usm_type == usm_kind
    )


@pytest.mark.parametrize("dtype", ["U1", "S1", object, "M8[s]", "V2"])
def test_from_numpy_refuses(queue, dtype):
    with pytest.raises(TypeError):
        usm.from_numpy(np.zeros(2, dtype), sycl_queue=queue)


def test_large_arrays_come_and_go(queue):
    """Larger than any staging block, with strides on the host and on the device."""
    values = np.arange(3 * 2**20, dtype="i4").reshape(3, -1)
    for source in (values, values.T, values[:, ::-2]):
        x = usm.asarray(source, sycl_queue=queue)
        assert_same(x, source)
        assert_same(x[::-1, 1:], source[::-1, 1:])


def test_memory_of_new_arrays(queue, usm_kind):
    classes = {
        "device": usm_memory.MemoryUSMDevice,
        "shared": usm_memory.MemoryUSMShared,
        "host": usm_memory.MemoryUSMHost,
    }
    x = usm.zeros((3, 5), dtype="i2", usm_type=usm_kind, sycl_queue=queue)
    assert type(x.usm_data) is classes[usm_kind]
    assert x.usm_data.nbytes == 30
    assert x.usm_data.tobytes() == bytes(30)


# The number of copies of host data


def peak_of(call):
    """The result of a call, and the peak of the host memory that NumPy and Python allocate in
    it."""
    tracemalloc.start()
    try:
        x = call()
        return x, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


class HostArray:
    """A host array of another library, with `__array__`."""

    def __init__(self, data):
        self.data = data

    def __array__(self, dtype=None, copy=None):
        return np.array(self.data, dtype=dtype, copy=copy)


class HostTensor:
    """A host array of another library, with DLPack. Other requests than a view copy it."""

    def __init__(self, data):
        self.data = data

    def __dlpack__(self, **keywords):
        return self.data.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()

    def __array__(self, dtype=None, copy=None):
        return np.array(self.data, dtype=dtype)


@pytest.mark.parametrize("wrap", [memoryview, HostArray, HostTensor])
@pytest.mark.parametrize("dtype", [None, "f4", "i8"])
def test_host_data_is_copied_once(queue, wrap, dtype):
    data = np.arange(2**18, dtype="f4").reshape(2**9, -1)
    x, peak = peak_of(lambda: usm.asarray(wrap(data), dtype=dtype, sycl_queue=queue))
    assert_same(x, data.astype(dtype or "f4"))
    assert peak < data.nbytes / 2


def test_tensors_on_the_device_are_not_copied(queue):
    x = usm.ones(3, sycl_queue=queue)
    try:
        x.__dlpack_device__()
    except BufferError:
        pytest.skip("the device cannot be named in DLPack")
    assert usm.asarray(HostTensor(x)).usm_data._pointer == x.usm_data._pointer
    assert usm.asarray(HostTensor(x), copy=True).usm_data._pointer != x.usm_data._pointer
    assert usm.asarray(HostTensor(x), usm_type="host", dtype="i4").usm_type == "host"


def test_tensors_that_dlpack_refuses(queue):
    class Refusing(HostTensor):
        def __dlpack__(self, **keywords):
            raise BufferError("requires_grad")

    assert_same(usm.asarray(Refusing(np.arange(3)), sycl_queue=queue), np.arange(3))
