"""Pages made from files outside of this folder when Sphinx starts.

`examples/` gets a page for each example, from its docstring, pictures and source, and
`names/gallery.md` a card for each. `project/` gets the documents of the top folder.
"""

import ast
import re
from pathlib import Path

from reference import replace
from sphinx.application import Sphinx

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
PAGES, PROJECT, NAMES = HERE / "examples", HERE / "project", HERE / "names"
# Documents of the top folder; the first is always there.
DOCUMENTS = {"NOTICE": "Notices", "CONTRIBUTING.md": "", "CHANGELOG.md": "", "SECURITY.md": ""}
HELPERS = {"picture"}
NATIVE = {
    "cython": "Cython: moments of an array",
    "kernel": "A SYCL kernel from C++, on the queue of an array",
    "nanobind": "nanobind: a histogram",
    "pybind11": "pybind11: elements gathered by index",
}
LANGUAGES = {
    ".cpp": "cpp",
    ".pyx": "cython",
    ".py": "python",
    ".toml": "toml",
    ".txt": "cmake",
}


def source(file: Path) -> str:
    path = f"../../examples/{file.relative_to(EXAMPLES)}"
    language = LANGUAGES[file.suffix]
    parts = file.relative_to(EXAMPLES).parts
    caption = "/".join(parts[1:] or parts)
    return f"```{{literalinclude}} {path}\n:language: {language}\n:caption: {caption}\n```\n"


def words(file: Path) -> tuple[str, str, str]:
    """The title of a script, what it does, and its command, from its docstring."""
    text = " ".join((ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "").split())
    title, _, rest = text.partition(":")
    rest, command = rest.strip(), f"`python {file.name}`"
    if rest.startswith("`"):  # a script of several processes shows its command first
        command, _, rest = rest.partition(". ")
    return title.rstrip("."), rest[:1].upper() + rest[1:], command


def pictures(file: Path) -> list[str]:
    """The pictures that a script writes, if `pictures/` has them."""
    text = file.read_text(encoding="utf-8")
    # A script calls save(..., "name.png"), or save(..., f"{name}.png") for names in a tuple.
    names = re.findall(r'"(\w+[.](?:png|svg))"', text)
    if 'f"{name}.png"' in text:
        names = [f"{name}.png" for name in re.findall(r'\("(\w+)", ', text)]
    return [name for name in names if (HERE / "pictures" / name).exists()]


def script(file: Path) -> str:
    """The page of a script: what it does, how to run it, its pictures, its source."""
    title, rest, command = words(file)
    imported = re.findall(r"^from (\w+) import", file.read_text(encoding="utf-8"), re.MULTILINE)
    files = [file, *(EXAMPLES / f"{name}.py" for name in imported if name in HELPERS)]
    names = " and ".join(f"{{download}}`{one.name} <../../examples/{one.name}>`" for one in files)
    shown = [
        f"```{{image}} ../pictures/{name}\n:alt: {title}, {name}\n:class: example\n```"
        for name in pictures(file)
    ]
    how = f"Download {names}. Run {command} in {'their' if files[1:] else 'its'} folder."
    parts = [f"# {title}", rest, how, "\n".join(shown), *map(source, files)]
    return "\n\n".join(part for part in parts if part)


def cards() -> str:
    """A picture, the title and a sentence for each example."""
    lines = ["::::{container} gallery"]
    scripts = sorted(file for file in EXAMPLES.glob("*.py") if file.stem not in HELPERS)
    scripts.sort(key=lambda file: not pictures(file))  # those with a picture first
    for file in scripts:
        title, rest, _ = words(file)
        page = f"examples/{file.stem}.md"
        shown = "".join(f"[![{title}](pictures/{name})]({page})" for name in pictures(file)[:1])
        lines += [":::{container} card", shown, "", f"**[{title}]({page})**", "", rest, ":::"]
    for name, title in NATIVE.items():
        page = f"examples/native_{name}.md"
        lines += [":::{container} card", f"**[{title}]({page})**", "", "Built with CMake.", ":::"]
    page, about = "examples/extension.md", "A kernel, its Python function, its tests."
    lines += [":::{container} card", f"**[A package with a kernel]({page})**", "", about, ":::"]
    return "\n".join([*lines, "::::", ""])


def native(folder: Path) -> str:
    files = sorted(folder.glob("*.[cp]*"), key=lambda file: file.name == "check.py")
    build = folder / "CMakeLists.txt"
    about = (
        f"`cmake -S examples/{folder.name} -B build -Dusmtensor_DIR=$(python -c "
        '"import usmtensor; print(usmtensor.get_cmake_dir())") && cmake --build build` builds it. '
        "`check.py` compares it with NumPy. [Native code](../native.md) explains the functions."
    )
    return "\n\n".join([f"# {NATIVE[folder.name]}", about, *map(source, [*files, build])])


def extension(folder: Path) -> str:
    about = "[A package of your own](../extension.md) explains the files."
    files = [
        folder / "pyproject.toml",
        *sorted(folder.glob("*/*.cpp")),
        *sorted(folder.glob("*/*.py")),
    ]
    files.sort(key=lambda file: file.parent.name == "tests")
    return "\n\n".join(["# A package with a kernel", about, *map(source, files)])


def moved(found: re.Match[str]) -> str:
    """A link of a document in the top folder, for a page of `project/`."""
    words, target, anchor = found[1], found[2], found[3] or ""
    path = HERE.parent / target
    if target in DOCUMENTS and path.exists():
        return f"[{words}]({Path(target).stem.lower()}.md{anchor})"
    if path.is_relative_to(HERE) and path.suffix == ".md":
        return f"[{words}](../{path.relative_to(HERE)}{anchor})"
    # Other pages of text and folders are not part of the site.
    return f"[{words}](../../{target})" if path.is_file() and path.suffix != ".md" else words


def document(name: str, title: str) -> str:
    text = (HERE.parent / name).read_text(encoding="utf-8")
    if title:
        return f"# {title}\n\n```text\n{text}```\n"
    return re.sub(r"\[([^]]+)\]\(([^)#:]+)(#[^)]*)?\)", moved, text)


def start(app: Sphinx) -> None:
    for name, title in DOCUMENTS.items():
        if (HERE.parent / name).exists():
            replace(PROJECT / f"{Path(name).stem.lower()}.md", document(name, title))
    for file in EXAMPLES.glob("*.py"):
        if file.stem not in HELPERS:
            replace(PAGES / f"{file.stem}.md", script(file))
    for name in NATIVE:
        replace(PAGES / f"native_{name}.md", native(EXAMPLES / name))
    replace(PAGES / "extension.md", extension(EXAMPLES / "extension"))
    replace(NAMES / "gallery.md", cards())


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", start)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
