"""Copies and casts: every pair of dtypes, any layout, overlap, order and casting rules, queues."""

import warnings
from itertools import product

import numpy as np
import pytest
from both_tiers import forced
from checks import assert_same, assert_same_strides, name_of, shares_memory
from hypothesis import given
from hypothesis import strategies as st
from placement import PLACES, in_order_queue, other_context_queue, out_of_order_queue
from strategies import (
    DTYPES,
    dtypes,
    examples,
    missing_aspect,
    numbered,
    over_memory,
    recipes,
    skip_without,
)

import usmtensor as usm
from usmtensor import _hooks
from usmtensor import memory as usm_memory

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")
KINDS = ("device", "shared", "host")


@pytest.fixture(params=[1, 2], ids=["cpu kernels", "other kernels"])
def device_class(request):
    """Forces the kernel variants of one class of devices."""
    _hooks.force_device_class(request.param)
    yield request.param
    _hooks.force_device_class(0)


@pytest.fixture
def x(queue):
    """Two rows of three, 0 to 5."""
    return usm.asarray(np.arange(6, dtype="i4").reshape(2, 3), sycl_queue=queue)


# Results of casts: NumPy's, and the library's own rule where NumPy defines none.

INT64_MIN = -(2**63)


def float_to_integer(value, target):
    """The rule for one float: truncate; beyond int64 take its minimum; wrap.

    Signed types give their own minimum for every value out of range. uint64 keeps values up to
    2^64.
    """
    info = np.iinfo(target)
    whole = int(value) if np.isfinite(value) else None
    if whole is not None and info.min <= whole <= info.max:
        return whole
    if target.kind == "i":
        return info.min
    if whole is None or not INT64_MIN <= whole < 2**63:
        whole = INT64_MIN
    return whole % (info.max + 1)


def cast(values, target):
    """`values` as `target`."""
    target = np.dtype(target)
    if values.dtype.kind in "fc" and target.kind in "iu":
        whole = [float_to_integer(value, target) for value in values.real.ravel().tolist()]
        return np.array(whole, target).reshape(values.shape)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        return values.astype(target)


def neighbours(*values):
    """Each value, its neighbours among floats and among halves."""
    for value in values:
        yield from (value, np.nextafter(value, -np.inf), np.nextafter(value, np.inf))
        yield from (value - 0.5, value + 0.5, -value)


def special_floats():
    powers = [2.0**exponent for exponent in (7, 8, 15, 16, 24, 31, 32, 53, 63, 64, 100)]
    values = [0.0, -0.0, np.nan, np.inf, -np.inf, 0.1, -1 / 3, 1e-300, 1e300]
    values += neighbours(1.0, 2.0, 3.0, *powers, *(-power for power in powers))
    # Half way between neighbours in half precision, at both ends of its range and inside.
    values += neighbours(
        2049.0, 2051.0, 65504.0, 65519.0, 65520.0, 2.0**-24, 2.0**-25, 1.5 * 2.0**-25
    )
    # Edges of single precision.
    values += neighbours(2.0**24 + 1, 2.0**24 + 3, 2.0**-149, 2.0**-150, 2.0**128 - 2.0**103)
    for dtype in ("f2", "f4", "f8"):
        info = np.finfo(dtype)
        for value in (info.max, info.tiny, info.smallest_subnormal, info.tiny / 2, info.eps):
            values += [float(value), -float(value)]
    # Every size that an integer has, with digits in all places.
    digits = np.random.default_rng(3).uniform(1, 2, (2, 68)) * [[1], [-1]]
    values += np.ldexp(digits, np.arange(-2, 66)).ravel().tolist()
    return np.array(values, "f8")


def special_integers(dtype):
    info = np.iinfo(dtype)
    values = {info.min, info.max, info.min + 1, info.max - 1, 0, 1}
    for exponent in (7, 8, 11, 15, 16, 24, 31, 32, 53, 63):
        for distance in (-1, 0, 1, 2, 3):
            values |= {2**exponent + distance, -(2**exponent) + distance}
    # Midpoints between neighbours in half, single and double precision, and numbers next to them.
    values |= {65519, 65520}
    for exponent, digits in product(range(64), (24, 53)):
        half = 2**exponent >> digits
        for tie, distance in product((half, 3 * half), (-1, 0, 1)):
            values |= {2**exponent + tie + distance, -(2**exponent) - tie - distance}
    return np.array(sorted(value for value in values if info.min <= value <= info.max), dtype)


def special_values(dtype):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True, True, False, True])
    if dtype.kind in "iu":
        return special_integers(dtype)
    with np.errstate(all="ignore"):
        if dtype.kind == "f":
            return special_floats().astype(dtype)
        real = special_floats()
        parts = [real] * 5, [np.full_like(real, imag) for imag in (0, -0.0, 1.5, np.nan, np.inf)]
        values = np.empty(5 * real.size, "c16")
        values.real, values.imag = map(np.concatenate, parts)
        return values.astype(dtype)


def test_the_reference_rule():
    """The reference of the cast tests agrees with the documentation."""
    values = np.array([np.nan, np.inf, -np.inf, 1e20, -1e20, 300.7, -1.9, 2.0**63, 2.0**64 - 2048])
    minimum = -(2**31)
    assert cast(values, "i4").tolist() == [minimum] * 5 + [300, -1, minimum, minimum]
    assert cast(values, "u1").tolist() == [0] * 5 + [44, 255, 0, 0]
    big = 2**63
    assert cast(values, "u8").tolist() == [big] * 5 + [300, 2**64 - 1, big, 2**64 - 2048]
    assert cast(values, "i1").tolist() == [-128] * 6 + [-1, -128, -128]


@pytest.mark.any_memory
@pytest.mark.parametrize("target", DTYPES, ids=str)
@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_every_pair_of_dtypes(device, queue, device_class, source, target):
    skip_without(device, source, target)
    values = special_values(source)
    expected = cast(values, target)
    x = usm.asarray(values, sycl_queue=queue)
    assert_same(usm.astype(x, target), expected)

    # Strided on both sides, and shorter than a vector.
    y = usm.zeros((values.size, 2), dtype=target, sycl_queue=queue)
    y[::-1, 1] = x
    assert_same(y[::-1, 1], expected)
    assert_same(y[:, 0], np.zeros_like(expected))
    assert_same(usm.astype(x[3::-2], target), expected[3::-2])


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_copies_keep_every_bit(device, queue, device_class, dtype):
    skip_without(device, dtype)
    count = 5000
    noise = np.random.default_rng(1).integers(0, 256, count * dtype.itemsize, np.uint8)
    values = (noise % 2 == 1) if dtype.kind == "b" else noise.view(dtype)
    x = usm.asarray(values, sycl_queue=queue)
    for index in (slice(None), slice(None, None, -1), slice(1, None, 3)):
        copied = usm.asnumpy(usm.copy(x[index]))
        assert copied.tobytes() == values[index].tobytes()


# Layouts


@examples(300)
@given(recipe=recipes(max_dims=5))
def test_copy_of_any_view(queue, device_class, recipe):
    expected, x = recipe.pair(queue)
    y = usm.copy(x)
    assert_same(y, expected)
    assert y.usm_data._pointer != x.usm_data._pointer
    assert y.sycl_queue == queue


@examples(200)
@given(
    ahead=st.integers(-70, 70) | st.integers(4096 - 70, 4096 + 70) | st.integers(-5000, 5000),
    n=st.integers(0, 200) | st.integers(950, 1200) | st.integers(4000, 70_000),
    apart=st.booleans(),
)
def test_copies_a_few_bytes_ahead(queue, ahead, n, apart):
    """Of page boundaries, and within an array."""
    noise = np.random.default_rng(n).integers(0, 256, n + 10_000, np.uint8)
    host = noise.copy()
    x = usm.asarray(noise, sycl_queue=queue)
    y = usm.asarray(noise, sycl_queue=queue) if apart else x
    to = slice(5000 + ahead, 5000 + ahead + n)
    y[to] = x[5000 : 5000 + n]
    host[to] = noise[5000 : 5000 + n]
    assert usm.asnumpy(y).tobytes() == host.tobytes()
    assert usm.asnumpy(x[100:]).tobytes() == (noise if apart else host)[100:].tobytes()
    buffer = np.zeros(n + 10_000, np.uint8)
    buffer[to] = usm.asnumpy(y[to])
    y[:] = buffer
    assert usm.asnumpy(y).tobytes() == buffer.tobytes()


@examples(200)
@given(
    dtype=st.sampled_from(["u1", "u2", "f4", "f8", "c16"]),
    n=st.integers(0, 300) | st.integers(2000, 2100),
    start=st.integers(0, 70),
    to=st.integers(0, 70),
)
def test_rows_a_few_elements_ahead(device, queue, dtype, n, start, to):
    """Rows move by cache lines of the output, on the host and on the device."""
    skip_without(device, dtype)
    values = numbered((3, n + 70), dtype)
    expected = np.zeros_like(values)
    expected[:, to : to + n] = values[:, start : start + n]
    for tier in ("host", "device"):
        x = usm.asarray(values, sycl_queue=queue)
        y = usm.zeros_like(x)
        with forced(tier):
            y[:, to : to + n] = x[:, start : start + n]
        assert_same(y, expected)
        assert_same(x, values)


def check_short_rows(queue, dtype):
    base = np.random.default_rng(4).integers(0, 100, (6, 50, 40)).astype(dtype)
    x = usm.asarray(base, sycl_queue=queue)
    for columns in (1, 2, 3, 4, 6, 8, 12, 16, 18):
        starts = (0, 1, 4, 40 - columns)
        for part in [np.s_[:, :, first : first + columns] for first in starts]:
            assert_same(usm.copy(x[part]), base[part])
            assert_same(usm.copy(x[::-1, ::2][part]), base[::-1, ::2][part])
            assert_same(usm.copy(usm.permute_dims(x[part], (1, 0, 2)), order="C"),
                        base[part].transpose(1, 0, 2))  # fmt: skip
            base[part], x[part] = base[::-1][part].copy(), usm.copy(x[::-1][part])
            assert_same(x, base)


@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8", "c8", "c16"])
def test_short_rows(queue, dtype):
    """They move as fewer, larger elements where strides and addresses allow that."""
    check_short_rows(queue, dtype)
    with forced("host"):
        check_short_rows(queue, dtype)


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
def test_short_rows_on_devices(queue, device_class, dtype):
    check_short_rows(queue, dtype)


@examples(200)
@given(recipe=recipes(max_dims=5), target=dtypes())
def test_cast_of_any_view(queue, device_class, recipe, target):
    expected, x = recipe.pair(queue)
    assert_same(usm.astype(x, target), cast(expected, target))


@examples(200)
@given(recipe=recipes(broadcast=False, max_dims=5), data=st.data())
def test_copy_into_any_view(queue, device_class, recipe, data):
    base = recipe.base()
    x = usm.asarray(base, sycl_queue=queue)
    target, y = recipe.of_numpy(base), recipe.of_usm(x)
    reverse = (Ellipsis, *[slice(None, None, -1)] * target.ndim)
    source = numbered(target.shape, data.draw(dtypes()))[reverse]
    axes = data.draw(st.permutations(range(target.ndim)))
    source = source.transpose(axes).copy().transpose(np.argsort(axes))
    target[...] = cast(source, target.dtype)
    y[...] = usm.asarray(source, sycl_queue=queue)
    assert_same(x, base)


@examples(100)
@given(recipe=recipes(max_dims=4))
def test_views_over_memory(queue, recipe):
    """Explicit strides and offset over a memory object address the elements of a slice."""
    base = recipe.base()
    view = recipe.of_numpy(base)
    memory = usm_memory.MemoryUSMDevice(base.nbytes, queue=queue)
    memory.copy_from_host(base.ravel(order="K").view("u1"))
    x = over_memory(view, base, memory)
    assert_same(x, view)
    assert_same(usm.copy(x), view)


@pytest.mark.parametrize("dtype", ["i1", "u2", "f4", "i8", "c16"])
@pytest.mark.parametrize(
    "shape", [(1, 1000), (1000, 1), (33, 65), (64, 64), (257, 130), (3, 70, 90), (40, 3, 50)]
)
def test_transposes(device, queue, device_class, dtype, shape):
    skip_without(device, dtype)
    values = numbered(shape, dtype)
    x = usm.asarray(values, sycl_queue=queue)
    axes = tuple(reversed(range(len(shape))))
    assert_same(usm.copy(usm.permute_dims(x, axes), order="C"), values.transpose(axes))
    swapped = (*range(len(shape) - 2), len(shape) - 1, len(shape) - 2)
    y = usm.copy(usm.permute_dims(x, swapped)[..., ::-1], order="C")
    assert_same(y, values.transpose(swapped)[..., ::-1])


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 255, 256, 1023, 1024, 1025, 4097, 100_003])
def test_lengths(queue, device_class, count):
    values = np.arange(count, dtype="i4")
    x = usm.asarray(values, sycl_queue=queue)
    assert_same(usm.copy(x), values)
    assert_same(usm.astype(x[::-1], "f4"), values[::-1].astype("f4"))
    if count > 2:
        assert_same(usm.copy(x[1:-1]), values[1:-1])
        y = usm.zeros(count, dtype="i4", sycl_queue=queue)
        y[1:-1] = x[:-2]
        expected = np.zeros(count, "i4")
        expected[1:-1] = values[:-2]
        assert_same(y, expected)


@pytest.mark.parametrize("target", ["i4", "f4"])
def test_many_dimensions(queue, device_class, target):
    """Neither the reversed nor the flipped view collapses to few dimensions."""
    shape = (2, 3, 2, 2, 3, 2, 3)
    values = numbered(shape, "i4")
    x = usm.asarray(values, sycl_queue=queue)
    axes = (6, 2, 4, 0, 5, 1, 3)
    steps = tuple(slice(None, None, -1 if axis % 2 else 1) for axis in range(7))
    expected = values.transpose(axes)[steps]
    y = usm.permute_dims(x, axes)[steps]
    assert_same(usm.astype(y, target, order="C"), expected.astype(target))
    z = usm.empty(expected.shape, dtype=target, sycl_queue=queue)
    z[...] = y
    z[..., ::2] = y[..., ::2]
    assert_same(z, expected.astype(target))


def test_forty_dimensions(queue, device_class):
    values = numbered((2,) * 12, "i4").reshape((2, 1) * 12 + (1,) * 16)
    x = usm.asarray(values, sycl_queue=queue)
    axes = (*range(39, -1, -2), *range(0, 40, 2))
    flips = tuple(slice(None, None, (-1) ** (axis // 2)) for axis in range(40))
    expected = values.transpose(axes)[flips]
    y = usm.permute_dims(x, axes)[flips]
    assert y.ndim == 40
    assert_same(usm.copy(y, order="C"), expected)
    assert_same(usm.astype(y, "f4"), expected.astype("f4"))


def test_more_dimensions_than_numpy_has(queue):
    x = usm.usm_ndarray((2,) * 3 + (1,) * 70, "i4", buffer_ctor_kwargs={"queue": queue})
    usm.reshape(x, (8,), copy=False)[...] = np.arange(8, dtype="i4")
    y = usm.copy(usm.permute_dims(x, tuple(reversed(range(73)))), order="C")
    assert y.shape == (1,) * 70 + (2,) * 3
    assert usm.reshape(y, (8,)).tolist() == [0, 4, 2, 6, 1, 5, 3, 7]


@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 3, 2), (1, 1)])
@pytest.mark.parametrize("target", ["i4", "f4"])
def test_small_shapes(queue, device_class, shape, target):
    values = numbered(shape, "i4")
    x = usm.asarray(values, sycl_queue=queue)
    assert_same(usm.copy(x), values)
    y = usm.astype(x, target)
    assert_same(y, values.astype(target))
    y[...] = x
    assert_same(y, values.astype(target))


@pytest.mark.any_memory
def test_more_than_two_to_the_31_elements(device, queue):
    count = 2**31 + 2**12
    if device.global_mem_size < 4 * count or device.max_mem_alloc_size < count:
        pytest.skip(f"the device has no room for two arrays of {count} bytes")
    x = usm.zeros(count, dtype="i1", sycl_queue=queue)
    x[5] = 2
    x[-3:] = [7, 8, 9]
    y = usm.empty(count, dtype="i1", sycl_queue=queue)

    y[...] = x
    assert y[-4:].tolist() == [0, 7, 8, 9]
    assert y[:6].tolist() == [0, 0, 0, 0, 0, 2]
    y[...] = x[::-1]
    assert [int(y[place]) for place in (0, 1, 2, count - 6)] == [9, 8, 7, 2]
    assert not np.any(usm.asnumpy(y[3 : count - 6 : 997]))
    assert usm.copy(x[5 :: count - 8]).tolist() == [2, 7]

    # A cast into every fourth element, the last of them beyond 2^31.
    row = usm.usm_ndarray((count // 4,), "u4", strides=(0,), buffer=x.usm_data, offset=1)
    y[::4] = row
    assert int(y[0]) == int(y[-4]) == 0
    row[0] = 5
    y[::4] = row
    assert int(y[0]) == int(y[-4]) == 5
    assert int(y[-3]) == 0


# Overlap


@st.composite
def windows(draw, shape):
    """Two ways to cut windows of one shape out of an array."""
    cuts = [], []
    for side in shape:
        length = draw(st.integers(1, side))
        for cut in cuts:
            step = draw(st.integers(1, max((side - 1) // max(length - 1, 1), 1)))
            start = draw(st.integers(0, side - 1 - (length - 1) * step))
            forward = slice(start, start + (length - 1) * step + 1, step)
            stop = start - 1 if start else None
            backward = slice(start + (length - 1) * step, stop, -step)
            cut.append(draw(st.sampled_from((forward, backward))))
    return tuple(map(tuple, cuts))


@examples(300)
@given(
    shape=st.lists(st.integers(1, 7), min_size=1, max_size=3),
    dtype=dtypes(),
    transpose=st.booleans(),
    data=st.data(),
)
def test_overlap_within_an_array(queue, device_class, shape, dtype, transpose, data):
    if transpose:
        shape = [shape[0]] * len(shape)
    target, source = data.draw(windows(shape))
    values = numbered(shape, dtype)
    x = usm.asarray(values, sycl_queue=queue)
    source_values, source_view = values, x
    if transpose:
        source_values, source_view = values.T, usm.permute_dims(x, range(x.ndim)[::-1])
    values[target] = source_values[source].copy()
    x[target] = source_view[source]
    assert_same(x, values)


@pytest.mark.parametrize("shift", [1, 7, 64, 100_000])
@pytest.mark.parametrize("backward", [False, True])
def test_overlap_of_many_elements(queue, device_class, shift, backward):
    values = np.arange(300_000, dtype="i4")
    x = usm.asarray(values, sycl_queue=queue)
    for _ in range(3):
        if backward:
            values[:-shift] = values[shift:].copy()
            x[:-shift] = x[shift:]
        else:
            values[shift:] = values[:-shift].copy()
            x[shift:] = x[:-shift]
    assert_same(x, values)
    values[...] = values[::-1].copy()
    x[...] = x[::-1]
    assert_same(x, values)
    square = values[:250_000].reshape(500, 500)
    square[...] = square.T.copy()
    y = usm.reshape(x[:250_000], (500, 500), copy=False)
    y[...] = y.T
    assert_same(x, values)


@examples(150)
@given(
    source=st.sampled_from(["u1", "i2", "u4", "i8", "f4"]),
    target=st.sampled_from(["u1", "i2", "u4", "i8"]),
    data=st.data(),
)
def test_overlap_between_dtypes(queue, device_class, source, target, data):
    """Two arrays of different dtypes over one memory."""
    source, target = np.dtype(source), np.dtype(target)
    nbytes = 96
    length = data.draw(st.integers(1, 8))

    def geometry(dtype):
        room = nbytes // dtype.itemsize
        step = data.draw(st.integers(1, max((room - 1) // max(length - 1, 1), 1)))
        span = (length - 1) * step
        start = data.draw(st.integers(0, room - 1 - span))
        if data.draw(st.booleans()):
            return start + span, -step
        return start, step

    places = geometry(source), geometry(target)
    host = (np.arange(nbytes) % 63).astype("u1")
    memory = usm_memory.MemoryUSMDevice(nbytes, queue=queue)
    memory.copy_from_host(host)

    views, arrays = [], []
    for dtype, (offset, stride) in zip((source, target), places, strict=True):
        base = host.view(dtype)
        stop = offset + length * stride
        views.append(base[offset : stop if stop >= 0 else None : stride])
        geometry_of = {"strides": (stride,), "buffer": memory, "offset": offset}
        arrays.append(usm.usm_ndarray((length,), dtype, **geometry_of))
    views[1][...] = cast(views[0].copy(), target)
    arrays[1][...] = arrays[0]
    assert memory.tobytes() == host.tobytes()


# Order and casting


@examples(200)
@given(recipe=recipes(broadcast=False), order=st.sampled_from("KACF"), target=dtypes())
def test_order(queue, recipe, order, target):
    expected, x = recipe.pair(queue)
    layout = expected.copy(order=order)
    for y in (usm.copy(x, order=order), usm.astype(x, target, order=order)):
        assert_same_strides(y, layout)


def test_order_defaults_to_keep(queue):
    x = usm.asarray(numbered((2, 3, 4), "i4"), sycl_queue=queue)
    y = usm.permute_dims(x, (2, 0, 1))
    assert usm.copy(y).strides == y.strides
    assert usm.astype(y, "f4").strides == y.strides
    assert usm.copy(x[::-1, :, ::-2]).flags.c_contiguous
    assert usm.copy(x.mT[0]).flags.f_contiguous


@pytest.mark.parametrize("source", DTYPES, ids=str)
def test_casting_rules(device, queue, source):
    skip_without(device, source)
    x = usm.zeros(2, dtype=source, sycl_queue=queue)
    for target in DTYPES:
        if missing_aspect(device, target):
            continue
        for casting in CASTINGS:
            if np.can_cast(source, target, casting):
                assert usm.astype(x, target, casting=casting).dtype == target
            else:
                with pytest.raises(TypeError):
                    usm.astype(x, target, casting=casting)


def test_astype_without_copy(x):
    assert usm.astype(x, x.dtype, copy=False) is x
    assert usm.astype(x, "i4", copy=False, order="C") is x
    assert usm.astype(x.T, "i4", copy=False, order="F").usm_data._pointer == x.usm_data._pointer
    assert not shares_memory(usm.astype(x, "i4"), x)
    assert not shares_memory(usm.astype(x, "i4", copy=False, order="F"), x)
    assert not shares_memory(usm.astype(x, "u4", copy=False), x)


def test_astype_none_is_the_default_float(x, device):
    assert usm.astype(x, None).dtype == np.dtype("f8" if device.has_aspect_fp64 else "f4")


@pytest.mark.parametrize("place", PLACES)
def test_astype_device(x, device, place):
    queue = PLACES[place](device)
    y = usm.astype(x, "f4", device=queue)
    assert_same(y, np.arange(6, dtype="f4").reshape(2, 3))
    assert y.sycl_queue == queue
    z = usm.astype(x, "i4", device=queue, copy=True)
    assert_same(z, np.arange(6, dtype="i4").reshape(2, 3))
    assert z.sycl_queue == queue
    assert z.usm_data._pointer != x.usm_data._pointer


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"dtype": "junk"}, (TypeError, ValueError)),
        ({"dtype": "U1"}, (TypeError, ValueError)),
        ({"dtype": object}, (TypeError, ValueError)),
        ({"dtype": ">i4"}, ValueError),
        ({"dtype": 3}, TypeError),
        ({"order": "junk"}, ValueError),
        ({"order": 3}, TypeError),
        ({"casting": "junk"}, ValueError),
        ({"casting": 3}, (TypeError, ValueError)),
        ({"copy": "junk"}, TypeError),
        ({"device": 3}, TypeError),
        ({"device": "junk"}, usm.SyclDeviceCreationError),
        ({"junk": 3}, TypeError),
    ],
    ids=str,
)
def test_bad_astype_arguments(x, keywords, error):
    dtype = keywords.pop("dtype", "f4")
    with pytest.raises(error):
        usm.astype(x, dtype, **keywords)


@pytest.mark.parametrize(
    ("order", "error"), [("junk", ValueError), (3, TypeError), ("", ValueError)]
)
def test_bad_copy_order(x, order, error):
    with pytest.raises(error):
        usm.copy(x, order=order)


@pytest.mark.parametrize("junk", [[1, 2], 3, np.ones(2), None, memoryview(b"ab")], ids=name_of)
def test_only_arrays_are_copied(junk):
    with pytest.raises(TypeError):
        usm.copy(junk)
    with pytest.raises(TypeError):
        usm.astype(junk, "f4")


def test_positional_arguments(x):
    assert usm.copy(x.T, "C").flags.c_contiguous
    assert x.astype(dtype="f4").dtype == "f4"
    assert usm.astype(x.T, "f4", "C").flags.c_contiguous
    assert x.T.copy().flags.c_contiguous and usm.copy(x.T).flags.f_contiguous
    with pytest.raises(TypeError):
        usm.copy(x=x)
    with pytest.raises(TypeError):
        usm.astype(x, "f4", "C", "unsafe", False)
    with pytest.raises(ValueError, match="astype: casting is 'some'; expected"):
        usm.astype(x, "f4", casting="some")


def test_read_only_destination(x):
    values = usm.asnumpy(x)
    source = usm.ones((2, 3), dtype="i4", sycl_queue=x.sycl_queue)
    x.flags.writable = False
    for value in (source, 3, np.ones(3), [1, 2, 3]):
        with pytest.raises(ValueError):
            x[...] = value
        with pytest.raises(ValueError):
            x[0][1:] = value if np.isscalar(value) else 1
    assert_same(x, values)


# Kinds, queues, contexts, sub-devices


@pytest.mark.parametrize("target_kind", KINDS)
@pytest.mark.parametrize("source_kind", KINDS)
@pytest.mark.parametrize("dtype", ["i4", "f4"])
def test_between_kinds(device, queue, source_kind, target_kind, dtype):
    for kind in (source_kind, target_kind):
        if not getattr(device, f"has_aspect_usm_{kind}_allocations"):
            pytest.skip(f"the device lacks usm_{kind}_allocations")
    values = numbered((7, 9), "i4")
    source = usm.asarray(values, usm_type=source_kind, sycl_queue=queue)
    target = usm.zeros((9, 7), dtype=dtype, usm_type=target_kind, sycl_queue=queue)
    target[::-1] = source.T
    assert_same(target[::-1], values.T.astype(dtype))
    assert usm.copy(source).usm_type == source_kind
    assert usm.astype(source, "f4").usm_type == source_kind


@pytest.mark.parametrize("source_place", PLACES)
@pytest.mark.parametrize("target_place", PLACES)
def test_between_queues_and_contexts(device, source_place, target_place):
    values = numbered((40, 30), "i4")
    source = usm.asarray(values, sycl_queue=PLACES[source_place](device))
    target = usm.zeros((30, 20), dtype="f4", sycl_queue=PLACES[target_place](device))
    target[:, ::-1] = source[::2].T
    assert_same(target[:, ::-1], values[::2].T.astype("f4"))
    source[...] = 0
    target[...] = source[0, 0]
    assert_same(target, np.zeros((30, 20), "f4"))


# Long enough that its copy still runs at the next command.
SIDE = 3000


def slow_transpose(source, target):
    """A copy that takes a while."""
    target[...] = source.T


@pytest.mark.parametrize("first", ["in-order", "out-of-order"])
@pytest.mark.parametrize("second", ["in-order", "out-of-order"])
def test_read_after_write_across_queues(device, first, second):
    """Arrays on different queues over one allocation see each other's work in program order."""
    one, other = PLACES[first](device), PLACES[second](device)
    values = np.arange(SIDE * SIDE, dtype="i4").reshape(SIDE, SIDE)
    x = usm.asarray(values, sycl_queue=one)
    y = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=one)
    z = usm.zeros((SIDE, SIDE), dtype="f4", sycl_queue=other)
    for _ in range(3):
        y[...] = 0
        z[...] = 0
        slow_transpose(x, y)
        z[...] = y.to_device(other)
        assert int(z[-1, 0]) == SIDE - 1
        assert_same(z[-1], np.arange(SIDE, dtype="f4") * SIDE + (SIDE - 1))
        assert_same(z[:, -1], (np.arange(SIDE) + SIDE * (SIDE - 1)).astype("f4"))


@pytest.mark.parametrize("first", ["in-order", "out-of-order"])
@pytest.mark.parametrize("second", ["in-order", "out-of-order"])
def test_write_after_read_across_queues(device, first, second):
    one, other = PLACES[first](device), PLACES[second](device)
    x = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=one)
    y = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=one)
    again = x.to_device(other)
    for _ in range(3):
        x[...] = 7
        slow_transpose(x, y)
        again[...] = 5
        assert np.all(usm.asnumpy(y) == 7)
        assert np.all(usm.asnumpy(x) == 5)


def test_write_after_read_across_contexts(device):
    x = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=in_order_queue(device))
    y = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=x.sycl_queue)
    ones = usm.ones((SIDE, SIDE), dtype="i4", sycl_queue=other_context_queue(device))
    for _ in range(3):
        x[...] = 7
        slow_transpose(x, y)
        x[...] = ones
        assert np.all(usm.asnumpy(y) == 7)
        assert np.all(usm.asnumpy(x) == 1)


def test_program_order_on_an_out_of_order_queue(device):
    queue = out_of_order_queue(device)
    values = np.arange(SIDE * SIDE, dtype="i4").reshape(SIDE, SIDE)
    x = usm.asarray(values, sycl_queue=queue)
    for _ in range(3):
        y = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=queue)
        slow_transpose(x, y)
        z = usm.copy(y)
        y[...] = 0
        slow_transpose(z, y)
        z[...] = 0
        assert_same(y, values)


def test_freed_memory_is_not_reused_too_early(device, queue):
    """The next array gets the block in the order of commands; the host waits for the work on it."""
    for _ in range(5):
        x = usm.zeros((SIDE, SIDE), dtype="i4", sycl_queue=queue)
        y = usm.empty((SIDE, SIDE), dtype="i4", sycl_queue=queue)
        slow_transpose(x, y)
        del x
        z = usm.asarray(np.ones((SIDE, SIDE), "i4"), sycl_queue=queue)
        assert not np.any(usm.asnumpy(y))
        assert np.all(usm.asnumpy(z) == 1)
