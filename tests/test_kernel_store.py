"""The origins of kernels: memory, disk, the compile thread, the source. Cases start processes."""

import ctypes
import json
import os
import subprocess
import sys
import time

import pytest

import usmtensor as usm

pytestmark = [pytest.mark.any_memory, pytest.mark.tier("device")]  # commands reach a queue

START = """
import json, os, sys, threading, time
import numpy as np
import usmtensor as usm
from usmtensor import _hooks

queue = usm.get_device_cached_queue(
    usm.SyclDevice(os.environ.get("USMTENSOR_TEST_DEVICE") or None)
)

def cast(target, source="i4"):
    "Uses one kernel."
    x = usm.asarray(np.arange(5, dtype=source), sycl_queue=queue)
    assert usm.asnumpy(usm.astype(x, target)).tolist() == [0, 1, 2, 3, 4]

def report():
    print(json.dumps(_hooks.kernel_statistics()))
"""

# Root may write anywhere; without this capability root is like other users.
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1


def without_override():
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)


class Processes:
    """Processes that share a cache folder."""

    def __init__(self, folder, kernels=""):
        self.folder = folder
        self.kernels = kernels

    def start(self, code, *, arguments=None, preexec_fn=None, **variables):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("USMTENSOR_")}
        if "USMTENSOR_TEST_DEVICE" in os.environ:
            environment["USMTENSOR_TEST_DEVICE"] = os.environ["USMTENSOR_TEST_DEVICE"]
        environment["USMTENSOR_CACHE_DIR"] = str(self.folder)
        environment["USMTENSOR_KERNELS"] = self.kernels
        environment["USMTENSOR_TIER"] = "device"
        environment.update({name: str(value) for name, value in variables.items()})
        return subprocess.Popen(
            [sys.executable, *(arguments or ["-c", START + code])],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=preexec_fn,
        )

    def output(self, process, timeout=120):
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            process.kill()
        assert process.returncode == 0, err
        assert err == ""
        return out

    def run(self, code, **options):
        return self.output(self.start(code, **options))

    def use(self, *targets, **options):
        """The statistics of a process that casts to each of these."""
        code = "".join(f"cast({target!r})\n" for target in targets) + "report()"
        return json.loads(self.run(code, **options))

    def files(self):
        return sorted(self.folder.iterdir())

    def only_file(self):
        (file,) = self.files()
        return file


@pytest.fixture
def processes(tmp_path, queue):
    if queue.backend != usm.backend_type.opencl:
        pytest.skip("only OpenCL takes SPIR-V in a binary of a driver")
    return Processes(tmp_path / "cache")


def statistics(disk=0, jit=0, source=0, bad=0):
    return {"disk": disk, "jit": jit, "source": source, "bad": bad}


# --- the disk ------------------------------------------------------------------------------------


LITTLE_MEMORY = """
import resource
cast("f4")
with open("/proc/self/statm") as statm:
    used = int(statm.read().split()[0]) * resource.getpagesize()
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
kernel = usm.ElementwiseKernel("T x", "T y", "y = x + 1")
x = usm.full(1000, 3, dtype="f4", sycl_queue=queue)
for function in (usm.tan, kernel, usm.fuse(lambda x: x * 3)):
    resource.setrlimit(resource.RLIMIT_AS, (used + (8 << 20), hard))
    try:
        function(x)
    except usm.USMAllocationError as error:
        assert "cannot load the kernel" in str(error)
    else:
        raise AssertionError("the kernel was loaded")
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
    function(x)
"""


@pytest.mark.unsanitized("the sanitizers reserve address space")
@pytest.mark.quirk("compiler-memory")
def test_a_compiler_without_memory(processes):
    """A kernel that does not fit is an error, and the next call loads it; from disk, too."""
    processes.run(LITTLE_MEMORY)
    processes.run(LITTLE_MEMORY)


@pytest.mark.quirk("opencl-calls")
def test_hit_after_miss(processes):
    assert processes.use("f4", "i2") == statistics(jit=2)
    assert len(processes.files()) == 2
    assert processes.use("f4", "i2", "f4") == statistics(disk=2)


def test_only_the_owner_reads(processes):
    processes.use("f4")
    assert processes.folder.stat().st_mode & 0o777 == 0o700
    assert processes.only_file().stat().st_mode & 0o777 == 0o600


def test_usual_folder(processes, tmp_path):
    for variables, folder in (
        ({"XDG_CACHE_HOME": tmp_path / "xdg"}, "xdg/usmtensor"),
        ({"XDG_CACHE_HOME": "relative", "HOME": tmp_path / "home"}, "home/.cache/usmtensor"),
    ):
        processes.use("f4", USMTENSOR_CACHE_DIR="", **variables)
        assert len(list((tmp_path / folder).iterdir())) == 1


def flip(data):
    return data[:-100] + bytes([data[-100] ^ 1]) + data[-99:]


DAMAGES = [
    lambda data: b"",
    lambda data: data[:32],  # the header
    lambda data: data[: len(data) // 2],
    lambda data: data[:-1],
    lambda data: data + b"\0",
    flip,
    lambda data: data[:4] + b"\xff" + data[5:],  # another format
    lambda data: data[:8] + b"\xff" * 16 + data[24:],  # other sizes
    lambda data: os.urandom(len(data)),  # a foreign file
]


def test_damaged(processes):
    targets = ("f4", "i1", "u1", "i2", "u2", "u4", "i8", "u8", "c8")
    processes.use(*targets)
    files = processes.files()
    for file, damage in zip(files, DAMAGES, strict=True):
        file.write_bytes(damage(file.read_bytes()))
    found = statistics(jit=len(files), bad=len(files))
    assert processes.use(*targets) == found
    assert processes.use(*targets) == statistics(disk=len(files))  # they were replaced


def test_of_another_kernel(processes):
    processes.use("f4")
    first = processes.only_file()
    processes.use("i2")
    (second,) = set(processes.files()) - {first}
    second.write_bytes(first.read_bytes())
    assert processes.use("i2", "f4") == statistics(disk=1, jit=1, bad=1)


def fnv(data, value=0xCBF29CE484222325):
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def rewrite(file, change):
    """Changes the binary in a file, which stays valid."""
    data = file.read_bytes()
    key_size = int.from_bytes(data[8:16], "little")
    key, binary = data[32 : 32 + key_size], change(data[32 + key_size :])
    sums = len(binary).to_bytes(8, "little") + fnv(binary, fnv(key)).to_bytes(8, "little")
    file.write_bytes(data[:16] + sums + key + binary)


def test_refused_by_the_driver(processes):
    processes.use("f4")
    rewrite(processes.only_file(), lambda binary: binary[:1000])
    assert processes.use("f4") == statistics(jit=1, bad=1)


def test_refused_by_request(processes):
    processes.use("f4", "i2")
    code = "_hooks.fail('load', 1)\ncast('f4')\ncast('i2')\nreport()"
    assert json.loads(processes.run(code)) == statistics(disk=1, jit=1, bad=1)
    assert processes.use("f4", "i2") == statistics(disk=2)


@pytest.mark.quirk("recompiled-binaries")
def test_other_settings_of_the_driver_are_another_key(processes):
    processes.use("f4")
    assert processes.use("f4", CL_CONFIG_CPU_VECTORIZER_MODE="1") == statistics(jit=1)
    assert len(processes.files()) == 2


def test_other_kinds_of_files(processes):
    processes.use("f4")
    file = processes.only_file()
    for make in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)):
        file.unlink()
        make(file)
        assert processes.use("f4") == statistics(jit=1, bad=1)
        if file.is_dir():
            file.rmdir()
            file.touch()


def test_read_only_folder(processes):
    processes.use("f4")
    processes.folder.chmod(0o500)
    options = {"preexec_fn": without_override}
    assert processes.use("f4", "i2", **options) == statistics(disk=1, jit=1)
    assert len(processes.files()) == 1
    processes.folder.chmod(0o700)


@pytest.mark.parametrize("place", ["/dev/null/cache", "/proc/cache"])
def test_folder_that_cannot_be(processes, place):
    assert processes.use("f4", USMTENSOR_CACHE_DIR=place) == statistics(jit=1)


def test_folder_that_others_can_write(processes):
    processes.use("f4")
    for mode in (0o770, 0o707, 0o777):
        processes.folder.chmod(mode)
        assert processes.use("f4", "i2") == statistics(jit=2)
        assert len(processes.files()) == 1
        printed = processes.run("", arguments=["-m", "usmtensor", "cache"])
        assert "is not used: another user" in printed


def test_file_that_others_can_write(processes):
    processes.use("f4")
    for mode in (0o620, 0o602, 0o666):
        processes.only_file().chmod(mode)
        assert processes.use("f4") == statistics(jit=1, bad=1)
        assert processes.only_file().stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("target", ["folder", "file"])
def test_of_another_user(processes, target):
    processes.use("f4")
    os.chown(processes.folder if target == "folder" else processes.only_file(), 12345, -1)
    assert processes.use("f4") == statistics(jit=1, bad=int(target == "file"))


def test_the_least_recently_used_go(processes):
    made = []
    for target in ("f4", "i2", "u2", "c8"):
        processes.use(target)
        made += set(processes.files()) - set(made)
    for age, file in zip((4, 3, 2, 1), made, strict=True):
        os.utime(file, (time.time() - 3600 * age,) * 2)
    limit = sum(file.stat().st_size for file in made) + 1000
    # The oldest is used; a fifth has no room.
    found = processes.use("f4", "u1", USMTENSOR_CACHE_SIZE=limit / 2**20)
    assert found == statistics(disk=1, jit=1)
    left = set(processes.files())
    assert sum(file.stat().st_size for file in left) <= limit
    assert made[0] in left
    assert made[1] not in left
    assert made[3] in left
    assert len(left - set(made)) == 1


def test_abandoned_files_go(processes):
    processes.use("f4")
    file = processes.only_file()
    old, new = (file.with_name(f"{file.name}.{n}.0.tmp") for n in (1, 2))
    for draft in (old, new):
        draft.write_bytes(b"half")
    os.utime(old, (time.time() - 86400,) * 2)
    processes.use("i2")
    assert not old.exists()
    assert new.exists()


def test_nothing_fits(processes):
    assert processes.use("f4", USMTENSOR_CACHE_SIZE=0) == statistics(jit=1)
    assert not processes.folder.exists()


def test_off(processes):
    processes.use("f4")
    assert processes.use("f4", "i2", USMTENSOR_CACHE=0) == statistics(jit=2)
    assert len(processes.files()) == 1


def test_processes_at_once(processes):
    targets = ("f4", "i2", "u2")
    code = "".join(f"cast({target!r})\n" for target in targets) + "report()"
    running = [processes.start(code) for _ in range(8)]
    for process in running:
        found = json.loads(processes.output(process))
        assert found["disk"] + found["jit"] == len(targets)
        assert found["bad"] == 0
    assert [file.suffix for file in processes.files()] == [".kernel"] * len(targets)
    assert processes.use(*targets) == statistics(disk=len(targets))


def test_command_line(processes):
    show = ["-m", "usmtensor", "cache"]
    assert processes.run("", arguments=show).startswith("0 kernels")
    processes.use("f4", "i2")
    foreign = processes.folder / "notes.txt"
    foreign.touch()
    printed = processes.run("", arguments=show)
    assert printed.startswith("2 kernels, 0.0 of 256 MiB")
    assert str(processes.folder) in printed
    printed = processes.run("", arguments=[*show, "--clear"])
    assert printed == f"2 kernels deleted in {processes.folder}\n"
    assert processes.files() == [foreign]


def test_command_line_fills_the_cache(processes):
    fill = ["-m", "usmtensor", "cache", "--fill"]
    device = os.environ.get("USMTENSOR_TEST_DEVICE", "")
    pattern = "^cast_(contiguous|grid)_[iu].*_(f4|i2)$"
    arguments = [*fill, pattern, *(["--device", device] if device else [])]
    printed = processes.run("", arguments=arguments).splitlines()
    count = len(processes.files())
    assert count > 10
    assert printed[0].startswith(f"{count} kernels for ")
    assert printed[1:-1] == [f"{count} of {count}"]
    assert printed[-1].startswith(f"{count} kernels, ")
    assert processes.use("f4", "i2") == statistics(disk=2)
    with pytest.raises(AssertionError):  # the exit status
        processes.run("", arguments=[*fill, "^no kernel$"])
    with pytest.raises(AssertionError):
        processes.run("", arguments=[*fill, "a", "--device", "no device"])
    with pytest.raises(AssertionError, match="is not a regular expression: unterminated"):
        processes.run("", arguments=[*fill, "["])
    with pytest.raises(AssertionError, match="not allowed with argument --fill"):
        processes.run("", arguments=[*fill, "a", "--clear"])
    with pytest.raises(AssertionError, match="--device is for --fill"):
        processes.run("", arguments=[*fill[:-1], "--device", "cpu"])


# Of each family one kernel, and one of complex numbers.
FAMILIES = """
    copy_transpose_tiles_w4_w4 cast_strided_choice_w8_w4 fill_contiguous_w4 linear_range_f4
    add_contiguous_f4_f4_f4 isnan_contiguous_f4_b1 bitwise_and_contiguous_w4_w4_w4
    floor_to_round_strided_choice_w4_w4 exp_contiguous_f4_f4 sin_contiguous_f4_f4
    gather_strided_w4_i8_u1_w4 positions_partition_b1_i8_i8 sum_inner_axis_f4_f4
    arg_extreme_inner_axis_f4_i8 cumulative_sum_inner_axis_f4_f4_f4
    sort_rows_partition_w4_w4_u8_w4 search_sorted_partition_w4_w4_w4_i8
    count_bins_partition_i8_i8 matmul_gemm_panels_f4_f4_f4 normal_partition_f4
    multiply_contiguous_c8_c8_c8
"""


def test_kernels_of_every_family_compile_from_source(processes, device):
    if not device.is_cpu:
        pytest.skip("other devices have other loops")
    names = FAMILIES.split()
    arguments = ["-m", "usmtensor", "cache", "--fill", f"^({'|'.join(names)})$"]
    printed = processes.run("", arguments=arguments, USMTENSOR_KERNELS="source")
    assert printed.startswith(f"{len(names)} kernels for "), printed
    assert len(processes.files()) == len(names), printed


def test_command_line_with_the_cache_off(processes):
    printed = processes.run("", arguments=["-m", "usmtensor", "cache"], USMTENSOR_CACHE=0)
    assert "is not used: USMTENSOR_CACHE=0" in printed


# --- loading in the background -------------------------------------------------------------------


MANY_CASTS = """
types = ["f4", "f8", "i2", "i8", "u2", "u4"]
given = np.arange(1 << 20, dtype="i4") % 100
x = usm.asarray(given, sycl_queue=queue)

def cast_to_all():
    "How many casts the host does."
    queue.wait()
    before = _hooks.host_commands()
    results = [usm.astype(x, to) for to in types]
    count = _hooks.host_commands() - before
    assert all((usm.asnumpy(y) == given).all() for y in results)
    return count
"""


@pytest.fixture
def filled(processes, device):
    """Processes that find the kernels of `MANY_CASTS` on disk, on a device with two tiers."""
    if not device.is_cpu:
        pytest.skip("the host does the work of CPUs alone")
    processes.run(MANY_CASTS + "cast_to_all()\nusm.astype(x, 'i1')")
    return processes


def test_no_first_call_waits_for_the_driver(filled):
    """The host runs short work, while the driver loads the binary in the background."""
    code = """
print(cast_to_all())
deadline = time.monotonic() + 60
while cast_to_all():
    assert time.monotonic() < deadline
    time.sleep(0.01)
print(_hooks.kernel_statistics()["jit"])
"""
    assert filled.run(MANY_CASTS + code, USMTENSOR_TIER="auto").split() == ["6", "0"]


def test_a_kernel_in_need_is_loaded_once_and_at_once(filled):
    """Although it waited in the background, behind the compilation of another kernel."""
    code = """
slow = usm.ElementwiseKernel("T x", "T y", "y = T(sin(float(x)))", "slow")
thread = threading.Thread(target=slow, args=(x[:10],))
thread.start()
time.sleep(0.02)  # it compiles
[usm.astype(x, to) for to in types]
_hooks.force_tier("device")
[usm.astype(x, to) for to in types]
report()
thread.join()
_hooks.force_tier("auto")
queue.wait()
usm.astype(x, "i1")  # loaded behind all others
deadline = time.monotonic() + 60
while _hooks.kernel_statistics()["disk"] == 6:
    assert time.monotonic() < deadline
    time.sleep(0.01)
report()
"""
    before, after = filled.run(MANY_CASTS + code, USMTENSOR_TIER="auto").splitlines()
    assert json.loads(before) == statistics(disk=6)
    assert json.loads(after) == statistics(disk=7, source=1)


def test_long_work_waits_for_a_kernel_that_is_being_loaded(filled):
    code = """
long = usm.asarray(np.full(1 << 20, 1j, dtype="c8"), sycl_queue=queue)
queue.wait()
before = _hooks.host_commands()
usm.exp(long[:20000])
usm.exp(long)
queue.wait()
print(_hooks.host_commands() - before, _hooks.kernel_statistics()["disk"])
"""
    assert filled.run(code) == "0 0\n"
    assert filled.run(code, USMTENSOR_TIER="auto") == "1 1\n"


def test_end_while_kernels_are_loaded(filled):
    for code in ("usm.astype(x, 'f4')", "[usm.astype(x, to) for to in types]"):
        assert filled.run(MANY_CASTS + code, USMTENSOR_TIER="auto") == ""


def test_kernels_outlive_queues(processes):
    """Of the default context; others end with their last queue."""
    code = """
import json, usmtensor as usm
from usmtensor import _hooks
device = usm.select_default_device()
context = usm.SyclContext(device)
for place in 3 * [(device,)] + 2 * [(context, device)]:
    queue = usm.SyclQueue(*place)
    usm.asnumpy(usm.full(3, 1, dtype="i4", sycl_queue=queue))
    del queue
print(json.dumps(_hooks.kernel_statistics()))
"""
    processes.run("", arguments=["-c", code])  # writes the kernel to disk, which takes a while
    found = json.loads(processes.run("", arguments=["-c", code]))
    assert found == statistics(disk=3)


@pytest.mark.quirk("cold-compiler")
def test_the_compiler_warms_up_only_if_the_disk_has_no_kernels(processes):
    """A warm-up takes about 100 ms of processor time, with any other load."""
    code = "queue\nstart = time.process_time()\ntime.sleep(1)\nprint(time.process_time() - start)"
    assert float(processes.run(code)) > 0.04
    processes.use("f4")
    assert float(processes.run(code)) < 0.06


# --- compiling -----------------------------------------------------------------------------------


FIRST_CALL = """
x = usm.asarray(np.linspace(0, 1, 1 << 21, dtype="f4"), sycl_queue=queue)
before = _hooks.host_commands()
first = usm.exp(x)
on_the_host = _hooks.host_commands() - before
deadline = time.monotonic() + 60
while not _hooks.kernel_statistics()["jit"]:
    assert time.monotonic() < deadline
    time.sleep(0.01)
second = usm.exp(x)
print(on_the_host, _hooks.host_commands() - before, bool(usm.all(first == second)))
"""


def test_no_first_call_waits_for_the_compiler(processes, device):
    """The host runs the work if it may, while the device's kernel compiles in the background."""
    if not device.is_cpu:
        pytest.skip("the host does the work of CPUs alone")
    cold = {"USMTENSOR_CACHE": "0"}
    assert processes.run(FIRST_CALL, USMTENSOR_TIER="auto", **cold).split() == ["1", "1", "True"]
    assert processes.run(FIRST_CALL, USMTENSOR_TIER="device", **cold).split() == ["0", "0", "True"]


@pytest.mark.parametrize(
    ("work", "on_the_host"),
    [("y = usm.exp(x)", "1 True"), ("_hooks.late_copy(queue, y, x, 3)", "0 False")],
    ids=["short", "endless"],
)
def test_a_first_call_waits_for_short_work_before_it(work, on_the_host, processes, device):
    """The compiler would take longer. But nothing waits for work that may never end."""
    if not device.is_cpu:
        pytest.skip("the host does the work of CPUs alone")
    code = f"""
x, y = (usm.full(1 << 20, 2.0, dtype="f4", sycl_queue=queue) for _ in range(2))
_hooks.force_tier("device")
usm.exp(x)
queue.wait()
_hooks.force_tier("auto")
{work}
barrier, before = queue.submit_barrier(), _hooks.host_commands()
z = usm.sqrt(y)
print(_hooks.host_commands() - before,
      barrier.execution_status == usm.event_status_type.complete)
assert float(z[-1]) == float(usm.sqrt(y[-1]))
"""
    cold = {"USMTENSOR_TIER": "auto", "USMTENSOR_CACHE": "0"}
    assert processes.run(code, **cold).strip() == on_the_host


def test_long_work_waits_for_the_compiler(processes, device):
    """The host would take longer than the compilation and the device together."""
    if not device.is_cpu:
        pytest.skip("the host does the work of CPUs alone")
    code = """
x = usm.full(4_000_000, 1.5 + 0.5j, dtype="c8", sycl_queue=queue)
x.sycl_queue.wait()
before = _hooks.host_commands()
y = usm.pow(x, x)
print(_hooks.host_commands() - before)
"""
    assert processes.run(code, USMTENSOR_TIER="auto", USMTENSOR_CACHE="0").split() == ["0"]


def test_failed_compilation(processes):
    code = """
_hooks.fail("compile")
try:
    cast("f4")
except usm.SyclError as error:
    print(error)
cast("f4")
cast("i2")
report()
"""
    message, found = processes.run(code).splitlines()
    assert message.startswith("the kernel cast_contiguous_i4_f4 does not compile for ")
    assert json.loads(found) == statistics(jit=2)


@pytest.mark.parametrize("cache", [0, 1])
def test_first_use_from_many_threads(processes, cache):
    code = """
targets = ["f4", "i2", "u2", "i1"]
barrier = threading.Barrier(32)
failed = []

def work(first):
    try:
        barrier.wait()
        for k in range(len(targets)):
            cast(targets[(first + k) % len(targets)])
    except BaseException as error:
        failed.append(error)

threads = [threading.Thread(target=work, args=(k,)) for k in range(32)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not failed, failed
report()
"""
    process = processes.start(code, USMTENSOR_CACHE=cache)
    assert json.loads(processes.output(process, timeout=60)) == statistics(jit=4)
    process = processes.start(code, USMTENSOR_CACHE=cache)
    expected = statistics(disk=4) if cache else statistics(jit=4)
    assert json.loads(processes.output(process, timeout=60)) == expected


def test_failure_reaches_all_waiting_threads(processes):
    code = """
_hooks.fail("compile")
barrier = threading.Barrier(8)
failed = []

def work():
    barrier.wait()
    try:
        cast("f4")
    except usm.SyclError as error:
        failed.append(error)

threads = [threading.Thread(target=work) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert failed
cast("f4")
"""
    processes.run(code)


# --- the end of the process ----------------------------------------------------------------------

UNDER_WAY = """
def work():
    for target in ("f4", "i2", "u2", "i1", "u4", "i8", "u8", "f2"):
        cast(target)

threading.Thread(target=work, daemon=True).start()
time.sleep(float(sys.argv[1]))
"""


@pytest.mark.parametrize("delay", [0.01 * k for k in range(10)])
def test_exit_while_compiling(processes, delay):
    process = processes.start("", arguments=["-c", START + UNDER_WAY, str(delay)])
    assert processes.output(process, timeout=30) == ""


def test_exit_while_warming_up(processes):
    for _ in range(5):
        process = processes.start("", USMTENSOR_CACHE=0)
        assert processes.output(process, timeout=30) == ""


def test_use_at_exit(processes):
    code = """
import atexit
class Late:
    def __del__(self):
        cast("u2")
late = Late()
cast("f4")
atexit.register(cast, "i2")
"""
    # The first registered handler runs last, after usmtensor's.
    before = "import atexit\natexit.register(lambda: (cast('i8'), cast('u8')))\n"
    assert processes.run("", arguments=["-c", before + START + code]) == ""


# --- source mode ---------------------------------------------------------------------------------


@pytest.fixture
def source_mode(tmp_path):
    """Every backend takes source, not only OpenCL."""
    return Processes(tmp_path / "cache", kernels="source")


# A kernel of each loop and each family that other tests do not make from source.
SAMPLE = """
def same(x, expected):
    assert x.dtype == expected.dtype and x.shape == expected.shape
    assert (usm.asnumpy(x) == expected).all()

host = np.linspace(-3, 3, 96, dtype="f4").reshape(4, 4, 6)
x = usm.asarray(host, sycl_queue=queue)
same(usm.astype(x, "c8"), host.astype("c8"))
same(usm.astype(x, "f2"), host.astype("f2"))
same(usm.astype(x, "?"), host.astype("?"))
same(usm.copy(x[::-2]), host[::-2])
same(usm.copy(usm.permute_dims(x, (2, 1, 0)), order="C"), host.transpose(2, 1, 0))
many = usm.reshape(x, (2, 2, 2, 2, 2, 3))
same(usm.copy(usm.permute_dims(many, (5, 3, 1, 4, 2, 0)), order="C"),
     host.reshape(many.shape).transpose(5, 3, 1, 4, 2, 0))
y = usm.full((6, 5), 3, dtype="i2", sycl_queue=queue)
y[:, ::2] = 7
expected = np.full((6, 5), 3, "i2")
expected[:, ::2] = 7
same(y, expected)
_hooks.force_device_class(2)
same(usm.astype(x[:, ::-1], "i4"), host[:, ::-1].astype("i4"))
report()
"""


def test_source_mode(source_mode):
    found = json.loads(source_mode.run(SAMPLE))
    assert found == statistics(source=found["source"])
    assert found["source"] >= 7
    assert json.loads(source_mode.run(SAMPLE)) == statistics(disk=found["source"])


def test_settings_of_the_driver_in_source_mode(source_mode):
    source_mode.use("f4")
    assert source_mode.use("f4", CL_CONFIG_CPU_VECTORIZER_MODE="1") == statistics(source=1)


def test_damaged_in_source_mode(source_mode):
    """SYCL reads what it wrote, whole or not at all."""
    source_mode.use("f4")
    file = source_mode.only_file()
    rewrite(file, lambda binary: binary[: len(binary) // 2])
    assert source_mode.use("f4") == statistics(source=1, bad=1)
    assert source_mode.use("f4") == statistics(disk=1)
