"""Limits of the project's size, so that a person can read it all, and of its includes.

A line of code is a line that is neither blank nor part of a comment or docstring.
"""

import graphlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ["libtensor", "usmtensor", "tests", "benchmarks", "examples", "docs"]
GENERATED = {"_generated.pyi", "_version.py"}
LINES_OF_A_FILE = 900
LINES_OF_CODE = 28_985

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

PYTHON = {".py", ".pyi", ".pyx", ".pxd"}
C = {".c", ".h", ".hpp", ".cpp"}
OTHER = {".toml", ".cmake", ".txt", ".in", ".md"}


def sources(*folders):
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("*")):
            parts = file.relative_to(ROOT).parts
            known = file.suffix in PYTHON | C | OTHER and file.name not in GENERATED
            if known and "build" not in parts:
                yield file


def lines_of_code(suffix, text):
    if suffix in PYTHON:
        text = re.sub(r'^[ \t]*r?("""|\'\'\').*?\1', "", text, flags=re.DOTALL | re.MULTILINE)
    elif suffix in C:
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    comment = "//" if suffix in C else "#"
    lines = [line.strip() for line in text.splitlines()]
    return sum(1 for line in lines if line and not line.startswith(comment))


@pytest.mark.parametrize(
    "suffix, text, expected",
    [
        (".py", '"""One\ntwo"""\n\nx = 1  # three\n# four\n', 1),
        (".pyx", 'def f():\n    r"""One\n\n    two\n    """\n    return """a\n    b"""\n', 3),
        (".cpp", "// one\nint x; // two\n\n/* three\n   four */\n}\n", 2),
        (".toml", "# one\n\n[two]\nx = 1\n", 2),
    ],
)
def test_lines_of_code(suffix, text, expected):
    assert lines_of_code(suffix, text) == expected


def test_no_file_is_too_long():
    lengths = {file: len(file.read_text().splitlines()) for file in sources(*FOLDERS)}
    assert len(lengths) > 100
    assert not {str(file): n for file, n in lengths.items() if n > LINES_OF_A_FILE}


def test_library_is_small():
    count = sum(
        lines_of_code(file.suffix, file.read_text()) for file in sources("libtensor", "usmtensor")
    )
    assert 1000 < count <= LINES_OF_CODE


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
