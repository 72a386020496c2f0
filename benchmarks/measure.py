"""Timing: subjects, and samples of several subjects taken in turn.

A subject is a function `sample(number)` that does its work `number` times and returns the mean of
one. Subjects that are compared are sampled repetition by repetition, in alternating order, so that
a machine that slows down slows all of them down; figures are medians over the repetitions.
"""

import math
import os
import subprocess
import sys
import tempfile
import timeit
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter

Subject = Callable[[int], float]

SAMPLE_SECONDS = 2e-3
MOST_CALLS = 100_000


def statement(code: str, namespace: dict) -> Subject:
    """Time of a Python statement; the loop around it costs about 10 ns a turn."""
    timer = timeit.Timer(code, globals=namespace)
    return lambda number: timer.timeit(number) / number


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


def first_call(cached: bool, delay: float = 0) -> Subject:
    """Time of a process's first operation, `delay` seconds after the default queue exists."""
    folder = tempfile.TemporaryDirectory()
    command = [sys.executable, "-P", "-c", FIRST_CALL, str(delay)]

    def once() -> float:
        if not cached:
            for file in Path(folder.name).iterdir():
                file.unlink()
        variables = {**os.environ, "USMTENSOR_CACHE": "1", "USMTENSOR_CACHE_DIR": folder.name}
        return float(subprocess.check_output(command, text=True, env=variables))

    return lambda number: sum(once() for _ in range(number)) / number


def interleave(subjects: Mapping[str, Subject], repetitions: int) -> dict[str, list[float]]:
    """Samples of every subject, by its name."""
    calls = {name: _calls_per_sample(sample) for name, sample in subjects.items()}
    samples: dict[str, list[float]] = {name: [] for name in subjects}
    order = list(subjects)
    for _ in range(repetitions):
        for name in order:
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
