"""usmtensor.random: words and numbers against NumPy's Philox, distributions by their moments and by
the Kolmogorov-Smirnov test, and everything by the arguments."""

import copy
import math
import pickle
import threading

import numpy as np
import pytest
from both_tiers import forced, skip_without_tiers
from hypothesis import given
from hypothesis import strategies as st
from library import skip_without_library
from numpy.exceptions import AxisError
from numpy.linalg import LinAlgError
from strategies import examples

import usmtensor as usm


@pytest.fixture
def generators(queue):
    """A generator of a seed, and NumPy's."""
    return lambda seed: (
        usm.random.default_rng(seed, sycl_queue=queue),
        np.random.Generator(np.random.Philox(seed)),
    )


def holds_itself():
    seed = [1]
    seed.append(seed)
    return seed


def needs_double(device, dtype):
    if dtype == "f8" and not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")


@examples(60)
@given(
    st.integers(0, 2**70),
    st.lists(st.tuples(st.sampled_from(["raw", "f4", "f8", "bytes"]), st.integers(0, 40))),
)
def test_the_stream_is_that_of_numpy(device, generators, seed, calls):
    ours, theirs = generators(seed)
    for kind, count in calls:
        if kind == "raw":
            result, expected = ours.random_raw(count), theirs.bit_generator.random_raw(count)
        elif kind == "bytes":  # NumPy's begin with the half of a word that was left
            result, expected = usm.asarray([]), np.empty(0)
            assert len(ours.bytes(count)) == count
            theirs.bit_generator.random_raw(-(-count // 8))
        elif kind == "f8" and not device.has_aspect_fp64:
            continue
        else:
            result, expected = ours.random(count, dtype=kind), theirs.random(count, dtype=kind)
        assert np.array_equal(usm.asnumpy(result), expected)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("tier", ["host", "device"])
def test_many_numbers(device, generators, dtype, tier):
    needs_double(device, dtype)
    ours, theirs = generators(7)
    ours.random(3, dtype="f4"), theirs.random(3, dtype="f4")
    with forced(tier):
        result = ours.random((3, 100_003), dtype=dtype)
    assert np.array_equal(usm.asnumpy(result), theirs.random((3, 100_003), dtype=dtype))


def test_bytes_are_those_of_numpy(generators):
    ours, theirs = generators([1, 2, 3])
    assert [ours.bytes(n) for n in (8, 16, 24)] == [theirs.bytes(n) for n in (8, 16, 24)]
    assert len(ours.bytes(13)) == 13
    assert ours.bytes(0) == b""


@pytest.mark.parametrize("strides", [(slice(None, None, -2),), (slice(None), None), ()])
def test_out(device, queue, generators, strides):
    for name in ("random", "standard_normal"):
        ours, _ = generators(3)
        expected = getattr(ours, name)(20, dtype="f4")
        held = usm.zeros(40, dtype="f4", sycl_queue=queue)
        out = held[::2][strides] if strides else held[::2]
        ours, _ = generators(3)
        result = getattr(ours, name)(out=out)
        assert result is out
        taken = usm.reshape(out, -1)
        assert np.array_equal(usm.asnumpy(taken), usm.asnumpy(expected)[: taken.size])
        assert not usm.any(held[1::2])


def test_bad_out(generators, queue):
    ours, _ = generators(1)
    x = usm.zeros(3, dtype="f4", sycl_queue=queue)
    with pytest.raises(ValueError, match=r"random: out has shape \(3,\); expected \(4,\)"):
        ours.random(4, out=x)
    with pytest.raises(ValueError, match="random: out has data type float32; expected float64"):
        ours.random(dtype="f8", out=x)
    with pytest.raises(TypeError, match="standard_normal: the data type is int32"):
        ours.standard_normal(out=usm.zeros(3, dtype="i4", sycl_queue=queue))
    with pytest.raises(TypeError, match="random: out"):
        ours.random(out=np.zeros(3))
    x.flags["WRITABLE"] = False
    with pytest.raises(ValueError, match="random: out"):
        ours.random(out=x)
    assert not usm.any(x)


def test_integers_of_bools(generators):
    ours, _ = generators(5)
    x = ours.integers(2, size=1000, dtype=bool)
    assert x.dtype == bool and 400 < int(usm.sum(x, dtype="i8")) < 600
    assert usm.all(ours.integers(1, size=9, dtype="?", endpoint=True) <= 1)
    assert not usm.any(ours.integers(1, size=9, dtype=np.bool))
    assert usm.all(ours.integers(1, 2, size=9, dtype=bool))
    assert ours.integers(2, dtype=bool).shape == ()
    for low, high, name in ((0, 3, "high is 3"), (-1, 2, "low is -1")):
        with pytest.raises(ValueError, match=f"integers: {name}"):
            ours.integers(low, high, dtype=bool)


INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


@examples(60)
@given(st.sampled_from(INTEGERS), st.data())
def test_integers_lie_between_their_bounds(generators, char, data):
    limits = np.iinfo(char)
    bounds = st.integers(int(limits.min), int(limits.max))
    low, high = sorted((data.draw(bounds), data.draw(bounds)))
    ours, _ = generators(5)
    x = usm.asnumpy(ours.integers(low, high, size=100, dtype=char, endpoint=True))
    assert x.dtype == np.dtype(char)
    assert low <= int(x.min()) and int(x.max()) <= high


@examples(60)
@given(st.sampled_from(INTEGERS), st.booleans(), st.data())
def test_bounds_of_integers_may_be_arrays(queue, generators, char, endpoint, data):
    limits = np.iinfo(char)
    numbers = st.integers(int(limits.min), int(limits.max) - 1)
    pairs = [sorted((data.draw(numbers), data.draw(numbers))) for _ in range(3)]
    low, high = np.array(pairs, dtype=char).T
    high += not endpoint
    ours, _ = generators(5)
    draw = data.draw(
        st.sampled_from([np.asarray, list, lambda x: usm.asarray(x, sycl_queue=queue)])
    )
    x = usm.asnumpy(ours.integers(draw(low), draw(high), (40, 3), dtype=char, endpoint=endpoint))
    assert x.dtype == np.dtype(char)
    assert (x >= low).all() and (x <= high).all() and (endpoint or (x < high).all())
    assert ours.integers(draw(low), int(limits.max), endpoint=True, dtype=char).shape == (3,)


@pytest.mark.parametrize("span", [3, 2**32 + 1, 3 * 2**61, 2**63])
def test_integers_between_arrays_are_evenly_distributed(generators, span):
    ours, _ = generators(6)
    low = np.array([-(2**62), 5 - 2**62])
    x = usm.asnumpy(ours.integers(low, low + (span - 1), (30_000, 2), endpoint=True))
    thirds = np.floor((x - low).astype("u8") / span * 3 + 1e-9).clip(0, 2).astype(int)
    for k in range(2):
        assert np.abs(np.bincount(thirds[:, k], minlength=3) - 10_000).max() < 5 * math.sqrt(6667)
    whole = ours.integers([-(2**63)], 2**63, (1000, 1))  # all integers of the type
    assert -(2**61) < float(usm.mean(usm.astype(whole, "f4"))) < 2**61
    assert usm.all(ours.integers([[0], [2]], 3) < 3)


def exact_integers(words, low, span, per):
    """The integer part of a fraction times the span, by Python's integers."""
    words = [int(word) for word in words]
    if per == 1:
        return [low + (word * span >> 64) for word in words]
    pairs = zip(words[::2], words[1::2], strict=True)
    return [low + ((high << 64 | rest) * span >> 128) for high, rest in pairs]


@pytest.mark.parametrize("span", [1, 2, 10, 2**31, 2**32 - 1, 2**32, 10**15, 2**63, 2**64])
@pytest.mark.parametrize("tier", ["host", "device"])
def test_integers_are_exact(generators, span, tier):
    ours, theirs = generators(11)
    low = -(2**63)
    with forced(tier):
        x = usm.asnumpy(ours.integers(low, low + span - 1, 1001, endpoint=True))
    per = 1 if span < 2**32 else 2
    words = theirs.bit_generator.random_raw(1001 * per)
    assert x.tolist() == exact_integers(words, low, span, per)


def test_wide_integers_begin_with_a_pair_of_words(generators):
    ours, theirs = generators(11)
    ours.random_raw(1)
    x = ours.integers(2**40, size=3)
    words = theirs.bit_generator.random_raw(8)[2:]
    assert x.tolist() == exact_integers(words, 0, 2**40, 2)
    assert ours.random_raw().tolist() == theirs.bit_generator.random_raw()


def test_integers_are_evenly_distributed(generators):
    ours, _ = generators(2)
    counts = usm.asnumpy(usm.bincount(ours.integers(10, size=100_000)))
    assert np.abs(counts - 10_000).max() < 5 * math.sqrt(9000)


def distance(x, cdf):
    """The greatest distance between the distribution of numbers and another one, in units of what
    is expected of random ones: the statistic of Kolmogorov and Smirnov."""
    x = np.sort(usm.asnumpy(x).astype("f8").ravel())
    steps = np.arange(x.size + 1) / x.size
    values = cdf(x)
    return max(np.abs(values - steps[1:]).max(), np.abs(values - steps[:-1]).max()) * math.sqrt(
        x.size
    )


normal_cdf = np.vectorize(lambda x: 0.5 * math.erfc(-x / math.sqrt(2)))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize(
    "draw, mean, deviation, cdf",
    [
        (lambda g, n, t: g.random(n, t), 0.5, 12**-0.5, lambda x: x),
        (lambda g, n, t: g.uniform(-2, 6, n, t), 2, 8 * 12**-0.5, lambda x: (x + 2) / 8),
        (lambda g, n, t: g.standard_normal(n, t), 0, 1, normal_cdf),
        (lambda g, n, t: g.normal(3, 2, n, t), 3, 2, lambda x: normal_cdf((x - 3) / 2)),
        (lambda g, n, t: g.exponential(4, n, t), 4, 4, lambda x: 1 - np.exp(-x / 4)),
    ],
    ids=["random", "uniform", "standard_normal", "normal", "exponential"],
)
def test_distributions(device, generators, draw, mean, deviation, cdf, dtype):
    needs_double(device, dtype)
    ours, _ = generators(99)
    x = draw(ours, 50_001, dtype)
    assert x.dtype == np.dtype(dtype) and x.shape == (50_001,)
    values = usm.asnumpy(x).astype("f8")
    assert abs(values.mean() - mean) < 4 * deviation / math.sqrt(values.size)
    assert abs(values.std() / deviation - 1) < 0.02
    assert distance(x, cdf) < 1.95  # one in a thousand


def test_normal_numbers_depend_on_their_place_alone(generators):
    ours, _ = generators(4)
    whole = usm.asnumpy(ours.standard_normal(600_000, dtype="f4"))
    ours, _ = generators(4)
    parts = [usm.asnumpy(ours.standard_normal(n, dtype="f4")) for n in (2, 10, 299_988, 300_000)]
    np.testing.assert_allclose(np.concatenate(parts), whole, rtol=1e-6, atol=1e-6)


def test_parameters_may_be_arrays(generators, queue):
    ours, _ = generators(8)
    loc = usm.asarray([[0.0], [100.0]], dtype="f4", sycl_queue=queue)
    scale = usm.asarray([1.0, 2, 0], dtype="f4", sycl_queue=queue)
    x = ours.normal(loc, scale, dtype="f4")
    assert x.shape == (2, 3)
    assert x[:, 2].tolist() == [0, 100]
    assert ours.uniform(scale, 3, (5, 3), dtype="f4").shape == (5, 3)
    assert ours.exponential(scale, dtype="f4").shape == (3,)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda g: g.uniform(2, 1), ValueError, "uniform: high is 1"),
        (lambda g: g.uniform(-1e308, 1e308), OverflowError, "uniform: low is -1e"),
        (lambda g: g.normal(0, -1), ValueError, "normal: scale is -1"),
        (lambda g: g.normal(0, math.nan), ValueError, "normal: scale is nan"),
        (lambda g: g.normal("a"), TypeError, "normal: loc"),
        (lambda g: g.random(-1), ValueError, "random: size is"),
        (lambda g: g.random(10**400), ValueError, "random: size is"),
        (lambda g: g.random("3"), TypeError, "random: size is"),
        (lambda g: g.random(dtype="i4"), TypeError, "random: the data type is int32"),
        (lambda g: g.integers(3, 3), ValueError, "integers: high is 3"),
        (lambda g: g.integers(0), ValueError, "integers: high is 0"),
        (lambda g: g.integers(1.5), TypeError, "integers: low"),
        (lambda g: g.integers(300, dtype="i1"), ValueError, "integers: high is 300"),
        (lambda g: g.integers(-1, 3, dtype="u4"), ValueError, "integers: low is -1"),
        (lambda g: g.integers(3, dtype="f4"), TypeError, "integers: the data type is float32"),
        (lambda g: g.bytes(-1), ValueError, "bytes: length is -1"),
        (lambda g: g.spawn(-1), ValueError, "spawn: n_children is -1"),
        (lambda g: g.permutation(-1), ValueError, "permutation: x is -1"),
        (lambda g: g.integers([3, 4], [4, 4]), ValueError, "integers: high holds 3; expected more"),
        (lambda g: g.integers([1.5]), TypeError, "integers: high has data type float"),
        (lambda g: g.integers([0, 300], dtype="u1"), ValueError, "integers: high holds"),
        (lambda g: g.integers([-1], [3], dtype="u4"), ValueError, "integers: low holds -1"),
        (lambda g: g.integers(-1, [3], dtype="u4"), ValueError, "integers: low is -1"),
        (lambda g: g.integers([0], 2**64 + 1, dtype="u8"), ValueError, "integers: high is"),
        (lambda g: g.integers([1, 2], [3, 4, 5]), ValueError, "integers: arrays of shapes"),
        (lambda g: g.integers([1, 2], size=3), ValueError, "integers: size is 3"),
        (lambda g: g.permuted(3), TypeError, "permuted: x"),
        (lambda g: g.permuted([1, 2], axis=1), AxisError, "permuted: axis 1"),
        (lambda g: g.permuted([1, 2], out=usm.ones(3)), ValueError, "permuted: out has"),
        (lambda g: g.permutation(1.5), TypeError, "permutation: x"),
        (lambda g: g.multivariate_normal(1, [[1]]), ValueError, "multivariate_normal: mean is 1"),
        (lambda g: g.multivariate_normal([1], [1]), ValueError, "multivariate_normal: cov is"),
        (
            lambda g: g.multivariate_normal([1], [[1]], check_valid="x"),
            ValueError,
            "multivariate_normal: check_valid is 'x'",
        ),
        (lambda g: g.permutation(usm.asarray([1]), 1), AxisError, "permutation: axis 1"),
        (lambda g: g.normal(usm.ones(2), usm.ones(3)), ValueError, "normal: arrays of shapes"),
        (lambda g: g.shuffle([1, 2]), TypeError, "shuffle: x"),
        (lambda g: g.choice(0, 1), ValueError, "choice: a is 0"),
        (lambda g: g.choice(3, 4, replace=False), ValueError, "choice: size is 4"),
        (lambda g: g.choice(3, p=[0.5, 0.5]), ValueError, r"choice: p has shape \(2,\)"),
        (lambda g: g.choice(2, p=[0.5, 0.6]), ValueError, "choice: p holds"),
        (lambda g: g.choice(2, p=[-0.5, 1.5]), ValueError, "choice: p holds"),
        (lambda g: usm.random.default_rng("a"), TypeError, "default_rng: seed"),
        (lambda g: usm.random.default_rng(-1), ValueError, "default_rng: seed is -1"),
        (lambda g: usm.random.default_rng([[1]]), TypeError, "default_rng: seed"),
        (lambda g: usm.random.default_rng(holds_itself()), TypeError, "default_rng: seed"),
        (lambda g: usm.random.default_rng(1, usm_type="x"), ValueError, "usm_type is 'x'"),
        (lambda g: usm.random.Generator(), TypeError, "missing"),
        (lambda g: usm.random.Generator(1, None), TypeError, "Generator: queue"),
        (lambda g: usm.random.Generator(1, g._queue), TypeError, "Generator: seeds"),
    ],
)
def test_bad_arguments(generators, call, error, words):
    ours, _ = generators(1)
    with pytest.raises(error, match=words):
        call(ours)


def test_permutations(generators, queue):
    ours, _ = generators(6)
    order = ours.permutation(1000)
    assert sorted(order.tolist()) == list(range(1000))
    assert order.tolist() != list(range(1000))
    x = usm.reshape(usm.arange(60, sycl_queue=queue), (3, 20))
    mixed = usm.asnumpy(ours.permutation(x, axis=-1))
    assert not np.array_equal(mixed, usm.asnumpy(x))
    assert np.array_equal(np.sort(mixed, axis=1), usm.asnumpy(x))
    assert np.array_equal(mixed[1] - 20, mixed[0])  # whole columns
    held = usm.asnumpy(x)
    ours.shuffle(x[:, ::2], axis=1)
    shuffled = usm.asnumpy(x)
    assert np.array_equal(shuffled[:, 1::2], held[:, 1::2])
    assert np.array_equal(np.sort(shuffled[:, ::2], axis=1), held[:, ::2])
    assert ours.permutation(0).shape == (0,)


def test_permutations_are_evenly_distributed(generators):
    ours, _ = generators(12)
    found = {}
    for _ in range(1200):
        order = tuple(ours.permutation(3).tolist())
        found[order] = found.get(order, 0) + 1
    assert len(found) == 6
    assert max(abs(count - 200) for count in found.values()) < 5 * math.sqrt(200)


def test_permuted(generators, queue):
    ours, _ = generators(6)
    x = usm.reshape(usm.arange(60, sycl_queue=queue), (3, 20))
    held = usm.asnumpy(x)
    for axis in (0, 1, -1):
        mixed = usm.asnumpy(ours.permuted(x, axis=axis))
        assert np.array_equal(np.sort(mixed, axis=axis), held) and not np.array_equal(mixed, held)
    assert not np.array_equal(mixed[1] - 20, mixed[0])  # each row in its own order
    mixed = usm.asnumpy(ours.permuted(x))
    assert np.array_equal(np.sort(mixed, axis=None), held.ravel())
    assert not np.array_equal(np.sort(mixed, axis=1), held)
    assert ours.permuted(x, axis=1, out=x) is x
    assert np.array_equal(np.sort(usm.asnumpy(x), axis=1), held)
    assert ours.permuted([[1, 2, 3]]).shape == (1, 3)
    assert ours.permuted(np.zeros((2, 0)), axis=1).shape == (2, 0)


def test_lists_and_numpy_arrays(generators):
    """Are taken as arrays on the generator's queue."""
    ours, _ = generators(6)
    for make in (list, np.asarray):
        assert sorted(ours.permutation(make([3, 1, 2])).tolist()) == [1, 2, 3]
        assert int(ours.choice(make([7, 7]))) == 7
    assert ours.choice([5, 6], 2, replace=False, shuffle=False).shape == (2,)


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(device, generators, method):
    skip_without_library(device)
    ours, _ = generators(6)
    mean, cov = np.array([1.0, -2, 5]), np.array([[2, 0.5, 0], [0.5, 1, -0.3], [0, -0.3, 3]])
    x = ours.multivariate_normal(mean, cov, (20_000, 2), method=method)
    assert x.shape == (20_000, 2, 3)
    values = usm.asnumpy(x).reshape(-1, 3).astype("f8")
    np.testing.assert_allclose(values.mean(axis=0), mean, atol=0.05)
    np.testing.assert_allclose(np.cov(values.T), cov, atol=0.08)
    for k in range(3):
        deviation = math.sqrt(cov[k, k])
        standard = (x[..., k] - float(mean[k])) / deviation
        assert distance(standard, normal_cdf) < 1.95
    assert ours.multivariate_normal(mean, cov, dtype="f4").dtype == np.float32
    assert ours.multivariate_normal([], np.zeros((0, 0)), 3).shape == (3, 0)
    assert ours.multivariate_normal(mean, cov, 0).shape == (0, 3)


def test_multivariate_normal_of_singular_covariances(device, generators):
    skip_without_library(device)
    ours, _ = generators(6)
    x = usm.asnumpy(ours.multivariate_normal([0, 0], [[1, 1], [1, 1]], 100))
    np.testing.assert_allclose(x[:, 0], x[:, 1], atol=1e-5)
    for cov in ([[1, 2], [2, 1]], [[1, 0.5], [0.4, 1]]):
        with pytest.warns(RuntimeWarning, match="multivariate_normal: cov is not symmetric"):
            ours.multivariate_normal([0, 0], cov)
        with pytest.raises(ValueError, match="multivariate_normal: cov is not symmetric without"):
            ours.multivariate_normal([0, 0], cov, check_valid="raise")
        assert ours.multivariate_normal([0, 0], cov, check_valid="ignore").shape == (2,)
    with pytest.raises(LinAlgError, match="multivariate_normal: "):
        ours.multivariate_normal([0, 0], [[1, 2], [2, 1]], method="cholesky")


def test_choice(generators, queue):
    ours, _ = generators(13)
    x = usm.asarray([[1.0, 2, 3], [4, 5, 6]], dtype="f4", sycl_queue=queue)
    assert ours.choice(x).shape == (3,)
    assert ours.choice(x, (2, 5), axis=1).shape == (2, 2, 5)
    assert ours.choice(10).shape == ()
    few = ours.choice(10, 10, replace=False)
    assert sorted(few.tolist()) == list(range(10))
    p = [0.1, 0.0, 0.6, 0.3]
    counts = np.bincount(usm.asnumpy(ours.choice(4, 20_000, p=p)), minlength=4)
    np.testing.assert_allclose(counts / 20_000, p, atol=0.02)
    assert counts[1] == 0
    first = [ours.choice(4, 3, replace=False, p=p).tolist() for _ in range(300)]
    assert all(sorted(places) == [0, 2, 3] for places in first)
    assert abs(sum(places[0] == 2 for places in first) / 300 - 0.6) < 0.12
    with pytest.raises(ValueError, match="choice: size is 4"):
        ours.choice(4, 4, replace=False, p=p)


def test_choice_of_few_among_many(generators):
    ours, _ = generators(5)
    for count, wanted in ((17, 1), (10**6, 10), (4000, 250), (2**40, 1000)):
        chosen = ours.choice(count, wanted, replace=False).tolist()
        assert len(set(chosen)) == wanted and min(chosen) >= 0 and max(chosen) < count
    pairs = np.array([ours.choice(40, 2, replace=False).tolist() for _ in range(2000)])
    for places in (pairs[:, 0], pairs[:, 1]):  # each place is as likely first as second
        counts = np.bincount(places, minlength=40)
        assert len(counts) == 40 and abs(counts - 50).max() < 5 * math.sqrt(50)
    for empty in (ours.choice(0, 0), ours.choice(0, 0, replace=False)):
        assert empty.shape == (0,)


def test_generators(generators, queue, usm_kind):
    ours, theirs = generators(21)
    assert usm.random.default_rng(ours) is ours
    assert usm.random.default_rng(1, usm_type=usm_kind).random(3, dtype="f4").usm_type == usm_kind
    children, expected = ours.spawn(2), theirs.spawn(2)
    for child, other in zip(children, expected, strict=True):
        assert np.array_equal(usm.asnumpy(child.random(9, dtype="f4")), other.random(9, dtype="f4"))
        assert child.random(1).sycl_queue == queue
    ours.random(3, dtype="f4")
    for other in (copy.copy(ours), copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))):
        fresh = pickle.loads(pickle.dumps(ours))
        assert np.array_equal(
            usm.asnumpy(other.random(5, dtype="f4")), usm.asnumpy(fresh.random(5, dtype="f4"))
        )
    assert not np.array_equal(
        usm.asnumpy(usm.random.default_rng().random_raw(4)),
        usm.asnumpy(usm.random.default_rng().random_raw(4)),
    )
    assert "Generator on" in repr(ours)


def test_threads_take_numbers_of_their_own(generators):
    ours, theirs = generators(30)
    found = []

    def draw():
        for _ in range(20):
            found.append(usm.asnumpy(ours.random_raw(50)))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = theirs.bit_generator.random_raw(4 * 20 * 50)
    assert np.array_equal(np.sort(np.concatenate(found)), np.sort(expected))


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("tier", ["host", "device"])
@pytest.mark.parametrize("before, count", [(0, 2000), (2, 2001), (5, 17), (3, 1)])
def test_normal_numbers_follow_from_pairs(device, generators, dtype, tier, before, count):
    needs_double(device, dtype)
    ours, theirs = generators(5)
    ours.random_raw(before), theirs.bit_generator.random_raw(before)
    if dtype == "f8":  # they begin with a pair of words
        theirs.bit_generator.random_raw(before % 2)
    with forced(tier):
        normal = usm.asnumpy(ours.standard_normal(count, dtype=dtype))
    uniform = theirs.random(count + count % 2, dtype=dtype).astype("f8").reshape(-1, 2)
    radius, angle = np.sqrt(-2 * np.log1p(-uniform[:, 0])), 2 * np.pi * uniform[:, 1]
    expected = (radius * [np.cos(angle), np.sin(angle)]).T.ravel()[:count]
    atol = 4 * np.finfo(dtype).eps * radius.max()
    np.testing.assert_allclose(normal, expected, rtol=4 * np.finfo(dtype).eps, atol=atol)


@pytest.mark.parametrize("draw", ["random", "standard_normal", "exponential"])
def test_both_tiers_give_the_same_bits(device, generators, draw):
    skip_without_tiers(device)
    results = []
    for tier in ("host", "device"):
        ours, _ = generators(31)
        with forced(tier):
            results.append(usm.asnumpy(getattr(ours, draw)(size=10_001)).tobytes())
    assert results[0] == results[1]


def test_nothing_is_drawn_for_no_elements(generators):
    ours, theirs = generators(40)
    ours.random_raw(), theirs.bit_generator.random_raw()
    for size in (0, (3, 0)):
        assert ours.random(size, dtype="f4").size == 0
        assert ours.standard_normal(size).size == 0
        assert ours.standard_normal(size, dtype="f4").size == 0
        assert ours.integers(5, size=size).size == ours.integers(2**40, size=size).size == 0
    assert ours.random_raw().tolist() == theirs.bit_generator.random_raw()


def test_bit_generators():
    rng = usm.random.default_rng(5)
    rng.random(3)
    bits = rng.bit_generator
    expected = usm.asnumpy(usm.random.default_rng(5).random(4))
    for one in (bits, pickle.loads(pickle.dumps(bits)), bits.seed_seq):
        np.testing.assert_array_equal(usm.asnumpy(usm.random.default_rng(one).random(4)), expected)
