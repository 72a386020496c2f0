"""Tables of the names of other libraries, and of their replacements, made when Sphinx starts.

`names/` gets them, for pages that include them. They are made from the table behind the hints in
error messages.
"""

import operator
from pathlib import Path

import numpy
from reference import place, replace
from sphinx.application import Sphinx

import usmtensor
from usmtensor._core import hints as _hints

NAMES = Path(__file__).parent / "names"


def write_names() -> None:
    """Tables of the functions and methods of other libraries, and of their replacements here."""
    modules = (("linalg", {}), ("fft", {}), ("random", _hints.RANDOM))
    below = {f"{module}.{name}": hint for module, hints in modules for name, hint in hints.items()}
    tables = {"functions": _hints.FUNCTIONS, "modules": below, "methods": _hints.METHODS}
    for name, hints in tables.items():
        before = "x." if name == "methods" else ""
        lines = ["| elsewhere | in usmtensor |", "|---|---|"]
        by_hint: dict[str, list[str]] = {}
        for other, hint in hints.items():
            by_hint.setdefault(hint, []).append(f"`{before}{other}`")
        for hint, others in sorted(by_hint.items(), key=lambda item: item[1][0].lower()):
            code, comma, words = hint.partition(", which ")
            code = f"`{code}`".replace(" or ", "` or `")
            lines.append(f"| {', '.join(sorted(others))} | {code}{comma}{words} |")
        replace(NAMES / f"{name}.md", "\n".join(lines) + "\n")


def counterpart(name: str) -> str:
    """The entry of a name of NumPy or SciPy in the reference, or what replaces it."""
    try:
        value = operator.attrgetter(name)(usmtensor)
    except AttributeError as error:
        _, found, hint = str(error).partition(": ")
        hint = hint.removeprefix("usmtensor calls it ").removeprefix("write ")
        return "–" if not found else hint if hint.startswith("call ") else f"`{hint}`"
    return f"{{py:obj}}`{name} <usmtensor.{place(name, value)}>`"


def write_all_names() -> None:
    """Tables of all names of NumPy's modules, beside ours."""
    modules = {
        "numpy": (numpy.__all__, ""),
        "linalg": (numpy.linalg.__all__, "linalg."),
        "fft": (numpy.fft.__all__, "fft."),
        "random": (dir(numpy.random.Generator), "random.Generator."),
        "ndarray": (dir(numpy.ndarray), "usm_ndarray."),
    }
    for module, (names, owner) in modules.items():
        lines = ["| name | in usmtensor |", "|---|---|"]
        for name in sorted(name for name in names if name[0] != "_"):
            lines.append(f"| `{name}` | {counterpart(owner + name)} |")
        replace(NAMES / f"all_{module}.md", "\n".join(lines) + "\n")


def start(app: Sphinx) -> None:
    write_names()
    write_all_names()


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", start)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
