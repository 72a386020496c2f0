"""Timing: subjects, and samples of several subjects taken in turn.

A subject is a function `sample(number)` that does its work `number` times and returns the mean
time. Compared subjects are sampled in alternating order, so that other load on the machine affects
all of them. Figures are medians over the repetitions.
"""

import math
import os
import subprocess
import sys
import tempfile
import threading
import timeit
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter, sleep

Subject = Callable[[int], float]

SAMPLE_SECONDS = 2e-3
MOST_CALLS = 100_000


def statement(code: str, namespace: dict) -> Subject:
    """Time of a Python statement; the loop around it costs about 10 ns a turn."""
    timer = timeit.Timer(code, globals=namespace)
    return lambda number: timer.timeit(number) / number


def submission(code: str, namespace: dict, wait: Callable[[], None]) -> Subject:
    """Time until a statement returns, called when all work of the previous call is complete.

    The median of the calls, of which the clock costs about 50 ns.
    """
    scope = dict(namespace)
    exec(f"def once(clock):\n    start = clock()\n    {code}\n    return clock() - start", scope)
    once = scope["once"]

    def sample(number: int) -> float:
        times = []
        for _ in range(number):
            times.append(once(perf_counter))
            wait()
        return median(times)

    return sample


def together(code: str, namespaces: list[dict], wait: Callable[[], None]) -> Subject:
    """Time per call if each namespace has a thread with a share of the calls; all work complete."""
    calls = 40_000 // len(namespaces)  # so many that starting threads does not count

    def sample(number: int) -> float:
        ready = threading.Barrier(len(namespaces) + 1)

        def work(namespace: dict) -> None:
            timer = timeit.Timer(code, globals=namespace)
            ready.wait()
            timer.timeit(calls)

        threads = [threading.Thread(target=work, args=(space,)) for space in namespaces]
        for thread in threads:
            thread.start()
        ready.wait()
        start = perf_counter()
        for thread in threads:
            thread.join()
        wait()
        return (perf_counter() - start) / (calls * len(namespaces))

    return sample


def constant(value: float) -> Subject:
    """A figure that needs no timing, such as a size."""
    return lambda number: value


def import_time(module: str, after: str = "sys") -> Subject:
    """Time of `import module` in a fresh interpreter that has imported `after` already."""
    code = (
        f"import time, {after}\n"
        "start = time.perf_counter()\n"
        f"import {module}\n"
        "print(time.perf_counter() - start)"
    )
    command = [sys.executable, "-P", "-c", code]

    def sample(number: int) -> float:
        runs = (subprocess.check_output(command, text=True) for _ in range(number))
        return sum(map(float, runs)) / number

    return sample


FIRST_RESULT = """
import sys, time
import numpy as np
x = np.resize(np.arange(101, dtype="f4"), int(sys.argv[1]))
if sys.argv[2] == "numpy":
    start = time.perf_counter()
    y = x.astype("f8")
else:
    import usmtensor as usm
    x = usm.asarray(x)
    wait = x.sycl_queue.wait
    wait()
    start = time.perf_counter()
    y = usm.astype(x, "f8")
    wait()
print(time.perf_counter() - start)
"""


def first_result(library: str, count: int) -> Subject:
    """Time of a process's first `astype` f4 → f8 of `count` elements, into memory never touched."""
    command = [sys.executable, "-P", "-c", FIRST_RESULT, str(count), library]

    def sample(number: int) -> float:
        runs = (float(subprocess.check_output(command, text=True)) for _ in range(number))
        return sum(runs) / number

    return sample


FIRST_CALL = """
import sys, time
import usmtensor as usm
queue = usm.get_device_cached_queue(usm.SyclDevice())
x = usm.empty(8, dtype="f4", sycl_queue=queue)
time.sleep(float(sys.argv[1]))
start = time.perf_counter()
usm.astype(x, "f8")
queue.wait()
print(time.perf_counter() - start)
"""


def first_call(cached: bool = False, delay: float = 0) -> Subject:
    """Time of a process's first operation, `delay` seconds after the default queue exists."""
    folder = tempfile.TemporaryDirectory()
    command = [sys.executable, "-P", "-c", FIRST_CALL, str(delay)]

    def once() -> float:
        if not cached:
            for file in Path(folder.name).iterdir():
                file.unlink()
        variables = {
            **os.environ,
            "USMTENSOR_CACHE": "1",
            "USMTENSOR_CACHE_DIR": folder.name,
        }
        return float(subprocess.check_output(command, text=True, env=variables))

    return lambda number: sum(once() for _ in range(number)) / number


def interleave(
    subjects: Mapping[str, Subject], repetitions: int, rest: float = 0
) -> dict[str, list[float]]:
    """Samples of every subject, by its name. `rest` seconds lie between two subjects; after them a
    subject warms up for as long, because its threads have gone to sleep."""
    calls = {name: _calls_per_sample(sample) for name, sample in subjects.items()}
    samples: dict[str, list[float]] = {name: [] for name in subjects}
    order = list(subjects)
    for _ in range(repetitions):
        for name in order:
            if rest:
                sleep(rest)
                end = perf_counter() + rest
                while perf_counter() < end:
                    subjects[name](calls[name])
            samples[name].append(subjects[name](calls[name]))
        order.reverse()
    return samples


def _calls_per_sample(sample: Subject) -> int:
    """Warm a subject up, and find how many calls make a sample long enough for the clock."""
    sample(1)  # cold: compiles, touches memory for the first time
    number = 1
    while number < MOST_CALLS:
        start = perf_counter()
        sample(number)
        elapsed = perf_counter() - start
        if elapsed >= SAMPLE_SECONDS / 2:
            return max(1, math.ceil(number * SAMPLE_SECONDS / elapsed))
        number *= 4
    return number


def summary(samples: list[float]) -> dict:
    """Median and extremes of one subject's samples, with the samples themselves."""
    return {
        "median": median(samples),
        "least": min(samples),
        "most": max(samples),
        "samples": samples,
    }
