"""Exceptions of usmtensor.

Bad arguments raise Python's own exceptions; errors of the SYCL runtime arrive as `SyclError`.
"""

__all__ = ["CompileError", "ExecutionPlacementError", "SyclContextCreationError"]
__all__ += ["SyclDeviceCreationError", "SyclError", "SyclQueueCreationError"]
__all__ += ["SyclSubDeviceCreationError", "USMAllocationError"]


class SyclError(RuntimeError):
    """An error that the SYCL runtime reported.

    Attributes
    ----------
    code : int
        The SYCL error code (`sycl::errc`), 0 if the runtime gave none.
    """

    code = 0


class SyclDeviceCreationError(SyclError):
    """No device matches the selection."""


class SyclQueueCreationError(SyclError):
    """A queue could not be made for the requested device, context or properties."""


class SyclContextCreationError(SyclError):
    """A context could not be made for the requested devices."""


class SyclSubDeviceCreationError(SyclError):
    """A device cannot be partitioned as requested."""


class USMAllocationError(MemoryError):
    """No memory for a USM allocation; the message names bytes, kind and device."""


class CompileError(SyclError):
    """A kernel of the user does not compile; the message holds the compiler's log.

    Attributes
    ----------
    source : str
        The source as the compiler read it.
    """

    source = ""


class ExecutionPlacementError(Exception):
    """The arrays of one call live on different devices or in different contexts."""


# By usmtensor::ErrorKind.
_CREATION = (SyclDeviceCreationError, SyclQueueCreationError, SyclContextCreationError)
_REST = (ValueError, TypeError, SyclError, BufferError, CompileError)
_BY_KIND = (SyclError, *_CREATION, SyclSubDeviceCreationError, USMAllocationError, *_REST)


def of_kind(kind, message, code):
    """The exception for an error of libtensor, by its ErrorKind."""
    error = _BY_KIND[kind](message)
    if code != 0:
        error.code = code
    return error
