"""`python -m usmtensor`: lists the devices and checks one, shows the cache of kernels, and prints
the flags for native code."""

import argparse
import os
import re
import shlex
import signal
import sys
import timeit

import numpy as np

import usmtensor as usm
from usmtensor._exchange import building as _building
from usmtensor._kernels import filling as _filling
from usmtensor._runtime import kernel_cache as _kernel_cache


def _gigabytes_per_second(nbytes, run, repeat=5):
    """Return the best bandwidth of a few runs, in GB/s (10^9 bytes)."""
    return nbytes / min(timeit.repeat(run, repeat=repeat, number=1)) / 1e9


def _list_platforms():
    for platform in usm.get_platforms():
        backend = platform.backend
        print(f"{platform.name} {platform.version} ({backend.name if backend else 'unknown'})")
        for device in platform.get_devices():
            print(
                f"    {device.filter_string:20} {device.name}, "
                f"{device.max_compute_units} compute units, "
                f"{device.global_mem_size / 2**30:.1f} GiB, driver {device.driver_version}"
            )
    print()


def _check_cast(queue):
    numbers = np.arange(-1000, 1000, dtype=np.int32)
    x = usm.asarray(numbers, sycl_queue=queue)
    np.testing.assert_array_equal(usm.asnumpy(usm.astype(x, "float32")), numbers)
    return f"{numbers.size} integers cast to floats, with NumPy's results"


def _check_function(queue):
    source = np.linspace(0, 1, 10_000_000, dtype=np.float32)
    x = usm.asarray(source, sycl_queue=queue)

    def run():
        result = usm.exp(x)
        queue.wait()
        return result

    expected = np.exp(source)
    np.testing.assert_allclose(usm.asnumpy(run()), expected, rtol=1e-6)
    times = [min(timeit.repeat(call, repeat=5, number=1)) for call in (run, lambda: np.exp(source))]
    ours, theirs = (f"{1e3 * time:.1f} ms" for time in times)
    return f"exp of {source.size} numbers in {ours}; NumPy takes {theirs}"


def _check_assignment(queue):
    nbytes = 2**26
    source = np.arange(nbytes // 4, dtype=np.uint32)
    x = usm.asarray(source, sycl_queue=queue)
    y = usm.empty_like(x)

    def assign():
        y[...] = x
        queue.wait()

    rate = _gigabytes_per_second(2 * nbytes, assign)
    np.testing.assert_array_equal(usm.asnumpy(y), source)
    return f"{nbytes >> 20} MiB copied on the device at {rate:.1f} GB/s read and written"


def _check_memcpy(queue):
    nbytes = 2**26
    source = np.arange(nbytes // 4, dtype=np.uint32)
    target = np.zeros_like(source)
    x = usm.empty(source.size, dtype="uint32", sycl_queue=queue)
    to_device = _gigabytes_per_second(nbytes, lambda: queue.memcpy(x, source, nbytes))
    from_device = _gigabytes_per_second(nbytes, lambda: queue.memcpy(target, x, nbytes))
    np.testing.assert_array_equal(target, source)
    return f"host to device {to_device:.1f} GB/s, device to host {from_device:.1f} GB/s"


_CHECKS = {"cast": _check_cast, "function": _check_function}
_CHECKS |= {"copy": _check_assignment, "transfer": _check_memcpy}


def check(arguments):
    """List the platforms and check a device. Returns the exit status."""
    print(f"usmtensor {getattr(usm, '__version__', '')}\n")
    try:
        usm.SyclDevice()  # raises an error with the reason if there is no device
        _list_platforms()
        queue = usm.get_device_cached_queue(usm.SyclDevice(arguments.device))
    except usm.SyclError as error:
        print(error)
        return 1
    print(f"Checking {queue.sycl_device.filter_string} ({queue.name})")
    failed = False
    for name, run in _CHECKS.items():
        try:
            outcome = run(queue)
        except Exception as error:  # continue with the other checks
            failed = True
            outcome = f"FAILED: {type(error).__name__}: {error}"
        print(f"    {name:10} {outcome}")
    print("\nSomething is wrong: see above." if failed else "\nEverything works.")
    return int(failed)


def cache(arguments):
    """Show the kernel cache, fill it, or clear it. Returns the exit status."""
    found = _kernel_cache.kernel_cache()
    folder = os.fsencode(found["folder"]).decode("utf-8", "replace")
    if found["problem"]:
        print(f"The kernel cache {folder} is not used: {found['problem']}.")
        return 1 if arguments.clear or arguments.fill is not None else 0
    if arguments.clear:
        print(f"{_kernel_cache.clear_kernel_cache()} kernels deleted in {folder}")
        return 0
    failed = False
    if arguments.fill is not None:
        try:
            failed = not _filling.fill(arguments.fill, arguments.device)
        except usm.SyclError as error:
            print(error)
            return 1
        found = _kernel_cache.kernel_cache()
    print(
        f"{found['files']} kernels, {found['bytes'] / 2**20:.1f} of "
        f"{found['limit'] / 2**20:g} MiB, in {folder}"
    )
    return int(failed)


def _pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from None


def flags(arguments):
    """Print the flags for a C++ compiler. Returns the exit status."""
    library = _building.sycl_runtime()[1]
    print(shlex.join([library] if arguments.link else _building.compile_flags()))
    return 0


def main(arguments=None):
    """Run a sub-command. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m usmtensor", description=__doc__)
    parser.set_defaults(run=check, device=None)
    commands = parser.add_subparsers(title="commands", metavar="")
    checking = commands.add_parser("check", help="list the devices and check one (the default)")
    checking.add_argument("device", nargs="?", help="a filter string such as opencl:cpu:0")
    caching = commands.add_parser("cache", help="show, fill or clear the cache of compiled kernels")
    change = caching.add_mutually_exclusive_group()
    change.add_argument("--clear", action="store_true", help="delete the compiled kernels")
    change.add_argument(
        "--fill",
        nargs="?",
        const=re.compile(""),
        type=_pattern,
        metavar="PATTERN",
        help="compile the kernels of the package, or those whose names hold a regular expression",
    )
    caching.add_argument("--device", help="a filter string, for --fill")
    caching.set_defaults(run=cache)
    building = commands.add_parser("flags", help="flags for a C++ compiler, to build native code")
    building.add_argument("--link", action="store_true", help="to link code that calls SYCL")
    building.set_defaults(run=flags)
    parsed = parser.parse_args(arguments)
    if parsed.run is cache and parsed.device and parsed.fill is None:
        caching.error("--device is for --fill")
    return parsed.run(parsed)


if __name__ == "__main__":
    signal.signal(
        signal.SIGPIPE, signal.SIG_DFL
    )  # so that a closed pipe such as `| head` ends the process silently
    sys.exit(main())
