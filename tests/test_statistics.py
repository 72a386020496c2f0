"""median, average, ptp: against NumPy."""

import warnings

import numpy as np
import pytest
from checks import assert_same
from elementwise_oracle import held
from hypothesis import given
from hypothesis import strategies as st
from numpy.exceptions import AxisError
from strategies import dtypes, examples, recipes, shapes
from test_reductions import axes
from test_sorting import values

import usmtensor as usm


def of_numpy(function, x, *arguments, **keywords):
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(np, function)(x, *arguments, **keywords)


def floating(dtype):
    """The type of a result: the default floating point type, unless the inputs are inexact."""
    return held(dtype if dtype.kind in "fc" else "f8")


def assert_near(result, expected):
    """Equal up to the accuracy of the result's type."""
    assert result.shape == np.shape(expected)
    tolerance = 8 * np.finfo(result.dtype).eps
    np.testing.assert_allclose(
        usm.asnumpy(result), np.asarray(expected), rtol=tolerance, atol=tolerance
    )


@examples(100)
@given(recipes(max_side=6), st.data(), st.booleans())
def test_median(queue, recipe, data, keepdims):
    x, y = recipe.pair(queue)
    axis = data.draw(axes(x.ndim))
    result = usm.median(y, axis, keepdims=keepdims)
    assert result.dtype == floating(x.dtype)
    if x.size == 0:
        expected = of_numpy("mean", x, axis, keepdims=keepdims)
    else:
        expected = of_numpy("median", x, axis, keepdims=keepdims)
    assert_near(result, expected)


@examples(60)
@given(dtypes(), st.integers(1, 40), st.integers(0, 99))
def test_median_of_special_values(queue, dtype, size, seed):
    x = values(dtype, 3 * size, seed, few=True).reshape(3, size)
    if x.dtype.kind == "c":  # NumPy's quotients with infinite parts differ
        x[np.isinf(x)] = 0
    y = usm.asarray(x, sycl_queue=queue)
    assert_near(usm.median(y, 1), of_numpy("median", x, 1))


def long_lines(rng, n):
    """Lines whose middle is found among the elements between two limits, or is missed there."""
    return {
        "random": rng.standard_normal(n),
        "equal": np.full(n, 3.0),
        "few": rng.integers(0, 3, n),
        "sorted": np.arange(n),
        "periodic": np.arange(n) % 61,
        "two values": np.where(np.arange(n) < n // 2, 0, 9),
        "infinite": np.where(np.arange(n) % 3 == 0, np.inf, -np.inf),
    }


@pytest.mark.parametrize("n", [8191, 8192, 8193, 50_000])
@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "i8", "f2", "f4", "f8"])
def test_median_of_long_lines(queue, dtype, n):
    if dtype == "f8" and not queue.sycl_device.has_aspect_fp64:
        pytest.skip("the device has no fp64")
    with np.errstate(invalid="ignore"):
        lines = {
            name: x.astype(dtype) for name, x in long_lines(np.random.default_rng(n), n).items()
        }
    if dtype not in ("f2", "f4", "f8"):
        del lines["infinite"]
    for name, x in lines.items():
        for view in (x, x[::-1], x[::3]):
            y = usm.asarray(x, sycl_queue=queue)[:: view.strides[0] // x.itemsize]
            result, expected = float(usm.median(y)), np.median(view.astype("f8"))
            np.testing.assert_allclose(result, expected, rtol=1e-3, err_msg=name)
    if dtype in ("f2", "f4", "f8"):
        y = usm.asarray(lines["random"], sycl_queue=queue)
        y[n // 3] = usm.nan
        assert np.isnan(float(usm.median(y)))


def test_median_of_nan(queue):
    x = np.array([[1, np.nan, 3], [5, 4, np.inf]], "f4")
    y = usm.asarray(x, sycl_queue=queue)
    assert_same(usm.median(y, 1), np.array([np.nan, 5], "f4"))
    out = usm.empty(2, dtype="f4", sycl_queue=queue)
    assert usm.median(y, axis=1, out=out) is out
    assert_same(out, np.array([np.nan, 5], "f4"))


@examples(100)
@given(recipes(max_side=6), st.data(), st.booleans())
def test_ptp(queue, recipe, data, keepdims):
    x, y = recipe.pair(queue)
    axis = data.draw(axes(x.ndim))
    if x.dtype == "?":
        with pytest.raises(TypeError, match="ptp"):
            usm.ptp(y, axis)
        return
    try:
        expected = np.asarray(of_numpy("ptp", x, axis, keepdims=keepdims))
    except ValueError:
        with pytest.raises(ValueError, match="at least"):
            usm.ptp(y, axis)
        return
    assert_same(usm.ptp(y, axis, keepdims=keepdims), expected)
    assert_same(
        usm.ptp(y, axis, keepdims=True, out=usm.ptp(y, axis, keepdims=True)),
        np.asarray(of_numpy("ptp", x, axis, keepdims=True)),
    )


@examples(100)
@given(recipes(max_side=6), dtypes(), st.data(), st.booleans())
def test_average(queue, recipe, dtype, data, keepdims):
    x, y = recipe.pair(queue)
    axis = data.draw(axes(x.ndim))
    shape = x.shape
    if isinstance(axis, int) and data.draw(st.booleans()):
        shape = (x.shape[axis],)
    size = int(np.prod(shape))
    # Sums of small numbers are exact enough in all types.
    x = (x % 8 if x.dtype.kind in "iuf" else x / 16 if x.dtype.kind == "c" else x).astype(x.dtype)
    y = usm.asarray(x, sycl_queue=queue)
    weights = (np.arange(size) % 5 + 1).astype(dtype).reshape(shape)
    wide = np.result_type(x.dtype, dtype, "f8")
    w = usm.asarray(weights, sycl_queue=queue)
    expected, total = (
        of_numpy(
            "average", x.astype(wide), axis, weights.astype(wide), returned=True, keepdims=keepdims
        )
        if x.size
        else (of_numpy("mean", x.astype(wide), axis, keepdims=keepdims), None)
    )
    result, weight = usm.average(y, axis, w, returned=True, keepdims=keepdims)
    assert result.dtype == weight.dtype == floating(np.result_type(x.dtype, dtype))
    assert result.shape == weight.shape
    assert_near(result, expected)
    if total is not None:
        assert_near(weight, total)


@examples(60)
@given(recipes(max_side=6), st.data())
def test_average_without_weights(queue, recipe, data):
    _, y = recipe.pair(queue)
    axis = data.draw(axes(y.ndim))
    result, total = usm.average(y, axis, returned=True)
    assert_same(result, usm.asnumpy(usm.mean(y, axis)))
    assert_same(usm.average(y, axis, keepdims=True), usm.asnumpy(usm.mean(y, axis, True)))
    count = y.size // result.size if result.size else usm.asnumpy(total).size
    assert total.dtype == result.dtype and bool(usm.all(total == count))


def test_average_along_several_axes(queue):
    x = np.arange(24, dtype="f4").reshape(2, 3, 4)
    weights = np.arange(8, dtype="f4").reshape(4, 2)
    expected = (x * weights.T[:, None]).sum((0, 2)) / weights.sum()
    y = usm.asarray(x, sycl_queue=queue)
    assert_near(usm.average(y, (2, 0), weights), expected)
    # No error, and no wait for the sum.
    zeros = usm.average(y, 0, np.array([1, -1], "f4"))
    assert not bool(usm.any(usm.isfinite(zeros)))


@given(shapes(max_dims=2), st.booleans())
def test_halves_do_not_overflow(queue, shape, keepdims):
    x = usm.full(shape, 60000, dtype="f2", sycl_queue=queue)
    if x.size:
        result = usm.average(x, weights=usm.full_like(x, 100), keepdims=keepdims)
        assert result.dtype == "f2" and float(usm.reshape(result, ())) == 60000


def test_bad_arguments(queue):
    x = usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    for function in (usm.median, usm.average, usm.ptp):
        with pytest.raises(AxisError):
            function(x, 2)
        with pytest.raises(ValueError):
            function(x, (0, 0))
        with pytest.raises(TypeError, match=function.__name__):
            function([1, 2])
        with pytest.raises(TypeError, match=function.__name__):
            function(x, True)
        with pytest.raises(TypeError, match="keepdims"):
            function(x, keepdims="yes")
    for function in (usm.median, usm.ptp):
        with pytest.raises(ValueError, match="shape"):
            function(x, 0, out=x)
        with pytest.raises(TypeError, match="out"):
            function(x, 0, out=np.zeros(3, "f4"))
    with pytest.raises(ValueError, match="weights have shape"):
        usm.average(x, weights=np.ones(3, "f4"))
    with pytest.raises(TypeError, match="weights"):
        usm.average(x, weights="heavy")
