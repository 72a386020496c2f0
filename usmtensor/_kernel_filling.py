"""Compiling the kernels of the package ahead, into the cache on disk."""

import concurrent.futures
import multiprocessing
import os
import re

import usmtensor as usm
from usmtensor import _kernels

# Loops that the plan of a launch chooses for no CPU, and for no other device.
_NOT_ON_CPUS = "grid|squares|teams|turns|groups|columns|patches"
_ON_CPUS = "rows|tile|choice|panels"


def _make_kernel(device, place):
    """In a process of its own. Returns the error, if there is one."""
    queue = usm.get_device_cached_queue(usm.SyclDevice(device))
    try:
        _kernels.make_kernel(queue, place)
    except usm.SyclError as error:  # such as double precision on a device without it
        return str(error)


def fill(pattern, device):
    """Compile the kernels whose names hold a pattern, by a process per core: a process compiles
    one kernel at a time."""
    device = usm.SyclDevice(device) if device else usm.SyclDevice()
    unused = re.compile(f"_({_NOT_ON_CPUS if device.is_cpu else _ON_CPUS})(_[a-z]+[0-9]+)+$")
    names = enumerate(_kernels.kernel_names())
    places = [k for k, name in names if pattern.search(name) and not unused.search(name)]
    cores = len(os.sched_getaffinity(0))
    print(f"{len(places)} kernels for {device.name}, by {cores} processes", flush=True)
    failed = []
    with concurrent.futures.ProcessPoolExecutor(
        cores, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        devices = [device.filter_string] * len(places)
        for done, error in enumerate(pool.map(_make_kernel, devices, places), 1):
            failed += [error] if error else []
            if done % 100 == 0 or done == len(places):
                print(f"{done} of {len(places)}", flush=True)
    if failed:
        print(f"{len(failed)} do not compile for this device. The first: {failed[0]}")
