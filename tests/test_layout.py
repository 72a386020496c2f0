"""The layers of the sources, and rules for the calls between them."""

import graphlib
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_memory

ROOT = Path(__file__).resolve().parents[1]

# The folders of libtensor from which the files of a folder may include, besides their own.
BELOW = {
    "layout": set(),
    "kernels": {"layout"},
    "host": {"layout", "kernels"},
    "runtime": {"layout", "host"},
    "ops": {"layout", "host", "runtime"},
    "kernelc": {"runtime"},
    "mkl": {"layout", "host", "runtime"},
}


def included():
    """For each header of libtensor with its source the headers that the two include."""
    root, found = ROOT / "libtensor", {}
    for file in (file for folder in BELOW for file in sorted((root / folder).rglob("*.?pp"))):
        headers = found.setdefault(file.relative_to(root).with_suffix(""), set())
        for name in re.findall(r'^#include ["<](.+)[">]', file.read_text(), re.MULTILINE):
            paths = [path for path in (file.parent / name, root / name) if path.exists()]
            headers.update(path.relative_to(root).with_suffix("") for path in paths)
    return {part: headers - {part} for part, headers in found.items()}


def test_no_circle_of_includes():
    parts = included()
    assert len(parts) > 50
    graphlib.TopologicalSorter(parts).prepare()  # CycleError shows the circle


def test_layers_include_downwards():
    pairs = [(part, header) for part, headers in included().items() for header in headers]
    assert not [
        f"{part} includes {header}"
        for part, header in pairs
        if header.parts[0] not in BELOW[part.parts[0]] | {part.parts[0]}
    ]


# What makes a function wait for other threads or for a device.
WAITS = re.compile(r"const Passage passage;|\bdrain\(|\bwait\(|sycl::free\(")


def declared_functions():
    """The functions of libtensor that the .pyx and .pxd files declare, and whether a call of each
    gives up the GIL."""
    for file in sorted((ROOT / "usmtensor").rglob("*.p[xy][dx]")):
        for block in re.findall(
            r'^cdef extern from "(?:runtime|ops|layout|mkl)/.*\n((?: .*\n|\n)*)',
            file.read_text(),
            re.MULTILINE,
        ):
            for name, native in re.findall(r'(\w+)(?: "([^"]+)")?\(', block):
                unlocked = re.match(r"(?:UNLOCKED|AT_ONCE)(?:_IN_PLACE)?\((.*)\)", native)
                native = unlocked.group(1) if unlocked else native or name
                yield native.split("::")[-1], bool(unlocked)


def waiting_functions(text):
    """The functions of a source that wait, or call another one of the source that does."""
    functions = re.findall(
        r"^(?!\s)[^\n;{}()]*?(\w+)\([^;{}]*\)[\w ]* \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL
    )
    found, before = {name for name, body in functions if WAITS.search(body)}, None
    while found != before:
        before = set(found)
        calls = re.compile(rf"\b(?:{'|'.join(found)})\(") if found else None
        found |= {name for name, body in functions if calls and calls.search(body)}
    return found


def test_functions_that_wait_are_called_without_the_gil():
    """A thread that waited with the GIL would stop all others. The fixture of conftest.py watches
    the calls of all tests; this walks the declarations."""
    functions = set(declared_functions())
    unlocked = {name for name, free in functions if free}
    waiting = set()
    for file in (ROOT / "libtensor").rglob("*.cpp"):
        waiting |= waiting_functions(file.read_text())
    assert {"drain", "dlpack_device_id", "locate", "open_host_view"} <= waiting & unlocked
    with_gil = {name for name, free in functions if not free} - unlocked
    # Its caller gives up the GIL before a wait, and keeps it for a look of a millisecond.
    assert waiting & with_gil == {"ready_for_fork"}
