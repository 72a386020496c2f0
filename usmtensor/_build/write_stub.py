"""Write _generated.pyi in the build: the stub of the names that tables define, and of the functions
whose docstrings have the types of their parameters."""

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
from sections import filled  # noqa: E402

HEAD = """# Written by the build from tables of operators and properties, and from docstrings.
from builtins import bool as _bool
from collections.abc import Sequence
from typing import Any, Final, Literal, Self, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from . import BinaryElementwiseFunc, Device, SyclContext, SyclDevice, SyclPlatform, SyclQueue
from . import UnaryElementwiseFunc, usm_ndarray
from . import _ArrayOperand, _DeviceLike, _Indices, _KeepOrder, _Line, _Memory, _Operand, _Out
from . import _Casting, _DType, _PythonScalar, _Scalar, _Shape, _Values
from ._functions.arguments import Axes, Axis, DType, Out
from ._runtime.enums import backend_type, device_type, event_status_type, global_mem_cache_type
from ._core.flags import Flags

"""
# The modules whose functions have a stub of their docstrings, unless __init__.pyi has one.
MODULES = [
    "_core/copy",
    "_functions/creation",
    "_functions/elementwise",
    "_functions/indexing",
    "_functions/manipulation",
    "_functions/nearness",
]
MODULES += [
    "_functions/products",
    "_functions/reductions",
    "_functions/repetition",
    "_functions/scans",
    "_functions/searching",
    "_functions/sorting",
    "_functions/statistics",
]
# Annotated modules. Arrays have some of their functions as methods.
COMPOSED = [*sorted((PACKAGE / "_composed").glob("*.py")), PACKAGE / "_numpy/names.py"]
# Words of docstrings, and the types.
TYPES = {
    "Device, SyclQueue, SyclDevice or filter selector string": "_DeviceLike",
    "None": "None",
    "SyclQueue": "SyclQueue",
    "bool": "_bool",
    "data type": "npt.DTypeLike",
    "float": "float",
    "float, usm_ndarray or numpy.ndarray": "float | _ArrayOperand",
    "int": "SupportsIndex",
    "int or tuple of int": "_Shape",
    "int or tuple of two sequences of int": "SupportsIndex | Sequence[_Shape]",
    "int, float, complex, or array of no dimensions": "complex | usm_ndarray",
    "int, float, or array of no dimensions": "float | usm_ndarray",
    "int, usm_ndarray, numpy.ndarray or sequence": "SupportsIndex | _Line",
    "int, usm_ndarray, numpy.ndarray, sequence or str": "_Values | str",
    "int, usm_ndarray, or sequence of int": "_Shape | usm_ndarray",
    "number": "_Scalar",
    "numpy.ndarray": "npt.NDArray[Any]",
    "numpy.ndarray or an object that numpy.asarray takes": "npt.ArrayLike",
    "scalar or array that broadcasts to `shape`": "_Scalar | usm_ndarray",
    "scalar or array that broadcasts to the shape of `x`": "_Scalar | usm_ndarray",
    "sequence of int": "Sequence[SupportsIndex]",
    "tuple of int": "tuple[int, ...]",
    "tuple of two floats": "tuple[float, float]",
    "tuple of two usm_ndarray": "tuple[usm_ndarray, usm_ndarray]",
    "tuple of usm_ndarray": "tuple[usm_ndarray, ...]",
    "tuple or list of usm_ndarray or numpy.ndarray": "Sequence[_ArrayOperand]",
    "tuple or list of usm_ndarray, numpy.ndarray or sequence": "Sequence[_Values]",
    "usm_ndarray": "usm_ndarray",
    "usm_ndarray or tuple of usm_ndarray": "Any",
    "usm_ndarray of integers": "_Indices",
    "usm_ndarray or numpy.ndarray": "_ArrayOperand",
    "usm_ndarray, array_like or scalar": "_Values",
    "usm_ndarray, numpy.ndarray or number": "_Operand",
    "usm_ndarray, numpy.ndarray or sequence": "_Line",
    "usm_ndarray, numpy.ndarray, sequence or number": "_Operand | Sequence[_PythonScalar]",
    "usm_ndarray, object with `__sycl_usm_array_interface__`, `__dlpack__` or `__array__`, "
    "NumPy array, buffer, scalar, or nested sequence of these": "_Values",
    "usm_ndarray, or tuple of two": "Any",
}
KINDS = {"i": "int", "u": "uint", "f": "float", "c": "complex"}
COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]  # neither reflected nor in place


def names_of(body):
    """The definitions of a stub by name."""
    found = {node.target.id: node for node in body if isinstance(node, ast.AnnAssign)}
    return found | {node.name: node for node in body if hasattr(node, "name")}


# Modules of classes with properties. The docstrings of properties begin with the type.
CLASSES = [
    "_runtime/device.py",
    "_functions/elementwise.pyx",
    "_runtime/platform.pyx",
    "_runtime/queue.pyx",
    "_functions/data_types.py",
]
CLASSES += ["_runtime/memory.pyx", "_core/array.pyx"]
PROPERTY = re.compile(
    r'@property\n +def (\w+)\(self\):\n +"""(.*?): |(\w+) = property\([^=]*doc="(.*?): |'
    r'^        "(\w+)": "(.*?): ',
    re.MULTILINE,
)
RESULTS = {"bool": "_bool", "dict": "dict[str, Any]", "list of str": "list[str]"}
RESULTS |= {"numpy.dtype": "np.dtype[Any]", "tuple of int": "tuple[int, ...]"}
RESULTS |= {"MemoryUSMDevice, MemoryUSMShared or MemoryUSMHost": "_Memory"}


def properties_of(rows, by_hand=()):
    """The attributes for properties: for pairs of a name and the words for its type."""
    for name, words in rows:
        kind = RESULTS.get(words, words).replace(" or ", " | ")
        if name not in by_hand:
            yield f"    {name}: Final[{kind}]\n"


def properties(by_hand):
    """The bases with the properties of classes, without properties that __init__.pyi has."""
    table = runpy.run_path(str(PACKAGE / "_runtime/device_table.py"))["PROPERTIES"]
    yield "class _DeviceTable:\n"
    yield from properties_of((name, text.partition(":")[0]) for name, text in table.items())
    for module in CLASSES:
        text = (PACKAGE / module).read_text()
        _, *parts = re.split(r"^(?:cdef )?class (\w+)", text, flags=re.MULTILINE)
        for name, body in zip(parts[::2], parts[1::2], strict=True):
            if rows := [filter(None, row) for row in PROPERTY.findall(body)]:
                own = names_of(getattr(by_hand.get(name), "body", ()))
                yield f"\nclass _{name.strip('_')}Properties:\n"
                yield from properties_of(rows, own)


def dtypes(codes):
    for code in codes:
        name = "bool" if code == "b1" else f"{KINDS[code[0]]}{8 * int(code[1:])}"
        yield f"{name}: TypeAlias = np.{name}\n"


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


def type_of(words, optional=False):
    """The type for the words of a docstring."""
    optional |= words.endswith(" or None")
    words = re.sub("(, optional| or None)$", "", words)
    choice = re.fullmatch("{(.*)}", words)
    kind = f"Literal[{choice[1]}]" if choice else TYPES[words]
    return ast.Name(f"{kind} | None" if optional else kind)


def words_of(name, docstrings):
    """The words of a docstring for the types of the parameters and of the result."""
    words = {"return": "None"}
    rows = re.findall(r"^    (\S.*?) : (.*)$", docstrings[name], re.M)
    for names, text in rows:
        words |= dict.fromkeys(re.findall(r"\w+", names), text)
    if returns := re.search(r"Returns\n +-+\n +(.*)", docstrings[name]):
        words["return"] = returns[1]
    return words


def typed(header, words):
    """The definition of a function with the types of its docstring."""
    node = ast.parse(f"{header} ...").body[0]
    given = node.args
    positional = [*given.posonlyargs, *given.args]
    required = [ast.Constant(...)] * (len(positional) - len(given.defaults))
    defaults = [*required, *given.defaults, *given.kw_defaults]
    for argument, default in zip([*positional, *given.kwonlyargs], defaults, strict=True):
        is_none = isinstance(default, ast.Constant) and default.value is None
        argument.annotation = type_of(words[argument.arg], is_none)
    if given.vararg:
        given.vararg.annotation = type_of(words[given.vararg.arg])
    node.returns = type_of(words["return"])
    return node


def functions(by_hand):
    """The functions of arrays that __init__.pyi lacks."""
    headers, docstrings = {}, {}
    for module in MODULES:
        text = (PACKAGE / f"{module}.pyx").read_text().replace("\\\n", "")
        public = re.search(r"^__all__ = \[(.*?)\]", text, re.M | re.S)[1]
        found = re.findall(r'^(def (\w+)\(.*?:)\n    """(.*?)"""', text, re.M | re.S)
        for header, name, docstring in found:
            if f'"{name}"' in public:
                headers[name], docstrings[name] = header, filled(docstring)
    for name in sorted(headers.keys() - by_hand.keys()):
        try:
            yield typed(headers[name], words_of(name, docstrings))
        except KeyError as error:
            raise ValueError(
                f"{name}: no type for {error}: either its docstring lacks this parameter, or TYPES "
                "in usmtensor/_build/write_stub.py lacks this phrase"
            ) from None


def array_methods(definitions):
    """The methods of arrays that call a function, with the function's signature."""
    table = re.search(
        r"^NAMES = (\(.*?\))", (PACKAGE / "_numpy/methods.pyx").read_text(), re.M | re.S
    )
    for name in ast.literal_eval(table[1]):
        yield as_method(name, definitions[{"conjugate": "conj"}.get(name, name)])
    for name, node in functions_of(PACKAGE / "_numpy/array_methods.py").items():
        yield as_method(name, node)


def as_method(name, function):
    """The definition of a method that calls a function with the array as its first argument."""
    node = copy.deepcopy(function)
    node.name, node.body, node.decorator_list = name, [ast.Expr(ast.Constant(...))], []
    (node.args.posonlyargs or node.args.args)[0] = ast.arg("self")
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and one.id == "bool":
            one.id = "_bool"
    return node


def functions_of(file):
    """The annotated functions of a module by name."""
    body = ast.parse(file.read_text()).body
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef)}


def text_of(nodes, indentation=""):
    return textwrap.indent("".join(f"{ast.unparse(node)}\n" for node in nodes), indentation)


def main():
    by_hand = names_of(ast.parse((PACKAGE / "__init__.pyi").read_text()).body)
    groups, _, rows = read_operators(PACKAGE.parent / "libtensor/operators.toml")
    rows = {row["name"]: row for row in rows if "summary" in row}
    elementwise, operators = {}, []
    for name, row in rows.items():
        inputs = row["signatures"][0].partition("->")[0].count(",") + 1
        if inputs <= 2 and not row.get("module") and name not in by_hand:
            elementwise[name] = f"{('Unary', 'Binary')[inputs - 1]}ElementwiseFunc"
        if "dunder" in row:
            operators += operator_methods(row["dunder"], inputs)
    written = {node.name: node for node in functions(by_hand)}
    of_one = by_hand["UnaryElementwiseFunc"].body[-1]
    del of_one.args.posonlyargs[0]  # self
    known = {}
    for module in COMPOSED:
        known |= functions_of(module)
    known |= dict.fromkeys(elementwise, of_one) | written
    methods = array_methods(known)
    lines = [HEAD, *properties(by_hand), "\n"]
    lines += ["class _Operators:\n", *operators, "\n"]
    lines += ["class _Methods:\n", text_of(methods, "    "), "\n"]
    lines += [*dtypes(groups["all"]), "\n", text_of(written.values()), "\n"]
    lines += [f"{name}: Final[{kind}]\n" for name, kind in elementwise.items()]
    (PACKAGE / "_generated.pyi").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
