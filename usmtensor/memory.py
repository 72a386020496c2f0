"""USM memory objects, under the names of dpctl.memory.

Examples
--------
>>> import usmtensor as usm
>>> memory = usm.memory.MemoryUSMDevice(16)  # 16 bytes
>>> x = usm.usm_ndarray(4, dtype="float32", buffer=memory)  # an array in them
>>> x[...] = 1
>>> usm.memory.as_usm_memory(x).nbytes
16
"""

from usmtensor._core.hints import of_module
from usmtensor._runtime.memory import *  # noqa: F403
from usmtensor._runtime.memory import __all__ as __all__
from usmtensor._runtime.memory import _unpickle as _unpickle

__getattr__, __dir__ = of_module("usmtensor.memory")
