"""The stubs agree with the modules: equal names, equal members, all documented."""

import ast
import importlib
import inspect
import re
from pathlib import Path

import pytest

import usmtensor
from usmtensor._core import docstrings

pytestmark = pytest.mark.any_memory

FOLDER = Path(usmtensor.__file__).parent
SUBMODULES = {"fft", "linalg", "memory", "random", "special", "utils"}
MODULES = ["usmtensor", *(f"usmtensor.{name}" for name in sorted(SUBMODULES))]


def parse(name):
    """A stub, or a module of Python that needs none."""
    stub = FOLDER / f"{name.replace('.', '/')}.pyi"
    return ast.parse((stub if stub.exists() else stub.with_suffix(".py")).read_text())


def names_in_all(body):
    lists = [node for node in body if "__all__" in ast.unparse(node)]
    return {one.value for node in lists for one in ast.walk(node) if isinstance(one, ast.Constant)}


def exported(body):
    """The statements that an import by `*` takes: without functions that `__all__` lacks."""
    names = names_in_all(body)
    return [
        node
        for node in body
        if not (names and isinstance(node, ast.FunctionDef) and node.name not in names)
    ]


def stub_of(module):
    """The stub of a module, with its imports by `*` and the bases that only stubs have."""
    tree = parse("__init__" if module == "usmtensor" else module.rpartition(".")[2])
    for node in list(tree.body):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            tree.body += exported(parse(node.module).body)
    scopes = {
        node.name: node
        for node in [*parse("_generated").body, *tree.body]
        if isinstance(node, ast.ClassDef)
    }
    for node in tree.body:
        if not isinstance(node, ast.ClassDef):
            continue
        for base in map(ast.unparse, node.bases):
            if base.startswith("_"):
                node.body += scopes[base.removeprefix("_generated.")].body
    return tree


def names_in(body):
    """Names that the statements of a stub define, with imports that are exported again: as
    `import x as x`, or in `__all__`."""
    listed = names_in_all(body)
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            for alias in node.names:
                if alias.asname == alias.name or (not alias.asname and alias.name in listed):
                    yield alias.name


def parameters_of_stub(node):
    """(name, kind, whether it has a default) of every parameter, `self` and `cls` left out."""
    args = node.args
    positional = [(arg.arg, "positional-only") for arg in args.posonlyargs]
    positional += [(arg.arg, "positional or keyword") for arg in args.args]
    required = len(positional) - len(args.defaults)
    rows = [(*row, place >= required) for place, row in enumerate(positional)]
    if args.vararg:
        rows.append((args.vararg.arg, "variadic positional", False))
    keywords = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    rows += [(arg.arg, "keyword-only", default is not None) for arg, default in keywords]
    if args.kwarg:
        rows.append((args.kwarg.arg, "variadic keyword", False))
    return [row for row in rows if row[0] not in ("self", "cls")]


def parameters_of(function):
    return [
        (parameter.name, parameter.kind.description, parameter.default is not parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
        if parameter.name not in ("self", "cls")
    ]


def definitions(body, classes):
    """Names and definitions of public functions; elementwise functions have that of their class."""
    called = {
        cls.name: node
        for cls in classes
        for node in cls.body
        if isinstance(node, ast.FunctionDef) and node.name == "__call__"
    }
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield node.name, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Subscript):
            kind = getattr(node.annotation.slice, "id", None)
            if kind in called:
                yield node.target.id, called[kind]


def functions():
    """The public functions and methods: the object, its definition in the stub."""
    for module in MODULES:
        loaded, tree = importlib.import_module(module), stub_of(module)
        nested = [node for node in tree.body if isinstance(node, ast.ClassDef)]
        scopes = [(loaded, tree), *((getattr(loaded, node.name, None), node) for node in nested)]
        for owner, scope in scopes:
            for name, node in definitions(scope.body, nested):
                found = inspect.getattr_static(owner, name, None)
                if type(found).__name__ == "instancemethod":
                    found = found.__get__(owner)  # as of an array, without the first parameter
                else:
                    found = getattr(found, "__func__", found)  # of a static or class method
                if inspect.isroutine(found) or hasattr(found, "nin"):
                    where = ".".join([module, getattr(scope, "name", "")]).rstrip(".")
                    yield pytest.param(found, node, id=f"{where}.{name}")


def public(names):
    return {name for name in names if not name.startswith("_")}


def classes():
    for module in MODULES:
        for node in stub_of(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield pytest.param(
                    getattr(importlib.import_module(module), node.name, None),
                    node,
                    id=f"{module}.{node.name}",
                )


@pytest.mark.parametrize("module", MODULES)
def test_stub_has_the_public_names(module):
    stubbed = public(names_in(stub_of(module).body)) - SUBMODULES
    assert stubbed == public(importlib.import_module(module).__all__) - SUBMODULES


@pytest.mark.parametrize("module", MODULES)
def test_functions_have_types(module):
    functions = [node for node in stub_of(module).body if isinstance(node, ast.FunctionDef)]
    untyped = [
        node.name
        for node in functions
        if not node.returns
        or any(one.annotation is None for one in ast.walk(node.args) if isinstance(one, ast.arg))
    ]
    assert not untyped, "functions without types of all parameters and of the result"


@pytest.mark.parametrize("module", MODULES)
def test_public_names_have_docstrings(module):
    loaded = importlib.import_module(module)
    documented = [
        name
        for name in loaded.__all__
        if inspect.isclass(getattr(loaded, name)) or inspect.isroutine(getattr(loaded, name))
    ]
    assert documented
    assert not [name for name in documented if not inspect.getdoc(getattr(loaded, name))]
    # The names of common sections have been replaced.
    assert not [
        name for name in documented if re.search(r"^ *<\w+>$", getattr(loaded, name).__doc__, re.M)
    ]


@pytest.mark.parametrize("cls, node", list(classes()))
def test_stub_has_the_members_of_a_class(cls, node):
    """Stub and class agree on the class's own members; its base may have the inherited ones."""
    assert cls is not None
    stubbed = set(names_in(node.body))
    assert not {name for name in stubbed if not hasattr(cls, name)} - {"__buffer__", "code"}
    assert public(vars(cls)) <= stubbed


def is_alias(name):
    """Whether a name is a second one of a function, or of a function of NumPy."""
    function = getattr(usmtensor, name)
    ours = getattr(function, "__module__", None) or "usmtensor"
    return getattr(function, "__name__", name) != name or not ours.startswith("usmtensor")


def test_signatures_are_of_all_functions():
    names = {parameters.id.rpartition(".")[2] for parameters in functions()}
    others = {
        name
        for name in public(usmtensor.__all__)
        if callable(getattr(usmtensor, name)) and not isinstance(getattr(usmtensor, name), type)
    }
    others -= {name for name in others if is_alias(name)}
    assert others - names == set()


@pytest.mark.parametrize("function, node", list(functions()))
def test_stub_has_the_signature_of_a_function(function, node):
    assert parameters_of_stub(node) == parameters_of(function)


@pytest.mark.parametrize("cls, node", list(classes()))
def test_public_members_have_docstrings(cls, node):
    members = {name: inspect.getattr_static(cls, name) for name in public(vars(cls))}
    undocumented = {
        name
        for name, member in members.items()
        if (inspect.isroutine(member) or inspect.isdatadescriptor(member))
        and not inspect.getdoc(member)
    }
    assert not undocumented


def test_elementwise_functions_have_the_stubbed_class():
    stubbed = {
        node.target.id: node.annotation.slice.id
        for node in stub_of("usmtensor").body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.annotation, ast.Subscript)
        and getattr(node.annotation.slice, "id", "").endswith("ElementwiseFunc")
    }
    assert stubbed == {
        name: type(getattr(usmtensor, name)).__name__
        for name in usmtensor.__all__
        if type(getattr(usmtensor, name)).__name__.endswith("ElementwiseFunc")
        and not is_alias(name)
        and name not in docstrings.KEYWORDS
    }


@pytest.mark.parametrize("module", MODULES)
def test_public_callables_have_signatures(module):
    """All but exceptions: Python's own have none."""
    loaded = importlib.import_module(module)
    for name in loaded.__all__:
        found = getattr(loaded, name)
        if callable(found) and not (isinstance(found, type) and issubclass(found, BaseException)):
            assert isinstance(inspect.signature(found), inspect.Signature), name


def test_signatures_of_other_callables():
    others = "out=None, order='K', *, where=True, dtype=None, casting=None"
    assert str(inspect.signature(usmtensor.add)) == f"(x1, x2, /, {others})"
    assert str(inspect.signature(usmtensor.sqrt)) == f"(x, /, {others})"
    assert list(inspect.signature(usmtensor.usm_ndarray).parameters)[:3] == [
        *("shape", "dtype", "strides"),
    ]
    assert str(inspect.signature(usmtensor.SyclQueue)) == "(*args, property=None)"
    assert str(inspect.signature(usmtensor.SyclDevice)) == "(arg=None)"
    for kind in ("Device", "Shared", "Host"):
        cls = getattr(usmtensor.memory, f"MemoryUSM{kind}")
        assert str(inspect.signature(cls)) == "(obj, *, alignment=0, queue=None, copy=False)"


def test_package_is_marked_as_typed():
    assert (FOLDER / "py.typed").exists()
