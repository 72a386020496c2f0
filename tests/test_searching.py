"""searchsorted, isin, the unique functions and top_k against NumPy."""

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, skip_without_tiers
from hypothesis import given
from hypothesis import strategies as st
from strategies import DTYPES, dtypes, examples, recipes, skip_without
from test_sorting import order, values

import usmtensor as usm

sizes = st.integers(0, 60)
seeds = st.integers(0, 2**32)


def found(x):
    return usm.asnumpy(x)


@pytest.mark.sanitized
@examples(60)
@given(dtypes(), sizes, sizes, seeds, st.sampled_from(["left", "right"]), st.booleans())
def test_searchsorted(queue, dtype, n, count, seed, side, few):
    x, v = np.sort(values(dtype, n, seed, few)), values(dtype, count, seed + 1, few)
    y, w = usm.asarray(x, sycl_queue=queue), usm.asarray(v, sycl_queue=queue)
    result = usm.searchsorted(y, w, side=side)
    assert result.dtype == np.int64
    np.testing.assert_array_equal(found(result), np.searchsorted(x, v, side))


@examples(40)
@given(recipes(), st.sampled_from(["left", "right"]))
def test_searchsorted_of_views(queue, recipe, side):
    v, w = recipe.pair(queue)
    x = np.sort(values(v.dtype, 41))
    y = usm.asarray(np.repeat(x, 2), sycl_queue=queue)[::2]
    np.testing.assert_array_equal(found(usm.searchsorted(y, w, side=side)), x.searchsorted(v, side))


def test_searchsorted_with_a_sorter(queue):
    x, v = values("f4", 500), values("f4", 70)
    y, w = usm.asarray(x, sycl_queue=queue), usm.asarray(v, sycl_queue=queue)
    for dtype in ("i8", "u2"):
        sorter = usm.astype(usm.argsort(y), dtype)
        np.testing.assert_array_equal(
            found(usm.searchsorted(y, w, sorter=sorter)), np.sort(x).searchsorted(v)
        )
    bad = usm.full(500, 10**9, dtype="i8", sycl_queue=queue)  # out of range, in range of memory
    assert usm.searchsorted(y, w, sorter=bad).shape == (70,)


def test_sequences(queue):
    x = usm.asarray([1, 2, 4], sycl_queue=queue)
    assert found(usm.searchsorted(x, [2, 5])).tolist() == [1, 3]
    assert found(usm.searchsorted([1.5, 3], x)).tolist() == [0, 1, 2]
    assert found(usm.isin(x, [4, 9])).tolist() == [False, False, True]
    assert found(usm.isin((2, 3), x, kind="sort")).tolist() == [True, False]
    with pytest.raises(ValueError, match="isin: kind is 'hash'; expected None, 'sort' or 'table'"):
        usm.isin(x, x, kind="hash")


def test_searchsorted_promotes(queue):
    x = usm.asarray(np.array([1, 3, 5], "i2"), sycl_queue=queue)
    for value in (3, 3.5, np.float32(4), np.int64(9), True, np.array([0, 4], "i4")):
        expected = np.searchsorted([1, 3, 5], value)
        np.testing.assert_array_equal(found(usm.searchsorted(x, value)), expected)
    assert usm.searchsorted(x, 3).shape == ()
    with pytest.raises(OverflowError, match="searchsorted: v"):
        usm.searchsorted(x, 10**6)


@pytest.mark.sanitized
@examples(60)
@given(dtypes(), sizes, sizes, seeds, st.booleans())
def test_isin(queue, dtype, n, count, seed, invert):
    x, v = values(dtype, n, seed, True), values(dtype, count, seed + 1, True)
    y, w = usm.asarray(x, sycl_queue=queue), usm.asarray(v, sycl_queue=queue)
    result = usm.isin(y, w, invert=invert)
    assert result.dtype == np.bool_
    np.testing.assert_array_equal(found(result), np.isin(x, v, invert=invert))


def test_isin_of_scalars(queue):
    x = usm.asarray(np.arange(6, dtype="i1").reshape(2, 3), sycl_queue=queue)
    np.testing.assert_array_equal(found(usm.isin(x, 4)), np.arange(6).reshape(2, 3) == 4)
    assert bool(usm.isin(4, x)) and not bool(usm.isin(9, x)) and usm.isin(4, x).shape == ()
    assert not found(usm.isin(x, 1000)).any() and found(usm.isin(x, 1000, invert=True)).all()
    assert not bool(usm.isin(1000, x))
    np.testing.assert_array_equal(
        found(usm.isin(x, np.array([1, 7]))), np.isin(np.arange(6).reshape(2, 3), [1])
    )
    with pytest.raises(usm.ExecutionPlacementError, match="isin"):
        usm.isin(1, 2)
    with pytest.raises(TypeError, match="isin: invert"):
        usm.isin(x, 1, invert="no")


def check_unique(x, y):
    """`x` is the NumPy array of `y`'s content."""
    values, places, _, counts = np.unique(x, True, True, True, equal_nan=False)
    result = usm.unique_all(y)
    assert result._fields == ("values", "indices", "inverse_indices", "counts")
    np.testing.assert_array_equal(found(result.values), values)
    np.testing.assert_array_equal(found(result.indices), places)
    np.testing.assert_array_equal(found(result.counts), counts)
    kept = found(result.values)[found(result.inverse_indices)]
    assert kept.shape == x.shape
    np.testing.assert_array_equal(kept, x)
    np.testing.assert_array_equal(found(usm.unique_values(y)), values)
    pair = usm.unique_counts(y)
    np.testing.assert_array_equal(found(pair.counts), counts)
    np.testing.assert_array_equal(found(pair.values), values)
    pair = usm.unique_inverse(y)
    np.testing.assert_array_equal(found(pair.inverse_indices), found(result.inverse_indices))
    for one in (result, pair, usm.unique_counts(y), [usm.unique_values(y)]):
        assert one[0].dtype == x.dtype
    for part in (*result, *pair):
        assert part.sycl_queue == y.sycl_queue and part.usm_type == y.usm_type


@pytest.mark.sanitized
@examples(50)
@given(recipes())
def test_unique_of_views(queue, recipe):
    check_unique(*recipe.pair(queue))


@examples(50)
@given(dtypes(), sizes, seeds)
def test_unique(queue, dtype, n, seed):
    x = values(dtype, n, seed, True)
    if x.dtype.kind == "c":
        x = x[~np.isnan(x)]  # NumPy ignores the parts of complex NaN
    check_unique(x, usm.asarray(x, sycl_queue=queue))


@pytest.mark.parametrize("dtype", list("?bBhHiIqQ"))
@pytest.mark.parametrize("layout", ["C", "reversed", "columns", "broadcast"])
def test_unique_of_many_integers(queue, dtype, layout):
    """Counts of all integers in the range replace sorting if the range is short."""
    n = 20_000
    lowest, highest = (0, 1) if dtype == "?" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
    for extent in (1, 2, 250, n // 16, n // 16 + 1, 5 * n):
        extent = min(extent, highest - lowest + 1)
        for first in {lowest, max(-3, lowest), max(highest - extent + 1, lowest)}:
            first = min(first, highest - extent + 1)
            offsets = np.random.default_rng(extent).integers(0, extent, (n // 8, 8))
            offsets[0, :2] = 0, extent - 1
            x = np.array([first + int(k) for k in offsets.flat], dtype).reshape(offsets.shape)
            y = usm.asarray(x, sycl_queue=queue)
            if layout == "broadcast":
                x, y = (xp.broadcast_to(a, (2, *x.shape)) for xp, a in ((np, x), (usm, y)))
            elif layout != "C":
                x, y = (a[::-1, ::2] if layout == "reversed" else a.T for a in (x, y))
            check_unique(x, y)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_large(queue, dtype):
    skip_without(queue.sycl_device, dtype)
    x, v = values(dtype, 70_000), values(dtype, 30_000, 1)
    x[::3] = x[0]
    y, w = usm.asarray(x, sycl_queue=queue), usm.asarray(v, sycl_queue=queue)
    check_unique(x, y)
    np.testing.assert_array_equal(found(usm.isin(y, w)), np.isin(x, v))
    np.testing.assert_array_equal(
        found(usm.searchsorted(usm.sort(w), y)), np.sort(v).searchsorted(x)
    )


@pytest.mark.parametrize("few", [False, True], ids=["all", "few"])
@pytest.mark.parametrize(
    "dtype, numbers",
    [
        *((dtype, 1 << 18) for dtype in ["?", "u1", "i8", "f2", "f4", "f8", "c8", "c16"]),
        *((dtype, count) for dtype in ["f2", "f4", "c8"] for count in [100, 50, 0]),
    ],
)
def test_many_elements(queue, dtype, numbers, few):
    """So many that they are searched by blocks, and fewer numbers before NaN than a block has."""
    skip_without(queue.sycl_device, dtype)
    x = values(dtype, (1 << 17) + 37 * few, few=few)
    v = values(dtype, 1 << 14, 1, few).reshape(2, -1, 4)
    if x.dtype.kind in "fc":
        x[numbers:] = np.copysign(np.nan, values("f4", len(x))[numbers:].astype(x.real.dtype))
    v[1] = np.resize(x, v[1].shape)
    y, w = usm.asarray(x, sycl_queue=queue), usm.asarray(v, sycl_queue=queue)
    for invert in (False, True):
        np.testing.assert_array_equal(
            found(usm.isin(w, y, invert=invert)), np.isin(v, x, invert=invert)
        )
    for side in ("left", "right"):
        places = usm.searchsorted(usm.sort(y), w, side=side)
        np.testing.assert_array_equal(found(places), np.sort(x).searchsorted(v, side))


def test_nan_is_never_equal(queue):
    x = usm.asarray(np.array([np.nan, 1, np.nan, -0.0, 0.0], "f4"), sycl_queue=queue)
    result = usm.unique_all(x)
    np.testing.assert_array_equal(found(result.values), [0, 1, np.nan, np.nan])
    np.testing.assert_array_equal(found(result.counts), [2, 1, 1, 1])
    np.testing.assert_array_equal(found(result.inverse_indices), [2, 1, 3, 0, 0])
    np.testing.assert_array_equal(found(usm.isin(x, x)), [False, True, False, True, True])
    np.testing.assert_array_equal(found(usm.searchsorted(usm.sort(x), x)), [3, 2, 3, 0, 0])


def check_top(x, y, k, axis, mode):
    places = order(
        x.reshape(-1) if axis is None else x, 0 if axis is None else axis, mode == "largest"
    )
    places = np.take(places, range(k), 0 if axis is None else axis)
    result = usm.top_k(y, k, axis=axis, mode=mode)
    assert result._fields == ("values", "indices")
    np.testing.assert_array_equal(found(result.indices), places)
    line = x.reshape(-1) if axis is None else x
    expected = np.take_along_axis(line, places, 0 if axis is None else axis)
    np.testing.assert_array_equal(found(result.values), expected)


@pytest.mark.sanitized
@examples(50)
@given(recipes(), st.data(), st.sampled_from(["largest", "smallest"]))
def test_top_k(queue, recipe, data, mode):
    x, y = recipe.pair(queue)
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    extent = x.size if axis is None else x.shape[axis]
    check_top(x, y, data.draw(st.integers(0, extent)), axis, mode)


@pytest.mark.parametrize("few", [False, True], ids=["all", "few"])
@pytest.mark.parametrize("mode", ["largest", "smallest"])
@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "u8", "f4", "c8"])
def test_top_k_of_many(queue, dtype, mode, few):
    x = values(dtype, 100_000, few=few)
    y = usm.asarray(x, sycl_queue=queue)
    for k in (0, 1, 100, 1500, 5000):
        check_top(x, y, k, None, mode)


def test_both_tiers(queue):
    skip_without_tiers(queue.sycl_device)
    x = usm.asarray(values("f4", 3000), sycl_queue=queue)
    y = usm.sort(usm.asarray(values("f4", 500, 1), sycl_queue=queue))
    y[::2] = y[1::2]
    for function in (usm.searchsorted, lambda y, x: usm.isin(x, y)):
        with all_on_the_host(queue):
            host = function(y, x)
        with all_on_the_device(queue):
            device = function(y, x)
        np.testing.assert_array_equal(found(host), found(device))


def test_bad_arguments(queue):
    x = usm.asarray(np.arange(6.0).reshape(2, 3), sycl_queue=queue)
    line = x[0]
    for call, error, text in [
        (lambda: usm.searchsorted(x, line), ValueError, "searchsorted: a.ndim is 2; expected 1"),
        (lambda: usm.searchsorted({1}, line), TypeError, "searchsorted: a is of type set"),
        (lambda: usm.searchsorted(line, "a"), TypeError, "searchsorted: v"),
        (lambda: usm.searchsorted(line, x, side="up"), ValueError, "searchsorted: side is 'up'"),
        (lambda: usm.searchsorted(line, x, side=1), TypeError, "searchsorted: side"),
        (lambda: usm.searchsorted(line, x, sorter=line), TypeError, "searchsorted: sorter"),
        (lambda: usm.searchsorted(line, x, sorter=usm.arange(2)), ValueError, "sorter.shape"),
        (lambda: usm.unique_values([1]), TypeError, "unique_values: x is of type list"),
        (lambda: usm.unique_all(1), TypeError, "unique_all: x"),
        (lambda: usm.top_k(x, 7), ValueError, "top_k: k is 7; expected an integer from 0 to 6"),
        (lambda: usm.top_k(x, -1, axis=0), ValueError, "top_k: k is -1"),
        (lambda: usm.top_k(x, 1.5), TypeError, "top_k: k"),
        (lambda: usm.top_k(x, 1, axis=2), np.exceptions.AxisError, "axis 2"),
        (lambda: usm.top_k(x, 1, mode="top"), ValueError, "top_k: mode is 'top'"),
    ]:
        with pytest.raises(error, match=text):
            call()
