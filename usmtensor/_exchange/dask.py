"""dask's array backend "usmtensor", which dask finds by an entry point of the package.

Operations need no registration, because dask calls NumPy functions on chunks. So a worker that only
unpickles arrays has all operations.
"""

from functools import partialmethod
from typing import Any

from dask import array, config
from dask.array.backends import ArrayBackendEntrypoint, percentile, to_numpy_dispatch
from dask.array.dispatch import empty_lookup, percentile_lookup

from usmtensor._core.array import usm_ndarray
from usmtensor._core.copy import asnumpy
from usmtensor._functions.creation import asarray, empty
from usmtensor._random.streams import BitGenerator


class Backend(ArrayBackendEntrypoint):
    """Make chunks on the default device."""

    def __init__(self) -> None:
        to_numpy_dispatch.register(usm_ndarray, asnumpy)
        percentile_lookup.register(usm_ndarray, percentile)
        empty_lookup.register(usm_ndarray, empty)  # for percentiles

    @property
    def default_bit_generator(self) -> Any:
        """The class from which `dask.array.random` makes generators."""
        return BitGenerator

    def to_backend(self, data: Any, **keywords: Any) -> Any:
        """Return `data` with its chunks on the default device."""
        if isinstance(data._meta, usm_ndarray):
            return data
        return data.map_blocks(asarray, **keywords)

    def _make(self, name: str, *args: Any, **keywords: Any) -> Any:
        if name != "arange" and keywords.get("meta") is None:
            keywords["meta"] = empty(0)
        with config.set({"array.backend": "numpy"}):
            return self.to_backend(getattr(array, name)(*args, **keywords))

    ones = partialmethod(_make, "ones")
    zeros = partialmethod(_make, "zeros")
    empty = partialmethod(_make, "empty")
    full = partialmethod(_make, "full")
    arange = partialmethod(_make, "arange")
