"""`python -m benchmarks.devices [--only PATTERN] [--largest N] [--markdown FILE]`.

Compares operations on large arrays with torch on the same device, as the table of docs/devices.md
shows them. A GPU needs 16 GB of memory; `--largest 20` limits the arrays to 2^20 elements. Without
torch, only usmtensor is measured. Each call waits for its work.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .libraries import Library, usmtensor
from .measure import interleave, statement
from .sizes import torch

HEADS = ["operation", "usmtensor", "torch", "ratio"]


@dataclass(frozen=True)
class Operation:
    """An operation on `OPERANDS`, by usmtensor and by torch."""

    name: str
    code: str
    torch: str = ""  # if it differs
    moved: int = 0  # bytes read and written for each element; 0: the table has times
    size: int = 28  # the exponent of the number of elements


OPERATIONS = [
    Operation("copy", "xp.copy(x)", "x.clone()", 8),
    Operation("x + y", "x + y", moved=12),
    Operation("x + 1.0", "x + 1.0", moved=8),
    Operation("exp", "xp.exp(x)", moved=8),
    Operation("sin", "xp.sin(x)", moved=8),
    Operation("sqrt", "xp.sqrt(x)", moved=8),
    Operation("fill", "o[...] = 3.0", "o.fill_(3.0)", 4),
    Operation("x > 0.5", "x > 0.5", moved=5),
    Operation("where", "xp.where(m, x, y)", moved=13),
    Operation("x * y + z by fuse", "multiply_add(x, y, z)", moved=16),
    Operation("random", "rng.random(out=o)", "o.uniform_()", 4),
    Operation("random float64", "rng.random(out=d)", "d.uniform_()", 8),
    Operation("standard_normal", "rng.standard_normal(out=o)", "o.normal_()", 4),
    Operation("cast to float64", "xp.astype(x, xp.float64)", "x.to(xp.float64)", 12, 27),
    Operation("cast from float64", "xp.astype(d, xp.float32)", "d.to(xp.float32)", 12, 27),
    Operation("x[::2] copied", "xp.copy(x[::2])", "x[::2].clone()", 4),
    Operation("x[::-1] copied", "xp.copy(x[::-1], order='C')", "x.flip(0)", 8),
    Operation(
        "rows without their last 32 elements", "xp.copy(a[:, :-32])", "a[:, :-32].clone()", 8
    ),
    Operation("a row added to a matrix", "a + v", moved=8),
    Operation("transpose copied", "xp.copy(a.T, order='C')", "a.T.contiguous()", 8),
    Operation("take, int32 indices", "xp.take(x, q)", "xp.index_select(x, 0, q)", 12, 26),
    Operation("x[permutation]", "x[p]", moved=16, size=26),
    Operation("x[i] = y", "o[p] = y", moved=16, size=26),
    Operation("x[mask], half of it true", "x[m]", moved=7),
    Operation("x[mask] = 2.0", "o[m] = 2.0", moved=3),
    Operation("nonzero", "xp.nonzero(m)", moved=5),
    Operation("complex64 product in place", "b = c; b *= w", moved=24, size=27),
    Operation("sum", "xp.sum(x)", moved=4),
    Operation("sum of columns", "xp.sum(a, axis=0)", "a.sum(0)", 4),
    Operation("sum of rows", "xp.sum(a, axis=1)", "a.sum(1)", 4),
    Operation("sum(x * y) by fuse", "dot(x, y)", "xp.dot(x, y)", 8),
    Operation("max", "xp.max(x)", moved=4),
    Operation("argmax", "xp.argmax(x)", moved=4),
    Operation("argmax of rows", "xp.argmax(a, axis=1)", "a.argmax(1)", 4),
    Operation("argmax of columns", "xp.argmax(a, axis=0)", "a.argmax(0)", 4),
    Operation("all", "xp.all(t)", moved=1),
    Operation("std", "xp.std(x)", moved=4),
    Operation("cumulative_sum", "xp.cumulative_sum(x)", "x.cumsum(0)", 8),
    Operation("cumulative_sum of rows", "xp.cumulative_sum(a, axis=1)", "a.cumsum(1)", 8),
    Operation("cumulative_sum of columns", "xp.cumulative_sum(a, axis=0)", "a.cumsum(0)", 8),
    Operation("vecdot", "xp.vecdot(x, y)", "xp.dot(x, y)", 8),
    Operation("a matrix times a vector", "a @ v", moved=4),
    Operation("a vector times a matrix", "v @ a", moved=4),
    Operation("sort", "xp.sort(x)", "x.sort()", size=26),
    Operation("argsort", "xp.argsort(x)", "x.argsort()", size=26),
    Operation("sort of rows of 256", "xp.sort(r, axis=1)", "r.sort(1)", size=24),
    Operation("unique values", "xp.unique_values(i)", "i.unique()", size=24),
    Operation("product of matrices", "a @ a", size=24),
    *(
        Operation(f"{name} of 8 elements", code, in_torch, size=3)
        for name, code, in_torch in (
            ("x + y", "x + y", ""),
            ("copy", "xp.copy(x)", "x.clone()"),
            ("astype", "xp.astype(x, xp.float64)", "x.to(xp.float64)"),
            ("sum", "xp.sum(x)", ""),
        )
    ),
]


def operands(size: int) -> dict[str, Any]:
    """Functions that make the operands of 2^size elements, by name."""
    random, n = np.random.default_rng(0), 1 << size
    side = 1 << size // 2

    def samples() -> np.ndarray:
        return random.random(n, dtype="f4")

    return {
        **dict.fromkeys("xyzo", samples),
        "d": lambda: samples().astype("f8"),
        "m": lambda: samples() > 0.5,
        "t": lambda: np.ones(n, dtype=bool),
        "p": lambda: random.permutation(n),
        "q": lambda: random.permutation(n).astype("i4"),
        "i": lambda: random.integers(0, n, n, dtype="i4"),
        "a": lambda: samples()[: side * side].reshape(side, side),
        "v": lambda: random.random(side, dtype="f4"),
        "r": lambda: samples().reshape(-1, 256),
        "c": lambda: np.exp(2j * np.pi * samples()).astype("c8"),
        "w": lambda: np.exp(2j * np.pi * samples()).astype("c8"),
    }


def namespace(library: Library, hosts: dict[str, np.ndarray]) -> dict[str, Any]:
    xp = library.xp
    names: dict[str, Any] = {"xp": xp, "wait": library.wait}
    if library.name == "torch":
        make, compiled = xp.tensor, xp.compile
    else:
        make, compiled = xp.asarray, xp.fuse
        names |= {"rng": xp.random.default_rng(0), "dot": xp.fuse(lambda x, y: xp.sum(x * y))}
    names["multiply_add"] = compiled(lambda x, y, z: x * y + z)
    keywords = dict(library.keywords)
    return names | {name: make(values, **keywords) for name, values in hosts.items()}


def measured(operations: list[Operation], largest: int) -> Iterator[tuple[Operation, int, dict]]:
    """The median times of the libraries, and the number of elements."""
    libraries = [library for library in (usmtensor()[0], torch()) if library]
    for operation in operations:
        size = min(operation.size, largest)
        codes = {"usmtensor": operation.code, "torch": operation.torch or operation.code}
        makers = operands(size)
        used = {name for code in codes.values() for name in re.findall(r"\b[a-z]\b", code)}
        hosts = {name: makers[name]() for name in sorted(used & makers.keys())}
        subjects = {
            library.name: statement(library.timed(codes[library.name]), namespace(library, hosts))
            for library in libraries
        }
        times = {name: median(found) for name, found in interleave(subjects, 15).items()}
        yield operation, 1 << size, times


def row(operation: Operation, elements: int, times: dict[str, float]) -> list[str]:
    def shown(name: str) -> str:
        if name not in times:
            return ""
        if operation.moved:
            return f"{elements * operation.moved / times[name] / 1e9:,.0f} GB/s"
        return f"{times[name] * 1e3:.3g} ms"

    ratio = f"{times['torch'] / times['usmtensor']:.2f}" if "torch" in times else ""
    return [operation.name, shown("usmtensor"), shown("torch"), ratio]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.devices", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="", help="operations by name")
    parser.add_argument("--largest", metavar="N", type=int, default=28, help="at most 2^N elements")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the table to FILE")
    options = parser.parse_args()
    operations = [one for one in OPERATIONS if re.search(options.only, one.name)]
    rows = [row(*found) for found in measured(operations, options.largest)]
    table = Table(*HEADS, title=usmtensor()[1].sycl_device.name)
    for cells in rows:
        table.add_row(escape(cells[0]), *cells[1:])
    Console(width=100).print(table)
    if options.markdown:
        lines = [HEADS, ["---"] * len(HEADS), *rows]
        text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        options.markdown.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
