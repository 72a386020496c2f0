"""N-dimensional arrays in SYCL unified shared memory.

Array functions follow the array API standard 2025.12 and dpctl.tensor; devices, contexts, queues
and USM memory objects follow dpctl and dpctl.memory.
"""

# ruff: noqa: E402
from usmtensor import _bootstrap  # first: it loads what the modules below link

from usmtensor import (
    _copy,
    _creation,
    _device,
    _enums,
    _errors,
    _manipulation,
    _platform,
    _print,
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
    _copy,
    _creation,
    _device,
    _enums,
    _errors,
    _manipulation,
    _platform,
    _print,
    _runtime,
    _types,
    _usmarray,
):
    __all__ += _module.__all__
    globals().update({_name: getattr(_module, _name) for _name in _module.__all__})
del _module
