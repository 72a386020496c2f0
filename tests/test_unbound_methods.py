"""A native method of a class raises for an object of another class, and does not read its memory.

Each class runs in its own process, because a failure ends the process.
"""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.any_memory

CLASSES = [
    "usm_ndarray",
    "memory.MemoryUSMDevice",
    "memory.MemoryUSMShared",
    "memory.MemoryUSMHost",
    "Device",
    "SyclContext",
    "SyclDevice",
    "SyclEvent",
    "SyclPlatform",
    "SyclQueue",
]

PROGRAM = """
import inspect
import usmtensor as usm

cls = usm.{name}
for name in dir(cls):
    method = inspect.getattr_static(cls, name)
    python = inspect.isfunction(method) or isinstance(method, (staticmethod, classmethod, property))
    function = type(method).__name__ == "instancemethod"  # it takes any object, and checks it
    if python or function or hasattr(object, name):
        continue
    for stranger in ([1], cls, 3.5):
        if not callable(method):
            calls = [lambda: method.__get__(stranger, type(stranger))]
        else:
            calls = [lambda count=count: method(stranger, *[None] * count) for count in range(4)]
        for call in calls:
            print(f"\\n{{name}} of {{stranger!r}}", end="", flush=True)
            try:
                call()
            except (AttributeError, TypeError):
                print(" raises", end="")
"""


@pytest.mark.parametrize("name", CLASSES)
def test_methods_refuse_strangers(name):
    program = [sys.executable, "-c", PROGRAM.format(name=name)]
    child = subprocess.run(program, capture_output=True, text=True)
    lines = child.stdout.splitlines()[1:]
    assert lines or name == "Device"  # it has only Python methods
    assert not [line for line in lines if not line.endswith(" raises")]
    assert child.returncode == 0, child.stderr
