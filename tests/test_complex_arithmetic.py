"""Complex arithmetic by its formulas, bit by bit: no device may fuse two roundings into one."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from strategies import supported_dtypes

import usmtensor as usm

pytestmark = pytest.mark.usefixtures("loops")


@pytest.fixture(params=["c8", "c16"])
def operands(request):
    if np.dtype(request.param) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    generator = np.random.default_rng(0)
    x, y = np.empty((2, 100_000), request.param)
    for part in (x.real, x.imag, y.real, y.imag):
        part[...] = generator.normal(size=x.size)
    return x, y


def from_parts(real, imag):
    z = np.empty(real.shape, np.result_type(real, np.complex64))
    z.real, z.imag = real, imag
    return z


def product(x, y):
    """A product of parts: NumPy fuses complex products if the processor can."""
    return from_parts(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real)


def quotient(x, y):
    """A quotient by the ratio of the divisor's smaller part to its larger part."""
    by_real = abs(y.real) >= abs(y.imag)
    larger, smaller = np.where(by_real, (y.real, y.imag), (y.imag, y.real))
    ratio = smaller / larger
    scale = 1 / (larger + smaller * ratio)
    if_real = from_parts((x.real + x.imag * ratio) * scale, (x.imag - x.real * ratio) * scale)
    if_imag = from_parts((x.real * ratio + x.imag) * scale, (x.imag * ratio - x.real) * scale)
    return np.where(by_real, if_real, if_imag)


def power(x, n):
    """A power by squares."""
    result, base = from_parts(np.ones_like(x.real), np.zeros_like(x.real)), x
    while n:
        if n & 1:
            result = product(result, base)
        base, n = product(base, base), n >> 1
    return result


def assert_bits(result, expected):
    host = usm.asnumpy(result)
    assert host.dtype == expected.dtype
    np.testing.assert_array_equal(host.view("u1"), np.ascontiguousarray(expected).view("u1"))


def test_arrays(operands, queue):
    a, b = operands
    x, y = usm.asarray(a, sycl_queue=queue), usm.asarray(b, sycl_queue=queue)
    assert_bits(x * y, product(a, b))
    assert_bits(x[::3] * y[::-3], product(a[::3], b[::-3]))
    assert_bits(usm.square(x), product(a, a))
    assert_bits(x / y, quotient(a, b))
    assert_bits(usm.reciprocal(y), quotient(np.ones_like(b), b))
    x *= y
    assert_bits(x, product(a, b))


@pytest.mark.parametrize("number", [0.3 - 1.7j, -2.1, 3])
def test_numbers(operands, number, queue):
    a, _ = operands
    x, b = usm.asarray(a, sycl_queue=queue), np.full_like(a, number)
    assert_bits(x * number, product(a, b))
    assert_bits(number * x, product(b, a))
    assert_bits(x / number, quotient(a, b))
    assert_bits(number / x, quotient(b, a))
    x[::2] *= number
    a[::2] = product(a, b)[::2]
    assert_bits(x, a)
    x /= number
    assert_bits(x, quotient(a, b))


@pytest.mark.parametrize("n", [2, 3, 7, 11])
def test_integer_powers(operands, n, queue):
    a, _ = operands
    x = usm.asarray(a, sycl_queue=queue)
    assert_bits(x**n, power(a, n))
    assert_bits(x**-n, quotient(np.ones_like(a), power(a, n)))


@pytest.mark.parametrize("dtype", ["c8", "c16"])
def test_logarithms_and_signs_at_the_ends_of_the_range(dtype, queue):
    if np.dtype(dtype) not in supported_dtypes():
        pytest.skip("the device lacks the type")
    limits = np.finfo(dtype)
    least = float(limits.smallest_subnormal)
    parts = [least, 5 * least, float(limits.tiny), 0.5 * float(limits.max), float(limits.max)]
    host = np.array([complex(x, sign * x) for x in parts for sign in (1, -1)], dtype)
    x = usm.asarray(host, sycl_queue=queue)
    logs, signs = usm.asnumpy(usm.log(x)), usm.asnumpy(usm.sign(x))
    wanted = np.log(host.real.astype("g")) + np.log(np.longdouble(2)) / 2
    if float(usm.abs(x)[0]) == 0:  # the device takes the least numbers for 0
        host, logs, signs, wanted = host[4:], logs[4:], signs[4:], wanted[4:]
    np.testing.assert_allclose(logs.real, wanted.astype(logs.real.dtype), rtol=4 * limits.eps)
    np.testing.assert_allclose(np.abs(signs.astype("c16")), 1, rtol=4 * limits.eps)
    np.testing.assert_allclose(signs.imag, signs.real * np.sign(host.imag), rtol=4 * limits.eps)


def near_the_unit_circle(dtype, rng):
    """Numbers at all angles, whose absolute values are 1 up to rounding, or farther away."""
    real = dtype.type(0).real.dtype
    angle = rng.uniform(0, 2 * np.pi, 300)
    away = np.r_[np.zeros(100), 2.0 ** -rng.uniform(1, 60, 100), rng.uniform(-0.7, 2, 100)]
    x = (np.cos(angle) * (1 + away)).astype(real)
    y = np.sqrt(np.maximum((1 + away) ** 2 - x.astype("f8") ** 2, 0)).astype(real)
    given = [0.6 + 0.8j, 0.7 + 0.71414286j, 0.7 + 0.714142842854285j, 1, 1j, -1, 1 + 1e-30j]
    return np.concatenate([from_parts(x, y), np.array(given, dtype)])


def exact_logarithm(x, y, base):
    """log|x + iy|, of Decimals."""
    return (x * x + y * y).ln() / 2 / (Decimal(base).ln() if base else 1)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize(("name", "base"), [("log", 0), ("log2", 2), ("log10", 10), ("log1p", 0)])
def test_logarithms_near_the_unit_circle(dtype, name, base, queue):
    """Both parts lie within 4 units in the last place."""
    dtype = np.dtype(dtype)
    if dtype not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    rng = np.random.default_rng(7)
    z = near_the_unit_circle(dtype, rng)
    if name == "log1p":  # of z - 1, and of small numbers near the circle around -1
        y = 2.0 ** -rng.uniform(1, 40, 200)
        x = -y * y / 2 * (1 + 2.0 ** -rng.uniform(1, 60, 200))
        near = np.array([-1e-9 + 4.4721359e-5j, 1e-18 + 1e-18j, 1e-10j], dtype)
        z = np.concatenate([z - dtype.type(1), from_parts(x, y).astype(dtype), near])
    result = usm.asnumpy(getattr(usm, name)(usm.asarray(z, sycl_queue=queue)))
    assert result.dtype == dtype
    with localcontext(prec=100, Emin=-(10**6)):
        for number, value in zip(z.tolist(), result, strict=True):
            x, y = Decimal(number.real), Decimal(number.imag)
            exact = exact_logarithm(x + (name == "log1p"), y, base)
            unit = np.spacing(np.abs(value.real.dtype.type(exact)))
            assert abs(Decimal(float(value.real)) - exact) <= 4 * Decimal(float(unit)), number
    angle = np.arctan2(z.imag.astype("g"), z.real.astype("g") + (name == "log1p"))
    angle = angle / np.log(np.longdouble(base)) if base else angle
    unit = np.spacing(np.abs(angle).astype(result.real.dtype))
    assert np.all(np.abs(result.imag - angle) <= 4 * unit)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("real", [0.0, -0.0])
def test_the_sign_of_a_nan_decides_nothing(dtype, real):
    if np.dtype(dtype) not in supported_dtypes():
        pytest.skip("the device lacks the aspect fp64")
    z = np.empty(2, dtype)
    z.real, z.imag = real, [np.nan, -np.nan]
    result = usm.asnumpy(usm.acosh(usm.asarray(z)))
    assert np.isnan(result.real).all()
    np.testing.assert_array_equal(result.imag, np.full(2, np.pi / 2, result.imag.dtype))
