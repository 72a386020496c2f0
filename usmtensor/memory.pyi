from typing import Any, Final, Literal, SupportsIndex, TypeAlias

from typing_extensions import Buffer, CapsuleType

from . import SyclContext, SyclDevice, SyclQueue, _HasSUAI
from . import USMAllocationError as USMAllocationError

__all__ = [
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "USMAllocationError",
    "as_usm_memory",
    "statistics",
    "trim",
]

_SyclObject: TypeAlias = SyclContext | SyclQueue | CapsuleType

class _Memory:
    def __init__(
        self,
        obj: SupportsIndex | _HasSUAI,
        *,
        alignment: int = 0,
        queue: SyclQueue | None = None,
        copy: bool = False,
    ) -> None: ...
    nbytes: Final[int]
    size: Final[int]
    def __len__(self) -> int: ...
    def __bytes__(self) -> bytes: ...
    def __sizeof__(self) -> int: ...
    _pointer: Final[int]
    _queue: Final[SyclQueue]
    _context: Final[SyclContext]
    sycl_queue: Final[SyclQueue]
    sycl_context: Final[SyclContext]
    sycl_device: Final[SyclDevice]
    reference_obj: Final[Any]
    __sycl_usm_array_interface__: Final[dict[str, Any]]
    def copy_to_host(self, obj: Buffer | None = None) -> Any: ...
    def copy_from_host(self, obj: Buffer) -> None: ...
    def copy_from_device(self, sycl_usm_ary: _HasSUAI) -> None: ...
    def memset(self, val: SupportsIndex = 0) -> None: ...
    def tobytes(self) -> bytes: ...
    def get_usm_type(
        self, syclobj: _SyclObject | None = None
    ) -> Literal["device", "shared", "host", "unknown"]: ...
    def get_usm_type_enum(self, syclobj: _SyclObject | None = None) -> Literal[0, 1, 2, 3]: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

class MemoryUSMDevice(_Memory): ...

class MemoryUSMShared(_Memory):
    def __buffer__(self, flags: int, /) -> memoryview: ...

class MemoryUSMHost(_Memory):
    def __buffer__(self, flags: int, /) -> memoryview: ...

def as_usm_memory(obj: _HasSUAI) -> MemoryUSMDevice | MemoryUSMShared | MemoryUSMHost: ...
def statistics() -> dict[SyclDevice, dict[str, dict[str, int]]]: ...
def trim() -> int: ...
