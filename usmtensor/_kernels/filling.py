"""Compiling the kernels of the package ahead of time, into the cache on disk."""

import concurrent.futures
import multiprocessing
import os
import re

from usmtensor._runtime.enums import backend_type
from usmtensor._runtime.errors import SyclError
from usmtensor._runtime.kernel_cache import kernel_names, make_kernel
from usmtensor._runtime.platform import SyclDevice
from usmtensor._runtime.queue import get_device_cached_queue

# Loops that launches never use on CPUs, and loops that launches never use on other devices.
_NOT_ON_CPUS = (
    "grid", "transpose_groups", "work_groups", "grid_stride", "inner_axis_teams",
    "inner_axis_groups", "outer_axis_groups", "gemm_tiles", "gemv",
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
_MAX_GPU_PROCESSES = 16  # each process has a context on the GPU


def _make(device, index):
    """Compile a kernel in a worker process. Return the error, or None."""
    try:
        queue = get_device_cached_queue(SyclDevice(device))
        make_kernel(queue, index)
    except SyclError as error:  # such as double precision on a device without it
        return str(error)


def _used(names, device):
    """Yield the indices of the kernels that a device may use."""
    cuda, known = device.backend == backend_type.cuda, set(names)
    for index, name in enumerate(names):
        function, loop, types = _NAME.match(name).groups()
        if device.is_cpu:
            used = loop not in _NOT_ON_CPUS
        else:
            others = [] if cuda and loop == "contiguous" else _INSTEAD.get(loop, [])
            used = loop != "strided_choice" and not any(
                f"{function}_{x}{types}" in known for x in others
            )
        if used:
            yield index


def fill(pattern, device):
    """Compile the kernels whose names match a pattern, with one process per core.

    Return True if there are such kernels and at least one compiles.
    """
    device = SyclDevice(device)
    names = kernel_names()
    indices = [k for k in _used(names, device) if pattern.search(names[k])]
    cores = min(len(os.sched_getaffinity(0)), len(indices))
    workers = cores if device.is_cpu else min(cores, _MAX_GPU_PROCESSES)
    print(f"{len(indices)} kernels for {device.name}, by {workers} processes", flush=True)
    if not indices:
        return False
    failed = []
    with concurrent.futures.ProcessPoolExecutor(
        workers, mp_context=multiprocessing.get_context("spawn")
    ) as pool:
        devices = [device.filter_string] * len(indices)
        for done, error in enumerate(pool.map(_make, devices, indices), 1):
            failed += [error] if error else []
            if done % 100 == 0 or done == len(indices):
                print(f"{done} of {len(indices)}", flush=True)
    if failed:
        print(f"{len(failed)} do not compile for this device. The first: {failed[0]}")
    return len(failed) < len(indices)
