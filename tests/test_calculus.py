"""Gradients, integrals, convolutions, covariances, polynomials: against NumPy."""

import numpy as np
import pytest
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from library import skip_without_library
from numpy_calls import assert_alike, compare, compare_pairs
from strategies import dtypes, examples, numbered, recipes, shapes

import usmtensor as usm


@examples(80)
@given(recipes(max_dims=2, max_side=6), recipes(max_dims=1, max_side=6), st.data())
def test_differences_of_neighbours(queue, recipe, ends, data):
    (x, y), (end, ours) = recipe.pair(queue), ends.pair(queue)
    if x.dtype == "?":
        return
    compare_pairs(lambda xp, a: xp.ediff1d(a), [x], [y])
    compare_pairs(lambda xp, a, b: xp.ediff1d(a, b, to_begin=3), [x, end], [y, ours])


@examples(100)
@given(recipes(max_dims=3, max_side=6), st.data())
def test_trapezoid(queue, recipe, data):
    x, y = recipe.pair(queue)
    if x.dtype.kind not in "ifc" or x.dtype == "i1":
        return  # sums of neighbours wrap
    axis = data.draw(st.integers(-3, 2))
    compare_pairs(lambda xp, a: xp.trapezoid(a, dx=0.5, axis=axis), [x], [y], ulps=16)
    if -x.ndim <= axis < x.ndim:
        points = np.cumsum(np.arange(x.shape[axis]) % 3 + 1).astype("f4")
        ours = usm.asarray(points, sycl_queue=queue)
        call = lambda xp, a, b: xp.trapezoid(a, b, axis=axis)  # noqa: E731
        compare_pairs(call, [x, points], [y, ours], ulps=16)


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_trapezoid_of_distances_in_an_array(queue, axis):
    x = np.arange(12, dtype="f4").reshape(3, 4) ** 2
    y = usm.asarray(x, sycl_queue=queue)
    n = 2 if axis in (0, -2) else 3
    full = (n, 4) if n == 2 else (3, n)
    for shape in ((), (1,), (1, 1), full, full[1:], (full[0], 1), (1, full[1])):
        steps = np.arange(1, 1 + np.prod(shape, dtype=int), dtype="f4").reshape(shape)
        ours = usm.asarray(steps, sycl_queue=queue)
        wanted = np.trapezoid(x, dx=steps, axis=axis)
        for dx in (steps, ours):
            assert_same(usm.trapezoid(y, dx=dx, axis=axis), wanted)


@examples(120)
@given(recipes(max_dims=3, max_side=6), st.data(), st.sampled_from([1, 2]))
def test_gradient(queue, recipe, data, order):
    x, y = recipe.pair(queue)
    if x.dtype.kind in "biu":
        x = x.astype("i4")
        y = usm.asarray(x, sycl_queue=queue)
    axis = data.draw(st.sampled_from([None, 0, -1, (0, 1), (0, 0)]))
    compare_pairs(lambda xp, a: xp.gradient(a, axis=axis, edge_order=order), [x], [y], ulps=16)
    compare_pairs(lambda xp, a: xp.gradient(a, 2, axis=axis, edge_order=order), [x], [y], ulps=16)
    if x.ndim and x.dtype.kind != "i":
        points = np.cumsum(np.arange(x.shape[-1]) % 3 + 1).astype("f4")
        ours = usm.asarray(points, sycl_queue=queue)
        call = lambda xp, a, b: xp.gradient(a, b, axis=-1, edge_order=order)  # noqa: E731
        compare_pairs(call, [x, points], [y, ours], ulps=64)


@examples(150)
@given(
    recipes(max_dims=1, max_side=9),
    recipes(max_dims=1, max_side=9),
    st.sampled_from(["full", "same", "valid"]),
)
def test_convolutions(queue, first, second, mode):
    hosts, ours = zip(first.pair(queue), second.pair(queue), strict=True)
    if any(x.ndim != 1 for x in hosts):
        return
    for name in ("convolve", "correlate"):
        compare_pairs(lambda xp, a, v, n=name: getattr(xp, n)(a, v, mode), hosts, ours, ulps=16)
        if hosts[0].size and hosts[1].size:
            assert getattr(usm, name)(*ours, mode).flags.c_contiguous


def test_long_convolution(queue):
    x, y = np.arange(300), np.arange(17)
    for mode in ("full", "same", "valid"):
        compare(queue, lambda xp, a, v, m=mode: xp.convolve(a, v, m), x, y)
    with pytest.raises(ValueError, match="convolve: mode is 'part'"):
        usm.convolve(usm.asarray(x, sycl_queue=queue), y, "part")


@examples(120)
@given(dtypes(), shapes(max_dims=2, max_side=5), st.data(), st.booleans(), st.booleans())
def test_cov(queue, dtype, shape, data, rowvar, bias):
    x = numbered(shape, dtype)
    if dtype.kind in "iufc":
        x = np.asarray(x * x % 7).astype(dtype) if dtype.kind != "c" else x
    ddof = data.draw(st.sampled_from([None, 0, 1, 2]))
    call = lambda xp, a: xp.cov(a, rowvar=rowvar, bias=bias, ddof=ddof)  # noqa: E731
    if np.size(x) == 0:
        return
    compare(queue, call, x, ulps=64)
    y = usm.asarray(x, sycl_queue=queue)
    assert usm.cov(y, dtype="f4" if dtype.kind != "c" else "c8").dtype.itemsize <= 8
    if x.ndim:
        compare(queue, lambda xp, a, b: xp.cov(a, b, rowvar=rowvar), x, x[::-1] * 2, ulps=64)


@pytest.mark.parametrize("function", ["cov", "corrcoef"])
@pytest.mark.parametrize("dtype", ["u1", "i8", bool])
def test_cov_is_a_floating_point_number(function, dtype, queue):
    x = usm.asarray([[1, 2, 4], [2, 7, 1]], sycl_queue=queue)
    with pytest.raises(TypeError, match=rf"^{function}: .*dtype is {np.dtype(dtype)}; expected a"):
        getattr(usm, function)(x, dtype=dtype)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "c16"])
def test_weights_of_cov(queue, dtype):
    x = (np.arange(12) ** 2 % 7).astype(dtype).reshape(3, 4)
    f, a = np.array([1, 0, 3, 2]), np.array([0.5, 1, 2, 1])
    for ddof in (None, 0, 1):
        compare(queue, lambda xp, x, f, a, d=ddof: xp.cov(x, ddof=d, fweights=f), x, f, a, ulps=64)
        compare(queue, lambda xp, x, f, a, d=ddof: xp.cov(x, ddof=d, aweights=a), x, f, a, ulps=64)
        both = lambda xp, x, f, a, d=ddof: xp.cov(x, None, True, False, d, f, a)  # noqa: E731
        compare(queue, both, x, f, a, ulps=64)
    compare(queue, lambda xp, x, f, a: xp.cov(x, fweights=f - 1), x, f, a)
    compare(queue, lambda xp, x, f, a: xp.cov(x, fweights=a), x, f, a)
    compare(queue, lambda xp, x, f, a: xp.cov(x, aweights=a[:2]), x, f, a)
    compare(queue, lambda xp, x: xp.corrcoef(x), x, ulps=64)
    compare(queue, lambda xp, x: xp.corrcoef(x, x[::-1], rowvar=False), x, ulps=64)
    compare(queue, lambda xp, x: xp.corrcoef(x[0]), x, ulps=64)


@examples(60)
@given(dtypes("iufc", least=2), st.integers(1, 4), recipes(dtype="i2", max_dims=2))
def test_polyval(queue, dtype, count, recipe):
    x, y = recipe.pair(queue)
    p = (np.arange(count) % 3).astype(dtype)
    x, y = x % 3, y % 3
    compare_pairs(lambda xp, p, x: xp.polyval(p, x), [p, x], [usm.asarray(p, sycl_queue=queue), y])


@pytest.mark.parametrize("degree", [0, 1, 3])
@pytest.mark.parametrize("columns", [None, 2])
def test_polyfit(queue, degree, columns):
    skip_without_library(queue)
    x = np.linspace(-1, 2, 20)
    y = np.sin(x) if columns is None else np.stack([np.sin(x), np.cos(x)], -1)
    compare(queue, lambda xp, x, y: xp.polyfit(x, y, degree), x, y, ulps=1e5)
    w = np.cos(x) + 1
    for keywords in ({}, {"cov": True}, {"cov": "unscaled"}):
        call = lambda xp, x, y, w, k=keywords: xp.polyfit(x, y, degree, w=w, **k)  # noqa: E731
        compare(queue, call, x, y, w, ulps=1e5)
    compare(queue, lambda xp, x, y: xp.polyfit(x, y, degree, cov=True), x, y, ulps=1e5)
    ours = usm.polyfit(usm.asarray(x, sycl_queue=queue), y, degree, full=True)
    theirs = np.polyfit(x, y, degree, full=True)
    assert_alike(ours[:2] + ours[3:4], theirs[:2] + theirs[3:4], ulps=1e5)
    assert int(ours[2]) == theirs[2]
    with pytest.raises(ValueError, match=r"polyfit: w\.shape is \(2,\)"):
        usm.polyfit(usm.asarray(x, sycl_queue=queue), y, degree, w=[1, 2])
    with pytest.raises(ValueError, match="polyfit: x has 2 elements; expected more than the 2"):
        usm.polyfit(usm.asarray(x[:2], sycl_queue=queue), y[:2], 1, cov=True)


@pytest.mark.parametrize("dtype", ["?", "i1", "u4", "i8", "f4"])
def test_polyfit_of_any_numbers(queue, dtype):
    skip_without_library(queue)
    x, y = np.asarray([0, 1, 100, 7, 0]).astype(dtype), np.asarray([3, 5, 200, 20, 1])
    here = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    for one, other in ((here[0], y.tolist()), (x, here[1])):
        ours = usm.polyfit(one, other, 1)
        assert_alike(ours, np.polyfit(x, y, 1).astype(ours.dtype), ulps=1e5)


@examples(60)
@given(recipes(max_dims=1), st.sampled_from([None, 0, 1, 4]), st.booleans())
def test_vander(queue, recipe, n, increasing):
    x, y = recipe.pair(queue)
    compare_pairs(lambda xp, a: xp.vander(a, n, increasing=increasing), [x], [y], ulps=16)
