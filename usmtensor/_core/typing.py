"""The types that annotations name. Cython does not evaluate annotations, so extension modules use
the names without an import."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt

from usmtensor._core.array import usm_ndarray

if TYPE_CHECKING:
    from usmtensor import Device, SyclDevice, SyclQueue, memory


class HasSUAI(Protocol):
    """An object with USM memory."""

    @property
    def __sycl_usm_array_interface__(self) -> Mapping[str, Any]: ...


class HasDLPack(Protocol):
    """An array of a library with DLPack."""

    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...


Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Axis: TypeAlias = SupportsIndex | None
Axes: TypeAlias = Shape | None
DType: TypeAlias = npt.DTypeLike | None
Order: TypeAlias = Literal["C", "F"] | None
KeepOrder: TypeAlias = Literal["C", "F", "A", "K"] | None
Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
USMType: TypeAlias = Literal["device", "shared", "host"]
DeviceLike: TypeAlias = "Device | SyclDevice | SyclQueue | str | tuple[int, int] | None"
Memory: TypeAlias = "memory.MemoryUSMDevice | memory.MemoryUSMShared | memory.MemoryUSMHost"

Out: TypeAlias = usm_ndarray | None
PythonScalar: TypeAlias = bool | int | float | complex
Scalar: TypeAlias = complex | np.generic
ArrayOperand: TypeAlias = usm_ndarray | npt.NDArray[Any]
Operand: TypeAlias = ArrayOperand | Scalar
Mask: TypeAlias = ArrayOperand | None
Vector: TypeAlias = ArrayOperand | Sequence[PythonScalar]
Values: TypeAlias = usm_ndarray | npt.ArrayLike | HasSUAI
Indices: TypeAlias = usm_ndarray | npt.NDArray[np.integer[Any]] | Sequence[Any] | SupportsIndex
