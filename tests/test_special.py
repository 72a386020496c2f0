"""usmtensor.special against values computed with many digits, and limits as in SciPy."""

import inspect
from pathlib import Path

import numpy as np
import pytest
from both_tiers import forced
from elementwise_oracle import SPECIAL, distance
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from special_values import stored
from strategies import recipes, skip_without, supported_dtypes
from test_elementwise import row_of_the_table

import usmtensor as usm
from usmtensor import special

VALUES = stored()
UNITS = 8  # in the last place: the promise of docs/special.md
NAN, INF = np.nan, np.inf
# Of these two functions, values near the zeros left of 0 are differences of larger numbers.
DIFFERENCES = {"digamma", "gammaln"}


@pytest.fixture(params=["e", "f", "d"])
def char(request, device):
    skip_without(device, request.param)
    return request.param


def in_type(values, char):
    with np.errstate(over="ignore"):
        return values.astype(char)


def test_all_functions_have_values():
    assert VALUES.keys() == SPECIAL.keys() - {"psi"}
    assert min(rows[0].size for rows in VALUES.values()) > 20


@pytest.mark.parametrize("char", "fd")
@pytest.mark.parametrize("name", VALUES)
def test_accuracy(name, char, device, queue):
    skip_without(device, char)
    *operands, wanted = VALUES[name]
    wanted = in_type(wanted, char)
    arrays = [usm.asarray(x, dtype=char, sycl_queue=queue) for x in operands]
    found = usm.asnumpy(SPECIAL[name](*arrays))
    assert found.dtype == np.dtype(char)
    units = distance(found, wanted)
    if name in DIFFERENCES:
        close = np.abs(found - wanted) <= UNITS * np.finfo(char).eps
        units = np.where((operands[0] < 0) & close, 0, units)
    worst = units.argmax()
    assert units[worst] <= UNITS, (*[x[worst] for x in operands], found[worst], wanted[worst])


NEAR = {"digamma": (0, 8), "erf": (-1, 1), "gamma": (0, 8), "gammaln": (0, 8), "ndtr": (-0.5, 1)}


@pytest.mark.parametrize("name", NEAR)
def test_short_functions_have_the_bits_of_the_whole_ones(name, char, queue):
    low, high = NEAR[name]
    x = np.random.default_rng(0).uniform(low, high, 10_001).astype(char)
    x = x[(x > low) & (x < high)]
    mixed = np.where(np.arange(x.size) % 9 == 0, 20, x).astype(char)  # no group has one range
    with forced("device"):
        alone, beside = (
            usm.asnumpy(SPECIAL[name](usm.asarray(values, sycl_queue=queue)))
            for values in (x, mixed)
        )
    same = mixed == x
    np.testing.assert_array_equal(alone[same], beside[same])


@pytest.mark.parametrize("name", SPECIAL)
def test_half_precision_is_single_precision_rounded_once(name, device, queue):
    skip_without(device, "e")
    halves = np.arange(1 << 16, dtype="u2").view("e")
    operands = [halves, np.random.default_rng(0).permutation(halves)][: SPECIAL[name].nin]
    found, wanted = (
        usm.asnumpy(
            SPECIAL[name](*[usm.asarray(x, dtype=char, sycl_queue=queue) for x in operands])
        )
        for char in "ef"
    )
    np.testing.assert_array_equal(found, in_type(wanted, "e"))


# At NaN, infinity, -infinity, 0, -0, 1, -1, -2 and 0.5.
LIMITS = {
    "digamma": [NAN, INF, NAN, -INF, INF, -0.5772156649015329, NAN, NAN, -1.9635100260214235],
    "entr": [NAN, -INF, -INF, 0, 0, 0, -INF, -INF, 0.34657359027997264],
    "erf": [
        *(NAN, 1, -1, 0, 0, 0.8427007929497148, -0.8427007929497148, -0.9953222650189527),
        0.5204998778130465,
    ],
    "erfc": [
        *(NAN, 0, 2, 1, 1, 0.15729920705028516, 1.8427007929497148, 1.9953222650189528),
        0.4795001221869535,
    ],
    "erfcinv": [NAN, NAN, NAN, INF, INF, 0, NAN, NAN, 0.4769362762044699],
    "erfinv": [NAN, NAN, NAN, 0, 0, INF, -INF, NAN, 0.4769362762044699],
    "expit": [
        *(NAN, 1, 0, 0.5, 0.5, 0.7310585786300049, 0.2689414213699951, 0.11920292202211755),
        0.6224593312018546,
    ],
    "gamma": [NAN, INF, NAN, INF, -INF, 1, NAN, NAN, 1.7724538509055159],
    "gammaln": [NAN, INF, -INF, INF, INF, 0, INF, INF, 0.5723649429247],
    "i0": [  # SciPy gives NaN for infinities
        *(NAN, INF, INF, 1, 1, 1.2660658777520082, 1.2660658777520082, 2.279585302336067),
        1.0634833707413234,
    ],
    "i0e": [
        *(NAN, 0, 0, 1, 1, 0.46575960759364043, 0.46575960759364043, 0.308508322553671),
        0.64503527044915,
    ],
    "i1": [  # SciPy gives NaN for infinities
        *(NAN, INF, -INF, 0, 0, 0.5651591039924851, -0.5651591039924851, -1.5906368546373295),
        0.25789430539089636,
    ],
    "i1e": [
        *(NAN, 0, 0, 0, 0, 0.2079104153497085, -0.2079104153497085, -0.2152692892489377),
        0.15642080318487173,
    ],
    "log_expit": [
        *(NAN, 0, -INF, -0.6931471805599453, -0.6931471805599453, -0.31326168751822286),
        *(-1.3132616875182228, -2.1269280110429727, -0.4740769841801067),
    ],
    "log_ndtr": [
        *(NAN, 0, -INF, -0.6931471805599453, -0.6931471805599453, -0.1727537790234499),
        *(-1.8410216450092634, -3.7831843336820317, -0.36894641528865635),
    ],
    "logit": [NAN, NAN, NAN, -INF, -INF, INF, NAN, NAN, 0],
    "ndtr": [
        *(NAN, 1, 0, 0.5, 0.5, 0.8413447460685429, 0.15865525393145707, 0.022750131948179195),
        0.6914624612740131,
    ],
    "ndtri": [NAN, NAN, NAN, -INF, -INF, INF, NAN, NAN, 0],
    "softplus": [
        *(NAN, INF, 0, 0.6931471805599453, 0.6931471805599453, 1.3132616875182228),
        *(0.31326168751822286, 0.1269280110429726, 0.9740769841801067),
    ],
}
ARGUMENTS = [NAN, INF, -INF, 0.0, -0.0, 1, -1, -2, 0.5]
# The second operands NaN, infinity, -infinity, 0, 1 and -1, for first ones in the same order.
PAIRS = {
    "kl_div": [
        *([NAN] * 6, [NAN, NAN, INF, INF, NAN, INF], [NAN, *[INF] * 5]),
        *([NAN, INF, INF, 0, 1, INF], [NAN, NAN, INF, INF, 0, INF], [NAN, *[INF] * 5]),
    ],
    "rel_entr": [
        *([NAN] * 6, [NAN, NAN, INF, INF, INF, INF], [NAN, *[INF] * 5]),
        *([NAN, 0, INF, 0, 0, INF], [NAN, -INF, INF, INF, 0, INF], [NAN, *[INF] * 5]),
    ],
    "xlog1py": [
        *([NAN] * 6, [NAN, INF, NAN, NAN, INF, -INF], [NAN, -INF, NAN, NAN, -INF, INF]),
        [NAN, *[0] * 5],
        *([NAN, INF, NAN, 0, np.log(2), -INF], [NAN, -INF, NAN, 0, -np.log(2), INF]),
    ],
    "xlogy": [
        *([NAN] * 6, [NAN, INF, NAN, -INF, NAN, NAN], [NAN, -INF, NAN, INF, NAN, NAN]),
        [NAN, *[0] * 5],
        *([NAN, INF, NAN, -INF, 0, NAN], [NAN, -INF, NAN, INF, 0, NAN]),
    ],
}


def assert_limits(found, wanted, char):
    wanted = in_type(np.array(wanted), char)
    finite = np.isfinite(wanted)
    np.testing.assert_array_equal(found[~finite], wanted[~finite])
    assert np.all(distance(found[finite], wanted[finite]) <= UNITS)


@pytest.mark.parametrize("name", LIMITS)
def test_limits(name, char, queue):
    x = usm.asarray(ARGUMENTS, dtype=char, sycl_queue=queue)
    assert_limits(usm.asnumpy(SPECIAL[name](x)), LIMITS[name], char)


@pytest.mark.parametrize("name", PAIRS)
def test_limits_of_two_operands(name, char, queue):
    x = usm.asarray([NAN, INF, -INF, 0.0, 1, -1], dtype=char, sycl_queue=queue)
    found = usm.asnumpy(SPECIAL[name](x[:, None], x))
    assert_limits(found.ravel(), np.array(PAIRS[name], float).ravel(), char)


def test_signs_of_zero(char, queue):
    x = usm.asarray([60.0, 1000.0], dtype=char, sycl_queue=queue)
    assert usm.signbit(special.log_ndtr(x)).all()
    assert usm.signbit(special.log_expit(x)).all()


def test_limits_are_of_all_functions():
    assert LIMITS.keys() | PAIRS.keys() | {"psi"} == SPECIAL.keys()


@pytest.mark.parametrize("char, bits", [("f", "i4"), ("d", "i8")])
def test_results_next_to_overflow_and_underflow(char, bits, device, queue):
    skip_without(device, char)
    double = char == "d"

    def ends(function, last):
        """A finite result at an argument, and an infinite one or zero at 1.001 times it."""
        return usm.asnumpy(function(usm.asarray([last, 1.001 * last], dtype=char)))

    for function, last in (
        (special.gamma, 171.6 if double else 35.03),
        (special.i0, 713.9 if double else 91.9),
        (special.i1, 713.9 if double else 91.9),
    ):
        low, high = ends(function, last)
        assert np.isfinite(low) and high == np.inf
    for function, last in (
        (special.erfc, 27.22 if double else 10.05),
        (special.ndtr, -38.47 if double else -14.16),
        (special.expit, -745 if double else -103.9),
    ):
        low, high = ends(function, last)
        assert 0 < low < np.finfo(char).tiny and high == 0
    least = np.finfo(char).smallest_subnormal
    x = usm.asarray([least], dtype=char, sycl_queue=queue)
    assert float(special.erf(x)[0]) == float(x[0])
    assert -39 < float(special.ndtri(x)[0]) < (-38 if double else -13)
    assert float(special.gamma(x)[0]) == np.inf
    assert float(special.kl_div(x, x)[0]) == 0
    largest = usm.asarray([np.finfo(char).max], dtype=char, sycl_queue=queue)
    assert float(special.kl_div(largest, largest)[0]) == 0
    assert float(special.gammaln(largest)[0]) == np.inf
    assert np.isfinite(float(special.digamma(largest)[0]))


@pytest.mark.parametrize("char", ["f4", "f8"])
def test_gamma_of_tiny_negative_numbers(char, queue):
    """There gamma(x) is 1 / x; the product of x and its sine underflows."""
    skip_without(queue.sycl_device, char)
    x = np.geomspace(np.finfo(char).tiny * 4, 1e-8, 100).astype(char)
    y = usm.asarray(-x, sycl_queue=queue)
    np.testing.assert_allclose(usm.asnumpy(special.gammaln(y)), -np.log(x), rtol=1e-6)
    np.testing.assert_allclose(usm.asnumpy(special.digamma(y)), 1 / x, rtol=1e-6)


def test_signs_of_gamma(queue):
    x = usm.arange(-9.5, 0, dtype="f4", sycl_queue=queue)
    assert usm.sign(special.gamma(x)).tolist() == [1, -1] * 5
    far = usm.asarray([-60.5, -61.5], dtype="f4", sycl_queue=queue)  # it underflows
    assert usm.signbit(special.gamma(far)).tolist() == [True, False]


@pytest.mark.parametrize("name", ["erfinv", "ndtri", "logit"])
def test_inverses(name, char, queue):
    inner = {"erfinv": special.erf, "ndtri": special.ndtr, "logit": special.expit}[name]
    x = usm.linspace(-2, 2, 101, dtype=char, sycl_queue=queue)
    eps = float(np.finfo(char).eps)
    back = SPECIAL[name](inner(x))
    assert float(usm.max(usm.abs(usm.astype(back - x, "f4")))) < 200 * eps
    assert float(usm.max(usm.abs(usm.astype(back + usm.flip(back), "f4")))) < 400 * eps


# Layouts, types, errors


@pytest.mark.parametrize("name", ["erf", "gammaln"])
@given(recipe=recipes(dtype="f4"))
def test_layouts(name, recipe, queue):
    x, on_device = recipe.pair(queue)
    x, on_device = x / 32, on_device / 32
    found = usm.asnumpy(SPECIAL[name](on_device))
    compact = usm.asarray(np.ascontiguousarray(x), sycl_queue=queue)
    np.testing.assert_array_equal(found, usm.asnumpy(SPECIAL[name](compact)))
    assert found.shape == x.shape


@given(shape=hnp.array_shapes(max_dims=3, max_side=4), k=st.integers(0, 3))
def test_broadcasting(shape, k, queue):
    x = usm.asarray(np.random.default_rng(k).random(shape), dtype="f4", sycl_queue=queue)
    y = usm.asarray(np.random.default_rng(k + 1).random(shape[-1:]), dtype="f4", sycl_queue=queue)
    whole = usm.copy(usm.broadcast_to(y, shape))
    for name in PAIRS:
        function = SPECIAL[name]
        assert usm.all(function(x, y) == function(x, whole))
        assert usm.all(function(y, x) == function(whole, x))
        assert usm.all(function(x, 0.5) == function(x, usm.full_like(x, 0.5)))


@pytest.mark.parametrize("name", SPECIAL)
def test_types(name, queue):
    """Integers count as floats, as in other functions of floats."""
    function = SPECIAL[name]
    assert function.types == (
        ["ee->e", "ff->f", "dd->d"] if function.nin == 2 else ["e->e", "f->f", "d->d"]
    )
    for dtype in supported_dtypes():
        x = usm.ones(3, dtype=dtype, sycl_queue=queue)
        if dtype.kind == "c":
            with pytest.raises(TypeError, match=f"{name}: not defined for complex"):
                function(*[x] * function.nin)
        else:
            assert function(*[x] * function.nin).dtype == usm.cbrt(x).dtype
    x = usm.ones((), sycl_queue=queue)
    number = function(*[1.0] * function.nin)
    assert type(number) is np.float64 and number == float(function(*[x] * function.nin))
    with pytest.raises((TypeError, usm.ExecutionPlacementError), match=name):
        function(*[[1.0]] * function.nin)


def test_zero_size_and_0_d(queue):
    for function in SPECIAL.values():
        for shape in ((), (0,), (3, 0)):
            x = usm.ones(shape, dtype="f4", sycl_queue=queue)
            assert function(*[x] * function.nin).shape == shape


def test_out_and_read_only(queue):
    x = usm.asarray([0.25, 0.5, 0.75], dtype="f4", sycl_queue=queue)
    wanted = usm.asnumpy(special.erf(x))
    out = usm.zeros(6, dtype="f4", sycl_queue=queue)
    special.erf(x, out=out[::-2])
    assert usm.asnumpy(out)[::-2].tolist() == wanted.tolist()
    x.flags.writable = False
    with pytest.raises(ValueError, match="read-only"):
        special.erf(x, out=x)


def test_psi_is_digamma(queue):
    x = usm.asarray([0.5, 3, 20], dtype="f4", sycl_queue=queue)
    assert usm.all(special.psi(x) == special.digamma(x))


# Functions of axes


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2)])
def test_softmax(axis, queue):
    x = np.random.default_rng(0).normal(size=(3, 4, 5)).astype("f4") * 20
    y = usm.asarray(x, sycl_queue=queue)
    wanted = softmax(x.astype("f8"), axis)
    np.testing.assert_allclose(usm.asnumpy(special.softmax(y, axis)), wanted, rtol=1e-5)
    found = special.log_softmax(y, axis=axis)
    np.testing.assert_allclose(usm.asnumpy(found), np.log(wanted), rtol=1e-5, atol=1e-6)
    assert found.dtype == y.dtype
    for function in (special.softmax, special.log_softmax):
        assert function(y[:0], axis=1).shape == (0, 4, 5)
        assert function(usm.astype(y, "i4"), axis).dtype.kind == "f"


def test_softmax_of_infinities(queue):
    x = usm.asarray([[-np.inf, 0, 1], [-np.inf, -np.inf, 2]], dtype="f4", sycl_queue=queue)
    assert usm.asnumpy(special.softmax(x, axis=1))[1].tolist() == [0, 0, 1]
    assert usm.asnumpy(special.log_softmax(x, axis=1))[1].tolist() == [-np.inf, -np.inf, 0]


@pytest.mark.parametrize("keepdims", [True, False])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_logsumexp_with_factors(axis, keepdims, queue):
    random = np.random.default_rng(1)
    a, b = random.normal(size=(4, 5)) * 5, random.normal(size=(4, 5))
    b[0, 0] = 0
    x = usm.asarray(a, dtype="f4", sycl_queue=queue)
    total = (b * np.exp(a)).sum(axis=axis, keepdims=keepdims)
    log, sign = special.logsumexp(x, axis, b, keepdims, return_sign=True)
    np.testing.assert_allclose(usm.asnumpy(log), np.log(np.abs(total)), rtol=1e-3, atol=1e-4)
    np.testing.assert_array_equal(usm.asnumpy(sign), np.sign(total))
    alone = usm.asnumpy(special.logsumexp(x, axis=axis, b=b, keepdims=keepdims))
    np.testing.assert_array_equal(np.isnan(alone), total < 0)
    np.testing.assert_array_equal(alone[total > 0], usm.asnumpy(log)[total > 0])


def test_logsumexp_without_factors(queue):
    x = usm.asarray([[1000, 1000], [-np.inf, -np.inf]], dtype="f4", sycl_queue=queue)
    wanted = [np.float32(1000 + np.log(2)), -np.inf]
    assert usm.asnumpy(special.logsumexp(x, axis=1)).tolist() == wanted
    log, sign = special.logsumexp(x, axis=1, return_sign=True)
    assert usm.asnumpy(log).tolist() == wanted and sign.tolist() == [1, 0]
    zero = usm.asarray([1.0, np.inf], dtype="f4", sycl_queue=queue)
    assert float(special.logsumexp(zero, b=usm.asarray([1, 0], sycl_queue=queue))) == 1


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_errors_of_functions_of_axes(name, queue):
    function = getattr(special, name)
    with pytest.raises(TypeError, match=f"{name}: .* is of type list"):
        function([1.0, 2.0])
    with pytest.raises(TypeError, match=f"{name}: .* complex64; expected a real type"):
        function(usm.ones(3, dtype="c8", sycl_queue=queue))
    with pytest.raises(np.exceptions.AxisError):
        function(usm.ones(3, dtype="f4", sycl_queue=queue), axis=1)


# Documents


def test_documented_table():
    text = (Path(__file__).parents[1] / "docs" / "special.md").read_text(encoding="utf-8")
    rows = [row_of_the_table(name, SPECIAL) for name in SPECIAL]
    missing = [row for row in rows if row not in text.splitlines()]
    assert not missing, "rows for docs/special.md:\n" + "\n".join(missing)


def test_names_and_docstrings():
    assert {name for name in special.__all__ if hasattr(getattr(special, name), "nin")} == {
        *SPECIAL
    }
    assert not {*SPECIAL} & {*usm.__all__}
    for name, function in SPECIAL.items():
        assert f"Compatible with scipy.special.{name}." in function.__doc__
        assert "usm.special." + name in function.__doc__
    assert list(inspect.signature(special.logsumexp).parameters) == [
        *("a", "axis", "b", "keepdims", "return_sign"),
    ]
    with pytest.raises(AttributeError, match=r"module 'usmtensor' has no .*special\.erf"):
        _ = usm.erf
