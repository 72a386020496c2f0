"""unique, unions, intersections, differences, partitions, lexsort: against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy_calls import compare, compare_pairs
from strategies import dtypes, examples, recipes, shapes

import usmtensor as usm


def values(dtype, shape, seed, with_nan=True):
    random = np.random.default_rng(seed)
    x = np.asarray(random.integers(0, 4, shape)).astype(dtype)
    if dtype.kind == "c":
        x = x + np.asarray(random.integers(0, 2, shape) * 1j).astype(dtype)
    if dtype.kind in "fc" and with_nan and x.ndim:
        x[random.random(shape) < 0.2] = np.nan
    return x


@examples(150)
@given(
    dtypes(), shapes(max_dims=3), st.integers(0, 99), st.booleans(), st.tuples(*[st.booleans()] * 3)
)
def test_unique(queue, dtype, shape, seed, equal_nan, asked):
    # NumPy gives NaNs that differ in any order.
    x = values(dtype, shape, seed, with_nan=equal_nan or not any(asked))
    if dtype.kind == "c" and not equal_nan:
        return
    compare(queue, lambda xp, a: xp.unique(a, *asked, equal_nan=equal_nan), x)
    assert usm.unique(usm.asarray(x, sycl_queue=queue)).ndim == 1


@examples(150)
@given(dtypes(), shapes(max_dims=3, max_side=3), st.integers(0, 99), st.data())
def test_unique_parts(queue, dtype, shape, seed, data):
    x = values(dtype, shape, seed, with_nan=False)
    if x.size == 0:
        return  # NumPy's results depend on the version
    axis = data.draw(st.integers(-3, 2))
    asked = data.draw(st.tuples(*[st.booleans()] * 3))
    compare(queue, lambda xp, a: xp.unique(a, *asked, axis=axis), x)
    y = usm.asarray(x, sycl_queue=queue)
    if -x.ndim <= axis < x.ndim:
        parts, inverse = usm.unique(y, return_inverse=True, axis=axis)
        compare_pairs(
            lambda xp, a, b: xp.take(b, inverse if xp is usm else usm.asnumpy(inverse), axis),
            [x, usm.asnumpy(parts)],
            [y, parts],
        )
        np.testing.assert_array_equal(usm.asnumpy(usm.take(parts, inverse, axis)), x)


@examples(150)
@given(dtypes("biuf"), dtypes("biuf"), shapes(max_dims=2), shapes(max_dims=2), st.integers(0, 99))
def test_two_sets(queue, first, second, shape, other, seed):
    x, y = values(first, shape, seed, False), values(second, other, seed + 1, False)
    for call in (
        lambda xp, a, b: xp.union1d(a, b),
        lambda xp, a, b: xp.intersect1d(a, b),
        lambda xp, a, b: xp.intersect1d(a, b, return_indices=True),
        lambda xp, a, b: xp.setdiff1d(a, b),
        lambda xp, a, b: xp.setxor1d(a, b),
    ):
        compare(queue, call, x, y)


def test_sets_of_distinct_elements(queue):
    x, y = np.array([5, 1, 3]), np.array([3, 7, 1])
    for name in ("intersect1d", "setdiff1d", "setxor1d"):
        compare(
            queue, lambda xp, a, b, name=name: getattr(xp, name)(a, b, assume_unique=True), x, y
        )
    compare(queue, lambda xp, a, b: xp.intersect1d(a, b, True, True), x, y)
    assert usm.union1d([1, 2], usm.asarray([3], sycl_queue=queue)).shape == (3,)
    with pytest.raises(usm.ExecutionPlacementError, match="union1d"):
        usm.union1d([1], [2])


@examples(60)
@given(recipes(max_dims=3), st.data())
def test_partitions(queue, recipe, data):
    x, y = recipe.pair(queue)
    axis = data.draw(st.sampled_from([None, *range(-x.ndim, x.ndim)]))
    n = x.size if axis is None else x.shape[axis]
    if n == 0:
        return
    kth = data.draw(st.integers(-n, n - 1))
    ordered = np.sort(x, axis=axis)
    np.testing.assert_array_equal(usm.asnumpy(usm.partition(y, kth, axis)), ordered)
    index = usm.argpartition(y, [kth, 0], axis)
    assert index.dtype == "i8"
    flat = usm.reshape(y, -1) if axis is None else y
    np.testing.assert_array_equal(
        usm.asnumpy(usm.take_along_axis(flat, index, -1 if axis is None else axis)), ordered
    )
    with pytest.raises(ValueError, match="partition: kth is"):
        usm.partition(y, n, axis)


@examples(60)
@given(st.integers(1, 3), dtypes("biuf"), shapes(max_dims=2), st.integers(0, 99), st.data())
def test_lexsort(queue, count, dtype, shape, seed, data):
    keys = [values(dtype, shape, seed + k, False) for k in range(count)]
    axis = data.draw(st.integers(-2, 1))
    if not shape:
        axis = -1
    compare(queue, lambda xp, *a: xp.lexsort(a, axis), *keys)
    compare(queue, lambda xp, a: xp.lexsort(a), np.stack(keys) if shape else keys[0])


def test_the_only_axis_has_one_nan(queue):
    host = np.asarray([np.nan, 2, np.nan, 1, 2], "f4")
    found = usm.unique(usm.asarray(host, sycl_queue=queue), axis=0, return_counts=True)
    for one, expected in zip(found, np.unique(host, axis=0, return_counts=True), strict=True):
        np.testing.assert_array_equal(usm.asnumpy(one), expected)
