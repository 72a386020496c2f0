"""Compiling the kernels of the package ahead, into the cache on disk."""

import concurrent.futures
import multiprocessing
import os
import re

from usmtensor._runtime.enums import backend_type
from usmtensor._runtime.errors import SyclError
from usmtensor._runtime.kernel_cache import kernel_names, make_kernel
from usmtensor._runtime.platform import SyclDevice
from usmtensor._runtime.queue import get_device_cached_queue

# Loops that the plan of a launch chooses for no CPU, and those that others replace elsewhere.
_NOT_ON_CPUS = (
    "grid", "transpose_groups", "work_groups", "grid_stride", "inner_axis_groups",
    "outer_axis_groups", "gemm_tiles", "gemv",
)  # fmt: skip
_INSTEAD = {
    "strided": ["grid"],
    "transpose_tiles": ["grid"],
    "contiguous": ["grid"],  # except on CUDA
    "gemm_panels": ["gemm_tiles"],
    "partition": ["grid_stride", "work_groups"],
}
_LOOPS = "|".join([*_NOT_ON_CPUS, *_INSTEAD, "strided_choice", "[a-z]+"])
_NAME = re.compile(rf"(.+?)_({_LOOPS})((?:_[a-z]+[0-9]+)+)$")  # function, loop, element types
_MOST_ON_A_GPU = 16  # processes, of which each has a context there


def _make(device, place):
    """In a process of its own. Returns the error, if there is one."""
    try:
        queue = get_device_cached_queue(SyclDevice(device))
        make_kernel(queue, place)
    except SyclError as error:  # such as double precision on a device without it
        return str(error)


def _used(names, device):
    """The places of the kernels that a device may use."""
    cuda, known = device.backend == backend_type.cuda, set(names)
    for place, name in enumerate(names):
        function, loop, types = _NAME.match(name).groups()
        if device.is_cpu:
            used = loop not in _NOT_ON_CPUS
        else:
            others = [] if cuda and loop == "contiguous" else _INSTEAD.get(loop, [])
            used = loop != "strided_choice" and not any(
                f"{function}_{x}{types}" in known for x in others
            )
        if used:
            yield place


def fill(pattern, device):
    """Compile the kernels whose names hold a pattern, by a process per core: a process compiles
    one kernel at a time. Returns whether there are such kernels, and one compiles."""
    device = SyclDevice(device)
    names = kernel_names()
    places = [place for place in _used(names, device) if pattern.search(names[place])]
    cores = min(len(os.sched_getaffinity(0)), len(places))
    workers = cores if device.is_cpu else min(cores, _MOST_ON_A_GPU)
    print(f"{len(places)} kernels for {device.name}, by {workers} processes", flush=True)
    if not places:
        return False
    failed = []
    with concurrent.futures.ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        devices = [device.filter_string] * len(places)
        for done, error in enumerate(pool.map(_make, devices, places), 1):
            failed += [error] if error else []
            if done % 100 == 0 or done == len(places):
                print(f"{done} of {len(places)}", flush=True)
    if failed:
        print(f"{len(failed)} do not compile for this device. The first: {failed[0]}")
    return len(failed) < len(places)
