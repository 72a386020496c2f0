"""`python -m benchmarks.first_calls [--only PATTERN] [--repetitions N] [--elements N]`.

Measures what a new user waits for: the package has no machine code, so a device compiles each
kernel at its first use. Each figure is the median of several fresh processes:

* the whole process of a script that calls each family of operations once with 1,024 elements, with
  an empty cache of kernels and with the cache that the same script has filled
* of each family the first call with 2^24 elements in a process with an empty cache, and a later
  call, when all its kernels are compiled. The device exists for as long as it takes to copy the
  operands to it. The difference is the price of the first call: the compilation of its kernels, or
  work on one core meanwhile, and the first touch of new memory. A difference of more than 150 ms is
  marked.

Other load on the machine counts, so let it be idle.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from statistics import median
from time import perf_counter

SMALL, LARGE = 1 << 10, 1 << 24
LIMIT = 0.15  # seconds

# The operands, from n = 0, 1, 2, ...; a call gets those that it names.
OPERANDS = {
    "x": "(n % 1009 / 1009 + 0.5).astype('f4')",
    "y": "(n % 997 / 997 + 0.5).astype('f4')",
    "d": "n % 1009 / 1009 + 0.5",
    "h": "(n % 1009 / 1009).astype('f2')",
    "z": "(n % 1009 / 1009 + 0.5j).astype('c8')",
    "i": "(n % 10007).astype('i4')",
    "k": "(n % 1013 + 1).astype('i4')",
    "j": "n * 7919 % n.size",  # a permutation
    "m": "n % 3 == 0",
    "a": "(n % 1009).astype('f4').reshape(SIDE, SIDE)",
    "b": "(n % 1009).astype('i4').reshape(SIDE, SIDE)",
    "c": "(n[: 8 * SIDE] % 1013).astype('i4').reshape(SIDE, 8)",
    "s": "np.arange(1024) / np.float32(1024)",
}


@dataclass(frozen=True)
class Family:
    name: str
    code: str


def own(statements: str, operand: str) -> str:
    return f"usm.ElementwiseKernel('T x', 'T y', {statements!r}, 'own')({operand})"


FAMILIES = [
    Family("cast", "usm.astype(x, 'f8')"),
    Family("cast to float16", "usm.astype(i, 'f2')"),
    Family("copy of a transpose", "usm.copy(a.T)"),
    Family("fill", "usm.full(x.size, 3.0)"),
    Family("arange", "usm.arange(x.size)"),
    Family("add", "x + y"),
    Family("multiply by a number", "d * 2.0"),
    Family("add float16", "h + h"),
    Family("add strided", "x[::2] + y[::2]"),
    Family("add a row", "a + a[0]"),
    Family("add in place", "usm.add(x, y, out=y)"),
    Family("divide integers", "i // k"),
    Family("complex multiply", "z * z"),
    Family("compare", "x < y"),
    Family("where", "usm.where(m, x, y)"),
    Family("clip", "usm.clip(x, 0.7, 0.9)"),
    Family("bitwise", "i ^ k"),
    Family("round", "usm.round(x)"),
    Family("exp", "usm.exp(x)"),
    Family("sin", "usm.sin(x)"),
    Family("sin float64", "usm.sin(d)"),
    Family("power", "x ** y"),
    Family("exp complex", "usm.exp(z)"),
    Family("sum", "usm.sum(x)"),
    Family("sum axis 0", "usm.sum(a, axis=0)"),
    Family("sum axis 1", "usm.sum(a, axis=1)"),
    Family("max", "usm.max(x)"),
    Family("std", "usm.std(x)"),
    Family("all", "usm.all(m)"),
    Family("argmax", "usm.argmax(x)"),
    Family("argmax axis 0", "usm.argmax(a, axis=0)"),
    Family("cumulative_sum", "usm.cumulative_sum(x)"),
    Family("take", "usm.take(x, j)"),
    Family("select by a mask", "x[m]"),
    Family("assign by a mask", "x[m] = 0"),
    Family("assign by indices", "x[j] = y"),
    Family("nonzero", "usm.nonzero(m)"),
    Family("sort", "usm.sort(x)"),
    Family("argsort", "usm.argsort(x)"),
    Family("unique_values", "usm.unique_values(i)"),
    Family("searchsorted", "usm.searchsorted(s, x)"),
    Family("bincount", "usm.bincount(i)"),
    Family("matmul of integers", "b @ c"),
    Family("vecdot", "usm.vecdot(a, a)"),
    Family("random", "usm.random.default_rng(0).random(x.size, dtype='f4')"),
    Family("normal", "usm.random.default_rng(0).standard_normal(x.size)"),
    Family("concat", "usm.concat([x, y])"),
    Family("roll", "usm.roll(a, 3, axis=1)"),
    Family("your kernel", own("y = exp(x)", "x")),
    Family("your kernel with other functions", own("y = sycl::native::exp(x)", "x")),
    Family("your complex kernel", own("y = x * x", "z")),
]

START = """
import sys, time
import numpy as np
import usmtensor as usm
n = np.arange(int(sys.argv[1]))
SIDE = int(n.size ** 0.5)
{operands}
wait = usm.get_device_cached_queue(usm.SyclDevice()).wait
"""

CALL = """
def timed():
    start = time.perf_counter()
    {code}
    wait()
    return time.perf_counter() - start
wait()
first = timed()
timed()
time.sleep(1)  # kernels compile in the background
print(first, min(timed(), timed()))
"""


def script(families: list[Family], body: str) -> str:
    """A program that makes the operands of these families and runs `body`."""
    words = set(re.findall(r"\w+", " ".join(family.code for family in families)))
    operands = [f"{name} = {text}" for name, text in OPERANDS.items() if name in words]
    operands += [f"{name} = usm.asarray({name})" for name in OPERANDS if name in words]
    return START.format(operands="\n".join(operands)) + body


def run(program: str, elements: int, folder: str) -> str:
    variables = {**os.environ, "USMTENSOR_CACHE": "1", "USMTENSOR_CACHE_DIR": folder}
    command = [sys.executable, "-P", "-c", program, str(elements)]
    return subprocess.check_output(command, text=True, env=variables)


def whole_process(families: list[Family], repetitions: int) -> tuple[float, float]:
    """The time of a process with an empty cache, and with a full one."""
    body = "\n".join(family.code for family in families) + "\nwait()\n"
    program = script(families, body)
    cold, warm = [], []
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            for times in (cold, warm):
                start = perf_counter()
                run(program, SMALL, folder)
                times.append(perf_counter() - start)
    return median(cold), median(warm)


def first_and_later(family: Family, elements: int, repetitions: int) -> tuple[float, float]:
    program = script([family], CALL.format(code=family.code))
    pairs = []
    for _ in range(repetitions):
        with tempfile.TemporaryDirectory() as folder:
            pairs.append([float(text) for text in run(program, elements, folder).split()])
    first, later = zip(*sorted(pairs, key=lambda pair: pair[0] - pair[1]), strict=True)
    return first[len(pairs) // 2], later[len(pairs) // 2]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.first_calls", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="", help="families whose name matches")
    parser.add_argument("--repetitions", metavar="N", type=int, default=3, help="of a figure")
    parser.add_argument("--elements", metavar="N", type=int, default=LARGE, help="a square number")
    options = parser.parse_args()
    if not options.only:
        cold, warm = whole_process(FAMILIES, options.repetitions)
        print(f"{len(FAMILIES)} calls with {SMALL:,} elements, whole process:")
        print(f"{cold:.2f} s with an empty cache, {warm:.2f} s with a full one\n")
    print(f"calls with {options.elements:,} elements, ms     first   later  difference")
    for family in FAMILIES:
        if re.search(options.only, family.name):
            first, later = first_and_later(family, options.elements, options.repetitions)
            slow = "  slow" if first - later > LIMIT else ""
            figures = "".join(f"{time * 1e3:8.0f}" for time in (first, later, first - later))
            print(f"{family.name:34}{figures}{slow}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
