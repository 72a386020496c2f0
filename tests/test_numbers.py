"""Functions of digits, exponents, divisors and bits, against NumPy; test_elementwise.py tests their
rows too."""

import numpy as np
import pytest
from checks import assert_same
from elementwise_oracle import FUNCTIONS, held, values
from strategies import skip_without

import usmtensor as usm


@pytest.mark.parametrize("name", ["frexp", "modf"])
@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "f2", "f4", "f8"])
def test_functions_of_two_results(name, dtype, queue):
    skip_without(queue.sycl_device, dtype)
    x = values(dtype) if np.dtype(dtype).kind == "f" else np.array([0, 1, 2, 3, 100, 127], dtype)
    with np.errstate(all="ignore"):
        wanted = getattr(np, name)(x)
    found = getattr(usm, name)(usm.asarray(x, sycl_queue=queue))
    for part, other in zip(found, wanted, strict=True):
        if other.dtype.kind == "f":
            assert_same(part, other.astype(held(other.dtype)))
        else:
            assert_same(part, np.where(np.isfinite(x), other, 0).astype("i4"))


@pytest.mark.parametrize("name", ["frexp", "modf"])
def test_errors_of_functions_of_two_results(name, queue):
    function = getattr(usm, name)
    with pytest.raises(TypeError, match=f"{name}: x is of type list"):
        function([1.0])
    with pytest.raises(TypeError, match=f"{name}: not defined for complex64"):
        function(usm.ones(3, dtype="c8", sycl_queue=queue))


TWO_RESULTS = {"divmod": 2, "frexp": 1, "modf": 1}  # and the number of operands


@pytest.mark.parametrize("name", TWO_RESULTS)
def test_outputs_of_functions_of_two_results(name, queue):
    host = np.array([[7.5, -2, 0], [3, 1, 9]], "f4")[:, :3:1]
    count = TWO_RESULTS[name]
    x, y = (usm.asarray(one, sycl_queue=queue) for one in (host, host + 1))
    operands = (x, y)[:count]
    wanted = getattr(np, name)(*(host, host + 1)[:count])
    function = getattr(usm, name)

    def check(found, *outs):
        for one, other, out in zip(found, wanted, outs, strict=True):
            assert_same(one, other)
            assert out is None or one is out

    def new():
        return tuple(usm.empty(one.shape, dtype=one.dtype, sycl_queue=queue) for one in wanted)

    first, second = new()
    check(function(*operands, out=(first, second)), first, second)
    first, second = new()
    check(function(*operands, first, second), first, second)
    check(function(*operands, first), first, None)
    check(function(*operands, out=(None, second)), None, second)
    check(getattr(np, name)(*operands, out=(first, None)), first, None)
    check(function(*operands, out=(x, second)), x, second)  # the operand is also an output
    x[...] = host
    if name != "frexp":
        check(function(*operands, out=(first, x)), first, x)


@pytest.mark.parametrize("name", TWO_RESULTS)
def test_bad_outputs_of_functions_of_two_results(name, queue):
    function = getattr(usm, name)
    x, good = (usm.ones(3, dtype="f4", sycl_queue=queue) for _ in range(2))
    short = usm.ones(2, dtype="f4", sycl_queue=queue)
    operands = (x, x)[: TWO_RESULTS[name]]
    for error, match, outs, keywords in (
        (ValueError, r"out has shape \(2,\); expected \(3,\)", (short, None), {}),
        (ValueError, r"out has shape \(2,\); expected \(3,\)", (good, short), {}),
        (TypeError, "out has data type", (good, usm.ones(3, dtype="u1", sycl_queue=queue)), {}),
        (ValueError, r"len\(out\) is 3; expected 2", (None, None, None), {}),
        (ValueError, r"len\(out\) is 1; expected 2", (), {"out": (good,)}),
        (TypeError, "out is of type usm_ndarray; expected a tuple of two", (), {"out": good}),
        (TypeError, "by position and by keyword", (good,), {"out": (good, good)}),
        (TypeError, "out is of type ndarray", (good, np.ones(3, "f4")), {}),
    ):
        with pytest.raises(error, match=f"{name}: .*{match}"):
            function(*operands, *outs, **keywords)
        assert good.tolist() == [1, 1, 1]


def test_divmod_function(queue):
    x = np.array([7, -7, 5, 0], "i4")
    found = usm.divmod(usm.asarray(x, sycl_queue=queue), 3)
    for part, wanted in zip(found, divmod(x, 3), strict=True):
        assert_same(part, wanted)
    with pytest.raises(TypeError, match="floor_divide: not defined for complex64"):
        usm.divmod(usm.ones(3, dtype="c8", sycl_queue=queue), 2)


@pytest.mark.parametrize("dtype", ["i1", "i4", "f2", "f4", "f8"])
@pytest.mark.parametrize("exponent", [3, -2, 0, True, np.int8(2), np.int32(-1)], ids=repr)
def test_integer_exponents_do_not_take_the_type_of_the_fraction(dtype, exponent, queue):
    skip_without(queue.sycl_device, dtype)
    x = np.array([0, 1, 3, -5], dtype)
    wanted = np.ldexp(x, exponent)
    found = usm.ldexp(usm.asarray(x, sycl_queue=queue), exponent)
    assert found.dtype == held(wanted.dtype)
    np.testing.assert_array_equal(usm.asnumpy(found), wanted)


def test_exponents_are_integers(queue):
    x = usm.ones(3, dtype="f4", sycl_queue=queue)
    for exponent in (1.5, x, usm.ones(3, dtype="u8", sycl_queue=queue)):
        with pytest.raises(TypeError, match="ldexp: not defined for"):
            usm.ldexp(x, exponent)
    with pytest.raises(OverflowError, match="ldexp"):
        usm.ldexp(x, 2**70)
    assert usm.ldexp(2.0, usm.asarray([1, -1], sycl_queue=queue)).tolist() == [4, 1]


@pytest.mark.parametrize("char", "fd")
def test_ldexp_rounds_once(char, queue):
    skip_without(queue.sycl_device, char)
    info = np.finfo(char)
    random = np.random.default_rng(0)
    x = (
        random.uniform(1, 2, 500).astype(char)
        * np.array([info.max / 2, 1, info.tiny], char)[:, None]
    )
    n = random.integers(-2 * info.maxexp - 60, 2 * info.maxexp + 60, x.shape)
    for exponents in (n, random.integers(info.minexp - info.nmant - 2, info.minexp + 3, x.shape)):
        found = usm.ldexp(
            usm.asarray(x, sycl_queue=queue), usm.asarray(exponents, sycl_queue=queue)
        )
        with np.errstate(all="ignore"):
            assert_same(found, np.ldexp(x, exponents))


@pytest.mark.parametrize("name, kinds", [("gcd", "?fF"), ("lcm", "?fF"), ("bitwise_count", "fF")])
def test_functions_of_integers_refuse_others(name, kinds, queue):
    function = FUNCTIONS[name]
    for char in kinds:
        x = usm.ones(3, dtype=char, sycl_queue=queue)
        with pytest.raises(TypeError, match=f"{name}: not defined for"):
            function(*[x] * function.nin)


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "i4", "u4", "i8", "u8"])
def test_divisors_and_multiples(dtype, queue):
    info = np.iinfo(dtype)
    random = np.random.default_rng(0)
    x, y = random.integers(info.min, info.max, (2, 300), dtype, endpoint=True)
    x[:100] //= 7
    y[100:200] = x[100:200] // 3
    for name in ("gcd", "lcm"):
        found = FUNCTIONS[name](*(usm.asarray(one, sycl_queue=queue) for one in (x, y)))
        assert_same(found, getattr(np, name)(x, y))
    assert_same(usm.bitwise_count(usm.asarray(x, sycl_queue=queue)), np.bitwise_count(x))


def test_float_power_computes_in_double_precision(queue):
    skip_without(queue.sycl_device, "d")
    for dtype in ("?", "i4", "f2", "f4", "f8"):
        x = usm.asarray([1, 2, 3], sycl_queue=queue).astype(dtype)
        found = usm.asnumpy(usm.float_power(x, -1))
        wanted = np.float_power(usm.asnumpy(x), -1)
        np.testing.assert_allclose(found, wanted, rtol=4e-16, strict=True)
    z = usm.asarray([1 + 1j], dtype="c8", sycl_queue=queue)
    assert usm.float_power(z, 2).dtype == np.complex128
