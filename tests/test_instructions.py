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

# The limits: a quarter more than the measured instructions, with the loop.
MOST = {"x + y": 4800, "usm.empty(8)": 3500}
CALLS = 2000

# valgrind counts during PyNumber_Divmod, which no other code calls.
SCRIPT = """
import sys
import usmtensor as usm
x, y = usm.ones(8, dtype="f4"), usm.ones(8, dtype="f4")
exec(f"def loop(calls):\\n    for _ in range(calls):\\n        z = {sys.argv[1]}")
class Loop:
    def __divmod__(self, calls):
        loop(calls)
loop(10)
divmod(Loop(), int(sys.argv[2]))
"""


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
@pytest.mark.parametrize("code", MOST)
def test_small_calls_take_few_instructions(code, device):
    skip_without_tiers(device)
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    command += ["--toggle-collect=PyNumber_Divmod", sys.executable, "-P", "-c", SCRIPT]
    result = subprocess.run(
        [*command, code, str(CALLS)],
        capture_output=True,
        text=True,
        env={**os.environ, "USMTENSOR_TIER": "host", "OPENBLAS_NUM_THREADS": "1"},
    )
    found = re.search(r"Collected : (\d+)", result.stderr)
    assert found, result.stderr
    assert 0 < int(found[1]) / CALLS < MOST[code]
