from typing import Any

from usmtensor import usm_ndarray as usm_ndarray

# What other modules of the package import.
def __getattr__(name: str) -> Any: ...
