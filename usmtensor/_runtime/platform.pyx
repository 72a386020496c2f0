"""Platforms, devices and contexts, and the ways to select them."""
from cpython.pycapsule cimport (
    PyCapsule_CheckExact, PyCapsule_GetContext, PyCapsule_GetPointer, PyCapsule_IsValid,
    PyCapsule_New, PyCapsule_SetContext,
)
from cpython.ref cimport Py_DECREF, Py_INCREF
from libcpp.string cimport string
from libcpp.vector cimport vector

cimport usmtensor._native.runtime as native
from usmtensor._native.libtensor cimport ContextRef, DeviceRef, PlatformRef
from usmtensor._runtime.arguments cimport integer, require, short_repr, wrong_value

import os
import re
from contextlib import contextmanager

from usmtensor._runtime import bootstrap as _bootstrap
from usmtensor._runtime.device_table import ASPECTS, PROPERTIES
from usmtensor._runtime.enums import backend_type, device_type, global_mem_cache_type
from usmtensor._runtime.errors import SyclContextCreationError, SyclDeviceCreationError, SyclError

__all__ = ["SyclContext", "SyclDevice", "SyclPlatform", "get_devices", "get_platforms",
           "lsplatform", "select_device_with_aspects"]

_device_type = device_type  # for functions with an argument of that name

# The first argument of a constructor whose caller sets the native handle.
cdef object _EMPTY = object()

cdef bint _prepared = False


cdef int _prepare() except -1:
    """Call this before any code that may query platforms or devices."""
    global _prepared
    if not _prepared:
        variable, value = _bootstrap.driver_variable()
        native.query_platforms(os.fsencode(variable), os.fsencode(value))
        _prepared = True
    return 0


cdef str _text(const string &text):
    return text.decode("utf-8", "replace")


cdef object python_backend(int value):
    return backend_type(value) if value else None


cdef object _enum_argument(object value, object enum, str function, str argument):
    """Return a member of `enum`, given the member or its name."""
    if isinstance(value, enum):
        return value
    require(value, str, function, argument, f"str or {enum.__name__}")
    if value not in enum.__members__:
        raise wrong_value(value, function, argument, f"one of {', '.join(enum.__members__)}")
    return enum[value]


# --- capsules ------------------------------------------------------------------------------------
# Consumers copy the SYCL object in a capsule; dpctl also renames the capsule.

cdef bint is_capsule(object obj, const char *name):
    return PyCapsule_CheckExact(obj) and PyCapsule_IsValid(obj, name)


cdef void *capsule_pointer(object capsule, const char *name, str function) except NULL:
    if not is_capsule(capsule, name):
        raise TypeError(f"{function}: expected a capsule named {name.decode()!r}, not "
                        f"{short_repr(capsule)}")
    return PyCapsule_GetPointer(capsule, name)


cdef object new_capsule(const void *content, const char *name, object owner):
    capsule = PyCapsule_New(<void *>content, name, _release_owner)
    PyCapsule_SetContext(capsule, <void *>owner)
    Py_INCREF(owner)
    return capsule


cdef void _release_owner(object capsule) noexcept:
    Py_DECREF(<object>PyCapsule_GetContext(capsule))


# --- handles -------------------------------------------------------------------------------------

cdef class Handle:
    """An immutable runtime object: a copy is the object itself."""

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        raise TypeError(f"{type(self).__name__}: an object of this process cannot be pickled; "
                        "pickle SyclDevice.filter_string and make a new object from that")


# --- platforms -----------------------------------------------------------------------------------

cdef class SyclPlatform(Handle):
    """SyclPlatform(arg=None)\n--\n

    A SYCL platform: the devices of one driver. dpctl-compatible.

    Parameters
    ----------
    arg : None, str, SyclDevice or SyclPlatform, optional
        A filter string or a device selects that device's platform; the default is the platform of
        the default device.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches.
    TypeError
        If `arg` is of another type.

    Examples
    --------
    >>> import usmtensor as usm
    >>> platform = usm.SyclPlatform()
    >>> usm.SyclDevice() in platform.get_devices()
    True
    """

    def __cinit__(self, arg=None):
        if arg is _EMPTY:
            return
        if isinstance(arg, SyclPlatform):
            self.ref = (<SyclPlatform>arg).ref
            return
        require(arg, (type(None), str, DeviceHandle), "SyclPlatform", "arg",
                "None, filter string, SyclDevice or SyclPlatform")
        self.ref = native.platform_of(_as_device(arg).ref)

    @property
    def name(self) -> str:
        """str: The name of the platform."""
        return _text(native.describe(self.ref).name)

    @property
    def vendor(self) -> str:
        """str: The vendor of the platform."""
        return _text(native.describe(self.ref).vendor)

    @property
    def version(self) -> str:
        """str: The version of the platform."""
        return _text(native.describe(self.ref).version)

    @property
    def backend(self) -> enums.backend_type:
        """backend_type: The backend that drives the platform."""
        return python_backend(<int>native.backend(self.ref))

    @property
    def default_context(self) -> SyclContext:
        """SyclContext: The runtime's default context of the platform's root devices."""
        return wrap_context(native.default_context(self.ref))

    def get_devices(
        self, device_type: str | enums.device_type = "all"  # no-cython-lint
    ) -> list[SyclDevice]:
        """The root devices of the platform.

        Parameters
        ----------
        device_type : str or device_type, optional
            Only devices of this type.

        Returns
        -------
        list of SyclDevice

        Examples
        --------
        >>> import usmtensor as usm
        >>> platform = usm.SyclPlatform()
        >>> all(device.sycl_platform == platform for device in platform.get_devices())
        True
        """
        wanted = _enum_argument(device_type, _device_type, "get_devices", "device_type")
        return _matching(_wrap_devices(native.platform_devices(self.ref)), "all", wanted.name)

    def print_platform_info(self, verbosity: int = 0) -> None:
        """Print the platform.

        Parameters
        ----------
        verbosity : {0, 1, 2}, optional
            0 prints one line, 1 all properties, 2 also the devices.

        Raises
        ------
        ValueError
            If `verbosity` is another number.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclPlatform().print_platform_info(verbosity=1)
        Name        ...
        Version     ...
        Vendor      ...
        Backend     ...
        Num Devices ...
        """
        print(_platform_report(self, _verbosity(verbosity, "print_platform_info")))

    def __eq__(self, other):
        if not isinstance(other, SyclPlatform):
            return NotImplemented
        return native.equal(self.ref, (<SyclPlatform>other).ref)

    def __hash__(self):
        return native.hash(self.ref)

    def __repr__(self):
        return f"<usmtensor.SyclPlatform [{self.name}, {self.vendor}, {self.version}]>"


cdef SyclPlatform _wrap_platform(PlatformRef ref):
    cdef SyclPlatform platform = SyclPlatform.__new__(SyclPlatform, _EMPTY)
    platform.ref = ref
    return platform


def _verbosity(verbosity, function):
    if require(verbosity, int, function, "verbosity") not in (0, 1, 2):
        raise wrong_value(verbosity, function, "verbosity", "0, 1 or 2")
    return verbosity


def _platform_report(platform, verbosity, title=""):
    if verbosity == 0:
        return f"{platform.name} {platform.version}"
    devices = platform.get_devices()
    text = (f"{title}"
            f"    Name        {platform.name}\n"
            f"    Version     {platform.version}\n"
            f"    Vendor      {platform.vendor}\n"
            f"    Backend     {_backend_name(platform)}\n"
            f"    Num Devices {len(devices)}")
    for number, device in enumerate(devices if verbosity == 2 else ()):
        text += (f"\n      # {number}"
                 f"\n        Name                {device.name}"
                 f"\n        Version             {device.driver_version}"
                 f"\n        Filter string       {device.filter_string}")
    return text


def _backend_name(x):
    return x.backend.name if x.backend else "unknown"


# --- devices -------------------------------------------------------------------------------------

cdef class DeviceHandle(Handle):
    """DeviceHandle(arg=None)\n--\n

    The base of `SyclDevice`, without the properties that a table defines."""

    def __cinit__(self, arg=None):
        self._answers = {}
        if arg is _EMPTY:
            return
        if hasattr(arg, "_get_capsule") and not isinstance(arg, DeviceHandle):
            arg = arg._get_capsule()  # an object of another package
        if isinstance(arg, DeviceHandle):
            self.ref = (<DeviceHandle>arg).ref
            self._answers = (<DeviceHandle>arg)._answers
        elif PyCapsule_CheckExact(arg):
            self.ref = native.adopt_device(capsule_pointer(arg, "SyclDeviceRef", "SyclDevice"))
        elif arg is None:
            with _selection():
                self.ref = native.default_device()
        else:
            require(arg, str, "SyclDevice", "arg", "None, filter string, SyclDevice or "
                    "capsule named 'SyclDeviceRef'")
            with _selection():
                self.ref = (<DeviceHandle>_select(arg)).ref

    def _answer(self, name):
        """Return the value of a property in the table."""
        answer = self._answers.get(name, self)
        if answer is self:
            aspect = name.removeprefix("has_aspect_").removeprefix("is_")
            kind = PROPERTIES.get(name, "int").partition(":")[0]
            if aspect != name:
                answer = native.has_aspect(self.ref, aspect.encode())
            elif kind == "str":
                answer = _text(native.text_info(self.ref, name.encode())) or None
            else:
                answer = native.number_info(self.ref, name.encode())
                if not answer:
                    answer = None
                elif kind.startswith("tuple"):
                    answer = tuple(answer)
                elif not kind.startswith("list"):
                    answer = (bool if kind == "bool" else int)(answer[0])
            self._answers[name] = answer
        return answer

    @property
    def backend(self) -> enums.backend_type:
        """backend_type: The backend that drives the device."""
        return python_backend(<int>native.backend(self.ref))

    @property
    def device_type(self) -> enums.device_type:
        """device_type: The type of the device."""
        return device_type(<int>native.device_type(self.ref))

    @property
    def sycl_platform(self) -> SyclPlatform:
        """SyclPlatform: The platform that the device belongs to."""
        return _wrap_platform(native.platform_of(self.ref))

    @property
    def global_mem_cache_type(self) -> enums.global_mem_cache_type:
        """global_mem_cache_type: The cache before global memory."""
        value = self._answer("global_mem_cache_type")
        # SYCL counts from none = 0, dpctl's enumeration from indeterminate = 1.
        return global_mem_cache_type(1 if value is None else value + 2)

    @property
    def default_selector_score(self) -> int:
        """int: The current score of the device by the runtime's default selector.

        Importing other libraries may change scores. The default device stays the device that had
        the highest score at the first selection.
        """
        return native.default_selector_score(self.ref)

    @property
    def parent_device(self) -> SyclDevice | None:
        """SyclDevice or None: The parent of a sub-device; None for a root device."""
        cdef DeviceRef parent = native.parent(self.ref)
        return None if parent.get() == NULL else wrap_device(parent)

    def get_unpartitioned_parent_device(self) -> SyclDevice:
        """Return the root device of a sub-device; a root device returns itself.

        Examples
        --------
        >>> import usmtensor as usm
        >>> device = usm.SyclDevice()
        >>> device.get_unpartitioned_parent_device() == device
        True
        """
        return wrap_device(native.root(self.ref))

    @property
    def filter_string(self) -> str:
        """str: The filter string that selects the device, such as "opencl:cpu:0".

        Raises
        ------
        ValueError
            If the device is a sub-device.
        """
        return self.get_filter_string()

    def get_filter_string(
        self, include_backend: bool = True, include_device_type: bool = True
    ) -> str:
        """Return the filter string that selects the device.

        Parameters
        ----------
        include_backend, include_device_type : bool, optional
            True to include this part before the number.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            If the device is a sub-device: no filter string selects sub-devices.

        Examples
        --------
        >>> import usmtensor as usm
        >>> device = usm.SyclDevice()
        >>> usm.SyclDevice(device.get_filter_string()) == device
        True
        """
        backend = _backend_name(self) if include_backend else "all"
        kind = self.device_type.name if include_device_type else "all"
        number = _index_in(_matching(_devices(), backend, kind), self,
                           "a sub-device has no filter string")
        return ":".join([*(word for word in (backend, kind) if word != "all"), str(number)])

    def get_device_id(self) -> int:
        """Return the index of the device, or of its root device, in `get_devices()`.

        Examples
        --------
        >>> import usmtensor as usm
        >>> device = usm.SyclDevice()
        >>> usm.get_devices()[device.get_device_id()] == device
        True
        """
        return _index_in(_devices(), self.get_unpartitioned_parent_device(),
                         "the device is not among the devices of this process")

    def create_sub_devices(self, partition: int | Sequence[int] | str) -> list[SyclDevice]:
        """Split the device.

        Parameters
        ----------
        partition : int, list of int, tuple of int or str
            The number of compute units of every sub-device, a number for each sub-device, or one
            of "numa", "L1_cache", "L2_cache", "L3_cache", "L4_cache", "next_partitionable".

        Returns
        -------
        list of SyclDevice

        Raises
        ------
        SyclSubDeviceCreationError
            If the device does not support this partition.
        ValueError
            If a number is not positive, the list is empty, or the word is unknown.
        TypeError
            If `partition` is of another type.

        Examples
        --------
        >>> import usmtensor as usm
        >>> try:
        ...     parts = usm.SyclDevice().create_sub_devices(1)
        ...     print(parts[0].max_compute_units)
        ... except usm.SyclSubDeviceCreationError:  # many GPUs
        ...     print(1)
        ...
        1
        """
        cdef vector[size_t] counts
        if isinstance(partition, str):
            return _wrap_devices(native.partition_by_affinity(self.ref, partition.encode()))
        if isinstance(partition, (list, tuple)):
            if not partition:
                raise wrong_value(partition, "create_sub_devices", "partition", "counts")
            for count in partition:
                counts.push_back(_compute_units(count))
            return _wrap_devices(native.partition_by_counts(self.ref, counts))
        return _wrap_devices(native.partition_equally(self.ref, _compute_units(partition)))

    def print_device_info(self) -> None:
        """Print name, driver version, vendor and filter string of the device.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclDevice().print_device_info()
        Name            ...
        Driver version  ...
        Vendor          ...
        Filter string   ...
        """
        try:
            selected = self.filter_string
        except ValueError:
            selected = "none (a sub-device)"
        print(f"    Name            {self._answer('name')}\n"
              f"    Driver version  {self._answer('driver_version')}\n"
              f"    Vendor          {self._answer('vendor')}\n"
              f"    Filter string   {selected}\n")

    def addressof_ref(self):
        """The address of the `sycl::device`, valid as long as this object lives.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclDevice().addressof_ref() != 0
        True
        """
        return <size_t>self.ref.get()

    def _get_capsule(self):
        """A capsule named "SyclDeviceRef" with the `sycl::device`, which it keeps alive."""
        return new_capsule(self.ref.get(), "SyclDeviceRef", self)

    def __eq__(self, other):
        if not isinstance(other, DeviceHandle):
            return NotImplemented
        return native.equal(self.ref, (<DeviceHandle>other).ref)

    def __hash__(self):
        return native.hash(self.ref)

    def __repr__(self):
        return (f"<usmtensor.SyclDevice [{_backend_name(self)}, {self.device_type.name}, "
                f"{self._answer('name')}]>")


class SyclDevice(DeviceHandle):
    """SyclDevice(arg=None)

    A SYCL device. dpctl-compatible.

    Parameters
    ----------
    arg : None, str, SyclDevice or capsule, optional
        None selects the default device. A filter string is "backend:type:number", in which any part
        may be left out ("cpu", "opencl:cpu:0", "0", "opencl"). Of several filters separated by
        commas, the first match is taken. A capsule named "SyclDeviceRef" holds a `sycl::device`.

    Raises
    ------
    SyclDeviceCreationError
        If no device matches, or the filter string is malformed.
    TypeError
        If `arg` is of another type.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.SyclDevice()  # the default device
    >>> usm.SyclDevice(device.filter_string) == device
    True
    >>> device.max_compute_units >= 1
    True
    """

    __slots__ = ()


for _name, _text_of in PROPERTIES.items():
    setattr(SyclDevice, _name,
            property(lambda self, _name=_name: self._answer(_name), doc=_text_of))


cdef DeviceHandle wrap_device(DeviceRef ref):
    cdef DeviceHandle device = SyclDevice.__new__(SyclDevice, _EMPTY)
    device.ref = ref
    return device


cdef list _wrap_devices(vector[DeviceRef] refs):
    return [wrap_device(refs[i]) for i in range(refs.size())]


cdef list _devices(bint ranked=False):
    """Return the root devices in the runtime's order, or from the highest score down."""
    _prepare()
    return _wrap_devices(native.ranked_devices() if ranked else native.devices())


cdef list _matching(list devices, str backend, str kind):
    """Return the devices of a backend and a type; "all" matches every device."""
    return [device for device in devices if backend in ("all", _backend_name(device))
            and kind in ("all", "automatic", device.device_type.name)]


cdef int _index_in(list devices, DeviceHandle device, str otherwise) except -1:
    if device not in devices:
        raise ValueError(otherwise)
    return devices.index(device)


# Every part is optional.
_FILTER = re.compile("(?!:)(?P<backend>cuda|hip|level_zero|opencl)?"
                     "((^|:)(?P<type>accelerator|cpu|custom|gpu))?((^|:)(?P<number>[0-9]{1,6}))?")


cdef object _select(object text):
    """Return the device that a filter string selects.

    It is the first match of one filter, or of several filters separated by commas. The number in a
    filter counts the devices that match its other parts. Without a number, the device with the
    highest score matches.
    """
    for alternative in str.lower(text).split(","):
        parts = _FILTER.fullmatch(alternative)
        if not alternative or not parts:
            raise SyclDeviceCreationError(
                f"filter string '{text}' is not understood: expected backend:type:number with any "
                "part left out, backend one of cuda, hip, level_zero, opencl, type one of "
                "accelerator, cpu, custom, gpu")
        devices = _matching(_devices(ranked=not parts["number"]), parts["backend"] or "all",
                            parts["type"] or "all")
        number = int(parts["number"] or 0)
        if number < len(devices):
            return devices[number]
    raise SyclDeviceCreationError(f"no device matches the filter string '{text}'; "
                                  f"{_present_devices()}")


cdef str _present_devices():
    filters = [device.filter_string for device in _devices()]
    return f"there are: {', '.join(filters)}" if filters else "there is no device"


cdef DeviceHandle _as_device(object arg):
    return arg if isinstance(arg, DeviceHandle) else SyclDevice(arg)


def _compute_units(count):
    count = integer(count, "create_sub_devices", "partition")
    if count <= 0:
        raise wrong_value(count, "create_sub_devices", "partition", "positive counts")
    return count


cdef bint _no_device_at_all():
    try:
        return not get_devices()
    except SyclError:  # the user's settings are wrong
        return True


@contextmanager
def _selection():
    """Add the reason to the error of a selection if there is no device at all."""
    try:
        _prepare()
        yield
    except SyclError as error:
        message = f"{error}. {_bootstrap.diagnose()}" if _no_device_at_all() else str(error)
        explanation = SyclDeviceCreationError(message)
        explanation.code = error.code
        raise explanation from None


# --- contexts ------------------------------------------------------------------------------------

cdef class SyclContext(Handle):
    """SyclContext(arg=None)\n--\n

    A SYCL context: the devices that share USM memory. dpctl-compatible.

    Parameters
    ----------
    arg : None, str, SyclDevice, list of SyclDevice, SyclContext or capsule, optional
        None makes a new context of the default device; a filter string, a device or a list of
        devices makes a new context of these devices. A SyclContext, or a capsule named
        "SyclContextRef", gives another handle on that context.

    Raises
    ------
    SyclContextCreationError
        If no device matches, or the devices cannot share a context.
    TypeError
        If `arg` is of another type or an empty list.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.SyclDevice()
    >>> context = usm.SyclContext(device)
    >>> queue = usm.SyclQueue(context, device)
    >>> queue.sycl_context == context
    True
    """

    def __cinit__(self, arg=None):
        cdef vector[DeviceRef] members
        if arg is _EMPTY:
            return
        if isinstance(arg, SyclContext):
            self.ref = (<SyclContext>arg).ref
            return
        if hasattr(arg, "_get_capsule") and not isinstance(arg, DeviceHandle):
            arg = arg._get_capsule()
        if PyCapsule_CheckExact(arg):
            self.ref = native.adopt_context(capsule_pointer(arg, "SyclContextRef", "SyclContext"))
            return
        require(arg, (type(None), str, DeviceHandle, list, tuple), "SyclContext", "arg",
                "None, filter string, SyclDevice, list of SyclDevice, SyclContext or capsule named "
                "'SyclContextRef'")
        if not isinstance(arg, (list, tuple)):
            try:
                arg = [_as_device(arg)]
            except SyclDeviceCreationError as error:
                raise SyclContextCreationError(f"SyclContext: {error}") from error
        if not arg:
            raise TypeError("SyclContext: the list of devices is empty")
        for device in arg:
            require(device, DeviceHandle, "SyclContext", "a device of the list", "SyclDevice")
            members.push_back((<DeviceHandle>device).ref)
        self.ref = native.make_context(members)

    def get_devices(self) -> list[SyclDevice]:
        """Return the devices of the context.

        Returns
        -------
        list of SyclDevice

        Examples
        --------
        >>> import usmtensor as usm
        >>> device = usm.SyclDevice()
        >>> usm.SyclContext(device).get_devices() == [device]
        True
        """
        return _wrap_devices(native.context_devices(self.ref))

    @property
    def device_count(self) -> int:
        """int: The number of devices of the context."""
        return native.context_devices(self.ref).size()

    def addressof_ref(self):
        """The address of the `sycl::context`, valid as long as this object lives.

        Examples
        --------
        >>> import usmtensor as usm
        >>> usm.SyclContext().addressof_ref() != 0
        True
        """
        return <size_t>self.ref.get()

    def _get_capsule(self):
        """A capsule named "SyclContextRef" with the `sycl::context`, which it keeps alive."""
        return new_capsule(self.ref.get(), "SyclContextRef", self)

    def __eq__(self, other):
        if not isinstance(other, SyclContext):
            return NotImplemented
        return native.equal(self.ref, (<SyclContext>other).ref)

    def __hash__(self):
        return native.hash(self.ref)

    def __repr__(self):
        names = ", ".join(device.name for device in self.get_devices())
        return f"<usmtensor.SyclContext [{names}]>"


cdef SyclContext wrap_context(ContextRef ref):
    cdef SyclContext context = SyclContext.__new__(SyclContext, _EMPTY)
    context.ref = ref
    return context


# --- module functions ----------------------------------------------------------------------------


def select_device_with_aspects(
    required_aspects: str | Sequence[str], excluded_aspects: str | Sequence[str] = ()
) -> SyclDevice:
    """Return the best device that has all required and no excluded aspects. dpctl-compatible.

    Parameters
    ----------
    required_aspects, excluded_aspects : str or sequence of str
        Names as in `SyclDevice.has_aspect_*`, such as "fp64".

    Returns
    -------
    SyclDevice

    Raises
    ------
    SyclDeviceCreationError
        If no device matches.
    ValueError
        If an aspect is unknown.
    TypeError
        If an argument is not a str or a sequence of str.

    Examples
    --------
    >>> import usmtensor as usm
    >>> device = usm.select_device_with_aspects(["usm_device_allocations"], ["custom"])
    >>> device.has_aspect_usm_device_allocations
    True
    """
    wanted = [(name, True) for name in _aspects(required_aspects, "required_aspects")]
    wanted += [(name, False) for name in _aspects(excluded_aspects, "excluded_aspects")]
    with _selection():
        for device in _devices(ranked=True):
            if all(device._answer(f"has_aspect_{name}") is present for name, present in wanted):
                return device
        text = " ".join([name if present else f"not-{name}" for name, present in wanted])
        raise SyclDeviceCreationError(f"no device has the requested aspects ({text}); "
                                      f"{_present_devices()}")


cdef list _aspects(object words, str argument):
    cdef list result = []
    function = "select_device_with_aspects"
    if isinstance(words, str):
        words = [words]
    require(words, (list, tuple, set, frozenset), function, argument, "str or sequence of str")
    for word in words:
        if require(word, str, function, f"an element of {argument}") not in ASPECTS:
            raise wrong_value(word, function, f"an element of {argument}",
                              f"one of {', '.join(ASPECTS)}")
        result.append(word)
    return result


def get_devices(
    backend: str | enums.backend_type = "all",
    device_type: str | enums.device_type = "all",  # no-cython-lint
) -> list[SyclDevice]:
    """Return the root devices of this process. dpctl-compatible.

    Parameters
    ----------
    backend : str or backend_type, optional
        Only devices of this backend.
    device_type : str or device_type, optional
        Only devices of this type.

    Returns
    -------
    list of SyclDevice
        In the runtime's order; empty if no device matches.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.SyclDevice() in usm.get_devices()
    True
    >>> all(device.is_cpu for device in usm.get_devices(device_type="cpu"))
    True
    """
    return devices_of(backend, device_type, "get_devices")


def devices_of(backend, device_type, str function):  # no-cython-lint
    """Return the root devices of a backend and type. Errors name the function."""
    wanted = _enum_argument(backend, backend_type, function, "backend")
    kind = _enum_argument(device_type, _device_type, function, "device_type")
    return _matching(_devices(), wanted.name, kind.name)


def get_platforms() -> list[SyclPlatform]:
    """Return the platforms that have a device. dpctl-compatible.

    Returns
    -------
    list of SyclPlatform

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.SyclDevice().sycl_platform in usm.get_platforms()
    True
    """
    _prepare()
    cdef vector[PlatformRef] found = native.platforms()
    return [_wrap_platform(found[i]) for i in range(found.size())]


def lsplatform(verbosity: int = 0) -> None:
    """Print the platforms. dpctl-compatible.

    Parameters
    ----------
    verbosity : {0, 1, 2}, optional
        0 prints one line for each, 1 also the properties, 2 also the devices.

    Examples
    --------
    >>> import usmtensor as usm
    >>> usm.lsplatform(1)
    Platform  0 ::
        Name        ...
    """
    verbosity = _verbosity(verbosity, "lsplatform")
    for number, platform in enumerate(get_platforms()):
        print(_platform_report(platform, verbosity, f"Platform  {number} ::\n"))
