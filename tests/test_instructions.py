"""The instructions of a small call, counted by valgrind: load on the machine does not matter.

`python -m benchmarks.instructions` counts them for more functions, and for NumPy.
"""

import os
import re
import shutil
import subprocess
import sys

import pytest
from both_tiers import skip_without_tiers

pytestmark = pytest.mark.unsanitized("valgrind counts instructions of the package as it is built")

# The limits: 5 to 25 % more than the measured instructions, with the loop, of CPython 3.11 to 3.14.
MOST = {"x + y": 4300, "usm.empty(8)": 2950, "list(x)": 10_000}
CALLS = 2000

# valgrind counts during this function, which no other code calls (imports divide).
COUNTED = "PyNumber_InPlaceMatrixMultiply"
SCRIPT = """
import sys
import usmtensor as usm
x, y = usm.ones(8, dtype="f4"), usm.ones(8, dtype="f4")
class Loop:
    def __init__(self, code):
        exec(f"def loop(calls):\\n    for _ in range(calls):\\n        z = {code}", globals())
        loop(10)
    def __imatmul__(self, calls):
        loop(calls)
for code in sys.argv[2:]:
    counted = Loop(code)
    counted @= int(sys.argv[1])
"""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_small_calls_take_few_instructions(device, tmp_path):
    skip_without_tiers(device)
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={tmp_path}/counts"]
    command += [f"--{setting}={COUNTED}" for setting in ("toggle-collect", "dump-after")]
    command += [sys.executable, "-P", "-c", SCRIPT, str(CALLS), *MOST]
    variables = {**os.environ, "USMTENSOR_TIER": "host", "OPENBLAS_NUM_THREADS": "1"}
    # The warm-up of the compiler would take 10 seconds in valgrind; kernels of source have none.
    variables["USMTENSOR_KERNELS"] = "source"
    result = subprocess.run(command, capture_output=True, text=True, env=variables)
    assert result.returncode == 0, result.stderr
    for number, (code, most) in enumerate(MOST.items(), 1):
        found = re.search(r"^totals: (\d+)", (tmp_path / f"counts.{number}").read_text(), re.M)
        assert 0 < int(found[1]) / CALLS < most, code
