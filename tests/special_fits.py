"""Write kernels/special_fits.hpp: polynomials for kernels/special.hpp, computed with mpmath.

special_fits.py HEADER

The build does not run this script. Each polynomial interpolates its function at the zeros of a
Chebyshev polynomial. It has the fewest terms for which the relative error is below an eighth of a
unit in the last place.
"""

import sys
from pathlib import Path

import mpmath
import numpy
from mpmath import mpf

MAX_TERMS = 48
DIGITS = 50
TYPES = {"float32": (numpy.float32, mpf(2) ** -27), "float64": (numpy.float64, mpf(2) ** -56)}

HEAD = """// Written by tests/special_fits.py. Polynomials that approximate parts of special
// functions: the coefficients, in the order of the powers, of the difference to a centre.
#pragma once
#include "kernel.hpp"

namespace usmtensor {

// clang-format off
"""


def erfcx_part(t):
    """(1 + 2x) exp(x²) erfc(x), for t = (x - 3) / (x + 3)."""
    x = 3 * (1 + t) / (1 - t)
    if x < 1000:
        return (1 + 2 * x) * mpmath.exp(x * x) * mpmath.erfc(x)
    series = mpmath.fsum(  # asymptotic
        (-1) ** k * mpmath.fac2(2 * k - 1) / (2 * x * x) ** k for k in range(1, 8)
    )
    return (2 + 1 / x) / mpmath.sqrt(mpmath.pi) * (1 + series)


def inverse_erf(w):
    """erfinv(x) / x for w = -log(1 - x²)."""
    if w == 0:
        return mpmath.sqrt(mpmath.pi) / 2
    x = mpmath.sqrt(-mpmath.expm1(-w))
    if w < 20:
        return mpmath.erfinv(x) / x
    log_erfc = mpmath.log(-mpmath.expm1(mpmath.log1p(-mpmath.exp(-w)) / 2))
    y, step = mpmath.sqrt(w), 1
    while abs(step) > mpf(10) ** (5 - DIGITS):
        erfc = mpmath.erfc(y)
        step = (mpmath.log(erfc) - log_erfc) * erfc * mpmath.exp(y * y) * mpmath.sqrt(mpmath.pi) / 2
        y += step
    return y / x


def inverse_erf_tail(v):
    """erfinv(x) / (x s) for v = 1 / s, s² = -log(1 - x²)."""
    return inverse_erf(1 / v**2) * v


def stirling_part(square):
    """The correction to Stirling's formula for log gamma(x), times x, for 1 / x²."""
    if square < mpf("1e-6"):
        return mpf(1) / 12 - square / 360 + square**2 / 1260 - square**3 / 1680
    x = 1 / mpmath.sqrt(square)
    rest = mpmath.loggamma(x) - (x - 0.5) * mpmath.log(x) + x - mpmath.log(2 * mpmath.pi) / 2
    return rest * x


def digamma_part(square):
    """(log x - 1 / 2x - digamma(x)) x², for 1 / x²."""
    if square < mpf("1e-6"):
        return mpf(1) / 12 - square / 120 + square**2 / 252 - square**3 / 240
    x = 1 / mpmath.sqrt(square)
    return (mpmath.log(x) - 1 / (2 * x) - mpmath.digamma(x)) * x * x


def bessel_tail(order):
    """sqrt(x) exp(-x) I(x) for u = 1 / x."""

    def function(u):
        if u < mpf("1e-6"):
            square = 4 * order**2
            series = 1 - (square - 1) * u / 8 + (square - 1) * (square - 9) * u**2 / 128
            return series / mpmath.sqrt(2 * mpmath.pi)
        return mpmath.exp(-1 / u) * mpmath.besseli(order, 1 / u) / mpmath.sqrt(u)

    return function


def in_square(odd, first):
    """odd(x) / x as a function of x², where `first` is its value at 0."""
    return lambda s: odd(mpmath.sqrt(s)) / mpmath.sqrt(s) if s > mpf("1e-40") else mpf(first)


def atanh_part(s):
    """(atanh(f) / f - 1) / f², for s = f²."""
    f = mpmath.sqrt(s)
    return (mpmath.atanh(f) / f - 1) / s if s > mpf("1e-20") else mpf(1) / 3


def exp_part(r):
    """(exp(r) - 1 - r) / r²."""
    return (mpmath.exp(r) - 1 - r) / r**2 if abs(r) > mpf("1e-20") else mpf(1) / 2


def fits():
    """Yield for each polynomial its name, function, interval, centre, and types."""
    half = mpf(1) / 2
    max_square = (mpmath.sqrt(2) - 1) ** 4
    root = mpmath.findroot(mpmath.digamma, 1.46)
    yield "exp", exp_part, -0.35, 0.35, 0
    yield "atanh", atanh_part, 0, max_square * 1.001, 0
    yield "sinpi", in_square(lambda x: mpmath.sin(mpmath.pi * x), mpmath.pi), 0, 0.25, 0
    yield "erf", in_square(mpmath.erf, 2 / mpmath.sqrt(mpmath.pi)), 0, 1, 0
    yield "erfcx", erfcx_part, -1, 1, 0
    yield "inverse_erf", inverse_erf, 0, 5, 2.5
    tails = {"float32": [(2.23, 10.5)], "float64": [(2.23, 4), (4, 7.5), (7.5, 27.4)]}
    for name, parts in tails.items():
        for k, (low, high) in enumerate(parts, 1):
            a, b = 1 / mpf(high), 1 / mpf(low)
            yield f"inverse_erf_tail{k}", inverse_erf_tail, a, b, numpy.float32((a + b) / 2), name
    yield "gamma", lambda d: mpmath.gamma(2 + d), -half, half, 0
    yield (
        *("log_gamma", lambda d: mpmath.loggamma(2 + d) / d if d else 1 - mpmath.euler),
        *(-half, half, 0),
    )
    yield "stirling", stirling_part, 0, mpf(1) / 64, 0
    yield "digamma", lambda x: mpmath.digamma(x) / (x - root), 1, 2, 1.5
    yield "digamma_tail", digamma_part, 0, mpf(1) / 64, 0
    yield "bessel0", lambda s: mpmath.besseli(0, mpmath.sqrt(s)), 0, 64, 0
    yield "bessel1", in_square(lambda x: mpmath.besseli(1, x), half), 0, 64, 0
    yield "bessel0_tail", bessel_tail(0), 0, 0.125, 0.0625
    yield "bessel1_tail", bessel_tail(1), 0, 0.125, 0.0625


def chebyshev(function, low, high):
    """The Chebyshev coefficients on an interval, and the smallest absolute value there."""
    angles = [mpmath.pi * (2 * k + 1) / (2 * MAX_TERMS) for k in range(MAX_TERMS)]
    middle, half = (mpf(low) + high) / 2, (mpf(high) - low) / 2
    values = [function(middle + half * mpmath.cos(angle)) for angle in angles]
    sums = [
        mpmath.fsum(v * mpmath.cos(j * a) for v, a in zip(values, angles, strict=True))
        for j in range(MAX_TERMS)
    ]
    coefficients = [2 * total / MAX_TERMS for total in sums]
    coefficients[0] /= 2
    return coefficients, min(map(abs, values))


def powers(coefficients, low, high, centre):
    """The same polynomial in powers of the difference to the centre."""
    half = (mpf(high) - low) / 2
    slope, shift = 1 / half, (centre - (mpf(low) + high) / 2) / half

    def times_t(p):
        moved = [0, *(slope * x for x in p)]
        return [a + shift * b for a, b in zip(moved, [*p, 0], strict=True)]

    total, before, last = [mpf(0)] * len(coefficients), [mpf(0)], [mpf(1)]
    for k, factor in enumerate(coefficients):
        for power, x in enumerate(last):
            total[power] += factor * x
        doubled = times_t(last) if k == 0 else [2 * x for x in times_t(last)]
        padded = [*before, *[mpf(0)] * (len(doubled) - len(before))]
        before, last = last, [a - (b if k else 0) for a, b in zip(doubled, padded, strict=True)]
    return total


def polynomial(function, low, high, centre, tolerance):
    coefficients, least = chebyshev(function, low, high)
    count = next(k for k in range(MAX_TERMS) if sum(map(abs, coefficients[k:])) < tolerance * least)
    return powers(coefficients[:count], low, high, centre)


def constant(x, cls):
    """An exact C++ literal."""
    return float(cls(mpmath.nstr(x, 40))).hex() + ("f" if cls is numpy.float32 else "")


def definition(name, terms, cls, code):
    text, line = f"template <> inline constexpr {code} {name}<{code}>[] = {{\n", "   "
    for x in terms:
        word = f" {constant(x, cls)},"
        if len(line + word) > 100:
            text, line = f"{text}{line}\n", "   "
        line += word
    return f"{text}{line}\n}};\n"


def in_two_parts(x, cls):
    high = mpf(float(cls(mpmath.nstr(x, 40))))
    return [high, x - high]


def main(header):
    mpmath.mp.dps = DIGITS
    text, known = HEAD, set()
    root = mpmath.findroot(mpmath.digamma, 1.46)
    text += "template <class T> inline constexpr T digamma_root[] = {0};\n"
    for code, (cls, _) in TYPES.items():
        text += definition("digamma_root", in_two_parts(root, cls), cls, code)
    for name, function, low, high, centre, *only in fits():
        if name not in known:
            text += f"template <class T> inline constexpr T {name}_fit[] = {{0}};\n"
            if centre or only:
                text += f"template <class T> inline constexpr T {name}_centre = 0;\n"
            known.add(name)
        for code, (cls, tolerance) in TYPES.items():
            if code in (only or TYPES):
                terms = polynomial(function, low, high, centre, tolerance)
                print(name, code, len(terms), flush=True)
                text += definition(f"{name}_fit", terms, cls, code)
                if centre:
                    value = constant(mpf(float(centre)), cls)
                    text += (
                        f"template <> inline constexpr {code} {name}_centre<{code}> = {value};\n"
                    )
    Path(header).write_text(f"{text}// clang-format on\n\n}} // namespace usmtensor\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
