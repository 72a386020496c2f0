"""`python -m benchmarks.sizes [--quick] [--only PATTERN] [--markdown FILE] [--json FILE]`.

Compares each family of operations with NumPy, and with torch and dpnp if installed, from 8 to 10^7
elements, with all work complete. Results are new arrays unless the code has `out`. usmtensor takes
them from its pool, which saves NumPy's page faults.
"""

import argparse
import importlib
import json
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

from .libraries import NUMPY, Library, dpnp, usmtensor
from .measure import Subject, interleave, statement, summary
from .report import machine

SIZES = [8, 10**3, 10**4, 10**5, 10**6, 10**7]


@dataclass(frozen=True)
class Family:
    """An operation on x, y (float32), m (bool), i (positions) and out."""

    name: str
    code: str
    torch: str = ""
    numpy: str = ""
    moved: int = 8  # bytes read and written for each element, or 0: no comparison with a copy
    most: int = 10**7  # elements

    def in_(self, library: str) -> str:
        return {"torch": self.torch, "numpy": self.numpy}.get(library) or self.code


FAMILIES = [
    Family("x + y", "x + y", moved=12),
    Family("x * 2.0", "x * 2.0"),
    Family("x < y", "x < y", moved=9),
    Family("x += y", "z = out; z += y", moved=12),
    Family("astype f8", "xp.astype(x, xp.float64)", "x.to(xp.float64)", "x.astype('f8')", 12),
    Family("where", "xp.where(m, x, y)", moved=13),
    Family("copy", "xp.copy(x)", "x.clone()", "x.copy()"),
    Family("fill", "out[...] = 3.0", "out.fill_(3.0)", "out.fill(3.0)", 4),
    Family("exp", "xp.exp(x)"),
    Family("log", "xp.log(x)"),
    Family("sin", "xp.sin(x)"),
    Family("tanh", "xp.tanh(x)"),
    Family("pow", "x ** y", moved=12),
    Family("x[::2] + y[::2]", "x[::2] + y[::2]", moved=10),
    Family("x[mask]", "x[m]", moved=7),
    Family("x[i]", "x[i]", moved=16),
    Family("take", "xp.take(x, i)", moved=16),
    Family("nonzero", "xp.nonzero(m)", moved=5),
    Family("1,000 steps z + y", "sum([y] * 1000, x)", moved=0, most=10**4),
]


def torch() -> Library | None:
    """torch, if it is installed: on the GPU of usmtensor if CUDA drives it, or else on the CPU."""
    try:
        xp = importlib.import_module("torch")
    except ImportError:
        return None
    place = usmtensor()[1].sycl_device.get_filter_string(include_device_type=False)
    if not place.startswith("cuda:"):
        return Library("torch", xp)
    return Library("torch", xp, lambda: xp.cuda.synchronize(place), (("device", place),))


def namespace(library: Library, size: int) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    x, y = (generator.random(size, dtype="f4") + 0.5 for _ in range(2))
    arrays = {"x": x, "y": y, "out": x, "m": x > 1, "i": generator.permutation(size)}
    make = library.xp.tensor if library.name == "torch" else library.xp.asarray
    arrays = {name: make(values, **dict(library.keywords)) for name, values in arrays.items()}
    return {"xp": library.xp, "wait": library.wait, **arrays}


def memcpy(nbytes: int) -> Subject:
    """The queue's own copy, which reads and writes `nbytes` and waits."""
    library, queue = usmtensor()
    source, target = (library.array(np.zeros(nbytes, "u1")) for _ in range(2))
    names = {"copy": queue.memcpy, "a": source.usm_data, "b": target.usm_data, "n": nbytes}
    return statement("copy(b, a, n)", names)


def measured(families: list[Family], repetitions: int) -> Iterator[tuple[Family, int, dict]]:
    """The samples of each library in seconds, by its name."""
    libraries = [one for one in (NUMPY, usmtensor()[0], torch(), dpnp()) if one]
    for size in SIZES:
        spaces = {library.name: namespace(library, size) for library in libraries}
        for family in families:
            if size > family.most:
                continue
            subjects = {
                library.name: statement(
                    library.timed(family.in_(library.name)), spaces[library.name]
                )
                for library in libraries
            }
            if family.moved:
                subjects["memcpy"] = memcpy(size * family.moved // 2)
            samples = interleave(subjects, repetitions)
            yield family, size, samples


def rows(results: dict[tuple[str, int], dict[str, float]]) -> Iterator[list[str]]:
    """A row per family: NumPy's time divided by usmtensor's, by size."""
    for name in dict.fromkeys(family for family, _ in results):
        yield [name, *ratios(results, name, "numpy")]


def ratios(results: dict[tuple[str, int], dict[str, float]], name: str, to: str) -> list[str]:
    """Another library's time divided by usmtensor's, by size."""
    found = [results.get((name, size)) for size in SIZES]
    return [f"{times[to] / times['usmtensor']:.2f}" if times else "" for times in found]


def as_cases(samples: dict[tuple[str, int], dict[str, list[float]]]) -> list[dict]:
    """The samples as cases of `python -m benchmarks`, a group for each family."""
    return [
        {
            "group": group,
            "name": f"{size:,}",
            "unit": "s",
            "against": "numpy",
            "error": None,
            "subjects": {name: summary(times) for name, times in found.items()},
        }
        for (group, size), found in samples.items()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sizes", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--only", metavar="PATTERN", default="", help="families whose name matches")
    parser.add_argument("--markdown", metavar="FILE", type=Path, help="write the table to FILE")
    parser.add_argument("--json", metavar="FILE", type=Path, help="for pictures and --compare")
    options = parser.parse_args()
    families = [family for family in FAMILIES if re.search(options.only, family.name)]
    samples = {
        (family.name, size): times
        for family, size, times in measured(families, 5 if options.quick else 15)
    }
    results = {
        key: {name: median(times) for name, times in found.items()}
        for key, found in samples.items()
    }
    heads = ["f4", *(f"{size:,}" for size in SIZES)]
    table = Table(*heads, title="NumPy's time / usmtensor's")
    for row in rows(results):
        table.add_row(escape(row[0]), *row[1:])
    console = Console(width=110)
    console.print(table)
    own = {"numpy", "usmtensor", "memcpy"}
    others = [name for name in next(iter(results.values())) if name not in own]
    for other in others:
        against = Table(*heads, title=f"{other}'s time / usmtensor's")
        for name in dict.fromkeys(family for family, _ in results):
            against.add_row(escape(name), *ratios(results, name, other))
        console.print(against)
    if options.markdown:
        lines = [heads, ["---"] * len(heads), *rows(results)]
        text = "".join(f"| {' | '.join(line)} |\n" for line in lines)
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        content = {"machine": machine(), "cases": as_cases(samples)}
        options.json.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
