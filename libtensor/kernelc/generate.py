"""Write the kernel source of one operator family: its headers and one wrapper per instantiation."""

import argparse
import re
import sys
from pathlib import Path

from operators import WIDE, read_operators, signatures_of

AXES = 4  # axes that travel as scalars
PART = 200  # kernels per part; the parts of a family compile side by side


def instantiations(operator, groups):
    """The (inputs, output) element types of an operator's kernels, each once."""
    seen = []
    for signature in operator.get("signatures", []):
        if "=" in signature:  # done without a kernel
            continue
        for _, kernel in signatures_of(signature, groups):
            if kernel not in seen:
                seen.append(kernel)
    return seen


def operand_scalars(inputs):
    """Per input the parameter that holds its value where its pointer is null. A unary operator has
    none, the two inputs of a binary one share theirs, and of three the first is an array."""
    return [] if len(inputs) < 2 else [f"x{max(k - 1, 0)}" for k in range(len(inputs))]


def wrapper(operator, loop, inputs, output):
    """One kernel: flat parameters outside, the loop's own types inside."""
    elementwise = "summary" in operator
    operands = [("out", output)] + [(f"in{k}", f"const {t}") for k, t in enumerate(inputs)]
    scalars = operator.get("scalars", [])
    scalars = [(output if t == "out" else t, f"x{k}") for k, t in enumerate(scalars)]
    values, body = [], ""
    if elementwise:
        values = operand_scalars(inputs)
        words = 2 if WIDE.intersection(inputs) else 1
        scalars = [("u8", x + "_" * k) for x in dict.fromkeys(values) for k in range(words)]
        for k, x in enumerate(values):
            bits = ", ".join([x, x + "_"][:words])
            body += f"  const auto v{k} = from_bits<{inputs[k]}>({bits});\n"
    parameters = [f"{t} *__restrict {name}" for name, t in operands] + ["i8 size"]
    arguments = ["size"]
    if loop in ("flat", "sequence", "bands", "shared"):  # no geometry
        arguments += ["out"]
        arguments += (
            [f"ArrayOrValue<{t}>{{in{k}, v{k}}}" for k, t in enumerate(inputs)]
            if values
            else [name for name, _ in operands[1:]]
        )
    else:
        parameters += [f"i8 n{k}" for k in range(AXES)]
        for name, _ in operands:
            parameters += [f"i8 {name}_{k}" for k in range(AXES)]
        parameters += ["const i8 *outer", "i4 outer_count", "i4 stream"]
        extents = ", ".join(f"n{k}" for k in range(AXES))
        arguments.append(f"Space{{{extents}, outer, outer_count, {len(operands)}, stream}}")
        for column, (name, t) in enumerate(operands, 1):
            strides = ", ".join(f"{name}_{k}" for k in range(AXES))
            data = f"{name} ? {name} : &v{column - 2}" if values and column > 1 else name
            arguments.append(f"Operand<{t}>{{{data}, {strides}, {column}}}")
    if loop == "tile":
        parameters += ["i8 t0", "i8 t1"]
        arguments = ["t0", "t1", *arguments]
    parameters += [f"{t} {name}" for t, name in scalars]
    types = ", ".join([output, *inputs])
    if elementwise:
        functor = f"Elementwise<{operator['functor']}, {types}>{{}}"
    else:
        functor = f"{operator['functor']}<{types}>{{{', '.join(name for _, name in scalars)}}}"
    name = "_".join([operator["name"], loop, *inputs, output])
    return (
        f"USMTENSOR_KERNEL({name}, {', '.join(parameters)}) {{\n{body}"
        f"  {loop}({functor}, {', '.join(arguments)});\n}}\n"
    )


def expand(header, seen):
    """A header's text with the project's own headers in place: later compilations need no path."""
    if header in seen:
        return ""
    seen.append(header)
    lines = []
    for line in header.read_text(encoding="utf-8").splitlines(keepends=True):
        include = re.match(r'#include "(.+)"', line)
        if include:
            lines.append(expand(header.parent / include[1], seen))
        elif not line.startswith("#pragma once"):
            lines.append(line)
    return "".join(lines)


def generate(operators, kernels, family):
    """The family's source, and the headers that it was made of."""
    groups, rows = operators
    headers = []
    text = [expand(kernels / f"{family}.hpp", headers), "\nusing namespace usmtensor;\n\n"]
    wrappers = [
        wrapper(operator, loop, *types)
        for operator in rows
        if operator["family"] == family
        for loop in operator["loops"]
        for types in instantiations(operator, groups)
    ]
    if not wrappers:
        sys.exit(f"usmtensor: operators.toml has no row of family {family}")
    for part, first in enumerate(range(0, len(wrappers), PART)):
        text.append(f"#if !defined(USMTENSOR_PART) || USMTENSOR_PART == {part}\n")
        text += wrappers[first : first + PART]
        text.append("#endif\n")
    return "".join(text), headers


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--operators", type=Path, required=True)
    parser.add_argument("--kernels", type=Path, required=True)
    parser.add_argument("--family", required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--depfile", type=Path)
    options = parser.parse_args()
    text, headers = generate(read_operators(options.operators), options.kernels, options.family)
    # An unchanged source keeps its time, so that other families do not rebuild it.
    if not options.output.exists() or options.output.read_text(encoding="utf-8") != text:
        options.output.write_text(text, encoding="utf-8")
    if options.depfile:
        paths = " ".join(str(header).replace(" ", r"\ ") for header in headers)
        target = str(options.output).replace(" ", r"\ ")
        options.depfile.write_text(f"{target}: {paths}\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
