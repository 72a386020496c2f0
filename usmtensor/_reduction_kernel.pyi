from collections.abc import Sequence
from typing import Any, SupportsIndex

__all__ = ["ReductionKernel"]

class ReductionKernel:
    def __init__(
        self,
        in_params: str,
        out_params: str,
        map_expr: str,
        reduce_expr: str,
        post_map_expr: str,
        identity: str,
        name: str = "kernel",
        reduce_type: str | None = None,
        preamble: str = "",
        *,
        options: Sequence[str] = (),
    ) -> None: ...
    def __call__(
        self,
        *args: Any,
        axis: SupportsIndex | Sequence[SupportsIndex] | None = None,
        keepdims: bool = False,
    ) -> Any: ...
