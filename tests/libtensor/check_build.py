"""The errors of a build that lacks a requirement, and the files that are rebuilt after a change."""

import argparse
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
KERNELC = SOURCE / "libtensor/kernelc"


def failure(*command, **variables):
    """Run a command that must fail, and return its output."""
    done = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode != 0, done.stdout
    return " ".join(done.stdout.split())


class Missing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def find_runtime(self, *flags, **variables):
        return failure(sys.executable, *flags, KERNELC / "find_runtime.py", **variables)

    def pack(self, kernelc, libraries):
        source = self.folder / "empty.cpp"
        source.touch()
        return failure(
            *(sys.executable, KERNELC / "pack.py", "--kernelc", kernelc, "--source", source),
            *("--libraries", libraries, "--output", self.folder / "empty.pack"),
        )

    def test_runtime(self):
        output = self.find_runtime("-I", "-S")
        self.assertIn("no SYCL runtime in the build environment", output)
        self.assertIn("install the version of dpcpp-cpp-rt", output)

    def wheel(self, *files):
        """A runtime wheel that lists these files."""
        info = self.folder / "intel_sycl_rt-2026.2.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: intel-sycl-rt\nVersion: 1\n")
        for file in files:
            (self.folder / file).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / file).touch()
        (info / "RECORD").write_text("".join(f"{file},,\n" for file in files))

    def test_headers(self):
        self.wheel("lib/libsycl.so.9")
        self.assertIn("has no SYCL headers", self.find_runtime(PYTHONPATH=str(self.folder)))

    def test_library(self):
        self.wheel("include/sycl/sycl.hpp")
        self.assertIn("has no libsycl.so", self.find_runtime(PYTHONPATH=str(self.folder)))

    def test_cpu_device(self):
        output = self.pack(options.kernelc, self.folder)
        self.assertIn("no OpenCL CPU device", output)
        self.assertIn("intel-opencl-rt", output)

    def test_path_with_a_space(self):
        output = self.pack(options.kernelc, self.folder / "a folder")
        self.assertIn("works only in a path without spaces", output)

    def test_kernel_compiler(self):
        # The whole runtime except one library.
        libraries = self.folder / "lib"
        libraries.mkdir()
        for file in options.libraries.iterdir():
            if not file.name.startswith("libsycl-jit"):
                (libraries / file.name).symlink_to(file)
        loader = self.folder / "kernelc"
        loader.write_text(
            "#!/bin/sh\n"
            "exec /lib64/ld-linux-x86-64.so.2 --inhibit-rpath '' "
            f'--library-path "{libraries}" "{options.kernelc}" "$@"\n'
        )
        loader.chmod(0o755)
        self.assertIn("no kernel compiler", self.pack(loader, options.libraries))

    def configure(self, *flags):
        return failure(options.cmake, "-S", SOURCE, "-B", self.folder, "-G", "Ninja", *flags)

    def test_cxx_compiler(self):
        output = self.configure("-DCMAKE_CXX_COMPILER=none-such")
        self.assertIn("CMAKE_CXX_COMPILER", output)

    def test_platform(self):
        output = self.configure("-DCMAKE_SYSTEM_NAME=Haiku", "-DCMAKE_SYSTEM_PROCESSOR=riscv64")
        self.assertIn("usmtensor builds on Linux x86-64 with glibc 2.28 or newer", output)
        self.assertIn("not on Haiku riscv64", output)


class Rebuild(unittest.TestCase):
    def generated(self, *flags):
        """Return the families whose source a build generates; with `-n` nothing is built."""
        families = ("cast", "fill")
        targets = [f"libtensor/kernels/{family}.cpp" for family in families]
        command = [options.cmake, "--build", options.build, "--target", *targets, "--", *flags]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return {family for family in families if f"Generating {family} " in output}

    def test_a_header_rebuilds_only_its_families(self):
        self.generated()
        self.assertEqual(self.generated("-n"), set())
        for header, expected in {
            "fill.hpp": {"fill"},
            "convert.hpp": {"cast"},
            "loops.hpp": {"cast", "fill"},
        }.items():
            file = SOURCE / "libtensor/kernels" / header
            before = file.stat()
            try:
                file.touch()
                self.assertEqual(self.generated("-n"), expected, header)
            finally:
                os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernelc", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("--cmake", type=Path, required=True)
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    unittest.main(argv=sys.argv[:1])
