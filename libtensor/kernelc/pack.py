"""Compile the kernels of one family with kernelc, and pack them for embedding."""

import argparse
import itertools
import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

# Kernels of equal size resemble each other, so they are compressed together, in pieces that take
# less than a millisecond to unpack.
CONTENT_SIZE = 1 << 18
HEADER, PART, ENTRY = 4, 20, 4  # bytes, of a header and an entry without their parts


def pack(source, folder, ptx):
    """The bytes of a pack. libtensor/runtime/kernel_pack.cpp reads them."""
    names = re.findall(r"^USMTENSOR_KERNEL\((\w+),", source, re.MULTILINE)
    if not names:
        raise RuntimeError("the source contains no kernel")
    data = bytearray(HEADER + PART + (ENTRY + 2 * PART) * len(names))

    def store_text(text):
        offset = len(data)
        data.extend(text.encode() + b"\0")
        return struct.pack("<I", offset)

    def store(contents, by_words=False):
        """Compress several contents together, and return the `Part` of each."""
        whole, stream = b"".join(contents), len(data)
        # SPIR-V is words of small numbers: by bytes of equal weight it takes a third less.
        order = b"".join(whole[k::4] for k in range(4)) if by_words else whole
        data.extend(zlib.compress(order, 9))
        ends = itertools.accumulate(map(len, contents))
        return [
            struct.pack("<5I", stream, len(data) - stream, len(whole), end - len(one), len(one))
            for one, end in zip(contents, ends, strict=True)
        ]

    entries = {name: store_text(name) for name in names}
    for suffix in ("spv", "ptx") if ptx else ("spv",):
        files = {name: (folder / f"{name}.{suffix}").read_bytes() for name in names}
        files = dict(sorted(files.items(), key=lambda item: (len(item[1]), item[0])))
        ends = itertools.accumulate(map(len, files.values()))
        places = dict(zip(files, ends, strict=True))
        for _, group in itertools.groupby(files, lambda name, at=places: at[name] // CONTENT_SIZE):
            together = list(group)
            parts = store([files[k] for k in together], by_words=suffix == "spv")
            for name, part in zip(together, parts, strict=True):
                entries[name] += part
    head = (
        struct.pack("<I", len(names))
        + store([source.encode()])[0]
        + b"".join(entry.ljust(ENTRY + 2 * PART, b"\0") for entry in entries.values())
    )
    data[: len(head)] = head
    return data


def environment(libraries):
    """The caller's environment, but only variables set here configure the SYCL runtime."""
    prefixes = ("SYCL_", "UR_", "ONEAPI_", "OCL_", "CL_", "IGC_", "OPENCL_")
    variables = {k: v for k, v in os.environ.items() if not k.startswith(prefixes)}
    variables["OCL_ICD_FILENAMES"] = str(libraries / "libintelocl.so")
    variables["ONEAPI_DEVICE_SELECTOR"] = "opencl:cpu"
    path = [str(libraries), os.environ.get("LD_LIBRARY_PATH")]
    variables["LD_LIBRARY_PATH"] = ":".join(filter(None, path))
    # The compilers allocate a lot of memory: large pages save a tenth of the time.
    variables.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    return variables


def compile_family(kernelc, source, libraries, output, ptx, options):
    def run(*words):
        command = [str(word) for word in (kernelc, *words, *options)]
        result = subprocess.run(
            command, env=environment(libraries), stderr=subprocess.PIPE, text=True, check=False
        )
        if result.returncode:
            raise RuntimeError(result.stderr or f"kernelc exited with code {result.returncode}")

    with tempfile.TemporaryDirectory() as folder:
        run(source, folder, "-DUSMTENSOR_CPU")
        if ptx:
            run("--ptx", source, folder)
        output.write_bytes(pack(source.read_text(encoding="utf-8"), Path(folder), ptx))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernelc", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, required=True, help="folder of the SYCL runtime")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--ptx", action="store_true", help="also compile for NVIDIA GPUs")
    parser.add_argument("options", nargs="*", help="options of the kernel compiler, after --")
    options = parser.parse_args()
    if " " in str(options.libraries):  # the driver cuts its own path at a space
        sys.exit(
            "usmtensor: the build needs the OpenCL CPU driver, which works only in a path without "
            f"spaces, got {options.libraries}: build with isolation, or in a virtual environment "
            "in another folder"
        )
    try:
        compile_family(**vars(options))
    except RuntimeError as error:
        sys.exit(f"usmtensor: {options.source.name}: {error}")


if __name__ == "__main__":
    main()
