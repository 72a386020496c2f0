"""The docstrings and signatures of the elementwise functions, made from rows of the table."""

import inspect
import re

_HEAD = "{name}({parameters}, out=None, order='K', *, where=True, dtype=None, casting=None)"
_DOCSTRING = """

{summary}

Parameters
----------
{operands}
out : usm_ndarray, optional
    An array for the result. It has the result's shape, and may overlap the inputs.
order : {{"K", "C", "F", "A"}}
    Memory order of a new result: "K" keeps the order of the inputs, "A" is F order if all inputs
    have it, otherwise C order.
where : usm_ndarray or numpy.ndarray, optional
    A mask of the elements that are set; the others of `out` stay, and those of a new result mean
    nothing.
dtype : data type, optional
    The type of the operands that are arrays, to which they are converted, and of the result.
casting : {{"no", "equiv", "safe", "same_kind", "unsafe"}}, optional
    Which conversions to `dtype`, and to the type of `out`, are allowed. Default: those of the same
    kind.

Returns
-------
usm_ndarray

Raises
------
TypeError
    If an operand is {not_an_operand}, or is of a data type that the function is not defined for,
    or `casting` does not allow a conversion.
ValueError
    If {shapes}`out` has another shape or is read-only, or `order` or `casting` is unknown.
ExecutionPlacementError
    If {places}the arrays are on different devices or in different contexts.

Notes
-----
{notes}Data types: {types}.
{source}

Examples
--------
>>> import usmtensor as usm
{example}"""

_ONE = "x : usm_ndarray\n    The operand."
_TWO = """x1, x2 : usm_ndarray, numpy.ndarray or number
    Operands whose shapes broadcast. At least one is a usm_ndarray. A Python scalar takes the data
    type of the other operand if that type is of the scalar's kind or above."""


# Functions of one array whose two parameters NumPy names: both names, the default and the docstring
# of the second.
SECOND = {
    "angle": ("deg", False, "deg : bool\n    If True, the angles are in degrees."),
    "round": (
        "decimals",
        0,
        "decimals : int\n    The number of digits after the decimal point. A negative number "
        "rounds to tens, hundreds and so on.",
    ),
}
# The operands that are also keywords, because the functions of NumPy and SciPy are not ufuncs.
KEYWORDS = {
    "angle": "z",
    "imag": "val",
    "isneginf": "x",
    "isposinf": "x",
    "real": "val",
    "round": "a",
    "sinc": "x",
    "softplus": "x",
}
_BY_POSITION = "`{}` may also be given by position, as the second argument.\n"


def elementwise_docstring(name, inputs, summary, notes, types, library):
    """Return the docstring of a function of one or two inputs.

    Parameters
    ----------
    name, summary, notes : str
    inputs : int
    types : list of str
        As in numpy.ufunc.types.
    library : str
        The library that defines the function; "" for the array API.

    Returns
    -------
    str
    """
    binary = inputs == 2
    operands = _TWO if binary else _ONE
    keyword = KEYWORDS.get(name)
    if keyword:
        operands = operands.replace("x", keyword, 1)
    if name in SECOND:
        second, _, description = SECOND[name]
        operands = f"{operands}\n{description}"
        notes += _BY_POSITION.format(second)
    return (_HEAD + _DOCSTRING).format(
        name=name,
        parameters="x1, x2, /" if binary else keyword or "x, /",
        summary=summary,
        operands=operands,
        not_an_operand="neither array nor number" if binary else "not an array",
        shapes="the shapes do not broadcast, " if binary else "",
        places="no operand is an array, or " if binary else "",
        notes=f"{notes}\n" if notes else "",
        types=", ".join(types),
        source=f"Compatible with {library}.{name}."
        if library
        else f"Source: array API 2025.12, `{name}`; `out` and `order` as in dpctl.tensor.{name}.",
        example=examples().get(name, ""),
    )


def elementwise_signature(name, inputs):
    """Return the inspect.Signature of a function of one or two inputs."""
    if name in KEYWORDS:
        found = elementwise_signature("", inputs)
        _, *others = found.parameters.values()
        operand = inspect.Parameter(KEYWORDS[name], inspect.Parameter.POSITIONAL_OR_KEYWORD)
        if name in SECOND:
            second, default, _ = SECOND[name]
            others.append(
                inspect.Parameter(second, inspect.Parameter.KEYWORD_ONLY, default=default)
            )
        return found.replace(parameters=[operand, *others])
    if inputs == 1:
        return inspect.signature(
            lambda x, /, out=None, order="K", *, where=True, dtype=None, casting=None: None
        )
    return inspect.signature(
        lambda x1, x2, /, out=None, order="K", *, where=True, dtype=None, casting=None: None
    )


def examples():
    """Examples of the elementwise functions, by name: a call and its result.

    >>> usm.add(usm.asarray([1, 2, 3]), 10)
    usm_ndarray([11, 12, 13])
    >>> usm.subtract(usm.asarray([1, 2, 3]), 10)
    usm_ndarray([-9, -8, -7])
    >>> usm.multiply(usm.asarray([1, 2, 3]), 10)
    usm_ndarray([10, 20, 30])
    >>> usm.divide(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([0.5, 1. , 1.5])
    >>> usm.floor_divide(usm.asarray([7, -7]), 2)
    usm_ndarray([ 3, -4])
    >>> usm.remainder(usm.asarray([7, -7]), 3)
    usm_ndarray([1, 2])
    >>> usm.negative(usm.asarray([-1.5, 0.0, 2.0]))
    usm_ndarray([ 1.5, -0. , -2. ])
    >>> usm.positive(usm.asarray([-1.5, 0.0, 2.0]))
    usm_ndarray([-1.5,  0. ,  2. ])
    >>> usm.abs(usm.asarray([-1.5, 0.0, 2.0]))
    usm_ndarray([1.5, 0. , 2. ])
    >>> usm.square(usm.asarray([-1.5, 0.0, 2.0]))
    usm_ndarray([2.25, 0.  , 4.  ])
    >>> usm.reciprocal(usm.asarray([0.5, 2.0, 4.0]))
    usm_ndarray([2.  , 0.5 , 0.25])
    >>> usm.sign(usm.asarray([-1.5, 0.0, 2.0]))
    usm_ndarray([-1.,  0.,  1.])
    >>> usm.copysign(usm.asarray([1.0, 2.0]), -1)
    usm_ndarray([-1., -2.])
    >>> usm.nextafter(usm.asarray([0.0]), 1)
    usm_ndarray([5.e-324])
    >>> usm.maximum(usm.asarray([1, 5, 3]), 2)
    usm_ndarray([2, 5, 3])
    >>> usm.minimum(usm.asarray([1, 5, 3]), 2)
    usm_ndarray([1, 2, 2])
    >>> usm.equal(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([False,  True, False])
    >>> usm.not_equal(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([ True, False,  True])
    >>> usm.less(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([ True, False, False])
    >>> usm.less_equal(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([ True,  True, False])
    >>> usm.greater(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([False, False,  True])
    >>> usm.greater_equal(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([False,  True,  True])
    >>> usm.logical_and(usm.asarray([True, True, False]), usm.asarray([True, False, False]))
    usm_ndarray([ True, False, False])
    >>> usm.logical_or(usm.asarray([True, True, False]), usm.asarray([True, False, False]))
    usm_ndarray([ True,  True, False])
    >>> usm.logical_xor(usm.asarray([True, True, False]), usm.asarray([True, False, False]))
    usm_ndarray([False,  True, False])
    >>> usm.logical_not(usm.asarray([True, False]))
    usm_ndarray([False,  True])
    >>> usm.isfinite(usm.asarray([1.0, usm.inf, usm.nan]))
    usm_ndarray([ True, False, False])
    >>> usm.isinf(usm.asarray([1.0, usm.inf, usm.nan]))
    usm_ndarray([False,  True, False])
    >>> usm.isnan(usm.asarray([1.0, usm.inf, usm.nan]))
    usm_ndarray([False, False,  True])
    >>> usm.signbit(usm.asarray([-1.5, -0.0, 2.0]))
    usm_ndarray([ True,  True, False])
    >>> usm.bitwise_and(usm.asarray([5, 6, 7]), 3)
    usm_ndarray([1, 2, 3])
    >>> usm.bitwise_or(usm.asarray([5, 6, 7]), 3)
    usm_ndarray([7, 7, 7])
    >>> usm.bitwise_xor(usm.asarray([5, 6, 7]), 3)
    usm_ndarray([6, 5, 4])
    >>> usm.bitwise_invert(usm.asarray([0, 1, -1]))
    usm_ndarray([-1, -2,  0])
    >>> usm.bitwise_left_shift(usm.asarray([1, 2, 3]), 4)
    usm_ndarray([16, 32, 48])
    >>> usm.bitwise_right_shift(usm.asarray([16, 33, -16]), 4)
    usm_ndarray([ 1,  2, -1])
    >>> usm.floor(usm.asarray([-1.5, 0.4, 2.6]))
    usm_ndarray([-2.,  0.,  2.])
    >>> usm.ceil(usm.asarray([-1.5, 0.4, 2.6]))
    usm_ndarray([-1.,  1.,  3.])
    >>> usm.trunc(usm.asarray([-1.5, 0.4, 2.6]))
    usm_ndarray([-1.,  0.,  2.])
    >>> usm.round(usm.asarray([0.5, 1.5, 2.6]))
    usm_ndarray([0., 2., 3.])
    >>> usm.pow(usm.asarray([1, 2, 3]), 2)
    usm_ndarray([1, 4, 9])
    >>> usm.exp(usm.asarray([0.0, 1.0, 2.0]))
    usm_ndarray([1.        , 2.71828183, 7.3890561 ])
    >>> usm.expm1(usm.asarray([0.0, 1e-10, 1.0]))
    usm_ndarray([0.00000000e+00, 1.00000000e-10, 1.71828183e+00])
    >>> usm.exp2(usm.asarray([0.0, 1.0, 0.5]))
    usm_ndarray([1.        , 2.        , 1.41421356])
    >>> usm.log(usm.asarray([1.0, usm.e, 10.0]))
    usm_ndarray([0.        , 1.        , 2.30258509])
    >>> usm.log1p(usm.asarray([0.0, 1e-10, 1.0]))
    usm_ndarray([0.00000000e+00, 1.00000000e-10, 6.93147181e-01])
    >>> usm.log2(usm.asarray([1.0, 2.0, 10.0]))
    usm_ndarray([0.        , 1.        , 3.32192809])
    >>> usm.log10(usm.asarray([1.0, 10.0, 1000.0]))
    usm_ndarray([0., 1., 3.])
    >>> usm.sqrt(usm.asarray([1.0, 2.0, 4.0]))
    usm_ndarray([1.        , 1.41421356, 2.        ])
    >>> usm.cbrt(usm.asarray([1.0, 8.0, -27.0]))
    usm_ndarray([ 1.,  2., -3.])
    >>> usm.rsqrt(usm.asarray([0.25, 1.0, 4.0]))
    usm_ndarray([2. , 1. , 0.5])
    >>> usm.logaddexp(usm.asarray([0.0, 1000.0]), usm.asarray([0.0, 1000.0]))
    usm_ndarray([6.93147181e-01, 1.00069315e+03])
    >>> usm.hypot(usm.asarray([3.0, 5.0]), usm.asarray([4.0, 12.0]))
    usm_ndarray([ 5., 13.])
    >>> usm.sin(usm.asarray([0, usm.pi / 6, usm.pi / 2]))
    usm_ndarray([0. , 0.5, 1. ])
    >>> usm.cos(usm.asarray([0, 1.0, usm.pi]))
    usm_ndarray([ 1.        ,  0.54030231, -1.        ])
    >>> usm.tan(usm.asarray([0, 0.5, usm.pi / 4]))
    usm_ndarray([0.        , 0.54630249, 1.        ])
    >>> usm.asin(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([0.        , 0.52359878, 1.57079633])
    >>> usm.acos(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([1.57079633, 1.04719755, 0.        ])
    >>> usm.atan(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([0.        , 0.46364761, 0.78539816])
    >>> usm.sinh(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([0.        , 0.52109531, 1.17520119])
    >>> usm.cosh(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([1.        , 1.12762597, 1.54308063])
    >>> usm.tanh(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([0.        , 0.46211716, 0.76159416])
    >>> usm.asinh(usm.asarray([0, 0.5, 1.0]))
    usm_ndarray([0.        , 0.48121183, 0.88137359])
    >>> usm.acosh(usm.asarray([1.0, 1.5, 2.0]))
    usm_ndarray([0.        , 0.96242365, 1.3169579 ])
    >>> usm.atanh(usm.asarray([0.0, 0.25, 0.5]))
    usm_ndarray([0.        , 0.25541281, 0.54930614])
    >>> usm.atan2(usm.asarray([1.0, 1.0, -1.0]), usm.asarray([1.0, -1.0, 0.0]))
    usm_ndarray([ 0.78539816,  2.35619449, -1.57079633])
    >>> usm.real(usm.asarray([1 + 2j, 3j]))
    usm_ndarray([1., 0.])
    >>> usm.imag(usm.asarray([1 + 2j, 3j]))
    usm_ndarray([2., 3.])
    >>> usm.conj(usm.asarray([1 + 2j, 3j]))
    usm_ndarray([1.-2.j, 0.-3.j])
    >>> usm.angle(usm.asarray([1 + 1j, 3j, -2]))
    usm_ndarray([0.78539816, 1.57079633, 3.14159265])
    >>> usm.proj(usm.asarray([1 + 1j, complex("inf")]))
    usm_ndarray([ 1.+1.j, inf+0.j])
    >>> usm.fmod(usm.asarray([7, -7]), 3)
    usm_ndarray([ 1, -1])
    >>> usm.fmax(usm.asarray([1.0, usm.nan]), 0.5)
    usm_ndarray([1. , 0.5])
    >>> usm.fmin(usm.asarray([1.0, usm.nan]), 0.5)
    usm_ndarray([0.5, 0.5])
    >>> usm.heaviside(usm.asarray([-1.5, 0.0, 2.0]), 0.5)
    usm_ndarray([0. , 0.5, 1. ])
    >>> usm.deg2rad(usm.asarray([0.0, 90.0, 180.0]))
    usm_ndarray([0.        , 1.57079633, 3.14159265])
    >>> usm.radians(usm.asarray([0.0, 90.0, 180.0]))
    usm_ndarray([0.        , 1.57079633, 3.14159265])
    >>> usm.rad2deg(usm.asarray([0.0, 1.0, usm.pi]))
    usm_ndarray([  0.        ,  57.29577951, 180.        ])
    >>> usm.degrees(usm.asarray([0.0, 1.0, usm.pi]))
    usm_ndarray([  0.        ,  57.29577951, 180.        ])
    >>> usm.isposinf(usm.asarray([1.0, usm.inf, -usm.inf]))
    usm_ndarray([False,  True, False])
    >>> usm.isneginf(usm.asarray([1.0, usm.inf, -usm.inf]))
    usm_ndarray([False, False,  True])
    >>> usm.gcd(usm.asarray([12, -18, 0]), 8)
    usm_ndarray([4, 2, 8])
    >>> usm.lcm(usm.asarray([12, -18, 0]), 8)
    usm_ndarray([24, 72,  0])
    >>> usm.bitwise_count(usm.asarray([5, -7, 1023]))
    usm_ndarray([ 2,  3, 10], dtype=uint8)
    >>> usm.spacing(usm.asarray([1.0, -4.0]))
    usm_ndarray([ 2.22044605e-16, -8.88178420e-16])
    >>> usm.ldexp(usm.asarray([0.75, 1.5]), usm.asarray([2, -1]))
    usm_ndarray([3.  , 0.75])
    >>> usm.float_power(usm.asarray([1, 2, 3]), -1)
    usm_ndarray([1.        , 0.5       , 0.33333333])
    >>> usm.sinc(usm.asarray([0.0, 0.5, 0.25]))
    usm_ndarray([1.        , 0.63661977, 0.90031632])
    >>> usm.logaddexp2(usm.asarray([0.0, 1.0]), usm.asarray([0.0, 1.0]))
    usm_ndarray([1., 2.])
    >>> usm.special.erf(usm.asarray([0.0, 0.5, 1.0]))
    usm_ndarray([0.        , 0.52049988, 0.84270079])
    >>> usm.special.erfc(usm.asarray([0.0, 1.0, 10.0]))
    usm_ndarray([1.00000000e+00, 1.57299207e-01, 2.08848758e-45])
    >>> usm.special.erfinv(usm.asarray([0.0, 0.5, 0.99]))
    usm_ndarray([0.        , 0.47693628, 1.82138637])
    >>> usm.special.erfcinv(usm.asarray([1.0, 0.5, 1e-10]))
    usm_ndarray([0.        , 0.47693628, 4.57282497])
    >>> usm.special.ndtr(usm.asarray([-1.0, 0.0, 1.96]))
    usm_ndarray([0.15865525, 0.5       , 0.9750021 ])
    >>> usm.special.ndtri(usm.asarray([0.025, 0.5, 0.975]))
    usm_ndarray([-1.95996398,  0.        ,  1.95996398])
    >>> usm.special.log_ndtr(usm.asarray([-40.0, 0.0, 1.0]))
    usm_ndarray([-8.04608442e+02, -6.93147181e-01, -1.72753779e-01])
    >>> usm.special.expit(usm.asarray([-1.0, 0.0, 1.0]))
    usm_ndarray([0.26894142, 0.5       , 0.73105858])
    >>> usm.special.log_expit(usm.asarray([-1000.0, 0.0, 10.0]))
    usm_ndarray([-1.00000000e+03, -6.93147181e-01, -4.53988992e-05])
    >>> usm.special.softplus(usm.asarray([-1000.0, 0.0, 1000.0]))
    usm_ndarray([0.00000000e+00, 6.93147181e-01, 1.00000000e+03])
    >>> usm.special.logit(usm.asarray([0.1, 0.5, 0.75]))
    usm_ndarray([-2.19722458,  0.        ,  1.09861229])
    >>> usm.special.xlogy(usm.asarray([0.0, 1.0, 2.0]), usm.asarray([0.0, usm.e, 4.0]))
    usm_ndarray([0.        , 1.        , 2.77258872])
    >>> usm.special.xlog1py(usm.asarray([0.0, 1.0, 2.0]), usm.asarray([-1.0, 1e-20, 1.0]))
    usm_ndarray([0.00000000e+00, 1.00000000e-20, 1.38629436e+00])
    >>> usm.special.entr(usm.asarray([0.0, 0.5, 1.0]))
    usm_ndarray([ 0.        ,  0.34657359, -0.        ])
    >>> usm.special.rel_entr(usm.asarray([0.0, 0.5, 2.0]), 1.0)
    usm_ndarray([ 0.        , -0.34657359,  1.38629436])
    >>> usm.special.kl_div(usm.asarray([0.0, 0.5, 2.0]), 1.0)
    usm_ndarray([1.        , 0.15342641, 0.38629436])
    >>> usm.special.gamma(usm.asarray([0.5, 4.0, -1.5]))
    usm_ndarray([1.77245385, 6.        , 2.3632718 ])
    >>> usm.special.gammaln(usm.asarray([0.5, 4.0, 1000.0]))
    usm_ndarray([5.72364943e-01, 1.79175947e+00, 5.90522042e+03])
    >>> usm.special.digamma(usm.asarray([0.5, 1.0, 4.0]))
    usm_ndarray([-1.96351003, -0.57721566,  1.25611767])
    >>> usm.special.psi(usm.asarray([0.5, 1.0, 4.0]))
    usm_ndarray([-1.96351003, -0.57721566,  1.25611767])
    >>> usm.special.i0(usm.asarray([0.0, 1.0, 10.0]))
    usm_ndarray([1.00000000e+00, 1.26606588e+00, 2.81571663e+03])
    >>> usm.special.i0e(usm.asarray([0.0, 1.0, 1000.0]))
    usm_ndarray([1.        , 0.46575961, 0.01261724])
    >>> usm.special.i1(usm.asarray([0.0, 1.0, 10.0]))
    usm_ndarray([0.00000000e+00, 5.65159104e-01, 2.67098830e+03])
    >>> usm.special.i1e(usm.asarray([0.0, 1.0, 1000.0]))
    usm_ndarray([0.        , 0.20791042, 0.01261093])
    """
    calls = re.findall(
        r"^(>>> usm\.(?:special\.)?(\w+).*\n(?:.*\n?))", inspect.getdoc(examples) or "", re.M
    )
    return {name: call for call, name in calls}
