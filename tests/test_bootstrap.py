"""Finding the runtime and its driver. Each case has its own process, without variables.

The cases need the OpenCL CPU driver of the wheels, and skip without it.
"""

import mmap
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest

from usmtensor._runtime import bootstrap

DRIVER = bootstrap._find_driver()
pytestmark = [
    pytest.mark.any_memory,
    pytest.mark.skipif(DRIVER is None, reason="needs the OpenCL CPU driver of the wheels"),
    pytest.mark.unsanitized("its processes load libraries by their own variables"),
]

PREFIXES = ("OCL_ICD_", "ONEAPI_", "SYCL_", "UR_", "PYTHON", "LD_", "CL_CONFIG_", "OPENBLAS_")

MAPPED = """
def mapped(name):
    with open("/proc/self/maps") as maps:
        return sorted({line.split()[-1] for line in maps if name in line})
"""

C_GETENV = """
import ctypes
getenv = ctypes.CDLL(None).getenv
getenv.restype = ctypes.c_char_p
"""


@pytest.fixture
def python(tmp_path):
    """python(code, **variables): runs code with only these of the relevant variables."""

    def run(code, *, executable=sys.executable, arguments=None, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(PREFIXES)}
        environment.update({name: str(value) for name, value in variables.items()})
        return subprocess.run(
            [executable, *(arguments or ["-c", MAPPED + C_GETENV + code])],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    return run


def succeeded(result):
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


@pytest.fixture
def second_driver(tmp_path):
    """A second platform: a copy of the driver, with links to the files that it needs beside it."""
    folder = tmp_path / "driver"
    folder.mkdir()
    for file in pathlib.Path(DRIVER).parent.iterdir():
        (folder / file.name).symlink_to(file)
    copy = folder / pathlib.Path(DRIVER).name
    copy.unlink()
    shutil.copy(DRIVER, copy)
    return copy


COUNT = "import usmtensor; print(len(usmtensor.get_devices(device_type='cpu')))"


# --- the normal case -----------------------------------------------------------------------------


@pytest.mark.quirk("preload", "sonames")
def test_nothing_set(python):
    assert succeeded(python(COUNT)) == "1\n"


def test_import_asks_no_device(python):
    code = f"""
import usmtensor
assert mapped("libsycl.so")
assert not mapped("{bootstrap._DRIVER}"), "the import has loaded the driver"
usmtensor.SyclDevice("cpu")
assert mapped("{bootstrap._DRIVER}")
"""
    succeeded(python(code))


@pytest.mark.parametrize(
    "variables", [{}, {"OCL_ICD_FILENAMES": "/nonexistent/libother.so"}], ids=["unset", "set"]
)
def test_environment_stays_as_it_was(python, variables):
    code = """
import os
names = ("OCL_ICD_FILENAMES", "OCL_ICD_VENDORS", "ONEAPI_DEVICE_SELECTOR", "LD_LIBRARY_PATH")
before = dict(os.environ), [getenv(name.encode()) for name in names]
import usmtensor
assert before == (dict(os.environ), [getenv(name.encode()) for name in names])
assert usmtensor.get_num_devices(device_type="cpu") == 1
assert before == (dict(os.environ), [getenv(name.encode()) for name in names])
"""
    succeeded(python(code, **variables))


@pytest.mark.quirk("blas-threads")
def test_blas_threads_sleep_soon_after_a_product(python):
    code = """
import time
import usmtensor as usm
x = usm.ones((600, 600))
idle = []
for _ in range(5):
    x @ x
    time.sleep(0.003)
    start = time.process_time()  # of all threads
    time.sleep(0.015)
    idle.append(time.process_time() - start)
print(min(idle) < 0.004)
"""
    assert succeeded(python(code, USMTENSOR_LIBRARIES="numpy")) == "True\n"


def test_first_use_from_many_threads(python):
    code = """
import threading
import usmtensor
barrier = threading.Barrier(8)
found = []
def ask():
    barrier.wait()
    found.append(usmtensor.get_device_cached_queue(usmtensor.SyclDevice("cpu")))
threads = [threading.Thread(target=ask) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert len(found) == 8 and len(set(map(id, found))) == 1
assert getenv(b"OCL_ICD_FILENAMES") is None
"""
    succeeded(python(code))


def test_exit_with_pending_copies(python):
    code = """
import numpy, usmtensor
queue = usmtensor.SyclQueue("cpu")
for _ in range(4):
    queue.memcpy_async(numpy.empty(2**25, "u1"), numpy.empty(2**25, "u1"), 2**25)
"""
    succeeded(python(code))


# --- the user's settings -------------------------------------------------------------------------


def test_driver_named_by_the_user(python):
    assert succeeded(python(COUNT, OCL_ICD_FILENAMES=DRIVER)) == "1\n"


def test_driver_named_by_the_user_as_a_link(python, second_driver):
    second_driver.unlink()
    second_driver.symlink_to(DRIVER)
    assert succeeded(python(COUNT, OCL_ICD_FILENAMES=second_driver)) == "1\n"


@pytest.mark.parametrize("name", ["libother.so", pathlib.Path(DRIVER or "").name])
def test_missing_driver_named_by_the_user(python, name):
    assert succeeded(python(COUNT, OCL_ICD_FILENAMES=f"/nonexistent/{name}")) == "1\n"


def test_driver_named_between_import_and_first_use(python, second_driver):
    code = f"""
import os, usmtensor
os.environ["OCL_ICD_FILENAMES"] = "{second_driver}"
assert usmtensor.get_num_devices(device_type="cpu") == 1
assert mapped("{bootstrap._DRIVER}") == ["{second_driver}"]
assert os.environ["OCL_ICD_FILENAMES"] == "{second_driver}"
"""
    succeeded(python(code))


def test_second_platform(python, second_driver):
    code = """
import usmtensor
first, second = usmtensor.get_devices(device_type="cpu")
assert first != second and first.sycl_platform != second.sycl_platform
assert first.filter_string != second.filter_string
assert usmtensor.SyclDevice(second.filter_string) == second
assert [first.get_device_id(), second.get_device_id()] == [
    usmtensor.get_devices().index(first), usmtensor.get_devices().index(second)]
contexts = [usmtensor.get_device_cached_queue(d).sycl_context for d in (first, second)]
assert contexts[0] != contexts[1]
try:
    usmtensor.SyclContext([first, second])
except usmtensor.SyclContextCreationError:
    pass
else:
    raise AssertionError("a context of two platforms")
assert usmtensor.Device.create_device(second) != usmtensor.Device.create_device(first)
"""
    succeeded(python(code, OCL_ICD_FILENAMES=f"{DRIVER}:{second_driver}"))


SELECTOR = """
// Stands before the runtime's selector, and turns its preference round when it is told to, as the
// kernels that another library brings may do.
#include <cstdint>
extern "C" {
int turned = 0;
int _ZN4sycl3_V118default_selector_vERKNS0_6deviceE(const std::uintptr_t *device) {
  const int score = static_cast<int>(*device >> 4 & 0xfffffff);
  return turned ? 0xfffffff - score : score;
}
}
"""


@pytest.mark.quirk("device-scores")
def test_the_default_device_stays(python, second_driver, tmp_path):
    source, library = tmp_path / "selector.cpp", tmp_path / "libselector.so"
    source.write_text(SELECTOR)
    subprocess.run(["c++", "-shared", "-fPIC", source, "-o", library], check=True)
    code = f"""
import os, usmtensor as usm
first = usm.SyclDevice()
def answers():
    return [usm.SyclDevice(), usm.select_default_device(), usm.SyclDevice("cpu"),
            usm.SyclDevice("opencl"), usm.select_device_with_aspects("cpu"),
            usm.SyclQueue().sycl_device, usm.SyclContext().get_devices()[0],
            usm.Device.create_device(None).sycl_device, usm.ones(1).sycl_device,
            usm.get_device_cached_queue(usm.SyclDevice()).sycl_device]
def best():
    return max(usm.get_devices(), key=lambda device: device.default_selector_score)
assert len(usm.get_devices()) == 2 and best() == first
import ctypes
ctypes.c_int.in_dll(ctypes.CDLL("{library}"), "turned").value = 1
assert best() != first
assert [device == first for device in answers()] == [True] * 10
import warnings
warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads
child = os.fork()
if child == 0:
    os._exit(not all(device == first for device in answers()))
assert os.waitpid(child, 0)[1] == 0
"""
    drivers = f"{DRIVER}:{second_driver}"
    succeeded(python(code, OCL_ICD_FILENAMES=drivers, LD_PRELOAD=library))


def test_driver_installed_on_the_system(python, second_driver, tmp_path):
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    (vendors / "cpu.icd").write_text(f"{second_driver}\n")
    assert succeeded(python(COUNT, OCL_ICD_VENDORS=vendors)) == "1\n"


def test_broken_icd_file(python, tmp_path):
    (tmp_path / "cpu.icd").write_text(f"/nonexistent/{bootstrap._DRIVER}\n")
    (tmp_path / "binary.icd").write_bytes(b"\xff\xfe\x00")
    assert succeeded(python(COUNT, OCL_ICD_VENDORS=tmp_path)) == "1\n"


@pytest.mark.parametrize("selector", ["opencl:*", "opencl:cpu", "*:cpu", "!level_zero:*"])
def test_selector_that_admits_the_cpu(python, selector):
    assert succeeded(python(COUNT, ONEAPI_DEVICE_SELECTOR=selector)) == "1\n"


# --- errors and their messages -------------------------------------------------------------------

FOUND = "from usmtensor._runtime import bootstrap; bootstrap._find_driver = lambda: {!r}"
ERROR = """
import usmtensor
try:
    usmtensor.SyclDevice()
except usmtensor.SyclDeviceCreationError as error:
    first = str(error)
else:
    raise AssertionError("there is a device")
for select, kind in (
    (usmtensor.select_default_device, usmtensor.SyclDeviceCreationError),
    (lambda: usmtensor.SyclDevice("cpu"), usmtensor.SyclDeviceCreationError),
    (usmtensor.select_cpu_device, usmtensor.SyclDeviceCreationError),
    (lambda: usmtensor.SyclQueue(), usmtensor.SyclQueueCreationError),
    (lambda: usmtensor.SyclContext(), usmtensor.SyclContextCreationError),
    (lambda: usmtensor.Device.create_device(), usmtensor.SyclDeviceCreationError),
    (lambda: usmtensor.select_device_with_aspects("cpu"), usmtensor.SyclDeviceCreationError),
):
    try:
        select()
    except kind as error:
        assert usmtensor._runtime.bootstrap.diagnose() in str(error), error
    else:
        raise AssertionError("there is a device")
assert usmtensor.get_devices() == [] and not usmtensor.has_cpu_devices()
assert getenv(b"OCL_ICD_FILENAMES") is None
print(first)
"""


@pytest.mark.parametrize("selector", ["level_zero:*", "opencl:gpu", "cuda:*;hip:*"])
def test_selector_that_excludes_everything(python, selector):
    printed = succeeded(python(ERROR, ONEAPI_DEVICE_SELECTOR=selector))
    assert f"ONEAPI_DEVICE_SELECTOR={selector} excludes every device" in printed


def test_malformed_selector(python):
    code = """
import usmtensor
try:
    usmtensor.SyclDevice()
except usmtensor.SyclDeviceCreationError as error:
    print(error)
"""
    assert "ONEAPI_DEVICE_SELECTOR" in succeeded(python(code, ONEAPI_DEVICE_SELECTOR="toaster"))


@pytest.mark.quirk("path-with-space")
def test_driver_in_a_path_with_a_space(python, second_driver):
    # This driver would show a device that does not work.
    folder = second_driver.parent.rename(second_driver.parent.with_name("a driver"))
    driver = folder / second_driver.name
    printed = succeeded(python(FOUND.format(str(driver)) + ERROR))
    assert "without spaces" in printed
    assert str(driver) in printed


def test_no_driver(python):
    code = "from usmtensor._runtime import bootstrap; bootstrap._DRIVER = 'libabsent.so'" + ERROR
    printed = succeeded(python(code))
    assert "libabsent.so" in printed
    assert "pip install 'intel-opencl-rt" in printed


def test_driver_that_cannot_be_loaded(python, tmp_path):
    driver = tmp_path / bootstrap._DRIVER
    driver.write_text("a truncated file")
    printed = succeeded(python(FOUND.format(str(driver)) + ERROR))
    assert f"cannot be loaded ({driver}: " in printed
    assert "Another package" not in printed


def test_no_file_descriptor_for_the_driver(python):
    code = """
import os, resource
import usmtensor
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
try:
    while True: os.open("/dev/null", os.O_RDONLY)
except OSError: pass
"""
    code += "try: usmtensor.SyclDevice()\nexcept usmtensor.SyclError as error: print(error)"
    assert "Too many open files" in python(code).stdout  # the runtime writes to stderr


def test_no_file_descriptor_for_the_compiler(python):
    code = """
import os, resource
import usmtensor as usm
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
x, twice = usm.ones(3), usm.ElementwiseKernel("T x", "T y", "y = 2 * x", "twice")
files = []
try:
    while True: files.append(os.open("/dev/null", os.O_RDONLY))
except OSError: pass
for _ in range(2):
    try:
        twice(x)
    except usm.CompileError as error:
        assert "could not load its kernel compiler: " in str(error), error
        assert "Too many open files" in str(error), error
    else:
        raise AssertionError("a file could be opened")
    while files: os.close(files.pop())  # the runtime does not try again
"""
    succeeded(python(code, USMTENSOR_CACHE=0))


def test_no_device_in_the_self_check(python):
    result = python("", arguments=["-m", "usmtensor"], ONEAPI_DEVICE_SELECTOR="level_zero:*")
    assert result.returncode == 1
    assert "ONEAPI_DEVICE_SELECTOR=level_zero:* excludes" in result.stdout
    assert result.stderr == ""


def test_self_check(python):
    result = python("", arguments=["-m", "usmtensor"])
    assert "Everything works" in succeeded(result)
    assert "GB/s" in result.stdout
    result = python("", arguments=["-m", "usmtensor", "check", "cpu:999"])
    assert result.returncode == 1
    assert "cpu:999" in result.stdout


def test_a_reader_that_stops_early(tmp_path):
    shown = f"{sys.executable} -m usmtensor cache | true"
    result = subprocess.run(["bash", "-c", shown], cwd=tmp_path, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", "")


def test_import_from_an_archive(python, tmp_path):
    package = pathlib.Path(bootstrap.__file__).parents[1]
    archive = tmp_path / "usmtensor.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for module in package.rglob("*.py"):
            file.write(module, f"usmtensor/{module.relative_to(package)}")
        file.writestr("usmtensor/_version.py", "__version__ = ''")
    site = pathlib.Path(pytest.__file__).parent.parent
    code = f"import sys; sys.path[:0] = [{str(archive)!r}, {str(site)!r}]; import usmtensor"
    result = python("", arguments=["-S", "-c", code])
    assert result.returncode != 0
    assert f"cannot be imported from {archive}/usmtensor: its extension modules" in result.stderr


# Names of files may have bytes that are not UTF-8.
LATIN = os.fsdecode(b"caf\xe9")


def test_mapped_library_with_a_name_that_is_not_utf8(tmp_path):
    path = tmp_path / f"libtest-{LATIN}"
    path.write_bytes(b"text")
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ):
        assert bootstrap._mapped("libtest-") == str(path)
        assert bootstrap._mapped("libsycl.so") is not None


def test_icd_file_with_a_path_that_is_not_utf8(tmp_path):
    driver = tmp_path / LATIN / bootstrap._DRIVER
    driver.parent.mkdir()
    driver.touch()
    (tmp_path / "cpu.icd").write_bytes(os.fsencode(driver) + b"\n")
    assert bootstrap._named_by_icd_files(tmp_path)


def test_cache_in_a_folder_that_is_not_utf8(python, tmp_path):
    folder = tmp_path / LATIN
    for problem in (False, True):
        arguments = ["-m", "usmtensor", "cache"]
        variables = {"USMTENSOR_CACHE_DIR": folder, "PYTHONIOENCODING": "utf-8:strict"}
        printed = succeeded(python("", arguments=arguments, **variables))
        assert "caf\N{REPLACEMENT CHARACTER}" in printed
        assert ("is not used" in printed) == problem
        if not problem:
            shutil.rmtree(folder, ignore_errors=True)
            folder.write_text("no folder")


@pytest.mark.skipif(sys.prefix == sys.base_prefix, reason="needs a virtual environment")
def test_pip_target_leaves_the_libraries_out(python, tmp_path):
    # As `pip install --target` does: packages and metadata in one folder, without lib/.
    target = tmp_path / "target"
    target.mkdir()
    site = pathlib.Path(bootstrap.__file__).parents[2]
    for pattern in ("usmtensor", "numpy*", "intel_*.dist-info", "dpcpp*.dist-info"):
        for found in site.glob(pattern):
            (target / found.name).symlink_to(found)
    executable = pathlib.Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    result = python("import usmtensor", executable=str(executable), PYTHONPATH=target)
    assert result.returncode != 0
    assert "ImportError: usmtensor: the SYCL runtime" in result.stderr
    assert "pip install --target" in result.stderr


# --- beside dpctl --------------------------------------------------------------------------------


@pytest.fixture
def dpctl():
    pytest.importorskip("dpctl")


def test_dpctl_imported_first(python, dpctl):
    assert succeeded(python("import dpctl\n" + COUNT)) == "1\n"


def test_dpctl_imported_later(python, dpctl):
    code = """
import usmtensor
queue = usmtensor.SyclQueue("cpu")
import dpctl
assert dpctl.SyclQueue(queue._get_capsule()).sycl_device.is_cpu
assert dpctl.get_num_devices(device_type="cpu") == 1
assert len(mapped("libsycl.so")) == 1
"""
    succeeded(python(code))


@pytest.mark.quirk("one-query")
def test_dpctl_queries_first(python, dpctl):
    code = "import dpctl\nassert dpctl.get_num_devices() == 0\n"
    printed = succeeded(python(code + ERROR))
    assert "Another package queried" in printed
    assert f"OCL_ICD_FILENAMES={DRIVER}" in printed


def test_dpctl_queries_first_with_the_driver_named(python, dpctl):
    code = "import dpctl\nassert dpctl.get_num_devices() == 1\n"
    assert succeeded(python(code + COUNT, OCL_ICD_FILENAMES=DRIVER)) == "1\n"


# --- ocl-icd, which does not know OCL_ICD_FILENAMES ----------------------------------------------


@pytest.fixture
def foreign_loader(tmp_path, monkeypatch):
    """A process that has loaded another OpenCL loader; the system has no driver."""
    loader = tmp_path / "libOpenCL.so.1"
    loader.write_bytes(b"\0OCL_ICD_VENDORS\0")
    monkeypatch.setattr(bootstrap, "_mapped", lambda name: str(loader))
    monkeypatch.setattr(bootstrap, "_SYSTEM_VENDORS", str(tmp_path / "absent"))
    for name in ("OCL_ICD_FILENAMES", "OCL_ICD_VENDORS"):
        monkeypatch.delenv(name, raising=False)
    return loader


@pytest.mark.quirk("loader-variables")
def test_ocl_icd(foreign_loader):
    assert bootstrap.driver_variable() == ("OCL_ICD_VENDORS", DRIVER)


@pytest.mark.quirk("loader-variables")
def test_ocl_icd_keeps_the_drivers_of_the_system(foreign_loader, tmp_path, monkeypatch):
    vendors = tmp_path / "system"
    vendors.mkdir()
    (vendors / "gpu.icd").write_text("libgpu.so\n")
    monkeypatch.setattr(bootstrap, "_SYSTEM_VENDORS", str(vendors))
    name, value = bootstrap.driver_variable()
    assert name == "OCL_ICD_VENDORS"
    lines = {file.read_text().strip() for file in pathlib.Path(value).iterdir()}
    assert lines == {"libgpu.so", DRIVER}


def test_ocl_icd_with_vendors_of_the_user(foreign_loader, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", "/nonexistent")
    assert bootstrap.driver_variable() == ("", "")
    monkeypatch.setenv("OCL_ICD_VENDORS", DRIVER)
    assert bootstrap.driver_variable() == ("", "")


def test_khronos_loader_of_the_system(foreign_loader, monkeypatch):
    foreign_loader.write_bytes(b"\0OCL_ICD_FILENAMES\0")
    assert bootstrap.driver_variable() == ("OCL_ICD_FILENAMES", DRIVER)
    monkeypatch.setenv("OCL_ICD_FILENAMES", "/a.so")
    assert bootstrap.driver_variable() == ("OCL_ICD_FILENAMES", f"/a.so:{DRIVER}")
