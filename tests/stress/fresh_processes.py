"""Fresh processes that first use the library from 32 threads at once: none may hang or fail.

    python tests/stress/fresh_processes.py [--processes 1000] [--jobs 4] [--limit 60]

Each process makes its first queue, array, cast and copy in 32 threads that begin together, and
ends. A third of the processes find the kernels on disk, and a third compile them. The others find
them on disk, and leave daemon threads that work while the process exits. The exit status is 1 if a
process fails, writes to stderr or takes longer than the limit in seconds.
"""

import argparse
import collections
import concurrent.futures
import os
import subprocess
import sys
import time

CODE = """
import sys, threading
import numpy as np
import usmtensor as usm

barrier = threading.Barrier(32)
results = []

def work():
    x = usm.full(1000, 3, dtype="i4")
    y = usm.astype(x, "f4")
    y[::2] = 7
    return usm.asnumpy(usm.copy(y[::-1])).sum()

def first():
    barrier.wait()
    results.append(work())

def forever():
    while True:
        work()

threads = [threading.Thread(target=first) for _ in range(32)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert results == [5000] * 32, results
if sys.argv[1] == "daemons":
    for _ in range(4):
        threading.Thread(target=forever, daemon=True).start()
"""
MODES = ("disk", "compile", "daemons")


def run(number, limit):
    """The outcome of one process, and its seconds."""
    mode = MODES[number % len(MODES)]
    environment = os.environ | {"USMTENSOR_CACHE": "0" if mode == "compile" else "1"}
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-c", CODE, mode],
            env=environment,
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"{mode}: hangs", limit
    seconds = time.perf_counter() - start
    if done.returncode == 0 and not done.stderr:
        return "good", seconds
    return f"{mode}: exit status {done.returncode}, {done.stderr[-1000:]}", seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=4, help="processes at once")
    parser.add_argument("--limit", type=float, default=60, help="seconds that each may take")
    arguments = parser.parse_args()
    outcomes, longest = collections.Counter(), 0.0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        numbers = range(arguments.processes)
        for outcome, seconds in pool.map(lambda number: run(number, arguments.limit), numbers):
            outcomes[outcome] += 1
            longest = max(longest, seconds)
    for outcome, count in outcomes.most_common():
        print(f"{count:5d}  {outcome}")
    print(f"the longest took {longest:.1f} s")
    return int(outcomes["good"] != arguments.processes)


if __name__ == "__main__":
    sys.exit(main())
