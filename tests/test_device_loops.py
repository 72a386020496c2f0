"""The loops for devices other than CPUs, on any device: sizes around their work-groups, tiles and
shares, which the tests of the functions rarely reach."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from usmtensor._hooks import force_device_class

import usmtensor as usm

pytestmark = pytest.mark.any_memory

OTHER = 2  # devices that are neither CPUs nor known GPUs


@pytest.fixture(autouse=True)
def loops():
    force_device_class(OTHER)
    yield
    force_device_class(0)


def array(x, queue):
    return usm.asarray(x, sycl_queue=queue)


SIZES = [1, 127, 128, 129, 1023, 1024, 1025, 2049, 5000]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("step", [1, 2, -1])
def test_lines(queue, size, step):
    """A whole work-group, parts of one, and values in place of arrays."""
    host = np.arange(3.0 * size, dtype="f4")[::step][:size]
    x = array(np.arange(3.0 * size, dtype="f4"), queue)[::step][:size]
    np.testing.assert_array_equal(usm.asnumpy(usm.copy(x)), host)
    np.testing.assert_array_equal(usm.asnumpy(x + x), host + host)
    np.testing.assert_array_equal(usm.asnumpy(2 - x), 2 - host)
    np.testing.assert_array_equal(usm.asnumpy(x < 7), host < 7)


@given(
    shape=st.lists(st.integers(1, 9), min_size=2, max_size=6),
    axes=st.randoms(use_true_random=False),
    dtype=st.sampled_from(["i1", "f4", "c16"]),
)
def test_axes(queue, shape, axes, dtype):
    """Up to six axes in any order: two, four and more have code of their own."""
    order = list(range(len(shape)))
    axes.shuffle(order)
    host = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    x = usm.permute_dims(array(host, queue), order)
    moved = host.transpose(order)
    np.testing.assert_array_equal(usm.asnumpy(usm.copy(x, order="C")), moved)
    np.testing.assert_array_equal(usm.asnumpy(x + x[..., :1]), moved + moved[..., :1])


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c16"])
@pytest.mark.parametrize(
    "shape, axes",
    [
        ((32, 32), (1, 0)),
        ((33, 65), (1, 0)),
        ((8, 200), (1, 0)),
        ((3, 40, 50), (0, 2, 1)),
        ((40, 3, 50), (2, 1, 0)),
        ((2, 3, 4, 9, 10), (4, 1, 2, 3, 0)),
        ((2, 2, 9, 2, 2, 10), (5, 0, 3, 1, 4, 2)),
    ],
)
def test_squares(queue, shape, axes, dtype):
    host = (np.arange(np.prod(shape)) % 251).reshape(shape).astype(dtype)
    x = usm.permute_dims(array(host, queue), axes)
    np.testing.assert_array_equal(usm.asnumpy(usm.copy(x, order="C")), host.transpose(axes))


def test_operands_across(queue):
    """So large that one operand is turned first."""
    host = np.arange(1024.0 * 1024, dtype="f4").reshape(1024, 1024)
    x = array(host, queue)
    np.testing.assert_array_equal(usm.asnumpy(x + x.T), host + host.T)
    np.testing.assert_array_equal(usm.asnumpy(usm.astype(x.T, "i4")), host.T.astype("i4"))


@pytest.mark.parametrize("size", [1, 15, 17, 4096, 32768, 32769, 200_000])
@pytest.mark.parametrize("offset", [0, 3])
def test_masks(queue, size, offset):
    """Several shares, whose masks begin at odd addresses too."""
    chosen = np.random.default_rng(size).random(size + offset) < 0.4
    mask, host = chosen[offset:], np.arange(size, dtype="i4")
    m, x = array(chosen, queue)[offset:], array(host, queue)
    np.testing.assert_array_equal(usm.asnumpy(x[m]), host[mask])
    np.testing.assert_array_equal(usm.asnumpy(usm.nonzero(m)[0]), np.flatnonzero(mask))
    for count in (1, 3, max(int(mask.sum()), 1)):
        values = np.arange(count, dtype="i4") - 9
        y, expected = usm.copy(x), host.copy()
        usm.place(y, m, array(values, queue))
        np.place(expected, mask, values)
        np.testing.assert_array_equal(usm.asnumpy(y), expected)


@pytest.mark.parametrize("size", [1, 1000, 32768, 100_000])
def test_indices(queue, size):
    index = np.random.default_rng(size).integers(-size, size, size)
    host = np.arange(2.0 * size).reshape(size, 2)
    x, i = array(host, queue), array(index, queue)
    np.testing.assert_array_equal(usm.asnumpy(x[i]), host[index])
    np.testing.assert_array_equal(usm.asnumpy(x[:, 0][i]), host[:, 0][index])
    index[size // 2] = size
    with pytest.raises(IndexError, match=str(size)):
        x[array(index, queue)]


@pytest.mark.parametrize("dtype", ["i1", "f4", "c16"])
@pytest.mark.parametrize("size, extent", [(1, 5), (1000, 50), (3000, 100_000), (9000, 3)])
def test_assigning_through_indices(queue, dtype, size, extent):
    """The last value of a place stays, in any layout."""
    random = np.random.default_rng(size)
    i, j = random.integers(-extent, extent, size), random.integers(0, 3, size)
    values = random.integers(0, 100, (size, 2, 3)).astype(dtype)
    host = np.zeros((extent, 2, 3), dtype)
    for window in (np.s_[:], np.s_[::-1]):
        expected, x = host.copy(), array(host, queue)
        expected[window][i] = values
        x[window][array(i, queue)] = array(values, queue)
        np.testing.assert_array_equal(usm.asnumpy(x), expected)
        expected[window][i, :, j] = values[:, ::-1, 0]
        x[window][array(i, queue), :, array(j, queue)] = array(values, queue)[:, ::-1, 0]
        np.testing.assert_array_equal(usm.asnumpy(x), expected)


@pytest.mark.parametrize("shape", [(5000,), (3, 40_000), (70_000, 2), (300, 1100), (2, 300, 5)])
@pytest.mark.parametrize("dtype", ["i1", "i8", "f4", "c8"])
def test_reductions(queue, shape, dtype):
    """Rows of more than a block, and columns."""
    host = np.random.default_rng(0).integers(-50, 50, shape).astype(dtype)
    x = array(host, queue)
    wide = "i8" if dtype[0] == "i" else dtype
    for axis in [None, *range(len(shape))]:
        for name in ("sum", "max", "min", "count_nonzero"):
            found = usm.asnumpy(getattr(usm, name)(x, axis=axis))
            kept = {"dtype": wide} if name == "sum" else {}
            expected = getattr(np, name)(host, axis=axis, **kept)
            np.testing.assert_array_equal(found, expected, err_msg=f"{name} {axis}")
        if dtype != "c8":
            found = usm.asnumpy(usm.argmax(x, axis=axis))
            np.testing.assert_array_equal(found, host.argmax(axis=axis))
        if axis is not None:
            found = usm.asnumpy(usm.cumulative_sum(x, axis=axis, dtype=wide))
            np.testing.assert_array_equal(found, host.cumsum(axis=axis, dtype=wide))


@pytest.mark.parametrize("n", [1, 16, 17, 33, 500, 512, 1000, 1023, 1024])
@pytest.mark.parametrize("dtype", ["?", "i1", "i8", "f4", "c16"])
@pytest.mark.parametrize("step", [1, -2])
def test_short_rows(queue, n, dtype, step):
    """Teams of one to all work-items of a work-group reduce a row. Here the last group has rows for
    some of its teams only, and rows on two axes."""
    host = np.random.default_rng(n).integers(0, 9, (3, 67, 2 * n)).astype(dtype)
    x, host = array(host, queue)[..., ::step], host[..., ::step]
    for name in ("sum", "max", "argmin", "any", "count_nonzero"):
        wanted = getattr(np, name)(host, axis=-1)
        np.testing.assert_array_equal(usm.asnumpy(getattr(usm, name)(x, axis=-1)), wanted, name)
    if dtype != "?":
        np.testing.assert_allclose(usm.asnumpy(usm.std(x, axis=-1)), host.std(-1), rtol=1e-5)
        np.testing.assert_array_equal(usm.asnumpy(usm.vecdot(x, x)), np.vecdot(host, host))


def test_nan_and_equal_extremes(queue):
    host = np.zeros(300_000, "f4")
    x = array(host, queue)
    assert int(usm.argmax(x)) == 0
    x[[250_000, 131_073, 290_000]] = 1
    assert int(usm.argmax(x)) == 131_073
    x[200_000] = np.nan
    assert int(usm.argmax(x)) == int(usm.argmin(x)) == 200_000
    assert np.isnan(float(usm.max(x)))


@pytest.mark.parametrize("size", [1, 7, 8, 1000, 5001])
def test_random_numbers(queue, size):
    ours = usm.random.default_rng(5, sycl_queue=queue)
    force_device_class(0)
    usual = usm.random.default_rng(5, sycl_queue=queue)
    for name, dtype in itertools.product(("random", "standard_normal"), ("f4", "f8")):
        expected = usm.asnumpy(getattr(usual, name)(size, dtype=dtype))
        force_device_class(OTHER)
        found = usm.asnumpy(getattr(ours, name)(size, dtype=dtype))
        np.testing.assert_allclose(found, expected, rtol=0 if name == "random" else 1e-6)
        force_device_class(0)
    expected = usm.asnumpy(usual.integers(-5, 300, size))
    force_device_class(OTHER)
    np.testing.assert_array_equal(usm.asnumpy(ours.integers(-5, 300, size)), expected)


@pytest.mark.parametrize("shape", [(1,), (4097,), (150_000,), (1000, 7), (2, 4096), (3, 5000)])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "f2", "f4", "f8", "i8", "c8", "c16"])
@pytest.mark.parametrize("descending", [False, True])
def test_sorting(queue, shape, dtype, descending):
    """Rows in a tile, and rows of several tiles; equal elements, NaN, and zeros of both signs."""
    numbers = np.random.default_rng(0)
    for width in (0.3, 3, 1e9):
        host = numbers.normal(0, width, shape).clip(-2e9, 2e9)
        if np.dtype(dtype).kind in "fc":
            host.flat[::7] = np.nan
            host.flat[::5] = -0.0
        with np.errstate(over="ignore", invalid="ignore"):
            host = host.astype(dtype)
        order = np.argsort(host[..., ::-1] if descending else host, axis=-1, kind="stable")
        if descending:
            order = shape[-1] - 1 - order[..., ::-1]
        x = array(host, queue)
        found = usm.asnumpy(usm.argsort(x, descending=descending))
        np.testing.assert_array_equal(found, order)
        found = usm.asnumpy(usm.sort(x, descending=descending))
        assert found.tobytes() == np.take_along_axis(host, order, -1).tobytes()


@pytest.mark.parametrize("shape", [(3, n) for n in (1023, 1025, 2047, 2049)] + [(520, 2049)])
@pytest.mark.parametrize("dtype", ["u1", "i4", "i8"])
def test_sorting_around_a_tile(queue, shape, dtype):
    """Rows of about a tile, which has 1024 or 2048 elements, and more of them than work-groups."""
    host = np.random.default_rng(0).integers(0, 200, shape).astype(dtype)
    x = array(host, queue)
    np.testing.assert_array_equal(usm.asnumpy(usm.sort(x)), np.sort(host))
    np.testing.assert_array_equal(usm.asnumpy(usm.argsort(x)), np.argsort(host, kind="stable"))


@pytest.mark.parametrize("mode", ["wrap", "clip"])
def test_indices_of_any_size(queue, mode):
    """Indices beyond the ends mean the ends, down to the least integer."""
    limits = np.iinfo("i8")
    for indices, values in (([limits.min], [7]), ([limits.min, 2, limits.max], [7, 8, 9])):
        x = usm.zeros(5, dtype="i4", sycl_queue=queue)
        expected = np.zeros(5, "i4")
        usm.put(
            x, array(np.asarray(indices), queue), array(np.asarray(values, "i4"), queue), mode=mode
        )
        expected[np.clip(indices, 0, 4)] = values
        np.testing.assert_array_equal(usm.asnumpy(x), expected)


def test_sorting_of_axes(queue):
    host = np.random.default_rng(0).integers(0, 99, (300, 5, 20))
    x = array(host, queue)
    for axis in range(3):
        np.testing.assert_array_equal(usm.asnumpy(usm.sort(x, axis=axis)), np.sort(host, axis))
    strided = usm.sort(x[::-2, :, ::3], axis=0)
    np.testing.assert_array_equal(usm.asnumpy(strided), np.sort(host[::-2, :, ::3], 0))
    assert usm.sort(x[:0]).shape == (0, 5, 20)


def test_sets_of_many(queue):
    host = np.random.default_rng(0).integers(0, 9999, 30_000)
    x = array(host, queue)
    found = usm.unique_all(x)
    expected = np.unique(host, return_index=True, return_inverse=True, return_counts=True)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(usm.asnumpy(one), other)
    values, indices = usm.top_k(x, 50)
    np.testing.assert_array_equal(usm.asnumpy(values), np.sort(host)[:-51:-1])
    np.testing.assert_array_equal(host[usm.asnumpy(indices)], usm.asnumpy(values))


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i8", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("terms, x_step, y_step", [(1024, 1, 1), (1537, 2, -1), (140_000, 1, 3)])
def test_long_products_of_vectors(queue, dtype, terms, x_step, y_step):
    """Terms for part of a work-group, for all of it several times, and in segments."""
    random = np.random.default_rng(terms)
    parts = [random.integers(-3, 4, (2, 3, 3 * terms)) for _ in range(2)]
    x, y = ((a + 1j * b if "c" in dtype else a).astype(dtype) for a, b in parts)
    host = x[:, ::x_step][:, :terms], y[:, ::y_step][:, :terms]
    ours = [array(x, queue)[:, ::x_step][:, :terms], array(y, queue)[:, ::y_step][:, :terms]]
    np.testing.assert_array_equal(usm.asnumpy(usm.vecdot(*ours)), np.vecdot(*host))
    np.testing.assert_array_equal(usm.asnumpy(ours[0] @ ours[1][0]), host[0] @ host[1][0])


def test_long_products_are_accurate(queue):
    x = np.random.default_rng(1).normal(size=300_000).astype("f4")
    expected = np.dot(x.astype("f8"), x.astype("f8"))
    assert abs(float(usm.vecdot(array(x, queue), array(x, queue))) - expected) < 2e-6 * expected


@pytest.mark.parametrize("dtype", ["i8", "f4", "c16"])
@pytest.mark.parametrize("shape", [(255,), (1025,), (2, 1024), (70_001,), (3, 33_000)])
def test_scans_around_a_piece(queue, dtype, shape):
    """A piece has 64 work-items of 64 bytes each."""
    host = np.random.default_rng(2).integers(-9, 9, shape).astype(dtype)
    for x, y in ((array(host, queue), host), (array(host, queue)[..., ::-1], host[..., ::-1])):
        found = usm.cumulative_sum(x, axis=-1)
        np.testing.assert_array_equal(usm.asnumpy(found), np.cumsum(y, axis=-1))
