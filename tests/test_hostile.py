"""A sample of tests/stress/fuzz_hostile.py, in a process of its own, which a failure may end."""

import contextlib
import pathlib
import subprocess
import sys

from stress import fuzz_hostile

import usmtensor as usm

SCRIPT = pathlib.Path(fuzz_hostile.__file__)


def test_sample():
    program = [sys.executable, str(SCRIPT), "3000", "7"]
    child = subprocess.run(program, capture_output=True, text=True, timeout=600)
    assert child.returncode == 0, child.stdout[-500:] + child.stderr[-3000:]
    assert int(child.stdout.split()[0]) > 500


def test_targets_are_all_that_is_public():
    names = {name.rpartition(".")[2] for name, _ in fuzz_hostile.functions()}
    assert {"add", "asarray", "where", "take", "from_dlpack", "usm_ndarray", "trim"} <= names
    assert len(names) > 150
    assert {"__setitem__", "__radd__", "shape", "item"} <= set(
        fuzz_hostile.methods(fuzz_hostile.usm.usm_ndarray)
    )


def test_hashes_leave_nothing():
    """Python does not release the result of a __hash__ that is no integer."""
    world = fuzz_hostile.World("hashes", [usm.SyclQueue()])
    cls = type("Hostile", (str,), {"world": world, "__hash__": fuzz_hostile.hash_of})
    for _ in range(300):
        with contextlib.suppress(Exception):
            hash(cls())
    del cls, world
    fuzz_hostile.live()  # collects garbage
    assert fuzz_hostile.count_of("Hostile") == 0
