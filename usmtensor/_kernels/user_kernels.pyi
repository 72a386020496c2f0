from collections.abc import Sequence
from typing import Any, Final, SupportsIndex, TypeAlias

__all__ = ["ElementwiseKernel", "RawKernel", "RawModule"]

_Size: TypeAlias = SupportsIndex | Sequence[SupportsIndex]

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
    def __call__(self, *args: Any, size: _Size | None = None) -> Any: ...
    nin: Final[int]
    nout: Final[int]

class RawKernel:
    def __init__(self, source: str, name: str, *, options: Sequence[str] = ()) -> None: ...
    def __call__(self, global_size: _Size, local_size: _Size, args: Sequence[Any]) -> None: ...

class RawModule:
    def __init__(self, source: str, options: Sequence[str] = ()) -> None: ...
    def kernel(self, name: str) -> RawKernel: ...
