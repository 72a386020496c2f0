"""`python -m benchmarks.programs`: whole programs, plain and fused, against NumPy and Numba.

Each program is one text for NumPy, for usmtensor, for usmtensor with `fuse`, and, if Numba is
installed, for `numba.njit(parallel=True)`. The times are the least of several calls that alternate;
the columns behind them are NumPy's time over usmtensor's."""

import inspect
import time

import numpy

import usmtensor as usm

try:
    import numba
except ImportError:
    numba = None

REPETITIONS = 9


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


def softmax(x, *, np):
    """The softmax of rows."""
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


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


# The shapes of the arguments.
PROGRAMS = {
    heat_2d: [(1200, 1200)] * 2,
    heat_3d: [(110, 110, 110)] * 2,
    waves: [(1200, 1200)] * 3,
    edges: [(2000, 2000)],
    distances: [(100_000, 64), (10, 64)],
    softmax: [(8000, 256)],
    great_circles: [(2_000_000,)] * 2,
    call_prices: [(2_000_000,)] * 3,
}


def arguments(shapes, dtype="f8"):
    """Values from 0.5 to 1.5."""
    random = numpy.random.default_rng(0)
    return [(random.random(shape) + 0.5).astype(dtype) for shape in shapes]


def seconds(function, arrays, namespace):
    queue = None if namespace is numpy else arrays[0].sycl_queue
    start = time.perf_counter()
    function(*arrays, np=namespace)
    if queue is not None:
        queue.wait()
    return time.perf_counter() - start


def by_numba(function, hosts):
    """The function compiled by Numba, which takes no namespace; None if it does not compile."""
    if numba is None:
        return None
    names = {"np": numpy}
    exec(inspect.getsource(function).replace(", *, np)", ")"), names)
    compiled = numba.njit(parallel=True)(names[function.__name__])
    try:
        compiled(*hosts)
    except numba.core.errors.NumbaError:
        return None
    return lambda *arrays, np: compiled(*arrays)


def main():
    print("| program | arrays, float64 | NumPy, ms | usmtensor | `fuse` | plain | fused | Numba |")
    print("|---|---|---|---|---|---|---|---|")
    for function, shapes in PROGRAMS.items():
        hosts = arguments(shapes)
        calls = [
            (function, hosts, numpy),
            (function, [usm.asarray(x) for x in hosts], usm),
            (usm.fuse(function), [usm.asarray(x) for x in hosts], usm),
        ]
        compiled = by_numba(function, hosts)
        if compiled is not None:
            calls.append((compiled, hosts, numpy))
        for call in calls:  # compiles
            seconds(*call)
        rounds = [[seconds(*call) for call in calls] for _ in range(REPETITIONS)]
        theirs, plain, fused, *more = (1e3 * min(times) for times in zip(*rounds, strict=True))
        sizes = " · ".join(" × ".join(map(str, shape)) for shape in dict.fromkeys(shapes))
        print(
            f"| {function.__name__} | {sizes} | {theirs:.3g} | {plain:.3g} | {fused:.3g} | "
            f"{theirs / plain:.2g} | {theirs / fused:.2g} | {f'{more[0]:.3g}' if more else '-'} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
