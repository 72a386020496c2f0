"""Expected results of elementwise functions: NumPy's results for equal values."""

import numpy as np
from strategies import supported_dtypes

import usmtensor as usm


def functions_of(module):
    return {
        name: function
        for name in module.__all__
        if isinstance(
            function := getattr(module, name), usm.UnaryElementwiseFunc | usm.BinaryElementwiseFunc
        )
        and function.__name__ == name  # not an alias
    }


FUNCTIONS, SPECIAL = functions_of(usm), functions_of(usm.special)
UNARY = [name for name, function in FUNCTIONS.items() if function.nin == 1]
BINARY = [name for name, function in FUNCTIONS.items() if function.nin == 2]

# Functions with results that are exact or rounded once.
EXACT = {
    *("add", "subtract", "multiply", "divide", "negative", "positive", "abs", "square"),
    *("reciprocal", "sign", "copysign", "nextafter", "maximum", "minimum", "sqrt", "real", "imag"),
    *("conj", "floor", "ceil", "trunc", "round", "floor_divide", "remainder", "fmod", "fmax"),
    *("fmin", "heaviside", "spacing", "ldexp"),
}
# Zeros whose sign the standard defines and NumPy does not follow: tanh(inf + yj), expm1(-0 + 0j).
OTHER_ZEROS = {"tanh", "tan", "expm1"}
EITHER_ZERO = {"maximum", "minimum", "fmax", "fmin", "sinc"}
ULPS = 4  # for the others, compared with the result in a wider type

WIDER = {"f2": np.float64, "f4": np.float64, "f8": np.longdouble, "c8": np.complex128}


def held(dtype):
    """The device's type for a type of NumPy's results."""
    dtype = np.dtype(dtype)
    if dtype in supported_dtypes():
        return dtype
    return np.dtype(np.complex64 if dtype.kind == "c" else np.float32)


def complex_power(x, y):
    """Small integer powers are products, others exp(y log x). If a factor is not finite, a plain
    product gives the parts: C, and so NumPy, would make infinities of some NaN."""
    log, wanted = np.log(x), np.power(x, y)
    product = np.empty_like(log)
    product.real = log.real * y.real - log.imag * y.imag
    product.imag = log.real * y.imag + log.imag * y.real
    plain = ~(np.isfinite(x) & np.isfinite(y)) & (x != 0)
    wanted[plain] = np.exp(product)[plain]
    result, base = x.copy(), x.copy()
    whole = (y.imag == 0) & (np.abs(y.real) < 100) & (y.real == np.trunc(y.real)) & (y != 0)
    exponent = np.where(whole, np.abs(y.real), 1).astype(int) - 1
    while exponent.any():
        result = np.where(exponent & 1, result * base, result)
        base, exponent = base * base, exponent >> 1
    result = np.where(y.real < 0, 1 / result, result)
    inexact = whole & (x != 0)
    wanted[inexact] = result[inexact]
    wanted[x == 0] = np.where(y[x == 0].real > 0, 0, complex(np.nan, np.nan))
    wanted[y == 0] = 1
    return wanted


def complex_expm1(z):
    """At infinities and NaN, NumPy's expm1 differs from the standard, but its exp does not."""
    return (
        np.where(np.isfinite(z), np.expm1(z), np.exp(z) - 1) if z.dtype.kind == "c" else np.expm1(z)
    )


def power(x, y):
    """NumPy refuses negative powers of integers. Truncated, only powers of 1 and -1 are not 0."""
    if np.result_type(x, y).kind == "c":
        return complex_power(x, y)
    if np.result_type(x, y).kind != "i":
        return np.power(x, y)
    positive = np.power(x, np.maximum(y, 0))
    whole = np.where(x == 1, 1, np.where(x == -1, np.where(y % 2 == 0, 1, -1), 0))
    return np.where(y < 0, whole, positive).astype(positive.dtype)


def floored_quotient(x, y):
    """For infinite operands the array API requires the quotient itself."""
    result = np.floor_divide(x, y)
    if result.dtype.kind == "f":
        infinite = np.isinf(x) | np.isinf(y)
        result[infinite] = (x / y)[infinite]
    return result


def projection(z):
    infinite = np.isinf(z.real) | np.isinf(z.imag)
    result = np.where(infinite, z.dtype.type(complex(np.inf, 0)), z)
    result.imag = np.where(infinite, np.copysign(0, z.imag), z.imag)
    return result


def sinc(x):
    """Zeros are exact, and x is not rounded by a product with pi."""
    whole = np.rint(x)
    sine = np.sin(x.dtype.type(np.pi) * (x - whole)) * np.where(whole % 2 == 0, 1, -1)
    return np.where(x == 0, 1, sine / (x.dtype.type(np.pi) * x))


def spacing(x):
    """NumPy's result for half precision has no sign, and is finite for the largest number."""
    if x.dtype != np.float16:
        return np.spacing(x)
    return np.where(
        x == 0, np.float16(6e-8), np.nextafter(x, np.copysign(np.float16(np.inf), x)) - x
    )


OTHERWISE = {
    "expm1": complex_expm1,
    "float_power": power,
    "floor_divide": floored_quotient,
    "pow": power,
    "proj": projection,
    "reciprocal": lambda x: x.dtype.type(1) / x,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sinc": sinc,
    "spacing": spacing,
}


def expected(name, *operands, dtype):
    """The result in `dtype`, computed in the most accurate type."""
    function = OTHERWISE.get(name) or getattr(np, name)
    types = {operand.dtype.str[1:] for operand in operands}
    with np.errstate(all="ignore"):
        if name not in EXACT and len(types) == 1 and types <= WIDER.keys():
            wide = WIDER[types.pop()]
            operands = [operand.astype(wide) for operand in operands]
        return np.asarray(function(*operands)).astype(dtype)


def distance(x, y):
    """The difference of two finite results, in units in the last place of `y`."""
    with np.errstate(over="ignore"):
        unit = np.spacing(np.minimum(np.abs(y), np.finfo(y.dtype).max / 2)).astype(np.longdouble)
    return np.abs(x.astype(np.longdouble) - y.astype(np.longdouble)) / unit


def assert_close(x, y, ulps, signed_zeros=True):
    """Equal NaN, infinities, signs of zeros; finite numbers within some units."""
    np.testing.assert_array_equal(np.isnan(x), np.isnan(y))
    finite = np.isfinite(y) & np.isfinite(x)
    np.testing.assert_array_equal(x[~finite], y[~finite])
    assert np.all(distance(x[finite], y[finite]) <= ulps)
    zeros = (y == 0) & (x == 0)
    if signed_zeros:
        np.testing.assert_array_equal(np.signbit(x[zeros]), np.signbit(y[zeros]))


def assert_close_complex(x, y, ulps, signed_zeros=True):
    """Infinite and NaN parts agree, and finite numbers are close in the complex plane. Signs agree,
    except beside a NaN, where no standard defines one."""
    for part, other in (("real", "imag"), ("imag", "real")):
        a, b = getattr(x, part), getattr(y, part)
        np.testing.assert_array_equal(np.isnan(a), np.isnan(b))
        np.testing.assert_array_equal(np.isinf(a), np.isinf(b))
        signed = np.isinf(b) | ((a == 0) & (b == 0) & signed_zeros)
        signed &= ~np.isnan(getattr(y, other))
        np.testing.assert_array_equal(np.signbit(a[signed]), np.signbit(b[signed]))
    finite = np.isfinite(x) & np.isfinite(y)
    with np.errstate(all="ignore"):
        gap = np.abs(x[finite].astype(np.clongdouble) - y[finite])
        assert np.all(
            gap <= ulps * np.finfo(x.dtype).eps * np.abs(y[finite].astype(np.clongdouble))
        )


def check(name, result, *operands):
    """Compares a result with the oracle's."""
    host = usm.asnumpy(result)
    wanted = expected(name, *operands, dtype=host.dtype)
    assert host.shape == wanted.shape
    signed_zeros = name not in OTHER_ZEROS
    if result.sycl_queue.backend == usm.backend_type.cuda:  # limits that docs/devices.md names
        signed_zeros &= name != "pow"
        if host.dtype.kind == "c":
            signed_zeros &= ~np.any([np.isnan(x) for x in operands], axis=0)
        if name == "hypot":
            host = np.where((wanted > np.finfo(wanted.dtype).max / 2) & (host > 0), wanted, host)
    if name in ("logaddexp", "logaddexp2"):  # relative to the larger operand
        scale = np.maximum(np.abs(operands[0]), np.abs(operands[1]))
        with np.errstate(all="ignore"):
            tolerance = 4 * np.finfo(host.dtype).eps * np.maximum(scale, 1)
            near = (host == wanted) | (np.abs(host - wanted) <= tolerance)
        assert np.all(near | (np.isnan(host) & np.isnan(wanted)))
    elif host.dtype.kind == "f":
        exact = name in EXACT and not (name == "abs" and operands[0].dtype.kind == "c")
        assert_close(host, wanted, 0 if exact else ULPS, name not in EITHER_ZERO)
    elif host.dtype.kind == "c":
        ulps = 100 if name in ("pow", "float_power") else ULPS
        assert_close_complex(host, wanted, ulps, signed_zeros)
    else:
        np.testing.assert_array_equal(host, wanted)


def values(dtype):
    """Elements at which functions change their formulas, and some between."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        special = [info.min, info.min + 1, info.max // 2, info.max - 1, info.max]
        small = range(-9 if dtype.kind == "i" else 0, 10)
        return np.array([*special, *small, 31, 32, 63, 64, 100], dtype)
    info = np.finfo(np.float32 if dtype.kind == "c" else dtype)
    reals = [0, 1, 0.5, 1.5, 2, 2.5, 3, 0.1, 1e-4, 10, 100, 1.1, np.pi / 2, 0.7, 0.999]
    reals += [np.inf, float(info.tiny), float(info.smallest_subnormal), float(info.max)]
    generator = np.random.default_rng(0)
    reals += list(np.exp(generator.normal(size=20) * 3))
    with np.errstate(over="ignore"):
        reals = np.array([*reals, *(-x for x in reals), np.nan], dtype)
    if dtype.kind == "f":
        return reals
    parts = np.array([0.0, -0.0, 1, -1, 0.5, 3, np.inf, -np.inf, np.nan])
    grid = np.empty((len(parts), len(parts)), dtype)
    grid.real, grid.imag = parts[:, np.newaxis], parts
    return grid.ravel()
