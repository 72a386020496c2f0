"""Enumerations of the runtime, with dpctl's names and values."""

from enum import Enum, IntEnum

__all__ = ["DLDeviceType", "backend_type", "device_type", "event_status_type"]
__all__ += ["global_mem_cache_type"]


class backend_type(Enum):
    """The backend of a device; `all` is valid only in selections. dpctl-compatible.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.SyclDevice()
    >>> device in usm.get_devices(backend=device.backend)
    True
    >>> usm.backend_type.opencl.name
    'opencl'
    """

    all = 1
    cuda = 2
    hip = 3
    level_zero = 4
    opencl = 5


class device_type(Enum):
    """The type of a device. dpctl-compatible.

    `all` and `automatic` are valid only in selections.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.get_devices(device_type=usm.device_type.cpu) == usm.get_devices(device_type="cpu")
    True
    """

    all = 1
    accelerator = 2
    automatic = 3
    cpu = 4
    custom = 5
    gpu = 6


class event_status_type(Enum):
    """The progress of a command, as a `SyclEvent` reports it. dpctl-compatible.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.SyclEvent().execution_status
    <event_status_type.complete: 4>
    """

    unknown_status = 1
    submitted = 2
    running = 3
    complete = 4


class global_mem_cache_type(Enum):
    """The type of a device's global memory cache. dpctl-compatible.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.SyclDevice().global_mem_cache_type in usm.global_mem_cache_type
    True
    """

    indeterminate = 1
    none = 2
    read_only = 3
    read_write = 4


class DLDeviceType(IntEnum):
    """The device types of DLPack; arrays are exchanged as `kDLOneAPI` and `kDLCPU`.

    Examples
    --------
    >>> import usmtensor as usm
    >>> kind, number = usm.sycl_device_to_dldevice(usm.SyclDevice())
    >>> kind == usm.DLDeviceType.kDLOneAPI
    True
    """

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17
    kDLTrn = 18
