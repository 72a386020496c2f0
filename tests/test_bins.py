"""bincount, digitize, histogram, interp: against NumPy."""

import warnings

import numpy as np
import pytest
from both_tiers import all_on_the_device, all_on_the_host, assert_same_bits, skip_without_tiers
from checks import assert_same
from hypothesis import given
from hypothesis import strategies as st
from placement import in_order_queue
from strategies import examples, recipes, skip_without
from test_sorting import values

import usmtensor as usm

REAL = "?bBhHiIlLefd"


def real_dtypes():
    return st.sampled_from(REAL).map(np.dtype)


def pair(queue, dtype, size, seed, few=False):
    skip_without(queue.sycl_device, dtype)
    x = values(dtype, size, seed, few)
    return x, usm.asarray(x, sycl_queue=queue)


def assert_near(result, expected, dtype=None):
    assert result.shape == expected.shape and result.dtype == (dtype or expected.dtype)
    if expected.dtype.kind in "iu":
        return np.testing.assert_array_equal(usm.asnumpy(result), expected)
    tolerance = 16 * np.finfo(result.dtype).eps
    size = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    np.testing.assert_allclose(
        usm.asnumpy(result), expected, rtol=tolerance, atol=tolerance * float(size)
    )


# bincount


@pytest.mark.sanitized
@examples(100)
@given(st.sampled_from("?bBhHiIlL"), st.integers(0, 300), st.integers(0, 99), st.integers(0, 40))
def test_bincount(queue, char, size, seed, least):
    x = np.random.default_rng(seed).integers(0, 2 if char == "?" else 100, size).astype(char)
    y = usm.asarray(x, sycl_queue=queue)
    expected = np.bincount(x.astype("i8"), minlength=least)
    assert_same(usm.bincount(y, minlength=least), expected)
    assert_same(usm.bincount(usm.flip(y), minlength=least), expected)


@examples(60)
@given(st.sampled_from("bLefdFD"), st.integers(0, 300), st.integers(0, 99))
def test_weights(queue, char, size, seed):
    skip_without(queue.sycl_device, char, "d")
    x = np.random.default_rng(seed).integers(0, 7, size)
    weights = values(char, size, seed, few=True)
    result = usm.bincount(usm.asarray(x, sycl_queue=queue), weights)
    with np.errstate(all="ignore"):
        parts = [np.bincount(x, part) for part in (weights.real, weights.imag)]
    if weights.dtype.kind == "c":
        assert result.dtype == weights.dtype
        host = usm.asnumpy(result)
        for part, expected in zip((host.real, host.imag), parts, strict=True):
            np.testing.assert_allclose(part, expected, rtol=1e-6)
    else:
        assert_near(result, parts[0].astype("f8"))


@pytest.mark.parametrize("bins", [3, 1000, 300_000])
def test_bincount_of_many(queue, bins, loops):
    """The kernel sums in blocks. Results are reproducible bit for bit."""
    skip_without(queue.sycl_device, "d")
    random = np.random.default_rng(0)
    x, weights = random.integers(0, bins, 1_000_000), random.normal(size=1_000_000)
    y, w = (usm.asarray(one, sycl_queue=queue) for one in (x, weights))
    assert_same(usm.bincount(y), np.bincount(x))
    result = usm.bincount(y, w)
    np.testing.assert_allclose(usm.asnumpy(result), np.bincount(x, weights), atol=1e-10)
    assert_same_bits(usm.asnumpy(usm.bincount(y, w)), usm.asnumpy(result))


def test_both_tiers(queue):
    skip_without_tiers(queue.sycl_device)
    x = np.random.default_rng(1).integers(0, 9, 100_000)
    y, w = usm.asarray(x, sycl_queue=queue), usm.asarray(1 / (x + 3), sycl_queue=queue)
    with all_on_the_host(queue):
        host = usm.asnumpy(usm.bincount(y)), usm.asnumpy(usm.bincount(y, w))
    with all_on_the_device(queue):
        device = usm.bincount(y), usm.bincount(y, w)
    for one, other in zip(host, device, strict=True):
        assert_same_bits(one, usm.asnumpy(other))


def test_bad_counts(queue):
    x = usm.asarray([1, 2, -3], sycl_queue=queue)
    with pytest.raises(ValueError, match="-3"):
        usm.bincount(x)
    with pytest.raises(TypeError, match="integers"):
        usm.bincount(usm.ones(3, dtype="f4", sycl_queue=queue))
    with pytest.raises(ValueError, match="ndim"):
        usm.bincount(usm.reshape(x, (3, 1)))
    with pytest.raises(ValueError, match="minlength"):
        usm.bincount(x[:2], minlength=-1)
    with pytest.raises(TypeError, match="minlength"):
        usm.bincount(x[:2], minlength=1.5)
    with pytest.raises(ValueError, match="weights"):
        usm.bincount(x[:2], x)
    with pytest.raises(TypeError, match="weights"):
        usm.bincount(x[:2], "ab")
    for largest in (2**62, 2**64 - 1):
        with pytest.raises(MemoryError):
            usm.bincount(usm.asarray([largest], dtype="u8", sycl_queue=queue))
    other = in_order_queue(queue.sycl_device)
    assert usm.bincount(x[:2], usm.ones(2, dtype="f4", sycl_queue=other)).sycl_queue == queue


# digitize


@examples(100)
@given(
    st.tuples(real_dtypes(), real_dtypes()), st.integers(0, 50), st.integers(0, 9),
    st.integers(0, 99), st.booleans(), st.booleans(),
)  # fmt: skip
def test_digitize(queue, types, size, count, seed, right, falling):
    x, y = pair(queue, types[0], size, seed, few=True)
    bins, _ = pair(queue, types[1], count, seed + 1, few=True)
    bins = np.sort(bins[bins == bins])[:: -1 if falling else 1]
    result = usm.digitize(y, usm.asarray(bins, sycl_queue=queue), right)
    wide = np.result_type(*types)
    falls = bool(falling and bins.size and bins[0] != bins[-1])
    x, bins = x.astype(wide), bins.astype(wide)
    # NumPy sees no order where rounding makes all bounds equal.
    if wide.kind == "f" and not (falls and bins[0] == bins[-1]):
        expected = np.digitize(x, bins, right) if x.size else np.zeros(0, np.int64)
    else:  # of integers NumPy looks for the order of the bounds in float64
        before = [[np.less_equal, np.less], [np.greater, np.greater_equal]][falls][right]
        expected = before(bins, x[:, None]).sum(1, dtype=np.int64)
    assert_same(result, expected)


def test_digitize_numbers_and_views(queue):
    bins = usm.asarray([0.0, 1, 2], dtype="f4", sycl_queue=queue)
    assert_same(usm.digitize(1.5, bins), np.asarray(2))
    assert_same(usm.digitize(1, bins, right=True), np.asarray(1))
    x = np.arange(6, dtype="f4").reshape(2, 3).T
    assert_same(usm.digitize(usm.asarray(x, sycl_queue=queue), bins), np.digitize(x, [0, 1, 2]))
    assert_same(usm.digitize(x, bins), np.digitize(x, [0, 1, 2]))
    assert_same(usm.digitize(bins, [0.5, 1]), np.array([0, 2, 2]))
    assert_same(usm.histogram(bins, (0, 1, 2), weights=[1, 2, 3])[0], np.array([1, 5]))
    nan = np.nan
    for edges in ([1, 2, nan], [nan, 2, 1], [nan, nan, 1], [nan]):
        for right in (False, True):
            values = np.array([0, 1, 1.5, 2, 3, nan], "f4")
            found = usm.digitize(values, usm.asarray(edges, dtype="f4", sycl_queue=queue), right)
            assert_same(found, np.digitize(values, edges, right))
    with pytest.raises(ValueError, match="order"):
        usm.digitize(1.0, usm.asarray([nan, 1, 2], dtype="f4", sycl_queue=queue))
    with pytest.raises(ValueError, match="order"):
        usm.digitize(1.0, usm.asarray([1.0, 3, 2], dtype="f4", sycl_queue=queue))
    with pytest.raises(ValueError, match="ndim"):
        usm.digitize(1.0, usm.reshape(bins, (1, 3)))
    with pytest.raises(TypeError, match="complex"):
        usm.digitize(usm.asarray([1j], dtype="c8", sycl_queue=queue), bins)
    with pytest.raises(usm.ExecutionPlacementError):
        usm.digitize(1.0, np.zeros(3))


# histogram


@pytest.mark.sanitized
@examples(100)
@given(real_dtypes(), st.integers(0, 300), st.integers(0, 99), st.integers(1, 20), st.data())
def test_histogram(queue, dtype, size, seed, bins, data):
    x, y = pair(queue, dtype, size, seed)
    x, y = (x // 2, y // 2) if x.dtype in ("i8", "u8") else (x, y)
    keywords = {"bins": bins, "density": data.draw(st.booleans())}
    if dtype.char in "hHiIlL":  # their bounds are fractions, and inexact beyond 2**53
        x, y = x % 1000, y % 1000
    if data.draw(st.booleans()):
        keywords["range"] = data.draw(st.sampled_from([(0, 5), (-3.5, 3.5), (1, 1)]))
    if dtype == "?":
        x = x.astype("u1")
    with np.errstate(all="ignore"):
        expected, bounds = np.histogram(x, **keywords)
    result, edges = usm.histogram(y, **keywords)
    wanted = dtype if dtype.kind == "f" else bounds.dtype
    assert edges.dtype == wanted and result.usm_type == edges.usm_type == y.usm_type
    eps = 0 if edges.dtype == "f8" else 4 * np.finfo(wanted).eps
    np.testing.assert_allclose(usm.asnumpy(edges), bounds, rtol=eps, atol=eps * abs(bounds).max())
    if eps:
        with np.errstate(all="ignore"):
            expected, _ = np.histogram(x, usm.asnumpy(edges), density=keywords["density"])
    if dtype.char != "e":
        assert_near(result, expected, result.dtype)


@examples(100)
@given(real_dtypes(), st.integers(0, 300), st.integers(1, 9), st.integers(0, 99), st.data())
def test_given_bounds(queue, dtype, size, count, seed, data):
    """With NaN and infinite elements, which lie in no bin."""
    x, y = pair(queue, dtype, size, seed, few=True)
    bins = np.sort(np.random.default_rng(seed).integers(-5, 6, count)).astype("f4")
    weights = data.draw(st.sampled_from([None, "i4", "f4"]))
    if weights:
        weights = (np.arange(size) % 5).astype(weights)
    if dtype == "?":
        x = x.astype("u1")
    numbers = x == x
    expected, _ = np.histogram(
        x[numbers], bins, weights=weights if weights is None else weights[numbers]
    )
    result, edges = usm.histogram(y, bins, weights=weights)
    assert_near(result, expected)
    assert_same(edges, bins)


@pytest.mark.parametrize("char", "bHiefd")
@pytest.mark.parametrize("bins", [1, 7, 1000])
@pytest.mark.parametrize("range_", [None, (-1.5, 40), (1e6, 1e6 + 1)])
def test_even_bins_of_many(queue, char, bins, range_):
    """Places are computed instead of searched if that is exact enough."""
    skip_without(queue.sycl_device, char)
    random = np.random.default_rng(0)
    x = (random.normal(size=30_000) * 20).astype(char)
    if char == "e" and range_ and range_[0] > 100:
        with pytest.raises(ValueError, match="beyond float16"):
            usm.histogram(usm.asarray(x, sycl_queue=queue), bins, range_)
        return
    if char == "f" and range_ and range_[0] > 100 and bins > 16:
        with pytest.raises(ValueError, match="float32 has fewer numbers"):
            usm.histogram(usm.asarray(x, sycl_queue=queue), bins, range_)
        return
    if range_ and range_[0] > 100 and char in "id":
        x = (x + 1e6).astype(char)
    if range_ and char in "fd":
        x[::7], x[3::11] = np.nan, range_[1]
    result, edges = usm.histogram(usm.asarray(x, sycl_queue=queue), bins, range_)
    expected, _ = np.histogram(x[x == x].astype("d"), usm.asnumpy(edges).astype("d"))
    assert_same(result, expected)


@examples(60)
@given(recipes())
def test_histogram_of_views(queue, recipe):
    x, y = recipe.pair(queue)
    if x.dtype.kind == "c":
        with pytest.raises(TypeError, match="complex"):
            usm.histogram(y)
        return
    if x.dtype.char != "e":
        expected = np.histogram(x.astype("u1") if x.dtype == "?" else x, 4)[0]
        assert_same(usm.histogram(y, 4)[0], expected)


def test_complex_weights(queue):
    x, weights = np.arange(5, dtype="f4"), np.arange(5) * (1 + 2j)
    weights = weights.astype("c8")
    result, _ = usm.histogram(usm.asarray(x, sycl_queue=queue), 2, weights=weights)
    assert_same(result, np.histogram(x, 2, weights=weights)[0].astype("c8"))


RULES = ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"]


@pytest.mark.any_memory
@pytest.mark.parametrize("dtype", ["?", "u1", "i4", "e", "f", "d"])
@pytest.mark.parametrize("rule", RULES)
def test_rules_for_the_number_of_bins(queue, rule, dtype):
    skip_without(queue.sycl_device, dtype)
    random = np.random.default_rng(3)
    for n in (1, 2, 3, 40, 1000):
        x = (random.gamma(2, 9, n) + random.normal(n)).astype(dtype)
        y = usm.asarray(x, sycl_queue=queue)
        wide = x.astype({"?": "u1", "e": "f"}.get(dtype, dtype))  # NumPy warns of bools
        for limits in (None, (0, 20)):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # of the rule "stone"
                expected, bounds = np.histogram(wide, rule, limits)
            counts, edges = usm.histogram(y, rule, limits)
            assert edges.shape == bounds.shape
            np.testing.assert_allclose(usm.asnumpy(edges), bounds, rtol=2e-3, atol=1e-3)
            if dtype != "e":  # whose bounds are rounded
                assert abs(usm.asnumpy(counts) - expected).sum() <= 2 * (dtype == "f")
            assert_same(usm.histogram_bin_edges(y, rule, limits), usm.asnumpy(edges))


def test_rules_of_few_elements(queue):
    for host in (np.zeros(0), np.zeros(5), np.asarray([1e-300, 0])):
        x = usm.asarray(host.astype("f"), sycl_queue=queue)
        for rule in RULES:
            assert usm.histogram(x, rule)[0].shape == (1,)


def test_wrong_rules(queue):
    x = usm.asarray([1.0, 2.0], dtype="f", sycl_queue=queue)
    with pytest.raises(ValueError, match="histogram: bins is 'many'; expected 'auto', 'doane'"):
        usm.histogram(x, "many")
    for function in (usm.histogram, usm.histogram_bin_edges):
        with pytest.raises(TypeError, match="bins is 'auto', and there are weights; expected an"):
            function(x, "auto", weights=[1, 2])


def test_bad_histograms(queue):
    x = usm.asarray([1.0, np.nan, 2], dtype="f4", sycl_queue=queue)
    with pytest.raises(ValueError, match="finite"):
        usm.histogram(x)
    assert_same(usm.histogram(x, 2, (0, 2))[0], np.array([0, 2]))
    for bins, kind in ((0, ValueError), (-1, ValueError), ("every", ValueError), (1.5, TypeError)):
        with pytest.raises(kind, match="bins"):
            usm.histogram(x, bins, (0, 1))
    for range_ in ((1, 0), 3, (1, 2, 3), (0, np.inf)):
        with pytest.raises(ValueError, match="range"):
            usm.histogram(x, 2, range_)
    for bins in (np.array([2.0, 1.0]), np.ones((2, 2)), np.ones(0)):
        with pytest.raises(ValueError, match="bins"):
            usm.histogram(x, bins.astype("f4"))
    narrow = (usm.asarray([2**53], sycl_queue=queue), x[::2] * 2.0**24)
    for y, bins in ((narrow[0], 10), (narrow[1], 2**25)):
        with pytest.raises(ValueError, match=f"histogram: bins is {bins}"):
            usm.histogram(y, bins)
    with pytest.raises(ValueError, match="histogram: bins is 3"):
        usm.histogram(x, 3, (1, np.nextafter(np.float32(1), np.float32(2))))
    with pytest.raises(ValueError, match="weights"):
        usm.histogram(x, 2, (0, 1), weights=np.ones(2, "f4"))


# interp


@examples(200)
@given(st.integers(0, 40), st.integers(1, 9), st.integers(0, 99), st.data())
def test_interp(queue, size, count, seed, data):
    skip_without(queue.sycl_device, "d")
    random = np.random.default_rng(seed)
    x = random.choice([*range(-2, 12), 0.5, 2.25, np.nan, np.inf, -np.inf], size)
    points = np.sort(random.choice(10, count, replace=False)).astype("f8")
    fp = random.choice([0, 1, 2.5, -3, np.inf, np.nan], count)
    if data.draw(st.booleans()):
        fp = fp + 1j * random.normal(size=count)
    numbers = [-7, 2.5, np.nan, *([1 - 2j] if fp.dtype.kind == "c" else [])]
    keywords = {
        name: data.draw(st.sampled_from(numbers))
        for name in data.draw(st.sets(st.sampled_from(["left", "right"])))
    }
    if data.draw(st.integers(0, 3)) == 0:
        keywords["period"] = data.draw(st.sampled_from([9.5, -20, 10]))
        x = x[np.isfinite(x)]
        fp = np.where(np.isfinite(fp), fp, 3)
    with np.errstate(all="ignore"):
        expected = np.interp(x, points, fp, **keywords)
    expected[np.isnan(x)] = np.nan  # with a single point NumPy gives its value
    on_device = [usm.asarray(one, sycl_queue=queue) for one in (x, points, fp)]
    result = usm.interp(*on_device, **keywords)
    assert result.dtype == expected.dtype
    numbers = (usm.asnumpy(result).view("f8"), expected.view("f8"))  # complex ones by their parts
    np.testing.assert_allclose(*numbers, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("char", "bLefd")
def test_interp_of_types(queue, char):
    skip_without(queue.sycl_device, char)
    points = np.array([0, 2, 5, 9], char)
    at = np.arange(12, dtype=char).reshape(3, 4).T
    expected = np.interp(at, points, points * 2)
    result = usm.interp(usm.asarray(at, sycl_queue=queue), points, points * 2)
    wanted = np.dtype(char) if char in "efd" else result.dtype
    assert result.dtype == wanted and result.dtype.kind == "f"
    np.testing.assert_allclose(usm.asnumpy(result), expected, rtol=np.finfo(wanted).eps)
    assert usm.interp(1, usm.asarray(points, sycl_queue=queue), points).shape == ()


@pytest.mark.parametrize("char", "fdFD")
@pytest.mark.parametrize("outside", [{}, {"left": -1, "right": np.nan}])
def test_interp_of_many_in_both_tiers(queue, char, outside):
    skip_without(queue.sycl_device, char)
    skip_without_tiers(queue.sycl_device)
    random, real = np.random.default_rng(3), np.dtype(char.lower())
    points, at = np.sort(random.random(500)).astype(real), random.random(2 * 999).astype(real)
    fp = random.random(500).astype(real) if char == real.char else random.random((500, 2)) @ [1, 1j]
    on_device = [usm.asarray(one, sycl_queue=queue) for one in (at, points, fp.astype(char))]
    on_device[0] = on_device[0][::-2]
    results = []
    for tier in (all_on_the_host, all_on_the_device):
        with tier(queue):
            results.append(usm.interp(*on_device, **outside))
    assert results[0].dtype == char
    expected = np.interp(at[::-2], points, fp.astype(char), **outside)
    np.testing.assert_allclose(usm.asnumpy(results[0]), expected, rtol=300 * np.finfo(real).eps)
    assert_same_bits(*map(usm.asnumpy, results))


def test_interp_at_a_number_of_complex_values(queue):
    points = usm.asarray([0, 2], dtype="f4", sycl_queue=queue)
    values = usm.asarray([1j, 4], dtype="c8", sycl_queue=queue)
    for at in (1, 1.0, np.float32(1)):
        assert complex(usm.interp(at, points, values)) == 2 + 0.5j
    for left in (2j, np.complex64(2j), np.array(2j)):
        assert complex(usm.interp(-1, points, values, left=left)) == 2j
    with pytest.raises(TypeError, match="x is of data type"):
        usm.interp(1j, points, values)


def test_bad_points(queue):
    x = usm.asarray([1.0, 2.0], dtype="f4", sycl_queue=queue)
    for points, values_ in ((x[:0], x[:0]), (x, x[:1]), (usm.reshape(x, (1, 2)),) * 2):
        with pytest.raises(ValueError, match="interp: xp has shape"):
            usm.interp(x, points, values_)
    with pytest.raises(ValueError, match="period"):
        usm.interp(x, x, x, period=0)
    with pytest.raises(TypeError, match="period"):
        usm.interp(x, x, x, period="year")
    for left in ("a", 1j, [1]):
        with pytest.raises(TypeError, match="left"):
            usm.interp(x, x, x, left=left)
    with pytest.raises(TypeError, match="real"):
        usm.interp(x, usm.astype(x, "c8"), x)
    with pytest.raises(TypeError, match="fp"):
        usm.interp(x, x, "ab")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_even_bins_of_extreme_ranges(dtype, queue):
    """The number of bins over the range, or the range, is beyond the largest number."""
    skip_without(queue.sycl_device, dtype)
    limits = np.finfo(dtype)
    for high in (float(limits.tiny) / 4, float(limits.max)):
        values = np.linspace(0, high, 5000).astype(dtype)
        x = usm.asarray(values, sycl_queue=queue)
        counts, edges = usm.histogram(x, 10, range=(0, high))
        edges = usm.asnumpy(edges)
        wanted = np.searchsorted(edges, values, "right") - 1 - (values == edges[-1])
        assert usm.asnumpy(counts).tolist() == np.bincount(wanted, minlength=10).tolist()
