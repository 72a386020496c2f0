"""Write _generated.pyi in the build: the stub of the names that tables define."""

import ast
import copy
import re
import runpy
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "libtensor/kernelc"))
from operators import read_operators  # noqa: E402

HEAD = """# Written by the build from tables of functions, operators and properties.
from builtins import bool as _bool
from typing import Final, Self, SupportsIndex

import numpy as np

from . import BinaryElementwiseFunc, UnaryElementwiseFunc, usm_ndarray
from . import _Axis, _Casting, _DeviceLike, _DType, _KeepOrder, _Operand, _Out, _Shape, _SortKind

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


def array_methods(functions):
    """The methods of arrays that call a function, with the function's signature."""
    table = re.search(r"^NAMES = (\(.*?\))", (HERE / "_methods.pyx").read_text(), re.M | re.S)
    body = ast.parse((HERE / "__init__.pyi").read_text() + functions).body
    definitions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    calls = {node.name: node.body[0] for node in body if isinstance(node, ast.ClassDef)}
    kinds = {node.target.id: node.annotation for node in body if isinstance(node, ast.AnnAssign)}
    for name in ast.literal_eval(table[1]):
        node = copy.deepcopy(definitions.get(name) or calls[kinds[name].slice.id])
        array = 0 if name in definitions else 1  # behind self
        node.args.posonlyargs[: array + 1] = [ast.arg("self")]
        node.name = name
        yield textwrap.indent(ast.unparse(node), "    ") + "\n"


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
    lines += ["class _Operators:\n", *methods, "\n", "class _Methods:\n"]
    lines += [*array_methods("".join(functions)), "\n", *dtypes(groups["all"]), "\n", *functions]
    (HERE / "_generated.pyi").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
