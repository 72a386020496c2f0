"""The API reference, made from the installed package when Sphinx starts.

`api/` gets a page for each group of `GROUPS`, and for each function and class. The page of a
function links its guide and its neighbours, which `related.toml` lists. A public name without a
place is an error.
"""

import importlib
import inspect
import operator
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.util import logging

import usmtensor
from usmtensor._core import hints as _hints

HERE = Path(__file__).parent
API = HERE / "api"

# The file, title and modules of each group. A module's public names are its `__all__`.
GROUPS = [
    ("arrays", "Arrays and printing", ["_core.array", "_core.printing"]),
    (
        "creation",
        "Creation, copies, exchange",
        [
            "_functions.creation",
            "_core.copy",
            "_core.dlpack",
            "_composed.windows",
        ],
    ),
    ("files", "Files and buffers", ["_composed.files"]),
    ("types", "Data types and constants", ["_functions.data_types"]),
    (
        "elementwise",
        "Elementwise functions",
        ["_functions.elementwise", "_functions.nearness", "_composed.bits"],
    ),
    (
        "indexing",
        "Indexing",
        ["_functions.indexing", "_composed.choosing", "_composed.index_arrays"],
    ),
    (
        "manipulation",
        "Shapes and axes",
        [
            "_functions.manipulation",
            "_functions.repetition",
            "_composed.shapes",
            "_composed.joining",
            "_composed.padding",
            "_composed.diagonals",
            "_composed.whole_arrays",
        ],
    ),
    (
        "reductions",
        "Reductions and scans",
        ["_functions.reductions", "_functions.scans", "_composed.nan_reductions"],
    ),
    (
        "statistics",
        "Statistics and bins",
        [
            "_functions.statistics",
            "_composed.quantiles",
            "_composed.covariance",
            "_composed.histograms",
        ],
    ),
    (
        "sorting",
        "Sorting, searching, sets",
        [
            "_functions.sorting",
            "_functions.searching",
            "_functions.sets",
            "_composed.partial_sorts",
            "_composed.set_operations",
        ],
    ),
    (
        "products",
        "Products of matrices and vectors",
        ["_functions.products", "_composed.products"],
    ),
    (
        "calculus",
        "Gradients, integrals, polynomials",
        ["_composed.calculus", "_composed.polynomials"],
    ),
    ("linalg", "Linear algebra", ["linalg"]),
    ("fft", "Fourier transforms", ["fft"]),
    ("random", "Random numbers", ["random"]),
    ("special", "Special functions", ["special"]),
    (
        "kernels",
        "Kernels and fused functions",
        ["_kernels.user_kernels", "_kernels.reduction_kernel", "_kernels.fuse"],
    ),
    (
        "devices",
        "Devices, queues, events",
        [
            "_runtime.platform",
            "_runtime.selection",
            "_runtime.queue",
            "_runtime.device",
            "_runtime.enums",
        ],
    ),
    ("numpy", "NumPy's names", ["_numpy.names"]),
    ("memory", "USM memory", ["memory"]),
    ("utils", "Utilities, errors, native code", ["utils", "_exchange.building", "_runtime.errors"]),
]
SUBMODULES = {"fft", "linalg", "memory", "random", "special", "utils"}
KINDS = {
    "b": "Boolean values",
    "i": "Signed integers",
    "u": "Unsigned integers",
    "f": "Floating point numbers",
    "c": "Complex numbers",
}
STRINGS = {
    "__version__": "The version of the package.",
    "__array_api_version__": "The version of the array API standard that the package follows.",
}


def named(modules: list[str]) -> list[tuple[str, Any]]:
    """The public names of a group, such as "linalg.svd", and the objects; result classes last."""
    found = []
    for module in modules:
        namespace = importlib.import_module(f"usmtensor.{module}")
        owner = f"{module}." if module in SUBMODULES else ""
        found += [(owner + name, getattr(namespace, name)) for name in namespace.__all__]
    return sorted(found, key=lambda member: member[0].endswith(("Error", "Func", "Result")))


def public() -> set[str]:
    """Every public name that the reference must hold."""
    names = set(dir(usmtensor)) - SUBMODULES
    for module in SUBMODULES:
        own = importlib.import_module(f"usmtensor.{module}").__all__
        names |= {f"{module}.{name}" for name in own}
    return names


def place(name: str, value: Any) -> str:
    """The name with the entry of an object: `linalg.matmul` is the function `matmul`."""
    if name in usmtensor._numpy.names.__all__:
        return name
    short = name.rpartition(".")[2]
    return short if getattr(usmtensor, short, None) is value else name


def status(name: str, text: str) -> str:
    """Where a name comes from, by the words of its docstring."""
    of_the_standard = r"linalg\.(\w+Result|outer)"
    if re.search(r"Source: (the )?array API", text) or re.fullmatch(of_the_standard, name):
        return "standard"
    origin = r"(?:Compatible with|Source:|As in|After)\s+`{0,2}(numpy|scipy|dpctl|cupy)\b"
    if found := re.search(origin, text, re.I):
        names = {"numpy": "NumPy", "scipy": "SciPy", "dpctl": "dpctl", "cupy": "CuPy"}
        return names[found[1].lower()]
    if name == "linalg.LinAlgError" or name == "dtype":
        return "NumPy"
    if "dpctl-compatible" in text or name.startswith("memory."):
        return "dpctl"
    return "usmtensor"


def kind(value: Any) -> str:
    if isinstance(value, type):
        return "class"
    return "function" if callable(value) else "data"


def other_name(name: str, value: Any) -> str:
    """The name of which `name` is an alias, with a role; empty for a name of its own."""
    own, module = getattr(value, "__name__", name), getattr(value, "__module__", None) or ""
    if not module.startswith("usmtensor") and hasattr(numpy, name):
        return f"``numpy.{name}``"
    if own in (name, name.rpartition(".")[2]) or getattr(usmtensor, own, None) is not value:
        return ""
    return f":py:{'class' if isinstance(value, type) else 'func'}:`{own} <usmtensor.{own}>`"


def summary(name: str, value: Any) -> str:
    """The first sentence of a docstring, or the value of a constant."""
    if name in STRINGS:
        return STRINGS[name]
    if name in usmtensor._numpy.names.__all__ and (other := other_name(name, value)):
        return f"NumPy's own {other}." if "numpy." in other else f"NumPy's name of {other}."
    if value is usmtensor.dtype:
        return "The class of data types, equal to NumPy's."
    if name in usmtensor._functions.data_types._NAMES:
        dtype = usmtensor.dtype(value)
        return f"{KINDS[dtype.kind]} of {dtype.itemsize * 8} bits: NumPy's class ``{name}``."
    if kind(value) == "data":
        return f"``{value!r}``"
    text = re.sub(r"^\w+\(.*\)\n", "", inspect.getdoc(value) or "").strip()
    first = re.split(r"\n\n|(?<=[^.])\.\s", text)[0].replace("\n", " ")
    return first.rstrip(".") + "."


def directive(name: str, value: Any) -> list[str]:
    where = f"usmtensor.{name}"
    is_alias = name in usmtensor._functions.data_types._NAMES
    is_alias = is_alias or (name in usmtensor._numpy.names.__all__ and other_name(name, value))
    if kind(value) == "data" or value is usmtensor.dtype or is_alias:
        return [f".. py:data:: {where}", "", f"   {summary(name, value)}", ""]
    if kind(value) == "function":
        return [f".. autofunction:: {where}", ""]
    members = "" if issubclass(value, Exception) else "   :members:\n   :undoc-members:\n"
    if name.startswith("random."):  # the bases of generators have no entries
        members += "   :inherited-members:\n"
    return [f".. autoclass:: {where}", members]


def link(name: str, value: Any) -> str:
    """A reference to the entry of a name."""
    is_data = value is usmtensor.dtype or directive(name, value)[0].startswith(".. py:data")
    role = {"data": "data", "class": "class", "function": "func"}[kind(value)]
    return f":py:{'data' if is_data else role}:`{name} <usmtensor.{place(name, value)}>`"


def has_page(name: str, value: Any) -> bool:
    return place(name, value) == name and directive(name, value)[0].startswith(".. auto")


def group_page(title: str, members: list[tuple[str, Any]]) -> str:
    """A table of names, and the entries of names without a page."""
    title += " (reference)"  # the guides have the plain titles
    lines = [title, "=" * len(title), ""]
    lines += [".. list-table::", "   :header-rows: 1", "   :widths: auto", ""]
    lines += ["   * - name", "     - summary", "     - source"]
    for name, value in members:
        text = inspect.getdoc(value) or "" if kind(value) != "data" else ""
        source = "standard" if kind(value) == "data" else status(name, text)
        lines += [f"   * - {link(name, value)}"]
        lines += [f"     - {summary(name, value)}", f"     - {source}"]
    lines += [""]
    for name, value in members:
        if place(name, value) == name and not has_page(name, value) and not ours(name, value):
            lines += directive(name, value)
    return "\n".join(lines)


def ours(name: str, value: Any) -> str:
    """The name of usmtensor of which `name` is an alias; its page has the entry of `name`."""
    found = re.search(r"<usmtensor\.(.+)>", other_name(name, value))
    return found[1] if found and name in usmtensor._numpy.names.__all__ else ""


class Neighbours:
    """The guides of names, and the names beside them, from `related.toml`."""

    def __init__(self) -> None:
        self.guides: dict[str, str] = {}
        self.others: dict[str, dict[str, None]] = {}
        guides = tomllib.loads((HERE / "related.toml").read_text(encoding="utf-8"))
        for guide, rows in guides.items():
            for row in rows:
                own, _, more = (part.split() for part in row.partition("|"))
                for name in own:
                    if self.guides.setdefault(name, guide) != guide:
                        raise ExtensionError(f"docs/related.toml: {name} has two guides")
                    others = self.others.setdefault(name, {})
                    others.update({other: None for other in own + more if other != name})
        names = set(self.guides) | {name for others in self.others.values() for name in others}
        if unknown := names - public():
            raise ExtensionError(f"docs/related.toml: {unknown} are not public names")


def elsewhere() -> dict[str, list[str]]:
    """The names that functions have in other libraries, by our name."""
    found: dict[str, list[str]] = {}
    for table in (_hints.FUNCTIONS, _hints.RANDOM, _hints.METHODS):
        for name, hint in table.items():
            if own := re.match(r"(?:usmtensor\.)?([\w.]+?)(?:\(|$)", hint):
                found.setdefault(own[1], []).append(name)
    return found


def member_page(name: str, value: Any, group: str, aliases: list[tuple[str, Any]]) -> str:
    """The page of a function or class. No table of contents has it, because themes repeat these."""
    known = {name.rpartition(".")[2], *(alias for alias, _ in aliases)}
    others = sorted(set(OTHERS.get(name, ())) - known)
    guide = NEIGHBOURS.guides[name]
    lines = [":orphan:", ""]
    if others:
        lines += [".. index::", *(f"   single: {other}; {name}" for other in others), ""]
    lines += [name, "=" * len(name), "", f"Part of :doc:`{group}`. Guide: :doc:`/{guide}`.", ""]
    lines += directive(name, value)
    for alias, same in aliases:
        lines += directive(alias, same)
    if others:
        lines += [
            "Other libraries call it " + ", ".join(f"``{name}``" for name in others) + ".",
            "",
        ]
    if near := NEIGHBOURS.others[name]:
        lines += [".. seealso::", ""]
        for other in near:
            same = operator.attrgetter(other)(usmtensor)
            lines += [f"   * {link(other, same)}: {summary(other, same)}"]
    return "\n".join(lines)


NEIGHBOURS, OTHERS = Neighbours(), elsewhere()


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
    texts = {name: group_page(title, pages[name]) for name, title, _ in GROUPS}
    aliases: dict[str, list[tuple[str, Any]]] = {}
    for name, value in (member for members in pages.values() for member in members):
        if name != ours(name, value) != "":
            aliases.setdefault(ours(name, value), []).append((name, value))
    with_page = {
        name: (value, group)
        for group, members in pages.items()
        for name, value in members
        if has_page(name, value)
    }
    if missing := with_page.keys() - NEIGHBOURS.guides.keys():
        raise ExtensionError(f"docs/related.toml: no rows for {missing}")
    if twice := with_page.keys() & texts.keys():
        raise ExtensionError(f"docs/reference.py: {twice} are names of groups, too")
    for name, (value, group) in with_page.items():
        texts[name] = member_page(name, value, group, aliases.get(name, []))
    for name, text in texts.items():
        replace(API / f"{name}.rst", text)
    for file in API.glob("*.rst"):  # of names that are gone
        if file.stem not in texts:
            file.unlink()


def check_reference(app: Sphinx, env: Any) -> None:
    """Every public name must have an entry in the built reference."""
    known = set(env.get_domain("py").objects)
    for name in sorted(public()):
        value = operator.attrgetter(name)(usmtensor)
        if f"usmtensor.{place(name, value)}" not in known:
            logging.getLogger(__name__).warning("the API reference lacks usmtensor.%s", name)


def shorten(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """A method that has the docstring of a function refers to the function."""
    owner, _, method = name.rpartition(".")
    function = getattr(usmtensor, method, None) if method in usmtensor.__all__ else None
    if owner != "usmtensor.usm_ndarray" or not callable(function):
        return
    if inspect.getdoc(value) == inspect.getdoc(function):
        words = summary(method, function).rstrip(".")
        lines[:] = [f"{words}: :py:func:`usmtensor.{method}` of the array.", ""]


def start(app: Sphinx) -> None:
    write_reference()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", start)
    app.connect("autodoc-process-docstring", shorten)
    app.connect("env-check-consistency", check_reference)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
