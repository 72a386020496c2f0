"""Compile the kernels of one family with kernelc, and pack them for embedding.

A pack, little-endian (libtensor/runtime/kernel_pack.cpp reads it):
  header   "USMK", format version, kernel count, dictionary offset and size,
           source offset, packed size and size
  index    per kernel, in the order of the source: name offset, module offset, packed size, size
  data     names (NUL-terminated), dictionary, source, modules
Offsets count from the start. Modules are LZ4 blocks over the dictionary, each readable by itself;
the source is an LZ4 block without one.
"""

import argparse
import concurrent.futures
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import lz4.block

VERSION = 1
DICTIONARY = 64 * 1024  # what an LZ4 match can reach


def environment(libraries):
    """The caller's environment, where nothing steers the SYCL runtime but what is set here."""
    steering = ("SYCL_", "UR_", "ONEAPI_", "OCL_", "CL_", "OPENCL_")
    variables = {k: v for k, v in os.environ.items() if not k.startswith(steering)}
    variables["OCL_ICD_FILENAMES"] = str(libraries / "libintelocl.so")
    variables["ONEAPI_DEVICE_SELECTOR"] = "opencl:cpu"
    # The CPU device's own code is thrown away here, so it need not be good.
    variables["SYCL_PROGRAM_COMPILE_OPTIONS"] = "-cl-opt-disable"
    path = [str(libraries), os.environ.get("LD_LIBRARY_PATH")]
    variables["LD_LIBRARY_PATH"] = ":".join(filter(None, path))
    return variables


def compile_part(kernelc, source, output, options, variables):
    """The {name: module} of one run of kernelc."""
    command = [str(kernelc), str(source), str(output), *options]
    done = subprocess.run(command, env=variables, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr or f"kernelc ended with {done.returncode}")
    data = output.read_bytes()
    modules, at = {}, 0
    while at < len(data):
        name_size, size = struct.unpack_from("<II", data, at)
        start = at + 8 + name_size
        modules[data[at + 8 : start].decode()] = data[start : start + size]
        at = start + size
    return modules


def compile_family(kernelc, source, libraries, options):
    text = source.read_text(encoding="utf-8")
    parts = set(re.findall(r"USMTENSOR_PART == (\d+)", text))
    variables = environment(libraries)
    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool,
    ):

        def run(part):
            defined = [*options, f"-DUSMTENSOR_PART={part}"]
            return compile_part(kernelc, source, Path(folder, part), defined, variables).items()

        modules = dict(module for found in pool.map(run, parts) for module in found)
    order = re.findall(r"^USMTENSOR_KERNEL\((\w+),", text, re.MULTILINE)
    return {name: modules[name] for name in order}


def choose_dictionary(modules):
    """Whole modules spread evenly over the family, as many as fit."""
    candidates = [modules[name] for name in sorted(modules)]  # kernels of all loops
    count = max(1, DICTIONARY * len(candidates) // sum(map(len, candidates)))
    step = max(1, len(candidates) // count)
    return b"".join(candidates[step // 2 :: step])[-DICTIONARY:]


def compress(data, dictionary=b""):
    return lz4.block.compress(
        data, mode="high_compression", compression=12, store_size=False, dict=dictionary
    )


def pack(modules, source):
    dictionary = choose_dictionary(modules)
    header, entry = struct.Struct("<4s7I"), struct.Struct("<4I")
    data = bytearray()
    base = header.size + entry.size * len(modules)

    def append(piece):
        data.extend(piece)
        return base + len(data) - len(piece)

    names = [append(name.encode() + b"\0") for name in modules]
    packed_source = compress(source)
    head = header.pack(
        b"USMK",
        VERSION,
        len(modules),
        append(dictionary),
        len(dictionary),
        append(packed_source),
        len(packed_source),
        len(source),
    )
    index = bytearray()
    for name, module in zip(names, modules.values(), strict=True):
        packed = compress(module, dictionary)
        index += entry.pack(name, append(packed), len(packed), len(module))
    return head + index + data


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernelc", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, required=True, help="where the runtime lies")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("options", nargs="*", help="of the kernel compiler, after --")
    options = parser.parse_args()
    if " " in str(options.libraries):  # where it takes its own path to end
        sys.exit(
            "usmtensor: the OpenCL driver of the CPU, which compiles kernels, works only in a path "
            f"without spaces, not in {options.libraries}: build with isolation, or in a virtual "
            "environment in another folder"
        )
    try:
        modules = compile_family(
            options.kernelc, options.source, options.libraries, options.options
        )
    except RuntimeError as error:
        sys.exit(f"usmtensor: {options.source.name}: {error}")
    if not modules:
        sys.exit(f"usmtensor: {options.source.name} holds no kernel")
    options.output.write_bytes(pack(modules, options.source.read_bytes()))


if __name__ == "__main__":
    main()
