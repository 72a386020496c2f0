"""N-dimensional arrays in SYCL unified shared memory.

Array functions follow the array API standard 2025.12 and dpctl.tensor. Devices, contexts, queues
and memory objects follow dpctl and dpctl.memory.

Examples
--------
>>> import numpy as np
>>> import usmtensor as usm
>>> x = usm.asarray(np.arange(6.0))  # on the default device
>>> y = usm.sqrt(x[::2]) + 1  # computed there
>>> usm.asnumpy(y)  # a copy on the host
array([1.        , 2.41421356, 3.        ])
"""

# ruff: noqa: E402, I001
import importlib.util
import os
import sys

# NumPy's OpenBLAS threads keep their cores busy for 2^26 cycles after each product, and kernels on
# these cores take several times as long. 2^20 cycles are longer than the time between two calls.
# OpenBLAS reads the variable when NumPy is imported.
if "numpy" not in sys.modules and "OPENBLAS_THREAD_TIMEOUT" not in os.environ:
    os.environ["OPENBLAS_THREAD_TIMEOUT"] = "20"
    try:
        import numpy
    finally:
        del os.environ["OPENBLAS_THREAD_TIMEOUT"]
import numpy

if importlib.util.find_spec("usmtensor._version") is None:
    # A checkout in the working directory hides the installed package: import that one.
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

if not any(map(os.path.isdir, __path__)):
    raise ImportError(
        f"usmtensor cannot be imported from {__path__[0]}: its extension modules are shared "
        "libraries, which are loaded from folders only; install it by pip, or unpack the archive"
    )

from usmtensor._runtime import bootstrap as _bootstrap  # loads the libraries of the modules below

from usmtensor._exchange import capi as _capi  # exports functions for native code
from usmtensor._version import __version__

__array_api_version__ = "2025.12"

__all__ = ["__array_api_version__", "__version__", "fft", "linalg", "memory", "random"]
__all__ += ["special", "utils"]
for _room, _names in {
    "_runtime": "device enums errors platform queue selection",
    "_core": "array copy dlpack printing",
    "_functions": "creation data_types elementwise indexing manipulation nearness products "
    "reductions repetition scans searching sets sorting statistics",
    "_composed": "bits calculus choosing covariance diagonals files histograms index_arrays "
    "joining nan_reductions padding partial_sorts polynomials products quantiles set_operations "
    "shapes whole_arrays windows",
    "_kernels": "fuse reduction_kernel user_kernels",
    "_numpy": "names",
    "_exchange": "building",
}.items():
    for _name in _names.split():
        _module = importlib.import_module(f"usmtensor.{_room}.{_name}")
        __all__ += _module.__all__
        globals().update({_public: getattr(_module, _public) for _public in _module.__all__})
del _module, _name, _names, _room

from usmtensor import memory, utils

from usmtensor._core import hints as _hints
from usmtensor._core.copy import _unpickle  # noqa: F401  # pickles of arrays call it
from usmtensor._numpy import methods as _methods

_no_name, __dir__ = _hints.of_module("usmtensor", _hints.FUNCTIONS, numpy)
_methods.attach(sys.modules[__name__])
_methods.add_methods(sys.modules[__name__])


def __getattr__(name):
    # Imported on first use, because few programs need these modules and their libraries.
    if name in ("fft", "lib", "linalg", "random", "special"):
        return importlib.import_module(f"usmtensor.{name}")
    return _no_name(name)
