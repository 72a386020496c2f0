"""Every public function, class and method has an example with right results, and parameters."""

import doctest
import importlib
import inspect
import re
import sys
from pathlib import Path

import pytest
from library import skip_without_library

import usmtensor as usm
from usmtensor._core.flags import Flags

sys.path.append(str(Path(__file__).parents[1] / "docs"))

import blocks  # from docs

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SUBMODULES = ("fft", "linalg", "memory", "random", "special", "utils")
MODULES = ["usmtensor", *(f"usmtensor.{name}" for name in SUBMODULES)]
# Classes without a public name.
OBJECTS = [Flags, type(usm.__array_namespace_info__()), type(usm.utils.SequentialOrderManager)]
OBJECTS += [type(usm.utils.SequentialOrderManager[usm.SyclQueue()])]


def is_ours(value):
    return (getattr(value, "__module__", None) or "usmtensor").startswith("usmtensor")


def members(cls):
    """The public methods of a class and of its bases in the package."""
    for base in filter(is_ours, cls.__mro__[:-1]):
        for name, value in vars(base).items():
            if type(value).__name__ == "instancemethod":
                method = value.__get__(cls)  # as of an array, so its parameters lack the first one
            else:
                method = getattr(value, "__func__", value)  # of a static or class method
            if not name.startswith("_") and (inspect.isroutine(method) or hasattr(method, "nin")):
                yield f"{cls.__name__}.{name}", method


def public():
    """The public modules, functions, classes and methods: names and objects."""
    found = {}
    for module in map(importlib.import_module, MODULES):
        found[module.__name__] = module
        for name in module.__all__:
            value = getattr(module, name)
            if callable(value) and is_ours(value):
                found[f"{module.__name__}.{name}"] = value
    for value in [*found.values(), *OBJECTS]:
        if isinstance(value, type):
            found.update(members(value))
    found.update((value.__name__, value) for value in OBJECTS[:1])
    return found


PUBLIC = public()


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name, device):
    text = inspect.cleandoc(PUBLIC[name].__doc__)
    assert ">>> " in text, f"{name} has no example"
    blocks.check_pasting(text[text.index(">>> ") :])
    if not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64: the examples show double precision")
    example = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    library = ("usm.linalg", "usm.fft", "usm.polyfit", "usm.roots", ".multivariate_normal(")
    if any(name in one.source for name in library for one in example.examples):
        skip_without_library(device)
    assert usm.__name__ == "usmtensor"
    report = []
    failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=report.append)
    assert not failed, "".join(report)


def is_function(value):
    return not isinstance(value, type) and callable(value)


@pytest.mark.parametrize("name", [name for name in PUBLIC if is_function(PUBLIC[name])])
def test_parameters_are_described(name):
    function = PUBLIC[name]
    names = [n for n in inspect.signature(function).parameters if n not in ("self", "cls")]
    section = re.search(
        r"^Parameters\n-+\n(.*?)(?=\n\n\S+\n-+\n|\Z)",
        inspect.cleandoc(function.__doc__),
        re.M | re.S,
    )
    rows = re.findall(r"^(\S.*?)(?: : .*)?$", section[1] if section else "", re.M)
    described = {word.lstrip("*") for row in rows for word in row.split(", ")}
    assert set(names) <= described
