"""Random numbers on a device, in the manner of NumPy's `Generator`.

A number follows from the seed and its place in the stream, whatever the device, its cores and the
number of threads. NumPy's `Generator(Philox(seed))` gives equal words, and equal numbers of
`random`.

Examples
--------
>>> import usmtensor as usm
>>> rng = usm.random.default_rng(42)
>>> rng.integers(1, 6, size=5, endpoint=True)  # five throws of a die
usm_ndarray([1, 1, 2, 6, 2])
"""

import math
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex, TypeAlias

import numpy
import numpy.typing as npt

import usmtensor as usm
from usmtensor import usm_ndarray
from usmtensor._core import hints as _hints
from usmtensor._functions.philox import axis_of, fill, integer_array, parameter, result, size_of
from usmtensor._runtime.arguments import (
    integer,
    natural,
    plain_array,
    require,
    wrong_type,
    wrong_value,
)
from usmtensor._runtime.device import normalize_queue

__all__ = ["Generator", "default_rng"]

if not TYPE_CHECKING:  # which would take every name for known
    __getattr__, __dir__ = _hints.of_module("usmtensor.random", _hints.RANDOM)


_Size: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
_DType: TypeAlias = npt.DTypeLike | None
_Number: TypeAlias = float | usm_ndarray
_Kind: TypeAlias = Literal["device", "shared", "host"]


def default_rng(
    seed: Any = None, *, device: Any = None, usm_type: _Kind = "device", sycl_queue: Any = None
) -> "Generator":
    """A generator of random numbers.

    Parameters
    ----------
    seed : int, sequence of int, numpy.random.SeedSequence or Generator, optional
        Default: unpredictable numbers of the system. A generator is returned as it is.
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
    usm_type : {"device", "shared", "host"}
        The USM kind of the arrays that the generator makes.
    sycl_queue : SyclQueue, optional

    Returns
    -------
    Generator

    Raises
    ------
    TypeError
        `seed` is of another type.
    ValueError
        A negative seed.

    Notes
    -----
    Source: numpy.random.default_rng.

    Examples
    --------
    >>> import usmtensor as usm
    >>> rng = usm.random.default_rng(42)
    >>> x = rng.random((2, 3))
    >>> x.shape
    (2, 3)
    """
    if isinstance(seed, Generator):
        return seed
    from numpy.random import SeedSequence  # few programs need it

    if not isinstance(seed, SeedSequence):
        seed = SeedSequence(None if seed is None else _entropy(seed))
    queue = normalize_queue("default_rng", device, sycl_queue)
    integer_array("default_rng", 0, "i8", usm_type, queue)  # an unknown kind is an error now
    return Generator(seed, queue, usm_type)


class Generator:
    """A stream of random numbers, made by `default_rng`.

    Threads may share one: each call takes numbers of its own. A copy or a pickle goes on with the
    same numbers, on the default device.

    Notes
    -----
    Philox 4x64 with ten rounds. `random_raw`, `random` and `integers` have equal bits on every
    device; the others are computed from these and differ by a few units in the last place.

    Examples
    --------
    >>> import usmtensor as usm
    >>> rng = usm.random.default_rng(42)
    >>> rng.normal(5.0, 2.0, size=3).shape
    (3,)
    """

    __slots__ = ("__weakref__", "_half", "_key", "_lock", "_next", "_queue", "_seeds", "_usm_type")

    _half: int | None
    _key: tuple[int, ...]
    _lock: threading.Lock
    _next: int
    _queue: usm.SyclQueue
    _seeds: Any
    _usm_type: _Kind

    def __new__(cls, seeds: Any, queue: usm.SyclQueue, usm_type: _Kind = "device") -> "Generator":
        require(queue, usm.SyclQueue, "Generator", "queue")
        if not hasattr(seeds, "generate_state"):
            raise wrong_type(seeds, "Generator", "seeds", "numpy.random.SeedSequence")
        self = super().__new__(cls)
        self._seeds, self._queue, self._usm_type = seeds, queue, usm_type
        self._key = tuple(int(word) for word in seeds.generate_state(2, numpy.uint64))
        self._next = 0  # the place of the next word
        self._half = None  # the place, in halves of words, of a half that was not taken
        self._lock = threading.Lock()
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._seeds, self._usm_type, self._next, self._half)

    def __repr__(self) -> str:
        return f"<usmtensor.random.Generator on {self._queue.sycl_device}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise _hints.missing("'Generator' object", name, self, _hints.RANDOM)

    # Words ---------------------------------------------------------------------------------------

    def _take(self, count: int, unit: int = 1) -> int:
        """The place of `count` words, in units of some words."""
        with self._lock:
            first = -(-self._next // unit)
            if count:
                self._next = first * unit + count
        return first

    def _take_halves(self, count: int) -> list[tuple[int, int]]:
        """Places and counts of that many halves of words: one may be left from an earlier call."""
        with self._lock:
            parts = [(self._half, 1)] if self._half is not None and count else []
            rest = count - len(parts)
            parts.append((2 * self._next, rest))
            self._next += (rest + 1) // 2
            if count:
                self._half = 2 * self._next - 1 if rest % 2 else None
        return parts

    def _uniform(self, x: usm_ndarray) -> usm_ndarray:
        """Fill an array with numbers from 0 to below 1."""
        if x.dtype == numpy.float64:
            fill(x, self._key, self._take(x.size))
            return x
        parts = self._take_halves(x.size)
        if len(parts) == 1:
            fill(x, self._key, parts[0][0])
            return x
        line = usm.reshape(x, (x.size,))
        done = 0
        for first, count in parts:
            fill(line[done : done + count], self._key, first)
            done += count
        if not x.flags.c_contiguous:
            x[...] = usm.reshape(line, x.shape)
        return x

    def random_raw(self, size: _Size = None) -> usm_ndarray:
        """Random words.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: no dimensions.

        Returns
        -------
        usm_ndarray
            An array of type uint64.

        Notes
        -----
        Source: numpy.random.Philox.random_raw.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).random_raw(3).dtype
        dtype('uint64')
        """
        x = integer_array("random_raw", size, "u8", self._usm_type, self._queue)
        fill(x, self._key, self._take(x.size))
        return x

    def bytes(self, length: SupportsIndex) -> bytes:
        """Random bytes, on the host.

        Parameters
        ----------
        length : int

        Returns
        -------
        bytes

        Notes
        -----
        Source: numpy.random.Generator.bytes.

        Examples
        --------
        >>> import usmtensor as usm
        >>> len(usm.random.default_rng(42).bytes(10))
        10
        """
        count = natural(length, "bytes", "length")
        return usm.asnumpy(self.random_raw(-(-count // 8))).tobytes()[:count]

    def spawn(self, n_children: SupportsIndex) -> list["Generator"]:
        """Generators of streams that are independent of this one and of each other.

        Parameters
        ----------
        n_children : int

        Returns
        -------
        list of Generator
            On the queue of this one.

        Notes
        -----
        Source: numpy.random.Generator.spawn.

        Examples
        --------
        >>> import usmtensor as usm
        >>> rngs = usm.random.default_rng(42).spawn(2)
        >>> [rng.integers(100, size=3).tolist() for rng in rngs]
        [[21, 45, 18], [77, 42, 1]]
        """
        count = natural(n_children, "spawn", "n_children")
        with self._lock:
            children = self._seeds.spawn(count)
        return [type(self)(child, self._queue, self._usm_type) for child in children]

    # Distributions -------------------------------------------------------------------------------

    def random(
        self, size: _Size = None, dtype: _DType = None, out: usm_ndarray | None = None
    ) -> usm_ndarray:
        """Numbers from 0 to below 1, each as likely as the others.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: that of `out`, or no dimensions.
        dtype : data type, optional
            float32 or float64. Default: that of `out`, or the device's default type.
        out : usm_ndarray, optional
            Receives the numbers.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        TypeError
            Another data type.
        ValueError
            `out` has another shape or type, or is read-only.

        Notes
        -----
        Source: numpy.random.Generator.random.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).random(3)
        usm_ndarray([0.08607763, 0.14155732, 0.27009304])
        """
        return self._uniform(self._result("random", size, dtype, out))

    def uniform(
        self, low: _Number = 0.0, high: _Number = 1.0, size: _Size = None, dtype: _DType = None
    ) -> usm_ndarray:
        """Numbers from `low` to below `high`, each as likely as the others.

        Parameters
        ----------
        low, high : number or usm_ndarray
        size : int or tuple of int, optional
            The shape. Default: that of the parameters together.
        dtype : data type, optional
            float32 or float64.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            `high` is below `low`.
        OverflowError
            The interval is longer than any number.

        Notes
        -----
        Source: numpy.random.Generator.uniform.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).uniform(10.0, 20.0, size=3)
        usm_ndarray([10.86077631, 11.41557324, 12.70093035])
        """
        start, stop = parameter(low, "uniform", "low"), parameter(high, "uniform", "high")
        span = stop - start
        if not isinstance(span, usm_ndarray):
            if not math.isfinite(span):
                raise OverflowError(
                    f"uniform: low is {start} and high is {stop}; expected a finite distance"
                )
            if span < 0:
                raise wrong_value(stop, "uniform", "high", f"{start}, the value of low, or more")
        x = self._result("uniform", size_of("uniform", size, start, stop), dtype)
        return _scaled(self._uniform(x), start, span)

    def standard_normal(
        self, size: _Size = None, dtype: _DType = None, out: usm_ndarray | None = None
    ) -> usm_ndarray:
        """Numbers of the normal distribution of mean 0 and variance 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: that of `out`, or no dimensions.
        dtype : data type, optional
            float32 or float64. Default: that of `out`, or the device's default type.
        out : usm_ndarray, optional
            Receives the numbers.

        Returns
        -------
        usm_ndarray

        Notes
        -----
        By the method of Box and Muller. Source: numpy.random.Generator.standard_normal.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).standard_normal(3)
        usm_ndarray([0.26723881, 0.32954926, 0.55770218])
        """
        x = self._result("standard_normal", size, dtype, out)
        pairs = (x.size + 1) // 2
        double = x.dtype == numpy.float64
        first = self._take(2 * pairs, 2) if double else self._take(pairs)
        fill(x, self._key, 2 * first, normal=True)
        return x

    def normal(
        self, loc: _Number = 0.0, scale: _Number = 1.0, size: _Size = None, dtype: _DType = None
    ) -> usm_ndarray:
        """Numbers of a normal distribution.

        Parameters
        ----------
        loc : number or usm_ndarray
            The mean.
        scale : number or usm_ndarray
            The standard deviation.
        size : int or tuple of int, optional
            The shape. Default: that of the parameters together.
        dtype : data type, optional
            float32 or float64.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            A negative `scale`.

        Notes
        -----
        Source: numpy.random.Generator.normal.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).normal(5.0, 2.0, size=3)
        usm_ndarray([5.53447762, 5.65909851, 6.11540436])
        """
        mean, deviation = parameter(loc, "normal", "loc"), _scale(scale, "normal")
        x = self.standard_normal(size_of("normal", size, mean, deviation), dtype)
        return _scaled(x, mean, deviation)

    def exponential(
        self, scale: _Number = 1.0, size: _Size = None, dtype: _DType = None
    ) -> usm_ndarray:
        """Numbers of an exponential distribution.

        Parameters
        ----------
        scale : number or usm_ndarray
            The mean.
        size : int or tuple of int, optional
            The shape. Default: that of `scale`.
        dtype : data type, optional
            float32 or float64.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            A negative `scale`.

        Notes
        -----
        Source: numpy.random.Generator.exponential.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).exponential(2.0, size=3)
        usm_ndarray([0.18001929, 0.30527075, 0.6296764 ])
        """
        mean = _scale(scale, "exponential")
        x = self._uniform(self._result("exponential", size_of("exponential", size, mean), dtype))
        usm.log1p(usm.negative(x, out=x), out=x)
        return usm.multiply(usm.negative(x, out=x), mean, out=x)

    def integers(
        self,
        low: SupportsIndex,
        high: SupportsIndex | None = None,
        size: _Size = None,
        dtype: npt.DTypeLike = "i8",
        endpoint: bool = False,
    ) -> usm_ndarray:
        """Integers from `low` to below `high`, each as likely as the others.

        Parameters
        ----------
        low, high : int
            One alone is `high`; then `low` is 0.
        size : int or tuple of int, optional
            The shape. Default: no dimensions.
        dtype : data type
            An integer type, or bool for 0 and 1.
        endpoint : bool
            Whether `high` may come as well.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        TypeError
            A bound is no integer, or `dtype` neither an integer type nor bool.
        ValueError
            There are no integers between the bounds, or the type does not hold them.

        Notes
        -----
        Source: numpy.random.Generator.integers.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).integers(1, 6, size=5, endpoint=True)
        usm_ndarray([1, 1, 2, 6, 2])
        """
        first = integer(low, "integers", "low")
        last = first if high is None else integer(high, "integers", "high")
        if high is None:
            first = 0
        stop, last = last, last if endpoint else last - 1
        x = integer_array("integers", size, dtype, self._usm_type, self._queue)
        least, most = 0, 1
        if x.dtype != bool:
            limits = numpy.iinfo(x.dtype)
            least, most = limits.min, limits.max
        if first < least:
            raise wrong_value(first, "integers", "low", f"{least} or more for {x.dtype}")
        if last > most:
            most += stop - last
            raise wrong_value(stop, "integers", "high", f"integers up to {most}")
        if last < first:
            raise wrong_value(stop, "integers", "high", f"more than {first}, the value of low")
        span = last - first + 1
        wide = span >> 32 != 0
        place = self._take(2 * x.size, 2) if wide else self._take(x.size)
        fill(x, self._key, place, first % 2**64, span % 2**64)
        return x

    # Orders --------------------------------------------------------------------------------------

    def _order(self, count: int) -> usm_ndarray:
        return usm.argsort(self.random_raw(count), stable=False)

    def permutation(self, x: SupportsIndex | usm_ndarray, axis: SupportsIndex = 0) -> usm_ndarray:
        """The elements of an array along an axis, or the integers below a number, in random order.

        Parameters
        ----------
        x : usm_ndarray or int
        axis : int

        Returns
        -------
        usm_ndarray

        Notes
        -----
        Source: numpy.random.Generator.permutation.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).permutation(5)
        usm_ndarray([0, 1, 4, 2, 3])
        """
        if not isinstance(x, usm_ndarray):
            expected = "an array of one dimension or more, or an integer"
            return self._order(natural(x, "permutation", "x", expected))
        along = axis_of(x, axis, "permutation")
        return usm.take(x, self._order(x.shape[along]), axis=along)

    def shuffle(self, x: usm_ndarray, axis: SupportsIndex = 0) -> None:
        """Bring the elements of an array along an axis into random order, in place.

        Parameters
        ----------
        x : usm_ndarray
        axis : int

        Raises
        ------
        ValueError
            `x` is read-only.

        Notes
        -----
        Source: numpy.random.Generator.shuffle.

        Examples
        --------
        >>> import usmtensor as usm
        >>> x = usm.arange(5)
        >>> usm.random.default_rng(42).shuffle(x)
        >>> x
        usm_ndarray([0, 1, 4, 2, 3])
        """
        require(x, usm_ndarray, "shuffle", "x")
        x[...] = self.permutation(x, axis_of(x, axis, "shuffle"))

    def choice(
        self,
        a: SupportsIndex | usm_ndarray,
        size: _Size = None,
        replace: bool = True,
        p: usm_ndarray | Sequence[float] | None = None,
        axis: SupportsIndex = 0,
    ) -> usm_ndarray:
        """Elements of an array along an axis, or integers below a number, chosen at random.

        Parameters
        ----------
        a : usm_ndarray or int
        size : int or tuple of int, optional
            How many, as a shape that replaces the axis. Default: one, without the axis.
        replace : bool
            Whether an element may be chosen more than once.
        p : usm_ndarray or sequence of float, optional
            The probability of each element. Default: all are as likely as each other.
        axis : int

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            There are fewer elements than are to be chosen, or `p` is not one number for each that
            sum to 1.

        Notes
        -----
        Source: numpy.random.Generator.choice.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).choice(usm.asarray([2, 3, 5, 7]), size=2, replace=False)
        usm_ndarray([2, 3])
        """
        if isinstance(a, usm_ndarray):
            along = axis_of(a, axis, "choice")
            count = a.shape[along]
        else:
            count = integer(a, "choice", "a", "an array of one dimension or more, or an integer")
        shape = size_of("choice", size)
        wanted = math.prod(shape)
        if count <= 0 and wanted:
            raise wrong_value(count, "choice", "a", "one element or more")
        weights = None if p is None else self._probabilities(p, count)
        if not replace and wanted > (count if weights is None else int(usm.count_nonzero(weights))):
            raise wrong_value(size, "choice", "size", "at most as many as can be chosen")
        if weights is None:
            places = self._places(count, wanted, replace)
        elif replace:
            steps = usm.cumulative_sum(weights)
            points = self.random(wanted, weights.dtype)
            places = usm.searchsorted(steps / steps[-1], points, side="right")
        else:
            # Each element waits an exponential time, whose rate is its probability: take the first.
            places = usm.argsort(self.exponential(1, count) / weights)[:wanted]
        if not isinstance(a, usm_ndarray):
            return usm.reshape(places, shape)
        chosen = usm.take(a, places, axis=along)
        return usm.reshape(chosen, a.shape[:along] + shape + a.shape[along + 1 :])

    def _places(self, count: int, wanted: int, replace: bool) -> usm_ndarray:
        if replace or wanted == 0:
            return self.integers(max(count, 1), size=wanted)
        if wanted > count // 4:
            return self._order(count)[:wanted]
        # The different ones of more places, each where it comes first.
        places = self.integers(count, size=0)
        while places.size < wanted:
            more = wanted + wanted * wanted // count + 4
            places = usm.concat((places, self.integers(count, size=more)))
            places = places[usm.sort(usm.unique_all(places).indices)]
        return places[:wanted]

    def _probabilities(self, p: Any, count: int) -> usm_ndarray:
        p = usm.asarray(p, dtype=usm.empty(0, sycl_queue=self._queue).dtype, sycl_queue=self._queue)
        if p.shape != (count,):
            raise ValueError(f"choice: p has shape {p.shape}; expected ({count},)")
        if not bool(usm.all(p >= 0)) or abs(float(usm.sum(p)) - 1) > 1e-6:
            raise ValueError("choice: p holds numbers that are negative or do not sum to 1")
        return p

    def _result(self, function: str, size: Any, dtype: Any, out: Any = None) -> usm_ndarray:
        return result(function, size, dtype, out, self._usm_type, self._queue)


def _entropy(seed: Any) -> int | list[int]:
    """A seed as integers of Python: NumPy follows lists that hold themselves without end."""
    if isinstance(seed, numpy.ndarray):
        seed = plain_array(seed, "default_rng: seed").tolist()
    several = isinstance(seed, (list, tuple))
    given = seed if several else [seed]
    expected = "an integer, a sequence of integers or a SeedSequence"
    words = [natural(word, "default_rng", "seed", expected) for word in given]
    return words if several else words[0]


def _restored(seeds: Any, usm_type: _Kind, place: int, half: int | None) -> Generator:
    generator = default_rng(seeds, usm_type=usm_type)
    generator._next, generator._half = place, half
    return generator


def _scale(value: Any, function: str) -> Any:
    value = parameter(value, function, "scale")
    if not isinstance(value, usm_ndarray) and not value >= 0:
        raise wrong_value(value, function, "scale", "a number that is not negative")
    return value


def _scaled(x: usm_ndarray, low: Any, scale: Any) -> usm_ndarray:
    usm.multiply(x, scale, out=x)
    return usm.add(x, low, out=x)
