"""Properties of `SyclDevice`: one row for each, with its type and docstring.

The native tables in `libtensor/runtime/device.cpp` have a row with the same name for each property
and each aspect.
"""

_VECTOR_TYPES = ("char", "short", "int", "long", "float", "double", "half")

# The value is None if a backend does not support the query.
INFO = {
    "name": "str: The name of the device.",
    "vendor": "str: The vendor of the device.",
    "driver_version": "str: The version of the driver.",
    "max_compute_units": "int: The number of parallel compute units.",
    "max_work_item_dims": "int: The number of dimensions of an iteration space.",
    "max_work_item_sizes": "tuple[int, ...]: The old name of `max_work_item_sizes3d`.",
    "max_work_item_sizes1d": "tuple[int]: Largest work-group extents in 1 dimension.",
    "max_work_item_sizes2d": "tuple[int, int]: Largest work-group extents in 2 dimensions.",
    "max_work_item_sizes3d": "tuple[int, int, int]: Largest work-group extents in 3 dimensions.",
    "max_work_group_size": "int: The maximum number of work-items in a work-group.",
    "max_num_sub_groups": "int: The maximum number of sub-groups in a work-group.",
    "sub_group_sizes": "list[int]: The sub-group sizes, in work-items.",
    "sub_group_independent_forward_progress": (
        "bool: True if the sub-groups of a work-group progress independently."
    ),
    "max_clock_frequency": "int: The highest clock frequency in MHz; 0 if unknown.",
    "max_mem_alloc_size": "int: The largest single allocation in bytes.",
    "global_mem_size": "int: The size of global memory in bytes.",
    "local_mem_size": "int: The size of a work-group's local memory in bytes.",
    "global_mem_cache_size": "int: The size of the global memory cache in bytes.",
    "global_mem_cache_line_size": "int: The size of a line of the global memory cache in bytes.",
    "partition_max_sub_devices": "int: The maximum number of sub-devices of the device.",
    "profiling_timer_resolution": "int: The resolution of the device's timer in nanoseconds.",
    "max_read_image_args": "int: The maximum number of images that a kernel can read.",
    "max_write_image_args": "int: The maximum number of images that a kernel can write.",
    "image_2d_max_width": "int: The largest width of a 2-d image in pixels.",
    "image_2d_max_height": "int: The largest height of a 2-d image in pixels.",
    "image_3d_max_width": "int: The largest width of a 3-d image in pixels.",
    "image_3d_max_height": "int: The largest height of a 3-d image in pixels.",
    "image_3d_max_depth": "int: The largest depth of a 3-d image in pixels.",
    **{
        f"{prefix}_vector_width_{type_}": f"int: The {prefix} vector width for C type {type_}, "
        "in elements; 0 if the device lacks the type."
        for prefix in ("preferred", "native")
        for type_ in _VECTOR_TYPES
    },
}

ASPECTS = {
    "cpu": "is a CPU",
    "gpu": "is a GPU",
    "accelerator": "is an accelerator",
    "custom": "is a custom device",
    "fp16": "computes in half precision",
    "fp64": "computes in double precision",
    "atomic64": "has 64-bit atomic operations",
    "image": "has images",
    "online_compiler": "compiles kernels at run time",
    "online_linker": "links kernels at run time",
    "queue_profiling": "supports profiling of queues",
    "usm_device_allocations": "has USM of device kind",
    "usm_host_allocations": "has USM of host kind",
    "usm_shared_allocations": "has USM of shared kind",
    "usm_system_allocations": "can access any host memory",
    "usm_atomic_host_allocations": "has atomic operations on USM of host kind",
    "usm_atomic_shared_allocations": "has atomic operations on USM of shared kind",
    "host_debuggable": "can be debugged with the host's debugger",
    "emulated": "is emulated",
}

PROPERTIES = {
    **INFO,
    **{f"has_aspect_{name}": f"bool: True if the device {text}." for name, text in ASPECTS.items()},
    **{
        f"is_{name}": f"bool: True if the device {ASPECTS[name]}."
        for name in ("cpu", "gpu", "accelerator")
    },
}
