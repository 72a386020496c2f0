"""Basic indexing: reading, writing, errors."""

import warnings

import numpy as np
import pytest
from checks import assert_same, assert_same_strides, name_of, shares_memory
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from placement import PLACES
from strategies import (
    DTYPES,
    dtypes,
    examples,
    missing_aspect,
    numbered,
    recipes,
    skip_without,
    stretched,
    view_of,
)

import usmtensor as usm


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


class Index:
    """Anything with `__index__` is an integer index."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


def indices(shape):
    return hnp.basic_indices(shape, allow_newaxis=True, max_dims=8)


# Reading


@pytest.mark.sanitized
@examples(300)
@given(recipe=recipes(max_steps=2), data=st.data())
def test_get(queue, recipe, data):
    base, x = recipe.pair(queue)
    index = data.draw(indices(base.shape))
    expected = view_of(base, index)
    y = x[index]
    assert_same(y, expected)
    assert_same_strides(y, expected)
    assert y.usm_type == x.usm_type
    assert y.sycl_queue == queue
    if expected.size:
        distance = expected.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        assert y._pointer - x._pointer == distance


@examples(100)
@given(
    length=st.integers(0, 6),
    start=st.none() | st.integers(-9, 9),
    stop=st.none() | st.integers(-9, 9),
    step=st.none() | st.integers(-9, 9).filter(bool),
)
def test_slices_reach_beyond_the_ends(queue, length, start, stop, step):
    expected = np.arange(length, dtype="i4")
    x = usm.asarray(expected, sycl_queue=queue)
    assert_same(x[start:stop:step], expected[start:stop:step])


@pytest.mark.parametrize("bound", [2**31, 2**62, 2**63, 2**70])
def test_slices_of_huge_bounds(x, bound):
    expected = np.arange(6, dtype="i4").reshape(2, 3)
    assert_same(x[-bound:bound], expected)
    assert_same(x[bound:-bound:-1], expected[::-1])
    assert_same(x[::bound], expected[:1])
    assert_same(x[::-bound], expected[-1:])


@pytest.mark.parametrize("integer", [1, -1, np.int8(1), np.uint64(1), np.intp(-1), Index(1)])
def test_integers(x, integer):
    assert_same(x[integer], np.array([3, 4, 5], "i4"))
    assert int(x[0, integer]) == [0, 1, 2][integer]
    assert_same(x[..., Index(1) : np.int16(3)], np.array([[1, 2], [4, 5]], "i4"))


def test_views_see_writes(x):
    view = x[::-1, 1:]
    x[0, 1] = 70
    view[0, 1] = 50
    assert view.tolist() == [[4, 50], [70, 2]]
    assert x.tolist() == [[0, 70, 2], [3, 4, 50]]
    assert shares_memory(view, x)
    assert view.usm_data._pointer == x.usm_data._pointer


def test_newaxis_is_none():
    assert usm.newaxis is None


@pytest.mark.parametrize(
    ("index", "error"),
    [
        (2, IndexError),
        (-3, IndexError),
        ((0, 3), IndexError),
        ((0, -4), IndexError),
        (2**63, IndexError),
        (-(2**70), IndexError),
        (np.uint64(2**64 - 1), IndexError),
        ((0, 0, 0), IndexError),
        ((slice(None),) * 3, IndexError),
        ((Ellipsis, Ellipsis), IndexError),
        ((0, 0, 0, Ellipsis), IndexError),
        (1.0, IndexError),
        (np.float32(1), IndexError),
        (1j, IndexError),
        ("a", IndexError),
        ({0}, IndexError),
        ({}, IndexError),
        (object(), IndexError),
        (slice(0, 2, 0), (IndexError, ValueError)),
        (slice(0.5, 2), (IndexError, TypeError)),
        (slice("a", None), (IndexError, TypeError)),
    ],
    ids=name_of,
)
def test_bad_indices(x, index, error):
    with pytest.raises(error):
        x[index]
    with pytest.raises(error):
        x[index] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_an_error_names_the_axis_and_its_length(x):
    with pytest.raises(IndexError, match=r"7.*axis 1.*3"):
        x[0, 7]


def test_zero_dimensions(queue):
    x = usm.asarray(np.asarray(5, "i4"), sycl_queue=queue)
    assert_same(x[()], np.asarray(5, "i4"))
    assert_same(x[...], np.asarray(5, "i4"))
    assert_same(x[None, ..., None], np.asarray([[5]], "i4"))
    for index in (0, slice(None), (0,)):
        with pytest.raises(IndexError):
            x[index]


def test_elements_cannot_be_deleted(x):
    with pytest.raises((NotImplementedError, TypeError, ValueError)):
        del x[0]


# Writing


def assigned(base, index, value):
    """`base[index] = value` by NumPy, without its warnings about casts."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        view_of(base, index)[...] = value


@st.composite
def broadcastable(draw, shape):
    """Shapes that stretch to `shape`."""
    kept = draw(st.integers(0, len(shape)))
    return tuple(draw(st.sampled_from((1, side))) for side in shape[len(shape) - kept :])


@pytest.mark.sanitized
@examples(200)
@given(recipe=recipes(broadcast=False, max_steps=2), dtype=dtypes(), data=st.data())
@pytest.mark.parametrize("source", ["numpy", "usm", "list"])
def test_set_from_arrays(queue, source, recipe, dtype, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    index = data.draw(indices(target.shape))
    shape = data.draw(broadcastable(view_of(target, index).shape))
    value = numbered(shape, dtype)[(slice(None, None, -1),) * len(shape)]
    if source == "list":
        given_value = value.tolist()
        assume(dtype.kind != "c" or base.dtype.kind == "c")
        assume(np.shape(given_value) == value.shape)  # a list loses the extents after a zero
    elif source == "usm":
        given_value = usm.asarray(value, sycl_queue=queue)
    else:
        given_value = value
    assigned(target, index, value)
    y[index] = given_value
    assert_same(x, base)


@pytest.mark.sanitized
@examples(200)
@given(recipe=recipes(broadcast=False, max_steps=2), data=st.data())
def test_set_from_scalars(queue, recipe, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    index = data.draw(indices(target.shape))
    choices = [True, False, 0, 100, np.int16(7), np.uint8(9), 2.75, np.float32(3.5), np.bool_(True)]
    if base.dtype.kind != "u":
        choices += [-1, -3.5, np.float64(-2.5)]
    if base.dtype.kind == "f":
        choices += [float("nan"), float("-inf"), 1e300, 1e-7, 0.001, 65519.0, 2**70]
    if base.dtype.kind == "c":
        choices += [1 - 2j, np.complex64(3j), float("nan"), 1e300, 1e-320j, 2**70, complex(0, -0.0)]
    value = data.draw(st.sampled_from(choices))
    assigned(target, index, value)
    y[index] = value
    assert_same(x, base)


@pytest.mark.sanitized
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_set_extremes(device, queue, dtype):
    aspect = missing_aspect(device, dtype)
    if aspect:
        pytest.skip(f"the device lacks {aspect}")
    if dtype.kind == "b":
        values = [False, True]
    else:
        info = np.iinfo(dtype) if dtype.kind in "iu" else np.finfo(dtype)
        values = [info.min, info.max]
    expected = np.zeros(5, dtype)
    x = usm.zeros(5, dtype=dtype, sycl_queue=queue)
    for place, value in enumerate(values):
        expected[place] = value
        x[place] = int(value) if dtype.kind in "iu" else value
    assert_same(x, expected)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("i1", 128),
        ("i1", -129),
        ("u1", 256),
        ("u1", -1),
        ("i4", 2**31),
        ("i8", 2**63),
        ("u8", 2**64),
        ("u8", -1),
        ("i8", -(2**70)),
    ],
)
def test_python_integers_must_fit(queue, dtype, value):
    x = usm.zeros(3, dtype=dtype, sycl_queue=queue)
    with pytest.raises(OverflowError):
        x[1] = value
    with pytest.raises(OverflowError):
        x[...] = [1, value, 1]
    assert x.tolist() == [0, 0, 0]


@pytest.mark.parametrize("dtype", ["?", "f4", "c8"])
def test_python_integers_beyond_64_bits(queue, dtype):
    x = usm.zeros(3, dtype=dtype, sycl_queue=queue)
    expected = np.zeros(3, dtype)
    expected[1] = 2**100
    x[1] = 2**100
    assert_same(x, expected)


def test_set_from_sequences(x):
    x[0] = [7, 8, 9]
    x[1:] = (1.5, True, 3)
    assert x.tolist() == [[7, 8, 9], [1, 1, 3]]
    x[...] = [[10], [20]]
    assert x.tolist() == [[10] * 3, [20] * 3]
    x[:, :2] = range(2)
    assert x.tolist() == [[0, 1, 10], [0, 1, 20]]
    x[:, 2] = [x[0, 0], np.int8(5)]
    assert x.tolist() == [[0, 1, 0], [0, 1, 5]]
    x[:, 3:] = [[], []]
    assert x.tolist() == [[0, 1, 0], [0, 1, 5]]


def test_set_from_strided_numpy_arrays(x):
    source = np.arange(60, dtype="i4").reshape(3, 4, 5)
    x[...] = source[::2, 1, ::-2]
    assert_same(x, source[::2, 1, ::-2])
    x[...] = np.asfortranarray(source[0, :2, :3])
    assert_same(x, source[0, :2, :3])
    x[...] = np.broadcast_to(np.int8(4), (2, 3))
    assert x.tolist() == [[4] * 3] * 2
    x[...] = stretched(source[0, 0, :3], 0, 2)
    assert x.tolist() == [[0, 1, 2]] * 2


def test_the_numpy_source_may_change_afterwards(queue):
    """An operation has read its host source when it returns."""
    source = np.ones(2**20, "i4")
    x = usm.zeros(2**20, dtype="i4", sycl_queue=queue)
    for stride in (1, -1):
        source[...] = 1
        x[::stride] = source
        source[...] = 2
        assert usm.asnumpy(x).sum() == 2**20


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("dtype", ["i4", "f4"])
def test_set_from_another_place(x, device, place, dtype):
    source = numbered((3, 2), dtype)
    value = usm.asarray(source, sycl_queue=PLACES[place](device))
    x[...] = value.T
    assert_same(x, source.T.astype("i4"))
    x[::-1] = value[0, 0]
    assert x.tolist() == [[0] * 3] * 2
    value[...] = x[0, 0]
    assert value.tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("index", [Ellipsis, 0, (0, 0), (slice(None), 1)])
def test_broadcasting_does_not_shrink(x, index):
    values = [
        np.ones(4, "i4"),
        np.ones((2, 2), "i4"),
        np.ones((2, 2, 3), "i4"),
        np.ones((0,), "i4"),
        [1, 2, 3, 4],
        usm.ones(4, dtype="i4", sycl_queue=x.sycl_queue),
    ]
    for value in values:
        with pytest.raises(ValueError):
            x[index] = value
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "value",
    ["a", "1", None, {}, {1}, object(), [None], ["a"], [[1], [1, 2]], np.array(["a"])],
    ids=name_of,
)
def test_bad_values(x, value):
    for index in (Ellipsis, (0, 0)):
        with pytest.raises((TypeError, ValueError)):
            x[index] = value
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_a_zero_stride_view_can_be_read(x):
    row = usm.usm_ndarray((4, 3), "i4", strides=(0, 1), buffer=x.usm_data)
    assert row.tolist() == [[0, 1, 2]] * 4
    assert row[::-2, 1:].tolist() == [[1, 2]] * 2


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f8", "c8"])
def test_numbers_into_single_elements(dtype, queue):
    skip_without(queue.sycl_device, dtype)
    host = numbered((3, 4), dtype)
    x = usm.asarray(host, sycl_queue=queue)
    for key in ((0, 1), (-1, -4), (2, 3), (np.int64(1), 2), (True, 1)):
        for value in (1, True, 2.0, np.int16(3), np.float32(1.5), np.bool_(False)):
            x[key] = host[key] = value
    x[::-1].T[1, 0] = host[::-1].T[1, 0] = 5
    x[1, 2, ...] = host[1, 2, ...] = 6
    assert_same(x, host)
    for key in ((3, 0), (0, -5), (2**70, 0), (0, 0, 0)):
        with pytest.raises(IndexError):
            x[key] = 1
    x.flags["W"] = False
    with pytest.raises(ValueError, match="read-only"):
        x[0, 0] = 1
    assert_same(x, host)


def test_numbers_that_an_element_does_not_hold(queue):
    x = usm.zeros((2, 2), dtype="i1", sycl_queue=queue)
    with pytest.raises(OverflowError, match="__setitem__: 300 does not fit int8"):
        x[0, 1] = 300
    with pytest.raises(TypeError, match="__setitem__"):
        x[0, 1] = 1j
    with pytest.raises(TypeError, match="__setitem__"):
        x[0, 1] = np.datetime64("2020-01-01")
    assert not usm.any(x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_0d_arrays_into_single_elements(dtype, queue):
    skip_without(queue.sycl_device, dtype)
    host = numbered((3, 4), dtype)
    x = usm.asarray(host, sycl_queue=queue)
    for key, source in (((0, 1), (2, 3)), ((-1, -1), (1, 2)), ((1, 0), (1, 0))):
        x[key] = x[source]
        host[key] = host[source]
        x[key] += x[source]
        host[key] += host[source]
    x[2, 0] = usm.ones((), dtype="f4", sycl_queue=queue)  # of another type
    host[2, 0] = 1
    assert_same(x, host)
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        x[0, 0] = x[1, 1]
    for key, error in (((3, 0), IndexError), ((0, -5), IndexError)):
        with pytest.raises(error):
            usm.copy(x)[key] = x[1, 1]


def test_0d_arrays_that_are_not_computed_yet(queue):
    x = usm.arange(1 << 21, dtype="f4", sycl_queue=queue)
    for k in range(20):
        x[k] = usm.max(x + k)  # the device computes
        y = x * x[k]  # and so is its element broadcast
    expected = np.arange(1 << 21, dtype="f4")
    for k in range(20):
        expected[k] = np.max(expected + k)
    assert_same(x, expected)
    assert_same(y, expected * expected[19])
