"""Functions that are composed of others: choices, diagonals, indices, shapes, products, windows,
histograms of several variables. Against NumPy."""

import numpy as np
import pytest
from checks import assert_same, shares_memory
from hypothesis import given
from hypothesis import strategies as st
from library import skip_without_library
from numpy_calls import assert_alike, compare, compare_pairs
from strategies import dtypes, examples, numbered, recipes, shapes

import usmtensor as usm

# Choices


@examples(100)
@given(recipes(max_dims=2, max_side=4), st.data())
def test_choices(queue, recipe, data):
    x, y = recipe.pair(queue)
    mask = np.arange(x.size).reshape(x.shape) % 3
    at = mask.astype(data.draw(st.sampled_from(["i1", "i8", "u2"])))
    ours = [usm.asarray(at, sycl_queue=queue), y]
    for mode in ("raise", "wrap", "clip"):
        for call in (
            lambda xp, i, a, m=mode: xp.choose(i, [a, a, i], mode=m),
            lambda xp, i, a, m=mode: xp.choose(i, [a, a[::-1]], mode=m),
        ):
            compare_pairs(call, [at, x], ours)
    compare_pairs(lambda xp, i, a: xp.select([i == 0, i < 2], [a, i], 1), [at, x], ours)
    compare_pairs(lambda xp, i, a: xp.select([i > 5], [a], a), [at, x], ours)
    compare_pairs(lambda xp, i, a: xp.select([i], [a]), [at, x], ours)
    if x.dtype.kind in "fc":
        call = lambda xp, i, a: xp.piecewise(a, [i == 0, i < 2], [7, lambda x: x * 2, 3])  # noqa: E731
        compare_pairs(call, [at, x], ours)


@examples(80)
@given(recipes(max_dims=3, max_side=4), st.data())
def test_compress(queue, recipe, data):
    x, y = recipe.pair(queue)
    axis = data.draw(st.sampled_from([None, 0, -1, 1]))
    mask = data.draw(st.lists(st.booleans(), max_size=6))
    if x.size == 0 or (x.ndim == 0 and axis is not None):
        return  # NumPy accepts axis 0, and indices out of range that select no element
    compare_pairs(lambda xp, a: xp.compress(mask, a, axis), [x], [y])


@examples(80)
@given(recipes(broadcast=False, max_side=4), dtypes(), st.booleans())
def test_copyto(queue, recipe, dtype, masked):
    x, y = recipe.pair(queue)
    source = numbered(x.shape, dtype)
    mask = np.arange(x.size).reshape(x.shape) % 2 == 0 if masked else True
    for casting in ("same_kind", "unsafe"):
        with np.errstate(all="ignore"):
            try:
                np.copyto(x, source, casting, where=mask)
            except TypeError:
                with pytest.raises(TypeError, match="copyto: src is"):
                    usm.copyto(y, usm.asarray(source, sycl_queue=queue), casting, where=mask)
                continue
        if np.can_cast(dtype, x.dtype, "same_kind"):
            usm.copyto(y, usm.asarray(source, sycl_queue=queue), casting, where=mask)
            np.testing.assert_array_equal(usm.asnumpy(y), x)


def test_copyto_of_numbers(queue):
    x = usm.zeros(3, dtype="i4", sycl_queue=queue)
    usm.copyto(x, 7)
    np.copyto(x, 5, where=[True, False, True])
    assert_same(x, np.array([5, 7, 5], "i4"))
    usm.copyto(x, 6, where=2.5)
    usm.copyto(x, 1, where=0)
    assert_same(x, np.full(3, 6, "i4"))
    with pytest.raises(TypeError, match=r"copyto: src is 1\.5"):
        usm.copyto(x, 1.5)
    with pytest.raises(ValueError, match="broadcast"):
        usm.copyto(x, [1, 2])


def test_copyto_ignores_leading_axes_of_extent_1(queue):
    x, y = np.zeros((2, 3)), usm.zeros((2, 3), sycl_queue=queue)
    for shape in ((1, 1, 2, 3), (1, 1, 1, 3), (1, 1, 2, 1)):
        source = numbered(shape, "f8")
        np.copyto(x, source)
        usm.copyto(y, source)
        assert_same(y, x)
    with pytest.raises(ValueError, match="copyto: "):
        usm.copyto(y, np.ones((2, 1, 3)))


# Diagonals and indices


@examples(150)
@given(recipes(max_dims=4, max_side=4), st.integers(-3, 3), st.data())
def test_diagonals(queue, recipe, k, data):
    x, y = recipe.pair(queue)
    axes = data.draw(st.tuples(st.integers(-3, 2), st.integers(-3, 2)))
    compare_pairs(lambda xp, a: xp.diag(a, k), [x], [y])
    compare_pairs(lambda xp, a: xp.diagflat(a, k), [x], [y])
    compare_pairs(lambda xp, a: xp.diagonal(a, k, *axes), [x], [y])
    compare_pairs(lambda xp, a: xp.trace(a, k, *axes), [x], [y], ulps=8)
    if x.ndim == 2:
        assert not usm.diag(y).flags.writable


@examples(80)
@given(
    recipes(broadcast=False, max_dims=3, max_side=5), st.booleans(), st.sampled_from([1, [1, 2]])
)
def test_fill_diagonal(queue, recipe, wrap, value):
    x, y = recipe.pair(queue)

    def call(xp, a):
        xp.fill_diagonal(a, value, wrap)
        return a

    compare_pairs(call, [x], [y])


@pytest.mark.parametrize("k", [-2, 0, 1, 5])
@pytest.mark.parametrize("shape", [(3, None), (2, 4), (4, 0), (0, 3)])
def test_triangles(queue, shape, k):
    n, m = shape
    place = {"sycl_queue": queue}
    assert_alike(usm.tri(n, m, k, "i4", **place), np.tri(n, m, k, "i4"), 0)
    for name in ("tril", "triu"):
        ours = getattr(usm, f"{name}_indices")(n, k, m, **place)
        assert_alike(ours, getattr(np, f"{name}_indices")(n, k, m), 0)
        x = np.ones((n, n if m is None else m))
        compare(queue, lambda xp, a, f=f"{name}_indices_from": getattr(xp, f)(a, k), x)
    assert_alike(usm.diag_indices(n, 3, **place), np.diag_indices(n, 3), 0)
    compare(queue, lambda xp, a: xp.diag_indices_from(a), np.ones((n, n)))
    assert_alike(usm.indices((n, 2), **place), np.indices((n, 2)), 0)
    assert_alike(usm.indices((n, 2), "f4", True, **place), np.indices((n, 2), "f4", True), 0)


@examples(80)
@given(recipes(max_dims=3, max_side=4))
def test_places_that_are_not_zero(queue, recipe):
    x, y = recipe.pair(queue)
    compare_pairs(lambda xp, a: xp.argwhere(a), [x], [y])
    compare_pairs(lambda xp, a: xp.flatnonzero(a), [x], [y])


@examples(80)
@given(
    shapes(min_dims=1, max_dims=3), st.lists(st.integers(-1, 30), max_size=4), st.sampled_from("CF")
)
def test_positions(queue, shape, at, order):
    at = np.array(at, "i4")
    compare(queue, lambda xp, i: xp.unravel_index(i, shape, order), at)
    parts = tuple(at % max(n, 1) for n in shape)
    if 0 in shape:
        return
    compare(queue, lambda xp, *i: xp.ravel_multi_index(i, shape, order=order), *parts)
    for mode in ("raise", "wrap", "clip"):
        call = lambda xp, *i, m=mode: xp.ravel_multi_index(i, shape, m, order)  # noqa: E731
        compare(queue, call, *(at - 2 for _ in shape))


# Shapes


@examples(100)
@given(recipes(max_dims=4, max_side=3), st.integers(-5, 5), st.data())
def test_turned_axes(queue, recipe, k, data):
    x, y = recipe.pair(queue)
    axes = data.draw(st.tuples(st.integers(-3, 2), st.integers(-3, 2)))
    for call in (
        lambda xp, a: xp.rot90(a, k, axes),
        lambda xp, a: xp.flipud(a),
        lambda xp, a: xp.fliplr(a),
        lambda xp, a: xp.ravel(a),
        lambda xp, a: xp.ravel(a, "F"),
        lambda xp, a: xp.ravel(a, "A"),
        lambda xp, a: xp.atleast_1d(a),
        lambda xp, a: xp.atleast_2d(a, a),
        lambda xp, a: xp.atleast_3d(a),
    ):
        compare_pairs(call, [x], [y])


@examples(100)
@given(recipes(max_dims=4, max_side=3))
def test_order_in_memory(queue, recipe):
    x, y = recipe.pair(queue)
    assert_same(usm.ravel(y, "K"), np.ravel(x, "K"))
    assert_same(y.flatten("K"), x.flatten("K"))
    for order in "CFAK":
        assert usm.ravel(y, order).flags.c_contiguous
        assert usm.ravel(usm.broadcast_to(y[None], (2, *y.shape)), order).flags.c_contiguous
        assert not shares_memory(y.flatten(order), y) or y.size == 0


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (4, 4)])
def test_broadcast_views_in_order_of_memory(queue, shape):
    host = np.arange(4)
    line = usm.asarray(host, sycl_queue=queue)
    for x, y in ((host, line), (host[:, None], line[:, None])):
        if x.ndim == 1 or shape[-2] == 4:
            theirs, ours = np.broadcast_to(x, shape), usm.broadcast_to(y, shape)
            assert_same(usm.ravel(ours, "K"), np.ravel(theirs, "K"))
            assert_same(usm.ravel(ours.T, "K"), np.ravel(theirs.T, "K"))


def test_views_by_ravel(queue):
    x = usm.reshape(usm.arange(24, sycl_queue=queue), (2, 3, 4))
    for view, order in ((x, "C"), (x.T, "F"), (x.T, "A"), (usm.permute_dims(x, (2, 0, 1)), "K")):
        assert shares_memory(usm.ravel(view, order), x)
    for view, order in ((x[..., ::2], "C"), (x[::-1], "K"), (x.T, "C")):
        assert not shares_memory(usm.ravel(view, order), x)
    with pytest.raises(ValueError, match=r"ravel: .*order is 'Z'"):
        usm.ravel(x, "Z")


@examples(80)
@given(recipes(max_dims=3, max_side=4), shapes(max_dims=3))
def test_resize(queue, recipe, shape):
    x, y = recipe.pair(queue)
    compare_pairs(lambda xp, a: xp.resize(a, shape), [x], [y])


@examples(100)
@given(recipes(max_dims=3, max_side=5), st.lists(st.integers(0, 3), max_size=3), st.data())
def test_sliding_windows(queue, recipe, window, data):
    x, y = recipe.pair(queue)
    axis = data.draw(st.sampled_from([None, 0, -1, (0, 0), (1, 0)]))
    windows = tuple(window) if window else 2

    def call(xp, a):
        found = xp.lib.stride_tricks if xp is np else xp
        return found.sliding_window_view(a, windows, axis)

    compare_pairs(call, [x], [y])


def test_windows_are_views(queue):
    x = usm.arange(5, sycl_queue=queue)
    view = usm.sliding_window_view(x[::-1], 2)
    assert shares_memory(view, x) and not view.flags.writable
    usm.sliding_window_view(x, 2, writeable=True)[0, 1] = 9
    assert int(x[1]) == 9
    assert np.lib.stride_tricks.sliding_window_view(x, 3).shape == (3, 3)


def test_indices_of_numbers_and_lists(queue):
    assert usm.unravel_index(5, (2, 3)) == (1, 2)
    assert usm.unravel_index(np.int32(5), (2, 3), order="F") == (1, 2)
    assert usm.ravel_multi_index((1, 2), (2, 3)) == 5
    assert usm.ravel_multi_index([4, -1], (2, 3), mode=("clip", "wrap")) == 5
    for call in (
        lambda: usm.unravel_index(usm.asarray([1]), (2**40, 2**40)),
        lambda: usm.ravel_multi_index((usm.asarray([1]), 1), (2**40, 2**40)),
    ):
        with pytest.raises(ValueError, match=r"expected fewer than 2\*\*63 elements"):
            call()
    with pytest.raises(ValueError, match="unravel_index: indices is 6; expected 0 to 5"):
        usm.unravel_index(6, (2, 3))
    with pytest.raises(TypeError, match="unravel_index: indices is of type bool"):
        usm.unravel_index(True, (2, 3))
    for wrong in ((2, 0), (0.5, 0), (10**30, 0)):
        with pytest.raises((TypeError, ValueError), match="ravel_multi_index: "):
            usm.ravel_multi_index(wrong, (2, 3))
    x = np.arange(6).reshape(2, 3)
    found = usm.asarray(x)[usm.ix_([1, 0], np.asarray([True, False, True]))]
    np.testing.assert_array_equal(usm.asnumpy(found), x[np.ix_([1, 0], [0, 2])])
    with pytest.raises(ValueError, match=r"ix_: argument 0.shape is \(\); expected one dimension"):
        usm.ix_(3)


def test_views_by_strides():
    from usmtensor.lib.stride_tricks import as_strided, sliding_window_view

    assert usm.lib.stride_tricks.sliding_window_view is sliding_window_view
    host = np.arange(12.0)
    x = usm.asarray(host)
    found = as_strided(x[3:], (2, 3), (4, -1))
    expected = np.lib.stride_tricks.as_strided(host[3:], (2, 3), (32, -8))
    np.testing.assert_array_equal(usm.asnumpy(found), expected)
    found[0, 0] = 99
    assert x[3] == 99
    assert as_strided(x).shape == (12,) and as_strided(x, 2).strides == (1,)
    assert not as_strided(x, writeable=False).flags.writable
    x.flags.writable = False
    assert not as_strided(x).flags.writable


@pytest.mark.parametrize(
    "arguments, error, words",
    [
        (((3,), (6,)), ValueError, "as_strided: "),
        (((-1,), (1,)), ValueError, "as_strided: shape is .*; expected extents of 0 or more"),
        (((2, 2), (1,)), ValueError, "as_strided: strides .*; expected 2, as many as extents"),
        (((2.5,), (1,)), TypeError, "as_strided: shape"),
        (((2,), ("a",)), TypeError, "as_strided: strides"),
    ],
)
def test_wrong_strides(arguments, error, words):
    with pytest.raises(error, match=words):
        usm.as_strided(usm.arange(12), *arguments)


@examples(60)
@given(st.lists(st.integers(0, 1), max_size=6), st.sampled_from(["fb", "f", "b", "x"]))
def test_trim_zeros(queue, numbers, trim):
    x = np.array(numbers, "i4")
    compare(queue, lambda xp, a: xp.trim_zeros(a, trim), x)
    if x.size:
        compare(queue, lambda xp, a: xp.trim_zeros(a, trim), np.outer(x, x[::-1]))


# Products


@examples(150)
@given(recipes(max_dims=3, max_side=3), recipes(max_dims=3, max_side=3))
def test_products(queue, first, second):
    hosts, ours = zip(first.pair(queue), second.pair(queue), strict=True)
    for name in ("dot", "inner", "vdot", "kron"):
        compare_pairs(lambda xp, a, b, n=name: getattr(xp, n)(a, b), hosts, ours, ulps=16)
    assert_same(usm.dot(ours[0], 2), np.asarray(hosts[0] * 2))


def test_out_of_dot(queue):
    x = usm.asarray([1.0, 2.0], sycl_queue=queue)
    out = usm.empty((), sycl_queue=queue)
    assert np.dot(x, x, out=out) is out and float(out) == 5


# Comparisons, and functions of vectors


@examples(60)
@given(recipes(max_dims=2, max_side=3), recipes(max_dims=2, max_side=3), st.booleans())
def test_array_equal(queue, first, second, equal_nan):
    (x, y), (a, b) = first.pair(queue), second.pair(queue)
    for hosts, ours in (([x, a], [y, b]), ([x, x], [y, y]), ([x, x[None]], [y, y[None]])):
        compare_pairs(lambda xp, a, b: xp.array_equal(a, b, equal_nan), hosts, ours)
        compare_pairs(lambda xp, a, b: xp.array_equiv(a, b), hosts, ours)
    z = usm.asarray([1.0, usm.nan], sycl_queue=queue)
    assert usm.array_equal(z, z, equal_nan=True) and not usm.array_equal(z, z)


@examples(40)
@given(recipes(max_dims=3, max_side=3), st.integers(-3, 2))
def test_apply_along_axis(queue, recipe, axis):
    x, y = recipe.pair(queue)
    if x.size == 0:
        return  # NumPy refuses it, or calls the function with no elements
    for function in (lambda v: v[::-1], lambda v: v[:1] * v[0], lambda v: v[0], lambda v: 3):
        compare_pairs(lambda xp, a, f=function: xp.apply_along_axis(f, axis, a), [x], [y])


# Windows and ranges


@pytest.mark.parametrize("name", ["hanning", "hamming", "blackman", "bartlett", "kaiser"])
@pytest.mark.parametrize("n", [-1, 0, 1, 2, 5, 8, 100])
def test_windows(queue, name, n):
    for more in ((0.0,), (8.6,), (-30.0,)) if name == "kaiser" else ((),):
        ours = getattr(usm, name)(n, *more, sycl_queue=queue)
        assert_alike(ours, getattr(np, name)(n, *more), 32)


@pytest.mark.parametrize("endpoint", [True, False])
@pytest.mark.parametrize("num", [0, 1, 2, 7])
def test_logarithmic_ranges(queue, num, endpoint):
    place = {"sycl_queue": queue}
    for start, stop in ((0, 3), (2.0, -1.5)):
        expected = np.logspace(start, stop, num, endpoint)
        assert_alike(usm.logspace(start, stop, num, endpoint, **place), expected, 64)
    expected = np.logspace(0, 2, num, endpoint, base=3, dtype="f4")
    assert_alike(usm.logspace(0, 2, num, endpoint, 3, "f4", **place), expected, 64)
    for start, stop in ((1, 1000), (-8, -0.5), (256, 1), (1j, 16j), (1 + 0j, -4)):
        expected = np.geomspace(start, stop, num, endpoint)
        assert_alike(usm.geomspace(start, stop, num, endpoint, **place), expected, 8)
    for wrong in ((0, 1), (1, -1)):
        with pytest.raises(ValueError, match="geomspace: start"):
            usm.geomspace(*wrong, num)


# Histograms


@examples(80)
@given(st.integers(1, 30), st.integers(0, 99), st.data())
def test_histograms_of_several_variables(queue, n, seed, data):
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 9, (2, n)).astype(data.draw(st.sampled_from(["f4", "f8", "i4"])))
    bins = data.draw(
        st.sampled_from([3, [2, 4], [[0, 2, 5], 3], [0, 1, 4, 9], [[0, 1, 1], [3, 9]]])
    )
    limits = data.draw(st.sampled_from([None, [(0, 4), (1, 9)]]))
    limits = None if x.dtype == "f4" else limits  # NumPy's bounds of a range are float64
    density = x.dtype != "f4" and data.draw(st.booleans())  # NumPy's bounds are rounded otherwise
    weights = random.integers(1, 4, n).astype("f8") if data.draw(st.booleans()) else None
    call = lambda xp, x, y: xp.histogram2d(  # noqa: E731
        x, y, bins, limits, density, weights
    )
    compare(queue, call, x, y, ulps=16)
    if isinstance(bins, int) or len(bins) == 2:
        call = lambda xp, s: xp.histogramdd(s, bins, limits, density, weights)  # noqa: E731
        compare(queue, call, np.stack([x, y], -1), ulps=16)
    compare(queue, lambda xp, x: xp.histogramdd(x[:, None], 3), x, ulps=16)
    if x.dtype.kind == "f":
        compare(queue, lambda xp, x: xp.histogram_bin_edges(x, 4), x, ulps=4)
        compare(queue, lambda xp, x: xp.histogram_bin_edges(x, 4, (0, 2)), x, ulps=4)


def test_histogram_of_no_points(queue):
    x = usm.empty(0, sycl_queue=queue)
    counts, rows, columns = usm.histogram2d(x, x, [2, 3])
    assert_same(counts, np.zeros((2, 3)))
    assert_same(rows, np.linspace(0, 1, 3))
    assert columns.shape == (4,)


# numpy.linalg and numpy.fft


@examples(120)
@given(dtypes("iufc"), shapes(max_dims=3), st.data(), st.booleans())
def test_norms(queue, dtype, shape, data, keepdims):
    skip_without_library(queue)
    if dtype == "f2":  # NumPy has no singular values of it
        return
    x = numbered(shape, dtype)
    axis = data.draw(st.sampled_from([None, 0, -1, (0, 1), (-1, 0)]))
    ord = data.draw(st.sampled_from([None, 0, 1, 2, -1, -2, 3, "fro", "nuc", np.inf, -np.inf]))
    if x.size == 0:
        return
    call = lambda xp, a: xp.linalg.norm(a, ord, axis, keepdims)  # noqa: E731
    compare(queue, call, x, ulps=1000)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_linear_algebra(queue, dtype):
    skip_without_library(queue)
    random = np.random.default_rng(1)
    a = random.integers(-9, 10, (6, 4)).astype(dtype)
    b, c = random.integers(-9, 10, (2, 6, 3)).astype(dtype)
    square = random.integers(-9, 10, (4, 4)).astype(dtype) + 10 * np.eye(4, dtype=dtype)
    for p in (None, 1, 2, -2, np.inf, "fro"):
        compare(queue, lambda xp, x, p=p: xp.linalg.cond(x, p), square, ulps=1e4)
    compare(queue, lambda xp, x: xp.linalg.cond(x, 1), np.zeros((2, 2), dtype))
    for right in (b, b[:, 0]):
        call = lambda xp, a, b: xp.linalg.lstsq(a, b)  # noqa: E731
        compare(queue, call, a, right, ulps=1e5)
        compare(queue, call, a.T, right[:4], ulps=1e5)
        call = lambda xp, a, b: xp.linalg.lstsq(a, b)[1:3]  # noqa: E731
        compare(queue, call, a[:, [0, 0, 1]], right, ulps=1e5)
    compare(queue, lambda xp, a, b, c: xp.linalg.multi_dot([b.T, a, a.T, c]), a, b, c, ulps=1e3)
    compare(queue, lambda xp, a, b: xp.linalg.multi_dot([b[:, 0], a, a[0]]), a, b, ulps=1e3)
    compare(queue, lambda xp, a: xp.linalg.multi_dot([a]), a)
    tensor, line = square.reshape(2, 2, 4), square[0].reshape(2, 2)
    compare(queue, lambda xp, a, b: xp.linalg.tensorsolve(a, b), tensor, line, ulps=1e4)
    compare(queue, lambda xp, a: xp.linalg.tensorinv(a, 2), tensor, ulps=1e4)
    compare(queue, lambda xp, a: xp.linalg.tensorinv(a, 1), tensor, ulps=1e4)
    if dtype != "i4":
        for triangle in "LU":
            call = lambda xp, a, t=triangle: tuple(xp.linalg.eigh(a, UPLO=t))[:1]  # noqa: E731
            compare(queue, call, square, ulps=1e4)
            values = lambda xp, a, t=triangle: xp.linalg.eigvalsh(a, t)  # noqa: E731
            compare(queue, values, square, ulps=1e4)
        with pytest.raises(ValueError, match="eigh: UPLO is 'X'"):
            usm.linalg.eigh(usm.asarray(square, sycl_queue=queue), UPLO="X")


@pytest.mark.parametrize("name", ["fft2", "ifft2", "rfft2", "irfft2"])
def test_transforms_of_two_axes(queue, name):
    skip_without_library(queue)
    x = np.random.default_rng(0).standard_normal((2, 4, 6))
    for more in ({}, {"s": (3, 8)}, {"axes": (0, 1)}, {"norm": "ortho"}):
        call = lambda xp, x, m=more: getattr(xp.fft, name)(x, **m)  # noqa: E731
        compare(queue, call, x, ulps=100)


LINES = (
    "append array_equal array_equiv array_split block choose column_stack compress",
    "convolve corrcoef correlate cov delete diag diagflat dot dsplit dstack ediff1d fliplr",
    "flipud gradient histogram2d histogram_bin_edges histogramdd hsplit inner insert kron",
    "lexsort nanquantile pad partition percentile piecewise polyval resize rot90 select",
    "setdiff1d split trace trapezoid trim_zeros union1d unique unravel_index vander vdot",
    "vsplit",
)
FUNCTIONS = [name for line in LINES for name in line.split()]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpy_calls_them(name):
    from usmtensor._numpy import array_function

    assert getattr(np, name) in array_function.functions()


@pytest.mark.parametrize(
    "call",
    [
        lambda x, two, half, rng: usm.pad(x, two),
        lambda x, two, half, rng: usm.pad(x, ((two, 1), (0, two))),
        lambda x, two, half, rng: usm.pad(x, {1: two}),
        lambda x, two, half, rng: usm.pad(x, 1, constant_values=(half, 3)),
        lambda x, two, half, rng: usm.pad(x, 3, "linear_ramp", end_values=half),
        lambda x, two, half, rng: usm.pad(x, 1, "mean", stat_length=two),
        lambda x, two, half, rng: usm.unwrap(x, discont=half, period=two),
        lambda x, two, half, rng: usm.quantile(x, [half, 1]),
        lambda x, two, half, rng: usm.linalg.norm(x, two - 1),
        lambda x, two, half, rng: usm.linalg.vector_norm(x, ord=half),
        lambda x, two, half, rng: usm.fft.fftshift(x, two - 1),
        lambda x, two, half, rng: usm.fft.ifftshift(x, (two - 1, 0)),
        lambda x, two, half, rng: rng.choice(two, 5),
        lambda x, two, half, rng: rng.permutation(two),
        lambda x, two, half, rng: usm.r_[0:two:half],
        lambda x, two, half, rng: usm.r_[x[0], half:two],
        lambda x, two, half, rng: usm.mgrid[0:two, half:3],
    ],
)
def test_0_d_arrays_as_numbers(call, queue):
    """x[0] is an array, so it is accepted where NumPy accepts its scalar x[0]."""
    x = usm.asarray([[1.0, 4, 2], [7, 5, 3], [2, 8, 6]], sycl_queue=queue)
    two, half = (usm.asarray([2], sycl_queue=queue)[0], usm.asarray([0.5], sycl_queue=queue)[0])

    def rng():
        return usm.random.default_rng(1, sycl_queue=queue)

    assert_same(call(x, two, half, rng()), usm.asnumpy(call(x, 2, 0.5, rng())))


def test_pad_widths_in_one_array(queue):
    x, widths = (usm.asarray(one, sycl_queue=queue) for one in ([5, 6], [1, 2]))
    assert_same(usm.pad(x, widths), np.pad([5, 6], (1, 2)))
    assert_same(usm.pad(x, 1, constant_values=widths), np.array([1, 5, 6, 2]))


@pytest.mark.parametrize(
    "call",
    [
        lambda xp, x, y: xp.select([x > 2], [y]),
        lambda xp, x, y: xp.select([y > 2, x < 1], [x, y], x),
        lambda xp, x, y: xp.select([x > k for k in range(40)], [y + k for k in range(40)]),
        lambda xp, x, y: xp.choose((x > 2).astype(int), [y, y + 1]),
        lambda xp, x, y: xp.choose((y > 2).astype(int), [x, 5]),
        lambda xp, x, y: xp.compress((y > 2).ravel(), x),
        lambda xp, x, y: xp.piecewise(y, [x > 2], [1, 2]),
        lambda xp, x, y: xp.append(x, y),
        lambda xp, x, y: xp.trapezoid(x, y),
        lambda xp, x, y: xp.trapezoid(x, dx=y[0, 1:]),
        lambda xp, x, y: xp.trapezoid(y, x),
    ],
)
def test_numpy_arrays_in_any_argument(call, queue):
    """One argument is an array on the device; it decides the queue."""
    x = np.arange(6.0).reshape(2, 3)
    found = call(usm, x, usm.asarray(x + 1, sycl_queue=queue))
    assert_same(found, np.asarray(call(np, x, x + 1), dtype=found.dtype))
    assert found.sycl_queue == queue
