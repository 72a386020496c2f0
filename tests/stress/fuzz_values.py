"""Extreme values on odd views: `python tests/stress/fuzz_values.py [CASES] [SEED]`.

Every elementwise function, reductions, scans, sorting, searching, indexing, products and casts. An
output in the middle of a larger array has equal bits as a new one, and the elements around it keep
their values. Under the sanitizers each access to the elements around an operand is a fault, too.
"""

import contextlib
import random
import sys
import time
import warnings
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from sanitizers import poisoned
from strategies import supported_dtypes

import usmtensor as usm

SIZES = [0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 64, 100, 255, 256, 257, 1000, 1023, 4097]
MARGIN = 16  # elements around an operand
ERRORS = (TypeError, ValueError, IndexError, OverflowError, usm.linalg.LinAlgError)


def extremes(dtype):
    """The limits of a type and values near them."""
    if dtype.kind == "b":
        return [False, True]
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        near = [limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1, 2, 7]
        return near + [-1, -2] * (limits.min < 0)
    limits = np.finfo(dtype)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.5, 1e-3, limits.tiny, limits.eps]
    special += [limits.max, -limits.max, limits.smallest_subnormal]
    if dtype.kind == "f":
        return special
    return [complex(x, y) for x in special for y in special]


with np.errstate(all="ignore"):
    VALUES = {dtype: np.array(extremes(dtype), dtype) for dtype in supported_dtypes()}
TYPES = list(VALUES)
ELEMENTWISE = [
    function
    for name in usm.__all__
    if isinstance(
        function := getattr(usm, name), usm.UnaryElementwiseFunc | usm.BinaryElementwiseFunc
    )
]
REDUCTIONS = "sum prod max min argmax argmin any all count_nonzero mean var std logsumexp"
SCANS = "cumulative_sum cumulative_prod cumulative_logsumexp diff sort argsort flip"
SETS = "unique_all unique_counts unique_inverse unique_values nonzero"
PAIRS = "searchsorted isin vecdot tensordot matmul"


class Operand:
    """A view in the middle of a larger array, with every, every third or the reversed elements."""

    def __init__(self, rng, values, queue):
        step = rng.choice((1, 1, 3, -1))
        # A start at any multiple of the itemsize, so that vectors are not aligned.
        start = MARGIN + rng.randrange(8)
        end = start + values.size * abs(step)
        self.around = np.resize(VALUES[values.dtype], end + MARGIN)
        self.around[start:end][::step] = values
        self.outside = np.ones(self.around.size, bool)
        self.outside[start:end][::step] = False
        self.whole = usm.asarray(self.around, sycl_queue=queue)
        self.view = self.whole[start:end][::step]
        address, itemsize = self.whole.usm_data._pointer, values.dtype.itemsize
        self.margins = (address, start * itemsize), (address + end * itemsize, MARGIN * itemsize)

    def check(self):
        """The elements around the view have their values."""
        found = usm.asnumpy(self.whole)[self.outside]
        assert found.tobytes() == self.around[self.outside].tobytes(), "an element around an output"


@contextlib.contextmanager
def guarded(operands):
    with contextlib.ExitStack() as stack:
        for operand in operands:
            for margin in operand.margins:
                stack.enter_context(poisoned(*margin))
        yield


def bits(x):
    """The values, each NaN alike."""
    x = usm.asnumpy(x).copy()
    for part in (x.real, x.imag) if x.dtype.kind == "c" else (x,):
        if x.dtype.kind in "fc":
            part[np.isnan(part)] = np.nan
    return x.tobytes()


class Case:
    """Calls with operands of one size."""

    def __init__(self, rng, queue):
        self.rng, self.queue = rng, queue
        self.size = rng.choice(SIZES)
        self.operands = []
        self.x = self.operand(rng.choice(TYPES))

    def operand(self, dtype, size=None):
        values = VALUES[np.dtype(dtype)]
        places = self.rng.choices(range(values.size), k=self.size if size is None else size)
        self.operands.append(Operand(self.rng, values[places], self.queue))
        return self.operands[-1].view

    def call(self, function, *args, **keywords):
        """Calls a function; some results go into the middle of a larger array, too."""
        with guarded(self.operands):
            result = function(*args, **keywords)
        if not isinstance(result, usm.usm_ndarray) or result.ndim != 1 or self.rng.random() < 0.5:
            return
        out = self.operand(result.dtype, result.size)
        with guarded(self.operands):
            try:
                function(*args, **keywords, out=out)
            except TypeError:  # it takes no output
                return
        self.operands[-1].check()
        assert bits(out) == bits(result), "another output, other values"

    def elementwise(self):
        function, others = self.rng.choice(ELEMENTWISE), []
        for _ in range(function.nin - 1):
            dtype = self.x.dtype if self.rng.random() < 0.7 else self.rng.choice(TYPES)
            number = self.rng.choice(VALUES[dtype]).item()
            others.append(number if self.rng.random() < 0.2 else self.operand(dtype))
        self.call(function, self.x, *others)

    def cast(self):
        dtype = self.rng.choice(TYPES)
        self.call(lambda x: usm.astype(x, dtype), self.x)

    def rows(self):
        """Reductions and scans of rows and columns."""
        rows = self.rng.choice((1, 2, 3, 7))
        x = usm.reshape(self.x[: self.size // rows * rows], (rows, -1), copy=False)
        x = self.rng.choice((x, x.T, x[::-1], x[:, ::-1]))
        name = self.rng.choice(f"{REDUCTIONS} {SCANS}".split())
        self.call(getattr(usm, name), x, axis=self.rng.choice((0, 1, -1)))

    def line(self):
        name = self.rng.choice(f"{REDUCTIONS} {SCANS} {SETS}".split())
        self.call(getattr(usm, name), self.x)

    def pair(self):
        name, x, y = self.rng.choice(PAIRS.split()), self.x, self.operand(self.x.dtype)
        if name == "searchsorted":
            x = usm.sort(x)
        self.call(getattr(usm, name), x, y, **({"axes": 1} if name == "tensordot" else {}))

    def indexed(self):
        x, count = self.x, self.rng.choice((1, 9, 70))
        indices = [self.rng.randrange(-self.size, self.size) for _ in range(count)]
        picks, mask = usm.asarray(indices, sycl_queue=self.queue), self.operand("?")
        mode = self.rng.choice(("wrap", "clip"))
        self.call(
            self.rng.choice(
                (
                    lambda: usm.take(x, picks, mode=mode),
                    lambda: usm.put(x, picks, x[:1], mode=mode),
                    lambda: x[mask],
                    lambda: x[picks],
                    lambda: x.__setitem__(mask, x[:1]),
                    lambda: x.__setitem__(picks, x[0]),
                    lambda: usm.where(mask, x, x[::-1]),
                )
            )
        )
        self.operands[0].check()

    def run(self):
        """True if it gives a result."""
        kinds = [self.elementwise, self.elementwise, self.cast, self.rows, self.line, self.pair]
        try:
            self.rng.choice([*kinds, self.indexed])()
        except ERRORS:
            return False
        return True


def main(cases=10_000, seed=0, queue=None):
    """The number of cases that give a result."""
    found = 0
    queue = queue or usm.empty(0).sycl_queue
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(cases):
            try:
                found += Case(random.Random(f"{seed} {number}"), queue).run()
            except Exception as error:
                error.add_note(f"case {number} of the seed {seed}")
                raise
    return found


if __name__ == "__main__":
    start = time.time()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    found = main(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{count} cases, {found} results, {time.time() - start:.0f} s")
