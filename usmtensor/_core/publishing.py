"""The public paths of functions, which pickles have."""

import sys
from types import BuiltinFunctionType, FunctionType


def publish(where: str) -> None:
    """Give the functions of a public module, such as "usmtensor.linalg", its name as `__module__`,
    in place of the name of the module that defines them."""
    module = sys.modules[where]
    for name in module.__all__:
        function = vars(module).get(name)
        is_function = isinstance(function, FunctionType | BuiltinFunctionType)
        if is_function and function.__module__.startswith("usmtensor._"):
            function.__module__ = where
