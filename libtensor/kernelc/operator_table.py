"""Write the host's side of operators.toml: the table of the elementwise functions, and the kernels
with the arguments that they take."""

import argparse
import json
from pathlib import Path

from operators import ELEMENTWISE, WIDE, instantiations, parameters, read_operators, signatures_of

TEXTS = ["name", "summary", "notes", "dunder"]
FLAGS = ["dpctl", "swapped", "default_float", "numeric"]
# Results without a kernel: the input itself, or the same value everywhere.
WITHOUT_KERNEL = {"copy": "Signature::copy", "0": "Signature::zero", "1": "Signature::one"}
TYPES = {"i4": "std::int32_t", "i8": "std::int64_t", "u8": "std::uint64_t"}


def commas(items):
    return ", ".join(map(str, items))


def cost_of(row, inputs):
    """What an element takes of a core, in picoseconds: complex numbers are computed one by one."""
    types = {"f2": 4, "f8": 3, "c8": 60, "c16": 60}
    return row["cost"] * max(types.get(t, 1) for t in inputs)


def operator_table(groups, rows):
    """The definitions of ops/operators.hpp."""
    rows = {row["name"]: row for row in rows if "summary" in row}
    signatures, operators = [], []
    for row in rows.values():
        source = rows[row.get("swapped", row["name"])]
        kernels, entries = instantiations(source, groups), []
        for text in source["signatures"]:
            text, _, instead = text.partition(" = ")
            for (inputs, output), kernel in signatures_of(text, groups):
                if instead:
                    number = WITHOUT_KERNEL[instead]
                else:
                    number = source["first"] + kernels.index(kernel) * len(source["loops"])
                if "swapped" in row:
                    inputs = inputs[::-1]
                *codes, result = [f"index(DType::{t})" for t in [*inputs, output]]
                wide = str(not WIDE.isdisjoint(kernel[0])).lower()
                fields = commas([result, number, wide, cost_of(source, kernel[0])])
                entries.append(f"    {{{{{commas(codes)}}}, {fields}}},\n")
        name = f"{row['name']}_signatures"
        signatures.append(f"static const Signature {name}[] = {{\n{''.join(entries)}}};\n")
        texts = commas(json.dumps(row.get(key, "")) for key in TEXTS)
        flags = commas(str(key in row).lower() for key in FLAGS)
        operators.append(f"    {{{texts}, {len(inputs)}, {flags}, {name}, {len(entries)}}},\n")
    return (
        "".join(signatures)
        + f"\nconst Operator operators[] = {{\n{''.join(operators)}}};\n"
        + f"const int operator_count = {len(operators)};\n\n"
    )


def launch_arguments(groups, loops, rows):
    """The definition of ops/launch.hpp."""
    cases, taken = "", {}
    for row in rows:
        for inputs, _ in instantiations(row, groups):
            taken |= dict.fromkeys((loop, len(inputs) + 1) for loop in row["loops"])
    for loop, count in taken:
        cases += f"  case place(Loop::{loop}, {count}):\n"
        for t, _, value in parameters(loops[loop], [("", str(k)) for k in range(count)]):
            cases += f"    to.add<{TYPES.get(t, 'const void *')}>({{launch.{value}}});\n"
        cases += "    return;\n"
    return f"""static constexpr std::size_t place(Loop loop, std::size_t operands) {{
  return static_cast<std::size_t>(loop) << 8 | operands;
}}

void add_arguments(const LaunchParts &launch, Arguments &to) {{
  switch (place(launch.plan.loop, launch.operands.size())) {{
{cases}  }}
  throw Error(ErrorKind::kernel, "no kernel has this loop over so many operands");
}}
"""


def kernel_table(groups, loops, rows):
    """The header kernel_table.hpp, on top of ops/kernel_row.hpp."""
    elementwise = commas(f"Loop::{loop}" for loop in ELEMENTWISE)
    same = f"dtype_count == {len(groups['all'])}"
    for place, name in enumerate(groups["all"]):
        same += f' &&\n    std::string_view(dtype_names[{place}]) == "{name}"'
    text = f"""enum class Loop : std::uint8_t {{ {commas(loops)} }};
inline constexpr Loops elementwise_loops{{{elementwise}}};
static_assert({same}, "the group `all` of operators.toml");

namespace kernels {{
"""
    for row in rows:
        if "summary" in row:
            continue
        types = [[*inputs, output] for inputs, output in instantiations(row, groups)]
        name, struct, places = row["name"], "NoScalars", commas(f"Loop::{x}" for x in row["loops"])
        if row["scalars"]:
            struct = f"{row['functor']}Scalars"
            fields = "".join(f"  {TYPES[t]} {x};\n" for t, x in row["scalars"])
            adds = "".join(f" to.add({x});" for _, x in row["scalars"])
            text += f"struct {struct} {{\n{fields}"
            text += f"  void add_to(Arguments &to) const {{{adds} }}\n}};\n"
        kernels, first = f"KernelRow<{struct}, {len(types[0])}>", row["first"]
        text += f"inline constexpr {kernels} {name}{{{first}, {{{places}}}, {row['cost']}}};\n"
        if all(groups["all"].count(t) for one in types for t in one):
            entries = commas(f"{{{commas(f'DType::{t}' for t in one)}}}" for one in types)
            text += (
                f"inline constexpr DType {name}_signatures[][{len(types[0])}] = {{{entries}}};\n"
            )
    return text + "}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operators", type=Path, required=True)
    parser.add_argument("--families", nargs="+", required=True, help="in the order of their packs")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--header", type=Path, required=True)
    options = parser.parse_args()
    groups, loops, rows = read_operators(options.operators)
    rows.sort(key=lambda row: options.families.index(row["family"]))
    first = 0
    for row in rows:
        row["first"] = first  # the number of its first kernel
        first += len(instantiations(row, groups)) * len(row["loops"])
    header = ["layout/dtype.hpp", "ops/kernel_row.hpp"]
    source = ["ops/launch.hpp", "ops/operators.hpp", "runtime/error.hpp"]
    table = operator_table(groups, rows) + launch_arguments(groups, loops, rows)
    for file, headers, text in (
        (options.header, header, kernel_table(groups, loops, rows)),
        (options.output, source, table),
    ):
        includes = "".join(f'#include "{name}"\n' for name in headers)
        once = "#pragma once\n" if file is options.header else ""
        file.write_text(
            f"// Written by the build from operators.toml.\n{once}{includes}\n"
            f"namespace usmtensor {{\n\n{text}\n}} // namespace usmtensor\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main()
