"""Reading operators.toml, which says what its keys mean."""

import itertools
import tomllib

LOOPS = ["flat", "rows", "grid"]  # of every function of elements
WIDE = {"c16", "w16"}  # element types of more than 64 bits


def read_operators(file):
    """The groups of element types by name, and the rows with what they leave out."""
    table = tomllib.loads(file.read_text(encoding="utf-8"))
    groups, sentences = table.pop("groups"), table.pop("notes")
    rows = []
    for family, entries in table.items():
        shared = {key: value for key, value in entries.items() if not isinstance(value, dict)}
        for name, entry in entries.items():
            if name in shared:
                continue
            functor = "".join(word.capitalize() for word in name.split("_"))
            row = {"name": name, "family": family, "functor": functor, "loops": LOOPS}
            row |= shared | entry
            row["notes"] = " ".join(sentences.get(note, note) for note in row.get("notes", []))
            rows.append(row)
    return groups, rows


def signatures_of(signature, groups):
    """The signatures that one of operators.toml stands for: (inputs, output), twice: the element
    types of the arrays, and those of the kernel."""
    inputs, _, output = signature.partition("->")
    operands = [text.strip() for text in inputs.split(",") if text.strip()] + [output.strip()]
    variables, apart, by_width = {}, set(), set()
    for operand in operands:
        variable, colon, group = operand.partition(":")
        if colon:
            variables[variable] = groups[group.rstrip("!~")]
            if group.endswith("!"):
                apart.add(variable)
            if group.endswith("~"):
                by_width.add(variable)
    for choice in itertools.product(*variables.values()):
        bound = dict(zip(variables, choice, strict=True))
        if any(choice.count(bound[variable]) > 1 for variable in apart):
            continue
        names = [operand.partition(":")[0] for operand in operands]
        types = [bound.get(name, name) for name in names]
        kernel = [
            "w" + type[1:] if name in by_width else type
            for name, type in zip(names, types, strict=True)
        ]
        yield (types[:-1], types[-1]), (kernel[:-1], kernel[-1])
