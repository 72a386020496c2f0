"""`python -m benchmarks.instructions [--only PATTERN]`.

Instructions that a call takes for 8 elements of float32, all work done, as valgrind counts them:
the same on a busy machine. A regression of the front end shows here first.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .sizes import FAMILIES, Family

CALLS = 2000

# Statements one after the other, each so many times: what a process takes besides is the same.
SCRIPT = """
import sys
from benchmarks.libraries import NUMPY, usmtensor
from benchmarks.sizes import namespace
spaces = [namespace(NUMPY, 8), namespace(usmtensor()[0], 8)]
for space, code, calls in zip(spaces, sys.argv[1::2], map(int, sys.argv[2::2])):
    exec(f"def loop(calls):\\n    z = out\\n    for _ in range(calls):\\n        {code}", space)
    space["loop"](10)
    space["loop"](calls)
"""


def counted(numpy: str, usmtensor: str, calls: tuple[int, int]) -> int:
    """Instructions of a process that makes so many calls of both."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command += [sys.executable, "-c", SCRIPT, numpy, str(calls[0]), usmtensor, str(calls[1])]
    variables = {**os.environ, "USMTENSOR_TIER": "host", "OPENBLAS_NUM_THREADS": "1"}
    result = subprocess.run(command, capture_output=True, text=True, env=variables)
    found = re.search(r"I +refs: +([\d,]+)", result.stderr)
    if not found:
        raise RuntimeError(result.stderr)
    return int(found[1].replace(",", ""))


def per_call(family: Family) -> tuple[int, int]:
    """The instructions of a call of NumPy and of usmtensor."""
    codes = family.in_("numpy"), f"{family.in_('usmtensor')}; wait()"
    none, first, second = (counted(*codes, calls) for calls in ((0, 0), (CALLS, 0), (0, CALLS)))
    return (first - none) // CALLS, (second - none) // CALLS


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.instructions", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="^x . y$", help="families that match")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        parser.error("valgrind is not installed")
    table = Table("8 elements", "NumPy", "usmtensor", "ratio", title="Instructions per call")
    for family in FAMILIES:
        if re.search(options.only, family.name):
            numpy, usmtensor = per_call(family)
            table.add_row(
                escape(family.name), f"{numpy:,}", f"{usmtensor:,}", f"{usmtensor / numpy:.2f}"
            )
    Console(width=100).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
