"""Scans and differences, against NumPy."""

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, assert_same_bits, skip_without_tiers
from checks import assert_same
from elementwise_oracle import held
from hypothesis import given
from hypothesis import strategies as st
from numpy.exceptions import AxisError
from strategies import dtypes, numbered, recipes, supported_dtypes

import usmtensor as usm

NAMES = ["cumulative_sum", "cumulative_prod"]


def assert_close(result, expected, x):
    assert result.shape == expected.shape
    assert result.dtype == held(expected.dtype)
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(usm.asnumpy(result), expected)
    else:
        eps = np.finfo(result.dtype).eps
        scale = float(np.abs(expected).max()) if expected.size else 0
        np.testing.assert_allclose(
            usm.asnumpy(result), expected, rtol=256 * eps, atol=64 * eps * scale
        )


def wanted(name, x, **keywords):
    function = getattr(np, name)
    if x.dtype.kind == "f" and x.dtype.itemsize == 2 and "dtype" not in keywords:
        return function(x.astype("f4"), **keywords).astype("f2")
    return function(x, **keywords)


@pytest.mark.sanitized
@pytest.mark.parametrize("name", NAMES)
@given(recipe=recipes(max_side=6), data=st.data(), initial=st.booleans())
def test_layouts(loops, name, recipe, data, initial, queue):
    x, on_device = recipe.pair(queue)
    if x.ndim == 0:
        return
    if name == "cumulative_prod":
        x = x if x.dtype.kind == "b" else (x % 3 if x.dtype.kind != "c" else x / 100)
        on_device = usm.asarray(x, sycl_queue=queue)
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    expected = wanted(name, x, axis=axis, include_initial=initial)
    result = getattr(usm, name)(on_device, axis=axis, include_initial=initial)
    assert_close(result, expected, x)


SHAPES = [(1,), (31,), (32,), (40,), (600,), (40_000,), (200_001,), (3, 40_000), (20, 3000)]
SHAPES += [(3000, 4), (3000, 1200), (6, 50, 60), (1, 2, 3, 4, 5, 6, 7)]


@pytest.mark.any_memory
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("char", ["i", "L", "f", "d", "F", "D"])
def test_sizes(loops, shape, char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    if np.prod(shape) > 1e6 and char != "f":
        return
    x = numbered(shape, char)
    on_device = usm.asarray(x, sycl_queue=queue)
    for axis in range(x.ndim):
        assert_close(usm.cumulative_sum(on_device, axis=axis), np.cumulative_sum(x, axis=axis), x)
        expected = np.cumulative_sum(x[::-1], axis=axis)
        assert_close(usm.cumulative_sum(on_device[::-1], axis=axis), expected, x)
        ones = np.where(x == 3, 2, 1).astype(char)[..., :30]
        assert_close(
            usm.cumulative_prod(usm.asarray(ones, sycl_queue=queue), axis=axis),
            np.cumulative_prod(ones, axis=axis),
            ones,
        ) if axis == x.ndim - 1 else None


@given(source=dtypes(), target=dtypes(), size=st.integers(0, 70))
def test_dtype(source, target, size, queue):
    x = numbered((size,), source)
    on_device = usm.asarray(x, sycl_queue=queue)
    cast = usm.asnumpy(usm.astype(on_device, target))
    if target.char == "?":
        expected = np.logical_or.accumulate(cast)
    else:
        with np.errstate(all="ignore"):
            expected = np.cumsum(cast, dtype="f4" if target.char == "e" else target).astype(target)
    result = usm.cumulative_sum(on_device, dtype=target)
    with np.errstate(all="ignore"):
        assert_close(result, expected, x)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("char", [dtype.char for dtype in supported_dtypes()])
def test_both_tiers_give_the_same_bits(name, char, device, queue):
    skip_without_tiers(device)
    random = np.random.default_rng(1)
    for shape in ((5,), (70,), (100_000,), (3, 700), (700, 3), (30, 40, 5)):
        x = random.normal(size=shape).astype(char)
        for axis in range(x.ndim):
            results = []
            for tier in (all_on_the_host, all_on_the_device):
                on_device = usm.asarray(x, sycl_queue=queue)
                with tier(queue):
                    result = getattr(usm, name)(on_device, axis=axis)
                results.append(usm.asnumpy(result))
            assert_same_bits(*results, case=f"{name} of {shape} along {axis}")


INEXACT = [dtype.char for dtype in supported_dtypes() if dtype.char in "fdFD"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("char", ["l", *INEXACT])
def test_strides_do_not_matter(name, char, queue):
    random = np.random.default_rng(2)
    for n in (7, 70, 3000, 100_000):
        values = 2 * random.integers(9, size=(n, 2)) + 1  # odd: no product is 0
        if char != "l":
            values = 1 + values / 10_000
        x = usm.asarray(values.astype(char), sycl_queue=queue)[:, 0]
        out = usm.zeros((n, 3), dtype=char, sycl_queue=queue)[:, 1]
        function = getattr(usm, name)
        expected = usm.asnumpy(function(usm.copy(x)))
        assert_same_bits(usm.asnumpy(function(x)), expected, case=f"x, {n}")
        assert_same_bits(usm.asnumpy(function(x, out=out)), expected, case=f"x and out, {n}")


@pytest.mark.parametrize("place", [0, 3, 8, 21, 70])
@pytest.mark.parametrize("char", INEXACT)
@pytest.mark.quirk("nvptx-shuffles")
def test_special_values(char, place, queue):
    x = np.ones(place + 80, char)
    x[place : place + 7] = [1, np.inf, 2, -np.inf, 3, np.nan, 1]
    result = usm.asnumpy(usm.cumulative_sum(usm.asarray(x, sycl_queue=queue)))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, np.cumsum(x))


@pytest.mark.parametrize("char", INEXACT)
def test_sums_of_negative_zeros(char, queue):
    x = np.zeros(100, char)
    x.view(char.lower())[:] = -0.0  # both parts
    zeros = usm.cumulative_sum(usm.asarray(x, sycl_queue=queue))
    assert np.signbit(usm.asnumpy(zeros).view(char.lower())).all()


@pytest.mark.parametrize("char", [char for char in INEXACT if char in "fd"])
def test_sums_of_positive_numbers_do_not_fall(char, device, queue):
    """Otherwise they could not be searched, as the steps of a distribution are."""
    if not device.is_cpu:
        pytest.skip("another device has another tree")
    random = np.random.default_rng(3)
    x = (random.random((100, 2000)) ** 20 * (random.random((100, 2000)) < 0.5)).astype(char)
    steps = np.diff(usm.asnumpy(usm.cumulative_sum(usm.asarray(x, sycl_queue=queue), axis=1)))
    assert (steps >= 0).all()
    assert (steps[x[:, 1:] == 0] == 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_out(name, queue):
    x = numbered((6, 5), "f4") % 3
    expected = getattr(np, name)(x, axis=1)
    on_device = usm.asarray(x, sycl_queue=queue)
    base = usm.zeros((6, 5, 2), dtype="f4", sycl_queue=queue)
    out = base[..., 1]
    assert getattr(usm, name)(on_device, axis=1, out=out) is out
    np.testing.assert_array_equal(usm.asnumpy(out), expected)
    assert not usm.asnumpy(base[..., 0]).any()
    getattr(usm, name)(on_device, axis=1, out=on_device[::-1])
    np.testing.assert_array_equal(usm.asnumpy(on_device[::-1]), expected)
    on_device = usm.asarray(x, sycl_queue=queue)
    getattr(usm, name)(on_device, axis=1, out=on_device)
    np.testing.assert_array_equal(usm.asnumpy(on_device), expected)
    with pytest.raises(ValueError, match=f"{name}: out has shape"):
        getattr(usm, name)(on_device, axis=1, include_initial=True, out=on_device)
    with pytest.raises(ValueError, match="read-only"):
        getattr(usm, name)(on_device, axis=1, out=usm.broadcast_to(on_device[0], (6, 5)))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("char", ["?", "b", "i", "f"])
def test_out_of_another_type(name, char, queue):
    """The result is converted. A scan has the type of `out`, unless it is less precise."""
    function, x = getattr(usm, name), usm.asarray(numbered((3, 4), char), sycl_queue=queue)
    own = function(x, axis=1, include_initial=True)
    for dtype in supported_dtypes():
        out = usm.zeros((3, 10), dtype=dtype, sycl_queue=queue)[:, ::-2]
        call = lambda **more: function(x, axis=1, include_initial=True, **more)  # noqa: E731
        own_type = np.can_cast(x.dtype, dtype, "safe" if x.dtype.kind == "f" else "same_kind")
        if not (own_type or np.can_cast(own.dtype, dtype, "same_kind")):
            with pytest.raises(TypeError, match=f"{name}: out has data type {dtype}; expected"):
                call(out=out)
            continue
        assert call(out=out) is out
        expected = call(dtype=dtype) if own_type else own
        assert_same(out, usm.asnumpy(expected).astype(dtype))
    total = function(usm.asarray([100, 100], dtype="i1", sycl_queue=queue), dtype="i1", out=None)
    assert_same(
        function(usm.asarray([100, 100], dtype="i1"), dtype="i1", out=usm.zeros(2, dtype="i8")),
        usm.asnumpy(total).astype("i8"),
    )


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments(name, queue):
    function, x = getattr(usm, name), usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    with pytest.raises(ValueError, match=f"{name}: axis"):
        function(x)
    with pytest.raises(AxisError):
        function(x, axis=2)
    with pytest.raises(AxisError, match=name):
        function(usm.asarray(1.0, dtype="f4", sycl_queue=queue), axis=1)
    for axis in (True, 1.5, (0,)):
        with pytest.raises(TypeError, match=f"{name}: axis"):
            function(x, axis=axis)
    with pytest.raises(TypeError, match=f"{name}: x is of type"):
        function([1, 2])


@pytest.mark.parametrize("name", [*NAMES, "cumulative_logsumexp"])
def test_arrays_of_no_dimensions(name, queue):
    """They count as one element if no axis is given; the standard leaves them open."""
    function, x = getattr(usm, name), usm.asarray(3, dtype="f4", sycl_queue=queue)
    first = {"cumulative_sum": 0, "cumulative_prod": 1, "cumulative_logsumexp": -np.inf}[name]
    assert_same(function(x), np.float32(3))
    assert_same(function(x, include_initial=True), np.array([first, 3], "f4"))
    assert_same(function(x, dtype="i4"), np.int32(3))
    for initial, shape in ((False, ()), (True, (2,))):
        out = usm.zeros(shape, dtype="f4", sycl_queue=queue)
        assert function(x, include_initial=initial, out=out) is out
        assert_same(out, usm.asnumpy(function(x, include_initial=initial)))
        wrong = usm.zeros((1,), dtype="f4", sycl_queue=queue)
        with pytest.raises(ValueError, match=f"{name}: out has shape"):
            function(x, include_initial=initial, out=wrong)
    out = usm.asarray(3, dtype="f4", sycl_queue=queue)
    assert_same(function(out, out=out), np.float32(3))
    for axis in (0, -1):
        with pytest.raises(AxisError):
            function(x, axis=axis)


# Differences


@given(recipe=recipes(max_side=6), data=st.data(), n=st.integers(0, 7))
def test_differences(recipe, data, n, queue):
    x, on_device = recipe.pair(queue)
    if x.ndim == 0:
        return
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    with np.errstate(all="ignore"):
        expected = np.diff(x, n=n, axis=axis)
    np.testing.assert_array_equal(usm.asnumpy(usm.diff(on_device, axis=axis, n=n)), expected)


def test_prepend_and_append(queue):
    x = numbered((4, 5), "f4")
    on_device = usm.asarray(x, sycl_queue=queue)
    for axis in (0, 1):
        for prepend in (None, 2, x[:1, :1], x):
            for append in (None, 3, x):
                if getattr(prepend, "shape", ()) == (1, 1):
                    continue
                given = {"prepend": prepend, "append": append}
                given = {name: value for name, value in given.items() if value is not None}
                ours = {
                    name: usm.asarray(value, sycl_queue=queue) if value is x else value
                    for name, value in given.items()
                }
                result = usm.diff(on_device, axis=axis, **ours)
                np.testing.assert_array_equal(usm.asnumpy(result), np.diff(x, axis=axis, **given))


def test_prepended_operands_promote(queue):
    x = np.array([1, 4, 9], "i2")
    on_device = usm.asarray(x, sycl_queue=queue)
    for value in (0.5, 3, True, [7, 8], np.array([2.5], "f4"), np.float32(0.5), np.arange(2)):
        expected = np.diff(x, prepend=value)
        result = usm.asnumpy(usm.diff(on_device, prepend=value))
        np.testing.assert_array_equal(result, expected)
        assert result.dtype.kind == expected.dtype.kind
    with pytest.raises(OverflowError, match="diff: 70000 does not fit"):
        usm.diff(on_device, append=70000)
    with pytest.raises(TypeError, match="diff: prepend is of type"):
        usm.diff(on_device, prepend="a")


def test_bad_differences(queue):
    x = usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    with pytest.raises(ValueError, match="diff: n"):
        usm.diff(x, n=-1)
    with pytest.raises(TypeError, match="diff: n"):
        usm.diff(x, n=1.5)
    with pytest.raises(ValueError, match="diff: axis"):
        usm.diff(x[0, 0])
    with pytest.raises(AxisError):
        usm.diff(x, axis=2)
    assert usm.diff(x, n=10**12).shape == (2, 0)
    for name in ("prepend", "append"):
        for shape in ((3, 1), (2,), (1, 2, 1), (1, 1)):
            with pytest.raises(ValueError, match=f"diff: {name} has shape .*; expected"):
                usm.diff(x, **{name: usm.ones(shape, dtype="f4", sycl_queue=queue)})
        for value in (Ellipsis, "a", object()):
            with pytest.raises(TypeError, match=f"diff: {name} is of type"):
                usm.diff(x, **{name: value})


# Logarithms of sums of exponentials


@given(recipe=recipes(max_side=7), data=st.data(), initial=st.booleans())
def test_logarithms(recipe, data, initial, queue):
    x, on_device = recipe.pair(queue)
    if x.dtype.kind == "c":
        with pytest.raises(TypeError, match="not defined for"):
            usm.cumulative_logsumexp(on_device)
    if x.ndim == 0 or x.dtype.kind == "c":
        return
    axis = data.draw(st.integers(-x.ndim, x.ndim - 1))
    result = usm.cumulative_logsumexp(on_device, axis=axis, include_initial=initial)
    if initial:
        assert (usm.asnumpy(usm.take(result, 0, axis=axis)) == -np.inf).all()
        result = usm.take(result, usm.arange(1, x.shape[axis] + 1, sycl_queue=queue), axis=axis)
    expected = np.logaddexp.accumulate(x.astype("f8"), axis=axis)
    eps = float(np.finfo(result.dtype).eps)
    np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=8 * eps, atol=8 * eps)


@pytest.mark.parametrize("dtype", supported_dtypes(), ids=str)
def test_logarithms_in_all_types(dtype, queue):
    x = usm.ones(4, dtype="i4", sycl_queue=queue)
    result = usm.cumulative_logsumexp(x, dtype=dtype)
    assert result.dtype == dtype
    expected = (1 + np.log([1, 2, 3, 4])).astype(dtype)
    eps = 8 * float(np.finfo(dtype).eps) if dtype.kind in "fc" else 0
    np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=eps)


def test_special_logarithms(queue):
    x = np.array([-np.inf, -np.inf, 800, 0, np.inf, np.nan], "f4")
    result = usm.asnumpy(usm.cumulative_logsumexp(usm.asarray(x, sycl_queue=queue)))
    np.testing.assert_array_equal(
        result, np.array([-np.inf, -np.inf, 800, 800, np.inf, np.nan], "f4")
    )
