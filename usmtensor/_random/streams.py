"""Streams of counter-based random words, and samples that need one or two words."""

import threading
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeAlias

import numpy
import numpy.typing as npt

import usmtensor._functions as usm
from usmtensor._core.array import usm_ndarray
from usmtensor._core.typing import USMType
from usmtensor._random.philox import fill, integer_array, result
from usmtensor._runtime.arguments import natural, plain_array, require, wrong_type
from usmtensor._runtime.queue import SyclQueue

Size: TypeAlias = SupportsIndex | Sequence[SupportsIndex] | None
DType: TypeAlias = npt.DTypeLike | None


class BitGenerator:
    """The seeds of a stream of random numbers, in the form that dask expects."""

    __module__ = "usmtensor.random"  # the path in pickles
    __slots__ = ("_seed_seq",)

    _seed_seq: Any

    def __new__(cls, seed: Any = None) -> Any:
        from numpy.random import SeedSequence  # imported here, because few programs need it

        if isinstance(seed, BitGenerator):
            seed = seed._seed_seq
        elif not isinstance(seed, SeedSequence):
            seed = SeedSequence(None if seed is None else _entropy(seed))
        self = super().__new__(cls)
        self._seed_seq = seed
        return self

    @property
    def seed_seq(self) -> Any:
        """numpy.random.SeedSequence: the seeds."""
        return self._seed_seq

    def __reduce__(self) -> tuple[Any, ...]:
        return BitGenerator, (self._seed_seq,)


def _entropy(seed: Any) -> int | list[int]:
    """Return a seed as Python integers. NumPy would not return for a list that contains itself."""
    if isinstance(seed, numpy.ndarray):
        seed = plain_array(seed, "default_rng: seed").tolist()
    several = isinstance(seed, (list, tuple))
    given = seed if several else [seed]
    expected = "an integer, a sequence of integers or a SeedSequence"
    words = [natural(word, "default_rng", "seed", expected) for word in given]
    return words if several else words[0]


class Stream:
    """A stream of random words, with samples that need one or two words."""

    __slots__ = ("__weakref__", "_half", "_key", "_lock", "_next", "_queue", "_seeds", "_usm_type")

    _half: int | None
    _key: tuple[int, ...]
    _lock: threading.Lock
    _next: int
    _queue: SyclQueue
    _seeds: Any
    _usm_type: USMType

    def __new__(cls, seeds: Any, queue: SyclQueue, usm_type: USMType = "device") -> Any:
        require(queue, SyclQueue, "Generator", "queue")
        if not hasattr(seeds, "generate_state"):
            raise wrong_type(seeds, "Generator", "seeds", "numpy.random.SeedSequence")
        self = super().__new__(cls)
        self._queue, self._usm_type, self._lock = queue, usm_type, threading.Lock()
        self._begin(seeds)
        return self

    def _begin(self, seeds: Any) -> None:
        """Begin the stream of the seeds."""
        with self._lock:
            self._seeds = seeds
            self._key = tuple(int(word) for word in seeds.generate_state(2, numpy.uint64))
            self._next = 0  # the index of the next word
            self._half = None  # the index, in half words, of an unused half word

    def _take(self, count: int, unit: int = 1) -> int:
        """Take `count` words, aligned to `unit` words, and return the index of the first."""
        with self._lock:
            first = -(-self._next // unit)
            if count:
                self._next = first * unit + count
        return first

    def _take_halves(self, count: int) -> list[tuple[int, int]]:
        """Take `count` half words, beginning with an unused one, and return indices and counts."""
        with self._lock:
            parts = [(self._half, 1)] if self._half is not None and count else []
            rest = count - len(parts)
            parts.append((2 * self._next, rest))
            self._next += (rest + 1) // 2
            if count:
                self._half = 2 * self._next - 1 if rest % 2 else None
        return parts

    def _uniform(self, x: usm_ndarray) -> usm_ndarray:
        """Fill an array with uniform samples from [0, 1)."""
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

    def random_raw(self, size: Size = None) -> usm_ndarray:
        """Return random words.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: ().

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
        """Return random bytes on the host.

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

    def random(
        self, size: Size = None, dtype: DType = None, out: usm_ndarray | None = None
    ) -> usm_ndarray:
        """Return uniform samples from [0, 1).

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: the shape of `out`, or ().
        dtype : data type, optional
            float32 or float64. Default: the type of `out`, or the device's default type.
        out : usm_ndarray, optional
            An array for the result.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        TypeError
            If the data type is not float32 or float64.
        ValueError
            If `out` has another shape or type, or is read-only.

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

    def standard_normal(
        self, size: Size = None, dtype: DType = None, out: usm_ndarray | None = None
    ) -> usm_ndarray:
        """Return samples from the normal distribution of mean 0 and variance 1.

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: the shape of `out`, or ().
        dtype : data type, optional
            float32 or float64. Default: the type of `out`, or the device's default type.
        out : usm_ndarray, optional
            An array for the result.

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

    def _result(self, function: str, size: Any, dtype: Any, out: Any = None) -> usm_ndarray:
        return result(function, size, dtype, out, self._usm_type, self._queue)
