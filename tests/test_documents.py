"""The Python code in README and docs runs, with the results and pictures that the pages show."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.any_memory

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "docs"))

import blocks  # noqa: E402  # from docs

import usmtensor as usm  # noqa: E402

BY_SECTION = "clients.md"  # its sections need different packages
# Their code names a CPU device, or calls functions for which other devices may lack a library.
NEED_A_CPU = {
    "concepts.md",
    "tour.md",
    "linalg.md",
    "clients.md: JAX",
    "clients.md: SciPy",
    "clients.md: scikit-learn",
}


def texts():
    """The text of each page with code, or of each section."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        if path.name != BY_SECTION:
            parts = [(path.name, text)]
        else:
            titles = re.findall(r"^## (.+)", text, re.MULTILINE)
            sections = re.split(r"^## .+", text, flags=re.MULTILINE)[1:]
            parts = [
                (f"{path.name}: {title}", part)
                for title, part in zip(titles, sections, strict=True)
            ]
        for name, part in parts:
            if list(blocks.blocks(part)):
                yield pytest.param(name, part, id=name)


@pytest.mark.parametrize("name, text", list(texts()))
def test_code(name, text, tmp_path):
    if name in NEED_A_CPU and not usm.select_default_device().is_cpu:
        pytest.skip("the code needs a CPU device")
    for package in sorted(blocks.imports(text)):
        if importlib.util.find_spec(package) is None:
            required = os.environ.get("USMTENSOR_TEST_CLIENTS") == "required"
            (pytest.fail if required else pytest.skip)(f"{package} is not installed")
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    # A process of its own, as readers have it: clients read variables at their import.
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "blocks.py", page, "--in", tmp_path],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{name}\n{done.stdout}\n{done.stderr}"
    # The page shows the pictures that its code has written.
    shown = set(re.findall(r"\]\(pictures/(.+?)\)", text))
    assert {file.name for file in tmp_path.iterdir() if file.suffix in {".png", ".svg"}} <= shown


def test_pictures_are_there():
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    for page in pages:
        for target in re.findall(r"!\[.*?\]\((.+?)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).is_file(), f"{page.name}: {target}"


def test_links_of_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert len(targets) > 20
    assert not [target for target in targets if not (ROOT / target).exists()]


def test_wrong_results_are_found():
    text = "\n```python\n>>> x = 1\n>>> x + 1\n3\n```\n"
    with pytest.raises(AssertionError, match="line 4"):
        blocks.run(text, "page")
    assert blocks.run(text.replace("3", "2"), "page")["x"] == 1
    with pytest.raises(AssertionError, match="cannot be pasted"):
        blocks.run("```python\n>>> if True:\n...     x = 1\n>>> x\n1\n```\n", "page")
    with pytest.raises(AssertionError, match="an empty line must end"):
        blocks.run("```python\n>>> if True:\n...     x = 1\n```\n", "page")
    assert blocks.run("```python\n>>> if True:\n...     x = 1\n...\n>>> x\n1\n```\n", "page")
    with pytest.raises(AssertionError, match="cannot be pasted"):
        blocks.run("```python\nif True:\n    x = 1\nx\n```\n", "page")
    assert blocks.imports("```python\nimport a.b\nfrom c.d import e\n```\n") == {"a", "c"}


def test_quirks_name_their_tests():
    """A row of docs/runtime_quirks.md names a test exactly if the test has the row's mark."""
    page = (ROOT / "docs/runtime_quirks.md").read_text(encoding="utf-8")
    rows = [line.split("|") for line in page.splitlines() if line.count("|") == 6]
    named = {
        (row[1].strip(), *test)
        for row in rows
        for test in re.findall(r"`(test_\w+\.py)::(test_\w+)`", row[5])
    }
    marked = {
        (name, path.name, test)
        for path in (ROOT / "tests").glob("test_*.py")
        for names, test in re.findall(
            r"^@pytest\.mark\.quirk\((.*)\)\n(?:@.*\n)*def (\w+)\(", path.read_text(), re.M
        )
        for name in re.findall(r'"([\w-]+)"', names)
    }
    assert len(named) > 30
    assert named == marked
