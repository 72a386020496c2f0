"""Whether two threads have two cores.

A hypervisor moves virtual processors. For some seconds or minutes, two of them are threads of one
core or share a path to memory, and no library is much faster on both than on one.
"""

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
    x = _memory()
    start = perf_counter()
    x.max()
    alone = perf_counter() - start
    threads = [threading.Thread(target=half.max) for half in np.split(x, 2)]
    start = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return alone / (perf_counter() - start)


def wait_until_apart(end: float) -> bool:
    """Whether two threads have two cores before the time `end` of `perf_counter`."""
    while gain() < APART:
        if perf_counter() >= end:
            return False
        sleep(0.2)
    return True
