"""Reductions: against NumPy, over shapes, strides, axes and types; accuracy; both tiers."""

import math
import warnings

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, assert_same_bits, skip_without_tiers
from checks import assert_same
from elementwise_oracle import held
from hypothesis import given
from hypothesis import strategies as st
from numpy.exceptions import AxisError
from placement import PLACES
from strategies import dtypes, examples, numbered, recipes, skip_without, supported_dtypes

import usmtensor as usm

NAMES = ["sum", "prod", "max", "min", "any", "all", "count_nonzero", "mean"]


def wanted(name, x, **keywords):
    """NumPy's result, in the type of the standard."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of means of nothing
        if name == "prod" and x.dtype.char == "e" and not keywords.get("dtype"):
            # NumPy's product overflows on the way, by its order; a later zero makes it NaN.
            return np.asarray(np.prod(x.astype("f4"), **keywords)).astype("e")
        result = np.asarray(getattr(np, name)(x, **keywords))
    if name == "mean" and x.dtype.kind in "fc":
        return result.astype(x.dtype)
    if name in ("sum", "prod") and "dtype" not in keywords and x.dtype.kind in "fc":
        return result.astype(x.dtype)
    return result


def assert_close(result, expected, x):
    assert result.shape == expected.shape
    assert result.dtype == held(expected.dtype)
    host = usm.asnumpy(result)
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(host, expected)
    else:
        tolerance = 4 * np.finfo(result.dtype).eps
        size = np.abs(x).sum() if x.size and expected.dtype != "f2" else 0
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(host, expected, rtol=16 * tolerance, atol=size * tolerance)


@st.composite
def axes(draw, ndim):
    """None, one axis or several, counted from either end."""
    several = st.lists(st.integers(0, ndim - 1), unique=True) if ndim else st.just([])
    chosen = draw(st.one_of(st.none(), several))
    if chosen is None:
        return None
    chosen = [axis - ndim if draw(st.booleans()) else axis for axis in chosen]
    return chosen[0] if len(chosen) == 1 and draw(st.booleans()) else tuple(chosen)


def small(x):
    """Values whose sums and products every type holds."""
    return x if x.dtype.kind == "b" else (x % 3 if x.dtype.kind in "iuf" else x / 100)


# Shapes, strides, axes


@pytest.mark.parametrize("name", NAMES)
@given(recipe=recipes(max_side=6), data=st.data(), keepdims=st.booleans())
def test_layouts(loops, name, recipe, data, keepdims, queue):
    x, on_device = recipe.pair(queue)
    axis = data.draw(axes(x.ndim))
    if name == "prod":
        x, on_device = small(x), usm.asarray(small(x), sycl_queue=queue)
    try:
        expected = wanted(name, x, axis=axis, keepdims=keepdims)
    except ValueError:
        with pytest.raises(ValueError, match=name):
            getattr(usm, name)(on_device, axis=axis, keepdims=keepdims)
        return
    assert_close(getattr(usm, name)(on_device, axis=axis, keepdims=keepdims), expected, x)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all", "mean", "var", "std"])
@given(recipe=recipes(max_side=4), data=st.data(), keepdims=st.booleans())
def test_where_and_initial(name, recipe, data, keepdims, queue):
    x = small(recipe.pair(queue)[0])
    x = x.astype("f4") if x.dtype == "f2" else x  # NumPy rounds its sums otherwise
    axis = data.draw(axes(x.ndim))
    seed = data.draw(st.integers(0, 9))
    mask = np.asarray(np.random.default_rng(seed).random(x.shape) < 0.6)
    keywords, ours = {"axis": axis, "keepdims": keepdims}, {}
    if data.draw(st.booleans()):
        keywords["where"] = mask
        ours["where"] = usm.asarray(mask, sycl_queue=queue)
    if (name in ("sum", "prod") and data.draw(st.booleans())) or name in ("max", "min"):
        # NumPy converts it to the type of the result.
        keywords["initial"] = data.draw(st.sampled_from([0, 3, 2.5, True, np.float32(1.5)]))
    expected = wanted(name, x, **keywords)
    result = getattr(usm, name)(usm.asarray(x, sycl_queue=queue), **keywords | ours)
    assert_close(result, expected, x * x if name == "var" else x)


SHAPES = [(1,), (3,), (17,), (1000,), (40_000,), (200_001,), (3, 40_000), (40_000, 3), (300, 700)]
SHAPES += [(1001, 2), (1003, 4), (9, 50, 60), (2, 300, 5), (4000, 8), (8, 4000)]
SHAPES += [(2, 3, 4, 5, 6, 7), (1,) * 12]


@pytest.mark.any_memory
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("char", ["?", "b", "H", "i", "L", "e", "f", "d", "F", "D"])
def test_sizes(loops, shape, char, queue):
    """Blocks of rows and of columns, and incomplete blocks."""
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    x = numbered(shape, char)
    places = [None, *range(x.ndim), (0, x.ndim - 1)] if x.ndim > 1 else [None]
    on_device = usm.asarray(x, sycl_queue=queue)
    views, ours = [x], [on_device]
    if x.ndim < 3:
        some = x.shape[-1] - 1 or 1
        views += [x.T, x[::-1], x[..., ::2], x[..., :some]]
        turned = usm.permute_dims(on_device, tuple(range(x.ndim))[::-1])
        ours += [turned, on_device[::-1], on_device[..., ::2], on_device[..., :some]]
    for name in NAMES:
        if name == "prod":
            continue
        for view, own in zip(views, ours, strict=True):
            for axis in places:
                if char == "e" and name == "sum" and view.size > 1000:
                    continue  # overflows
                assert_close(
                    getattr(usm, name)(own, axis=axis), wanted(name, view, axis=axis), view
                )


def test_many_dimensions(queue):
    x = usm.ones((2,) * 5 + (1,) * 60, dtype="i4", sycl_queue=queue)
    assert int(usm.sum(x)) == 32
    assert usm.sum(x, axis=(0, 64), keepdims=True).shape == (1, 2, 2, 2, 2, *(1,) * 60)
    assert (
        usm.asnumpy(usm.sum(x, axis=tuple(range(4, 65)))).tolist() == np.full((2,) * 4, 2).tolist()
    )


# Types


@pytest.mark.parametrize("name", ["sum", "prod"])
@pytest.mark.parametrize("target", ["i1", "u2", "i4"])
def test_elements_convert_before_they_are_combined(name, target, queue):
    skip_without(queue.sycl_device, "d")
    for values in ([1e10], [np.nan], [-np.inf, 1.0], [3e5, 2.0]):
        x = usm.asarray(values, dtype="f8", sycl_queue=queue)
        cast = usm.asnumpy(usm.astype(x, target))
        wanted = getattr(np, name)(cast, dtype=target)
        assert getattr(usm, name)(x, dtype=target).tolist() == wanted.tolist()


@given(source=dtypes(), target=dtypes(), size=st.integers(0, 70))
def test_dtype(source, target, size, queue):
    x = numbered((size,), source)
    for name in ("sum", "prod"):
        values = small(x).astype(source) if name == "prod" else x
        result = getattr(usm, name)(usm.asarray(values, sycl_queue=queue), dtype=target)
        with np.errstate(all="ignore"):
            cast = usm.asnumpy(usm.astype(usm.asarray(values, sycl_queue=queue), target))
            expected = np.asarray(getattr(np, name)(cast, dtype=target))
        if target.kind == "f" and target.itemsize == 2:
            wide = getattr(np, name)(cast.astype("f4"))
            with np.errstate(all="ignore"):
                expected = np.asarray(wide.astype("f2"))
        assert_close(result, expected, cast)


@pytest.mark.parametrize("char", ["b", "B", "h", "H", "i", "I", "l", "L"])
def test_extremes_of_integers(char, queue):
    info = np.iinfo(char)
    x = np.array([info.min, info.max, 0, 1, info.max - 1] * 7, char)
    for part in (x, x[2:4], x[:1], x[1:2]):
        on_device = usm.asarray(part, sycl_queue=queue)
        assert int(usm.max(on_device)) == part.max()
        assert int(usm.min(on_device)) == part.min()
        assert int(usm.sum(on_device)) == part.sum()


@pytest.mark.parametrize("char", ["e", "f", "d", "F", "D"])
def test_extremes_of_inexact_numbers(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    for size in (1, 5, 40, 3000):
        x = np.linspace(-3, 5, size).astype(char)
        for value in (np.inf, -np.inf, np.nan, complex(1, np.nan), 7, -7):
            if np.iscomplex(value) and char not in "FD":
                continue
            for place in {0, size // 2, size - 1}:
                y = x.copy()
                y[place] = value
                for shape in ((size,), (size, 1)):
                    on_device = usm.asarray(y.reshape(shape), sycl_queue=queue)
                    for name in ("max", "min"):
                        result = usm.asnumpy(getattr(usm, name)(on_device, axis=0)).reshape(())
                        np.testing.assert_array_equal(result, getattr(y, name)())


@pytest.mark.parametrize("char", ["e", "f", "d", "F", "D"])
def test_truth_of_special_values(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    for values in ([0.0, -0.0], [-0.0, np.nan], [np.nan, 1], [5e-8, 0], [np.inf, 1, -0.0]):
        x = np.array(values, char)
        on_device = usm.asarray(x, sycl_queue=queue)
        assert bool(usm.any(on_device)) == x.any()
        assert bool(usm.all(on_device)) == x.all()
        assert int(usm.count_nonzero(on_device)) == np.count_nonzero(x)
    if char in "FD":
        x = np.array([1j, 1, -0.0 + 2j], char)
        assert bool(usm.all(usm.asarray(x, sycl_queue=queue)))


@pytest.mark.parametrize("dtype", ["?", "i2", "f4", "c8"])
def test_any_and_all_that_end_early_or_late(dtype, queue):
    x = usm.zeros((300, 401), dtype=dtype, sycl_queue=queue)
    flat = usm.reshape(x, (-1,))
    for view in (flat, x, x.T, x[::-1, ::-1], flat[::-1], flat[::2][:60_100], x[:, 1:]):
        n = view.size
        for place in (0, 4095, 4096, n // 2, n - 1):
            x[...] = 0
            assert not usm.any(view) and not usm.all(view)
            where = np.unravel_index(place, view.shape)
            view[where] = 1
            assert usm.any(view) and not usm.all(view)
            x[...] = 1
            assert usm.any(view) and usm.all(view)
            view[where] = 0
            assert usm.any(view) and not usm.all(view)
    assert not usm.any(x[:0]) and usm.all(x[:0])


def test_bools_of_any_byte(queue):
    x = usm.asarray(np.array([0, 1, 2, 128, 255, 0], "u1").view("?"), sycl_queue=queue)
    assert int(usm.sum(x)) == int(usm.count_nonzero(x)) == 4
    assert bool(usm.max(x)) and not bool(usm.min(x))
    assert int(usm.prod(x[1:5])) == 1


def test_means_of_halves_do_not_overflow(queue):
    x = usm.full(10_000, 60_000, dtype="f4", sycl_queue=queue)
    if np.dtype("f2") not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp16")
    assert float(usm.mean(usm.astype(x, "f2"))) == float(np.float16(60_000))


def test_products_of_complex_infinities(queue):
    x = usm.asarray(np.array([complex(np.inf, 0)], "F"), sycl_queue=queue)
    assert complex(usm.prod(x)) == complex(np.inf, 0)


@pytest.mark.parametrize("char", ["f", "d"])
def test_signs_of_zeros(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    x = usm.asarray(np.full((3, 70), -0.0, char), sycl_queue=queue)
    for axis in (None, 0, 1):
        assert np.signbit(usm.asnumpy(usm.sum(x, axis=axis))).all()
    assert not np.signbit(usm.asnumpy(usm.sum(x[:0])))


# Accuracy


@pytest.mark.parametrize("char", ["f", "d"])
@pytest.mark.parametrize("size", [100, 10_000, 1_000_000])
def test_sums_are_as_accurate_as_pairwise_ones(char, size, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    ours, numpys = [], []
    for seed in range(8):
        x = np.random.default_rng(seed).random(size).astype(char)
        exact = math.fsum(x)
        columns = usm.asarray(np.stack([x, x], axis=1), sycl_queue=queue)
        ours += [float(usm.sum(usm.asarray(x, sycl_queue=queue))) - exact]
        ours += [float(usm.sum(columns, axis=0)[1]) - exact]
        numpys += [float(np.sum(x)) - exact]
    unit = np.finfo(char).eps * size / 2
    assert np.abs(ours).mean() <= max(np.abs(numpys).mean(), unit) * 1.5
    assert np.abs(ours).max() <= unit * 2


# Both tiers, and any number of threads


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("char", [dtype.char for dtype in supported_dtypes()])
def test_both_tiers_give_the_same_bits(name, char, device, queue):
    skip_without_tiers(device)
    random = np.random.default_rng(1)
    for shape in (
        (5,),
        (70,),
        (40_000,),
        (3, 500),
        (500, 3),
        (403, 2),
        (301, 4),
        (300, 40),
        (7, 30, 21),
    ):
        x = (random.normal(size=shape) * 3).astype(char)
        for axis in (None, *range(x.ndim)):
            results = []
            for tier in (all_on_the_host, all_on_the_device):
                on_device = usm.asarray(x, sycl_queue=queue)
                with tier(queue):
                    result = getattr(usm, name)(on_device, axis=axis)
                results.append(usm.asnumpy(result))
            assert_same_bits(*results, case=f"{name} of {shape} along {axis}")


def test_results_do_not_depend_on_the_number_of_threads(device):
    """They do not depend on the size of a sub-device either."""
    x = np.random.default_rng(2).normal(size=(1000, 1003)).astype("f4")
    whole = usm.asarray(x, sycl_queue=usm.SyclQueue(device))
    part = usm.asarray(x, sycl_queue=PLACES["sub-device"](device))
    for axis in (None, 0, 1):
        first, second = (
            usm.asnumpy(usm.sum(whole, axis=axis)),
            usm.asnumpy(usm.sum(part, axis=axis)),
        )
        np.testing.assert_array_equal(first, second)


# Nothing to reduce


def test_arrays_without_elements(queue):
    x = usm.ones((0, 3), dtype="f4", sycl_queue=queue)
    assert usm.asnumpy(usm.sum(x, axis=0)).tolist() == [0, 0, 0]
    assert usm.asnumpy(usm.prod(x, axis=0, keepdims=True)).tolist() == [[1, 1, 1]]
    assert usm.asnumpy(usm.all(x, axis=0)).tolist() == [True] * 3
    assert usm.asnumpy(usm.any(x, axis=0)).tolist() == [False] * 3
    assert np.isnan(usm.asnumpy(usm.mean(x, axis=0))).all()
    assert int(usm.count_nonzero(x)) == 0
    for name in ("max", "min"):
        assert getattr(usm, name)(x, axis=1).shape == (0,)
        with pytest.raises(ValueError, match=f"{name}: a has shape"):
            getattr(usm, name)(x, axis=0)


def test_no_axis(queue):
    x = np.array([[0, 2], [3, -1]], "i2")
    on_device = usm.asarray(x, sycl_queue=queue)
    for name in NAMES:
        expected = wanted(name, x, axis=())
        assert_close(getattr(usm, name)(on_device, axis=()), expected, x)


# out


@pytest.mark.parametrize("name", NAMES)
def test_out(name, queue):
    x = numbered((6, 5), "f4")
    on_device = usm.asarray(x, sycl_queue=queue)
    for axis in (None, 0, 1):
        expected = wanted(name, x, axis=axis)
        base = usm.zeros((*expected.shape, 3), dtype=held(expected.dtype), sycl_queue=queue)
        out = base[..., 1]
        assert getattr(usm, name)(on_device, axis=axis, out=out) is out
        assert_close(out, expected, x)
        assert not usm.asnumpy(base[..., ::2]).any()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("char", ["?", "b", "i", "f"])
def test_out_of_another_type(name, char, queue):
    """The result is converted. A sum has the type of `out`, unless it is less precise."""
    function, x = getattr(usm, name), usm.asarray(numbered((6, 5), char), sycl_queue=queue)
    own = function(x, axis=0)
    for dtype in supported_dtypes():
        out = usm.zeros((5, 3), dtype=dtype, sycl_queue=queue)[:, 1]
        own_type = name in ("sum", "prod") and np.can_cast(
            x.dtype, dtype, "safe" if x.dtype.kind == "f" else "same_kind"
        )
        if not (own_type or np.can_cast(own.dtype, dtype, "same_kind")):
            with pytest.raises(TypeError, match=f"{name}: out has data type {dtype}; expected"):
                function(x, axis=0, out=out)
            continue
        assert function(x, axis=0, out=out) is out
        expected = function(x, axis=0, dtype=dtype) if own_type else own
        assert_same(out, usm.asnumpy(expected).astype(dtype))


def test_sums_in_the_type_of_out(queue):
    x = np.array([1e8, 1, -1e8, 2**-20], "f4")
    y = usm.asarray(x, sycl_queue=queue)
    for dtype in (held("f8"), held("c16")):
        out = usm.zeros((), dtype=dtype, sycl_queue=queue)
        assert_same(usm.sum(y, out=out), x.sum(dtype=dtype, out=np.zeros((), dtype)))
    flags = usm.asarray([True, True, False], sycl_queue=queue)
    for dtype in ("?", "u1", "i8"):
        out = usm.zeros((), dtype=dtype, sycl_queue=queue)
        assert_same(usm.sum(flags, out=out), np.sum(usm.asnumpy(flags), out=np.zeros((), dtype)))
    total = usm.sum(usm.asarray([100, 100], dtype="i1", sycl_queue=queue), dtype="i1", out=out)
    assert total == -56  # in the type that is asked for


def test_out_that_overlaps(queue):
    x = numbered((6, 5), "f4")
    on_device = usm.asarray(x, sycl_queue=queue)
    usm.sum(on_device, axis=0, out=on_device[2])
    np.testing.assert_array_equal(usm.asnumpy(on_device[2]), x.sum(axis=0))
    on_device = usm.asarray(x, sycl_queue=queue)
    usm.max(on_device, out=on_device[0, 0])
    assert float(on_device[0, 0]) == x.max()
    same = usm.usm_ndarray(
        (5,), "f4", strides=(0,), buffer=usm.zeros(1, dtype="f4", sycl_queue=queue)
    )
    usm.sum(on_device, axis=0, out=same)


@pytest.mark.parametrize(
    "out, error, words",
    [
        (lambda q: np.zeros(3, "f4"), TypeError, "out is of type ndarray"),
        (lambda q: usm.zeros(4, dtype="f4", sycl_queue=q), ValueError, r"out has shape \(4,\)"),
        (lambda q: usm.zeros(3, dtype="i4", sycl_queue=q), TypeError, "out has data type int32"),
        (lambda q: usm.broadcast_to(usm.zeros(1, dtype="f4", sycl_queue=q), 3), ValueError, "only"),
    ],
)
def test_bad_out(out, error, words, queue):
    with pytest.raises(error, match=words):
        usm.sum(usm.ones((2, 3), dtype="f4", sycl_queue=queue), axis=0, out=out(queue))


# Bad arguments


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments(name, queue):
    function, x = getattr(usm, name), usm.ones((2, 3), dtype="f4", sycl_queue=queue)
    for axis in (2, -3, (0, 5), 2**70):
        with pytest.raises(AxisError, match=name):
            function(x, axis=axis)
    with pytest.raises(ValueError, match="twice"):
        function(x, axis=(1, -1))
    for axis in (True, (0, False), 1.0, "0", [None]):
        with pytest.raises(TypeError, match=f"{name}: axis"):
            function(x, axis=axis)
    with pytest.raises(TypeError, match="keepdims"):
        function(x, keepdims="yes")
    for other in (np.ones(3), [1, 2], 5):
        with pytest.raises(TypeError, match=f"{name}: a is of type"):
            function(other)


def test_subclasses_that_lie(queue):
    class Liar(usm.usm_ndarray):
        shape = ndim = size = dtype = strides = 7

    x = Liar((2, 3), "f4", buffer=usm.ones((2, 3), dtype="f4", sycl_queue=queue))
    assert float(usm.sum(x)) == 6
    assert usm.asnumpy(usm.max(x, axis=0)).tolist() == [1, 1, 1]


def test_queues_in_order_and_not(device):
    for name in ("in-order", "out-of-order", "other context"):
        queue = PLACES[name](device)
        x = usm.ones((300, 400), dtype="f4", sycl_queue=queue)
        total = usm.sum(x + x)
        assert total.sycl_queue == queue
        assert float(total) == 240_000


@examples(20)
@given(recipe=recipes(dtype="f4"), data=st.data())
def test_order_of_the_result(recipe, data, queue):
    """Kept axes have the memory order of x."""
    x, on_device = recipe.pair(queue)
    if x.ndim == 0:
        return
    axis = data.draw(st.integers(0, x.ndim - 1))
    result = usm.sum(on_device, axis=axis)
    assert result.flags.c_contiguous or not on_device.flags.c_contiguous


# Variances and compositions


def wide(x):
    return x.astype("c16" if x.dtype.kind == "c" else "f8")


def assert_near(result, expected, scale=1.0):
    """Equal up to some units in the last place of the terms."""
    assert result.shape == expected.shape
    eps = float(np.finfo(result.dtype).eps)
    np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=256 * eps, atol=8 * eps * scale)


@pytest.mark.parametrize("name", ["var", "std"])
@given(recipe=recipes(max_side=6), data=st.data(), keepdims=st.booleans())
def test_deviations(loops, name, recipe, data, keepdims, queue):
    x, on_device = recipe.pair(queue)
    axis, correction = data.draw(axes(x.ndim)), data.draw(st.sampled_from([0, 1, 0.5, 3]))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = getattr(np, name)(wide(x), axis=axis, ddof=correction, keepdims=keepdims)
        one = np.sum(np.ones(x.shape, bool), axis=axis, keepdims=keepdims)
    expected = np.where(one > correction, expected, np.nan)  # by the standard; NumPy: infinities
    result = getattr(usm, name)(on_device, axis=axis, correction=correction, keepdims=keepdims)
    real = x.real.dtype if x.dtype.kind in "fc" else held("f8")
    assert result.dtype == held(real)
    assert_near(result, expected)


@pytest.mark.parametrize("shape", [(100_000,), (3, 50_000), (3000, 40), (20, 30, 50)])
@pytest.mark.parametrize("char", ["h", "e", "f", "d", "F", "D"])
def test_deviations_of_many(loops, shape, char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    x = (np.random.default_rng(5).normal(size=shape) * 3 + 20).astype(char)
    on_device = usm.asarray(x, sycl_queue=queue)
    for axis in (None, *range(x.ndim)):
        assert_near(usm.std(on_device, axis=axis), wide(x).std(axis=axis))
        assert_near(usm.var(on_device, axis=axis, correction=1), wide(x).var(axis=axis, ddof=1))


def test_special_deviations(queue):
    x = usm.asarray(np.array([1, 2, np.inf], "f4"), sycl_queue=queue)
    assert np.isnan(float(usm.var(x)))
    assert np.isnan(float(usm.std(x[:0])))
    assert float(usm.var(x[:1])) == 0
    out = usm.empty((), dtype="f4", sycl_queue=queue)
    assert usm.std(x[:2], out=out) is out and float(out) == 0.5
    for correction in ("1", [1], 1j):
        with pytest.raises(TypeError, match="var: correction"):
            usm.var(x, correction=correction)
    large = usm.full((1024,), 1e8, dtype="f4", sycl_queue=queue)  # whose sum is exact
    assert float(usm.var(large)) == 0


@pytest.mark.parametrize("char", ["?", "h", "e", "f", "d", "F", "D"])
@pytest.mark.parametrize("correction", [5, 5.5, 6, 1e300, math.inf, math.nan])
def test_deviations_with_a_correction_of_at_least_the_number_of_elements(char, correction, queue):
    """The standard: NaN if N - correction is 0 or less."""
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64 or fp16")
    x = usm.asarray((np.arange(20).reshape(4, 5) % 3).astype(char), sycl_queue=queue)
    for function in (usm.var, usm.std):
        for keywords in ({"axis": 1}, {"axis": (1,), "keepdims": True}):
            result = function(x, correction=correction, **keywords)
            assert usm.all(usm.isnan(result)) and result.size == 4
            out = usm.zeros_like(result)
            assert function(x, correction=correction, out=out, **keywords) is out
            assert usm.all(usm.isnan(out))
        assert usm.isnan(function(x[0], correction=correction))
        assert usm.isnan(function(x[0, :0], correction=-1))


@pytest.mark.parametrize("char", ["F", "D"])
def test_means_of_no_complex_elements(char, queue):
    if np.dtype(char) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    x = usm.zeros((3, 0), dtype=char, sycl_queue=queue)
    out = usm.zeros(3, dtype=char, sycl_queue=queue)
    results = [usm.mean(x), usm.mean(x, axis=1), usm.mean(x, axis=1, out=out), usm.median(x)]
    for result in [*results, usm.fuse(lambda x: usm.mean(x + 1))(x)]:
        assert usm.all(usm.isnan(usm.real(result))) and usm.all(usm.isnan(usm.imag(result)))
    assert usm.mean(x, axis=0).shape == (0,)


@given(recipe=recipes(max_side=5), data=st.data(), keepdims=st.booleans())
def test_compositions(recipe, data, keepdims, queue):
    x, on_device = recipe.pair(queue)
    if x.dtype.kind == "c":
        for function in (usm.logsumexp, usm.reduce_hypot):
            with pytest.raises(TypeError, match="not defined for"):
                function(on_device)
        return
    axis = data.draw(axes(x.ndim))
    keywords = {"axis": axis, "keepdims": keepdims}
    with np.errstate(all="ignore"):
        sums = np.asarray(np.logaddexp.reduce(x.astype("f8").ravel(), initial=-np.inf))
        if axis is not None:
            sums = np.logaddexp.reduce(
                x.astype("f8"), axis=axis, keepdims=keepdims, initial=-np.inf
            )
        elif keepdims:
            sums = sums.reshape((1,) * x.ndim)
        squares = np.sqrt(np.sum(x.astype("f8") ** 2, **keywords))
    assert_near(usm.logsumexp(on_device, **keywords), np.asarray(sums))
    if x.dtype.char != "e":
        assert_near(usm.reduce_hypot(on_device, **keywords), np.asarray(squares))


@pytest.mark.parametrize("function", [usm.logsumexp, usm.reduce_hypot])
@pytest.mark.parametrize("char", [dtype.char for dtype in supported_dtypes() if dtype.kind != "c"])
def test_compositions_in_all_types(char, function, queue):
    """In floating point numbers, whose results are cast: 5 ones have the sum exp(1 + log 5)."""
    x = usm.ones(5, dtype=char, sycl_queue=queue)
    value = 1 + math.log(5) if function is usm.logsumexp else math.sqrt(5)
    own = x.dtype if x.dtype.kind == "f" else held("f8")
    assert function(x).dtype == own
    for dtype in supported_dtypes():
        work = dtype if dtype.kind == "f" else own
        out = usm.zeros((), dtype=dtype, sycl_queue=queue)
        for result in (function(x, dtype=dtype), function(x, dtype=dtype, out=out)):
            assert result.dtype == dtype
            expected = np.array(value, work).astype(dtype)
            eps = float(np.finfo(work).eps) if dtype.kind in "fc" else 0
            np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=4 * eps)
        empty = function(x[:0], dtype=dtype)
        assert empty.dtype == dtype
    with pytest.raises(TypeError, match="out has data type"):
        function(x, out=usm.zeros((), dtype="i4", sycl_queue=queue))


def test_compositions_of_complex_numbers_in_other_types(queue):
    x = usm.ones(5, dtype="c8", sycl_queue=queue)
    for function in (usm.logsumexp, usm.reduce_hypot, usm.cumulative_logsumexp):
        for dtype in (None, "i4", "c8"):
            with pytest.raises(TypeError, match=f"{function.__name__}: not defined for complex64"):
                function(x, dtype=dtype)


def test_special_compositions(queue):
    def of(function, *values):
        return float(function(usm.asarray(np.array(values, "f4"), sycl_queue=queue)))

    assert of(usm.logsumexp, 1000, 1000) == np.float32(1000 + math.log(2))
    assert of(usm.logsumexp, -1000, -1000) == np.float32(-1000 + math.log(2))
    assert of(usm.logsumexp, -np.inf, -np.inf) == -np.inf == of(usm.logsumexp)
    assert of(usm.logsumexp, np.inf, 1) == np.inf
    assert np.isnan(of(usm.logsumexp, np.nan, 1))
    assert of(usm.reduce_hypot, 3e30, 4e30) == np.float32(5e30)
    assert of(usm.reduce_hypot, 3e-40, 4e-40) == pytest.approx(5e-40, rel=1e-5)
    assert of(usm.reduce_hypot, np.nan, np.inf) == np.inf
    assert np.isnan(of(usm.reduce_hypot, np.nan, 1))
    assert of(usm.reduce_hypot, 0, -0.0) == 0 == of(usm.reduce_hypot)


@pytest.mark.parametrize("name", ["var", "std", "nanvar", "nanstd"])
@pytest.mark.parametrize("char", "ilefdFD")
def test_deviations_from_given_means(queue, name, char):
    skip_without(queue.sycl_device, char)
    skip_without(queue.sycl_device, "d")
    host = (np.arange(24).reshape(2, 3, 4) % 5).astype(char)
    x, mask = usm.asarray(host, sycl_queue=queue), host.real > 0
    ours, theirs = getattr(usm, name), getattr(np, name)
    for axis in (None, 1, (0, 2)):
        for where in (True, mask):
            mean = np.mean(host, axis, keepdims=True) + 1
            keywords = {"keepdims": True, "ddof": 1, "where": where}
            found = ours(x, axis, mean=usm.asarray(mean, sycl_queue=queue), **keywords)
            expected = theirs(
                host, axis, mean=mean.astype(host.dtype) if char == "e" else mean, **keywords
            )
            assert found.dtype == expected.dtype
            np.testing.assert_allclose(
                usm.asnumpy(found), expected, rtol=1e-2 if char == "e" else 1e-5
            )
    if name in ("var", "std"):
        same = ours(x, 1, mean=usm.mean(x, axis=1, keepdims=True))
        np.testing.assert_allclose(usm.asnumpy(same), usm.asnumpy(ours(x, 1)), rtol=1e-2)
        with pytest.raises(ValueError, match=f"{name}: mean.shape is .*; expected one that broadc"):
            ours(x, mean=usm.ones((5, 2, 3, 4), dtype="f4", sycl_queue=queue))
    with pytest.raises(TypeError):
        ours(x, mean="a")


def test_mean_of_more_than_two_to_the_31_small_integers(queue):
    x = usm.broadcast_to(usm.full(1, 3, dtype="i1", sycl_queue=queue), (2**31 + 1000,))
    assert float(usm.mean(x)) == 3
