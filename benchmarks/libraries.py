"""The array libraries, with one interface for the cases."""

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Library:
    """One array library, on one queue where it has queues."""

    name: str
    xp: Any
    wait: Callable[[], None] | None = None
    keywords: tuple = ()

    def array(self, values: np.ndarray) -> Any:
        return self.xp.asarray(values, **dict(self.keywords))

    def empty(self, shape, dtype) -> Any:
        return self.xp.empty(shape, dtype=dtype, **dict(self.keywords))

    def repeat_row(self, row: Any, count: int) -> Any:
        """A view of `count` rows over one row of memory."""
        shape = (count, row.size)
        if self.wait is None:
            return np.broadcast_to(row, shape)
        return self.xp.usm_ndarray(shape, dtype=row.dtype, strides=(0, 1), buffer=row)

    def timed(self, code: str) -> str:
        """The statement that runs `code` to its end."""
        return code if self.wait is None else f"{code}; wait()"


NUMPY = Library("numpy", np)


def usmtensor() -> tuple[Library, Any]:
    """usmtensor on the default queue, and that queue."""
    import usmtensor as usm

    queue = usm.get_device_cached_queue(usm.select_default_device())
    return Library("usmtensor", usm, queue.wait, (("sycl_queue", queue),)), queue


def dpnp(module: str = "dpnp.tensor") -> Library | None:
    """A module of dpnp on its default queue, if dpnp is installed and finds a device."""
    try:
        xp = importlib.import_module(module)
        return Library("dpnp", xp, xp.empty(0).sycl_queue.wait)
    except Exception:
        return None


def cupy() -> Library | None:
    """CuPy on its current GPU, if CuPy is installed and finds a GPU."""
    try:
        xp = importlib.import_module("cupy")
        xp.empty(0)
        return Library("cupy", xp, xp.cuda.Stream.null.synchronize)
    except Exception:
        return None
