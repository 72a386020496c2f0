"""Write _generated.pyi in the build: the stub of the names that tables define."""

import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "libtensor/kernelc"))
from operators import read_operators  # noqa: E402

HEAD = """# Written by the build from libtensor/operators.toml and usmtensor/_device_table.py.
from builtins import bool as _bool
from typing import Final, Self

import numpy as np

from . import BinaryElementwiseFunc, UnaryElementwiseFunc, _Operand, usm_ndarray

"""
KINDS = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]  # neither reflected nor in place


def device_properties():
    table = runpy.run_path(str(HERE / "_device_table.py"))
    for name, text in table["PROPERTIES"].items():
        kind = text.partition(":")[0].replace("bool", "_bool")
        yield f"    {name}: Final[{kind}]\n"


def dtypes(codes):
    for code in codes:
        name = "bool" if code == "b1" else f"{KINDS[code[0]]}{8 * int(code[1:])}"
        yield f"{name}: Final[np.dtype[np.{name}]]\n"


def operator_methods(dunder, inputs):
    """The methods of arrays behind one operator of Python."""
    modulo = "modulo: None = None, " if dunder == "pow" else ""
    others = f", other: _Operand, {modulo}/" if inputs == 2 else ""
    # object has these two for any operand
    ignored = "  # type: ignore[override]" if dunder in ("eq", "ne") else ""
    results = {"": "usm_ndarray"}
    if inputs == 2 and dunder not in COMPARISONS:
        results |= {"r": "usm_ndarray", "i": "Self"}
    for kind, result in results.items():
        yield f"    def __{kind}{dunder}__(self{others}) -> {result}: ...{ignored}\n"


def main():
    groups, _, rows = read_operators(HERE.parent / "libtensor/operators.toml")
    rows = {row["name"]: row for row in rows if "summary" in row}
    functions, methods = [], []
    for name, row in rows.items():
        signature = rows[row.get("swapped", name)]["signatures"][0]
        inputs = signature.partition("->")[0].count(",") + 1
        if inputs <= 2:
            kind = ("Unary", "Binary")[inputs - 1]
            functions.append(f"{name}: Final[{kind}ElementwiseFunc]\n")
        if "dunder" in row:
            methods += operator_methods(row["dunder"], inputs)
    lines = [HEAD, "class _DeviceProperties:\n", *device_properties(), "\n"]
    lines += ["class _Operators:\n", *methods, "\n", *dtypes(groups["all"]), "\n", *functions]
    (HERE / "_generated.pyi").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
