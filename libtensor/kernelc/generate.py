"""Write the kernel sources of one operator family, with a wrapper for each instantiation.

The device source contains all headers. The host source includes them and has a table of its
functions.

generate.py OPERATORS HEADERS FOLDER FAMILY
"""

import re
import sys
from pathlib import Path

from operators import (
    AXES,
    WIDE,
    calls_library,
    cpp_type,
    operand_scalars,
    parameters,
    read_operators,
)


def kernel_name(row, loop, inputs, output):
    return "_".join([row["name"], loop, *inputs, output])


def functor_of(row, inputs, output):
    """The functor type of a function."""
    types = ", ".join(map(cpp_type, [output, *inputs]))
    name = row["functor"]
    return f"Elementwise<{name}, {types}>" if "summary" in row else f"{name}<{types}>"


def wrapper(row, name, loop, inputs, output, host):
    """A kernel with plain parameters that calls the loop `name` with the loop's own types."""
    functions = row.get("functions", [(row, inputs, output)])
    read = len(inputs) - row["scratch"]
    types = [cpp_type(t) for t in inputs]
    operands = [(cpp_type(output), "out")]
    operands += [(f"const {t}" if k < read else t, f"in{k}") for k, t in enumerate(types)]
    scalars, values, body = row["scalars"], [], ""
    if "summary" in functions[0][0]:
        values = operand_scalars(len(inputs))
        words = 2 if WIDE.intersection(inputs) else 1
        scalars = [("uint64", x + "_" * k) for x in dict.fromkeys(values) for k in range(words)]
        for k, x in enumerate(values):
            bits = ", ".join([x, x + "_"][:words])
            body += f"  const auto v{k} = from_bits<{types[k]}>({bits});\n"
    arguments = [own for _, own in loop["parameters"]] + ["size"]
    if "strided" in loop:
        extents = ", ".join(f"n{k}" for k in range(AXES))
        arguments.append(f"Space{{{extents}, outer, outer_count, {len(operands)}, stream}}")
        for column, (t, operand) in enumerate(operands, 1):
            strides = ", ".join(f"{operand}_{k}" for k in range(AXES))
            array = f"Operand<{t}>{{{operand}, {strides}, {column}}}"
            if values and column > 1:
                array = f"OperandOrValue<{types[column - 2]}>{{{array}, v{column - 2}}}"
            arguments.append(array)
    elif values:
        arguments += ["out", *(f"ArrayOrValue<{t}>{{in{k}, v{k}}}" for k, t in enumerate(types))]
    else:
        arguments += [operand for _, operand in operands]
    taken = [f"{t} {x}" for t, x, *_ in [*parameters(loop, operands), *scalars]]
    functors = [functor_of(*function) for function in functions]
    functor = functors[0]
    if "functions" in row:
        for k, (function, codes, _) in enumerate(functions):
            if not host and codes[0] in function["simd_work_items"]:
                functors[k] = "NeverStrided"
        functor = f"OneOf<{', '.join(functors)}>"
    functor += f"{{{'' if values else ', '.join(x for _, x in scalars)}}}"
    return (
        f"USMTENSOR_KERNEL({kernel_name(row, name, inputs, output)}, {', '.join(taken)}) "
        f"{{\n{body}  {name}({functor}, {', '.join(arguments)});\n}}\n"
    )


def expand(header, seen):
    """A header's text with the project's headers inlined, so that compilations need no path."""
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


def instances(operators, family):
    """The kernels of a family in the order of their ids: row, loop and element types."""
    rows = [row for row in operators[2] if row["family"] == family]
    found = [
        (row, loop, types) for row in rows for types in row["kernels"] for loop in row["loops"]
    ]
    if not found:
        sys.exit(f"usmtensor: operators.toml has no row in family {family}")
    return found


def generate(operators, kernels, family):
    """The device source of a family, and the headers that it contains."""
    headers = []
    names = " ".join(name for name, loop in operators[1].items() if "simd_work_items" in loop)
    text = f"// simd_work_items: {names} .\n"  # kernelc reads this line
    text += expand(kernels / f"{family}.hpp", headers) + "\nusing namespace usmtensor;\n\n"
    for row, loop, types in instances(operators, family):
        text += wrapper(row, loop, operators[1][loop], *types, host=False)
    return text, headers


def generate_host(operators, family):
    """The source of a family's host functions, and their table in the order of kernel ids."""
    headers = f'#include "{family}.hpp"\n#include "host/loops.hpp"\n'
    text, table = f"{headers}\nusing namespace usmtensor;\n\n", ""
    kernels = instances(operators, family)
    for row, loop, types in kernels:
        entry = "{}"
        if operators[1][loop]["host"]:
            text += wrapper(row, loop, operators[1][loop], *types, host=True)
            calls = str(calls_library(row)).lower()
            entry = f"{{call<{kernel_name(row, loop, *types)}>, {calls}}}"
        table += f"    {entry},\n"
    return (
        f"{text}\nstatic const HostFamily::Entry table[] = {{\n{table}}};\n"
        "namespace usmtensor {\n"
        f"extern const HostFamily host_{family};\n"
        f"const HostFamily host_{family} = {{table, {len(kernels)}}};\n"
        "} // namespace usmtensor\n"
    )


def main(operators, kernels, folder, family):
    operators = read_operators(Path(operators))
    source, headers = generate(operators, Path(kernels), family)
    output = Path(folder, f"{family}.cpp")
    host = output.with_stem(f"host_{family}")
    for file, text in ((output, source), (host, generate_host(operators, family))):
        # An unchanged source keeps its timestamp, so that it is not rebuilt.
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
    target, *paths = (str(path).replace(" ", r"\ ") for path in (output, *headers))
    output.with_suffix(".d").write_text(f"{target}: {' '.join(paths)}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
