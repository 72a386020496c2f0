"""pad: against NumPy."""

from unittest.mock import patch

import numpy as np
import pytest
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from numpy_calls import compare_pairs
from strategies import examples, recipes

import usmtensor as usm
from usmtensor._composed import padding

MODES = sorted(padding._KEYWORDS.keys() - {"empty"})


@st.composite
def widths(draw, ndim):
    number = st.integers(0, 9)
    kind = draw(st.sampled_from(["one", "pair", "pairs", "dict"]))
    if kind == "one":
        return draw(number)
    if kind == "pair":
        return draw(number), draw(number)
    if kind == "dict" and ndim:
        return {-1: (draw(number), draw(number))}
    return tuple((draw(number), draw(number)) for _ in range(ndim)) or 0


@examples(300)
@given(recipes(max_dims=3, max_side=4), st.sampled_from(MODES), st.data())
def test_pad(queue, recipe, mode, data):
    x, y = recipe.pair(queue)
    keywords = {}
    if mode == "constant":
        value = st.integers(0, 3)
        keywords = {"constant_values": data.draw(st.one_of(value, st.tuples(value, value)))}
    elif mode in ("reflect", "symmetric") and x.dtype != "?":
        keywords = {"reflect_type": data.draw(st.sampled_from(["even", "odd"]))}
    elif mode in ("maximum", "mean", "median", "minimum"):
        keywords = {"stat_length": data.draw(st.sampled_from([None, 1, 2, (1, 3)]))}
    elif mode == "linear_ramp":
        keywords = {"end_values": data.draw(st.sampled_from([0, 2, (1, 3)]))}
    if mode == "linear_ramp" and x.dtype.kind in "?u":
        return  # NumPy subtracts, and wraps
    if mode in ("mean", "median", "maximum", "minimum", "linear_ramp") and x.dtype.kind in "?c":
        return  # NumPy refuses bools, or rounds another way
    width = data.draw(widths(x.ndim))
    inexact = mode in ("mean", "linear_ramp") and x.dtype.kind in "fc"
    with patch.object(padding, "_LARGE", data.draw(st.sampled_from([0, padding._LARGE]))):
        compare_pairs(
            lambda xp, a: xp.pad(a, width, mode=mode, **keywords),
            [x],
            [y],
            ulps=8 if inexact else 0,
        )


@pytest.mark.parametrize("kind", ["even", "odd"])
@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_mirrors_many_times(queue, mode, n, kind):
    x = np.arange(n, dtype="i4") ** 2 + 3
    expected = np.pad(x, (17, 23), mode=mode, reflect_type=kind)
    result = usm.pad(usm.asarray(x, sycl_queue=queue), (17, 23), mode=mode, reflect_type=kind)
    assert_same(result, expected)


def test_function_and_empty(queue):
    def fill(vector, width, axis, kwargs):
        vector[: width[0]] = kwargs["value"] + axis
        vector[vector.shape[0] - width[1] :] = -1

    x = np.arange(6.0).reshape(2, 3)
    y = usm.asarray(x, sycl_queue=queue)
    assert_same(
        usm.pad(y, ((1, 2), (3, 0)), fill, value=7), np.pad(x, ((1, 2), (3, 0)), fill, value=7)
    )
    empty = usm.pad(y, 1, "empty")
    assert empty.shape == (4, 5)
    assert_same(empty[1:-1, 1:-1], x)


def test_edges_that_are_not_numbers(queue):
    x = np.array([1, 2, np.inf], "f4")
    result = usm.pad(usm.asarray(x, sycl_queue=queue), (2, 0), "reflect", reflect_type="odd")
    assert_same(result, np.array([-np.inf, 0, 1, 2, np.inf], "f4"))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: usm.pad(x, -1), "pad_width is -1"),
        (lambda x: usm.pad(x, (1, 2, 3)), "pad_width is .* 2 pairs"),
        (lambda x: usm.pad(x, {5: 1}), "pad_width is .* axes"),
        (lambda x: usm.pad(x, 1, "mirror"), "mode is 'mirror'"),
        (lambda x: usm.pad(x, 1, "edge", constant_values=1), "mode is 'edge'"),
        (lambda x: usm.pad(x, 1, "reflect", reflect_type="even!"), "reflect_type is"),
        (lambda x: usm.pad(x, 1, "maximum", stat_length=0), "stat_length is 0"),
        (lambda x: usm.pad(x[:0], 1, "edge"), "array.shape is"),
    ],
)
def test_wrong_arguments(queue, call, words):
    with pytest.raises(ValueError, match=f"pad: {words}"):
        call(usm.ones((2, 3), sycl_queue=queue))


@pytest.mark.parametrize("value", [300, -1, 2**40, np.int64(256), np.array([[1, 256]])], ids=repr)
def test_values_out_of_range_of_the_type(queue, value):
    x = usm.ones(3, dtype="u1", sycl_queue=queue)
    with pytest.raises(OverflowError, match=r"pad: constant_values: .* does not fit uint8"):
        usm.pad(x, 1, constant_values=value)
    with pytest.raises(OverflowError, match=r"pad: end_values: .* does not fit uint8"):
        usm.pad(x, 1, "linear_ramp", end_values=value)


def test_wrong_types(queue):
    with pytest.raises(TypeError, match="pad: array is of type ndarray"):
        usm.pad(np.ones(3), 1)
    with pytest.raises(TypeError, match="pad: pad_width is of type float"):
        usm.pad(usm.ones(3, sycl_queue=queue), 1.5)
