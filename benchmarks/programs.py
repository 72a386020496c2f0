"""`python -m benchmarks.programs [--only PATTERN] [--libraries NAME...] [--json FILE]
[--join FILE]`.

Runs the same program texts with NumPy, Numba, dpnp, CuPy, usmtensor, and usmtensor with `fuse`, and
prints a Markdown table of the times in ms. A time is the least of several samples, with all work
complete. The last two rows say how many times as fast usmtensor is: the geometric means
over the programs that both libraries run. CuPy is measured if usmtensor uses a CUDA device.

A library may be installed in another Python than usmtensor. Then `--libraries cupy --json FILE`
measures it there, and `--join FILE` adds its column here.
"""

import argparse
import importlib.util
import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import geometric_mean
from typing import Any, NamedTuple

import numpy

from .libraries import NUMPY, Library, cupy, dpnp, usmtensor
from .measure import interleave, statement, summary

REPETITIONS = 15


def heat_2d(a, b, *, np):
    """Ten steps of the heat equation, as a mean of neighbours."""
    for _ in range(10):
        b[1:-1, 1:-1] = 0.2 * (
            a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1]
        )
        a, b = b, a
    return a


def heat_3d(a, b, *, np):
    """Four steps of the heat equation in three dimensions."""
    for _ in range(4):
        inner = a[1:-1, 1:-1, 1:-1]
        b[1:-1, 1:-1, 1:-1] = (
            0.125 * (a[2:, 1:-1, 1:-1] - 2.0 * inner + a[:-2, 1:-1, 1:-1])
            + 0.125 * (a[1:-1, 2:, 1:-1] - 2.0 * inner + a[1:-1, :-2, 1:-1])
            + 0.125 * (a[1:-1, 1:-1, 2:] - 2.0 * inner + a[1:-1, 1:-1, :-2])
            + inner
        )
        a, b = b, a
    return a


def waves(ex, ey, hz, *, np):
    """Ten steps of Maxwell's equations in two dimensions."""
    for step in range(10):
        ey[0, :] = step
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return hz


def edges(x, *, np):
    """The strength of the edges of an image."""
    down = x[2:, :-2] + 2 * x[2:, 1:-1] + x[2:, 2:] - x[:-2, :-2] - 2 * x[:-2, 1:-1] - x[:-2, 2:]
    right = x[:-2, 2:] + 2 * x[1:-1, 2:] + x[2:, 2:] - x[:-2, :-2] - 2 * x[1:-1, :-2] - x[2:, :-2]
    return np.sqrt(down * down + right * right)


def distances(points, centres, *, np):
    """The squared distances of points to centres, as in k-means."""
    return np.sum(np.square(points[:, None] - centres), axis=2)


def k_means(points, centres, *, np):
    """Three rounds of k-means."""
    for _ in range(3):
        nearest = np.argmin(distances(points, centres, np=np), axis=1)
        centres = np.stack([np.mean(points[nearest == k], axis=0) for k in range(len(centres))])
    return centres


def softmax(x, *, np):
    """The softmax of rows."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def network(x, first, second, *, np):
    """The probabilities of ten classes, by a network with one hidden layer."""
    return softmax(np.maximum(x @ first, 0) @ second, np=np)


def n_body(position, velocity, mass, *, np):
    """Five steps of bodies that attract each other."""
    for _ in range(5):
        apart = position[:, None, :] - position[:, :, None]
        squares = np.sum(apart * apart, axis=0) + 0.01
        pull = mass / (squares * np.sqrt(squares))
        velocity += 0.01 * np.sum(apart * pull, axis=2)
        position += 0.01 * velocity
    return position


def great_circles(latitude, longitude, *, np):
    """The distances of places on the earth to one of them, in km."""
    a = np.square(np.sin((latitude - 0.83) / 2))
    a = a + np.cos(latitude) * 0.675 * np.square(np.sin((longitude - 0.15) / 2))
    return 12742.0 * np.arcsin(np.sqrt(a))


def call_prices(price, strike, years, *, np):
    """The prices of call options by Black and Scholes, with a logistic normal distribution."""
    spread = 0.2 * np.sqrt(years)
    d = (np.log(price / strike) + (0.03 + 0.02) * years) / spread
    above = 1 / (1 + np.exp(-1.702 * d))
    below = 1 / (1 + np.exp(-1.702 * (d - spread)))
    return price * above - strike * np.exp(-0.03 * years) * below


def asian_options(returns, *, np):
    """A Monte Carlo estimate of the mean payoff of an Asian option, from monthly returns."""
    price, total = 100.0, 0.0
    for month in range(len(returns)):
        price = price * np.exp(0.1 * (returns[month] - 0.99))
        total = total + price
    return np.mean(np.maximum(total / len(returns) - 100.0, 0.0))


# The shapes of the arguments.
PROGRAMS = {
    heat_2d: [(1200, 1200)] * 2,
    heat_3d: [(110, 110, 110)] * 2,
    waves: [(1200, 1200)] * 3,
    edges: [(2000, 2000)],
    distances: [(100_000, 64), (10, 64)],
    k_means: [(50_000, 32), (8, 32)],
    softmax: [(8000, 256)],
    network: [(8000, 256), (256, 128), (128, 10)],
    n_body: [(3, 600), (3, 600), (600,)],
    great_circles: [(2_000_000,)] * 2,
    call_prices: [(2_000_000,)] * 3,
    asian_options: [(12, 500_000)],
}


def arguments(shapes, dtype="f8"):
    """Values from 0.5 to 1.5."""
    random = numpy.random.default_rng(0)
    return [(random.random(shape) + 0.5).astype(dtype) for shape in shapes]


def by_numba(program):
    """The program compiled by Numba, which takes no namespace."""
    import numba

    names = {"np": numpy}
    exec(inspect.getsource(program).replace(", *, np)", ")"), names)
    compiled = numba.njit(parallel=True)(names[program.__name__])
    return lambda *arrays, np: compiled(*arrays)


def by_fuse(program):
    import usmtensor as usm

    return usm.fuse(program)


def ours() -> Library | None:
    return usmtensor()[0] if importlib.util.find_spec("usmtensor") else None


def numba() -> Library | None:
    return NUMPY if importlib.util.find_spec("numba") else None


def cupy_on_the_same_gpu() -> Library | None:
    """CuPy, except where usmtensor uses a device of another backend."""
    other = ours() and not usmtensor()[1].sycl_device.get_filter_string().startswith("cuda:")
    return None if other else cupy()


class Column(NamedTuple):
    """A column of the table: `compiled` turns a program into what the library runs."""

    head: str
    library: Callable[[], Library | None]
    compiled: Callable = lambda program: program


COLUMNS = {
    "numpy": Column("NumPy", lambda: NUMPY),
    "numba": Column("Numba", numba, by_numba),
    "dpnp": Column("dpnp", lambda: dpnp("dpnp")),
    "cupy": Column("CuPy", cupy_on_the_same_gpu),
    "usmtensor": Column("usmtensor", ours),
    "fuse": Column("`fuse`", ours, by_fuse),
}


def call(library: Library, program: Callable, hosts: list) -> Callable[[], Any]:
    """A function that runs the program to its end, and returns its result."""
    arrays = [library.array(x) for x in hosts]

    def run():
        result = program(*arrays, np=library.xp)
        if library.wait:
            library.wait()
        return result

    return run


def measured(program: Callable, libraries: dict[str, Library]) -> dict[str, dict]:
    """The summaries of the samples by column, without the columns that cannot run the program."""
    subjects = {}
    for name, library in libraries.items():
        compiled = COLUMNS[name].compiled(program)
        run = call(library, compiled, arguments(PROGRAMS[program]))
        try:
            run()
        except Exception as error:
            reason = str(error).strip().partition("\n")[0]
            print(f"{name} does not run {program.__name__}: {reason}", file=sys.stderr)
        else:
            subjects[name] = statement("run()", {"run": run})
    return {name: summary(found) for name, found in interleave(subjects, REPETITIONS).items()}


def rounded(value: float, digits: int) -> str:
    return f"{value:.{digits}g}" if value < 10**digits else f"{value:.0f}"


def table(results: dict[str, dict[str, dict]]) -> list[list[str]]:
    """The rows of the times in ms, and the means by which usmtensor and `fuse` are faster."""
    names = [name for name in COLUMNS if any(name in found for found in results.values())]
    times = {
        program: {name: 1e3 * found["least"] for name, found in columns.items()}
        for program, columns in results.items()
    }
    rows = [["program, ms", "arrays, float64", *(COLUMNS[name].head for name in names)]]
    rows.append(["---"] * len(rows[0]))
    for program, shapes in PROGRAMS.items():
        if found := times.get(program.__name__):
            sizes = " · ".join(" × ".join(map(str, shape)) for shape in dict.fromkeys(shapes))
            cells = (rounded(found[name], 3) if name in found else "-" for name in names)
            rows.append([program.__name__, sizes, *cells])
    own = ("usmtensor", "fuse")
    for fast in [name for name in own if name in names]:
        means = []
        for name in names:
            both = (found for found in times.values() if {name, fast} <= found.keys())
            ratios = [found[name] / found[fast] for found in both if name not in own]
            means.append(rounded(geometric_mean(ratios), 2) if ratios else "")
        rows.append([f"speed of {COLUMNS[fast].head}", "geometric mean", *means])
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.programs", description=__doc__)
    parser.add_argument("--only", metavar="PATTERN", default="", help="programs whose name matches")
    parser.add_argument("--libraries", nargs="+", choices=COLUMNS, default=list(COLUMNS))
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the samples to FILE")
    parser.add_argument(
        "--join", metavar="FILE", type=Path, help="add the columns of this JSON file"
    )
    options = parser.parse_args()
    ours()  # finds the CPU device, also for dpnp
    found = {name: COLUMNS[name].library() for name in options.libraries}
    libraries = {name: library for name, library in found.items() if library}
    if missing := found.keys() - libraries.keys():
        print(f"not installed, or on another device: {', '.join(sorted(missing))}", file=sys.stderr)
    results = {
        program.__name__: measured(program, libraries)
        for program in PROGRAMS
        if re.search(options.only, program.__name__)
    }
    if options.join:
        for case in json.loads(options.join.read_text(encoding="utf-8"))["cases"]:
            if case["name"] in results:
                results[case["name"]] |= case["subjects"]
    for row in table(results):
        print(f"| {' | '.join(row)} |")
    if options.json:
        cases = [
            {"group": "programs", "name": name, "unit": "s", "subjects": subjects}
            for name, subjects in results.items()
        ]
        options.json.write_text(json.dumps({"cases": cases}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
