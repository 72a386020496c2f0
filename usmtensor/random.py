"""Random numbers on a device, in the manner of NumPy's `Generator` and of its older functions.

A number depends only on the seed and its index in the stream, not on the device, its cores or the
number of threads. NumPy's `Generator(Philox(seed))` gives equal words, and equal results of
`random`.

Examples
--------
>>> import usmtensor as usm
>>> rng = usm.random.default_rng(42)
>>> rng.integers(1, 6, size=5, endpoint=True)  # five throws of a die
usm_ndarray([1, 1, 2, 6, 2])
"""

import inspect
import math
import threading
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, SupportsIndex, TypeVar

import numpy
import numpy.typing as npt

import usmtensor as usm
from usmtensor import usm_ndarray
from usmtensor._core import hints as _hints
from usmtensor._core.operands import copy_to_out
from usmtensor._core.typing import USMType
from usmtensor._functions.arguments import named_in_errors, require_one_of
from usmtensor._random.distributions import Distributions, Numbers, require_all, shape_for
from usmtensor._random.philox import (
    axis_of,
    fill,
    fill_from_words,
    integer_array,
    size_of,
)
from usmtensor._random.streams import BitGenerator, DType, Size
from usmtensor._runtime.arguments import (
    integer,
    natural,
    number,
    require,
    wrong_value,
)
from usmtensor._runtime.device import normalize_queue

__all__ = ["Generator", "RandomState", "beta", "binomial", "bytes", "chisquare", "choice"]
__all__ += ["default_rng", "dirichlet", "exponential", "f", "gamma", "geometric", "gumbel"]
__all__ += ["hypergeometric", "laplace", "logistic", "lognormal", "logseries", "multinomial"]
__all__ += ["multivariate_normal", "negative_binomial", "noncentral_chisquare", "noncentral_f"]
__all__ += ["normal", "pareto", "permutation", "poisson", "power", "rand", "randint", "randn"]
__all__ += ["random", "random_sample", "rayleigh", "seed", "shuffle", "standard_cauchy"]
__all__ += ["standard_exponential", "standard_gamma", "standard_normal", "standard_t", "triangular"]
__all__ += ["uniform", "vonmises", "wald", "weibull", "zipf"]

if not TYPE_CHECKING:  # with __getattr__, type checkers would accept any name
    __getattr__, __dir__ = _hints.of_module("usmtensor.random", _hints.RANDOM)


def default_rng(
    seed: Any = None, *, device: Any = None, usm_type: USMType = "device", sycl_queue: Any = None
) -> "Generator":
    """Make a generator of random numbers.

    Parameters
    ----------
    seed : int, sequence of int, numpy.random.SeedSequence, Generator or bit generator, optional
        Default: unpredictable entropy from the system. A Generator is returned unchanged. A bit
        generator restarts its stream.
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
        If `seed` is of another type.
    ValueError
        If the seed is negative.

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
    seed = BitGenerator(seed).seed_seq
    queue = normalize_queue("default_rng", device, sycl_queue)
    integer_array("default_rng", 0, "i8", usm_type, queue)  # raises now if the kind is unknown
    return Generator(seed, queue, usm_type)


class Generator(Distributions):
    """A stream of random numbers, made by `default_rng`.

    Threads may share a generator, because each call takes different numbers. A copy or a pickle
    continues with the same numbers, on the default device.

    Notes
    -----
    Philox 4x64 with ten rounds. `random_raw`, `random` and `integers` have equal bits on every
    device. The other methods are computed from these, and may differ by a few units in the last
    place.
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
        return _restored, (self._seeds, self._usm_type, self._next, self._half, type(self))

    def __repr__(self) -> str:
        return f"<usmtensor.random.{type(self).__name__} on {self._queue.sycl_device}>"

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise _hints.missing("'Generator' object", name, self, _hints.RANDOM)

    @property
    def bit_generator(self) -> Any:
        """An object with the seeds of the stream, `seed_seq`, which `default_rng` accepts."""
        return BitGenerator(self._seeds)

    def spawn(self, n_children: SupportsIndex) -> list["Generator"]:
        """Make generators with streams that are independent of this one and of each other.

        Parameters
        ----------
        n_children : int

        Returns
        -------
        list of Generator
            Generators on the queue of this one.

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
        low: Numbers,
        high: Numbers | None = None,
        size: Size = None,
        dtype: npt.DTypeLike = "i8",
        endpoint: bool = False,
    ) -> usm_ndarray:
        """Return uniform random integers from [low, high).

        Parameters
        ----------
        low, high : int or array_like
            The bounds. A single bound is `high`, and `low` is 0.
        size : int or tuple of int, optional
            The shape. Default: the shape to which the bounds broadcast.
        dtype : data type
            An integer type, or bool for 0 and 1.
        endpoint : bool
            If True, `high` is included.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        TypeError
            If a bound is not an integer, or `dtype` is neither an integer type nor bool.
        ValueError
            If there are no integers between the bounds, or the type cannot hold them.

        Notes
        -----
        Source: numpy.random.Generator.integers.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).integers(1, 6, size=5, endpoint=True)
        usm_ndarray([1, 1, 2, 6, 2])
        """
        if isinstance(low, _ARRAYS) or isinstance(high, _ARRAYS):
            return self._integers_between(low, high, size, dtype, endpoint)
        first = integer(low, "integers", "low")
        last = first if high is None else integer(high, "integers", "high")
        if high is None:
            first = 0
        stop, last = last, last if endpoint else last - 1
        x = integer_array("integers", size, dtype, self._usm_type, self._queue)
        least, most = _limits(x.dtype)
        if first < least:
            raise wrong_value(first, "integers", "low", f"{least} or more for {x.dtype}")
        if last > most:
            most += stop - last
            raise wrong_value(stop, "integers", "high", f"integers up to {most}")
        if last < first:
            raise wrong_value(stop, "integers", "high", f"more than {first}, the value of low")
        span = last - first + 1
        wide = span >> 32 != 0
        start = self._take(2 * x.size, 2) if wide else self._take(x.size)
        fill(x, self._key, start, first % 2**64, span % 2**64)
        return x

    def _integers_between(
        self, low: Any, high: Any, size: Size, dtype: npt.DTypeLike, endpoint: bool
    ) -> usm_ndarray:
        """Return integers between bounds that are arrays."""
        chosen = integer_array("integers", 0, dtype, self._usm_type, self._queue).dtype
        least, most = _limits(chosen)
        first, last = (0, low) if high is None else (low, high)
        first = self._bound(first, "low", (least, most), 0)
        last = self._bound(last, "high", (least, most), 0 if endpoint else 1)
        shape = shape_for("integers", size, [first, last])
        require_all(last, last >= first, "integers", "high", "more than the value of low")
        placement = {"usm_type": self._usm_type, "sycl_queue": self._queue}
        x, words = usm.empty(shape, dtype="i8", **placement), self.random_raw(shape)
        below = usm.full(shape, first, dtype="i8", **placement)
        span = usm.full(shape, last, dtype="u8", **placement) - usm.astype(below, "u8") + 1
        fill_from_words("integer", x, words, below, span)
        return usm.astype(x, chosen, copy=False)

    def _bound(self, value: Any, name: str, limits: tuple[int, int], less: int) -> usm_ndarray:
        """Return bounds as an array. `less` is 1 if the bounds are one above the last integer."""
        least, most = limits
        dtype = "u8" if most >= 2**63 else "i8"
        if not isinstance(value, _ARRAYS):
            value = integer(value, "integers", name) - less  # `high` itself may be 2**64
            if least <= value <= most:
                return usm.asarray(value, dtype=dtype, sycl_queue=self._queue)
            raise wrong_value(value + less, "integers", name, f"{least + less} to {most + less}")
        x = _on_device(value, "integers", name, self._queue)
        if x.dtype.kind not in "iu":
            raise TypeError(f"integers: {name} has data type {x.dtype}; expected integers")
        fits = (x >= least + less) & (x <= most + less)
        require_all(x, fits, "integers", name, f"{least + less} to {most + less}")
        return usm.astype(x, dtype) - less

    # Orders --------------------------------------------------------------------------------------

    def _order(self, count: int) -> usm_ndarray:
        return usm.argsort(self.random_raw(count), stable=False)

    def permutation(self, x: Numbers, axis: SupportsIndex = 0) -> usm_ndarray:
        """Return the elements of an array along an axis, or the integers below x, in random order.

        Parameters
        ----------
        x : array_like or int
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
        x = _count_or_array(x)
        if not isinstance(x, _ARRAYS):
            expected = "an array of one dimension or more, or an integer"
            return self._order(natural(x, "permutation", "x", expected))
        x = _on_device(x, "permutation", "x", self._queue)
        along = axis_of(x, axis, "permutation")
        return usm.take(x, self._order(x.shape[along]), axis=along)

    def shuffle(self, x: usm_ndarray, axis: SupportsIndex = 0) -> None:
        """Shuffle the elements of an array along an axis in place.

        Parameters
        ----------
        x : usm_ndarray
        axis : int

        Raises
        ------
        ValueError
            If `x` is read-only.

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

    def permuted(
        self, x: Numbers, *, axis: SupportsIndex | None = None, out: usm_ndarray | None = None
    ) -> usm_ndarray:
        """Shuffle the elements of an array, independently for each slice along an axis.

        Parameters
        ----------
        x : array_like
        axis : int, optional
            Default: all elements are shuffled.
        out : usm_ndarray, optional
            Receives the elements, and may be `x`.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            If `out` has another shape or type, or is read-only.

        Notes
        -----
        Source: numpy.random.Generator.permuted.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).permuted(usm.asarray([[1, 2, 3], [1, 2, 3]]), axis=1)
        usm_ndarray([[1, 2, 3],
                     [2, 3, 1]])
        """
        x = _on_device(x, "permuted", "x", self._queue)
        if axis is None:
            mixed = usm.reshape(usm.take(usm.reshape(x, -1), self._order(x.size)), x.shape)
        else:
            along = axis_of(x, axis, "permuted")
            order = usm.argsort(self.random_raw(x.shape), axis=along, stable=False)
            mixed = usm.take_along_axis(x, order, axis=along)
        return copy_to_out(mixed, out, "permuted")

    @named_in_errors
    def choice(
        self,
        a: Numbers,
        size: Size = None,
        replace: bool = True,
        p: Numbers | None = None,
        axis: SupportsIndex = 0,
        shuffle: bool = True,
    ) -> usm_ndarray:
        """Return random elements of an array along an axis, or random integers below a number.

        Parameters
        ----------
        a : array_like or int
        size : int or tuple of int, optional
            The shape that replaces the axis. Default: one element, without the axis.
        replace : bool
            If True, an element may be chosen more than once.
        p : array_like, optional
            The probability of each element. Default: uniform.
        axis : int
        shuffle : bool
            Accepted for compatibility. The order is always random.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            If there are fewer elements than requested, or `p` does not have a number for each
            element with a sum of 1.

        Notes
        -----
        Source: numpy.random.Generator.choice.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).choice(usm.asarray([2, 3, 5, 7]), size=2, replace=False)
        usm_ndarray([2, 3])
        """
        a = _count_or_array(a)
        if isinstance(a, _ARRAYS):
            a = _on_device(a, "choice", "a", self._queue)
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
            indices = self._random_indices(count, wanted, replace)
        elif replace:
            steps = usm.cumulative_sum(weights)
            points = self.random(wanted, weights.dtype)
            indices = usm.searchsorted(steps / steps[-1], points, side="right")
        else:
            # Exponential samples with the probabilities as rates: the smallest ones are chosen.
            indices = usm.argsort(self.exponential(1, count) / weights)[:wanted]
        if not isinstance(a, usm_ndarray):
            return usm.reshape(indices, shape)
        chosen = usm.take(a, indices, axis=along)
        return usm.reshape(chosen, a.shape[:along] + shape + a.shape[along + 1 :])

    def _random_indices(self, count: int, wanted: int, replace: bool) -> usm_ndarray:
        if replace or wanted == 0:
            return self.integers(max(count, 1), size=wanted)
        if wanted > count // 4:
            return self._order(count)[:wanted]
        # Draw more indices than needed, and keep the first occurrence of each.
        indices = self.integers(count, size=0)
        while indices.size < wanted:
            more = wanted + wanted * wanted // count + 4
            indices = usm.concat((indices, self.integers(count, size=more)))
            indices = indices[usm.sort(usm.unique_all(indices).indices)]
        return indices[:wanted]

    def _probabilities(self, p: Any, count: int) -> usm_ndarray:
        p = usm.asarray(p, dtype=usm.empty(0, sycl_queue=self._queue).dtype, sycl_queue=self._queue)
        if p.shape != (count,):
            raise ValueError(f"choice: p has shape {p.shape}; expected ({count},)")
        if not bool(usm.all(p >= 0)) or abs(float(usm.sum(p)) - 1) > 1e-6:
            raise ValueError("choice: p holds numbers that are negative or do not sum to 1")
        return p

    # Vectors -------------------------------------------------------------------------------------

    @named_in_errors
    def multivariate_normal(
        self,
        mean: Numbers,
        cov: Numbers,
        size: Size = None,
        check_valid: Literal["warn", "raise", "ignore"] = "warn",
        tol: float = 1e-8,
        *,
        method: Literal["svd", "eigh", "cholesky"] = "svd",
        dtype: DType = None,
    ) -> usm_ndarray:
        """Return vectors of a multivariate normal distribution.

        Parameters
        ----------
        mean : array_like
            The mean of each variable.
        cov : array_like
            The covariances: a symmetric matrix without negative eigenvalues.
        size : int or tuple of int, optional
            The shape before the axis of the variables. Default: one vector.
        check_valid : {"warn", "raise", "ignore"}
            What to do if `cov` is not valid.
        tol : float
            The tolerance for asymmetry and for negative eigenvalues.
        method : {"svd", "eigh", "cholesky"}
            How `cov` is factored. "svd" and "eigh" use its eigenvalues. "cholesky" is faster, but
            requires positive eigenvalues.
        dtype : data type, optional
            float32 or float64. Default: the device's default type.

        Returns
        -------
        usm_ndarray

        Raises
        ------
        ValueError
            If the shapes are not those of a vector and its covariance matrix, `cov` is not valid
            and `check_valid` is "raise", or `check_valid` or `method` is unknown.
        LinAlgError
            If an eigenvalue is not positive, and `method` is "cholesky".
        NotImplementedError
            If the device has no linear algebra library.

        Notes
        -----
        Source: numpy.random.Generator.multivariate_normal.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.default_rng(42).multivariate_normal([0, 5], [[1, 0.5], [0.5, 2]], size=2)
        usm_ndarray([[-0.0324901 ,  5.54338559],
                     [-0.77972755,  4.41525842]])
        """
        function = "multivariate_normal"
        require_one_of(check_valid, ("warn", "raise", "ignore"), function, "check_valid")
        require_one_of(method, ("svd", "eigh", "cholesky"), function, "method")
        tolerance = number(tol, function, "tol")
        _, dtype, (mean,) = self._given(function, None, dtype, mean=mean)
        _, _, (cov,) = self._given(function, None, dtype, cov=cov)
        if not isinstance(mean, usm_ndarray) or mean.ndim != 1:
            raise wrong_value(mean, function, "mean", "an array of one dimension")
        if not isinstance(cov, usm_ndarray) or cov.shape != mean.shape * 2:
            raise wrong_value(cov, function, "cov", f"a matrix of shape {mean.shape * 2}")
        x = self.standard_normal((*size_of(function, size), *mean.shape), dtype)
        if method == "cholesky":
            values, factor = None, usm.linalg.cholesky(cov)
        else:
            values, vectors = usm.linalg.eigh(cov)
            factor = vectors * usm.sqrt(usm.maximum(values, 0))
        is_valid = check_valid == "ignore" or (
            usm.allclose(cov, cov.T, rtol=tolerance, atol=tolerance)
            and (values is None or bool(usm.all(values >= -tolerance)))
        )
        if not is_valid:
            problem = f"{function}: cov is not symmetric without negative eigenvalues"
            if check_valid == "raise":
                raise ValueError(problem)
            warnings.warn(problem, RuntimeWarning, stacklevel=3)
        return usm.add(usm.matmul(x, factor.T), mean)


_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_ARRAYS: tuple[type, ...] = (list, tuple, numpy.ndarray, usm_ndarray)


def _count_or_array(value: Any) -> Any:
    """Return a 0-D array as a number. Other values are unchanged."""
    is_number = isinstance(value, numpy.ndarray | usm_ndarray) and value.ndim == 0
    return value.item() if is_number else value


def _on_device(x: Any, function: str, name: str, queue: usm.SyclQueue) -> usm_ndarray:
    """Convert a list or a NumPy array to an array on a device. Arrays are unchanged."""
    require(x, _ARRAYS, function, name, "an array")
    try:
        return x if isinstance(x, usm_ndarray) else usm.asarray(x, sycl_queue=queue)
    except (TypeError, ValueError) as error:
        raise type(error)(f"{function}: {name}: {error}") from None


def _limits(dtype: Any) -> tuple[int, int]:
    """Return the smallest and the largest integer of a type."""
    if dtype.kind == "b":
        return 0, 1
    limits = numpy.iinfo(dtype)
    return limits.min, limits.max


def _restored(
    seeds: Any,
    usm_type: USMType,
    next_word: int,
    half: int | None,
    cls: type[Generator] = Generator,
) -> Generator:
    generator: Generator = cls(seeds, normalize_queue("Generator", None, None), usm_type)
    generator._next, generator._half = next_word, half
    return generator


# NumPy's functions with a global stream ----------------------------------------------------------


class RandomState(Generator):
    """A stream of random numbers with the methods of NumPy's older class of this name.

    Parameters
    ----------
    seed : optional
        As in `default_rng`.
    queue : SyclQueue, optional
        Default: the queue of the default device.
    usm_type : {"device", "shared", "host"}
        The USM kind of the arrays.

    Notes
    -----
    The numbers are those of `default_rng` with the same seed, not those of NumPy's class.
    Compatible with numpy.random.RandomState.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.random.RandomState(42).rand(3)
    usm_ndarray([0.08607763, 0.14155732, 0.27009304])
    """

    __slots__ = ()

    def __new__(
        cls, seed: Any = None, queue: usm.SyclQueue | None = None, usm_type: USMType = "device"
    ) -> Any:
        if queue is None:
            queue = normalize_queue("RandomState", None, None)
        require(queue, usm.SyclQueue, "RandomState", "queue")
        integer_array("RandomState", 0, "i8", usm_type, queue)  # raises if the kind is unknown
        seeds = seed if hasattr(seed, "generate_state") else BitGenerator(seed).seed_seq
        return super().__new__(cls, seeds, queue, usm_type)

    @named_in_errors
    def seed(self, seed: Any = None) -> None:
        """Begin the stream of a seed.

        Parameters
        ----------
        seed : optional
            As in `default_rng`.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.seed(42)
        >>> usm.random.rand(3)
        usm_ndarray([0.08607763, 0.14155732, 0.27009304])
        """
        self._begin(BitGenerator(seed).seed_seq)

    @named_in_errors
    def random_sample(self, size: Size = None) -> usm_ndarray:
        """Return uniform samples from [0, 1).

        Parameters
        ----------
        size : int or tuple of int, optional
            The shape. Default: ().

        Returns
        -------
        usm_ndarray

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.RandomState(42).random_sample(3)
        usm_ndarray([0.08607763, 0.14155732, 0.27009304])
        """
        return self.random(size)

    @named_in_errors
    def rand(self, *dims: SupportsIndex) -> usm_ndarray:
        """Return uniform samples from [0, 1).

        Parameters
        ----------
        *dims : int
            The extents.

        Returns
        -------
        usm_ndarray

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.RandomState(42).rand(3, 2).shape
        (3, 2)
        """
        return self.random(dims)

    @named_in_errors
    def randn(self, *dims: SupportsIndex) -> usm_ndarray:
        """Return samples from the normal distribution of mean 0 and variance 1.

        Parameters
        ----------
        *dims : int
            The extents.

        Returns
        -------
        usm_ndarray

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.RandomState(42).randn(3)
        usm_ndarray([0.26723881, 0.32954926, 0.55770218])
        """
        return self.standard_normal(dims)

    @named_in_errors
    def randint(
        self,
        low: Numbers,
        high: Numbers | None = None,
        size: Size = None,
        dtype: npt.DTypeLike = int,
    ) -> usm_ndarray:
        """Return uniform random integers from [low, high).

        Parameters
        ----------
        low, high, size, dtype
            As in `Generator.integers`.

        Returns
        -------
        usm_ndarray

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.random.RandomState(42).randint(1, 7, size=5)
        usm_ndarray([1, 1, 2, 6, 2])
        """
        return self.integers(low, high, size, dtype)


class _GlobalState(RandomState):
    """The stream of the functions below, whose arrays are on the default device."""

    __slots__ = ()

    def __new__(cls) -> Any:
        self = object.__new__(cls)  # without a queue, because an import chooses no device
        self._usm_type, self._lock = "device", threading.Lock()
        self._begin(BitGenerator().seed_seq)
        return self

    @property
    def _queue(self) -> usm.SyclQueue:
        queue: usm.SyclQueue = normalize_queue("random", None, None)
        return queue

    @_queue.setter
    def _queue(self, queue: usm.SyclQueue) -> None:
        pass


_STATE = _GlobalState()


def _with_state(
    method: Callable[Concatenate[Any, _Parameters], _Result],
) -> Callable[_Parameters, _Result]:
    """Make a function of the module that calls a method of the global stream."""

    def call(*args: _Parameters.args, **keywords: _Parameters.kwargs) -> _Result:
        return method(_STATE, *args, **keywords)

    _, *parameters = inspect.signature(method).parameters.values()
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = method.__name__
    call.__doc__ = method.__doc__
    return call


beta = _with_state(RandomState.beta)
binomial = _with_state(RandomState.binomial)
bytes = _with_state(RandomState.bytes)
chisquare = _with_state(RandomState.chisquare)
choice = _with_state(RandomState.choice)
dirichlet = _with_state(RandomState.dirichlet)
exponential = _with_state(RandomState.exponential)
f = _with_state(RandomState.f)
gamma = _with_state(RandomState.gamma)
geometric = _with_state(RandomState.geometric)
gumbel = _with_state(RandomState.gumbel)
hypergeometric = _with_state(RandomState.hypergeometric)
laplace = _with_state(RandomState.laplace)
logistic = _with_state(RandomState.logistic)
lognormal = _with_state(RandomState.lognormal)
logseries = _with_state(RandomState.logseries)
multinomial = _with_state(RandomState.multinomial)
multivariate_normal = _with_state(RandomState.multivariate_normal)
negative_binomial = _with_state(RandomState.negative_binomial)
noncentral_chisquare = _with_state(RandomState.noncentral_chisquare)
noncentral_f = _with_state(RandomState.noncentral_f)
normal = _with_state(RandomState.normal)
pareto = _with_state(RandomState.pareto)
permutation = _with_state(RandomState.permutation)
poisson = _with_state(RandomState.poisson)
power = _with_state(RandomState.power)
rand = _with_state(RandomState.rand)
randint = _with_state(RandomState.randint)
randn = _with_state(RandomState.randn)
random = _with_state(RandomState.random)
random_sample = _with_state(RandomState.random_sample)
rayleigh = _with_state(RandomState.rayleigh)
seed = _with_state(RandomState.seed)
shuffle = _with_state(RandomState.shuffle)
standard_cauchy = _with_state(RandomState.standard_cauchy)
standard_exponential = _with_state(RandomState.standard_exponential)
standard_gamma = _with_state(RandomState.standard_gamma)
standard_normal = _with_state(RandomState.standard_normal)
standard_t = _with_state(RandomState.standard_t)
triangular = _with_state(RandomState.triangular)
uniform = _with_state(RandomState.uniform)
vonmises = _with_state(RandomState.vonmises)
wald = _with_state(RandomState.wald)
weibull = _with_state(RandomState.weibull)
zipf = _with_state(RandomState.zipf)
