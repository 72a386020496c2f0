"""Print `include;lib;libsycl` of the SYCL runtime wheels installed for this interpreter."""

import importlib.metadata
import re
import sys
from pathlib import Path


def main() -> str:
    try:
        files = importlib.metadata.files("intel-sycl-rt") or []
    except importlib.metadata.PackageNotFoundError:
        sys.exit(
            "usmtensor: no SYCL runtime in the build environment: install the version of "
            "dpcpp-cpp-rt that pyproject.toml requires"
        )
    library = header = None
    for file in files:
        if file.name == "sycl.hpp" and file.parent.name == "sycl":
            header = Path(file.locate()).resolve()
        elif re.fullmatch(r"libsycl\.so\.\d+", file.name):
            library = Path(file.locate()).resolve().parent / file.name
    if not header or not header.exists():
        sys.exit("usmtensor: intel-sycl-rt in the build environment has no SYCL headers")
    if not library or not library.exists():
        sys.exit("usmtensor: intel-sycl-rt in the build environment has no libsycl.so")
    return f"{header.parent.parent};{library.parent};{library}"


if __name__ == "__main__":
    print(main())
