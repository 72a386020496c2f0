"""`python -m benchmarks.instructions [--only PATTERN]`.

Counts the instructions of a call for 8 elements of float32, with all work complete, by valgrind.
Load on the machine does not change the counts. A regression of the front end shows here first.
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

# Valgrind counts while this function of Python's runs, which nothing else calls.
COUNTED = "PyNumber_Divmod"
SCRIPT = """
import sys
from benchmarks.libraries import NUMPY, usmtensor
from benchmarks.sizes import namespace
space = namespace(NUMPY if sys.argv[1] == "numpy" else usmtensor()[0], 8)
exec(f"def loop(calls):\\n    z = out\\n    for _ in range(calls):\\n        {sys.argv[2]}", space)
class Loop:
    def __divmod__(self, calls):
        space["loop"](calls)
space["loop"](10)
divmod(Loop(), int(sys.argv[3]))
"""


def counted(library: str, code: str, calls: int = CALLS) -> int:
    """The instructions of a call."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += [f"--toggle-collect={COUNTED}", sys.executable, "-c", SCRIPT, library, code]
    variables = {**os.environ, "USMTENSOR_TIER": "host", "OPENBLAS_NUM_THREADS": "1"}
    result = subprocess.run([*command, str(calls)], capture_output=True, text=True, env=variables)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if not found:
        raise RuntimeError(result.stderr)
    return int(found[1]) // calls


def per_call(family: Family) -> tuple[int, int]:
    """The instructions of a call of NumPy and of usmtensor."""
    calls = CALLS if family.most > 10**4 else 2  # of chains of operations
    return (
        counted("numpy", family.in_("numpy"), calls),
        counted("usmtensor", f"{family.in_('usmtensor')}; wait()", calls),
    )


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
