"""Contexts."""

import pytest

import usmtensor as usm


def test_construction(device):
    for arg in (device, [device], (device,), device.filter_string):
        context = usm.SyclContext(arg)
        assert context.get_devices() == [device]
        assert context.device_count == 1
    assert usm.SyclContext().get_devices() == [usm.SyclDevice()]
    assert usm.SyclContext(None).get_devices() == [usm.SyclDevice()]


def test_identity(device):
    context = usm.SyclContext(device)
    assert usm.SyclContext(context) == context
    assert usm.SyclContext(device) != context
    assert hash(usm.SyclContext(context)) == hash(context)
    assert context != device
    assert len({context, usm.SyclContext(context), usm.SyclContext(device)}) == 2
    assert device.name in repr(context)
    assert context.addressof_ref() > 0


def test_sub_devices(sub_devices):
    context = usm.SyclContext(sub_devices)
    assert set(context.get_devices()) == set(sub_devices)
    assert context.device_count == len(sub_devices)


def test_devices_of_different_platforms(device):
    others = [d for d in usm.get_devices() if d.sycl_platform != device.sycl_platform]
    if not others:
        pytest.skip("there is one platform")
    with pytest.raises(usm.SyclContextCreationError):
        usm.SyclContext([device, others[0]])


def test_capsules(device):
    context = usm.SyclContext(device)
    capsule = context._get_capsule()
    assert usm.SyclContext(capsule) == usm.SyclContext(capsule) == context
    with pytest.raises(TypeError, match="SyclContextRef"):
        usm.SyclContext(usm.SyclQueue(device)._get_capsule())


def test_capsules_of_dpctl(device, dpctl):
    context = usm.SyclContext(device)
    theirs = dpctl.SyclContext(context._get_capsule())
    assert usm.SyclContext(theirs) == context
    assert usm.SyclContext(theirs._get_capsule()) == context
    assert theirs.device_count == 1


def test_bad_input(device):
    for text in ("cpu:999", "toaster", ""):
        with pytest.raises(usm.SyclContextCreationError, match="filter string"):
            usm.SyclContext(text)
    for junk in (1, 1.5, {}, b"cpu", object(), [], (), [1], [device, "cpu"], [device, None]):
        with pytest.raises(TypeError, match="SyclContext"):
            usm.SyclContext(junk)
    with pytest.raises(TypeError):
        usm.SyclContext(device, device)
