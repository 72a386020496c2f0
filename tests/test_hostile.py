"""A sample of tests/stress/fuzz_hostile.py, in its own process, which a failure may end."""

import contextlib
import pathlib
import subprocess
import sys

import pytest
from stress import fuzz_hostile

import usmtensor as usm

SCRIPT = pathlib.Path(fuzz_hostile.__file__)


def test_sample():
    program = [sys.executable, str(SCRIPT), "3000", "7"]
    child = subprocess.run(program, capture_output=True, text=True, timeout=600)
    assert child.returncode == 0, child.stdout[-500:] + child.stderr[-3000:]
    assert int(child.stdout.split()[0]) > 400


def test_targets_are_all_that_is_public():
    names = {name.rpartition(".")[2] for name, _ in fuzz_hostile.functions()}
    assert {"add", "asarray", "where", "take", "from_dlpack", "usm_ndarray", "trim"} <= names
    assert len(names) > 150
    assert {"__setitem__", "__radd__", "shape", "item"} <= set(
        fuzz_hostile.methods(fuzz_hostile.usm.usm_ndarray)
    )


def test_hashes_leave_nothing():
    """Python does not release a result of __hash__ that is not an integer."""
    world = fuzz_hostile.World("hashes", [usm.SyclQueue()])
    cls = type("Hostile", (str,), {"world": world, "__hash__": fuzz_hostile.hash_of})
    for _ in range(300):
        with contextlib.suppress(Exception):
            hash(cls())
    del cls, world
    fuzz_hostile.live()  # collects garbage
    assert fuzz_hostile.count_of("Hostile") == 0


@pytest.mark.parametrize("base", [object, int, float, str, tuple, list, dict])
def test_objects_that_do_not_say_their_class(base):
    """isinstance() raises for them. Cython misses the error for a tuple of types that it does not
    know, and the next call raises SystemError."""

    class Hostile(base):
        @property
        def __class__(self):
            raise OSError("of a hostile object")

        def __index__(self):
            return 1

    x = usm.ones(3)
    one = base.__new__(Hostile)
    for call in (
        lambda: usm.take(x, one),
        lambda: x[one],
        lambda: x.__setitem__(0, one),
        lambda: x.__setitem__(one, 0),
        lambda: usm.asarray(one),
        lambda: usm.full(2, one),
        lambda: usm.add(x, one),
        lambda: usm.arange(one),
        lambda: usm.astype(x, "i4", copy=one),
        lambda: usm.sort(x, axis=one, descending=one, stable=one, kind=one),
        lambda: usm.argsort(x, axis=one),
        lambda: usm.top_k(x, one, axis=one, mode=one),
        lambda: usm.searchsorted(x, one, side=one, sorter=one),
        lambda: usm.isin(x, one, invert=one),
        lambda: usm.isin(one, x),
    ):
        with contextlib.suppress(OSError, TypeError, ValueError, IndexError, AttributeError):
            call()
        usm.take(x, [0])  # nothing is left of it
