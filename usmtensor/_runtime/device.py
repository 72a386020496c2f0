"""`Device` of the array API standard, the default device, and the keywords `device=` and
`sycl_queue=`."""

from contextlib import contextmanager

from usmtensor._runtime.arguments import require, wrong_type, wrong_value
from usmtensor._runtime.enums import DLDeviceType
from usmtensor._runtime.platform import Handle, SyclDevice, get_devices
from usmtensor._runtime.queue import (
    SyclQueue,
    choose_queue,
    default_queue,
    get_device_cached_queue,
    restore_queue,
    set_default_queue,
)

__all__ = ["Device", "default_device", "dldevice_to_sycl_device", "set_default_device"]
__all__ += ["sycl_device_to_dldevice", "synchronize"]


class Device(Handle):
    """The location of an array: a SYCL queue, made by `Device.create_device`. dpctl-compatible.

    Two devices are equal if their queues are equal. A device also equals its queue. If the queue is
    the cached queue of a SYCL device, the device also equals that SYCL device and has its hash.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.ones(3)
    >>> y = usm.zeros(3, device=x.device)
    >>> y.device == x.device
    True
    >>> x.device.sycl_device == usm.SyclDevice()
    True
    """

    __slots__ = ("_queue",)

    def __new__(cls, *args, **kwargs):
        raise TypeError("Device has no constructor: use Device.create_device")

    @classmethod
    def create_device(cls, device=None):
        """Return the device that a `device=` keyword means.

        Parameters
        ----------
        device : None, Device, SyclDevice, SyclQueue, str or (DLDeviceType.kDLOneAPI, int), optional
            None means the default device. A SyclDevice, a filter string or a DLPack device (by its
            index in `get_devices()`) means that device's cached in-order queue. dpctl's queues and
            devices are accepted.

        Returns
        -------
        Device

        Raises
        ------
        SyclDeviceCreationError
            If no device matches a filter string.
        ValueError
            If there is no device of that DLPack type and number.
        TypeError
            If `device` is of another type.

        Examples
        --------
        >>> import usmtensor as usm
        >>> queue = usm.SyclQueue()
        >>> device = usm.Device.create_device(queue)
        >>> usm.ones(3, device=device).sycl_queue == queue
        True
        """
        if isinstance(device, Device):
            return device
        return of_queue(_queue_of(device, "Device.create_device"))

    @property
    def sycl_queue(self):
        """SyclQueue: The queue that operations on the arrays run on."""
        return self._queue

    @property
    def sycl_context(self):
        """SyclContext: The context that the arrays' memory belongs to."""
        return self._queue.sycl_context

    @property
    def sycl_device(self):
        """SyclDevice: The device of the queue."""
        return self._queue.sycl_device

    def print_device_info(self):
        """Print name, driver version, vendor and filter string of the SYCL device.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.ones(3).device.print_device_info()
        Name            ...
        Driver version  ...
        Vendor          ...
        Filter string   ...
        """
        self._queue.sycl_device.print_device_info()

    def get_filter_string(self, include_backend=True, include_device_type=True):
        """The filter string of the SYCL device.

        Parameters
        ----------
        include_backend, include_device_type : bool
            True to include the backend and the device type in the string.

        Returns
        -------
        str
            Such as "opencl:cpu:0".

        Raises
        ------
        ValueError
            If the device is a sub-device.

        Examples
        --------
        >>> import usmtensor as usm
        >>> device = usm.ones(3).device
        >>> usm.SyclDevice(device.get_filter_string()) == device.sycl_device
        True
        """
        return self._queue.sycl_device.get_filter_string(include_backend, include_device_type)

    def wait(self):
        """Wait until every command of the queue is complete.

        Examples
        --------
        >>> import usmtensor as usm
        >>> x = usm.ones(3) + 1
        >>> x.device.wait()
        """
        self._queue.wait()

    def _is_default(self):
        return self._queue == get_device_cached_queue(self._queue.sycl_device)

    def __eq__(self, other):
        if isinstance(other, Device):
            return self._queue == other._queue
        if isinstance(other, SyclQueue):
            return self._queue == other
        if isinstance(other, SyclDevice):
            return self._queue.sycl_device == other and self._is_default()
        return NotImplemented

    def __hash__(self):
        return hash(self._queue.sycl_device if self._is_default() else self._queue)

    def __repr__(self):
        device = self._queue.sycl_device
        try:
            return f"Device({device.filter_string})"
        except ValueError:  # a sub-device
            return f"Device({device!r})"


def of_queue(queue):
    device = Handle.__new__(Device)
    device._queue = queue
    return device


def _queue_of(device, function):
    if device is None:
        return default_queue()
    if isinstance(device, Device):
        return device._queue
    if isinstance(device, SyclQueue):
        return device
    if isinstance(device, (SyclDevice, str)):
        return get_device_cached_queue(device)
    if isinstance(device, tuple):
        return get_device_cached_queue(_dlpack_device(device, function))
    if hasattr(device, "_get_capsule"):  # a queue of another package
        return SyclQueue(device)
    name = getattr(device, "filter_string", None)
    if isinstance(name, str):  # a device of another package
        return get_device_cached_queue(name)
    expected = "None, Device, SyclDevice, SyclQueue, filter string or DLPack device (type, id)"
    raise wrong_type(device, function, "device", expected)


def _dlpack_device(pair, function):
    expected = "a DLPack device (type, id)"
    if len(pair) == 2 and all(isinstance(number, int) for number in pair):
        kind, number = pair
        devices = get_devices()
        if kind == DLDeviceType.kDLOneAPI and 0 <= number < len(devices):
            return devices[number]
        expected = f"the type kDLOneAPI ({int(DLDeviceType.kDLOneAPI)}) and the number of a device"
    raise wrong_value(pair, function, "device", expected)


def sycl_device_to_dldevice(dev):
    """Return the DLPack device of a SYCL device. dpctl-compatible.

    Parameters
    ----------
    dev : SyclDevice
        A sub-device is replaced by its root device.

    Returns
    -------
    tuple
        (DLDeviceType.kDLOneAPI, index in `get_devices()`).

    Raises
    ------
    TypeError
        If `dev` is of another type.

    Examples
    --------
    >>> import usmtensor as usm
    >>> kind, number = usm.sycl_device_to_dldevice(usm.SyclDevice())
    >>> kind
    <DLDeviceType.kDLOneAPI: 14>
    >>> usm.get_devices()[number] == usm.SyclDevice()
    True
    """
    require(dev, SyclDevice, "sycl_device_to_dldevice", "dev")
    return DLDeviceType.kDLOneAPI, dev.get_device_id()


def dldevice_to_sycl_device(dl_dev):
    """Return the SYCL device of a DLPack device. dpctl-compatible.

    Parameters
    ----------
    dl_dev : (DLDeviceType.kDLOneAPI, int)

    Returns
    -------
    SyclDevice

    Raises
    ------
    TypeError
        If `dl_dev` is not a tuple.
    ValueError
        If it is not a pair of integers, its type is not kDLOneAPI, or no device has the index.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.dldevice_to_sycl_device((usm.DLDeviceType.kDLOneAPI, 0))
    >>> device == usm.get_devices()[0]
    True
    """
    function = "dldevice_to_sycl_device"
    return _dlpack_device(require(dl_dev, tuple, function, "dl_dev"), function)


def normalize_queue(function, device, sycl_queue):
    """Return the queue that the `device=` and `sycl_queue=` keywords of a function mean.

    Parameters
    ----------
    function : str
        The name for error messages.
    device : None or any argument of `Device.create_device`
    sycl_queue : None or SyclQueue

    Returns
    -------
    SyclQueue
        The default queue if both are None.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches a filter string.
    TypeError
        If an argument is of another type, or both are given and name different queues.
    """
    if sycl_queue is None:
        return default_queue() if device is None else _queue_of(device, function)
    if not isinstance(sycl_queue, SyclQueue):
        raise wrong_type(sycl_queue, function, "sycl_queue", "SyclQueue")
    if device is not None and _queue_of(device, function) != sycl_queue:
        raise TypeError(
            f"{function}: device={device!r} and sycl_queue={sycl_queue!r} name different queues; "
            "give one of them"
        )
    return sycl_queue


def set_default_device(device):
    """Set the device of new arrays, for all threads.

    Parameters
    ----------
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        None: SYCL's default device.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches a filter string.
    TypeError
        If `device` is of another type.

    Notes
    -----
    Existing arrays stay on their devices. A `with default_device(...)` block takes precedence.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.set_default_device(usm.get_devices()[0])
    >>> usm.ones(3).sycl_device == usm.get_devices()[0]
    True
    >>> usm.set_default_device(None)
    """
    set_default_queue(None if device is None else _queue_of(device, "set_default_device"))


def default_device(device):
    """Set the device of new arrays in a `with` block.

    Parameters
    ----------
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        None: the current default device.

    Returns
    -------
    context manager
        The value of `as` is the Device.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches a filter string.
    TypeError
        If `device` is of another type.

    Notes
    -----
    The choice is a context variable, so it does not affect other threads and coroutines.

    Examples
    --------
    >>> import usmtensor as usm
    >>> queue = usm.SyclQueue()
    >>> with usm.default_device(queue):
    ...     x = usm.ones(3)
    ...
    >>> x.sycl_queue == queue
    True
    """
    return _use_queue(_queue_of(device, "default_device"))


@contextmanager
def _use_queue(queue):
    token = choose_queue(queue)
    try:
        yield of_queue(queue)
    finally:
        restore_queue(token)


def synchronize(device=None):
    """Wait until all work on the queue of a device is complete.

    Parameters
    ----------
    device : Device, SyclQueue, SyclDevice or filter selector string, optional
        None: the default device.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches a filter string.
    TypeError
        If `device` is of another type.

    Notes
    -----
    Functions return before their results are computed, so call this before reading a timer.

    Examples
    --------
    >>> import usmtensor as usm
    >>> x = usm.sqrt(usm.ones(1000))
    >>> usm.synchronize()
    """
    _queue_of(device, "synchronize").wait()
