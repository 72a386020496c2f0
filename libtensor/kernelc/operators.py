"""Read operators.toml, which documents its keys."""

import itertools
import tomllib

ELEMENTWISE = ["contiguous", "grid", "strided_choice"]  # loops of every elementwise function
WIDE = {"c16", "w16"}  # element types of more than 64 bits
BITS = {"b": "bool", "i": "int", "u": "uint", "f": "float", "c": "complex", "w": "bits"}
AXES = 4  # axes that are passed as scalars
MAX_CHOICES = 10  # functions in a kernel: more than 10 take over 300 ms to compile


def declared(text):
    """The types and names in declarations such as "int64 a, b; int32 c"."""
    parts = [part.split(maxsplit=1) for part in text.split(";") if part]
    return [(type, name) for type, names in parts for name in names.split(", ")]


def cpp_type(code):
    """The C++ name of an element type: "int64" for "i8"."""
    return f"{BITS[code[0]]}{8 * int(code[1:])}"


def width(type):
    """The element type that represents all types of the same size."""
    return "w" + type[1:]


def signatures_of(signature, groups):
    """Expand a signature of operators.toml into pairs of (inputs, output): the element types of the
    arrays, and those of the kernel."""
    inputs, _, output = signature.partition("->")
    operands = [text.strip() for text in inputs.split(",") if text.strip()] + [output.strip()]
    variables, distinct, by_width = {}, set(), set()
    for operand in operands:
        variable, colon, group = operand.partition(":")
        if colon:
            variables[variable] = groups[group.rstrip("!~")]
            if group.endswith("!"):
                distinct.add(variable)
            if group.endswith("~"):
                by_width.add(variable)
    for choice in itertools.product(*variables.values()):
        bound = dict(zip(variables, choice, strict=True))
        if any(choice.count(bound[variable]) > 1 for variable in distinct):
            continue
        names = [operand.partition(":")[0] for operand in operands]
        types = [bound.get(name, name) for name in names]
        kernel = [
            width(type) if name in by_width else type
            for name, type in zip(names, types, strict=True)
        ]
        yield (types[:-1], types[-1]), (kernel[:-1], kernel[-1])


def instantiations(row, groups):
    """The (inputs, output) element types of a row's kernels, without duplicates. The order of rows,
    of these types, and of the row's loops determines the kernel ids."""
    signatures = [text for text in row["signatures"] if "=" not in text]  # results without a kernel
    kernels = [kernel for text in signatures for _, kernel in signatures_of(text, groups)]
    return [kernel for k, kernel in enumerate(kernels) if kernel not in kernels[:k]]


def calls_library(row):
    """True if a function calls the driver's math library on the host."""
    return row.get("library", ("summary" in row or "functions" in row) and row["cost"] != "memory")


def choices(family, rows):
    """The rows of kernels that select one of several functions with operands of equal sizes.

    Sharing a kernel saves compile time, because the loop over strided operands takes long to
    compile. The row of each function gets `choices`: by element types, the row of the kernel and
    the function's index in it."""
    groups = {}
    for row in rows:
        row["choices"] = {}
        for inputs, output in row["kernels"] if "strided_choice" in row["loops"] else ():
            widths = tuple(map(width, [*inputs, output]))
            group = groups.setdefault((calls_library(row), *widths), [[]])
            if len(group[-1]) == MAX_CHOICES:
                group.append([])
            group[-1].append((row, inputs, output))
        row["loops"] = [loop for loop in row["loops"] if loop != "strided_choice"]
    chosen = []
    for (calls, *inputs, output), group in groups.items():
        for part, functions in enumerate(group):
            names = dict.fromkeys(row["name"] for row, *_ in (functions[0], functions[-1]))
            name = "_to_".join(names) + (f"_{part + 1}" if part else "")
            choice = {
                "name": name,
                "family": family,
                "functions": functions,
                "loops": ["strided_choice"],
            }
            cost = "function" if calls else "memory"
            choice |= {"kernels": [(inputs, output)], "cost": cost, "scalars": [], "scratch": 0}
            for number, (row, *types) in enumerate(functions):
                row["choices"][*types[0], types[1]] = (choice, number)
            chosen.append(choice)
    return chosen


def read_operators(file):
    """The element type groups, the loops, and the rows. Rows have default values for missing keys,
    and the element types of their kernels."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    groups, loops, sentences = table.pop("groups"), table.pop("loops"), table.pop("notes")
    kinds = table.pop("kinds")
    for loop in loops.values():
        loop["parameters"] = declared(loop.get("parameters", ""))
        loop.setdefault("host", False)
    rows = []
    for family, entries in table.items():
        structs = {}  # names by scalars
        shared = {key: value for key, value in entries.items() if not isinstance(value, dict)}
        for name, entry in entries.items():
            if name in shared:
                continue
            functor = "".join(word.capitalize() for word in name.split("_"))
            row = {"name": name, "family": family, "functor": functor, "loops": ELEMENTWISE}
            kind = entries[entry.get("swapped", name)].get("kind")
            row |= {"scalars": "", "cost": "memory", "scratch": 0}
            row |= {"simd_work_items": [], "slow": {}, "by_value": {}}
            row |= shared | kinds.get(kind, {}) | entry
            row["loops"] = [loop for loop in loops if loop in row["loops"]]
            row["simd_work_items"] = [t for x in row["simd_work_items"] for t in groups.get(x, [x])]
            for key in ("slow", "by_value"):
                row[key] = {t: cost for x, cost in row[key].items() for t in groups.get(x, [x])}
            by_family = row["scalars"] == shared.get("scalars")
            struct = (family.capitalize() if by_family else functor) + "Scalars"
            row["struct"] = structs.setdefault(row["scalars"], struct)
            row["scalars"] = declared(row["scalars"])
            row["notes"] = " ".join(sentences.get(note, note) for note in row.get("notes", []))
            row["kernels"] = [] if "swapped" in row else instantiations(row, groups)
            rows.append(row)
        rows += choices(family, [row for row in rows if row["family"] == family])
    return groups, loops, rows


def operand_scalars(inputs):
    """The scalar for each input of an elementwise function: the value of an input whose pointer is
    null. Unary functions have none. The two inputs of a binary function share one. The first of
    three inputs is always an array."""
    return [] if inputs < 2 else [f"x{max(k - 1, 0)}" for k in range(inputs)]


def parameters(loop, operands):
    """The parameters of a loop's kernels before the functor's scalars: the type, the name, and the
    value on the host (ops/launch.hpp) of each. `operands` are pairs of type and name."""
    for k, (type, name) in enumerate(operands):
        yield f"{type} *" + ("" if "may_alias" in loop else "__restrict"), name, f"data({k})"
    yield "int64", "size", "space.size"
    if "strided" in loop:
        for axis in range(AXES):
            yield "int64", f"n{axis}", f"extent({axis})"
        for k, (_, name) in enumerate(operands):
            for axis in range(AXES):
                yield "int64", f"{name}_{axis}", f"stride({k}, {axis})"
        yield "const int64 *", "outer", "outer"
        yield "int32", "outer_count", "outer_count()"
        yield "int32", "stream", "plan.stream"
    own = {f"m{axis}": f"multiplier({axis})" for axis in range(AXES)}
    own["first"] = "space.offsets[0]"
    for type, name in loop["parameters"]:
        yield type, name, own.get(name, f"plan.{name}")
