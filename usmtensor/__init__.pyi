from builtins import bool as _bool
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from types import EllipsisType, GenericAlias
from typing import (
    Any,
    ClassVar,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    SupportsIndex,
    TypeAlias,
    final,
    overload,
)

import numpy as np
import numpy.typing as npt
from numpy import dtype as dtype
from typing_extensions import CapsuleType

from . import _generated
from . import fft as fft
from . import linalg as linalg
from . import memory as memory
from . import random as random
from . import special as special
from . import utils as utils
from ._composed.bits import *
from ._composed.calculus import *
from ._composed.choosing import *
from ._composed.covariance import *
from ._composed.diagonals import *
from ._composed.files import *
from ._composed.histograms import *
from ._composed.index_arrays import *
from ._composed.joining import *
from ._composed.nan_reductions import *
from ._composed.padding import *
from ._composed.partial_sorts import *
from ._composed.polynomials import *
from ._composed.products import *
from ._composed.quantiles import *
from ._composed.set_operations import *
from ._composed.shapes import *
from ._composed.whole_arrays import *
from ._composed.windows import *
from ._core.printing import *
from ._core.typing import (
    ArrayOperand,
    Axis,
    Casting,
    DeviceLike,
    DType,
    HasSUAI,
    KeepOrder,
    Operand,
    Order,
    Out,
    Scalar,
    Shape,
    USMType,
    Values,
)
from ._generated import *
from ._kernels.reduction_kernel import *
from ._kernels.user_kernels import *
from ._numpy.names import *
from ._runtime.enums import *
from ._runtime.errors import *

__version__: Final[str]
__array_api_version__: Final[str]
__all__: list[str]

# Vocabulary of the signatures -------------------------------------------------------------------

class _HasCapsule(Protocol):
    def _get_capsule(self) -> CapsuleType: ...

_Property: TypeAlias = Literal["in_order", "enable_profiling"]
_BasicIndex: TypeAlias = SupportsIndex | slice | EllipsisType | None
_ArrayIndex: TypeAlias = "usm_ndarray | npt.NDArray[Any] | Sequence[Any] | _bool"
_Index: TypeAlias = "_BasicIndex | _ArrayIndex | tuple[_BasicIndex | _ArrayIndex, ...]"

# Devices, contexts, queues ----------------------------------------------------------------------

class _Handle:
    def addressof_ref(self) -> int: ...
    def _get_capsule(self) -> CapsuleType: ...

class SyclPlatform(_generated._SyclPlatformMembers):
    def __init__(self, arg: str | SyclPlatform | None = None) -> None: ...

class SyclDevice(_generated._DeviceHandleMembers, _generated._DeviceTable, _Handle):
    def __init__(self, arg: str | SyclDevice | CapsuleType | None = None) -> None: ...

class SyclContext(_generated._SyclContextMembers, _Handle):
    def __init__(
        self, arg: str | SyclDevice | Sequence[SyclDevice] | SyclContext | CapsuleType | None = None
    ) -> None: ...

class SyclEvent(_generated._SyclEventMembers, _Handle):
    def __init__(self, arg: SyclEvent | CapsuleType | None = None) -> None: ...

class SyclQueue(_generated._SyclQueueMembers, _Handle):
    def __init__(
        self,
        *args: str | SyclContext | SyclDevice | Device | _HasCapsule | CapsuleType | None,
        property: _Property | Sequence[_Property] | None = None,
    ) -> None: ...

def select_default_device() -> SyclDevice: ...
def select_cpu_device() -> SyclDevice: ...
def select_gpu_device() -> SyclDevice: ...
def select_accelerator_device() -> SyclDevice: ...
def get_cmake_dir() -> str: ...
def get_include() -> str: ...
def get_num_devices(
    backend: str | backend_type = "all", device_type: str | device_type = "all"
) -> int: ...
def has_cpu_devices() -> _bool: ...
def has_gpu_devices() -> _bool: ...
def has_accelerator_devices() -> _bool: ...

@final
class Device:
    @property
    def sycl_queue(self) -> SyclQueue: ...
    @property
    def sycl_context(self) -> SyclContext: ...
    @property
    def sycl_device(self) -> SyclDevice: ...
    @classmethod
    def create_device(cls, device: DeviceLike = None) -> Device: ...
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    def print_device_info(self) -> None: ...
    def get_filter_string(
        self, include_backend: _bool = True, include_device_type: _bool = True
    ) -> str: ...
    def wait(self) -> None: ...

def set_default_device(device: DeviceLike) -> None: ...
def default_device(device: DeviceLike) -> AbstractContextManager[Device]: ...
def synchronize(device: DeviceLike = None) -> None: ...
def sycl_device_to_dldevice(dev: SyclDevice) -> tuple[DLDeviceType, int]: ...
def dldevice_to_sycl_device(dl_dev: tuple[int, int]) -> SyclDevice: ...

# Data types and constants -----------------------------------------------------------------------

e: Final[float]
pi: Final[float]
inf: Final[float]
nan: Final[float]
newaxis: Final[None]

def can_cast(
    from_: npt.DTypeLike | usm_ndarray, to: npt.DTypeLike, casting: Casting = "safe"
) -> _bool: ...
def result_type(*arrays_and_dtypes: usm_ndarray | npt.DTypeLike | complex) -> np.dtype[Any]: ...
def isdtype(dtype: npt.DTypeLike, kind: npt.DTypeLike | tuple[npt.DTypeLike, ...]) -> _bool: ...

class finfo:
    bits: Final[int]
    dtype: Final[np.dtype[Any]]
    eps: Final[float]
    epsneg: Final[float]
    max: Final[float]
    min: Final[float]
    precision: Final[int]
    resolution: Final[float]
    smallest_normal: Final[float]
    tiny: Final[float]
    def __init__(self, dtype: npt.DTypeLike | usm_ndarray) -> None: ...

class iinfo:
    bits: Final[int]
    dtype: Final[np.dtype[Any]]
    max: Final[int]
    min: Final[int]
    def __init__(self, int_type: npt.DTypeLike | usm_ndarray) -> None: ...

@final
class _Info:
    def capabilities(self) -> dict[str, _bool | int | None]: ...
    def default_device(self) -> Device: ...
    def devices(self) -> tuple[Device, ...]: ...
    def default_dtypes(self, *, device: DeviceLike = None) -> dict[str, np.dtype[Any]]: ...
    def dtypes(
        self, *, device: DeviceLike = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, np.dtype[Any]]: ...

def __array_namespace_info__() -> _Info: ...

# The array --------------------------------------------------------------------------------------

class usm_ndarray(_generated._usm_ndarrayMembers, _generated._Operators, _generated._Methods):
    def __init__(
        self,
        shape: Shape,
        dtype: DType = None,
        strides: Sequence[SupportsIndex] | None = None,
        buffer: USMType | bytes | HasSUAI = "device",
        offset: SupportsIndex = 0,
        order: Order = "C",
        buffer_ctor_kwargs: Mapping[str, Any] = ...,
        array_namespace: Any = None,
    ) -> None: ...
    @property
    def flat(self) -> Any: ...
    @flat.setter
    def flat(self, value: Values) -> None: ...
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    def __dlpack__(
        self,
        *,
        stream: SyclQueue | _HasCapsule | int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: _bool | None = None,
    ) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[DLDeviceType, int]: ...
    __dlpack_c_exchange_api__: ClassVar[CapsuleType]
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __array_namespace__(self, *, api_version: str | None = None) -> Any: ...
    def __matmul__(self, other: ArrayOperand, /) -> usm_ndarray: ...
    def __rmatmul__(self, other: ArrayOperand, /) -> usm_ndarray: ...
    def __imatmul__(self, other: ArrayOperand, /) -> Self: ...
    def __divmod__(self, other: Operand, /) -> tuple[usm_ndarray, usm_ndarray]: ...
    def __rdivmod__(self, other: Operand, /) -> tuple[usm_ndarray, usm_ndarray]: ...
    def __getitem__(self, key: _Index, /) -> usm_ndarray: ...
    def __setitem__(self, key: _Index, value: Values, /) -> None: ...
    def __iter__(self) -> Iterator[usm_ndarray]: ...
    def __len__(self) -> int: ...
    def __contains__(self, value: Any, /) -> _bool: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    @overload
    def __round__(self, ndigits: None = None) -> int: ...
    @overload
    def __round__(self, ndigits: SupportsIndex) -> float: ...
    def __format__(self, spec: str, /) -> str: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...
    def __array__(self, dtype: DType = None, *, copy: _bool | None = None) -> npt.NDArray[Any]: ...
    __array_priority__: int
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __array_function__(
        self, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def copy(self, order: KeepOrder = "C") -> usm_ndarray: ...
    def flatten(self, order: KeepOrder = "C") -> usm_ndarray: ...
    def reshape(
        self, *shape: Shape, order: Order = "C", copy: _bool | None = None
    ) -> usm_ndarray: ...
    def round(
        self, decimals: SupportsIndex = 0, out: Out = None, order: KeepOrder = "K"
    ) -> usm_ndarray: ...

# Functions of arrays ----------------------------------------------------------------------------
# _generated.pyi has the others, from the annotations of extension modules.

# Numbers alone give NumPy's scalars.
class UnaryElementwiseFunc(_generated._ElementwiseFunctionMembers):
    @overload
    def __call__(self, x: Scalar, /) -> Any: ...
    @overload
    def __call__(
        self,
        x: usm_ndarray,
        /,
        out: Out = None,
        order: KeepOrder = "K",
        *,
        where: Values = True,
        dtype: DType = None,
        casting: Casting | None = None,
    ) -> usm_ndarray: ...

# The operand is also a keyword.
def imag(
    val: usm_ndarray,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray: ...
def isneginf(
    x: usm_ndarray,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray: ...
def isposinf(
    x: usm_ndarray,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray: ...
def real(
    val: usm_ndarray,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray: ...
def sinc(
    x: usm_ndarray,
    out: Out = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
) -> usm_ndarray: ...

# `out` may be NumPy's second argument by position.
def angle(
    z: usm_ndarray,
    out: Out | _bool = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
    deg: _bool = False,
) -> usm_ndarray: ...
def round(
    a: usm_ndarray,
    out: Out | SupportsIndex = None,
    order: KeepOrder = "K",
    *,
    where: Values = True,
    dtype: DType = None,
    casting: Casting | None = None,
    decimals: SupportsIndex = 0,
) -> usm_ndarray: ...

class BinaryElementwiseFunc(
    _generated._ElementwiseFunctionMembers, _generated._BinaryElementwiseFuncMembers
):
    @overload
    def __call__(self, x1: Scalar, x2: Scalar, /) -> Any: ...
    @overload
    def __call__(
        self,
        x1: Operand,
        x2: Operand,
        /,
        out: Out = None,
        order: KeepOrder = "K",
        *,
        where: Values = True,
        dtype: DType = None,
        casting: Casting | None = None,
    ) -> usm_ndarray: ...

def to_numpy(x: usm_ndarray, /) -> npt.NDArray[Any]: ...

class _TopK(NamedTuple):
    values: usm_ndarray
    indices: usm_ndarray

class _UniqueAll(NamedTuple):
    values: usm_ndarray
    indices: usm_ndarray
    inverse_indices: usm_ndarray
    counts: usm_ndarray

class _UniqueCounts(NamedTuple):
    values: usm_ndarray
    counts: usm_ndarray

class _UniqueInverse(NamedTuple):
    values: usm_ndarray
    inverse_indices: usm_ndarray

def top_k(
    x: usm_ndarray,
    k: SupportsIndex,
    /,
    *,
    axis: Axis = None,
    mode: Literal["largest", "smallest"] = "largest",
) -> _TopK: ...
def unique_counts(x: usm_ndarray) -> _UniqueCounts: ...
def unique_inverse(x: usm_ndarray) -> _UniqueInverse: ...
def unique_all(x: usm_ndarray) -> _UniqueAll: ...
