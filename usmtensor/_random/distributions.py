"""Samples from distributions, made from the words of a stream.

Most samples are functions of uniform and normal samples, computed on whole arrays. Other samples
are made by kernels with rejection. There each sample takes one word of the stream, regardless of
the number of its trials.
"""

import inspect
import math
import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple, SupportsIndex, TypeAlias, TypeVar

import numpy
import numpy.typing as npt

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._functions.arguments import require_one_of
from usmtensor._functions.elementwise import expit
from usmtensor._random.philox import fill_from_words, real_type, size_of
from usmtensor._random.streams import DType, Size, Stream
from usmtensor._runtime.arguments import natural, number, wrong_value

Numbers: TypeAlias = npt.ArrayLike | usm_ndarray
_Class = TypeVar("_Class")

MAX_COUNT = 2.0**63  # above all int64 numbers


class Domain(NamedTuple):
    """The valid values of a parameter: in words, and as a test of a number or an array."""

    words: str
    has: Callable[[Any], Any]


NOT_NEGATIVE = Domain("0 or more", lambda x: x >= 0)
POSITIVE = Domain("a number above 0", lambda x: x > 0)
ABOVE_ONE = Domain("a number above 1", lambda x: x > 1)
PROBABILITY = Domain("a number from 0 to 1", lambda x: (x >= 0) & (x <= 1))
BELOW_ONE = Domain("a number from 0 to below 1", lambda x: (x >= 0) & (x < 1))
ABOVE_ZERO = Domain("a number above 0, up to 1", lambda x: (x > 0) & (x <= 1))
COUNT = Domain(
    "a whole number from 0 to 2**63", lambda x: (x >= 0) & (x <= MAX_COUNT) & (x % 1 == 0)
)
RATE = Domain("a number from 0 to 2**63", lambda x: (x >= 0) & (x <= MAX_COUNT))

# The domains of parameters. Parameters that are not listed may be any number.
_DOMAINS = {
    "beta": {"a": POSITIVE, "b": POSITIVE},
    "binomial": {"n": COUNT, "p": PROBABILITY},
    "chisquare": {"df": POSITIVE},
    "dirichlet": {"alpha": POSITIVE},
    "exponential": {"scale": NOT_NEGATIVE},
    "f": {"dfnum": POSITIVE, "dfden": POSITIVE},
    "gamma": {"shape": NOT_NEGATIVE, "scale": NOT_NEGATIVE},
    "geometric": {"p": ABOVE_ZERO},
    "gumbel": {"scale": NOT_NEGATIVE},
    "hypergeometric": {"ngood": COUNT, "nbad": COUNT, "nsample": COUNT},
    "laplace": {"scale": NOT_NEGATIVE},
    "logistic": {"scale": NOT_NEGATIVE},
    "lognormal": {"sigma": NOT_NEGATIVE},
    "logseries": {"p": BELOW_ONE},
    "multinomial": {"n": COUNT, "pvals": PROBABILITY},
    "multivariate_hypergeometric": {"colors": COUNT},
    "negative_binomial": {"n": POSITIVE, "p": ABOVE_ZERO},
    "noncentral_chisquare": {"df": POSITIVE, "nonc": NOT_NEGATIVE},
    "noncentral_f": {"dfnum": POSITIVE, "dfden": POSITIVE, "nonc": NOT_NEGATIVE},
    "normal": {"scale": NOT_NEGATIVE},
    "pareto": {"a": POSITIVE},
    "poisson": {"lam": RATE},
    "power": {"a": POSITIVE},
    "rayleigh": {"scale": NOT_NEGATIVE},
    "standard_gamma": {"shape": NOT_NEGATIVE},
    "standard_t": {"df": POSITIVE},
    "vonmises": {"kappa": NOT_NEGATIVE},
    "wald": {"mean": POSITIVE, "scale": POSITIVE},
    "weibull": {"a": NOT_NEGATIVE},
    "zipf": {"a": ABOVE_ONE},
}


def require_all(values: Any, has: Any, function: str, name: str, expected: str) -> None:
    """Raise the error for a parameter if the test of some values failed."""
    if usm.all(has) if isinstance(has, usm_ndarray) else has:
        return
    if not isinstance(values, usm_ndarray):
        raise wrong_value(values, function, name, expected)
    bad = usm.broadcast_to(values, has.shape)[~has][0]
    raise ValueError(f"{function}: {name} holds {bad.tolist()}; expected {expected}")


def scale_in_place(x: usm_ndarray, low: Any, scale: Any) -> usm_ndarray:
    """Compute low + x * scale in place."""
    usm.multiply(x, scale, out=x)
    return usm.add(x, low, out=x)


def shape_for(function: str, size: Size, parameters: list[Any]) -> tuple[int, ...]:
    """Return the shape of a result, by default the shape to which the parameters broadcast."""
    together: tuple[int, ...] = size_of(function, None, *parameters)
    if size is None:
        return together
    shape: tuple[int, ...] = size_of(function, size)
    ends = zip(reversed(together), reversed(shape), strict=False)
    if len(together) > len(shape) or any(own not in (1, n) for own, n in ends):
        expected = f"a shape to which the parameters' shape {together} broadcasts"
        raise wrong_value(size, function, "size", expected)
    return shape


# Docstrings --------------------------------------------------------------------------------------

# The rows of parameters that distributions share.
_ROWS = {
    "size": "size : int or tuple of int, optional\n"
    "    The shape. Default: the shape to which the parameters broadcast.",
    "dtype": "dtype : data type, optional\n"
    "    float32 or float64. Default: the device's default type.",
}
_INT64 = "\n    An array of type int64."
_RAISES = """ValueError
    {domains}`size` is negative, or the parameters do not broadcast to it.
TypeError
    A parameter is not a real number or an array of real numbers."""


def _complete(method: Callable[..., Any], docstring: str) -> str:
    """The docstring of a distribution with the rows and sections that it lacks."""
    name, parameters = method.__name__, method.__annotations__
    summary, *parts = re.split(r"\n\n(\w+)\n-+\n", inspect.cleandoc(docstring))
    own = dict(zip(parts[::2], parts[1::2], strict=True))
    rows = [row for key, row in _ROWS.items() if key in parameters and f"{key} :" not in docstring]
    own["Parameters"] = "\n".join([own["Parameters"], *rows])
    domains = [f"`{key}` is not {one.words};\n    " for key, one in _DOMAINS.get(name, {}).items()]
    shared = {
        "Parameters": "",
        "Returns": "usm_ndarray" + ("" if "dtype" in parameters else _INT64),
        "Raises": _RAISES.format(domains="".join(domains)),
        "Notes": f"Source: numpy.random.Generator.{name}.",
    }
    sections = (f"{title}\n{'-' * len(title)}\n{text}" for title, text in (shared | own).items())
    return "\n\n".join([summary, *sections])


def complete_docstrings(cls: type[_Class]) -> type[_Class]:
    """Complete the docstrings of the methods of a class by what all distributions share."""
    for name, method in vars(cls).items():
        if not name.startswith("_") and method.__doc__:  # Python removes docstrings with -OO
            method.__doc__ = _complete(method, method.__doc__)
    return cls


@complete_docstrings
class Distributions(Stream):
    """A stream of samples from distributions."""

    __slots__ = ()

    # Parameters ----------------------------------------------------------------------------------

    def _parameter(self, function: str, name: str, value: Any, dtype: Any) -> float | usm_ndarray:
        """Return a parameter as a number, or as an array on a device."""
        if isinstance(value, list | tuple | numpy.ndarray):
            try:
                value = usm.asarray(value, sycl_queue=self._queue)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{function}: {name}: {error}") from None
        if not isinstance(value, usm_ndarray):
            value = number(value, function, name)
        elif value.dtype.kind == "c":
            raise TypeError(f"{function}: {name} is complex; expected real numbers")
        else:
            value = usm.astype(value, dtype, copy=False)
        if domain := _DOMAINS.get(function, {}).get(name):
            require_all(value, domain.has(value), function, name, domain.words)
        return value

    def _given(
        self, function: str, size: Size, dtype: DType, **given: Any
    ) -> tuple[tuple[int, ...], Any, list[Any]]:
        """Return the shape and data type of a result, and the parameters."""
        dtype = real_type(function, dtype, self._queue)
        values = [self._parameter(function, name, one, dtype) for name, one in given.items()]
        return shape_for(function, size, values), dtype, values

    # Samples without parameters ------------------------------------------------------------------

    def _inner(self, shape: tuple[int, ...], dtype: Any) -> usm_ndarray:
        """Return uniform samples from the open interval (0, 1)."""
        x = self._uniform(self._result("uniform", shape, dtype))
        return usm.maximum(x, 2.0**-54 if x.dtype == numpy.float64 else 2.0**-25, out=x)

    def _waits(self, shape: tuple[int, ...], dtype: Any) -> usm_ndarray:
        """Return exponential samples greater than 0."""
        x = self._inner(shape, dtype)
        return usm.negative(usm.log(x, out=x), out=x)

    def _from_words(self, distribution: str, shape: Any, dtype: Any, *given: Any) -> usm_ndarray:
        """Return samples that a kernel makes from one word and the parameters."""
        words = self.random_raw(shape)
        is_real = distribution in ("gamma", "log_gamma", "von_mises")
        placement = {"usm_type": self._usm_type, "sycl_queue": self._queue}
        x = usm.empty(shape, dtype=dtype if is_real else "i8", **placement)
        fill_from_words(
            distribution,
            x,
            words,
            *(usm.full(shape, one, dtype=dtype, **placement) for one in given),
        )
        return x

    def standard_exponential(
        self,
        size: Size = None,
        dtype: DType = None,
        method: Literal["zig", "inv"] = "zig",
        out: usm_ndarray | None = None,
    ) -> usm_ndarray:
        """Return samples from the exponential distribution of mean 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: the shape of `out`, or ().
        dtype : data type, optional
            float32 or float64. Default: the type of `out`, or the device's default type.
        method : {"zig", "inv"}
            Accepted for compatibility. Both give the same numbers.
        out : usm_ndarray, optional
            An array for the result.

        Raises
        ------
        ValueError
            If `method` is unknown; or if `out` has another shape or type, or is read-only.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).standard_exponential(3)
        usm_ndarray([0.09000965, 0.15263537, 0.3148382 ])
        """
        require_one_of(method, ("zig", "inv"), "standard_exponential", "method")
        x = self._uniform(self._result("standard_exponential", size, dtype, out))
        usm.log1p(usm.negative(x, out=x), out=x)
        return usm.negative(x, out=x)

    def standard_gamma(
        self,
        shape: Numbers,
        size: Size = None,
        dtype: DType = None,
        out: usm_ndarray | None = None,
    ) -> usm_ndarray:
        """Return samples from a gamma distribution of scale 1.

        Parameters
        ----------
        shape : number or array_like
            The shape of the distribution.
        size : int or tuple of int, optional
            The shape of the result. Default: the shape of `out` or of the parameter.
        dtype : data type, optional
            float32 or float64. Default: the type of `out`, or the device's default type.
        out : usm_ndarray, optional
            An array for the result.

        Raises
        ------
        ValueError
            If `shape` is negative; or if `out` has another shape or type, or is read-only.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).standard_gamma(2.0, size=3)
        usm_ndarray([2.65444682, 2.29610319, 0.77621257])
        """
        if out is not None:
            out = self._result("standard_gamma", size, dtype, out)
            size, dtype = out.shape, out.dtype
        extents, dtype, (shape,) = self._given("standard_gamma", size, dtype, shape=shape)
        x = self._from_words("gamma", extents, dtype, shape)
        if out is None:
            return x
        out[...] = x
        return out

    # Real numbers --------------------------------------------------------------------------------

    def uniform(
        self, low: Numbers = 0.0, high: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return uniform samples from [low, high).

        Parameters
        ----------
        low, high : number or array_like
            The interval.

        Raises
        ------
        ValueError
            If `high` is below `low`.
        OverflowError
            If the length of the interval overflows.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).uniform(10.0, 20.0, size=3)
        usm_ndarray([10.86077631, 11.41557324, 12.70093035])
        """
        shape, dtype, (low, high) = self._given("uniform", size, dtype, low=low, high=high)
        span = high - low
        is_finite = usm.isfinite(span) if isinstance(span, usm_ndarray) else math.isfinite(span)
        if not (usm.all(is_finite) if isinstance(span, usm_ndarray) else is_finite):
            raise OverflowError(
                f"uniform: low is {low} and high is {high}; expected a finite distance"
            )
        require_all(high, span >= 0, "uniform", "high", "the value of low, or more")
        return scale_in_place(self._uniform(self._result("uniform", shape, dtype)), low, span)

    def normal(
        self, loc: Numbers = 0.0, scale: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a normal distribution.

        Parameters
        ----------
        loc : number or array_like
            The mean.
        scale : number or array_like
            The standard deviation.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).normal(5.0, 2.0, size=3)
        usm_ndarray([5.53447762, 5.65909851, 6.11540436])
        """
        shape, dtype, (loc, scale) = self._given("normal", size, dtype, loc=loc, scale=scale)
        return scale_in_place(self.standard_normal(shape, dtype), loc, scale)

    def lognormal(
        self, mean: Numbers = 0.0, sigma: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples whose logarithms are normal.

        Parameters
        ----------
        mean, sigma : number or array_like
            Mean and standard deviation of the logarithms.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).lognormal(0.0, 1.0, size=3)
        usm_ndarray([1.30635238, 1.3903413 , 1.74665439])
        """
        shape, dtype, (mean, sigma) = self._given("lognormal", size, dtype, mean=mean, sigma=sigma)
        x = scale_in_place(self.standard_normal(shape, dtype), mean, sigma)
        return usm.exp(x, out=x)

    def wald(
        self, mean: Numbers, scale: Numbers, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a Wald distribution, also called inverse Gaussian.

        Parameters
        ----------
        mean, scale : number or array_like
            Mean and shape of the distribution.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).wald(1.0, 2.0, size=3)
        usm_ndarray([0.82804619, 0.79254779, 0.67580998])
        """
        shape, dtype, (mean, scale) = self._given("wald", size, dtype, mean=mean, scale=scale)
        # The smaller root x of a quadratic equation, or the larger root mean² / x.
        half = usm.square(self.standard_normal(shape, dtype)) * (0.5 * mean / scale)
        ratio = 1 / (1 + half + usm.sqrt(half * (half + 2)))
        upper = self.random(shape, dtype) * (1 + ratio) > 1
        x = usm.where(upper, 1 / ratio, ratio)
        return usm.multiply(x, mean, out=x)

    def exponential(
        self, scale: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from an exponential distribution.

        Parameters
        ----------
        scale : number or array_like
            The mean.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).exponential(2.0, size=3)
        usm_ndarray([0.18001929, 0.30527075, 0.6296764 ])
        """
        shape, dtype, (scale,) = self._given("exponential", size, dtype, scale=scale)
        x = self.standard_exponential(shape, dtype)
        return usm.multiply(x, scale, out=x)

    def laplace(
        self, loc: Numbers = 0.0, scale: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a Laplace distribution.

        Parameters
        ----------
        loc : number or array_like
            The mean.
        scale : number or array_like
            The decay length on both sides.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).laplace(0.0, 1.0, size=3)
        usm_ndarray([-1.75935853, -1.26190335, -0.61584162])
        """
        shape, dtype, (loc, scale) = self._given("laplace", size, dtype, loc=loc, scale=scale)
        u = self._inner(shape, dtype)
        return scale_in_place(usm.where(u < 0.5, usm.log(2 * u), -usm.log(2 - 2 * u)), loc, scale)

    def logistic(
        self, loc: Numbers = 0.0, scale: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a logistic distribution.

        Parameters
        ----------
        loc : number or array_like
            The mean.
        scale : number or array_like
            The scale.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).logistic(0.0, 1.0, size=3)
        usm_ndarray([-2.36249606, -1.80241516, -0.99415061])
        """
        shape, dtype, (loc, scale) = self._given("logistic", size, dtype, loc=loc, scale=scale)
        u = self._inner(shape, dtype)
        return scale_in_place(usm.log(u / (1 - u)), loc, scale)

    def gumbel(
        self, loc: Numbers = 0.0, scale: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a Gumbel distribution.

        Parameters
        ----------
        loc : number or array_like
            The mode.
        scale : number or array_like
            The scale.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).gumbel(0.0, 1.0, size=3)
        usm_ndarray([-0.89711024, -0.67041604, -0.26925493])
        """
        shape, dtype, (loc, scale) = self._given("gumbel", size, dtype, loc=loc, scale=scale)
        x = self._waits(shape, dtype)
        return scale_in_place(usm.negative(usm.log(x, out=x), out=x), loc, scale)

    def rayleigh(self, scale: Numbers = 1.0, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from a Rayleigh distribution.

        Parameters
        ----------
        scale : number or array_like
            The mode.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).rayleigh(2.0, size=3)
        usm_ndarray([4.42945207, 3.95479509, 3.23603313])
        """
        shape, dtype, (scale,) = self._given("rayleigh", size, dtype, scale=scale)
        return usm.sqrt(2 * self._waits(shape, dtype)) * scale

    def weibull(self, a: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from a Weibull distribution.

        Parameters
        ----------
        a : number or array_like
            The shape of the distribution. All samples are 0 for shape 0.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).weibull(2.0, size=3)
        usm_ndarray([1.5660478 , 1.39823121, 1.14411049])
        """
        shape, dtype, (a,) = self._given("weibull", size, dtype, a=a)
        x = usm.exp(usm.log(self._waits(shape, dtype)) / _plain(usm.maximum(a, _MIN_SHAPE)))
        x = usm.minimum(x, float(numpy.finfo(dtype).max))  # which is 0 times 0
        return usm.multiply(x, _plain(usm.sign(a)), out=x)

    def pareto(self, a: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from a Pareto distribution of the second kind, also called Lomax.

        Parameters
        ----------
        a : number or array_like
            The shape of the distribution.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).pareto(3.0, size=3)
        usm_ndarray([1.26483499, 0.91876838, 0.54701861])
        """
        shape, dtype, (a,) = self._given("pareto", size, dtype, a=a)
        return usm.expm1(self._waits(shape, dtype) / a)

    def power(self, a: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from [0, 1] with a density proportional to x**(a - 1).

        Parameters
        ----------
        a : number or array_like
            The shape of the distribution.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).power(3.0, size=3)
        usm_ndarray([0.44153327, 0.52116765, 0.64640463])
        """
        shape, dtype, (a,) = self._given("power", size, dtype, a=a)
        return usm.exp(usm.log(self._inner(shape, dtype)) / a)

    def triangular(
        self, left: Numbers, mode: Numbers, right: Numbers, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a triangular distribution.

        Parameters
        ----------
        left, mode, right : number or array_like
            The ends of the interval, and the peak.

        Raises
        ------
        ValueError
            If the parameters do not increase, or all are equal.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).triangular(0.0, 1.0, 4.0, size=3)
        usm_ndarray([0.58677979, 0.75248209, 1.04045889])
        """
        shape, dtype, (left, mode, right) = self._given(
            "triangular", size, dtype, left=left, mode=mode, right=right
        )
        require_all(mode, mode >= left, "triangular", "mode", "the value of left, or more")
        require_all(right, right >= mode, "triangular", "right", "the value of mode, or more")
        require_all(right, right > left, "triangular", "right", "more than the value of left")
        u = self.random(shape, dtype)
        width = right - left
        peak = (mode - left) / width
        rise = left + usm.sqrt(u * ((mode - left) * width))
        return usm.where(u <= peak, rise, right - usm.sqrt((1 - u) * ((right - mode) * width)))

    def vonmises(
        self, mu: Numbers, kappa: Numbers, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return angles from a von Mises distribution, from -pi to pi.

        Parameters
        ----------
        mu : number or array_like
            The mode, in radians.
        kappa : number or array_like
            The concentration. The angles are uniform for 0.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).vonmises(0.0, 4.0, size=3)
        usm_ndarray([-0.01659579,  0.30874365,  0.59617171])
        """
        shape, dtype, (mu, kappa) = self._given("vonmises", size, dtype, mu=mu, kappa=kappa)
        x = self._from_words("von_mises", shape, dtype, kappa)
        usm.add(x, mu, out=x)
        return usm.subtract(x, 2 * math.pi * usm.round(x / (2 * math.pi)), out=x)

    def gamma(
        self, shape: Numbers, scale: Numbers = 1.0, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a gamma distribution.

        Parameters
        ----------
        shape : number or array_like
            The shape of the distribution.
        scale : number or array_like
            The scale.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).gamma(2.0, 3.0, size=3)
        usm_ndarray([7.96334045, 6.88830958, 2.32863771])
        """
        extents, dtype, (shape, scale) = self._given("gamma", size, dtype, shape=shape, scale=scale)
        x = self._from_words("gamma", extents, dtype, shape)
        return usm.multiply(x, scale, out=x)

    def chisquare(self, df: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from a chi-square distribution.

        Parameters
        ----------
        df : number or array_like
            The degrees of freedom.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).chisquare(3.0, size=3)
        usm_ndarray([4.03785572, 3.40904224, 0.91232043])
        """
        shape, dtype, (df,) = self._given("chisquare", size, dtype, df=df)
        return 2 * self._from_words("gamma", shape, dtype, 0.5 * df)

    def noncentral_chisquare(
        self, df: Numbers, nonc: Numbers, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a noncentral chi-square distribution.

        Parameters
        ----------
        df : number or array_like
            The degrees of freedom.
        nonc : number or array_like
            The noncentrality.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).noncentral_chisquare(3.0, 1.0, size=3)
        usm_ndarray([0.55423028, 2.42696847, 3.41270729])
        """
        shape, dtype, (df, nonc) = self._given(
            "noncentral_chisquare", size, dtype, df=df, nonc=nonc
        )
        more = usm.astype(self._from_words("poisson", shape, dtype, 0.5 * nonc), dtype)
        return 2 * self._from_words("gamma", shape, dtype, more + 0.5 * df)

    def f(
        self, dfnum: Numbers, dfden: Numbers, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from an F distribution.

        Parameters
        ----------
        dfnum, dfden : number or array_like
            The degrees of freedom of numerator and denominator.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).f(3.0, 10.0, size=3)
        usm_ndarray([4.97248587, 1.78492412, 0.38261315])
        """
        shape, dtype, (dfnum, dfden) = self._given("f", size, dtype, dfnum=dfnum, dfden=dfden)
        upper = self._from_words("log_gamma", shape, dtype, 0.5 * dfnum)
        lower = self._from_words("log_gamma", shape, dtype, 0.5 * dfden)
        return usm.exp(upper - lower) * (dfden / dfnum)

    def noncentral_f(
        self, dfnum: Numbers, dfden: Numbers, nonc: Numbers, size: Size = None, dtype: DType = None
    ) -> usm_ndarray:
        """Return samples from a noncentral F distribution.

        Parameters
        ----------
        dfnum, dfden : number or array_like
            The degrees of freedom of numerator and denominator.
        nonc : number or array_like
            The noncentrality of the numerator.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).noncentral_f(3.0, 10.0, 1.0, size=3)
        usm_ndarray([0.17951254, 0.70179241, 3.99064093])
        """
        shape, dtype, (dfnum, dfden, nonc) = self._given(
            "noncentral_f", size, dtype, dfnum=dfnum, dfden=dfden, nonc=nonc
        )
        upper = self.noncentral_chisquare(dfnum, nonc, shape, dtype)
        return upper / self.chisquare(dfden, shape, dtype) * (dfden / dfnum)

    def standard_t(self, df: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from Student's t distribution.

        Parameters
        ----------
        df : number or array_like
            The degrees of freedom.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).standard_t(10.0, size=3)
        usm_ndarray([0.33492984, 0.36964702, 0.54975   ])
        """
        shape, dtype, (df,) = self._given("standard_t", size, dtype, df=df)
        x = self.standard_normal(shape, dtype)
        below = self._from_words("log_gamma", shape, dtype, 0.5 * df)
        return usm.multiply(x, usm.exp(0.5 * (_plain(usm.log(0.5 * df)) - below)), out=x)

    def beta(self, a: Numbers, b: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from a beta distribution, between 0 and 1.

        Parameters
        ----------
        a, b : number or array_like
            The shape of the distribution.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).beta(2.0, 3.0, size=3)
        usm_ndarray([0.85493944, 0.59089595, 0.26507769])
        """
        shape, dtype, (a, b) = self._given("beta", size, dtype, a=a, b=b)
        x = self._from_words("log_gamma", shape, dtype, a)
        return expit(usm.subtract(x, self._from_words("log_gamma", shape, dtype, b), out=x))

    def standard_cauchy(self, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return samples from the Cauchy distribution with mode 0 and scale 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: ().

        Raises
        ------
        ValueError
            If `size` is negative.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).standard_cauchy(size=3)
        usm_ndarray([ -0.43793604, -12.60911549,   1.20509026])
        """
        shape, dtype, _ = self._given("standard_cauchy", size, dtype)
        x = self.standard_normal(shape, dtype)
        return usm.divide(x, self.standard_normal(shape, dtype), out=x)

    # Integers ------------------------------------------------------------------------------------

    def poisson(self, lam: Numbers = 1.0, size: Size = None) -> usm_ndarray:
        """Return counts from a Poisson distribution.

        Parameters
        ----------
        lam : number or array_like
            The mean.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).poisson(4.0, size=5)
        usm_ndarray([5, 6, 5, 1, 2])
        """
        shape, dtype, (lam,) = self._given("poisson", size, None, lam=lam)
        return self._from_words("poisson", shape, dtype, lam)

    def binomial(self, n: Numbers, p: Numbers, size: Size = None) -> usm_ndarray:
        """Return the numbers of successes in independent trials.

        Parameters
        ----------
        n : number or array_like
            The number of trials.
        p : number or array_like
            The probability of a success.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).binomial(10, 0.5, size=5)
        usm_ndarray([6, 7, 6, 3, 4])
        """
        shape, dtype, (n, p) = self._given("binomial", size, None, n=n, p=p)
        return self._from_words("binomial", shape, dtype, n, p)

    def negative_binomial(self, n: Numbers, p: Numbers, size: Size = None) -> usm_ndarray:
        """Return the numbers of failures before a number of successes.

        Parameters
        ----------
        n : number or array_like
            The number of successes, which may be fractional.
        p : number or array_like
            The probability of a success.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).negative_binomial(3, 0.5, size=5)
        usm_ndarray([6, 2, 0, 0, 0])
        """
        shape, dtype, (n, p) = self._given("negative_binomial", size, None, n=n, p=p)
        mean = self._from_words("gamma", shape, dtype, n) * ((1 - p) / p)
        return self._from_words("poisson", shape, dtype, mean)

    def geometric(self, p: Numbers, size: Size = None) -> usm_ndarray:
        """Return the numbers of trials up to the first success.

        Parameters
        ----------
        p : number or array_like
            The probability of a success.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).geometric(0.25, size=5)
        usm_ndarray([9, 7, 5, 1, 7])
        """
        shape, dtype, (p,) = self._given("geometric", size, None, p=p)
        return _whole(usm.ceil(self._waits(shape, dtype) / -_plain(usm.log1p(-p))))

    def logseries(self, p: Numbers, size: Size = None) -> usm_ndarray:
        """Return integers k >= 1 with probabilities proportional to p**k / k.

        Parameters
        ----------
        p : number or array_like
            The parameter of the distribution.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).logseries(0.9, size=5)
        usm_ndarray([1, 1, 1, 6, 1])
        """
        shape, dtype, (p,) = self._given("logseries", size, None, p=p)
        chance = -usm.expm1(self._inner(shape, dtype) * _plain(usm.log1p(-p)))
        return _whole(usm.ceil(self._waits(shape, dtype) / -usm.log(chance)))

    def zipf(self, a: Numbers, size: Size = None) -> usm_ndarray:
        """Return integers k >= 1 with probabilities proportional to k**-a.

        Parameters
        ----------
        a : number or array_like
            The exponent.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).zipf(2.0, size=5)
        usm_ndarray([1, 1, 1, 2, 6])
        """
        shape, dtype, (a,) = self._given("zipf", size, None, a=a)
        return self._from_words("zipf", shape, dtype, a)

    def hypergeometric(
        self, ngood: Numbers, nbad: Numbers, nsample: Numbers, size: Size = None
    ) -> usm_ndarray:
        """Return the numbers of good elements in samples of good and bad elements.

        Parameters
        ----------
        ngood, nbad : number or array_like
            The numbers of good and of bad elements.
        nsample : number or array_like
            How many are drawn, without replacement.

        Raises
        ------
        ValueError
            If a parameter is negative or not whole, or `nsample` is more than there are.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).hypergeometric(15, 15, 10, size=5)
        usm_ndarray([4, 4, 4, 7, 6])
        """
        shape, dtype, (ngood, nbad, nsample) = self._given(
            "hypergeometric", size, None, ngood=ngood, nbad=nbad, nsample=nsample
        )
        has = nsample <= ngood + nbad
        require_all(nsample, has, "hypergeometric", "nsample", "at most ngood + nbad")
        return self._from_words("hypergeometric", shape, dtype, ngood, nbad, nsample)

    # Vectors -------------------------------------------------------------------------------------

    def dirichlet(self, alpha: Numbers, size: Size = None, dtype: DType = None) -> usm_ndarray:
        """Return vectors from a Dirichlet distribution: positive numbers that sum to 1.

        Parameters
        ----------
        alpha : array_like
            The parameter of each element of a vector.
        size : int or tuple of int, optional
            The shape before the axis of the vectors. Default: one vector.

        Raises
        ------
        ValueError
            If `alpha` is not 1-D, or has an element that is not above 0.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).dirichlet([1.0, 2.0, 3.0])
        usm_ndarray([0.26332737, 0.44766548, 0.28900715])
        """
        _, dtype, (alpha,) = self._given("dirichlet", None, dtype, alpha=alpha)
        alpha = _vector(alpha, "dirichlet", "alpha")
        x = self._from_words("log_gamma", (*size_of("dirichlet", size), alpha.size), dtype, alpha)
        if x.size:
            usm.exp(usm.subtract(x, usm.max(x, axis=-1, keepdims=True), out=x), out=x)
        return usm.divide(x, usm.sum(x, axis=-1, keepdims=True), out=x)

    def multinomial(self, n: Numbers, pvals: Numbers, size: Size = None) -> usm_ndarray:
        """Return vectors with the number of each outcome in independent trials.

        Parameters
        ----------
        n : number or array_like
            The number of trials.
        pvals : array_like
            The probabilities of the outcomes along the last axis. The last outcome has the
            remaining probability.
        size : int or tuple of int, optional
            The shape before the axis of the outcomes. Default: the shape to which `n` and the other
            axes of `pvals` broadcast.

        Raises
        ------
        ValueError
            If `n` is negative or not whole; if a probability is outside of [0, 1]; or if their sum
            is above 1.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).multinomial(20, [0.2, 0.3, 0.5], size=2)
        usm_ndarray([[ 5,  6,  9],
                     [ 6,  3, 11]])
        """
        _, dtype, (chances,) = self._given("multinomial", None, None, pvals=pvals)
        if not isinstance(chances, usm_ndarray) or chances.ndim == 0 or chances.shape[-1] == 0:
            raise wrong_value(pvals, "multinomial", "pvals", "one probability or more")
        before = usm.cumulative_sum(chances, axis=-1, include_initial=True)[..., :-1]
        expected = "probabilities whose sum is 1 or less"
        is_valid = before[..., -1] <= 1 + (1e-12 if dtype == numpy.float64 else 1e-6)
        require_all(chances[..., 0], is_valid, "multinomial", "pvals", expected)
        chances = usm.minimum(chances / usm.maximum(1 - before, _MIN_SHAPE), 1)
        shape, _, (n, _) = self._given("multinomial", size, dtype, n=n, pvals=chances[..., 0])

        def draw(k: int, left: Any) -> usm_ndarray:
            return self._from_words("binomial", shape, dtype, left, chances[..., k])

        return self._in_turn((*shape, chances.shape[-1]), n, draw)

    def multivariate_hypergeometric(
        self,
        colors: Numbers,
        nsample: SupportsIndex,
        size: Size = None,
        method: Literal["marginals", "count"] = "marginals",
    ) -> usm_ndarray:
        """Return vectors with the number of each kind in samples of elements of several kinds.

        Parameters
        ----------
        colors : array_like
            The number of elements of each kind.
        nsample : int
            The number of elements in a sample, drawn without replacement.
        size : int or tuple of int, optional
            The shape before the axis of the kinds. Default: one vector.
        method : {"marginals", "count"}
            Accepted for compatibility. Both give the same numbers.

        Raises
        ------
        ValueError
            If `colors` is not 1-D, or has an element that is negative or not whole; if `nsample` is
            negative, or more than there are; or if `method` is unknown.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).multivariate_hypergeometric([16, 8, 4], 6, size=2)
        usm_ndarray([[3, 2, 1],
                     [2, 4, 0]])
        """
        function = "multivariate_hypergeometric"
        require_one_of(method, ("marginals", "count"), function, "method")
        _, dtype, (colors,) = self._given(function, None, None, colors=colors)
        colors = _vector(colors, function, "colors")
        drawn, shape = natural(nsample, function, "nsample"), size_of(function, size)
        after = usm.sum(colors) - usm.cumulative_sum(colors)
        if drawn > float(usm.sum(colors)):
            raise wrong_value(nsample, function, "nsample", "at most the sum of colors")

        def draw(k: int, left: Any) -> usm_ndarray:
            return self._from_words("hypergeometric", shape, dtype, colors[k], after[k], left)

        return self._in_turn((*shape, colors.size), float(drawn), draw)

    def _in_turn(
        self, shape: tuple[int, ...], count: Any, draw: Callable[[int, Any], usm_ndarray]
    ) -> usm_ndarray:
        """Draw counts along the last axis, each from the number that the previous counts leave."""
        placement = {"usm_type": self._usm_type, "sycl_queue": self._queue}
        x = usm.empty(shape, dtype="i8", **placement)
        left = usm.full(shape[:-1], count, dtype="i8", **placement)
        for k in range(shape[-1] - 1):
            x[..., k] = draw(k, left)
            left -= x[..., k]
        x[..., -1:] = left[..., None]
        return x


def _vector(x: Any, function: str, name: str) -> usm_ndarray:
    if not isinstance(x, usm_ndarray) or x.ndim != 1:
        raise wrong_value(x, function, name, "an array of one dimension")
    return x


_MIN_SHAPE = 1e-30  # replaces the shape 0


def _plain(x: Any) -> Any:
    """Return a number as a Python number, which does not affect the data type of a result."""
    return x if isinstance(x, usm_ndarray) else float(x)


def _whole(x: usm_ndarray) -> usm_ndarray:
    """Convert whole numbers >= 1 to integers."""
    most = numpy.nextafter(x.dtype.type(MAX_COUNT), x.dtype.type(0))
    return usm.astype(usm.clip(x, 1, most), "i8")
