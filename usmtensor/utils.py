"""Helpers for libraries that use this one; most are compatible with `dpctl.utils`.

Examples
--------
>>> import usmtensor as usm
>>> x, y = usm.ones(3, usm_type="shared"), usm.ones(3, usm_type="host")
>>> queue = usm.utils.get_execution_queue([x.sycl_queue, y.sycl_queue])
>>> kind = usm.utils.get_coerced_usm_type([x.usm_type, y.usm_type])
>>> usm.empty(3, usm_type=kind, sycl_queue=queue).usm_type
'shared'
"""

import threading
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from usmtensor._core.array import usm_ndarray
from usmtensor._core.hints import of_module
from usmtensor._runtime.arguments import (
    integer,
    one_of,
    require,
    require_all,
    wrong_type,
    wrong_value,
)
from usmtensor._runtime.device import synchronize
from usmtensor._runtime.errors import ExecutionPlacementError
from usmtensor._runtime.queue import SyclEvent, SyclQueue, is_pending

__all__ = ["ExecutionPlacementError", "SequentialOrderManager", "benchmark"]
__all__ += ["get_coerced_usm_type", "get_execution_queue", "is_usmtensor_array"]
__all__ += ["validate_usm_type"]

if TYPE_CHECKING:
    import usmtensor  # for its stub
else:  # with __getattr__, type checkers would accept any name
    __getattr__, __dir__ = of_module("usmtensor.utils")

_USM_TYPES = ("device", "shared", "host")  # the most device-like first


class _Times(NamedTuple):
    """The seconds until each call returned, and until its work was complete."""

    calls: tuple[float, ...]
    complete: tuple[float, ...]

    def __repr__(self) -> str:
        lines = [f"{'':10}{'median':>12}{'least':>12}{'most':>12}"]
        for name, times in (("call", self.calls), ("complete", self.complete)):
            least, *_, most = ordered = sorted((*times, *times))
            median = (ordered[len(times) - 1] + ordered[len(times)]) / 2
            shown = "".join(f"{seconds * 1e6:>9.1f} µs" for seconds in (median, least, most))
            lines.append(f"{name:10}{shown}")
        return "\n".join(lines)


def benchmark(
    function: Callable[..., Any], /, *args: Any, repeat: int = 20, **keywords: Any
) -> _Times:
    """Measure calls of a function, including the work on devices.

    Parameters
    ----------
    function : callable
    *args : object
        The arguments of the function.
    repeat : int
        The number of measured calls, after a few warm-up calls.
    **keywords : object
        The keyword arguments of the function.

    Returns
    -------
    tuple of two tuples of float
        `calls` has the seconds until each call returned, and `complete` the seconds until its work
        was complete. The repr is a table of medians and extremes.

    Raises
    ------
    TypeError
        If `function` cannot be called, or `repeat` is not an integer.
    ValueError
        If `repeat` is less than 1.

    Notes
    -----
    Waits for the default queue and for the queues of array arguments before and after each call.
    Similar to cupyx.profiler.benchmark.

    Examples
    --------
    >>> import usmtensor as usm
    >>> times = usm.utils.benchmark(usm.sqrt, usm.ones(1000), repeat=5)
    >>> len(times.complete), min(times.complete) > 0
    (5, True)
    >>> print(str(times).splitlines()[0])
                    median       least        most
    """
    if not callable(function):
        raise wrong_type(function, "benchmark", "function", "a callable")
    count = integer(repeat, "benchmark", "repeat")
    if count < 1:
        raise wrong_value(repeat, "benchmark", "repeat", "1 or more")
    calls, complete = [], []
    given = [getattr(value, "sycl_queue", None) for value in (*args, *keywords.values())]
    queues = [None, *(queue for queue in given if isinstance(queue, SyclQueue))]
    for k in range(-_WARM_UP, count):
        for queue in queues:
            synchronize(queue)
        start = perf_counter()
        function(*args, **keywords)
        returned = perf_counter()
        for queue in queues:
            synchronize(queue)
        if k >= 0:
            calls.append(returned - start)
            complete.append(perf_counter() - start)
    return _Times(tuple(calls), tuple(complete))


_WARM_UP = 3  # the number of warm-up calls, which load kernels


def get_execution_queue(qs: Sequence[SyclQueue], /) -> SyclQueue | None:
    """Return the queue on which a function of several arrays must run. dpctl-compatible.

    Parameters
    ----------
    qs : list or tuple of SyclQueue
        The queues of the arrays.

    Returns
    -------
    SyclQueue or None
        The queue if all are equal; None if they differ or there is none.

    Raises
    ------
    TypeError
        If `qs` is not a list or tuple of queues.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x, y = usm.ones(3), usm.zeros(3)
    >>> usm.utils.get_execution_queue([x.sycl_queue, y.sycl_queue]) == x.sycl_queue
    True
    >>> print(usm.utils.get_execution_queue([x.sycl_queue, usm.SyclQueue()]))
    None
    """
    require_all(qs, SyclQueue, "get_execution_queue", "qs")
    if not qs or any(queue != qs[0] for queue in qs[1:]):
        return None
    return qs[0]


def get_coerced_usm_type(usm_types: Sequence[str], /) -> str | None:
    """Return the USM type of a function's result from the types of its arrays. dpctl-compatible.

    Parameters
    ----------
    usm_types : list or tuple of {"device", "shared", "host"}

    Returns
    -------
    str or None
        The most device-like type: "device" before "shared" before "host". None if the sequence is
        empty or has another word.

    Raises
    ------
    TypeError
        If `usm_types` is not a list or tuple of str.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.utils.get_coerced_usm_type(["host", "shared"])
    'shared'
    """
    require_all(usm_types, str, "get_coerced_usm_type", "usm_types")
    if not usm_types or any(usm_type not in _USM_TYPES for usm_type in usm_types):
        return None
    return min(usm_types, key=_USM_TYPES.index)


def is_usmtensor_array(x: object, /) -> "TypeGuard[usmtensor.usm_ndarray]":
    """Return True if an object is an array of this library.

    Named like `is_numpy_array` of array-api-compat. The last example does not import usmtensor.

    Parameters
    ----------
    x : object
        An array of any shape and data type, or any other object.

    Returns
    -------
    bool

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.utils.is_usmtensor_array(usm.ones(3))
    True
    >>> usm.utils.is_usmtensor_array([1.0, 1.0, 1.0])
    False

    No object is such an array unless usmtensor has been imported:

    >>> import sys
    >>> def is_usmtensor_array(x):
    ...     usmtensor = sys.modules.get("usmtensor")
    ...     return usmtensor is not None and usmtensor.utils.is_usmtensor_array(x)
    ...
    >>> is_usmtensor_array(3)
    False
    """
    return isinstance(x, usm_ndarray)


def validate_usm_type(usm_type: str | None, /, *, allow_none: bool = True) -> None:
    """Raise unless the argument names a USM type. dpctl-compatible.

    Parameters
    ----------
    usm_type : str or None
        "device", "shared" or "host".
    allow_none : bool, optional
        If True, None is allowed.

    Raises
    ------
    TypeError
        If `usm_type` is not a str, or is None and `allow_none` is False.
    ValueError
        If it is another word.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.utils.validate_usm_type("shared")
    >>> usm.utils.validate_usm_type("disk")
    Traceback (most recent call last):
    ...
    ValueError: validate_usm_type: usm_type is 'disk'; expected 'device', 'shared' or 'host'
    """
    if usm_type is not None or not allow_none:
        one_of(usm_type, _USM_TYPES, "validate_usm_type", "usm_type")


class _QueueOrder(NamedTuple):
    """The events of user commands on a queue, which later commands must wait for."""

    queue: SyclQueue

    @property
    def submitted_events(self) -> list[SyclEvent]:
        """list of SyclEvent: The added events that are not complete yet."""
        return [event for event in _pending.get(self.queue, ()) if is_pending(event)]

    def add_event_pair(self, host_task_event: Any, computation_event: Any, /) -> None:
        """Add the events of a user command.

        Parameters
        ----------
        host_task_event, computation_event : SyclEvent or list of SyclEvent
            `wait` waits for both; later commands must wait for both too.

        Raises
        ------
        TypeError
            If an argument is anything else.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> order = usm.utils.SequentialOrderManager[queue]
        >>> event = queue.submit_barrier()  # of a kernel of your own, for instance
        >>> order.add_event_pair([], event)
        >>> order.wait()
        """
        added: list[SyclEvent] = []
        for argument, events in (
            ("host_task_event", host_task_event),
            ("computation_event", computation_event),
        ):
            events = [events] if isinstance(events, SyclEvent) else events
            added += require_all(events, SyclEvent, "add_event_pair", argument)
        with _adding:
            _pending[self.queue] = self.submitted_events + added

    def wait(self) -> None:
        """Wait for all added events and for the queue.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.utils.SequentialOrderManager[usm.SyclQueue()].wait()
        """
        SyclEvent.wait_for(_pending.pop(self.queue, []))
        self.queue.wait()


# Queues without new events since their last wait have no entry.
_pending: dict[SyclQueue, list[SyclEvent]] = {}
_adding = threading.Lock()


class _OrderManager:
    """SequentialOrderManager[queue]

    Keeps user commands in order, with one sequence for each queue. dpctl-compatible.

    usmtensor orders its own operations, also after earlier commands on their queues. So this class
    only keeps the added events.

    Raises
    ------
    TypeError
        If `queue` is not a SyclQueue.

    Examples
    --------
    >>> import usmtensor as usm
    >>> queue = usm.SyclQueue()
    >>> order = usm.utils.SequentialOrderManager[queue]
    >>> order.add_event_pair([], queue.submit_barrier())
    >>> order.wait()
    >>> order.submitted_events
    []
    """

    __slots__ = ()

    def __getitem__(self, queue: SyclQueue) -> _QueueOrder:
        return _QueueOrder(require(queue, SyclQueue, "SequentialOrderManager", "the key"))


SequentialOrderManager = _OrderManager()
