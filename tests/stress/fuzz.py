"""All fuzzers with one budget: `python tests/stress/fuzz.py [CALLS] [SEED]`.

CALLS are divided among the six fuzzers, by the time of their cases. Each runs in a process of its
own, which a fault may end; its last lines are printed then. The same CALLS and SEED repeat a run.
"""

import subprocess
import sys
import time
from pathlib import Path

# The share of each fuzzer.
SHARES = {
    "dlpack": 0.2,  # structures of DLPack
    "suai": 0.25,  # dictionaries of __sycl_usm_array_interface__
    "pickle": 0.15,  # damaged pickles
    "index": 0.15,  # index expressions, against NumPy
    "hostile": 0.2,  # objects whose special methods misbehave, in every public function
    "values": 0.05,  # extreme values on odd views, in functions of all kinds
}


def main(calls=100_000, seed=0):
    """The names of the fuzzers that found a fault."""
    faults = []
    for name, share in SHARES.items():
        script = Path(__file__).with_name(f"fuzz_{name}.py")
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", script, str(int(calls * share)), str(seed)],
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - start
        answer = done.stdout.strip().rpartition("\n")[2]
        print(f"{name:8} {int(calls * share):7d} cases {seconds:5.1f} s  {answer}", flush=True)
        if done.returncode != 0:
            faults.append(name)
            print(f"exit status {done.returncode}\n{done.stderr[-4000:]}", flush=True)
    return faults


if __name__ == "__main__":
    found = main(*map(int, sys.argv[1:]))
    sys.exit(f"faults: {', '.join(found)}" if found else 0)
