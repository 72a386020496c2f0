"""Write _generated.pyi in the build: the stub of the annotated functions and classes of extension
modules, and of the names that tables define."""

import ast
import copy
import re
import runpy
import sys
import textwrap
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGE.parent / "libtensor/kernelc"))
from operators import read_operators  # noqa: E402

HEAD = """# Written by the build from annotations of extension modules, and from tables.
from builtins import bool as _bool
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Self, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt
from typing_extensions import Buffer, CapsuleType

from . import BinaryElementwiseFunc, Device, SyclContext, SyclDevice, SyclEvent, SyclPlatform
from . import SyclQueue, UnaryElementwiseFunc, usm_ndarray
from ._core.flags import Flags
from ._core.typing import ArrayOperand, Axes, Axis, Casting, DType, DeviceLike, HasDLPack, HasSUAI
from ._core.typing import Indices, KeepOrder, Mask, Memory, Operand, Order, Out, PythonScalar
from ._core.typing import Scalar, Shape, USMType, Values, Vector
from ._runtime import enums

"""
KINDS = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]  # neither reflected nor in place
# Cython modules are not Python, but the headers of annotated functions are.
HEADER = re.compile(
    r"^(?:cdef )?class (\w+)|^( *)((?:@.+\n *)?def \w+\((?:[^()]|\([^()]*\))*\) -> [^:]+:)",
    re.MULTILINE,
)


def annotated():
    """The annotated functions of extension modules by name, and the methods by their class."""
    functions, methods = {}, {}
    for module in sorted(PACKAGE.rglob("*.pyx")):
        for name, indentation, header in HEADER.findall(module.read_text()):
            if name:
                own = methods.setdefault(name, [])
                continue
            node = ast.parse(textwrap.dedent(f"{indentation}{header} ...")).body[0]
            if indentation:
                own.append(node)
            else:
                functions[node.name] = node
    return dict(sorted(functions.items())), methods


def functions_of(file):
    """The annotated functions of a Python module by name."""
    body = ast.parse((PACKAGE / file).read_text()).body
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def array_methods(functions):
    """The methods of arrays that call a function, with the function's signature."""
    table = re.search(
        r"^NAMES = (\(.*?\))", (PACKAGE / "_numpy/methods.pyx").read_text(), re.M | re.S
    )
    for name in ast.literal_eval(table[1]):
        yield as_method(name, functions[{"conjugate": "conj"}.get(name, name)])
    for name, node in functions_of("_numpy/array_methods.py").items():
        yield as_method(name, node)


def as_method(name, function):
    """The definition of a method that calls a function with the array as its first argument."""
    node = copy.deepcopy(function)
    node.name, node.body, node.decorator_list = name, [ast.Expr(ast.Constant(...))], []
    (node.args.posonlyargs or node.args.args)[0] = ast.arg("self")
    return node


def text_of(nodes, indentation=""):
    """The definitions, in a stub that has NumPy's type as `bool`."""
    for one in (one for node in nodes for one in ast.walk(node)):
        if isinstance(one, ast.Name) and one.id == "bool":
            one.id = "_bool"
    return textwrap.indent("".join(f"{ast.unparse(node)}\n" for node in nodes), indentation)


def device_properties():
    table = runpy.run_path(str(PACKAGE / "_runtime/device_table.py"))["PROPERTIES"]
    for name, text in table.items():
        kind = text.partition(":")[0].replace("bool", "_bool")
        yield f"    @property\n    def {name}(self) -> {kind}: ...\n"


def dtypes(codes):
    for code in codes:
        name = "bool" if code == "b1" else f"{KINDS[code[0]]}{8 * int(code[1:])}"
        yield f"{name}: TypeAlias = np.{name}\n"


def operator_methods(dunder, inputs):
    """The methods of arrays behind one operator of Python."""
    modulo = "modulo: None = None, " if dunder == "pow" else ""
    others = f", other: Operand, {modulo}/" if inputs == 2 else ""
    # object has these two for any operand
    ignored = "  # type: ignore[override]" if dunder in ("eq", "ne") else ""
    results = {"": "usm_ndarray"}
    if inputs == 2 and dunder not in COMPARISONS:
        results |= {"r": "usm_ndarray", "i": "Self"}
    for kind, result in results.items():
        yield f"    def __{kind}{dunder}__(self{others}) -> {result}: ...{ignored}\n"


def main():
    by_hand = ast.parse((PACKAGE / "__init__.pyi").read_text()).body
    by_hand = {node.name: node for node in by_hand if hasattr(node, "name")}
    groups, _, rows = read_operators(PACKAGE.parent / "libtensor/operators.toml")
    elementwise, operators = {}, []
    for row in (row for row in rows if "summary" in row):
        inputs = row["signatures"][0].partition("->")[0].count(",") + 1
        if inputs <= 2 and not row.get("module") and row["name"] not in by_hand:
            elementwise[row["name"]] = f"{('Unary', 'Binary')[inputs - 1]}ElementwiseFunc"
        if "dunder" in row:
            operators += operator_methods(row["dunder"], inputs)
    functions, classes = annotated()
    of_one = by_hand["UnaryElementwiseFunc"].body[-1]
    del of_one.args.posonlyargs[0]  # self
    callables = dict.fromkeys(elementwise, of_one)
    for module in [*sorted(PACKAGE.glob("_composed/*.py")), PACKAGE / "_numpy/names.py"]:
        callables |= functions_of(module)
    methods = list(array_methods(callables | functions))
    lines = [HEAD, "class _DeviceTable:\n", *device_properties(), "\n"]
    for name, nodes in classes.items():
        if nodes:
            lines += [f"class _{name.strip('_')}Members:\n", text_of(nodes, "    "), "\n"]
    lines += ["class _Operators:\n", *operators, "\n"]
    lines += ["class _Methods:\n", text_of(methods, "    "), "\n"]
    lines += [*dtypes(groups["all"]), "\n", text_of(functions.values()), "\n"]
    lines += [f"{name}: Final[{kind}]\n" for name, kind in elementwise.items()]
    (PACKAGE / "_generated.pyi").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
