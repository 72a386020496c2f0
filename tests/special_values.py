"""Values of special functions: special_values.txt, rounded to float64 from many digits.

`python tests/special_values.py` writes the file again; it needs mpmath. Arguments are exact in
float32: some at which the formulas change, and random ones.
"""

from pathlib import Path

import numpy as np

FILE = Path(__file__).with_suffix(".txt")

# Intervals of random arguments, and further arguments.
NEAR = [2.0**-k for k in (3, 8, 13, 20, 30)]
BELOW_ONE = [0.25, 0.5, 0.75, *NEAR, *(1 - x for x in NEAR[:4]), *(0.5 + x for x in NEAR[:4])]
TAILS = [2.0**-k for k in (3, 10, 24, 40, 52, 70, 100, 126)]
POSITIVE = [1e-3, 0.49, 0.51, 0.99, 1.01, 1.49, 1.51, 2.49, 2.51, 7.99, 8, 8.01]
ARGUMENTS = {
    "digamma": [(0, 3), (1, 9), (-4, 0), (8, 1000)],
    "entr": [(0, 1), (0, 10), (0.9, 1.1)],
    "erf": [(-3, 3), (0.9, 1.1), (-0.1, 0.1)],
    "erfc": [(-3, 3), (0, 10), (0, 1)],
    "erfcinv": [(0, 2), (0, 0.1), (0.9, 1.1)],
    "erfinv": [(-1, 1), (0.9, 1), (-0.1, 0.1)],
    "expit": [(-10, 10), (-80, 0), (0, 20)],
    "gamma": [(0, 9), (8, 34), (-5, 0), (0, 3)],
    "gammaln": [(0, 3), (0, 9), (8, 1000), (-2, 0)],
    "i0": [(-10, 10), (7, 9), (0, 85)],
    "i0e": [(-10, 10), (7, 9), (0, 1000)],
    "i1": [(-10, 10), (7, 9), (0, 85)],
    "i1e": [(-10, 10), (7, 9), (0, 1000)],
    "log_expit": [(-10, 10), (-80, 0), (0, 80)],
    "log_ndtr": [(-5, 5), (-40, 0), (0, 12)],
    "logit": [(0, 1), (0.4, 0.6)],
    "ndtr": [(-5, 5), (-12, 0), (-1, 1)],
    "ndtri": [(0, 1), (0, 0.1), (0.4, 0.6)],
    "softplus": [(-10, 10), (-80, 0), (0, 80)],
}
MORE = {
    "digamma": [*POSITIVE, 1.4616321325302124, 1.4616322517395020, -0.5, -7.5],
    "entr": TAILS,
    "erf": [*NEAR, 0.99, 1, 1.01, 2, 5],
    "erfc": [*NEAR, 0.99, 1.01, 5, 9, 9.5, -5],
    "erfcinv": [*TAILS, 1.5, 1 + 2.0**-20],
    "erfinv": [*NEAR, *(1 - x for x in NEAR[:4]), -0.75],
    "expit": [*NEAR, 0.0],
    "gamma": [*POSITIVE, -0.5, -20.5, 34.5],
    "gammaln": [*POSITIVE, 1 + 2.0**-20, 2 - 2.0**-20, 1e30, -20.5],
    "i0": [*NEAR, 7.99, 8, 8.01],
    "i0e": [*NEAR, 7.99, 8, 8.01, 1e30],
    "i1": [*NEAR, 7.99, 8, 8.01],
    "i1e": [*NEAR, 7.99, 8, 8.01, 1e30],
    "log_expit": [*NEAR, 0.0],
    "log_ndtr": [*NEAR, 0.0, -1e5],
    "logit": [*BELOW_ONE, *TAILS],
    "ndtr": [*NEAR, 0.0, -12.5],
    "ndtri": [*BELOW_ONE, *TAILS],
    "softplus": [*NEAR, 0.0],
}
PAIRS = {
    "kl_div": [(0.5, 1), (1, 0.5), (1, 1.0000001), (3, 3.001), (1e20, 1e-20), (1e-20, 1e20)],
    "rel_entr": [(0.5, 1), (1, 0.5), (1, 1.0000001), (3, 3.001), (1e10, 1e-20), (1e-20, 1e20)],
    "xlog1py": [(2, 1e-10), (-3, -0.999), (1, 1e20), (0, -1), (3, -1e-3)],
    "xlogy": [(2, 1.0000001), (-3, 1e-30), (1, 1e20), (0, 0), (3, 0.999)],
}


def stored():
    """The arguments and the values of each function: float64 arrays."""
    found = {}
    for line in FILE.read_text().splitlines():
        name, *numbers = line.split()
        found.setdefault(name, []).append([float(x) for x in numbers])
    return {name: tuple(np.array(rows).T) for name, rows in found.items()}


def exact_functions():
    import mpmath as mp

    mp.mp.dps = 60

    def erfcinv(q):
        if q == 1:
            return mp.mpf(0)
        if q > 1:
            return -erfcinv(2 - q)
        return mp.findroot(lambda y: mp.log(mp.erfc(y)) - mp.log(q), mp.sqrt(-mp.log(q / 2)) / 1.2)

    def scaled(order):
        return lambda x: mp.besseli(order, x) * mp.exp(-abs(x))

    return {
        "digamma": mp.digamma,
        "entr": lambda x: -x * mp.log(x),
        "erf": mp.erf,
        "erfc": mp.erfc,
        "erfcinv": erfcinv,
        "erfinv": lambda x: erfcinv(1 - x),
        "expit": lambda x: 1 / (1 + mp.exp(-x)),
        "gamma": mp.gamma,
        "gammaln": lambda x: mp.log(abs(mp.gamma(x))) if abs(x) < 1e3 else mp.loggamma(x),
        "i0": lambda x: mp.besseli(0, x),
        "i0e": scaled(0),
        "i1": lambda x: mp.besseli(1, x),
        "i1e": scaled(1),
        "kl_div": lambda x, y: x * mp.log(x / y) - x + y,
        "log_expit": lambda x: -mp.log1p(mp.exp(-x)),
        "log_ndtr": lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2),
        "logit": lambda x: mp.log(x) - mp.log1p(-x),
        "ndtr": lambda x: mp.erfc(-x / mp.sqrt(2)) / 2,
        "ndtri": lambda x: -mp.sqrt(2) * erfcinv(2 * x),
        "rel_entr": lambda x, y: x * mp.log(x / y),
        "xlog1py": lambda x, y: x * mp.log1p(y) if x else mp.mpf(0),
        "xlogy": lambda x, y: x * mp.log(y) if x else mp.mpf(0),
        # Append new functions here: the random arguments of the others then stay the same.
        "softplus": lambda x: mp.log1p(mp.exp(x)),
    }


def main():
    import mpmath as mp

    random = np.random.default_rng(0)
    lines = []
    for name, function in exact_functions().items():
        if name in PAIRS:
            points = [*PAIRS[name], *random.uniform(0, 3, (20, 2))]
        else:
            points = [(x,) for interval in ARGUMENTS[name] for x in random.uniform(*interval, 7)]
            points += [(x,) for x in MORE[name]]
        for point in points:
            point = [float(np.float32(x)) for x in point]
            value = mp.nstr(function(*map(mp.mpf, point)), 17)
            lines.append(" ".join([name, *map(repr, point), str(float(value))]))
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
