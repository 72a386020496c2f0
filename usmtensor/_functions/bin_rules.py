"""NumPy's rules for the number of bins of a histogram."""

import math
from collections.abc import Callable
from typing import Any

import numpy

from usmtensor._core.array import usm_ndarray
from usmtensor._core.copy import asnumpy, astype
from usmtensor._functions.elementwise import divide, square, subtract
from usmtensor._functions.manipulation import stack
from usmtensor._functions.reductions import max as max_of
from usmtensor._functions.reductions import mean, std
from usmtensor._functions.reductions import min as min_of
from usmtensor._functions.reductions import sum as sum_of
from usmtensor._functions.sorting import sort

# The following functions return the width of bins for one or more elements; 0 means a single bin.


def _extent(x: usm_ndarray) -> float:
    return float(max_of(x)) - float(min_of(x))


def _sqrt(x: usm_ndarray, histogram: Any) -> float:
    return _extent(x) / math.sqrt(x.size)


def _sturges(x: usm_ndarray, histogram: Any) -> float:
    return _extent(x) / (math.log2(x.size) + 1)


def _rice(x: usm_ndarray, histogram: Any) -> float:
    return _extent(x) / (2 * math.cbrt(x.size))


def _scott(x: usm_ndarray, histogram: Any) -> float:
    return math.cbrt(24 * math.sqrt(math.pi) / x.size) * float(std(x))


def _freedman_diaconis(x: usm_ndarray, histogram: Any) -> float:
    """Return twice the interquartile range over the cube root of the number of elements."""
    ordered = sort(x)

    def quartile(which: int) -> float:
        rank, share = divmod(which * (x.size - 1), 4)
        low, high = (float(ordered[min(k, x.size - 1)]) for k in (rank, rank + 1))
        return low + (high - low) * share / 4

    return 2 * (quartile(3) - quartile(1)) / math.cbrt(x.size)


def _doane(x: usm_ndarray, histogram: Any) -> float:
    """Return Sturges' width, reduced for a skewed distribution."""
    n, deviation = x.size, float(std(x))
    if n <= 2 or deviation == 0:
        return 0
    scaled = divide(subtract(x, mean(x)), deviation)
    skewness = abs(float(mean(scaled * square(scaled))))
    expected = math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3)))
    return _extent(x) / (1 + math.log2(n) + math.log2(1 + skewness / expected))


def _stone(x: usm_ndarray, histogram: Any) -> float:
    """Return the width with the smallest leave-one-out estimate of the squared error."""
    n, extent = x.size, _extent(x)
    if n <= 1 or extent == 0:
        return 0
    counts = numpy.arange(1, max(100, math.isqrt(n)) + 1)
    squares = [sum_of(square(histogram(x, int(count)))) for count in counts]
    share = asnumpy(stack(squares)) / float(n) ** 2
    return extent / float(counts[numpy.argmin((2 - (n + 1) * share) * counts)])


def _auto(x: usm_ndarray, histogram: Any) -> float:
    """Return the Freedman-Diaconis or Sturges' width, for at most 2 sqrt(n) bins."""
    width = max(_freedman_diaconis(x, histogram), _sqrt(x, histogram) / 2)
    return min(width, _sturges(x, histogram))


RULES: dict[str, Callable[[usm_ndarray, Any], float]] = {
    "auto": _auto,
    "doane": _doane,
    "fd": _freedman_diaconis,
    "rice": _rice,
    "scott": _scott,
    "sqrt": _sqrt,
    "stone": _stone,
    "sturges": _sturges,
}


def number_of_bins(x: usm_ndarray, rule: str, low: float, high: float, histogram: Any) -> int:
    """Return the number of bins from `low` to `high`. x is a 1-D array with elements in this range.

    `histogram(x, count)` returns the numbers of elements in bins.
    """
    if x.size == 0:
        return 1
    is_whole = x.dtype.kind in "biu"
    x = astype(x, {"?": "u1", "e": "f4"}.get(x.dtype.char, x.dtype), copy=False)
    width = RULES[rule](x, histogram)
    if is_whole and 0 < width < 1:
        width = 1
    return min(math.ceil(min((high - low) / width, 2.0**60)), 1 << 60) if width else 1
