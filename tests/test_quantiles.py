"""quantile, percentile and their forms that ignore NaN: against NumPy."""

import warnings

import numpy as np
import pytest
from checks import assert_same
from elementwise_oracle import held
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from strategies import dtypes, examples, recipes, shapes
from test_reductions import axes

import usmtensor as usm
from usmtensor._composed.quantiles import _DISCRETE, _PARAMETERS

METHODS = [*_DISCRETE, *_PARAMETERS]
FRACTIONS = [0, 0.125, 0.25, 0.5, 0.625, 0.75, 1.0]


def of_numpy(name, *arguments, **keywords):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asarray(getattr(np, name)(*arguments, **keywords))


def assert_near(result, expected):
    assert result.shape == expected.shape and result.dtype == held(expected.dtype)
    scale = 1 if expected.dtype.kind in "biu" else 8 * np.finfo(result.dtype).eps
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(usm.asnumpy(result), expected)
    else:
        np.testing.assert_allclose(usm.asnumpy(result), expected, scale, 100 * scale)


@st.composite
def fractions(draw):
    """A number, or an array of numbers of no, one or two dimensions."""
    one = st.sampled_from(FRACTIONS)
    kind = draw(st.sampled_from(["number", "list", "array"]))
    if kind == "number":
        return float(draw(one))
    if kind == "list":
        return list(map(float, draw(st.lists(one, max_size=3))))
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=2, max_side=3))
    values = draw(st.lists(one, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    return np.array(values, "f8").reshape(shape)


@examples(200)
@given(recipes(dtype=None, max_side=6), fractions(), st.data(), st.booleans())
def test_quantile(queue, recipe, q, data, keepdims):
    x, y = recipe.pair(queue)
    if x.dtype.kind == "c":
        with pytest.raises(TypeError, match="quantile: a is of data type complex"):
            usm.quantile(y, q)
        return
    axis = data.draw(axes(x.ndim))
    method = data.draw(st.sampled_from(METHODS))
    if usm.sum(y, axis).size * y.size == 0:
        return
    wanted = x.astype("f8") if x.dtype == "?" and method in _PARAMETERS else x  # NumPy subtracts
    expected = of_numpy("quantile", wanted, q, axis, method=method, keepdims=keepdims)
    result = usm.quantile(y, q, axis, method=method, keepdims=keepdims)
    assert_near(result, expected)
    assert result.flags.c_contiguous
    on_device = usm.asarray(np.asarray(q, "f8"), sycl_queue=queue)
    same = usm.percentile(y, on_device * 100, axis, method=method, keepdims=keepdims)
    np.testing.assert_array_equal(usm.asnumpy(same), usm.asnumpy(result).astype(same.dtype))
    out = usm.empty(result.shape, dtype=result.dtype, sycl_queue=queue)
    assert usm.quantile(y, q, axis, out, method=method, keepdims=keepdims) is out
    assert_same(out, usm.asnumpy(result))


@examples(150)
@given(
    dtypes("f"), shapes(min_dims=1, max_dims=3), fractions(), st.data(), st.sampled_from(METHODS)
)
def test_without_nan(queue, dtype, shape, q, data, method):
    random = np.random.default_rng(data.draw(st.integers(0, 99)))
    x = random.integers(-9, 10, shape).astype(dtype)
    x[random.random(shape) < data.draw(st.sampled_from([0, 0.3, 1]))] = np.nan
    axis = data.draw(axes(x.ndim))
    if x.size == 0 or axis == ():  # NumPy's nanquantile of no axes puts those of q last
        return
    y = usm.asarray(x, sycl_queue=queue)
    wide = x.astype("f8")  # NumPy makes the results of several rows another type
    for name in ("quantile", "nanquantile"):
        result = getattr(usm, name)(y, q, axis, method=method)
        expected = of_numpy(name, wide, q, axis, method=method)
        assert_near(result, expected.astype(result.dtype))
        assert_same(getattr(np, name)(y, q, axis, method=method), usm.asnumpy(result))
    percent = np.asarray(q) * 100
    result = usm.nanpercentile(y, percent, axis, method=method, keepdims=True)
    assert result.shape[percent.ndim :] == usm.sum(y, axis, keepdims=True).shape


@pytest.mark.parametrize("n", [8192, 50_001])
@pytest.mark.parametrize("dtype", ["u1", "i4", "i8", "f4"])
def test_long_arrays(queue, dtype, n):
    random = np.random.default_rng(n)
    rows = {
        "random": random.standard_normal(n) * 30,
        "equal": np.full(n, 3),
        "few": random.integers(0, 3, n),
        "sorted": np.arange(n) % 256,
    }
    for name, row in rows.items():
        x = np.abs(row).astype(dtype)
        y = usm.asarray(x, sycl_queue=queue)[::-1]
        for q in (0.0, 0.001, 0.3, 0.5, 0.999, 1.0):
            for method in ("linear", "higher"):
                expected = of_numpy("quantile", x.astype("f8"), q, method=method)
                result = float(usm.quantile(y, q, method=method))
                np.testing.assert_allclose(result, expected, rtol=1e-5, err_msg=name)
        several = usm.quantile(y, [0.1, 0.9])
        np.testing.assert_allclose(usm.asnumpy(several), np.quantile(x, [0.1, 0.9]), rtol=1e-5)
    y = usm.asarray(rows["random"].astype("f4"), sycl_queue=queue)
    y[7:n:3] = usm.nan
    assert np.isnan(float(usm.quantile(y, 0.25)))
    expected = of_numpy("nanquantile", usm.asnumpy(y), [0.1, 0.5])
    np.testing.assert_allclose(usm.asnumpy(usm.nanquantile(y, [0.1, 0.5])), expected, rtol=1e-5)


@examples(100)
@given(recipes(max_side=5), dtypes("iuf"), fractions(), st.data())
def test_weights(queue, recipe, dtype, q, data):
    x, y = recipe.pair(queue)
    axis = data.draw(axes(x.ndim))
    if x.dtype.kind == "c" or x.size == 0:
        return
    kept = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    kept = tuple(k % x.ndim for k in kept)
    whole = axis is None or data.draw(st.booleans())
    shape = x.shape if whole else tuple(x.shape[k] for k in kept)
    # Powers of two: all shares of the sum are exact.
    weights = (np.arange(np.prod(shape, dtype=int)) % 3).astype(dtype).reshape(shape) + 1
    weights = np.asarray(weights, dtype)
    if not kept:
        return
    if len(kept) > 1 and not whole:
        weights = np.ascontiguousarray(weights)
    expected = of_numpy("quantile", x, q, axis, weights=weights, method="inverted_cdf")
    w = usm.asarray(weights, sycl_queue=queue)
    result = usm.quantile(y, q, axis, weights=w, method="inverted_cdf")
    assert result.dtype == x.dtype and result.shape == expected.shape
    total = weights.sum()
    if total & (total - 1) == 0 if dtype.kind != "f" else False:
        assert_same(result, expected)


def test_weights_of_some_elements(queue):
    x = usm.asarray(np.array([1, np.nan, 3, 2], "f4"), sycl_queue=queue)
    w = [0, 1, 1, 2]
    inverted = {"method": "inverted_cdf"}
    assert np.isnan(float(usm.quantile(x, 0.5, weights=w, **inverted)))
    for q in (0, 0.3, 0.7, 1):
        expected = of_numpy("nanquantile", usm.asnumpy(x), q, weights=w, **inverted)
        assert_same(usm.nanquantile(x, q, weights=w, **inverted), expected)
    assert np.isnan(float(usm.nanquantile(x * usm.nan, 0.5, weights=w, **inverted)))
    for wrong in ([0, 0, 0, 0], [1, -1, 1, 1], [1, np.inf, 1, 1], [np.nan] * 4):
        with pytest.raises(ValueError, match="quantile: weights are negative, not finite"):
            usm.quantile(x, 0.5, weights=wrong, **inverted)
    with pytest.raises(ValueError, match=r"quantile: weights.shape is \(2,\)"):
        usm.quantile(x, 0.5, weights=[1, 1], **inverted)
    with pytest.raises(ValueError, match="quantile: method is 'linear'; expected 'inverted_cdf'"):
        usm.quantile(x, 0.5, weights=w)


def test_infinities(queue):
    """Between two equal elements there is no other one."""
    x = usm.asarray(np.array([-np.inf, 1, np.inf, np.inf], "f4"), sycl_queue=queue)
    result = usm.quantile(x, [0, 1 / 3, 0.9, 1])
    np.testing.assert_array_equal(usm.asnumpy(result), [-np.inf, 1, np.inf, np.inf])


@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile", "nanpercentile"])
def test_wrong_arguments(queue, name):
    function = getattr(usm, name)
    x = usm.ones((2, 3), sycl_queue=queue)
    whole = 100 if "percent" in name else 1
    for q in (-0.1, whole + 0.1, np.nan, [0.5, 2 * whole], usm.asarray([-1.0], sycl_queue=queue)):
        with pytest.raises(
            ValueError, match=f"{name}: q is .*; expected numbers from 0 to {whole}"
        ):
            function(x, q)
    with pytest.raises(TypeError, match=f"{name}: q"):
        function(x, "half")
    with pytest.raises(TypeError, match=f"{name}: a is of type ndarray"):
        function(np.ones(3), 0.5)
    with pytest.raises(ValueError, match=f"{name}: method is 'best'"):
        function(x, 0.5, method="best")
    with pytest.raises(np.exceptions.AxisError, match=name):
        function(x, 0.5, 2)
    with pytest.raises(ValueError, match=f"{name}: axis"):
        function(x, 0.5, (0, -2))
    with pytest.raises(ValueError, match=f"{name}: out has shape"):
        function(x, 0.5, 0, out=x)
    with pytest.raises(ValueError, match=f"{name}: a has shape"):
        function(usm.ones((2, 0), dtype="i4", sycl_queue=queue), 0.5, 1)
    assert function(usm.ones((0, 3), sycl_queue=queue), 0.5, 1).shape == (0,)


@pytest.mark.parametrize("method", _DISCRETE)
@pytest.mark.parametrize("dtype", ["i8", "u8"])
def test_chosen_elements_are_exact(queue, dtype, method):
    """In floating point the largest integers would round up, out of the range of the type."""
    limits = np.iinfo(dtype)
    host = np.asarray([limits.max, limits.max - 1, limits.max - 2, limits.min + 1], dtype)
    for q in (0.0, 0.4, [0.3, 1.0]):
        found = usm.quantile(usm.asarray(host, sycl_queue=queue), q, method=method)
        assert found.dtype == host.dtype
        np.testing.assert_array_equal(usm.asnumpy(found), np.quantile(host, q, method=method))
