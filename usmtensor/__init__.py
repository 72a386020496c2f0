"""N-dimensional arrays in SYCL unified shared memory.

Array functions follow the array API standard 2025.12 and dpctl.tensor; devices, contexts, queues
and USM memory objects follow dpctl and dpctl.memory.
"""

# ruff: noqa: E402, I001
import importlib.util
import os
import sys

if importlib.util.find_spec("usmtensor._version") is None:
    # A checkout in the working directory hides the installed package: go on with that one.
    __path__[:] = [
        os.path.join(_entry, "usmtensor")
        for _entry in sys.path
        if os.path.exists(os.path.join(_entry, "usmtensor", "_version.py"))
    ][:1]
    if not __path__:
        raise ImportError(
            "usmtensor is not installed, this is its source folder: run `pip install .` in the "
            "folder above"
        )

from usmtensor import _bootstrap  # noqa: F401  # loads what the modules below link

from usmtensor import (
    _building,
    _capi,  # noqa: F401  # offers functions to native code
    _copy,
    _creation,
    _device,
    _dlpack,
    _elementwise,
    _enums,
    _errors,
    _indexing,
    _info,
    _joining,
    _manipulation,
    _platform,
    _print,
    _ranges,
    _runtime,
    _types,
    _usmarray,
    memory,
    utils,
)
from usmtensor._version import __version__

__array_api_version__ = "2025.12"

__all__ = ["__array_api_version__", "__version__", "memory", "utils"]
for _module in (
    _building,
    _copy,
    _creation,
    _device,
    _dlpack,
    _elementwise,
    _enums,
    _errors,
    _indexing,
    _info,
    _joining,
    _manipulation,
    _platform,
    _print,
    _ranges,
    _runtime,
    _types,
    _usmarray,
):
    __all__ += _module.__all__
    globals().update({_name: getattr(_module, _name) for _name in _module.__all__})
del _module
