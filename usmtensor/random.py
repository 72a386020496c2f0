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
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy
import numpy.typing as npt

import usmtensor as usm
from usmtensor import usm_ndarray
from usmtensor._composed.distributions import Distributions
from usmtensor._composed.random_streams import Kind, Size
from usmtensor._core import hints as _hints
from usmtensor._functions.philox import (
    axis_of,
    fill,
    integer_array,
    size_of,
)
from usmtensor._runtime.arguments import (
    integer,
    natural,
    plain_array,
    require,
    wrong_value,
)
from usmtensor._runtime.device import normalize_queue

__all__ = ["Generator", "default_rng"]

if not TYPE_CHECKING:  # which would take every name for known
    __getattr__, __dir__ = _hints.of_module("usmtensor.random", _hints.RANDOM)


def default_rng(
    seed: Any = None, *, device: Any = None, usm_type: Kind = "device", sycl_queue: Any = None
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


class Generator(Distributions):
    """A stream of random numbers, made by `default_rng`.

    Threads may share one: each call takes numbers of its own. A copy or a pickle goes on with the
    same numbers, on the default device.

    Notes
    -----
    Philox 4x64 with ten rounds. `random_raw`, `random` and `integers` have equal bits on every
    device; the others are computed from these and differ by a few units in the last place.
    Parameters may be numbers, lists, NumPy arrays or arrays on the device, which broadcast.

    Examples
    --------
    >>> import usmtensor as usm
    >>> rng = usm.random.default_rng(42)
    >>> rng.normal(5.0, 2.0, size=3).shape
    (3,)
    """

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._seeds, self._usm_type, self._next, self._half)

    def __repr__(self) -> str:
        return f"<usmtensor.random.Generator on {self._queue.sycl_device}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise _hints.missing("'Generator' object", name, self, _hints.RANDOM)

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

    def integers(
        self,
        low: SupportsIndex,
        high: SupportsIndex | None = None,
        size: Size = None,
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
        size: Size = None,
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


def _entropy(seed: Any) -> int | list[int]:
    """A seed as integers of Python: NumPy follows lists that hold themselves without end."""
    if isinstance(seed, numpy.ndarray):
        seed = plain_array(seed, "default_rng: seed").tolist()
    several = isinstance(seed, (list, tuple))
    given = seed if several else [seed]
    expected = "an integer, a sequence of integers or a SeedSequence"
    words = [natural(word, "default_rng", "seed", expected) for word in given]
    return words if several else words[0]


def _restored(seeds: Any, usm_type: Kind, place: int, half: int | None) -> Generator:
    generator = default_rng(seeds, usm_type=usm_type)
    generator._next, generator._half = place, half
    return generator
