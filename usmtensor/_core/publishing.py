"""The public names of functions, which pickles store."""

import sys
from types import BuiltinFunctionType, FunctionType


def publish(where: str) -> None:
    """Set `__module__` of the functions in a public module to the module's name."""
    module = sys.modules[where]
    for name in module.__all__:
        function = vars(module).get(name)
        is_function = isinstance(function, FunctionType | BuiltinFunctionType)
        if is_function and function.__module__.startswith("usmtensor._"):
            function.__module__ = where
