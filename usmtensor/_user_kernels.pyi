from collections.abc import Sequence
from typing import Any, Final, SupportsIndex

__all__ = ["ElementwiseKernel"]

class ElementwiseKernel:
    def __init__(
        self,
        in_params: str,
        out_params: str,
        operation: str,
        name: str = "kernel",
        preamble: str = "",
        *,
        options: Sequence[str] = (),
    ) -> None: ...
    def __call__(
        self, *args: Any, size: SupportsIndex | Sequence[SupportsIndex] | None = None
    ) -> Any: ...
    nin: Final[int]
    nout: Final[int]
