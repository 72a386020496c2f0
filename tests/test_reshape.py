"""reshape and permute_dims: views where possible, NumPy's values always."""

import math

import numpy as np
import pytest
from checks import assert_same, assert_same_strides, shares_memory
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, recipes

import usmtensor as usm


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


@st.composite
def reshapes(draw, shape):
    """A shape of as many elements, perhaps with one length left open."""
    size = math.prod(shape)
    if size:
        factors = [factor for side in shape for factor in prime_factors(side)]
        lengths = draw(st.permutations([*factors, *[1] * draw(st.integers(0, 2))]))
        cuts = sorted(draw(st.lists(st.integers(0, len(lengths)), max_size=4)))
        bounds = zip([0, *cuts], [*cuts, len(lengths)], strict=True)
        lengths = [math.prod(lengths[begin:end]) for begin, end in bounds]
    else:
        lengths = draw(st.permutations([0, *draw(st.lists(st.integers(0, 4), max_size=3))]))
    open_axis = draw(st.integers(0, len(lengths) - 1))
    known = math.prod(length for axis, length in enumerate(lengths) if axis != open_axis)
    if known and draw(st.booleans()):
        lengths[open_axis] = -1
    return tuple(lengths)


def prime_factors(number):
    return {1: [], 4: [2, 2]}.get(number, [number])


@examples(400)
@given(recipe=recipes(max_dims=5), order=st.sampled_from("CF"), data=st.data())
@pytest.mark.parametrize("copy", [None, True, False])
def test_reshape(queue, copy, recipe, order, data):
    expected, x = recipe.pair(queue)
    shape = data.draw(reshapes(expected.shape))
    try:
        viewed = np.reshape(expected, shape, order=order, copy=False)
    except ValueError:
        viewed = None
    if viewed is None and copy is False:
        with pytest.raises(ValueError):
            usm.reshape(x, shape, order=order, copy=False)
        return
    y = usm.reshape(x, shape, order=order, copy=copy)
    assert_same(y, np.reshape(expected, shape, order=order))
    if expected.size:
        assert shares_memory(x, y) == (viewed is not None and not copy)
        if shares_memory(x, y):
            assert_same_strides(y, viewed)
            assert y._pointer == x._pointer
    assert y.usm_type == x.usm_type
    assert y.sycl_queue == queue


def test_views_see_writes(x):
    y = usm.reshape(x, (3, 2))
    y[2] = 9
    assert x.tolist() == [[0, 1, 2], [3, 9, 9]]
    z = usm.reshape(x.T, (6,), order="F")
    z[0] = 7
    assert int(x[0, 0]) == 7


@pytest.mark.parametrize("shape", [6, -1, [3, 2], (np.int64(6),), (np.uint8(2), -1)])
def test_forms_of_shape(x, shape):
    assert_same(usm.reshape(x, shape), np.arange(6, dtype="i4").reshape(shape))


def test_to_and_from_zero_dimensions(x):
    y = usm.reshape(x[:1, :1], ())
    assert y.shape == ()
    assert y._pointer == x._pointer
    assert usm.reshape(y, (1, 1, 1)).tolist() == [[[0]]]


def test_shape_by_keyword(x):
    assert usm.reshape(x, shape=(3, 2), order="F").tolist() == [[0, 4], [3, 2], [1, 5]]


def test_read_only_views(x):
    x.flags.writable = False
    assert not usm.reshape(x, (6,)).flags.writable
    assert usm.reshape(x, (6,), copy=True).flags.writable


@pytest.mark.parametrize(
    ("shape", "keywords", "error"),
    [
        ((5,), {}, ValueError),
        ((), {}, ValueError),
        ((0,), {}, ValueError),
        ((-1, -1), {}, ValueError),
        ((-2, 3), {}, ValueError),
        ((4, -1), {}, ValueError),
        ((0, -1), {}, ValueError),
        ((2**40, 2**40), {}, ValueError),
        ((2**33, 2**33, 2**33), {}, ValueError),
        ((2.0, 3), {}, TypeError),
        (2.5, {}, TypeError),
        ("a", {}, TypeError),
        (None, {}, TypeError),
        ({}, {}, (TypeError, ValueError)),
        ((6,), {"order": "K"}, ValueError),
        ((6,), {"order": "junk"}, ValueError),
        ((6,), {"order": 3}, TypeError),
        ((6,), {"copy": "junk"}, (TypeError, ValueError)),
        ((6,), {"junk": 3}, TypeError),
    ],
    ids=str,
)
def test_bad_reshapes(x, shape, keywords, error):
    with pytest.raises(error):
        usm.reshape(x, shape, **keywords)


def test_an_open_length_of_nothing(queue):
    x = usm.zeros((0, 3), dtype="i4", sycl_queue=queue)
    assert usm.reshape(x, (-1, 3)).shape == (0, 3)
    assert usm.reshape(x, (7, -1)).shape == (7, 0)
    with pytest.raises(ValueError):
        usm.reshape(x, (-1, 0))


@pytest.mark.parametrize("junk", [[1, 2], np.ones(2), 3, None], ids=repr)
def test_only_arrays(junk):
    with pytest.raises(TypeError):
        usm.reshape(junk, (2,))
    with pytest.raises(TypeError):
        usm.permute_dims(junk, (0,))


@examples(200)
@given(recipe=recipes(max_dims=5), data=st.data())
def test_permute_dims(queue, recipe, data):
    expected, x = recipe.pair(queue)
    axes = tuple(data.draw(st.permutations(range(x.ndim))))
    mixed = tuple(axis - data.draw(st.sampled_from((0, x.ndim))) for axis in axes)
    y = usm.permute_dims(x, mixed)
    assert_same(y, expected.transpose(axes))
    assert y.strides == tuple(x.strides[axis] for axis in axes)
    assert y._pointer == x._pointer


def test_forms_of_axes(x):
    for axes in ([1, 0], (np.int64(1), np.uint8(0)), range(1, -1, -1)):
        assert usm.permute_dims(x, axes).shape == (3, 2)
    assert usm.permute_dims(x, axes=(1, 0)).shape == (3, 2)
    assert usm.permute_dims(x).shape == usm.permute_dims(x, None).shape == (3, 2)


@pytest.mark.parametrize(
    ("axes", "error"),
    [
        ((0, 0), ValueError),
        ((0, -2), ValueError),
        ((0,), ValueError),
        ((0, 1, 2), ValueError),
        ((), ValueError),
        ((0, 2), np.exceptions.AxisError),
        ((-3, 0), np.exceptions.AxisError),
        ((0, 2**70), (np.exceptions.AxisError, OverflowError)),
        ((1.5, 0), TypeError),
        (("a", 0), TypeError),
        ("ab", TypeError),
        (1.5, TypeError),
    ],
    ids=str,
)
def test_bad_axes(x, axes, error):
    with pytest.raises(error):
        usm.permute_dims(x, axes)
