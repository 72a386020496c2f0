from collections.abc import Sequence
from typing import Any, Final

from . import ExecutionPlacementError as ExecutionPlacementError
from . import SyclEvent, SyclQueue

__all__ = [
    "ExecutionPlacementError",
    "SequentialOrderManager",
    "get_coerced_usm_type",
    "get_execution_queue",
    "validate_usm_type",
]

def get_execution_queue(qs: Sequence[SyclQueue], /) -> SyclQueue | None: ...
def get_coerced_usm_type(usm_types: Sequence[str], /) -> str | None: ...
def validate_usm_type(usm_type: str | None, /, *, allow_none: bool = True) -> None: ...

class _QueueOrder:
    @property
    def submitted_events(self) -> list[SyclEvent]: ...
    def add_event_pair(self, host_task_event: Any, computation_event: Any, /) -> None: ...
    def wait(self) -> None: ...

class _OrderManager:
    def __getitem__(self, queue: SyclQueue) -> _QueueOrder: ...

SequentialOrderManager: Final[_OrderManager]
