"""Contexts."""

import subprocess
import sys

import pytest

import usmtensor as usm

pytestmark = pytest.mark.any_memory


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


RESIDENT = """
import gc, os, sys
import usmtensor as usm

device = usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)

def resident():
    "Bytes in memory."
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def use(make):
    "A context with a queue, on which a kernel has run."
    context = usm.SyclContext(device)
    x = usm.ones(8, sycl_queue=make(context, device))
    assert float((x + x)[0]) == 2

def growth(make, count):
    for _ in range(max(count // 10, 10)):
        use(make)
    before = resident()
    for _ in range(count):
        use(make)
    return (resident() - before) / count
"""


@pytest.mark.tier("device")  # the queue of each runs a kernel
@pytest.mark.parametrize(
    "make", ["usm.SyclQueue", "lambda *place: usm.get_device_cached_queue(place)"]
)
@pytest.mark.quirk("context-leak", "opencl-calls")
def test_contexts_leave_no_memory(device, make):
    # Other backends compile a kernel from source in each context, which takes a second.
    count = 400 if device.backend == usm.backend_type.opencl else 20
    code = f"{RESIDENT}\nprint(growth({make}, {count}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    # The OpenCL CPU driver keeps some 22 KB of a context whose queue ran a command.
    assert float(done.stdout) < 50_000


def test_refused_allocations_leave_no_memory():
    code = f"""{RESIDENT}
def refused():
    try:
        usm.empty(2**50, dtype="i1", device=device)
    except usm.USMAllocationError:
        return
    sys.exit("granted")

for count in (100, 500):
    before = resident()
    for _ in range(count):
        refused()
print((resident() - before) / count)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 2000
