"""Write the version script of libtensor in the build.

It exports the functions of libtensor that the .pyx and .pxd files declare.
"""

import re
import sys
from pathlib import Path

# Further functions, for the headers of usmtensor and the measuring code of tests/hooks.
OTHERS = ["current_error", "operator_count", "operators", "process_is_exiting", "return_to_pool",
          "counts", "settings", "submit_library", "gate_watch", "operand_locks",
          "BriefLock::are_free", "SpinLock::spin", "KernelTable::load",
          "PackedKernel::spirv"]  # fmt: skip
# Classes of which these headers use the constructors and destructors.
CLASSES = ["OperandLock", "OperandRanges", "DriverScope"]


def declared(text):
    for block in re.findall(r'^cdef extern from "(?:runtime|ops|layout)/.*\n((?: .*\n|\n)*)', text,
                            re.MULTILINE):  # fmt: skip
        yield from re.findall(
            r'(?:UNLOCKED|MAY_UNLOCK)(?:_IN_PLACE)?\((\w+)|usmtensor::(\w+)"\(|(\w+)\(', block
        )


def mangled(name):
    return "".join(f"{len(part)}{part}" for part in name.split("::"))


def main(output, *files):
    found = (names for file in files for names in declared(file.read_text()))
    names = sorted({*OTHERS, *map("".join, found)})
    patterns = [f"_ZN{const}9usmtensor{mangled(name)}{tag}E*;" for name in names
                for const in ("", "K") for tag in ("", "B5cxx11")]  # fmt: skip
    patterns += [f"_ZN9usmtensor{mangled(name)}{kind}*;" for name in CLASSES for kind in "CD"]
    text = "{ global:\n" + "\n".join(patterns) + "\nlocal: *; };\n"
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
