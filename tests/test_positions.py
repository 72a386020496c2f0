"""argmax and argmin, against NumPy."""

import itertools

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, skip_without_tiers
from hypothesis import given
from hypothesis import strategies as st
from numpy.exceptions import AxisError
from strategies import numbered, recipes, supported_dtypes

import usmtensor as usm

NAMES = ["argmax", "argmin"]


def check(name, on_device, x, **keywords):
    function = getattr(usm, name)
    try:
        expected = np.asarray(getattr(np, name)(x, **keywords))
    except ValueError:
        with pytest.raises(ValueError, match=name):
            function(on_device, **keywords)
        return
    result = function(on_device, **keywords)
    assert result.dtype == np.int64
    np.testing.assert_array_equal(usm.asnumpy(result), expected, strict=True)


@pytest.mark.parametrize("name", NAMES)
@given(recipe=recipes(max_side=6), data=st.data(), keepdims=st.booleans())
def test_layouts(loops, name, recipe, data, keepdims, queue):
    x, on_device = recipe.pair(queue)
    places = st.integers(-x.ndim, x.ndim - 1) if x.ndim else st.none()
    check(name, on_device, x, axis=data.draw(st.none() | places), keepdims=keepdims)


@pytest.mark.any_memory
@pytest.mark.parametrize("shape", [(300_000,), (3, 140_000), (2500, 3), (300, 301), (7, 50, 60)])
@pytest.mark.parametrize("char", [dtype.char for dtype in supported_dtypes()])
def test_sizes(loops, shape, char, queue):
    random = np.random.default_rng(3)
    x = random.integers(0, 100, shape).astype(char)
    on_device = usm.asarray(x, sycl_queue=queue)
    for name in NAMES:
        for axis in (None, *range(x.ndim)):
            check(name, on_device, x, axis=axis)
            check(name, on_device[::-1], x[::-1], axis=axis)


@pytest.mark.parametrize("char", [dtype.char for dtype in supported_dtypes()])
def test_short_rows_and_few_columns(loops, char, queue):
    random = np.random.default_rng(5)
    for shape in itertools.product((1, 7, 8, 16, 33, 129, 1020), (2, 3, 7, 9, 17, 31, 46, 100)):
        x = random.integers(0, 4, shape).astype(char)
        if x.dtype.kind in "fc":
            x[random.random(shape) < 0.01] = np.nan
        on_device = usm.asarray(x, sycl_queue=queue)
        for name in NAMES:
            for axis in (0, 1):
                check(name, on_device, x, axis=axis)
        check("argmax", on_device[:, 1:], x[:, 1:], axis=0)
        check("argmax", on_device[:, ::-1], x[:, ::-1], axis=1)


@pytest.mark.parametrize("char", ["e", "f", "d", "F", "D"])
def test_special_values(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    for size in (1, 2, 70, 140_000):
        for value in (np.nan, np.inf, -np.inf, 3):
            for places in ([0], [size - 1], [size // 2, size - 1], range(size)):
                x = np.zeros(size, char)
                x[places] = value
                for name in NAMES:
                    on_device = usm.asarray(x, sycl_queue=queue)
                    check(name, on_device, x)
                    if size < 100:
                        check(name, usm.reshape(on_device, (size, 1)), x.reshape(size, 1), axis=0)
    if char in "FD":
        x = np.array([1 + 2j, 1 + 3j, complex(0, np.nan), complex(np.nan, 1), 5], char)
        for part in (x[:2], x, x[4:]):
            for name in NAMES:
                check(name, usm.asarray(part, sycl_queue=queue), part)


@pytest.mark.parametrize("char", ["b", "B", "h", "H", "i", "I", "l", "L"])
def test_limits_of_integers(char, queue):
    info = np.iinfo(char)
    x = np.array([1, info.max, info.min, info.max, info.min], char)
    for name in NAMES:
        check(name, usm.asarray(x, sycl_queue=queue), x)


@pytest.mark.parametrize("name", NAMES)
def test_both_tiers(name, device, queue):
    skip_without_tiers(device)
    x = np.random.default_rng(4).integers(0, 50, (400, 500)).astype("f4")
    for axis in (None, 0, 1):
        for tier in (all_on_the_host, all_on_the_device):
            on_device = usm.asarray(x, sycl_queue=queue)
            with tier(queue):
                result = getattr(usm, name)(on_device, axis=axis)
            np.testing.assert_array_equal(usm.asnumpy(result), getattr(np, name)(x, axis=axis))


def test_out(queue):
    x = numbered((6, 5), "f4")
    out = usm.zeros((5, 2), dtype="i8", sycl_queue=queue)
    assert usm.argmax(usm.asarray(x, sycl_queue=queue), axis=0, out=out[:, 1]) is not None
    np.testing.assert_array_equal(usm.asnumpy(out[:, 1]), x.argmax(axis=0))
    out = usm.empty((), dtype="i4", sycl_queue=queue)
    assert usm.argmax(usm.asarray(x, sycl_queue=queue), out=out) == x.argmax()
    with pytest.raises(TypeError, match="argmax: out has data type uint8"):
        usm.argmax(usm.asarray(x, sycl_queue=queue), out=usm.empty((), dtype="u1"))


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments(name, queue):
    function, x = getattr(usm, name), usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    for axis in (True, 1.5, (0, 1)):
        with pytest.raises(TypeError, match=f"{name}: axis"):
            function(x, axis=axis)
    with pytest.raises(AxisError):
        function(x, axis=2)
    with pytest.raises(ValueError, match=f"{name}: a has shape"):
        function(x[:0])
    assert function(x[:0], axis=1).shape == (0,)
    with pytest.raises(TypeError, match=f"{name}: a is of type"):
        function([1, 2])


@pytest.mark.parametrize("shape", [(70,), (5, 40), (40, 5), (300000,), (3, 150000), (150000, 3)])
def test_bools_of_any_byte(queue, shape):
    """Every byte but 0 is true, and the first one is found in rows, columns and views."""
    random = np.random.default_rng(len(shape))
    host = np.where(random.random(shape) < 0.01, random.integers(1, 256, shape), 0).astype("u1")
    for values in (host, np.where(host == 0, 255, 0).astype("u1")):
        x = usm.usm_ndarray(shape, "?", buffer=usm.asarray(values, sycl_queue=queue))
        views = [(x, values), (x[::-1], values[::-1]), (x[1::2], values[1::2])]
        views += [(x.T, values.T)] if x.ndim == 2 else []
        for view, numbers in views:
            for axis in (None, *range(view.ndim)):
                for ours, theirs in ((usm.argmax, np.argmax), (usm.argmin, np.argmin)):
                    expected = theirs(numbers != 0, axis=axis)
                    np.testing.assert_array_equal(usm.asnumpy(ours(view, axis=axis)), expected)
