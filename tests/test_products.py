"""Products of matrices and vectors, against NumPy's: any shapes, strides, types and places."""

import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from both_tiers import (
    DISCRETE,
    all_on_the_device,
    all_on_the_host,
    assert_same_bits,
    skip_without_tiers,
)
from hypothesis import given
from hypothesis import strategies as st
from numpy.exceptions import AxisError
from placement import in_order_queue, out_of_order_queue, survives_forks
from strategies import dtypes, examples, laid_out, layouts, skip_without, supported_dtypes

import usmtensor as usm
from usmtensor import _hooks

LARGE = 40  # from here on a library multiplies


def numbers(shape, dtype, seed=0):
    """Small integers, whose products and their sums every type holds exactly; in integer types any,
    which wrap."""
    dtype, random = np.dtype(dtype), np.random.default_rng(seed)
    if dtype.kind == "b":
        return random.random(shape) < 0.3
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, shape, dtype, endpoint=True)
    values = random.integers(-3, 4, shape)
    if dtype.kind == "c":
        values = values + 1j * random.integers(-3, 4, shape)
    return values.astype(dtype)


def assert_same(x, expected):
    """Equal shape, dtype and values; a zero may have either sign."""
    assert isinstance(x, usm.usm_ndarray)
    np.testing.assert_array_equal(usm.asnumpy(x), np.asarray(expected), strict=True)


EXTENTS = st.one_of(st.integers(0, 6), st.sampled_from([16, 17, 33, 64, 130]))


@st.composite
def factors(draw):
    """Shapes that can be multiplied."""
    m, n, k = draw(EXTENTS), draw(EXTENTS), draw(EXTENTS)
    batch = draw(st.lists(st.integers(0, 3), max_size=3))
    thinned = [[1 if draw(st.booleans()) else extent for extent in batch] for _ in range(2)]
    cut = [one[draw(st.integers(0, len(one))) :] for one in thinned]
    # A missing leading axis broadcasts against the other operand's.
    x = (k,) if draw(st.integers(0, 3)) == 0 else (*cut[0], m, k)
    y = (k,) if draw(st.integers(0, 3)) == 0 else (*cut[1], k, n)
    return x, y


@examples(200)
@given(data=st.data(), shapes=factors(), dtype=dtypes())
def test_matmul(queue, data, shapes, dtype):
    x, y = (
        laid_out(numbers(shape, dtype, seed), data.draw(layouts(len(shape))), queue)
        for seed, shape in enumerate(shapes)
    )
    expected = np.matmul(x[0], y[0])
    assert_same(usm.matmul(x[1], y[1]), expected)
    assert_same(x[1] @ y[1], expected)
    out = laid_out(np.zeros_like(expected), data.draw(layouts(np.ndim(expected))), queue)[1]
    assert usm.matmul(x[1], y[1], out=out) is out
    assert_same(out, expected)


@pytest.mark.parametrize("dtype", ["?", "i4", "i8", "f2", "f4", "f8", "c8"])
def test_windows_times_a_vector(queue, dtype):
    """Their rows overlap, so BLAS would need a copy of them."""
    skip_without(queue.sycl_device, dtype)
    host = (np.arange(2000) % 7 - 3).astype(dtype)
    weights = (np.arange(240) % 5 - 2).astype(dtype)[::-2]
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (host, weights))
    view = np.lib.stride_tricks.sliding_window_view
    for key in (np.s_[:], np.s_[::-1], np.s_[3:8], np.s_[:0]):
        windows, ours = view(host, 120)[key], usm.lib.stride_tricks.sliding_window_view(x, 120)[key]
        wanted = (windows.astype("c16") @ weights.astype("c16")).real.astype(dtype)
        for found in (ours @ y, usm.matmul(ours, y), usm.matmul(ours[None], y)[0]):
            assert_same(found, wanted)
    out = x[500:1000]  # overlaps the windows
    wanted = usm.asnumpy(usm.copy(usm.lib.stride_tricks.sliding_window_view(x, 120)[:500]) @ y)
    usm.matmul(usm.lib.stride_tricks.sliding_window_view(x, 120)[:500], y, out=out)
    np.testing.assert_array_equal(usm.asnumpy(out), wanted)


@pytest.mark.parametrize("shapes", [((50, 60), (60, 70)), ((9, 1, 40, 40), (3, 40, 50))])
@given(data=st.data(), dtype=dtypes())
@examples(30)
@pytest.mark.quirk("matmul-loops")
def test_large_matrices(queue, shapes, data, dtype):
    x, y = (
        laid_out(numbers(shape, dtype, seed), data.draw(layouts(len(shape))), queue)
        for seed, shape in enumerate(shapes)
    )
    expected = np.matmul(x[0], y[0])
    assert_same(usm.matmul(x[1], y[1]), expected)
    out = laid_out(np.zeros_like(expected), data.draw(layouts(expected.ndim)), queue)[1]
    assert_same(usm.matmul(x[1], y[1], out=out), expected)


# Integers of 64 bits that fit 32 bits multiply in another way. Here some rows, columns and parts of
# rows have larger ones.
@pytest.mark.tier("device")
@pytest.mark.parametrize("orders", ["CC", "CF", "FC", "FF"])
@pytest.mark.parametrize("dtype", ["i8", "u8"])
@pytest.mark.parametrize("shape", [(70, 300, 61), (5, 33, 8), (4, 31, 16), (16, 128, 7)])
def test_small_integers(queue, shape, dtype, orders):
    m, k, n = shape
    random = np.random.default_rng(7)
    small = [0, 1, -1, 1000, -1000, 2**31 - 1, 2 - 2**31, -(2**31)]
    large = [2**31, -(2**31) - 1, 2**32 - 1, 2**32, -(2**32), 2**63 - 1, -(2**63)]

    def factor(*shape, chance):
        larger = random.random(shape) < chance
        return np.where(larger, random.choice(large, shape), random.choice(small, shape))

    for chance in (0, 0.1 / k, 1 / k):
        a = factor(m, k, chance=chance).astype(dtype, orders[0])
        b = factor(k, n, chance=chance).astype(dtype, orders[1])
        x, y = (usm.asarray(one, order="K", sycl_queue=queue) for one in (a, b))
        assert_same(x @ y, a @ b)


@pytest.mark.parametrize("n", [3, 4, 16, 20])
@pytest.mark.parametrize("dtype", ["f4", "i8", "c8"])
def test_many_small_matrices(queue, n, dtype):
    """Work-items divide the products anywhere; rows of them have several strides, or repeat one
    factor."""
    x, y = numbers((70, 90, n, n), dtype), numbers((70, 1, n, n), dtype, 1)
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    assert_same(usm.matmul(*ours), np.matmul(x, y))
    out = usm.zeros((90, 70, n, n), dtype=dtype, sycl_queue=queue)
    usm.matmul(ours[0][:, ::-1], ours[0], out=usm.permute_dims(out, (1, 0, 2, 3)))
    assert_same(out, np.matmul(x[:, ::-1], x).transpose(1, 0, 2, 3))


@pytest.mark.parametrize("shapes", [((300, 500), (500, 200)), ((1, 700), (700, 300))])
def test_rounding(queue, shapes):
    """Errors of floating point products stay within their bound."""
    for dtype in set("efdFD") & {dtype.char for dtype in supported_dtypes()}:
        random = np.random.default_rng(1)
        x, y = (random.normal(size=shape).astype(dtype) for shape in shapes)
        exact = x.astype("c16") @ y.astype("c16")
        bound = np.abs(x.astype("c16")) @ np.abs(y.astype("c16"))
        result = usm.asnumpy(usm.asarray(x, sycl_queue=queue) @ usm.asarray(y, sycl_queue=queue))
        eps = np.finfo(dtype).eps
        limit = (np.finfo("f4").eps * 60 + eps) if dtype == "e" else eps * 60
        assert (np.abs(result - exact) <= limit * bound).all()


@given(data=st.data(), types=st.tuples(dtypes(), dtypes()))
@examples(60)
def test_promotion(queue, data, types):
    x, y = (np.arange(9).reshape(3, 3).astype(dtype) for dtype in types)
    wanted = usm.result_type(*types)
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    if wanted in supported_dtypes():
        x, y = x.astype(wanted), y.astype(wanted)
        assert_same(usm.matmul(*ours), x @ y)
        assert_same(usm.vecdot(*ours), np.vecdot(x, y))
        assert_same(usm.tensordot(*ours, axes=1), x @ y)


def test_dtype(queue):
    x = usm.asarray(numbers((3, 4), "i2"), sycl_queue=queue)
    wide = usm.matmul(x, x.T, dtype="i8")
    assert_same(wide, np.matmul(numbers((3, 4), "i2"), numbers((3, 4), "i2").T, dtype="i8"))
    with pytest.raises(TypeError, match="matmul: the operands promote to int16"):
        usm.matmul(x, x.T, dtype="?")


def test_special_values(queue):
    x = np.array([[np.inf, 1], [np.nan, 0]], "f4")
    y = np.array([[1, -1], [0, np.inf]], "f4")
    with np.errstate(all="ignore"):
        expected = x @ y
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    np.testing.assert_array_equal(usm.asnumpy(usm.matmul(*ours)), expected)


def test_no_warnings(queue):
    """NumPy warns of invalid values and overflow; under -W error it would raise."""
    x = usm.full((LARGE, LARGE), 3e38, dtype="f4", sycl_queue=queue)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert np.isinf(usm.asnumpy(x @ x)).all()


@pytest.mark.parametrize("n", [3, LARGE])
def test_in_place(queue, n):
    values = numbers((n, n), "f4")
    x = y = usm.asarray(values, sycl_queue=queue)
    x @= usm.asarray(values.T.copy(), sycl_queue=queue)
    assert x is y
    assert_same(x, values @ values.T)
    x @= x
    assert_same(x, (values @ values.T) @ (values @ values.T))
    with pytest.raises(ValueError, match="matmul: out has shape"):
        x @= usm.ones((n, n + 1), dtype="f4", sycl_queue=queue)
    with pytest.raises(TypeError, match=r"matmul: out has .* float32; expected .* complex64"):
        x @= usm.ones((n, n), dtype="c8", sycl_queue=queue)
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        x @= x


@pytest.mark.parametrize("n", [3, LARGE])
@pytest.mark.parametrize("window", [(slice(1, None), slice(None, -1)), (slice(None, -1),) * 2])
def test_overlap(queue, n, window):
    values = numbers((n + 1, n + 1), "f4")
    x = usm.asarray(values, sycl_queue=queue)
    expected = values[1:, 1:] @ values[:-1, 1:]
    result = usm.matmul(x[1:, 1:], x[:-1, 1:], out=x[window])
    values[window] = expected
    assert result.shape == (n, n)
    assert_same(x, values)


def test_other_operands(queue):
    values = numbers((3, 3), "f4")
    x = usm.asarray(values, sycl_queue=queue)
    assert_same(x @ values, values @ values)
    assert_same(values @ x, values @ values)
    assert_same(np.matmul(values, x), values @ values)
    assert_same(np.vecdot(x, values), np.vecdot(values, values))
    assert_same(usm.tensordot(values, x), np.tensordot(values, values))
    for other in ("text", [1, 2, 3]):
        for call in (lambda other=other: x @ other, lambda other=other: other @ x):
            with pytest.raises(TypeError, match=r"matmul: an operand is of type (str|list)"):
                call()
    for other in (object(), None):
        assert x.__matmul__(other) is NotImplemented
        with pytest.raises(TypeError):
            other @ x
    for other in (2, 2.5, np.float32(2)):
        with pytest.raises(TypeError, match="matmul: x2 is of type"):
            x @ other


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: usm.matmul(x, x[:2]), ValueError, "matmul: x1 of shape .* has 3 columns"),
        (lambda x: x @ x[0, 0], ValueError, "matmul: x2 has no dimensions"),
        (
            lambda x: usm.matmul(x[None][[0, 0]], x[None][[0, 0, 0]]),
            ValueError,
            "matmul: arrays of shapes",
        ),
        (lambda x: usm.matmul(x, x, out=x[:2]), ValueError, "matmul: out has shape"),
        (lambda x: usm.matmul(x, x, out=usm.astype(x, "i8")), TypeError, "matmul: out has data"),
        (lambda x: usm.matmul(x, x, out=np.ones((3, 3))), TypeError, "matmul: out is of type"),
        (lambda x: usm.matmul(x, x, order="Z"), ValueError, "matmul: order is 'Z'"),
        (lambda x: usm.matmul(np.ones(3), [1]), TypeError, "matmul: x2 is of type list"),
        (lambda x: usm.matmul(np.ones(3), np.ones(3)), usm.ExecutionPlacementError, "matmul"),
        (lambda x: usm.vecdot(x, x, axis=-3), AxisError, "vecdot"),
        (lambda x: usm.vecdot(x, x[0], axis=0), AxisError, "vecdot"),
        (lambda x: usm.vecdot(x, x[:, :2]), ValueError, "vecdot: x1 has 3 elements"),
        (lambda x: usm.vecdot(x, x, axis="a"), TypeError, "vecdot: axis is of type str"),
        (lambda x: usm.tensordot(x, x, axes=3), ValueError, "tensordot: axes is 3"),
        (lambda x: usm.tensordot(x, x, axes=-1), ValueError, "tensordot: axes is -1"),
        (lambda x: usm.tensordot(x, x[:2], axes=1), ValueError, "tensordot: axis 1 of a"),
        (lambda x: usm.tensordot(x, x, axes=((0, 0), (0, 1))), ValueError, "an axis twice"),
        (lambda x: usm.tensordot(x, x, axes=((0, 1), (0,))), ValueError, "tensordot: axes"),
        (lambda x: usm.tensordot(x, x, axes=((5,), (0,))), AxisError, "tensordot: axes of a"),
        (lambda x: usm.tensordot(x, x, axes="ab"), TypeError, "tensordot: axes is of type str"),
    ],
)
def test_refused(queue, call, error, words):
    x = usm.asarray(numbers((3, 3), "f4"), sycl_queue=queue)
    with pytest.raises(error, match=words):
        call(x)


def test_kinds_and_order(queue, usm_kind):
    x = usm.ones((LARGE, LARGE), dtype="f4", usm_type=usm_kind, sycl_queue=queue)
    y = usm.ones((LARGE, LARGE), dtype="f4", sycl_queue=queue)
    assert (x @ x).usm_type == usm_kind and (x @ y).usm_type == "device"
    assert usm.tensordot(x, np.ones((LARGE, 3), "f4"), axes=1).usm_type == usm_kind
    assert (x @ y).flags.c_contiguous
    assert usm.matmul(x, y, order="F").flags.f_contiguous
    assert usm.matmul(x.T, y.T, order="A").flags.f_contiguous
    assert (x.T @ y.T).flags.c_contiguous
    assert float(usm.matmul(x, y, order="F")[1, 2]) == LARGE


# --- vecdot and tensordot ------------------------------------------------------------------------


@examples(150)
@given(data=st.data(), dtype=dtypes())
def test_vecdot(queue, data, dtype):
    k = data.draw(st.one_of(st.integers(0, 40), st.sampled_from([64, 100, 257, 5000])))
    batch = data.draw(st.lists(st.integers(0, 3), max_size=2))
    axis = data.draw(st.integers(-1 - len(batch), -1))
    shape = [*batch[: len(batch) + 1 + axis], k, *batch[len(batch) + 1 + axis :]]
    other = [extent if i == len(batch) + 1 + axis else 1 for i, extent in enumerate(shape)]
    x, y = (
        laid_out(numbers(one, dtype, seed), data.draw(layouts(len(one))), queue)
        for seed, one in enumerate((shape, data.draw(st.sampled_from([shape, other]))))
    )
    assert_same(usm.vecdot(x[1], y[1], axis=axis), np.vecdot(x[0], y[0], axis=axis))


@pytest.mark.parametrize("size", [1 << 16, (1 << 16) + 1, (1 << 17) + 2, 300_001])
@pytest.mark.parametrize("dtype", "?bHqefdFD")
def test_long_vectors(queue, size, dtype):
    skip_without(queue.sycl_device, dtype)
    x, y = numbers((2, size), dtype, 1), numbers((2, size), dtype, 2)
    if dtype == "e":
        x[:, 5000:] = 0  # the sum stays in the range of halves
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    assert_same(usm.vecdot(*ours), np.vecdot(x, y))
    assert_same(ours[0] @ ours[1].T, x @ y.T)
    assert_same(ours[0][0, ::-1] @ ours[1][1], x[0, ::-1] @ y[1])


@pytest.mark.parametrize("dtype", "?bBhHqQefdFD")
def test_order_of_sums(queue, dtype):
    """It depends on the number of terms, not on the loop: for squares, and for elements side by
    side or apart. No loop reads elements after the end of a row."""
    skip_without(queue.sycl_device, dtype)
    for count in (*range(1, 100), 127, 128, 129, 4095, 4096, 4099, 9000):
        shape = (3, count + 64)
        x = numbers(shape, dtype)
        if x.dtype.kind in "fc":
            parts = np.random.default_rng(count).random((2, *shape))
            x = (x + parts[0] + (1j * parts[1] if x.dtype.kind == "c" else 0)).astype(dtype)
            x[:, count:] = np.nan
        rows = usm.asarray(x, sycl_queue=queue)[:, :count]
        apart = usm.asarray(np.repeat(x, 2, 1), sycl_queue=queue)[:, : 2 * count : 2]
        square = usm.asnumpy(usm.vecdot(rows, rows))
        assert not np.any(square.imag)
        for case, other in (
            ("two arrays", usm.vecdot(rows, usm.copy(rows))),
            ("apart", usm.vecdot(apart, rows)),
            ("row by row", usm.stack([usm.vecdot(row, row) for row in rows])),
        ):
            assert_same_bits(square, usm.asnumpy(other), case=f"{case}, {count} terms")


def test_long_sums_are_accurate(queue):
    x = np.full(1 << 22, 0.1, "f4")
    ours = usm.asarray(x, sycl_queue=queue)
    exact = float(np.vdot(x.astype("f8"), x.astype("f8")))
    assert abs(float(usm.vecdot(ours, ours)) - exact) < 1e-6 * exact


@examples(100)
@given(data=st.data(), dtype=dtypes())
def test_tensordot(queue, data, dtype):
    extents = st.lists(st.integers(0, 3), max_size=2)
    left, right, summed = data.draw(extents), data.draw(extents), data.draw(extents)
    if data.draw(st.booleans()):
        shapes, axes = ([*left, *summed], [*summed, *right]), len(summed)
    else:
        shapes, axes = ([*left, *summed], [*summed, *right]), []
        places = []
        for which in range(2):
            order = data.draw(st.permutations(range(len(shapes[which]))))
            base = len(left) if which == 0 else 0
            places.append([order.index(base + k) for k in range(len(summed))])
            shapes[which][:] = [shapes[which][axis] for axis in order]
        axes = tuple(places)
    x, y = (
        laid_out(numbers(shape, dtype, seed), data.draw(layouts(len(shape))), queue)
        for seed, shape in enumerate(shapes)
    )
    assert_same(usm.tensordot(x[1], y[1], axes=axes), np.tensordot(x[0], y[0], axes=axes))


# --- where and when ------------------------------------------------------------------------------


SHAPES = [
    ((3, 4), (4, 5)),
    ((5,), (5, 40)),
    ((40, 300), (300,)),
    ((17, 4, 4), (17, 4, 4)),
    ((1, 3, 131, 65), (2, 1, 65, 33)),
    ((300,), (300,)),
    ((700,), (700, 5)),  # so many terms that other devices compute sums of chunks first
    ((2, 5, 600), (600, 70)),
    ((20, 520), (520, 9)),
]


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", "?bBhHiIqQefdFD")
def test_both_tiers_give_the_same_bits(queue, dtype, shapes):
    skip_without(queue.sycl_device, dtype)
    skip_without_tiers(queue.sycl_device)
    random = np.random.default_rng(3)
    x, y = (numbers(shape, dtype, seed) for seed, shape in enumerate(shapes))
    if x.dtype.kind in "fc":
        x, y = (one * random.normal(size=one.shape).astype(one.dtype) for one in (x, y))
    ours = [usm.asarray(one, sycl_queue=queue) for one in (x, y)]
    turned = [usm.asarray(np.asfortranarray(one), sycl_queue=queue) for one in (x, y)]
    with all_on_the_host(queue):
        host = usm.matmul(*ours)
    with all_on_the_device(queue):
        device, other = usm.matmul(*ours), usm.matmul(*turned)
    assert_same_bits(usm.asnumpy(host), usm.asnumpy(device), case="host and device")
    if x.ndim > 1 and y.ndim > 1:  # in products of vectors, strides change the order of the sum
        assert_same_bits(usm.asnumpy(host), usm.asnumpy(other), case="other strides")
        _hooks.force_device_class(2)
        try:
            patches = usm.matmul(*ours)
            queue.wait()
        finally:
            _hooks.force_device_class(0)
        assert_same_bits(usm.asnumpy(host), usm.asnumpy(patches), case="another device's kernel")


@pytest.mark.parametrize("device_class", [1, 2])
@examples(30)
@given(shapes=factors(), dtype=dtypes())
def test_kernels_of_other_devices(queue, shapes, dtype, device_class):
    x, y = (numbers(shape, dtype, seed) for seed, shape in enumerate(shapes))
    expected = np.matmul(x, y)
    _hooks.force_device_class(device_class)
    try:
        result = usm.asarray(x, sycl_queue=queue) @ usm.asarray(y, sycl_queue=queue)
        assert_same(result, expected)
    finally:
        _hooks.force_device_class(0)


@pytest.mark.parametrize("make", [in_order_queue, out_of_order_queue])
@pytest.mark.parametrize("n", [8, LARGE, 200])
def test_order(device, make, n):
    """Pending work on the operands comes before, later work on the result after."""
    q, other = make(device), make(device)
    values = numbers((n, n), "f4")
    source = usm.asarray(values, sycl_queue=q)
    for _ in range(5):
        x = usm.zeros((n, n), dtype="f4", sycl_queue=q)
        out = usm.empty((n, n), dtype="f4", sycl_queue=other)
        q.wait()
        _hooks.late_copy(q, x, source)
        usm.matmul(x, x.to_device(other), out=out)
        later = out + 1
        x[...] = 0
        out[...] = 7
        assert_same(later, values @ values + np.float32(1))


def test_threads(queue):
    values = [numbers((60, 60), "f4", seed) for seed in range(4)]
    failed = []

    def work(k):
        x = usm.asarray(values[k], sycl_queue=queue)
        expected = values[k] @ values[k]
        for _ in range(50):
            if not np.array_equal(usm.asnumpy(x @ x), expected):
                failed.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


FORK = """
import os, sys, threading
import numpy as np
import usmtensor as usm
device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
x = usm.ones((300, 300), dtype="f4", device=device)
assert float((x @ x)[1, 2]) == 300
done = threading.Event()
def work():
    while not done.is_set():
        usm.matmul(x, x)
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads: thread.start()
for _ in range(2):
    child = os.fork()
    if child == 0:
        y = usm.matmul(x, x)
        os._exit(0 if float(y[1, 2]) == 300 else 1)
    assert os.waitpid(child, 0)[1] == 0
done.set()
for thread in threads: thread.join()
"""


@survives_forks
def test_fork():
    """A fork holds the GIL, which NumPy needs for products in other threads."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORK],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(DISCRETE, reason="the mode is on anyway")
def test_discrete_mode(device):
    """In discrete mode the host may not read the operands."""
    if not device.is_cpu:
        pytest.skip("the device is no CPU: its memory is out of reach anyway")
    code = (
        "import numpy as np, usmtensor as usm\n"
        "x = usm.ones((50, 50), dtype='f4')\n"
        "assert (usm.asnumpy(x @ x) == 50).all() and float(usm.vecdot(x, x)[3]) == 50\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"USMTENSOR_DISCRETE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_modes_of_the_caller(queue):
    """Subnormal numbers count in every floating point mode of the caller."""
    tiny = np.float32(1e-39)
    x = usm.full((LARGE, LARGE), tiny, dtype="f4", sycl_queue=queue)
    eye = usm.eye(LARGE, dtype="f4", sycl_queue=queue)
    assert (usm.asnumpy(x @ eye) == tiny).all()
