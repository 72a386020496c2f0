"""Functions that find and count devices."""

from usmtensor._runtime.platform import SyclDevice, devices_of

__all__ = ["get_num_devices", "has_accelerator_devices", "has_cpu_devices", "has_gpu_devices"]
__all__ += ["select_accelerator_device", "select_cpu_device", "select_default_device"]
__all__ += ["select_gpu_device"]


def select_default_device():
    """Return the device that the default selector scores highest. dpctl-compatible.

    Returns
    -------
    SyclDevice

    Raises
    ------
    SyclDeviceCreationError
        If there is no device; the message gives the reason.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.select_default_device() == usm.ones(3).sycl_device
    True
    """
    return SyclDevice()


def select_cpu_device():
    """Return the best CPU of this process. dpctl-compatible.

    Returns
    -------
    SyclDevice

    Raises
    ------
    SyclDeviceCreationError
        If there is no CPU.

    Examples
    --------
    >>> import usmtensor as usm
    >>> if usm.has_cpu_devices():
    ...     assert usm.select_cpu_device().is_cpu
    ...
    """
    return SyclDevice("cpu")


def select_gpu_device():
    """Return the best GPU of this process. dpctl-compatible.

    Returns
    -------
    SyclDevice

    Raises
    ------
    SyclDeviceCreationError
        If there is no GPU.

    Examples
    --------
    >>> import usmtensor as usm
    >>> if usm.has_gpu_devices():
    ...     assert usm.select_gpu_device().is_gpu
    ...
    """
    return SyclDevice("gpu")


def select_accelerator_device():
    """Return the best accelerator of this process. dpctl-compatible.

    Returns
    -------
    SyclDevice

    Raises
    ------
    SyclDeviceCreationError
        If there is no accelerator.

    Examples
    --------
    >>> import usmtensor as usm
    >>> if usm.has_accelerator_devices():
    ...     assert usm.select_accelerator_device().is_accelerator
    ...
    """
    return SyclDevice("accelerator")


def get_num_devices(backend="all", device_type="all"):
    """Return the number of devices. dpctl-compatible.

    Parameters
    ----------
    backend : str or backend_type, optional
        Only devices of this backend.
    device_type : str or device_type, optional
        Only devices of this type.

    Returns
    -------
    int

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.get_num_devices() == len(usm.get_devices())
    True
    """
    return len(devices_of(backend, device_type, "get_num_devices"))


def has_cpu_devices():
    """Return True if there is a CPU among the devices. dpctl-compatible.

    Returns
    -------
    bool

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.has_cpu_devices() == (usm.get_num_devices(device_type="cpu") > 0)
    True
    """
    return get_num_devices(device_type="cpu") > 0


def has_gpu_devices():
    """Return True if there is a GPU among the devices. dpctl-compatible.

    Returns
    -------
    bool

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.has_gpu_devices() == (usm.get_num_devices(device_type="gpu") > 0)
    True
    """
    return get_num_devices(device_type="gpu") > 0


def has_accelerator_devices():
    """Return True if there is an accelerator among the devices. dpctl-compatible.

    Returns
    -------
    bool

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.has_accelerator_devices() == (usm.get_num_devices(device_type="accelerator") > 0)
    True
    """
    return get_num_devices(device_type="accelerator") > 0
