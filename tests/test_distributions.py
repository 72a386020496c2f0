"""Distributions of usmtensor.random: against SciPy's by the tests of Kolmogorov-Smirnov and of
Pearson, with parameters as arrays, and by their arguments."""

import inspect
import math

import numpy as np
import pytest
from both_tiers import forced
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples

import usmtensor as usm

stats = pytest.importorskip("scipy.stats")

COUNT = 40_000
# The method, its arguments and SciPy's distribution.
REAL = [
    ("uniform", (-2, 6), stats.uniform(-2, 8)),
    ("normal", (3, 2), stats.norm(3, 2)),
    ("lognormal", (0.5, 0.7), stats.lognorm(0.7, scale=math.exp(0.5))),
    ("wald", (1, 2), stats.invgauss(0.5, scale=2)),
    ("wald", (30, 0.01), stats.invgauss(3000, scale=0.01)),
    ("exponential", (4,), stats.expon(scale=4)),
    ("standard_exponential", (), stats.expon()),
    ("laplace", (1, 2), stats.laplace(1, 2)),
    ("logistic", (1, 2), stats.logistic(1, 2)),
    ("gumbel", (1, 2), stats.gumbel_r(1, 2)),
    ("rayleigh", (3,), stats.rayleigh(scale=3)),
    ("weibull", (0.7,), stats.weibull_min(0.7)),
    ("pareto", (3,), stats.lomax(3)),
    ("power", (0.5,), stats.powerlaw(0.5)),
    ("triangular", (-1, 0, 3), stats.triang(0.25, -1, 4)),
    ("triangular", (0, 2, 2), stats.triang(1, 0, 2)),
    ("vonmises", (0, 0), stats.uniform(-math.pi, 2 * math.pi)),
    ("vonmises", (0, 0.34), stats.vonmises(0.34)),
    ("vonmises", (0, 0.36), stats.vonmises(0.36)),
    ("vonmises", (0, 50), stats.vonmises(50)),
    ("gamma", (0.1, 2), stats.gamma(0.1, scale=2)),
    ("gamma", (1, 1), stats.gamma(1)),
    ("gamma", (2.5, 3), stats.gamma(2.5, scale=3)),
    ("gamma", (1000, 1), stats.gamma(1000)),
    ("standard_gamma", (0.7,), stats.gamma(0.7)),
    ("chisquare", (3,), stats.chi2(3)),
    ("noncentral_chisquare", (0.5, 4), stats.ncx2(0.5, 4)),
    ("f", (3, 7), stats.f(3, 7)),
    ("noncentral_f", (3, 7, 2), stats.ncf(3, 7, 2)),
    ("standard_t", (2.5,), stats.t(2.5)),
    ("beta", (2, 3), stats.beta(2, 3)),
    ("beta", (0.3, 0.7), stats.beta(0.3, 0.7)),
    ("standard_cauchy", (), stats.cauchy()),
]
WHOLE = [
    ("poisson", (0.2,), stats.poisson(0.2)),
    ("poisson", (9.99,), stats.poisson(9.99)),
    ("poisson", (10,), stats.poisson(10)),
    ("poisson", (1234.5,), stats.poisson(1234.5)),
    ("binomial", (10, 0.3), stats.binom(10, 0.3)),
    ("binomial", (10, 0.95), stats.binom(10, 0.95)),
    ("binomial", (25, 0.5), stats.binom(25, 0.5)),
    ("binomial", (5000, 0.8), stats.binom(5000, 0.8)),
    ("negative_binomial", (2.5, 0.3), stats.nbinom(2.5, 0.3)),
    ("geometric", (0.9,), stats.geom(0.9)),
    ("geometric", (0.01,), stats.geom(0.01)),
    ("logseries", (0.9,), stats.logser(0.9)),
    ("zipf", (4,), stats.zipf(4)),
    ("hypergeometric", (15, 10, 12), stats.hypergeom(25, 15, 12)),
    ("hypergeometric", (5, 100, 60), stats.hypergeom(105, 5, 60)),
    ("hypergeometric", (200, 300, 100), stats.hypergeom(500, 200, 100)),
    ("hypergeometric", (300, 200, 450), stats.hypergeom(500, 300, 450)),
]


@pytest.fixture
def rng(queue):
    return usm.random.default_rng(77, sycl_queue=queue)


def names(rows):
    return [f"{name}{args}" for name, args, _ in rows]


def probability_of_kolmogorov(x, distribution):
    return stats.kstest(np.ravel(usm.asnumpy(x)), distribution.cdf).pvalue


def probability_of_pearson(x, distribution):
    """Of classes with ten expected samples or more."""
    x = np.ravel(usm.asnumpy(x))
    least, most = (int(distribution.ppf(q)) for q in (1e-4, 1 - 1e-4))
    k = np.arange(least, most + 1)
    chances = distribution.pmf(k)
    chances[0], chances[-1] = distribution.cdf(least), distribution.sf(most - 1)
    found = np.bincount(np.clip(x, least, most) - least, minlength=k.size)
    group = np.floor(np.cumsum(chances) * x.size / 10).astype(int)
    expected, found = (np.bincount(group, one) for one in (chances * x.size, found))
    filled = expected >= 5
    expected, found = expected[filled], found[filled]
    return stats.chisquare(found, expected * found.sum() / expected.sum()).pvalue


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("name, args, distribution", REAL, ids=names(REAL))
def test_real_numbers(device, rng, name, args, distribution, dtype):
    if dtype == "f8" and not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64")
    x = getattr(rng, name)(*args, size=(COUNT // 4, 4), dtype=dtype)
    assert x.dtype == np.dtype(dtype) and x.shape == (COUNT // 4, 4)
    assert usm.all(usm.isfinite(x))
    assert probability_of_kolmogorov(x, distribution) > 1e-4


@pytest.mark.parametrize("name, args, distribution", WHOLE, ids=names(WHOLE))
def test_whole_numbers(rng, name, args, distribution):
    x = getattr(rng, name)(*args, size=COUNT)
    assert x.dtype == np.int64 and x.shape == (COUNT,)
    assert probability_of_pearson(x, distribution) > 1e-4


@pytest.mark.parametrize("name, args, distribution", REAL + WHOLE, ids=names(REAL + WHOLE))
def test_parameters_may_be_arrays(rng, queue, name, args, distribution):
    """Lists, NumPy arrays and arrays of the device, of shapes that broadcast."""
    if not args:
        pytest.skip("no parameters")
    for make in (list, np.asarray, lambda one: usm.asarray(one, sycl_queue=queue)):
        columns = [make([one, one]) if k == 0 else one for k, one in enumerate(args)]
        assert getattr(rng, name)(*columns).shape == (2,)
    rows = [
        usm.reshape(usm.asarray([one, one], dtype="f4", sycl_queue=queue), (2, 1) if k else (1, 2))
        for k, one in enumerate(args)
    ]
    assert getattr(rng, name)(*rows).shape == ((2, 2) if len(args) > 1 else (1, 2))
    x = getattr(rng, name)(*rows, size=(COUNT // 4, 2, 2))
    if np.issubdtype(x.dtype, np.integer):
        assert probability_of_pearson(x, distribution) > 1e-4
    else:
        assert probability_of_kolmogorov(x, distribution) > 1e-4


def test_each_element_has_its_parameter(rng):
    means = np.array([0, 1, 50, 1e6])
    for name, args, expected in [
        ("poisson", (means,), means),
        ("binomial", ([[1], [1000]], [0, 0.25, 0.5, 1]), [[0, 0.25, 0.5, 1], [0, 250, 500, 1000]]),
        ("gamma", (means, 2), 2 * means),
        ("exponential", (means,), means),
        ("normal", ([5, 6], 0), [5, 6]),
        ("geometric", ([1, 0.5, 0.01],), [1, 2, 100]),
    ]:
        x = getattr(rng, name)(*args, size=(4000, *np.shape(expected)))
        mean = usm.asnumpy(usm.mean(usm.astype(x, rng.normal(0, 1).dtype), axis=0))
        np.testing.assert_allclose(mean, expected, rtol=0.1)


@pytest.mark.parametrize("name, args, _", REAL + WHOLE, ids=names(REAL + WHOLE))
def test_sizes(rng, name, args, _):
    draw = getattr(rng, name)
    assert draw(*args).shape == ()
    for size in (0, 1, (), (3, 0), (2, 1, 3)):
        assert draw(*args, size=size).shape == ((size,) if type(size) is int else size)
    for size in (-1, 10**400, (2**40, 2**40)):
        with pytest.raises(ValueError, match=f"^{name}: size is"):
            draw(*args, size=size)
    with pytest.raises(TypeError, match=f"^{name}: size is"):
        draw(*args, size="3")
    if args:
        with pytest.raises(ValueError, match=f"^{name}: size is .*; expected a shape to which the"):
            draw([args[0]] * 2, *args[1:], size=3)


@pytest.mark.parametrize("name, args, _", REAL + WHOLE, ids=names(REAL + WHOLE))
def test_equal_seeds_give_equal_samples(device, queue, name, args, _):
    """Also where fewer are taken, or by another tier."""
    found = []
    skip = 20_000
    tiers = ("host", "device") if device.is_cpu else ("device",)
    for tier in tiers:
        rng = usm.random.default_rng(3, sycl_queue=queue)
        with forced(tier):
            found.append(usm.asnumpy(getattr(rng, name)(*args, size=skip)))
    assert all(np.array_equal(one, found[0]) for one in found)
    rng = usm.random.default_rng(3, sycl_queue=queue)
    again = usm.asnumpy(getattr(rng, name)(*args, size=skip))
    assert np.array_equal(again, found[0])


@pytest.mark.parametrize(
    "name, args", [("gamma", (0.5,)), ("poisson", (30,)), ("vonmises", (0, 2)), ("zipf", (2,))]
)
def test_samples_by_rejection_take_one_word(queue, name, args):
    ours, theirs = (usm.random.default_rng(3, sycl_queue=queue) for _ in range(2))
    whole = getattr(ours, name)(*args, size=1000)
    parts = [getattr(theirs, name)(*args, size=n) for n in (1, 99, 900)]
    assert usm.all(usm.concat(parts) == whole)
    assert usm.all(ours.random_raw(3) == theirs.random_raw(3))


def test_limits_of_parameters(rng):
    """No call hangs; the result is the limit, or NumPy's."""
    inf = math.inf
    assert usm.all(rng.gamma(0, 1, 9) == 0) and usm.all(rng.gamma(3, 0, 9) == 0)
    assert usm.all(rng.weibull(0, 9) == 0)
    assert usm.all(rng.vonmises(1, inf, 9) == 1)
    assert usm.all(usm.abs(rng.vonmises(3, 0.5, 999)) <= math.pi + 1e-6)
    assert usm.all(rng.gamma(inf, 1, 9) == inf)
    assert usm.all(rng.poisson(0, 9) == 0)
    assert usm.all(usm.abs(usm.astype(rng.poisson(1e15, 99), "f4") / 1e15 - 1) < 1e-6)
    assert usm.all(rng.poisson(2**63, 9) > 2**62)
    assert usm.all(rng.binomial(7, 0, 9) == 0) and usm.all(rng.binomial(7, 1, 9) == 7)
    assert usm.all(rng.binomial(0, 0.3, 9) == 0)
    assert usm.all(rng.geometric(1, 9) == 1) and usm.all(rng.geometric(1e-30, 9) > 2**62)
    assert usm.all(rng.logseries(0, 9) == 1)
    assert usm.all(rng.zipf(2000, 9) == 1) and usm.all(rng.zipf(1.0001, 99) >= 1)
    assert usm.all(rng.hypergeometric(0, 0, 0, 9) == 0)
    assert usm.all(rng.hypergeometric(5, 4, 9, 9) == 5)
    assert usm.all(rng.hypergeometric(5, 0, 3, 9) == 3)
    assert usm.all(rng.hypergeometric(0, 5, 3, 9) == 0)
    assert usm.all(rng.negative_binomial(4, 1, 9) == 0)
    x = rng.beta(1e-3, 1e-3, 2000)
    assert usm.all((x >= 0) & (x <= 1)) and 0.4 < float(usm.mean(x)) < 0.6


@examples(60)
@given(
    st.integers(0, 2**40), st.floats(0, 1), st.integers(0, 2**30), st.integers(0, 2**20), st.data()
)
def test_counts_are_possible(queue, n, p, good, bad, data):
    rng = usm.random.default_rng(n, sycl_queue=queue)
    x = rng.binomial(n, p, 50)
    assert usm.all((x >= 0) & (x <= n))
    drawn = data.draw(st.integers(0, good + bad))
    x = rng.hypergeometric(good, bad, drawn, 50)
    assert usm.all((x <= min(good, drawn)) & (x >= max(0, drawn - bad)))


def test_dirichlet(rng):
    x = rng.dirichlet([1, 2, 3], size=(4000, 2))
    assert x.shape == (4000, 2, 3)
    values = usm.asnumpy(x).astype("f8")
    np.testing.assert_allclose(values.sum(axis=-1), 1, rtol=1e-6)
    for k, a in enumerate((1, 2, 3)):
        assert probability_of_kolmogorov(x[..., k], stats.beta(a, 6 - a)) > 1e-4
    assert rng.dirichlet([5.0]).tolist() == [1]
    assert rng.dirichlet((1, 1), size=0).shape == (0, 2)
    assert rng.dirichlet(np.full(2, 1e-4), 500, dtype="f4").dtype == np.float32
    assert usm.all(usm.abs(usm.sum(rng.dirichlet([1e-4, 1e-4], 500), axis=-1) - 1) < 1e-6)


def test_multinomial(rng, queue):
    x = rng.multinomial(20, [0.2, 0.3, 0.4], size=(4000, 2))
    assert x.shape == (4000, 2, 3) and x.dtype == np.int64
    assert usm.all(usm.sum(x, axis=-1) == 20)
    for k, p in enumerate((0.2, 0.3, 0.5)):  # the last one has the rest
        assert probability_of_pearson(x[..., k], stats.binom(20, p)) > 1e-4
    chances = usm.asarray([[1, 0, 0], [0, 0.5, 0.5]], dtype="f4", sycl_queue=queue)
    x = rng.multinomial([[3], [1000]], chances)
    assert x.shape == (2, 2, 3)
    assert x[:, 0].tolist() == [[3, 0, 0], [1000, 0, 0]]
    assert usm.all(x[:, 1, 0] == 0) and usm.all(usm.sum(x, axis=-1) == usm.asarray([[3], [1000]]))
    assert rng.multinomial(5, [1.0]).tolist() == [5]
    assert rng.multinomial(5, [0.5, 0.5], size=0).shape == (0, 2)


def test_multivariate_hypergeometric(rng):
    x = rng.multivariate_hypergeometric([16, 8, 0, 4], 6, size=COUNT)
    assert x.shape == (COUNT, 4) and usm.all(usm.sum(x, axis=-1) == 6)
    for k, n in ((0, 16), (1, 8), (3, 4)):
        assert probability_of_pearson(x[:, k], stats.hypergeom(28, n, 6)) > 1e-4
    assert not usm.any(x[:, 2])
    assert rng.multivariate_hypergeometric([3, 4], 7).tolist() == [3, 4]
    assert rng.multivariate_hypergeometric([3, 4], 7, method="count", size=0).shape == (0, 2)


def test_standard_gamma_out(rng, queue):
    held = usm.zeros((2, 40), dtype="f4", sycl_queue=queue)
    assert rng.standard_gamma(2, out=held[:, ::2]) is not None
    assert usm.all(held[:, ::2] > 0) and not usm.any(held[:, 1::2])
    with pytest.raises(ValueError, match=r"standard_gamma: out has shape \(2, 40\)"):
        rng.standard_gamma(2, size=3, out=held)
    with pytest.raises(ValueError, match="standard_exponential: out has data type float32"):
        rng.standard_exponential(dtype="f8", out=held)


def signature(function):
    parameters = inspect.signature(function).parameters.values()
    return [(one.name, one.default) for one in parameters if one.name not in ("self", "out")]


@pytest.mark.parametrize("name", sorted({name for name, *_ in REAL + WHOLE}))
def test_parameters_are_those_of_numpy(name):
    own = signature(getattr(usm.random.Generator, name))
    theirs = signature(getattr(np.random.Generator, name))
    own, theirs = ([one for one in given if one[0] != "dtype"] for given in (own, theirs))
    assert own == theirs


BAD = [
    ("beta", (0, 1), "a is 0.0; expected a number above 0"),
    ("beta", (1, [1, -2]), "b holds -2.0; expected a number above 0"),
    ("binomial", (-1, 0.5), "n is -1.0; expected a whole number"),
    ("binomial", (2.5, 0.5), "n is 2.5; expected a whole number"),
    ("binomial", (3, 1.5), "p is 1.5; expected a number from 0 to 1"),
    ("binomial", (3, math.nan), "p is nan"),
    ("chisquare", (0,), "df is 0.0"),
    ("exponential", (-1,), "scale is -1.0; expected 0 or more"),
    ("f", (1, 0), "dfden is 0.0"),
    ("gamma", (-1,), "shape is -1.0; expected 0 or more"),
    ("gamma", (1, np.array([math.nan])), "scale holds nan"),
    ("geometric", (0,), "p is 0.0; expected a number above 0, up to 1"),
    ("hypergeometric", (1, -1, 1), "nbad is -1.0"),
    ("hypergeometric", (1, 2, 4), "nsample is 4.0; expected at most ngood"),
    ("hypergeometric", (1, [2, 3], 4), "nsample is 4.0; expected at most ngood"),
    ("hypergeometric", (1, 2, [3, 4]), "nsample holds 4.0; expected at most ngood"),
    ("lognormal", (0, -1), "sigma is -1.0"),
    ("logseries", (1,), "p is 1.0; expected a number from 0 to below 1"),
    ("multinomial", (3, [0.5, 1.5]), "pvals holds 1.5"),
    ("multinomial", (3, [0.9, 0.9, 0.1]), "pvals holds 0.*sum is 1 or less"),
    ("multinomial", (3, 0.5), "pvals is 0.5; expected one probability or more"),
    ("multinomial", (3, []), "pvals is .*; expected one probability or more"),
    ("multivariate_hypergeometric", ([1, 2], 4), "nsample is 4; expected at most the sum"),
    ("multivariate_hypergeometric", ([1, 2.5], 4), "colors holds 2.5"),
    ("multivariate_hypergeometric", ([1, 2], -1), "nsample is -1"),
    ("multivariate_hypergeometric", ([1], 1, 2, "x"), "method is 'x'"),
    ("negative_binomial", (0, 0.5), "n is 0.0"),
    ("negative_binomial", (1, 0), "p is 0.0"),
    ("normal", ([1, 2], [1, -1]), "scale holds -1.0"),
    ("pareto", (0,), "a is 0.0"),
    ("poisson", (-0.5,), "lam is -0.5; expected a number from 0"),
    ("poisson", (1e19,), "lam is 1e"),
    ("power", (0,), "a is 0.0"),
    ("dirichlet", ([1, 0],), "alpha holds 0.0"),
    ("dirichlet", (3,), "alpha is 3.0; expected an array of one dimension"),
    ("standard_exponential", (1, None, "x"), "method is 'x'"),
    ("standard_t", (0,), "df is 0.0"),
    ("triangular", (1, 0, 2), "mode is 0.0"),
    ("triangular", (0, 3, 2), "right is 2.0"),
    ("triangular", (1, 1, [1, 2]), "right holds 1.0; expected more than"),
    ("uniform", ([0, 1], [1, 0]), "high holds 0.0"),
    ("vonmises", (0, -1), "kappa is -1.0"),
    ("wald", (0, 1), "mean is 0.0"),
    ("weibull", (-1,), "a is -1.0"),
    ("zipf", (1,), "a is 1.0; expected a number above 1"),
]


@pytest.mark.parametrize(
    "name, args, words", BAD, ids=[f"{name}-{words}" for name, _, words in BAD]
)
def test_values_out_of_range(rng, name, args, words):
    before = rng._next
    with pytest.raises(ValueError, match=f"^{name}: {words}"):
        getattr(rng, name)(*args)
    assert rng._next == before  # nothing is drawn


@pytest.mark.parametrize("name, args, _", REAL + WHOLE, ids=names(REAL + WHOLE))
def test_wrong_types(rng, name, args, _):
    for k in range(len(args)):
        for wrong in ("a", 1j, [1j], usm.asarray(1j), [["a"]], [[1], [1, 2]], None):
            with pytest.raises((TypeError, ValueError), match=f"^{name}: "):
                getattr(rng, name)(*args[:k], wrong, *args[k + 1 :])
    if "dtype" in inspect.signature(getattr(rng, name)).parameters:
        with pytest.raises(TypeError, match=f"^{name}: the data type is int32; expected float32"):
            getattr(rng, name)(*args, dtype="i4")
