"""Write the host side of operators.toml: the table of elementwise functions, and the kernels with
their arguments.

operator_table.py OPERATORS SOURCE HEADER FAMILY...

The families are in the order of their packs.
"""

import itertools
import json
import sys
from pathlib import Path

from operators import ELEMENTWISE, WIDE, cpp_type, parameters, read_operators, signatures_of

TEXTS = ["name", "summary", "notes", "dunder", "source", "module"]
SOURCE = ["functor", "family"]  # texts of the row that owns the kernels
FLAGS = ["swapped", "default_float", "numeric"]
# Results without a kernel: a copy of the input, or a constant.
WITHOUT_KERNEL = {"copy": "copy", "0": "zero", "1": "one"}
# Picoseconds per byte of an element on one core, in addition to the time for memory. They need not
# be exact: near the limit, host and device take the same time.
COSTS = {"memory": 0, "arithmetic": 25, "function": 75, "expensive": 500, "iterative": 2500}
TYPES = {name: f"std::{name}_t" for name in ("int32", "uint32", "int64", "uint64")}


def commas(items):
    return ", ".join(map(str, items))


def choice_of(row, inputs, output):
    """The kernel of several functions that includes this one, and the function's index in it."""
    choice, number = row["choices"].get((*inputs, output), ({"first": 0}, 0))
    return f"{choice['first']}, {number}"


def picoseconds(cost, *types):
    """The cost of an element on one core. Complex functions are computed one by one. Elements of
    fewer than four bytes cost as much as four bytes."""
    if cost == "function" and not {"c8", "c16"}.isdisjoint(types):
        cost = "iterative"
    return COSTS[cost] * max(4, *(int(t[1:]) for t in types))


def operator_table(groups, rows):
    """Define the tables that ops/elementwise.hpp declares."""
    rows = {row["name"]: row for row in rows if "summary" in row}
    signatures, operators = [], []
    for row in rows.values():
        source = rows[row.get("swapped", row["name"])]
        entries = []
        for text in source["signatures"]:
            text, _, instead = text.partition(" = ")
            owner = rows.get(instead, source)
            for (inputs, output), kernel in signatures_of(text, groups):
                number, choice = 0, "0, 0"
                if instead not in WITHOUT_KERNEL:
                    offset = owner["kernels"].index(kernel) * len(owner["loops"])
                    number, choice = owner["first"] + offset, choice_of(owner, *kernel)
                if "swapped" in row:
                    inputs = inputs[::-1]
                *codes, result = [f"index(DType::{cpp_type(t)})" for t in [*inputs, output]]
                wide = str(not WIDE.isdisjoint(kernel[0])).lower()
                simd = str(kernel[0][0] in owner["simd_work_items"]).lower()
                cost = owner["slow"].get(kernel[0][0], owner["cost"])
                costs = (cost, owner["by_value"].get(kernel[0][0], cost))
                cost, cost_by_value = (picoseconds(x, *kernel[0]) for x in costs)
                kernels = commas([number, "elementwise_loops", cost, choice, simd, "false"])
                how = f"Signature::{WITHOUT_KERNEL.get(instead, 'computed')}"
                fields = commas([result, how, wide, f"{{{kernels}}}", cost_by_value])
                entries.append(f"    {{{{{commas(codes)}}}, {fields}}},\n")
        name = f"{row['name']}_signatures"
        signatures.append(f"static const Signature {name}[] = {{\n{''.join(entries)}}};\n")
        texts = [row.get(key, "") for key in TEXTS] + [source[key] for key in SOURCE]
        texts = commas(map(json.dumps, texts))
        flags = commas(str(key in row).lower() for key in FLAGS)
        operators.append(f"    {{{texts}, {len(inputs)}, {flags}, {name}, {len(entries)}}},\n")
    return (
        "".join(signatures)
        + f"\nconst Operator operators[] = {{\n{''.join(operators)}}};\n"
        + f"const int operator_count = {len(operators)};\n\n"
    )


def launch_arguments(loops, rows):
    """Define add_arguments() of ops/launch.hpp."""
    cases, taken = "", {}
    for row in rows:
        for inputs, _ in row["kernels"]:
            taken |= dict.fromkeys((loop, len(inputs) + 1) for loop in row["loops"])
    for loop, count in taken:
        cases += f"  case key(Loop::{loop}, {count}):\n"
        for t, _, value in parameters(loops[loop], [("", str(k)) for k in range(count)]):
            cases += f"    to.add<{TYPES.get(t, 'const void *')}>({{launch.{value}}});\n"
        cases += "    return;\n"
    return f"""static constexpr std::size_t key(Loop loop, std::size_t operands) {{
  return static_cast<std::size_t>(loop) << 8 | operands;
}}

void add_arguments(const Launch &launch, Arguments &to) {{
  switch (key(launch.plan.loop, launch.operands.size())) {{
{cases}  }}
  throw Error(ErrorKind::kernel, "no kernel has this loop for this number of operands");
}}
"""


def kernels_by_type(row, all_types):
    """The number of element types that distinguish the signatures of a row, preferably of the first
    inputs. Also, for each combination of these types, the id of the first kernel (-1 if there is
    none) and its output type."""
    signatures, entries = [[*inputs, output] for inputs, output in row["kernels"]], []
    choices = (itertools.combinations(range(len(signatures[0])), count) for count in range(3))
    for keys in itertools.chain(*choices):
        if len({tuple(one[k] for k in keys) for one in signatures}) == len(signatures):
            break
    for types in itertools.product(all_types, repeat=len(keys)):
        found, best = "{-1, 0, 0, {}}", -1
        for number, one in enumerate(signatures):
            pairs = [(one[k], t) for k, t in zip(keys, types, strict=True)]
            exact = sum(own == t for own, t in pairs)  # preferred to kernels by width
            if exact > best and all(own in (t, f"w{t[1:]}") for own, t in pairs):
                output = f"DType::{cpp_type(one[-1])}" if one[-1] in all_types else "{}"
                first = row["first"] + number * len(row["loops"])
                found = f"{{{first}, {choice_of(row, one[:-1], one[-1])}, {output}}}"
                best = exact
        entries.append(found)
    return len(keys), commas(entries)


def kernel_table(groups, loops, rows):
    """The contents of kernel_table.hpp, which uses ops/kernel_row.hpp."""
    elementwise = commas(f"Loop::{loop}" for loop in ELEMENTWISE)
    same = f"dtype_count == {len(groups['all'])}"
    for index, name in enumerate(groups["all"]):
        same += f' &&\n    std::string_view(dtype_names[{index}]) == "{name}"'
    text = f"""enum class Loop : std::uint8_t {{ {commas(loops)} }};
inline constexpr Loops elementwise_loops{{{elementwise}}};
static_assert({same}, "the group `all` of operators.toml");
inline KernelId Kernels::id(Loop loop) const {{
  return loop == Loop::strided_choice ? choice : first + loops.index_of(loop);
}}

namespace kernels {{
"""
    structs = {"NoScalars"}
    for row in rows:
        if "summary" in row or "functions" in row:
            continue
        struct = row["struct"] if row["scalars"] else "NoScalars"
        if struct not in structs:
            structs.add(struct)
            adds = "".join(f"    to.add({x});\n" for _, x in row["scalars"])
            fields = "".join(f"  {TYPES[t]} {x};\n" for t, x in row["scalars"])
            text += f"struct {struct} {{\n  void add_to(Arguments &to) const {{\n{adds}  }}\n"
            text += f"{fields}}};\n"
        keys, entries = kernels_by_type(row, groups["all"])
        names = row["loops"] + ["strided_choice"] * bool(row["choices"])
        names = commas(f"Loop::{x}" for x in names)
        text += f"inline constexpr KernelRow<{struct}, {len(row['kernels'][0][0]) + 1}, {keys}> "
        text += f"{row['name']}{{{{{names}}}, {picoseconds(row['cost'], 'w4')}, {{{entries}}}}};\n"
    return text + "}\n"


def main(operators, source_file, header_file, *families):
    groups, loops, rows = read_operators(Path(operators))
    rows.sort(key=lambda row: families.index(row["family"]))
    first = 0
    for row in rows:
        row["first"] = first  # the number of its first kernel
        first += len(row["kernels"]) * len(row["loops"])
    header = ["ops/kernel_row.hpp"]
    source = ["ops/elementwise.hpp", "ops/launch.hpp", "runtime/error.hpp"]
    table = operator_table(groups, rows) + launch_arguments(loops, rows)
    for file, headers, text in (
        (header_file, header, kernel_table(groups, loops, rows)),
        (source_file, source, table),
    ):
        includes = "".join(f'#include "{name}"\n' for name in headers)
        once = "#pragma once\n" if file is header_file else ""
        Path(file).write_text(
            f"// Written by the build from operators.toml.\n{once}{includes}\n"
            f"namespace usmtensor {{\n\n{text}\n}} // namespace usmtensor\n",
            encoding="utf-8",
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
