"""The table of clients in docs/exchange.md, made from the marks `shows` of the tests.

`python tests/interop/table.py` writes it there.
"""

import ast
import re
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DOCUMENT = ROOT / "docs" / "exchange.md"
HEAD = ["| client | direction | way | copies |", "|---|---|---|---|"]


def marks():
    """The arguments of the marks, in the order of files and tests."""
    for path in sorted(HERE.glob("test_*.py")):
        for function in ast.parse(path.read_text()).body:
            for mark in getattr(function, "decorator_list", ()):
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.shows":
                    yield tuple(ast.literal_eval(argument) for argument in mark.args)


def versions():
    """The versions of clients that the extra pins: {"dpctl": "0.22"}."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = " ".join(project["optional-dependencies"]["interop"])
    return dict(re.findall(r"([\w-]+)==([\d.]+)\.\*", requirements))


def table():
    """The lines of the table."""
    lines, last = list(HEAD), None
    pinned = versions()
    for client, direction, way, copies in marks():
        name = f"{client} {pinned.get(client, '')}".strip() if client != last else ""
        lines.append(f"| {name} | {direction} | {way} | {copies} |")
        last = client
    return lines


def written():
    """The lines of the document, and the first and last line of the table."""
    lines = DOCUMENT.read_text().splitlines()
    begin = lines.index(HEAD[0])
    end = next(i for i in range(begin, len(lines)) if not lines[i].startswith("|"))
    return lines, begin, end


if __name__ == "__main__":
    lines, begin, end = written()
    DOCUMENT.write_text("\n".join(lines[:begin] + table() + lines[end:]) + "\n")
