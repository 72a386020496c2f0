"""The API reference, made from the installed package when Sphinx starts.

`api/` gets a page for each group of `GROUPS`. `names/` gets the tables of names in other libraries,
from the table behind the hints in error messages. A public name without a place is an error.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

import usmtensor
from usmtensor import _hints

HERE = Path(__file__).parent
API, NAMES = HERE / "api", HERE / "names"

# The file, title and modules of each page. A module's public names are its `__all__`.
GROUPS = [
    ("arrays", "Arrays and printing", ["_usmarray", "_print"]),
    ("creation", "Creation, copies, exchange", ["_creation", "_copy", "_dlpack"]),
    ("types", "Data types and constants", ["_types"]),
    ("elementwise", "Elementwise functions", ["_elementwise", "_nearness"]),
    ("indexing", "Indexing", ["_indexing"]),
    ("manipulation", "Shapes and axes", ["_manipulation"]),
    ("reductions", "Reductions and scans", ["_reductions", "_positions", "_scans"]),
    ("statistics", "Statistics and bins", ["_statistics", "_bins"]),
    ("sorting", "Sorting, searching, sets", ["_sorting", "_searching"]),
    ("products", "Products of matrices and vectors", ["_products"]),
    ("linalg", "Linear algebra", ["linalg"]),
    ("fft", "Fourier transforms", ["fft"]),
    ("random", "Random numbers", ["random"]),
    ("kernels", "Kernels and fused functions", ["_user_kernels", "_reduction_kernel", "_fuse"]),
    ("devices", "Devices, queues, events", ["_platform", "_runtime", "_device", "_enums"]),
    ("memory", "USM memory", ["memory"]),
    ("utils", "Utilities, errors, native code", ["utils", "_building", "_errors"]),
]
SUBMODULES = {"fft", "linalg", "memory", "random", "utils"}
STRINGS = {
    "__version__": "The version of the package.",
    "__array_api_version__": "The version of the array API standard that the package follows.",
}


def named(modules: list[str]) -> Iterator[tuple[str, Any]]:
    """The public names of a page, such as "linalg.svd", and the objects."""
    for module in modules:
        namespace = importlib.import_module(f"usmtensor.{module}")
        owner = f"{module}." if module in SUBMODULES else ""
        for name in namespace.__all__:
            # An error class of the main namespace is also a name of the module that raises it.
            if not owner or getattr(usmtensor, name, None) is not getattr(namespace, name):
                yield owner + name, getattr(namespace, name)


def public() -> set[str]:
    """Every public name that the reference must hold."""
    names = set(dir(usmtensor)) - SUBMODULES
    for module in SUBMODULES:
        namespace = importlib.import_module(f"usmtensor.{module}")
        own = set(namespace.__all__)
        same = {one for one in own if getattr(usmtensor, one, None) is getattr(namespace, one)}
        names |= {f"{module}.{name}" for name in own - same}
    return names


def status(name: str, text: str) -> str:
    """Where a name comes from, by the words of its docstring."""
    module = name.partition(".")[0]
    if re.search(r"Source: (the )?array API", text):
        return "standard"
    if found := re.search(r"(?:Compatible with|Source:) `{0,2}(numpy|dpctl|cupy)", text, re.I):
        return {"numpy": "NumPy", "dpctl": "dpctl", "cupy": "CuPy"}[found[1].lower()]
    if "dpctl-compatible" in text or module == "memory":
        return "dpctl"
    return "usmtensor"


def kind(value: Any) -> str:
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "data"


def summary(name: str, value: Any) -> str:
    """The first sentence of a docstring, or the value of a constant."""
    if name in STRINGS:
        return STRINGS[name]
    if isinstance(value, usmtensor.dtype) or value is usmtensor.dtype:
        return "A data type, equal to NumPy's."
    if kind(value) == "data":
        return f"``{value!r}``"
    text = re.sub(r"^\w+\(.*\)\n", "", inspect.getdoc(value) or "").strip()
    first = re.split(r"\n\n|(?<=[^.])\.\s", text)[0].replace("\n", " ")
    return first.rstrip(".") + "."


def directive(name: str, value: Any) -> list[str]:
    where = f"usmtensor.{name}"
    if kind(value) == "data" or value is usmtensor.dtype:
        return [f".. py:data:: {where}", "", f"   {summary(name, value)}", ""]
    if kind(value) == "function":
        return [f".. autofunction:: {where}", ""]
    members = "" if issubclass(value, Exception) else "   :members:\n   :undoc-members:\n"
    return [f".. autoclass:: {where}", members]


def page(title: str, members: list[tuple[str, Any]]) -> str:
    lines = [title, "=" * len(title), ""]
    lines += [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    lines += ["   * - name", "     - summary", "     - from"]
    for name, value in members:
        text = inspect.getdoc(value) or "" if kind(value) != "data" else ""
        role = {"data": "data", "class": "class", "function": "func"}[kind(value)]
        if value is usmtensor.dtype:
            role = "data"
        source = "standard" if kind(value) == "data" else status(name, text)
        lines += [f"   * - :py:{role}:`~usmtensor.{name}`"]
        lines += [f"     - {summary(name, value)}", f"     - {source}"]
    lines += [""]
    for name, value in members:
        lines += directive(name, value)
    return "\n".join(lines)


def replace(path: Path, text: str) -> None:
    """Write a page, unless it has this text: Sphinx reads new files again."""
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def write_reference() -> None:
    pages = {name: list(named(modules)) for name, _, modules in GROUPS}
    strings = [(name, getattr(usmtensor, name)) for name in STRINGS]
    pages["types"] += strings
    placed = [name for members in pages.values() for name, _ in members]
    missing, twice = public() - set(placed), {name for name in placed if placed.count(name) > 1}
    if missing or twice:
        raise ExtensionError(f"GROUPS of docs/reference.py: no page for {missing}, two for {twice}")
    for name, title, _ in GROUPS:
        replace(API / f"{name}.rst", page(title, pages[name]))


def write_names() -> None:
    """Two tables: functions and methods of other libraries, and their replacements here."""
    for name, hints in (("functions", _hints.FUNCTIONS), ("methods", _hints.METHODS)):
        before = "" if name == "functions" else "x."
        lines = ["| elsewhere | in usmtensor |", "|---|---|"]
        by_hint: dict[str, list[str]] = {}
        for other, hint in hints.items():
            by_hint.setdefault(hint, []).append(f"`{before}{other}`")
        for hint, others in sorted(by_hint.items(), key=lambda item: item[1][0].lower()):
            words = re.sub(r"`(,? or |, )`", r"\1", f"`{hint}`")
            lines.append(f"| {', '.join(sorted(others))} | {words} |")
        replace(NAMES / f"{name}.md", "\n".join(lines) + "\n")


def check_reference(app: Sphinx, env: Any) -> None:
    """Every public name must have an entry in the built reference."""
    known = set(env.get_domain("py").objects)
    for name in sorted(public()):
        if f"usmtensor.{name}" not in known:
            logging.getLogger(__name__).warning("the API reference lacks usmtensor.%s", name)


def start(app: Sphinx) -> None:
    write_reference()
    write_names()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", start)
    app.connect("env-check-consistency", check_reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
