"""Write the table of the functions of elements, as libtensor and Python know them."""

import argparse
import json
from pathlib import Path

from operators import WIDE, read_operators, signatures_of

TYPES = ["b1", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]
TEXTS = ["name", "summary", "notes", "dunder"]
FLAGS = ["dpctl", "swapped", "default_float", "numeric"]
# What is done without a kernel: the input itself, or the same value everywhere.
WITHOUT_KERNEL = {"copy": "Signature::copy", "0": "Signature::zero", "1": "Signature::one"}


def table(groups, rows):
    """The definitions of ops/operators.hpp."""
    rows = {row["name"]: row for row in rows if "summary" in row}
    kernels, signatures, operators = [], [], []

    def kernel(name, inputs, output):
        wide = str(not WIDE.isdisjoint(inputs)).lower()
        entry = f'{{"{name}", "{"_".join([*inputs, output])}", {wide}}}'
        if entry not in kernels:
            kernels.append(entry)
        return kernels.index(entry)

    for row in rows.values():
        source = rows[row.get("swapped", row["name"])]
        entries = []
        for text in source["signatures"]:
            text, _, instead = text.partition(" = ")
            for (inputs, output), compiled in signatures_of(text, groups):
                number = WITHOUT_KERNEL[instead] if instead else kernel(source["name"], *compiled)
                if "swapped" in row:
                    inputs = inputs[::-1]
                codes = ", ".join(str(TYPES.index(t)) for t in inputs)
                entries.append(f"{{{{{codes}}}, {TYPES.index(output)}, {number}}}")
        signatures.append(
            f"static const Signature {row['name']}_signatures[] = {{\n    "
            + ",\n    ".join(entries)
            + "};\n"
        )
        texts = ", ".join(json.dumps(row.get(key, "")) for key in TEXTS)
        flags = ", ".join(str(key in row).lower() for key in FLAGS)
        operators.append(
            f"    {{{texts}, {len(inputs)}, {flags}, {row['name']}_signatures, {len(entries)}}},\n"
        )
    return (
        "// Written by the build from operators.toml.\n"
        '#include "ops/operators.hpp"\n\nnamespace usmtensor {\n\n'
        + "".join(signatures)
        + f"\nconst Operator operators[] = {{\n{''.join(operators)}}};\n"
        + f"const int operator_count = {len(operators)};\n\n"
        + "const ElementwiseKernel elementwise_kernels[] = {\n    "
        + ",\n    ".join(kernels)
        + f"}};\nconst int elementwise_kernel_count = {len(kernels)};\n\n"
        + "} // namespace usmtensor\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operators", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    options.output.write_text(table(*read_operators(options.operators)), encoding="utf-8")


if __name__ == "__main__":
    main()
