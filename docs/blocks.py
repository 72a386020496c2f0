"""Runs the Python code of a document: `python docs/blocks.py PAGE... [--in FOLDER]`.

The blocks of a page run in order and share their names, as in one session. A block of `>>>` lines
must print the results that the page shows. Python's prompt must take each block as readers paste
it: an empty line ends an indented part. Pictures that the code writes go to FOLDER; the default,
`docs/pictures`, holds the pictures of the pages.
"""

import argparse
import ast
import codeop
import contextlib
import doctest
import os
import re
from collections.abc import Iterator
from pathlib import Path

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The number of the line before each block of Python code, and the code."""
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        yield text.count("\n", 0, found.start(1)), found[1]


def is_session(code: str) -> bool:
    return code.startswith(">>>")


def check_pasting(code: str) -> None:
    """Raise AssertionError if Python's prompt does not take a block line by line."""
    lines = code.splitlines()
    if is_session(code):  # as the site's copy button takes it: without prompts and results
        lines = [line[4:] for line in lines if line.startswith((">>>", "..."))]
    else:
        lines.append("")  # the Enter after pasting
    compiled, statement = codeop.CommandCompiler(), ""
    for line in lines:
        statement += line + "\n"
        try:
            if compiled(statement.removesuffix("\n"), symbol="single"):
                statement = ""
        except SyntaxError as error:
            raise AssertionError(f"cannot be pasted:\n{statement}{error}") from None
    assert not statement.strip(), f"an empty line must end:\n{statement}"


def imports(text: str) -> set[str]:
    """The packages that the code of a page imports."""
    found = set()
    for _, code in blocks(text):
        if is_session(code):
            code = "".join(one.source for one in doctest.DocTestParser().get_examples(code))
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return found


def run(text: str, name: str) -> dict[str, object]:
    """Run the blocks of a page's text. Return their names; a wrong result raises AssertionError."""
    names: dict[str, object] = {"__name__": "page"}
    for line, code in blocks(text):
        check_pasting(code)
        if is_session(code):
            test = doctest.DocTestParser().get_doctest(code, names, name, name, line)
            report: list[str] = []
            failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(
                test, out=report.append, clear_globs=False
            )
            assert not failed, "".join(report)
            names = test.globs
        else:
            exec(compile("\n" * line + code, name, "exec"), names)
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="+", type=Path)
    pictures = Path(__file__).parent / "pictures"
    parser.add_argument("--in", dest="folder", type=Path, default=pictures)
    options = parser.parse_args()
    os.environ.setdefault("MPLBACKEND", "agg")
    pages = [(page.read_text(encoding="utf-8"), str(page)) for page in options.pages]
    with contextlib.chdir(options.folder):
        for text, name in pages:
            run(text, name)


if __name__ == "__main__":
    main()
