"""Exceptions of usmtensor.

Invalid arguments raise Python's own exceptions. SYCL runtime errors are raised as `SyclError`.
"""

__all__ = ["CompileError", "ExecutionPlacementError", "OperandTypeError"]
__all__ += ["SyclContextCreationError", "SyclDeviceCreationError", "SyclError"]
__all__ += ["SyclQueueCreationError", "SyclSubDeviceCreationError", "USMAllocationError"]


class SyclError(RuntimeError):
    """An error from the SYCL runtime.

    Attributes
    ----------
    code : int
        The SYCL error code (`sycl::errc`), or 0 if there is none.

    Examples
    --------
    >>> import usmtensor as usm
    >>> event = usm.SyclQueue().submit_barrier()
    >>> try:
    ...     event.profiling_info_end
    ... except usm.SyclError:
    ...     print("the queue takes no times: make it with property='enable_profiling'")
    ...
    the queue takes no times: make it with property='enable_profiling'
    """

    code = 0


class SyclDeviceCreationError(SyclError):
    """No device matches the selection.

    Examples
    --------
    >>> import usmtensor as usm
    >>> try:
    ...     usm.SyclDevice("gpu:99")
    ... except usm.SyclDeviceCreationError as error:
    ...     print(error)
    ...
    no device matches the filter string 'gpu:99'; there are: ...
    """


class SyclQueueCreationError(SyclError):
    """A queue cannot be made for the requested device, context or properties.

    Examples
    --------
    >>> import usmtensor as usm
    >>> try:
    ...     usm.SyclQueue("gpu:99")
    ... except usm.SyclQueueCreationError as error:
    ...     print(error)
    ...
    SyclQueue: no device matches the filter string 'gpu:99'; there are: ...
    """


class SyclContextCreationError(SyclError):
    """A context cannot be made for the requested devices.

    Examples
    --------
    >>> import usmtensor as usm
    >>> try:
    ...     usm.SyclContext("gpu:99")
    ... except usm.SyclContextCreationError as error:
    ...     print(error)
    ...
    SyclContext: no device matches the filter string 'gpu:99'; there are: ...
    """


class SyclSubDeviceCreationError(SyclError):
    """A device cannot be partitioned as requested.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.SyclDevice()
    >>> try:
    ...     device.create_sub_devices(device.max_compute_units + 1)
    ... except usm.SyclSubDeviceCreationError:
    ...     print("the device has fewer compute units")
    ...
    the device has fewer compute units
    """


class USMAllocationError(MemoryError):
    """There is not enough memory for a USM allocation.

    The message names the bytes, the USM kind and the device.

    Examples
    --------
    >>> import usmtensor as usm
    >>> try:
    ...     usm.empty(2**45, dtype="u1")
    ... except usm.USMAllocationError:
    ...     print("too large")
    ...
    too large
    """


class CompileError(SyclError):
    """A user kernel does not compile. The message has the compiler's log.

    Attributes
    ----------
    source : str
        The source that the compiler read.

    Examples
    --------
    >>> import usmtensor as usm
    >>> wrong = usm.ElementwiseKernel("T x", "T y", "y = unknown", "wrong")
    >>> try:
    ...     wrong(usm.ones(3))
    ... except usm.CompileError as error:
    ...     print("unknown" in str(error))
    ...
    True
    """

    source = ""


class ExecutionPlacementError(Exception):
    """The arrays of a call are on different devices or in different contexts.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.SyclDevice()
    >>> elsewhere = usm.SyclQueue(usm.SyclContext(device), device)
    >>> x, y = usm.ones(3), usm.ones(3, sycl_queue=elsewhere)
    >>> try:
    ...     x + y
    ... except usm.ExecutionPlacementError:
    ...     print(x + y.to_device(x.device))
    ...
    [2. 2. 2.]
    """


class OperandTypeError(ExecutionPlacementError, TypeError):
    """No operand is a usm_ndarray, so the device is unknown.

    dpctl raises ExecutionPlacementError for such operands, and NumPy raises TypeError for operands
    of a wrong type. Code that catches one of these exceptions catches this class.

    Examples
    --------
    >>> import numpy as np
    >>> import usmtensor as usm
    >>> try:
    ...     usm.add(np.ones(2), 2)
    ... except TypeError as error:
    ...     for part in str(error).split("; "):
    ...         print(part)
    ...
    add: x1 is of type ndarray, x2 is of type int
    expected at least one usm_ndarray
    usmtensor.asarray makes one
    """


# By usmtensor::ErrorKind.
_CREATION = (SyclDeviceCreationError, SyclQueueCreationError, SyclContextCreationError)
_REST = (ValueError, TypeError, SyclError, BufferError, CompileError)
_BY_KIND = (SyclError, *_CREATION, SyclSubDeviceCreationError, USMAllocationError, *_REST)


def of_kind(kind, message, code):
    """Return the exception for a libtensor error of an ErrorKind."""
    error = _BY_KIND[kind](message)
    if code != 0:
        error.code = code
    return error
