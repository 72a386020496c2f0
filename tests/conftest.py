"""Fixtures of all test files: the device of the suite, and the number of random examples.

`USMTENSOR_TEST_DEVICE` is a filter string, by default the default device. Tests assume no kind of
device and no optional feature: a test that needs a feature skips and names the missing aspect.
`HYPOTHESIS_PROFILE=thorough` takes 80 times as many random examples. `--quick` runs the files of
the basics alone, with few examples.
"""

import gc
import os

# OpenBLAS reads this variable when NumPy is imported, also in processes that tests start. By
# default its threads spin for a while after the import and after each product, and slow down other
# tests.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

import pytest
import sanitizers
from hypothesis import HealthCheck, settings

import usmtensor as usm

try:
    from usmtensor import _hooks
except ImportError:
    raise pytest.UsageError(
        "the tests need the module usmtensor._hooks, which wheels of releases lack: install the "
        "package from its source by `pip install .`"
    ) from None

# The first use compiles kernels, so examples have no time limit. Tests that reject operands, such
# as those for which the standard defines nothing, fail the check of filters by bad luck.
_common = {
    "deadline": None,
    "suppress_health_check": [
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
}
# Equal examples in every run: a change meets no fault of another one. `thorough` draws new ones.
settings.register_profile("default", max_examples=12, derandomize=True, **_common)
settings.register_profile("ci", max_examples=8, derandomize=True, **_common)
settings.register_profile("few", max_examples=5, derandomize=True, **_common)
settings.register_profile("thorough", max_examples=1000, **_common)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


# The files of `--quick`: one for most subjects that a user meets, which take seconds.
QUICK = {
    "array_function",
    "creation",
    "device",
    "dlpack",
    "elementwise",
    "indexing",
    "manipulation",
    "memory",
    "methods",
    "numpy",
    "print",
    "products",
    "reshape",
    "searching",
    "suai",
    "usm_ndarray",
}


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="run the tests of the basics alone")


def pytest_configure(config):
    if config.getoption("quick"):
        settings.load_profile("ci")


def pytest_ignore_collect(collection_path, config):
    if config.getoption("quick") and collection_path.suffix == ".py":
        return collection_path.stem.removeprefix("test_") not in QUICK or None
    return None


# `pytest -n auto` divides the files among at most eight processes. A process takes up to 3 GB of
# memory, and its device has a thread on each core already.
@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(1, min(8, len(os.sched_getaffinity(0)), memory // (3 << 30)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False  # by the number of tests, which tells little
    return LoadFileScheduling(config, log)


# The files whose tests take longest come first. Otherwise one process runs them at the end, while
# the others have no work.
LONG = {"examples", "instructions", "kernel_store", "large", "processes", "user_kernels"}


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.path.stem.removeprefix("test_") not in LONG)


def pytest_runtest_setup(item):
    mark = item.get_closest_marker("unsanitized")
    if mark and sanitizers.ADDRESS:
        pytest.skip(mark.args[0])


@pytest.fixture(scope="module", autouse=True)
def short_collections():
    """A collection of garbage looks at the objects of one test file. The imported modules and the
    other tests have so many that a collection would take half a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def tier(request, monkeypatch):
    """Forces the tier of the mark `tier`, also in processes that the test starts. Small commands
    would otherwise run on the host, and a test of device commands would test nothing."""
    mark = request.node.get_closest_marker("tier")
    if mark:
        monkeypatch.setenv("USMTENSOR_TIER", mark.args[0])
        _hooks.force_tier(mark.args[0])
    yield
    _hooks.force_tier("")


_hooks.watch_gate(True)


@pytest.fixture(autouse=True)
def no_thread_waits_with_the_gil():
    """A thread that may have to wait at the gate gives up the GIL before. A fork or an exit that
    closes the gate would otherwise stop all threads."""
    _hooks.entries_with_gil()  # of other modules
    yield
    stacks = _hooks.entries_with_gil()
    assert not stacks, f"threads entered the gate with the GIL:\n{stacks[0]}"


# The kernels that are made for CPUs, and for other devices, run on any device.
LOOPS = {"as the device is": 0, "for CPUs": 1, "for other devices": 2}
USM_KINDS = ["device", "shared", "host"]
# In discrete mode the host cannot reach device memory. What the kernels do, and the other kinds of
# memory, are not its subject.
if os.environ.get("USMTENSOR_DISCRETE") == "1":
    LOOPS = {"as the device is": 0}
    USM_KINDS = ["device"]


@pytest.fixture(params=LOOPS.values(), ids=LOOPS.keys())
def loops(request):
    _hooks.force_device_class(request.param)
    yield
    _hooks.force_device_class(0)


@pytest.fixture(scope="session")
def device():
    """The SyclDevice under test."""
    return usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)


@pytest.fixture(scope="session")
def queue(device):
    """The default queue of the device under test."""
    return usm.get_device_cached_queue(device)


@pytest.fixture(params=USM_KINDS)
def usm_kind(request, device):
    """Each kind of USM memory that the device has."""
    aspect = f"usm_{request.param}_allocations"
    if not getattr(device, f"has_aspect_{aspect}"):
        pytest.skip(f"the device lacks the aspect {aspect}")
    return request.param


@pytest.fixture(scope="session")
def sub_devices(device):
    """The device under test split into parts of one compute unit each."""
    try:
        return device.create_sub_devices(partition=1)
    except usm.SyclSubDeviceCreationError:
        pytest.skip("the device cannot be partitioned")


@pytest.fixture(scope="session")
def dpctl(device):
    """The dpctl package; it must see usmtensor's devices."""
    module = pytest.importorskip("dpctl")
    if module.get_num_devices() == 0:
        pytest.skip("dpctl sees no device")
    return module
