"""Whether two threads have two cores.

A hypervisor moves virtual processors. For some seconds or minutes, two of them are threads of one
core or share a path to memory, and no library is much faster on both than on one.
"""

import os
import threading
from functools import cache
from time import perf_counter, sleep

import numpy as np

APART = 1.8


@cache
def _memory() -> np.ndarray:
    return np.ones(1 << 24, "f4")  # larger than caches


def gain() -> float:
    """How many times as fast as one thread two threads read memory."""
    halves = np.split(_memory(), 2)
    processors = sorted(os.sched_getaffinity(0))[:2]

    def read(threads: int) -> float:
        """The time of the slower thread."""
        ready, times = threading.Barrier(threads), []

        def work(processor: int, parts: list[np.ndarray]) -> None:
            os.sched_setaffinity(0, [processor])  # of this thread
            ready.wait()
            start = perf_counter()
            for part in parts:
                part.max()
            times.append(perf_counter() - start)

        shares = np.array_split(np.arange(2), threads)
        workers = [
            threading.Thread(target=work, args=(processor, [halves[k] for k in share]))
            for processor, share in zip(processors, shares, strict=False)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        return max(times)

    return read(1) / read(2)


def wait_until_apart(end: float) -> bool:
    """Whether two threads have two cores before the time `end` of `perf_counter`."""
    while gain() < APART:
        if perf_counter() >= end:
            return False
        sleep(0.2)
    return True
