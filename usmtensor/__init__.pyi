from builtins import bool as _bool
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import EllipsisType
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
)

import numpy as np
import numpy.typing as npt
from numpy import dtype as dtype
from typing_extensions import CapsuleType

from . import fft as fft
from . import linalg as linalg
from . import memory as memory
from . import utils as utils
from ._enums import *
from ._errors import *
from ._flags import Flags
from ._generated import *
from ._generated import _DeviceProperties, _Methods, _Operators
from ._print import *
from ._reduction_kernel import *
from ._user_kernels import *

__version__: Final[str]
__array_api_version__: Final[str]
__all__: list[str]

# Vocabulary of the signatures -------------------------------------------------------------------

class _HasSUAI(Protocol):
    @property
    def __sycl_usm_array_interface__(self) -> Mapping[str, Any]: ...

class _HasCapsule(Protocol):
    def _get_capsule(self) -> CapsuleType: ...

class _HasDLPack(Protocol):
    def __dlpack__(self) -> CapsuleType: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

_USMType: TypeAlias = Literal["device", "shared", "host"]
_Order: TypeAlias = Literal["C", "F"]
_KeepOrder: TypeAlias = Literal["C", "F", "A", "K"]
_Casting: TypeAlias = Literal["no", "equiv", "safe", "same_kind", "unsafe"]
_Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
_Axis: TypeAlias = SupportsIndex | None
_DType: TypeAlias = npt.DTypeLike | None
_Out: TypeAlias = "usm_ndarray | None"
_Queue: TypeAlias = "SyclQueue | None"
_Scalar: TypeAlias = complex | np.generic
_PythonScalar: TypeAlias = "_bool | int | float | complex"
_ArrayOperand: TypeAlias = "usm_ndarray | npt.NDArray[Any]"
_Operand: TypeAlias = "_ArrayOperand | _Scalar"
_Indices: TypeAlias = "usm_ndarray | npt.NDArray[np.integer[Any]] | Sequence[Any] | SupportsIndex"
_Line: TypeAlias = "_ArrayOperand | Sequence[_PythonScalar]"
_Memory: TypeAlias = memory.MemoryUSMDevice | memory.MemoryUSMShared | memory.MemoryUSMHost
_DeviceLike: TypeAlias = "Device | SyclDevice | SyclQueue | str | tuple[int, int] | None"
_Property: TypeAlias = Literal["in_order", "enable_profiling"]
_BasicIndex: TypeAlias = SupportsIndex | slice | EllipsisType | None
_ArrayIndex: TypeAlias = "usm_ndarray | npt.NDArray[Any] | Sequence[Any] | _bool"
_Backend: TypeAlias = str | backend_type
_Type: TypeAlias = str | device_type
_Values: TypeAlias = "usm_ndarray | npt.ArrayLike | _HasSUAI"
_Index: TypeAlias = "_BasicIndex | _ArrayIndex | tuple[_BasicIndex | _ArrayIndex, ...]"

# Devices, contexts, queues ----------------------------------------------------------------------

class _Handle:
    def addressof_ref(self) -> int: ...
    def _get_capsule(self) -> CapsuleType: ...

class SyclPlatform:
    def __init__(self, arg: str | SyclPlatform | None = None) -> None: ...
    name: Final[str]
    vendor: Final[str]
    version: Final[str]
    backend: Final[backend_type]
    default_context: Final[SyclContext]
    def get_devices(self, device_type: _Type = "all") -> list[SyclDevice]: ...
    def print_platform_info(self, verbosity: int = 0) -> None: ...

class SyclDevice(_DeviceProperties, _Handle):
    def __init__(self, arg: str | SyclDevice | CapsuleType | None = None) -> None: ...
    backend: Final[backend_type]
    device_type: Final[device_type]
    sycl_platform: Final[SyclPlatform]
    parent_device: Final[SyclDevice | None]
    filter_string: Final[str]
    default_selector_score: Final[int]
    def get_filter_string(
        self, include_backend: _bool = True, include_device_type: _bool = True
    ) -> str: ...
    def get_device_id(self) -> int: ...
    def get_unpartitioned_parent_device(self) -> SyclDevice: ...
    def create_sub_devices(self, partition: int | Sequence[int] | str) -> list[SyclDevice]: ...
    def print_device_info(self) -> None: ...
    global_mem_cache_type: Final[global_mem_cache_type]

class SyclContext(_Handle):
    def __init__(
        self, arg: str | SyclDevice | Sequence[SyclDevice] | SyclContext | CapsuleType | None = None
    ) -> None: ...
    device_count: Final[int]
    def get_devices(self) -> list[SyclDevice]: ...

class SyclEvent(_Handle):
    def __init__(self, arg: SyclEvent | CapsuleType | None = None) -> None: ...
    def wait(self) -> None: ...
    @staticmethod
    def wait_for(events: SyclEvent | Sequence[SyclEvent]) -> None: ...
    execution_status: Final[event_status_type]
    backend: Final[backend_type]
    profiling_info_submit: Final[int]
    profiling_info_start: Final[int]
    profiling_info_end: Final[int]
    def get_wait_list(self) -> list[SyclEvent]: ...

class SyclQueue(_Handle):
    def __init__(
        self,
        *args: str | SyclContext | SyclDevice | Device | _HasCapsule | CapsuleType | None,
        property: _Property | Sequence[_Property] | None = None,
    ) -> None: ...
    sycl_device: Final[SyclDevice]
    sycl_context: Final[SyclContext]
    def get_sycl_device(self) -> SyclDevice: ...
    def get_sycl_context(self) -> SyclContext: ...
    backend: Final[backend_type]
    name: Final[str]
    driver_version: Final[str]
    is_in_order: Final[_bool]
    has_enable_profiling: Final[_bool]
    def wait(self) -> None: ...
    def submit_barrier(self, dependent_events: Sequence[SyclEvent] | None = None) -> SyclEvent: ...
    def memcpy(self, dst: Any, src: Any, nbytes: int) -> None: ...
    def memcpy_async(
        self, dst: Any, src: Any, nbytes: int, dEvents: Sequence[SyclEvent] | None = None
    ) -> SyclEvent: ...
    def prefetch(self, mem: _Memory, count: int = 0) -> None: ...
    def mem_advise(self, mem: _Memory, count: int, advice: int) -> None: ...
    def print_device_info(self) -> None: ...

def select_default_device() -> SyclDevice: ...
def select_cpu_device() -> SyclDevice: ...
def select_gpu_device() -> SyclDevice: ...
def select_accelerator_device() -> SyclDevice: ...
def select_device_with_aspects(
    required_aspects: str | Sequence[str], excluded_aspects: str | Sequence[str] = ...
) -> SyclDevice: ...
def get_cmake_dir() -> str: ...
def get_devices(backend: _Backend = "all", device_type: _Type = "all") -> list[SyclDevice]: ...
def get_include() -> str: ...
def get_num_devices(backend: _Backend = "all", device_type: _Type = "all") -> int: ...
def get_platforms() -> list[SyclPlatform]: ...
def get_device_cached_queue(
    key: SyclDevice | tuple[SyclContext, SyclDevice] | str,
) -> SyclQueue: ...
def has_cpu_devices() -> _bool: ...
def has_gpu_devices() -> _bool: ...
def has_accelerator_devices() -> _bool: ...
def lsplatform(verbosity: int = 0) -> None: ...

@final
class Device:
    @classmethod
    def create_device(cls, device: _DeviceLike = None) -> Device: ...
    def __eq__(self, other: object) -> _bool: ...
    def __hash__(self) -> int: ...
    sycl_queue: Final[SyclQueue]
    sycl_context: Final[SyclContext]
    sycl_device: Final[SyclDevice]
    def print_device_info(self) -> None: ...
    def wait(self) -> None: ...

def sycl_device_to_dldevice(dev: SyclDevice) -> tuple[DLDeviceType, int]: ...
def dldevice_to_sycl_device(dl_dev: tuple[int, int]) -> SyclDevice: ...

# Data types and constants -----------------------------------------------------------------------

e: Final[float]
pi: Final[float]
inf: Final[float]
nan: Final[float]
newaxis: Final[None]

def can_cast(
    from_: npt.DTypeLike | usm_ndarray, to: npt.DTypeLike, /, *, casting: _Casting = "safe"
) -> _bool: ...
def result_type(*arrays_and_dtypes: usm_ndarray | npt.DTypeLike | complex) -> np.dtype[Any]: ...
def isdtype(dtype: npt.DTypeLike, kind: npt.DTypeLike | tuple[npt.DTypeLike, ...]) -> _bool: ...

class finfo:
    def __init__(self, type: npt.DTypeLike | usm_ndarray, /) -> None: ...
    bits: int
    dtype: np.dtype[Any]
    eps: float
    epsneg: float
    max: float
    min: float
    precision: int
    resolution: float
    smallest_normal: float
    tiny: float

class iinfo:
    def __init__(self, type: npt.DTypeLike | usm_ndarray, /) -> None: ...
    bits: int
    dtype: np.dtype[Any]
    max: int
    min: int

@final
class _Info:
    def capabilities(self) -> dict[str, _bool | int | None]: ...
    def default_device(self) -> Device: ...
    def devices(self) -> tuple[Device, ...]: ...
    def default_dtypes(self, *, device: _DeviceLike = None) -> dict[str, np.dtype[Any]]: ...
    def dtypes(
        self, *, device: _DeviceLike = None, kind: str | tuple[str, ...] | None = None
    ) -> dict[str, np.dtype[Any]]: ...

def __array_namespace_info__() -> _Info: ...

# The array --------------------------------------------------------------------------------------

class usm_ndarray(_Operators, _Methods):
    def __init__(
        self,
        shape: _Shape,
        dtype: _DType = None,
        strides: Sequence[SupportsIndex] | None = None,
        buffer: _USMType | bytes | _HasSUAI = "device",
        offset: SupportsIndex = 0,
        order: _Order = "C",
        buffer_ctor_kwargs: Mapping[str, Any] = ...,
        array_namespace: Any = None,
    ) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @shape.setter
    def shape(self, value: _Shape) -> None: ...
    strides: Final[tuple[int, ...]]
    ndim: Final[int]
    size: Final[int]
    nbytes: Final[int]
    itemsize: Final[int]
    dtype: Final[np.dtype[Any]]
    usm_type: Final[_USMType]
    usm_data: Final[_Memory]
    flags: Final[Flags]
    device: Final[Device]
    sycl_queue: Final[SyclQueue]
    sycl_device: Final[SyclDevice]
    sycl_context: Final[SyclContext]
    T: Final[usm_ndarray]
    mT: Final[usm_ndarray]
    real: Final[usm_ndarray]
    imag: Final[usm_ndarray]
    _pointer: Final[int]
    _element_offset: Final[int]
    _byte_bounds: Final[tuple[int, int]]
    __sycl_usm_array_interface__: Final[dict[str, Any]]
    def to_device(self, device: _DeviceLike, /, *, stream: Any = None) -> usm_ndarray: ...
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
    def __matmul__(self, other: _ArrayOperand, /) -> usm_ndarray: ...
    def __rmatmul__(self, other: _ArrayOperand, /) -> usm_ndarray: ...
    def __imatmul__(self, other: _ArrayOperand, /) -> Self: ...
    def __getitem__(self, key: _Index, /) -> usm_ndarray: ...
    def __setitem__(self, key: _Index, value: _Values, /) -> None: ...
    def __iter__(self) -> Iterator[usm_ndarray]: ...
    def __len__(self) -> int: ...
    def __contains__(self, value: Any, /) -> _bool: ...
    def __bool__(self) -> _bool: ...
    def __int__(self) -> int: ...
    def __float__(self) -> float: ...
    def __complex__(self) -> complex: ...
    def __index__(self) -> int: ...
    def __round__(self, ndigits: SupportsIndex | None = None) -> float: ...
    def __format__(self, spec: str, /) -> str: ...
    def item(self, *args: SupportsIndex | tuple[SupportsIndex, ...]) -> _PythonScalar: ...
    def tolist(self) -> Any: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, memo: Any, /) -> Self: ...
    def __array__(self, dtype: _DType = None, *, copy: _bool | None = None) -> npt.NDArray[Any]: ...
    __array_priority__: int
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any: ...
    def __array_function__(
        self, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def flatten(self, order: _KeepOrder = "C") -> usm_ndarray: ...
    def ravel(self, order: _KeepOrder = "C") -> usm_ndarray: ...
    def reshape(
        self, *shape: _Shape, order: _Order = "C", copy: _bool | None = None
    ) -> usm_ndarray: ...

# Functions of arrays ----------------------------------------------------------------------------
# _generated.pyi has the others: their docstrings have the types of their parameters.

class _ElementwiseFunc:
    __name__: Final[str]
    nin: Final[int]
    nout: Final[int]
    types: Final[list[str]]
    types_: Final[list[str]]

class UnaryElementwiseFunc(_ElementwiseFunc):
    def __call__(
        self, x: usm_ndarray, /, out: _Out = None, order: _KeepOrder = "K"
    ) -> usm_ndarray: ...

class BinaryElementwiseFunc(_ElementwiseFunc):
    def __call__(
        self, x1: _Operand, x2: _Operand, /, out: _Out = None, order: _KeepOrder = "K"
    ) -> usm_ndarray: ...

def fuse(function: Callable[..., Any], /) -> Callable[..., Any]: ...
def from_dlpack(
    x: _HasDLPack, /, *, device: _DeviceLike = None, copy: _bool | None = None
) -> Any: ...
def asarray(
    obj: npt.ArrayLike | usm_ndarray | _HasSUAI,
    /,
    *,
    dtype: _DType = None,
    device: _DeviceLike = None,
    copy: _bool | None = None,
    usm_type: _USMType | None = None,
    sycl_queue: _Queue = None,
    order: _KeepOrder = "K",
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
    axis: _Axis = None,
    mode: Literal["largest", "smallest"] = "largest",
) -> _TopK: ...
def unique_counts(x: usm_ndarray, /) -> _UniqueCounts: ...
def unique_inverse(x: usm_ndarray, /) -> _UniqueInverse: ...
def unique_all(x: usm_ndarray, /) -> _UniqueAll: ...
