"""Joining, splitting, inserting, deleting: against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_calls import compare, compare_pairs
from strategies import dtypes, examples, numbered, recipes

import usmtensor as usm


@examples(100)
@given(
    st.sampled_from(["vstack", "hstack", "dstack", "column_stack"]),
    st.lists(recipes(max_dims=3, max_side=3), min_size=1, max_size=3),
)
def test_stacks(queue, name, parts):
    hosts, ours = zip(*(one.pair(queue) for one in [*parts, parts[0]]), strict=True)
    compare_pairs(lambda xp, *a: getattr(xp, name)(a), hosts, ours)
    compare_pairs(lambda xp, *a: getattr(np, name)(a), hosts[:1] * 2, ours[:1] * 2)


@pytest.mark.parametrize("name", ["concat", "hstack", "column_stack", "stack", "vstack"])
def test_sequences_beside_arrays(queue, name):
    host = np.asarray([3.0, 4.0], dtype="f4")
    x = usm.asarray(host, sycl_queue=queue)
    function = getattr(usm, name)
    for ours, theirs in (
        (([1, 2], x), ([1, 2], host)),
        ((x, (True, False)), (host, (True, False))),
        (([x[0], 7], x), ([host[0], 7], host)),
    ):
        result, expected = function(ours), getattr(np, name)(theirs)
        np.testing.assert_array_equal(usm.asnumpy(result), expected)
        assert result.sycl_queue == queue


@examples(60)
@given(dtypes(), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
def test_block(queue, dtype, n, m, k):
    a, b = numbered((n, m), dtype), numbered((n, k), "i1")
    c = numbered((m + k,), "f4")
    for call in (
        lambda xp, a, b, c: xp.block([[a, b], [c]]),
        lambda xp, a, b, c: xp.block([a, b]),
        lambda xp, a, b, c: xp.block(c),
        lambda xp, a, b, c: xp.block([c, c]),
        lambda xp, a, b, c: xp.block([[[a]], [[a]]]),
        lambda xp, a, b, c: xp.block([c, [b]]),
        lambda xp, a, b, c: xp.block([[], [b]]),
    ):
        compare(queue, call, a, b, c)


@examples(150)
@given(recipes(max_side=6), st.data())
def test_splits(queue, recipe, data):
    x, y = recipe.pair(queue)
    parts = data.draw(st.one_of(st.integers(0, 4), st.lists(st.integers(-7, 7), max_size=3)))
    axis = data.draw(st.integers(-4, 3))
    for name in ("split", "array_split"):
        compare_pairs(lambda xp, a, name=name: getattr(xp, name)(a, parts, axis), [x], [y])
    for name in ("hsplit", "vsplit", "dsplit"):
        compare_pairs(lambda xp, a, name=name: getattr(xp, name)(a, parts), [x], [y])


@examples(100)
@given(recipes(max_dims=3, max_side=4), recipes(max_dims=3, max_side=4), st.data())
def test_append(queue, first, second, data):
    pairs = first.pair(queue), second.pair(queue)
    axis = data.draw(st.sampled_from([None, None, 0, -1]))
    hosts, ours = zip(*pairs, strict=True)
    compare_pairs(lambda xp, a, b: xp.append(a, b, axis), hosts, ours)
    compare_pairs(lambda xp, a: xp.append(a, a, axis), hosts[:1], ours[:1])


@st.composite
def objects(draw, n):
    """Indices as an integer, a slice, a list or a mask."""
    index = st.integers(-n, max(n - 1, 0))
    kind = draw(st.sampled_from(["one", "slice", "list", "mask", "outside"]))
    if kind == "one":
        return draw(index)
    if kind == "slice":
        return draw(st.slices(n))
    if kind == "list":
        return draw(st.lists(index, max_size=4))
    if kind == "mask":
        return np.array(draw(st.lists(st.booleans(), min_size=n, max_size=n)), bool)
    return [n + 1]


@examples(200)
@given(recipes(max_dims=3, max_side=5), st.data())
def test_delete_and_insert(queue, recipe, data):
    x, y = recipe.pair(queue)
    axis = data.draw(st.sampled_from([None, *range(-x.ndim, x.ndim)]))
    n = x.size if axis is None else x.shape[axis]
    obj = data.draw(objects(n))
    compare_pairs(lambda xp, a: xp.delete(a, obj, axis), [x], [y])
    compare_pairs(lambda xp, a: xp.insert(a, obj, 1, axis), [x], [y])
    if isinstance(obj, list | np.ndarray) and len(obj):
        there = usm.asarray(np.asarray(obj), sycl_queue=queue)
        compare_pairs(lambda xp, a: xp.delete(a, obj if xp is np else there, axis), [x], [y])
        compare_pairs(lambda xp, a: xp.insert(a, obj if xp is np else there, 0, axis), [x], [y])


@pytest.mark.parametrize("mask", [True, np.True_, [True, False], np.zeros(0, bool), [[True]]])
def test_masks_of_delete_have_the_extent_of_the_axis(queue, mask):
    x = usm.arange(3, sycl_queue=queue)
    for obj in (mask, usm.asarray(mask, sycl_queue=queue)):
        with pytest.raises(ValueError, match="delete: the shape of the mask obj is"):
            usm.delete(x, obj)


@pytest.mark.parametrize(
    ("obj", "values", "axis"),
    [
        (1, [7, 8], None),
        (1, [[7, 8, 9]], 0),
        (1, [[7], [8]], 1),
        (1, [7, 8], 1),
        ([1], [7, 8], 1),
        ([1], [[7], [8]], 1),
        ([0, 2], [7, 8], 1),
        ([2, 0, 2], [7, 8, 9], None),
        (slice(0, 2), [7, 8], 1),
        (-1, 5, 0),
        (3, 5, 1),
    ],
)
def test_inserted_values(queue, obj, values, axis):
    x = np.arange(6).reshape(2, 3)
    compare(queue, lambda xp, a: xp.insert(a, obj, values, axis), x)


def test_numbers_in_hstack(queue):
    host = np.arange(4, dtype="f4")
    x = usm.asarray(host, sycl_queue=queue)
    assert usm.hstack([0, usm.cumsum(x), 2.5]).tolist() == [0, 0, 1, 3, 6, 2.5]
    assert usm.hstack([0, x]).dtype == "f4"
    assert usm.hstack((x, [7, 8], np.float32(9))).tolist() == [0, 1, 2, 3, 7, 8, 9]
    assert usm.hstack([1j, x]).dtype == "c8"
    with pytest.raises(ValueError, match="hstack"):
        usm.hstack([1, x[None]])
    with pytest.raises(OverflowError, match="hstack"):
        usm.hstack([usm.ones(2, dtype="i4", sycl_queue=queue), 2**40])


@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d"])
def test_atleast_makes_arrays(queue, name):
    function, numpys = getattr(usm, name), getattr(np, name)
    with usm.default_device(queue):
        for value in (3, 2.5, True, 1j, np.int8(4), [1, 2], (1.5, 2), [[1, 2], [3, 4]]):
            found = function(value)
            assert found.sycl_queue == queue
            np.testing.assert_array_equal(usm.asnumpy(found), numpys(value))
    x = usm.ones((), dtype="f4", sycl_queue=queue)
    for one, other in zip(function(2, x, [3]), numpys(2, np.float32(1), [3]), strict=True):
        assert one.sycl_queue == queue
        np.testing.assert_array_equal(usm.asnumpy(one), other)
    for junk in ("1", None, np.ones(2)):
        with pytest.raises(TypeError, match=f"{name}: one of arys is of type"):
            function(junk)


def test_wrong_arguments(queue):
    x = usm.ones((2, 3), sycl_queue=queue)
    for name in ("vstack", "hstack", "dstack", "column_stack"):
        with pytest.raises(TypeError, match=f"{name}: one of arrays is of type int"):
            getattr(usm, name)([1, x] if name != "hstack" else [1, 2])
        with pytest.raises(TypeError, match=f"{name}: tup is of type int"):
            getattr(usm, name)(3)
    with pytest.raises(ValueError, match="split: indices_or_sections is 2; expected a divisor"):
        usm.split(x, 2, axis=1)
    with pytest.raises(IndexError, match="insert: index 4 is out of range for 3"):
        usm.insert(x, 4, 1, axis=1)
    with pytest.raises(ValueError, match="block"):
        usm.block([])
