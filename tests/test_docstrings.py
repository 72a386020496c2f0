"""The examples in docstrings give the results that they show."""

import doctest
import importlib

import pytest
from library import skip_without_library

import usmtensor as usm

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = ["usmtensor", *(f"usmtensor.{name}" for name in ("fft", "linalg", "random"))]


def public():
    """The public functions and classes that have examples."""
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            value = getattr(module, name)
            text = getattr(value, "__doc__", None) or ""
            own = getattr(value, "__module__", "usmtensor").startswith("usmtensor")
            if callable(value) and own and ">>>" in text:
                yield pytest.param(value, id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("value", list(public()))
def test_examples(value, device):
    if not device.has_aspect_fp64:
        pytest.skip("the device lacks the aspect fp64: the examples show double precision")
    example = doctest.DocTestParser().get_doctest(value.__doc__, {}, "example", None, 0)
    if any("usm.linalg" in one.source or "usm.fft" in one.source for one in example.examples):
        skip_without_library(device)
    assert usm.__name__ == "usmtensor" and example.examples
    report = []
    failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(example, out=report.append)
    assert not failed, "".join(report)
