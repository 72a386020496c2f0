"""USM memory objects, under the names of dpctl.memory."""

from usmtensor._memory import (
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    USMAllocationError,
    as_usm_memory,
    statistics,
    trim,
)

__all__ = [
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "USMAllocationError",
    "as_usm_memory",
    "statistics",
    "trim",
]
