"""Exceptions of usmtensor.

Bad arguments raise Python's own exceptions; what the SYCL runtime refuses arrives as `SyclError`.
"""

__all__ = ["ExecutionPlacementError", "SyclContextCreationError", "SyclDeviceCreationError"]
__all__ += ["SyclError", "SyclQueueCreationError", "SyclSubDeviceCreationError"]
__all__ += ["USMAllocationError"]


class SyclError(RuntimeError):
    """An error that the SYCL runtime reported.

    Attributes
    ----------
    code : int
        The SYCL error code (`sycl::errc`), 0 where the runtime gave none.
    """

    code = 0


class SyclDeviceCreationError(SyclError):
    """No device answers the selection that was asked for."""


class SyclQueueCreationError(SyclError):
    """A queue could not be made for the device, context or properties asked for."""


class SyclContextCreationError(SyclError):
    """A context could not be made for the devices asked for."""


class SyclSubDeviceCreationError(SyclError):
    """A device cannot be partitioned as asked."""


class USMAllocationError(MemoryError):
    """The device has no memory for a USM allocation; the message says what was asked of whom."""


class ExecutionPlacementError(Exception):
    """The arrays of one call live on different devices or in different contexts."""


# By usmtensor::ErrorKind, for native_errors.hpp.
_CREATION = (SyclDeviceCreationError, SyclQueueCreationError, SyclContextCreationError)
_REST = (ValueError, TypeError, SyclError, BufferError)
_BY_KIND = (SyclError, *_CREATION, SyclSubDeviceCreationError, USMAllocationError, *_REST)
