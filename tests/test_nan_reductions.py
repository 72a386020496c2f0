"""Reductions and scans that ignore NaN: against NumPy."""

import warnings

import numpy as np
import pytest
from elementwise_oracle import held
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, examples, shapes
from test_reductions import axes

import usmtensor as usm

REDUCTIONS = ["nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanvar", "nanstd", "nanmedian"]


def of_numpy(name, *arguments, **keywords):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(getattr(np, name)(*arguments, **keywords))


def values(dtype, shape, seed, share):
    random = np.random.default_rng(seed)
    x = np.asarray(random.integers(0, 3, shape))
    x = np.asarray(x if dtype.kind in "bu" else x - 1).astype(dtype)
    if dtype.kind in "fc":
        x[random.random(shape) < share] = np.nan
    return x


def assert_near(result, expected):
    assert result.shape == expected.shape
    kind = usm.asnumpy(result).dtype
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(usm.asnumpy(result), expected)
    else:
        scale = 16 * np.finfo(kind).eps
        np.testing.assert_allclose(usm.asnumpy(result), expected, scale, scale)


SHARES = st.sampled_from([0, 0.3, 1])


@examples(200)
@given(st.sampled_from(REDUCTIONS), dtypes(), shapes(max_dims=3), SHARES, st.data(), st.booleans())
def test_reductions(queue, name, dtype, shape, share, data, keepdims):
    x = values(dtype, shape, data.draw(st.integers(0, 99)), share)
    axis = data.draw(axes(x.ndim))
    y = usm.asarray(x, sycl_queue=queue)
    function = getattr(usm, name)
    try:
        expected = of_numpy(name, x, axis, keepdims=keepdims)
    except ValueError:
        with pytest.raises(ValueError, match=r"max|min"):
            function(y, axis, keepdims=keepdims)
        return
    if name in ("nanvar", "nanstd", "nanmean", "nanmedian") and dtype == "?":
        expected = of_numpy(name, x.astype("f8"), axis, keepdims=keepdims)
    result = function(y, axis, keepdims=keepdims)
    assert result.dtype == held(expected.dtype)
    assert_near(result, expected)
    out = usm.empty(result.shape, dtype=result.dtype, sycl_queue=queue)
    assert function(y, axis, out=out, keepdims=keepdims) is out
    np.testing.assert_array_equal(usm.asnumpy(out), usm.asnumpy(result))


@examples(150)
@given(st.sampled_from(REDUCTIONS[:-1]), dtypes(), shapes(max_dims=3), SHARES, st.data())
def test_where_and_initial(queue, name, dtype, shape, share, data):
    seed = data.draw(st.integers(0, 99))
    x, y = values(dtype, shape, seed, share), data.draw(st.booleans())
    axis = data.draw(axes(x.ndim))
    kept = tuple(data.draw(st.sampled_from([1, n])) for n in shape)
    keywords = {}
    if data.draw(st.booleans()) or name in ("nanmax", "nanmin"):
        keywords["where"] = np.asarray(np.random.default_rng(seed).random(kept) < 0.6)
    if name in ("nansum", "nanprod", "nanmax", "nanmin"):
        keywords["initial"] = data.draw(st.sampled_from([0, 1, 2]))
    if name in ("nanvar", "nanstd", "nanmean") and dtype == "?":
        expected = of_numpy(name, x.astype("f8"), axis, **keywords)
    else:
        expected = of_numpy(name, x, axis, **keywords)
    if "where" in keywords and dtype.kind in "fc":  # what does not count has no effect
        x[~np.broadcast_to(keywords["where"], shape)] = np.inf
    here = dict(keywords)
    if "where" in keywords and y:
        here["where"] = usm.asarray(keywords["where"], sycl_queue=queue)
    result = getattr(usm, name)(usm.asarray(x, sycl_queue=queue), axis, **here)
    assert_near(result, expected.astype(result.dtype))


@pytest.mark.parametrize("name", ["nanmax", "nanmin"])
@pytest.mark.parametrize("dtype", ["f2", "f4", "c8"])
@pytest.mark.parametrize("share", [0, 0.9])
def test_extrema_of_views(queue, name, dtype, share):
    host = values(np.dtype(dtype), (6, 7, 8), 0, share)
    x = usm.asarray(host, sycl_queue=queue)
    for one, other in ((x, host), (x.T[::-1, 1:], host.T[::-1, 1:])):
        for axis in (None, 0, (2, 0), ()):
            for keepdims in (False, True):
                found = getattr(usm, name)(one, axis, keepdims=keepdims)
                assert found.dtype == dtype
                wanted = of_numpy(name, other, axis, keepdims=keepdims)
                assert found.shape == wanted.shape
                np.testing.assert_array_equal(usm.asnumpy(found), wanted)


def test_bad_masks(queue):
    x = usm.asarray([1.0, np.nan], dtype="f4", sycl_queue=queue)
    for name in REDUCTIONS[:-1]:
        function = getattr(usm, name)
        keywords = {"initial": 1} if name in ("nanmax", "nanmin") else {}
        for where, error in (([1.5, 2], TypeError), ([True] * 3, ValueError)):
            with pytest.raises(error):
                function(x, where=np.asarray(where), **keywords)


@examples(60)
@given(dtypes("fc"), shapes(max_dims=3, min_dims=1), SHARES, st.data(), st.sampled_from([0, 1, 2]))
def test_degrees_of_freedom(queue, dtype, shape, share, data, ddof):
    x = values(dtype, shape, data.draw(st.integers(0, 99)), share)
    axis = data.draw(axes(x.ndim))
    y = usm.asarray(x, sycl_queue=queue)
    for name in ("nanvar", "nanstd"):
        expected = of_numpy(name, x, axis, ddof=ddof)
        assert_near(getattr(usm, name)(y, axis, ddof=ddof), expected)
        assert_near(getattr(usm, name)(y, axis, correction=ddof), expected)


@examples(60)
@given(dtypes(), shapes(max_dims=3), SHARES, st.data())
def test_scans(queue, dtype, shape, share, data):
    x = values(dtype, shape, data.draw(st.integers(0, 99)), share)
    axis = data.draw(st.sampled_from([None, *range(x.ndim)]))
    y = usm.asarray(x, sycl_queue=queue)
    for name in ("nancumsum", "nancumprod"):
        result, expected = getattr(usm, name)(y, axis), of_numpy(name, x, axis)
        assert result.dtype == held(expected.dtype)
        assert_near(result, expected)


@examples(60)
@given(dtypes("biuf"), shapes(max_dims=3, min_dims=1), SHARES, st.data(), st.booleans())
def test_positions(queue, dtype, shape, share, data, keepdims):
    x = values(dtype, shape, data.draw(st.integers(0, 99)), share)
    axis = data.draw(st.sampled_from([None, *range(x.ndim)]))
    y = usm.asarray(x, sycl_queue=queue)
    for name in ("nanargmax", "nanargmin"):
        try:
            expected = of_numpy(name, x, axis, keepdims=keepdims)
        except ValueError:
            with pytest.raises(ValueError, match=r"All-NaN|arg"):
                getattr(usm, name)(y, axis, keepdims=keepdims)
            continue
        result = getattr(usm, name)(y, axis, keepdims=keepdims)
        np.testing.assert_array_equal(usm.asnumpy(result), expected)
        assert result.shape == expected.shape and result.dtype == "i8"


def test_dtype(queue):
    x = usm.asarray(np.array([1, np.nan, 200], "f4"), sycl_queue=queue)
    assert usm.nansum(x, dtype="i4").dtype == "i4"
    assert usm.nanmean(usm.asarray([1, 2], sycl_queue=queue), dtype="f4").dtype == "f4"


@pytest.mark.parametrize("name", [*REDUCTIONS, "nanargmax", "nanargmin", "nancumsum", "nancumprod"])
def test_wrong_arguments(queue, name):
    with pytest.raises(TypeError, match=f"{name}: a is of type ndarray"):
        getattr(usm, name)(np.ones(3))
    with pytest.raises(np.exceptions.AxisError):
        getattr(usm, name)(usm.ones(3, sycl_queue=queue), 1)
    with pytest.raises(ValueError, match="out has shape"):
        getattr(usm, name)(usm.ones(3, sycl_queue=queue), out=usm.ones(2, sycl_queue=queue))
