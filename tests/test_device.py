"""Platforms, devices, sub-devices, selections, enumerations and the class Device."""

import threading

import numpy as np
import pytest
from checks import name_of

import usmtensor as usm
from usmtensor._runtime.device import normalize_queue
from usmtensor._runtime.device_table import ASPECTS, INFO

NOT_A_DEVICE = [1, 1.5, b"cpu", {}, [], object(), np.int32(0)]
BAD_FILTERS = ["", "xx", "cpu:", ":0", "cpu:opencl", "0:cpu", "cpu:-1", "opencl:cpu:0:0", "a b"]


# --- enumerations --------------------------------------------------------------------------------


def test_enumerations_have_the_values_of_dpctl(dpctl):
    names = ("backend_type", "device_type", "event_status_type", "global_mem_cache_type")
    for name in names:
        ours, theirs = getattr(usm, name), getattr(dpctl, name)
        assert {m.name: m.value for m in ours} == {m.name: m.value for m in theirs}


# --- construction --------------------------------------------------------------------------------


def test_default_device():
    assert usm.SyclDevice() == usm.SyclDevice(None) == usm.select_default_device()


def test_filter_strings_select(device):
    text = device.filter_string
    backend, kind, number = text.split(":")
    assert usm.SyclDevice(text) == device
    assert usm.SyclDevice(text.upper()) == device
    assert usm.SyclDevice(backend).backend.name == backend
    assert usm.SyclDevice(kind).device_type.name == kind
    assert usm.SyclDevice(f"{kind}:{number}").device_type.name == kind
    assert usm.SyclDevice(f"{backend}:{kind}").device_type.name == kind
    assert usm.SyclDevice(str(device.get_device_id())) == device


def test_first_match_of_several_filters_wins(device):
    assert usm.SyclDevice(f"{device.filter_string},cpu,gpu") == device
    assert usm.SyclDevice(f"cuda:accelerator:99,{device.filter_string}") == device


@pytest.mark.parametrize("text", BAD_FILTERS)
def test_bad_filter_strings(text):
    with pytest.raises(usm.SyclDeviceCreationError, match="filter string"):
        usm.SyclDevice(text)


def test_no_match_names_the_filter_and_the_devices(device):
    with pytest.raises(usm.SyclDeviceCreationError) as caught:
        usm.SyclDevice("cpu:999")
    assert "cpu:999" in str(caught.value)
    assert usm.get_devices()[0].filter_string in str(caught.value)
    assert isinstance(caught.value, usm.SyclError)


@pytest.mark.parametrize("arg", NOT_A_DEVICE, ids=name_of)
def test_construction_from_junk(arg):
    with pytest.raises(TypeError, match="SyclDevice"):
        usm.SyclDevice(arg)


def test_construction_from_a_device(device):
    assert usm.SyclDevice(device) == device
    with pytest.raises(TypeError):
        usm.SyclDevice(device, device)


def test_capsule_round_trip(device):
    capsule = device._get_capsule()
    assert usm.SyclDevice(capsule) == device
    assert usm.SyclDevice(capsule) == device  # a capsule can be read again
    del capsule
    with pytest.raises(TypeError, match="SyclDeviceRef"):
        usm.SyclDevice(usm.SyclContext(device)._get_capsule())


def test_equality_and_hash(device):
    other = usm.SyclDevice(device.filter_string)
    assert other == device
    assert hash(other) == hash(device)
    assert len({other, device}) == 1
    assert device != "cpu"
    assert device != device.filter_string
    assert device is not None


# --- information ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", INFO)
def test_information(device, name):
    kind = {"str": str, "int": int, "bool": bool, "list": list, "tuple": tuple}[
        INFO[name].split(":")[0].split("[")[0]
    ]
    answer = getattr(device, name)
    assert answer is None or type(answer) is kind
    assert getattr(type(device), name).__doc__ == INFO[name]
    assert getattr(device, name) == answer


@pytest.mark.parametrize("name", ASPECTS)
def test_aspects(device, name):
    assert type(getattr(device, f"has_aspect_{name}")) is bool
    assert getattr(type(device), f"has_aspect_{name}").__doc__


def test_information_agrees_with_dpctl(device, dpctl):
    theirs = dpctl.SyclDevice(device.filter_string)
    names = [*INFO, *(f"has_aspect_{name}" for name in ASPECTS)]
    for name in [*names, "is_cpu", "is_gpu", "is_accelerator", "filter_string"]:
        if name == "max_work_item_sizes":
            continue  # deprecated in dpctl
        assert getattr(device, name) == getattr(theirs, name), name
    for name in ("backend", "device_type", "global_mem_cache_type"):
        assert getattr(device, name).name == getattr(theirs, name).name
    for arguments in ((True, False), (False, True), (False, False)):
        assert device.get_filter_string(*arguments) == theirs.get_filter_string(*arguments)
    assert device.get_device_id() == theirs.get_device_id()


def test_every_type_has_its_aspect(device):
    found = {"cpu": device.is_cpu, "gpu": device.is_gpu, "accelerator": device.is_accelerator}
    assert found == {name: getattr(device, f"has_aspect_{name}") for name in found}
    assert sum(found.values()) <= 1
    if any(found.values()):
        assert found[device.device_type.name]


def test_sizes_make_sense(device):
    assert device.name
    assert device.max_compute_units > 0
    assert device.global_mem_size >= device.max_mem_alloc_size > 0
    assert len(device.max_work_item_sizes1d) == 1
    assert len(device.max_work_item_sizes2d) == 2
    assert len(device.max_work_item_sizes3d) == len(device.max_work_item_sizes) == 3
    assert device.default_selector_score >= 0


def test_no_attribute_can_be_set(device):
    with pytest.raises(AttributeError):
        device.name = "other"
    with pytest.raises(AttributeError):
        device.other = 1


def test_filter_string_parts(device):
    backend, kind, _ = device.filter_string.split(":")
    assert device.get_filter_string(include_backend=False).startswith(f"{kind}:")
    assert device.get_filter_string(include_device_type=False).startswith(f"{backend}:")
    bare = device.get_filter_string(include_backend=False, include_device_type=False)
    assert usm.SyclDevice(bare) == device
    assert usm.get_devices()[device.get_device_id()] == device
    ours = usm.Device.create_device(device)
    for backend in (True, False):
        for kind in (True, False):
            wanted = device.get_filter_string(backend, kind)
            assert ours.get_filter_string(backend, kind) == wanted
            keywords = {"include_backend": backend, "include_device_type": kind}
            assert ours.get_filter_string(**keywords) == wanted


def test_printing(device, capsys):
    device.print_device_info()
    printed = capsys.readouterr().out
    for text in (device.name, device.driver_version, device.vendor, device.filter_string):
        assert text in printed
    assert device.name in repr(device)
    assert device.addressof_ref() > 0


# --- platforms -----------------------------------------------------------------------------------


def test_platform(device, capsys):
    platform = device.sycl_platform
    assert platform in usm.get_platforms()
    assert platform == usm.SyclPlatform(device) == usm.SyclPlatform(platform)
    assert platform == usm.SyclPlatform(device.filter_string)
    assert usm.SyclPlatform() == usm.SyclDevice().sycl_platform
    assert hash(platform) == hash(usm.SyclPlatform(device))
    assert device in platform.get_devices()
    assert device in platform.get_devices(device.device_type)
    assert device in platform.get_devices(device_type=device.device_type.name)
    assert platform.backend is device.backend
    assert device in platform.default_context.get_devices()
    assert all(isinstance(text, str) for text in (platform.name, platform.vendor, platform.version))
    assert platform != device
    assert platform.name in repr(platform)
    for verbosity in (0, 1, 2):
        platform.print_platform_info(verbosity)
        assert platform.name in capsys.readouterr().out


def test_platform_bad_input(device):
    platform = device.sycl_platform
    with pytest.raises(usm.SyclDeviceCreationError):
        usm.SyclPlatform("cpu:999")
    for arg in (1, {}, []):
        with pytest.raises(TypeError, match="SyclPlatform"):
            usm.SyclPlatform(arg)
    with pytest.raises(ValueError, match="device_type"):
        platform.get_devices("toaster")
    with pytest.raises(TypeError, match="device_type"):
        platform.get_devices(4)


@pytest.mark.parametrize("print_info", ["lsplatform", "platform"])
def test_verbosity(device, capsys, print_info):
    platform = device.sycl_platform
    show = usm.lsplatform if print_info == "lsplatform" else platform.print_platform_info
    show()
    brief = capsys.readouterr().out
    show(verbosity=2)
    assert len(capsys.readouterr().out) > len(brief) > 0
    for verbosity in (3, -1):
        with pytest.raises(ValueError, match="verbosity"):
            show(verbosity)
    with pytest.raises(TypeError, match="verbosity"):
        show("1")


# --- selection -----------------------------------------------------------------------------------


def test_get_devices(device):
    devices = usm.get_devices()
    assert isinstance(devices, list)
    assert device in devices
    assert len(set(devices)) == len(devices) == usm.get_num_devices()
    by_backend = usm.get_devices(backend=device.backend)
    assert device in by_backend
    assert by_backend == usm.get_devices(device.backend.name)
    assert device in usm.get_devices(device_type=device.device_type)
    assert device in usm.get_devices(device_type="automatic")
    for kind in ("cpu", "gpu", "accelerator"):
        count = usm.get_num_devices(device_type=kind)
        assert getattr(usm, f"has_{kind}_devices")() is (count > 0)
        assert len(usm.get_devices("all", kind)) == count


@pytest.mark.parametrize("function", [usm.get_devices, usm.get_num_devices])
def test_get_devices_bad_input(function):
    for keyword in ("backend", "device_type"):
        with pytest.raises(ValueError, match=keyword):
            function(**{keyword: "toaster"})
        for value in (4, None, ["all"]):
            with pytest.raises(TypeError, match=keyword):
                function(**{keyword: value})


@pytest.mark.parametrize("kind", ["cpu", "gpu", "accelerator"])
def test_select_by_type(kind):
    select = getattr(usm, f"select_{kind}_device")
    if usm.get_num_devices(device_type=kind):
        assert select() in usm.get_devices(device_type=kind)
        return
    with pytest.raises(usm.SyclDeviceCreationError, match=kind):
        select()
    # Without such a device, each object raises its own error.
    with pytest.raises(usm.SyclDeviceCreationError):
        usm.SyclDevice(kind)
    with pytest.raises(usm.SyclQueueCreationError):
        usm.SyclQueue(kind)
    with pytest.raises(usm.SyclContextCreationError):
        usm.SyclContext(kind)
    with pytest.raises(usm.SyclDeviceCreationError):
        usm.Device.create_device(kind)


def test_select_with_aspects(device):
    present = [name for name in ASPECTS if getattr(device, f"has_aspect_{name}")]
    absent = [name for name in ASPECTS if name not in present]
    found = usm.select_device_with_aspects(present, absent)
    assert all(getattr(found, f"has_aspect_{name}") for name in present)
    assert not any(getattr(found, f"has_aspect_{name}") for name in absent)
    assert usm.select_device_with_aspects(present[0]).has_aspect_cpu in (True, False)
    assert usm.select_device_with_aspects([]) == usm.SyclDevice()
    with pytest.raises(usm.SyclDeviceCreationError, match=present[0]):
        usm.select_device_with_aspects(present[0], excluded_aspects=present[0])


def test_select_with_aspects_bad_input():
    for word in ("toaster", ["fp64", "toaster"]):
        with pytest.raises(ValueError, match="toaster"):
            usm.select_device_with_aspects(word)
    with pytest.raises(ValueError, match="excluded_aspects"):
        usm.select_device_with_aspects("fp64", ["toaster"])
    for junk in (1, None, [1], {"fp64": 1}):
        with pytest.raises(TypeError, match="required_aspects"):
            usm.select_device_with_aspects(junk)


# --- sub-devices ---------------------------------------------------------------------------------


def test_sub_devices(device, sub_devices):
    assert len(sub_devices) == device.max_compute_units
    for part in sub_devices:
        assert part.max_compute_units == 1
        assert part.parent_device == device
        assert part.get_unpartitioned_parent_device() == device
        assert part.get_device_id() == device.get_device_id()
        assert part.sycl_platform == device.sycl_platform
        assert part != device
        with pytest.raises(ValueError, match="sub-device"):
            part.filter_string  # noqa: B018
        with pytest.raises(ValueError, match="sub-device"):
            part.get_filter_string(include_backend=False)
        part.print_device_info()
        assert usm.SyclDevice(part._get_capsule()) == part
    assert len(set(sub_devices)) == len(sub_devices)


def test_root_device_has_no_parent(device):
    assert device.parent_device is None
    assert device.get_unpartitioned_parent_device() == device


def test_sub_devices_by_counts(device, sub_devices):
    if device.max_compute_units < 2:
        pytest.skip("the device has one compute unit")
    for counts in ([1, 1], (1, 1)):
        parts = device.create_sub_devices(partition=counts)
        assert [part.max_compute_units for part in parts] == list(counts)
    assert len(device.create_sub_devices(np.int64(1))) == device.max_compute_units


def test_impossible_partitions(device):
    units = device.max_compute_units
    for partition in (units * 2, [units, units], [units * 2]):
        with pytest.raises(usm.SyclSubDeviceCreationError):
            device.create_sub_devices(partition=partition)


@pytest.mark.parametrize(
    "domain", ["numa", *(f"L{i}_cache" for i in (1, 2, 3, 4)), "next_partitionable"]
)
def test_partitions_by_affinity(device, domain):
    try:
        parts = device.create_sub_devices(partition=domain)
    except usm.SyclSubDeviceCreationError:
        return
    assert all(part.parent_device == device for part in parts)


def test_bad_partitions(device):
    for partition in (0, -1, [0, 1], [1, 0], [], (), "toaster", "", "not_applicable"):
        with pytest.raises(ValueError, match="partition"):
            device.create_sub_devices(partition=partition)
    for partition in (1.5, None, {}, [1.5], ["numa"], b"numa"):
        with pytest.raises(TypeError, match="partition"):
            device.create_sub_devices(partition=partition)
    with pytest.raises(TypeError):
        device.create_sub_devices()


# --- Device and the device keyword ---------------------------------------------------------------


def test_device_has_no_constructor(queue):
    for arguments in ((), (queue,), ("cpu",)):
        with pytest.raises(TypeError, match="create_device"):
            usm.Device(*arguments)


def test_create_device(device, queue):
    from_queue = usm.Device.create_device(queue)
    assert from_queue.sycl_queue == queue
    assert from_queue.sycl_device == device
    assert from_queue.sycl_context == queue.sycl_context
    assert usm.Device.create_device(from_queue) == from_queue
    assert usm.Device.create_device(device) == from_queue
    assert usm.Device.create_device(device.filter_string) == from_queue
    assert usm.Device.create_device((14, device.get_device_id())) == from_queue
    assert usm.Device.create_device() == usm.Device.create_device(None) == usm.SyclDevice()
    from_queue.wait()


def test_device_equality_and_hash(device, queue):
    default = usm.Device.create_device(device)
    own_queue = usm.SyclQueue(device)
    own = usm.Device.create_device(own_queue)
    assert default == device
    assert hash(default) == hash(device)
    assert {device: 1}[default] == 1
    assert default == queue
    assert own == own_queue
    assert own != device
    assert own != default
    assert own != queue
    assert hash(own) == hash(usm.Device.create_device(own_queue))
    assert default != "cpu"
    assert default != 14


def test_device_printing(device, capsys):
    shown = usm.Device.create_device(device)
    shown.print_device_info()
    assert device.name in capsys.readouterr().out
    assert repr(shown) == f"Device({device.filter_string})"


def test_device_of_a_sub_device(sub_devices):
    part = usm.Device.create_device(sub_devices[0])
    assert part.sycl_device == sub_devices[0]
    assert part == sub_devices[0]
    assert "Device(" in repr(part)


def test_device_from_dpctl(device, dpctl):
    theirs = dpctl.SyclQueue(device.filter_string)
    assert usm.SyclQueue(usm.Device.create_device(theirs).sycl_queue) == usm.SyclQueue(theirs)
    assert usm.Device.create_device(dpctl.SyclDevice(device.filter_string)) == device


@pytest.mark.parametrize(
    "create",
    [
        usm.Device.create_device,
        lambda device: normalize_queue("f", device, None),
    ],
    ids=["create_device", "keyword"],
)
def test_create_device_bad_input(create):
    for junk in (1, 1.5, [], {}, b"cpu", object(), np.zeros(1)):
        with pytest.raises(TypeError, match="device is of type"):
            create(junk)
    with pytest.raises(usm.SyclDeviceCreationError):
        create("cpu:999")
    for pair in ((14, 999), (14, -1), (1, 0), (14,), (14, 0, 0), (14, "0"), ()):
        with pytest.raises(ValueError, match="device is"):
            create(pair)


def test_keywords(device, queue):
    default = usm.get_device_cached_queue(usm.SyclDevice())
    own = usm.SyclQueue(device)
    assert normalize_queue("f", None, None) is default
    assert normalize_queue("f", None, own) is own
    assert normalize_queue("f", own, own) is own
    assert normalize_queue("f", usm.Device.create_device(own), own) is own
    assert normalize_queue("f", device, None) is queue
    assert normalize_queue("f", device.filter_string, None) is queue
    with pytest.raises(TypeError, match=r"f: .*different"):
        normalize_queue("f", queue, own)
    with pytest.raises(TypeError, match=r"f: .*different"):
        normalize_queue("f", device, own)
    for junk in ("cpu", device, 1, usm.Device.create_device()):
        with pytest.raises(TypeError, match="f: sycl_queue"):
            normalize_queue("f", None, junk)
    with pytest.raises(TypeError, match="f: device"):
        normalize_queue("f", 3, own)


# --- threads -------------------------------------------------------------------------------------


def test_selection_from_many_threads(device):
    found = []

    def select():
        for _ in range(20):
            found.append((usm.SyclDevice(device.filter_string), len(usm.get_devices())))

    threads = [threading.Thread(target=select) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(found) == {(device, usm.get_num_devices())}
