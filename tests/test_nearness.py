"""isclose, allclose, nan_to_num: against NumPy."""

import warnings

import numpy as np
import pytest
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from strategies import dtypes, examples, recipes, skip_without
from test_sorting import values

import usmtensor as usm


@examples(60)
@given(st.tuples(dtypes(), dtypes()), st.integers(0, 99), st.integers(0, 99), st.booleans())
def test_isclose(queue, types, size, seed, equal_nan):
    """Few values: many are equal, NaN, infinite, or just within the tolerance."""
    a, b = (values(dtype, size, seed + k, few=True) for k, dtype in enumerate(types))
    keywords = {"rtol": 0.25, "atol": 0.5, "equal_nan": equal_nan}
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (a, b))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # NumPy cannot subtract bools.
        expected = np.isclose(a.astype("u1") if a.dtype == "?" else a, b, **keywords)
    result = usm.isclose(x, y, **keywords)
    assert_same(result, np.asarray(expected))
    assert_same(usm.allclose(x, y, **keywords), np.asarray(expected.all()))


@examples(60)
@given(recipes(), st.sampled_from([3, 2.5, 0, True, -1]))
def test_isclose_of_views_and_numbers(queue, recipe, number):
    x, y = recipe.pair(queue)
    if x.dtype == "?":
        x = x.astype("u1")
    with np.errstate(all="ignore"):
        assert_same(usm.isclose(y, number), np.asarray(np.isclose(x, float(number))))
        assert_same(usm.isclose(number, y), np.asarray(np.isclose(float(number), x)))


def test_isclose_places(queue, usm_kind):
    x = usm.asarray([[1.0], [2.0]], dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    result = usm.isclose(x, np.array([1.0, 2.0], "f4"))
    assert_same(result, np.eye(2, dtype=bool))
    assert result.usm_type == usm_kind and result.sycl_queue == queue
    assert usm.allclose(x, x).shape == ()
    for function in (usm.isclose, usm.allclose):  # dpctl has the tolerances in another order
        with pytest.raises(TypeError):
            function(x, x, 1e-3)
    assert_same(usm.isclose(x, 1 + 1e-3, rtol=0, atol=1e-2), np.array([[True], [False]]))
    assert_same(usm.isclose(x[:0], x[:0]), np.zeros((0, 1), bool))


@examples(100)
@given(dtypes(), st.integers(0, 99), st.integers(0, 99), st.data())
def test_nan_to_num(queue, dtype, size, seed, data):
    x = values(dtype, size, seed, few=True)
    numbers = st.sampled_from([-2.0, 0.0, 7.0, np.inf, np.nan])
    keywords = {
        name: data.draw(numbers)
        for name in data.draw(st.sets(st.sampled_from(["nan", "posinf", "neginf"])))
    }
    y = usm.asarray(x, sycl_queue=queue)
    expected = np.nan_to_num(x, **keywords)
    assert_same(usm.nan_to_num(y, **keywords), expected)
    np.testing.assert_array_equal(usm.asnumpy(y), x)
    assert usm.nan_to_num(y, copy=False, **keywords) is y
    assert_same(y, expected)


@examples(60)
@given(recipes())
def test_nan_to_num_of_views(queue, recipe):
    x, y = recipe.pair(queue)
    assert_same(usm.nan_to_num(y), np.nan_to_num(x))


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16", "i4"])
def test_arrays_in_place_of_nan_and_infinities(queue, dtype):
    skip_without(dtype)
    rng = np.random.default_rng(3)
    x = rng.choice([np.nan, np.inf, -np.inf, 1], (3, 4, 5))
    if dtype[0] == "c":
        imag = rng.choice([np.nan, np.inf, -np.inf, 2], x.shape)
        x = np.stack([x, imag], axis=-1).view("c16")[..., 0]
    x = x.astype(dtype) if dtype != "i4" else np.arange(60, dtype="i4").reshape(3, 4, 5)
    replacements = {
        "nan": rng.integers(9, size=(4, 5)).astype("f4"),
        "posinf": rng.integers(9, size=(3, 1, 5)).astype("i2")[..., ::-1],
        "neginf": np.array(7, "f4"),
    }
    expected = np.nan_to_num(x, **replacements)
    y = usm.asarray(x, sycl_queue=queue)
    ours = {name: usm.asarray(a, sycl_queue=queue) for name, a in replacements.items()}
    for keywords in (replacements, ours, replacements | {"nan": ours["nan"]}):
        assert_same(usm.nan_to_num(y, **keywords), expected)
    assert_same(usm.nan_to_num(y, nan=ours["nan"]), np.nan_to_num(x, nan=replacements["nan"]))
    assert usm.nan_to_num(y, copy=False, **ours) is y
    assert_same(y, expected)


def test_bad_replacements(queue):
    x = usm.asarray([1.0, np.nan], dtype="f4", sycl_queue=queue)
    for name in ("nan", "posinf", "neginf"):
        for wrong in (usm.ones(3, dtype="f4", sycl_queue=queue), np.ones((2, 2), "f4")):
            with pytest.raises(ValueError, match=f"nan_to_num: {name}: cannot broadcast"):
                usm.nan_to_num(x, **{name: wrong})
        for wrong in ("much", [1, 2], np.ma.array([1, 2], mask=[0, 1]), np.array(["a", "b"])):
            with pytest.raises(TypeError, match=f"nan_to_num: {name}"):
                usm.nan_to_num(x, **{name: wrong})
        with pytest.raises(TypeError, match=f"nan_to_num: {name} is of data type complex64"):
            usm.nan_to_num(x, **{name: np.ones(2, "c8")})


def test_bad_arguments(queue):
    x = usm.asarray([1.0, np.nan], dtype="f4", sycl_queue=queue)
    for function in (usm.isclose, usm.allclose):
        with pytest.raises(usm.ExecutionPlacementError, match=function.__name__):
            function(np.ones(2), 2.0)
        with pytest.raises(TypeError, match="b is of type str"):
            function(x, "1")
        with pytest.raises(TypeError, match="rtol"):
            function(x, x, rtol="1")
        with pytest.raises(TypeError, match="equal_nan"):
            function(x, x, equal_nan=2.5)
        with pytest.raises(ValueError, match="broadcast"):
            function(x, usm.reshape(usm.concat([x, x[:1]]), 3))
    with pytest.raises(TypeError, match="nan_to_num"):
        usm.nan_to_num(1.0)
    with pytest.raises(TypeError, match="posinf"):
        usm.nan_to_num(x, posinf="much")
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        usm.nan_to_num(x, copy=False)
    assert_same(usm.nan_to_num(x), np.array([1, 0], "f4"))
