"""Index expressions against NumPy: `python tests/stress/fuzz_index.py [CASES] [SEED]`.

Each case reads `x[key]` and writes `x[key] = value`. usmtensor raises an error wherever NumPy does.
Where NumPy gives a result, the results are equal. The one exception: NumPy ignores an index out of
range that selects no element.
"""

import random
import sys
import time
import warnings

import numpy as np

import usmtensor as usm

SHAPES = [(), (0,), (1,), (5,), (3, 4), (2, 0, 3), (2, 3, 4), (1, 3, 1, 2)]
NUMBERS = [0, 1, 2, -1, -2, 3, 4, 5, -5, -6, 7, 2**31, -(2**31), 2**63 - 1, -(2**63), 2**64, 10**30]
DTYPES = ["?", "i1", "i4", "u8", "i8"]


class Index:
    """An object that says its number."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


def entry(rng, size):
    """One entry of a key, most of them for an axis of `size` elements."""

    def near():
        return rng.randint(-size - 1, size) if rng.random() < 0.2 else rng.randint(-size, size - 1)

    def number():
        return near() if rng.random() < 0.9 and size else rng.choice(NUMBERS)

    kind = rng.random()
    if kind < 0.25:
        return number()
    if kind < 0.55:
        parts = [rng.choice((None, number(), rng.choice(NUMBERS))) for _ in range(3)]
        return slice(*parts)
    if kind < 0.6:
        return None
    if kind < 0.65:
        return ...
    if kind < 0.68:
        return rng.choice((True, False, np.True_, np.False_))
    if kind < 0.72:
        return Index(number())
    if kind < 0.75:
        return rng.choice((1.5, "a", b"", object(), {}, 1j, np.float64(1), [], [[]], slice("a")))
    if kind < 0.85:
        shape = rng.choice(((1,), (2,), (3,), (2, 2), (0,), ()))
        values = [near() if size else 0 for _ in range(int(np.prod(shape)))]
        array = np.array(values, rng.choice(DTYPES[1:3] + DTYPES[4:])).reshape(shape)
        return array.tolist() if rng.random() < 0.4 and shape else array
    count = size if rng.random() < 0.8 else size + 1
    mask = np.array([rng.random() < 0.5 for _ in range(count)], bool)
    return mask.tolist() if rng.random() < 0.3 and count else mask


def draw(rng, shape):
    if rng.random() < 0.05:
        return np.array([rng.random() < 0.5 for _ in range(int(np.prod(shape)))], bool).reshape(
            shape
        )
    count = rng.randint(0, len(shape) + (rng.random() < 0.1))
    entries = [entry(rng, shape[k] if k < len(shape) else 1) for k in range(count)]
    return entries[0] if count == 1 and rng.random() < 0.5 else tuple(entries)


def beside(rng, key, queue):
    """The key, some of whose arrays are on the device."""
    if isinstance(key, tuple):
        return tuple(beside(rng, one, queue) for one in key)
    if isinstance(key, np.ndarray) and rng.random() < 0.5:
        return usm.asarray(key, sycl_queue=queue)
    return key


def attempt(call):
    """A result, and an error."""
    try:
        return call(), None
    except SystemError as error:
        raise AssertionError(str(error)) from error
    except Exception as error:
        return None, error


def run(rng, queue):
    """One case; True if it gives an array."""
    shape = rng.choice(SHAPES)
    host = np.arange(int(np.prod(shape)), dtype="i4").reshape(shape)
    order = rng.sample(range(len(shape)), len(shape))
    x = usm.asarray(host, sycl_queue=queue)
    host, x = host.transpose(order), usm.permute_dims(x, order)
    key = draw(rng, host.shape)
    own = beside(rng, key, queue)
    case = f"shape {host.shape}, key {key!r}"
    wanted, refused = attempt(lambda: host[key])
    found, error = attempt(lambda: x[own])
    if error is not None:
        assert isinstance(error, (IndexError, TypeError, ValueError, OverflowError)), (case, error)
        assert refused is not None or np.size(wanted) == 0, (case, error)
        return False
    assert refused is None, (case, refused, found)
    assert np.array_equal(usm.asnumpy(found), wanted), (case, found, wanted)
    assert found.shape == np.shape(wanted), case
    value = rng.choice((7, np.full(np.shape(wanted), 9, "i4"), np.ones((2, 2), "i4")))
    host, copy = host.copy(), usm.copy(x)
    _, refused = attempt(lambda: host.__setitem__(key, value))
    _, error = attempt(lambda: copy.__setitem__(own, value))
    assert (error is None) == (refused is None), (case, value, error, refused)
    if error is None:
        assert np.array_equal(usm.asnumpy(copy), host), (case, value, copy, host)
    return True


def main(cases=100_000, seed=0, queue=None):
    """The number of cases that give an array."""
    rng = random.Random(seed)
    queue = queue or usm.empty(0).sycl_queue
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sum(run(rng, queue) for _ in range(cases))


if __name__ == "__main__":
    start = time.time()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found = main(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{count} cases, {found} arrays, {time.time() - start:.0f} s")
