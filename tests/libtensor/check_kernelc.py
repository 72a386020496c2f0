"""kernelc compiles scalar and pointer parameters, and refuses others with an error that names the
kernel. It compiles PTX for NVIDIA GPUs if the device library is installed.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

LIBTENSOR = Path(__file__).resolve().parents[2] / "libtensor"
sys.path.insert(0, str(LIBTENSOR / "kernelc"))
import generate  # noqa: E402
import pack  # noqa: E402

REFUSED = {
    "a_struct": "struct Two { long a, b; };\n"
    "USMTENSOR_KERNEL(a_struct, int32 *out, Two p) { *out = p.a; }",
    "a_half": "USMTENSOR_KERNEL(a_half, float32 *out, float16 x) { *out = x; }",
    "a_complex": "USMTENSOR_KERNEL(a_complex, float32 *out, complex64 z) { *out = z.real(); }",
    "a_reference": "USMTENSOR_KERNEL(a_reference, float32 *out, const float32 &x) { *out = x; }",
}
SUMMED = """#include <sycl/group_algorithm.hpp>
USMTENSOR_KERNEL(summed, uint32 *out) {
  *out = sycl::reduce_over_group(work_item().get_group(), *out, sycl::plus<uint32>());
}"""
PLAIN = "USMTENSOR_KERNEL(plain, int32 *out, int64 a, float64 b) { *out = a + b; }"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernelc", type=Path, required=True)
    parser.add_argument("--libraries", type=Path, required=True)
    parser.add_argument("options", nargs="+")
    options = parser.parse_args()
    head = generate.expand(LIBTENSOR / "kernels/kernel.hpp", [])
    head += "\nusing namespace usmtensor;\n"
    with tempfile.TemporaryDirectory(prefix="with space ") as folder:
        source = Path(folder, "kernels.cpp")

        def run(text, *words):
            source.write_text(head + text, encoding="utf-8")
            return subprocess.run(
                [options.kernelc, *words, source, folder, *options.options],
                env=pack.environment(options.libraries),
                capture_output=True,
                text=True,
                check=False,
            )

        done = run(PLAIN)
        assert done.returncode == 0, done.stderr
        for name, text in REFUSED.items():
            done = run(text)
            expected = f"kernel {name}: every parameter must be a pointer or an arithmetic scalar"
            assert done.returncode == 1 and expected in done.stderr, (name, done)

        done = run(PLAIN, "--ptx")
        if done.returncode:
            assert "does not compile to PTX" in done.stderr and "libspirv" in done.stderr, done
        else:
            text = Path(folder, "plain.ptx").read_text(encoding="utf-8")
            assert ".visible .entry __sycl_kernel_plain(" in text, text
            done = run(SUMMED, "--ptx")
            assert done.returncode == 0, done.stderr
            text = Path(folder, "summed.ptx").read_text(encoding="utf-8")
            assert ".visible .entry __sycl_kernel_summed(" in text, text
            assert "call.uni" not in text, "a function of the device's library is not inlined"


if __name__ == "__main__":
    main()
