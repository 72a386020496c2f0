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


# Constants that kernels and their launches share. They include nothing.
SHARED = Path("kernels/limits")


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
    parts = included()
    assert not parts[SHARED]
    pairs = [(part, header) for part, headers in parts.items() for header in headers]
    assert not [
        f"{part} includes {header}"
        for part, header in pairs
        if header != SHARED and header.parts[0] not in BELOW[part.parts[0]] | {part.parts[0]}
    ]


# The folders of usmtensor from which the modules of a folder may import, besides their own. The
# public modules import from all of them.
_BELOW_FUNCTIONS = {"_native", "_runtime", "_core"}
IMPORTED = {
    "_native": set(),
    "_runtime": {"_native"},
    "_core": {"_native", "_runtime"},
    "_libraries": _BELOW_FUNCTIONS,
    "_functions": _BELOW_FUNCTIONS | {"_libraries"},
    "_linalg": _BELOW_FUNCTIONS | {"_libraries", "_functions"},
    "_random": _BELOW_FUNCTIONS | {"_functions"},
    "_composed": _BELOW_FUNCTIONS | {"_libraries", "_functions"},
    "_kernels": _BELOW_FUNCTIONS | {"_functions"},
    "_numpy": _BELOW_FUNCTIONS | {"_functions", "_composed"},
    "_exchange": _BELOW_FUNCTIONS | {"_functions", "_random"},
}
# Modules that functions may import, because few users have the library.
OPTIONAL = {"usmtensor._libraries.onemkl"}
IMPORT = re.compile(
    r"^([ \t]*)(?:from (usmtensor[\w.]*) c?import (\([^)]*\)|[^\n#]*)|c?import (usmtensor[\w.]*))",
    re.MULTILINE,
)


def modules():
    """The files of each module of usmtensor."""
    found = {}
    for file in sorted((ROOT / "usmtensor").rglob("*.p*")):
        path = file.relative_to(ROOT)
        if file.suffix in (".py", ".pyx", ".pxd") and "_build" not in path.parts:
            name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
            found.setdefault(name, []).append(file.read_text())
    return found


def imports():
    """For each module the modules of usmtensor that it imports or cimports, in pairs with the
    position of the statement: a match of IMPORT."""
    known = modules()
    for name, texts in known.items():
        for match in (match for text in texts for match in IMPORT.finditer(text)):
            if match.string[: match.start()].endswith("if TYPE_CHECKING:\n"):
                continue  # of a type that only the stub has
            _, package, names, module = match.groups()
            parts = re.findall(r"(\w+)(?: as \w+)?", names) if package else [""]
            for part in parts:
                whole = f"{package}.{part}"
                yield name, match, module or (whole if whole in known else package)


def folder_of(module):
    folder = module.split(".")[1:2]
    return folder[0] if folder and folder[0] in IMPORTED else "public"


def test_no_circle_of_imports():
    parts = {name: set() for name in modules()}
    assert len(parts) > 90
    for name, _, module in imports():
        parts[name] |= {module} - {name}
    graphlib.TopologicalSorter(parts).prepare()  # CycleError shows the circle


def test_modules_import_downwards():
    folders = {path.name for path in (ROOT / "usmtensor").glob("_*") if path.is_dir()}
    assert folders - {"__pycache__", "_build"} == set(IMPORTED)
    assert not [
        f"{name} imports {module}"
        for name, _, module in imports()
        if folder_of(name) != "public"
        and folder_of(module) not in IMPORTED[folder_of(name)] | {folder_of(name)}
    ]


def test_imports_are_at_the_head_of_a_module():
    """Neither in a function nor below one."""
    found = re.compile(r"^(?:(?:cdef )?class |def |cp?def .*\):$)", re.MULTILINE)
    for name, match, module in imports():
        first = found.search(match.string)
        is_below = first is not None and first.start() < match.start()
        assert not (match[1] or is_below) or module in OPTIONAL, f"{name} imports {module}"


# What makes a function wait for other threads or for a device.
WAITS = re.compile(r"const DriverScope scope;|\bdrain\(|\bwait\(|sycl::free\(")


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
                unlocked = re.match(r"(?:UNLOCKED|MAY_UNLOCK)(?:_IN_PLACE)?\((.*)\)", native)
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
