"""Compile the kernels of one family with kernelc, part by part, and pack them for embedding."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def environment(libraries):
    """The caller's environment, in which only the variables set here steer the SYCL runtime."""
    steering = ("SYCL_", "UR_", "ONEAPI_", "OCL_", "CL_", "IGC_", "OPENCL_")
    variables = {k: v for k, v in os.environ.items() if not k.startswith(steering)}
    variables["OCL_ICD_FILENAMES"] = str(libraries / "libintelocl.so")
    variables["ONEAPI_DEVICE_SELECTOR"] = "opencl:cpu"
    path = [str(libraries), os.environ.get("LD_LIBRARY_PATH")]
    variables["LD_LIBRARY_PATH"] = ":".join(filter(None, path))
    # The compilers fill much fresh memory: in large pages they take a tenth less time.
    variables.setdefault("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1")
    return variables


def compile_family(kernelc, source, libraries, output, ptx, options):
    parts = set(re.findall(r"USMTENSOR_PART == (\d+)", source.read_text(encoding="utf-8")))
    variables = environment(libraries)

    def run(*words):
        command = [str(word) for word in (kernelc, *words)]
        done = subprocess.run(
            command, env=variables, stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stderr or f"kernelc ended with {done.returncode}")

    with (
        tempfile.TemporaryDirectory() as folder,
        concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool,
    ):

        def compile_part(part):
            run(source, folder, *options, f"-DUSMTENSOR_PART={part}")
            if ptx:
                run("--ptx", source, folder, *options, f"-DUSMTENSOR_PART={part}")

        list(pool.map(compile_part, parts))  # raises the first error
        run("--pack", source, folder, output)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernelc", type=Path, required=True)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, required=True, help="where the runtime lies")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--ptx", action="store_true", help="compile for NVIDIA's GPUs as well")
    parser.add_argument("options", nargs="*", help="of the kernel compiler, after --")
    options = parser.parse_args()
    if " " in str(options.libraries):  # where it takes its own path to end
        sys.exit(
            "usmtensor: the OpenCL driver of the CPU, which compiles kernels, works only in a path "
            f"without spaces, not in {options.libraries}: build with isolation, or in a virtual "
            "environment in another folder"
        )
    try:
        compile_family(**vars(options))
    except RuntimeError as error:
        sys.exit(f"usmtensor: {options.source.name}: {error}")


if __name__ == "__main__":
    main()
