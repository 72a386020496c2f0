"""Damaged pickles of arrays and memory: `python tests/stress/fuzz_pickle.py [CASES] [SEED]`.

A pickle is a program, so nobody may load one of a stranger. But damage by accident must not end the
process or make an array that is not whole. Here only the classes of arrays can be found.
"""

import io
import pickle
import random
import sys
import time

import numpy as np

import usmtensor as usm

CLASSES = {"_codecs": {"encode"}, "copyreg": {"__newobj__"}}  # and the names in usmtensor

# NumPy's part of a pickle stays whole, because NumPy crashes on a damaged one: the pickle has a
# number instead of it, and gets any of these.
PARTS = [np.arange(24.0).reshape(4, 6), np.ones(0, "?"), np.array(3j), np.array("x"), None, 7]
PARTS += [np.array([None]), np.arange(4, dtype=">i4"), np.arange(10, dtype="f4")[::-3], b"abcd"]


class Pickler(pickle.Pickler):
    def persistent_id(self, obj):
        return "part" if isinstance(obj, np.ndarray) else None


# In Python: the one in C allocates a table up to the largest number in a damaged pickle.
class Unpickler(pickle._Unpickler):
    def __init__(self, rng, content):
        super().__init__(io.BytesIO(content))
        self.rng = rng

    def persistent_load(self, number):
        return self.rng.choice(PARTS)

    def find_class(self, module, name):
        own = module.partition(".")[0] == "usmtensor" and name[:3] in ("usm", "Mem", "_un")
        if not (own or name in CLASSES.get(module, ())):
            raise pickle.UnpicklingError(f"{module}.{name}")
        return super().find_class(module, name)


def pickled(x, protocol):
    stream = io.BytesIO()
    Pickler(stream, protocol).dump(x)
    return stream.getvalue()


def damaged(rng, content):
    """Some bytes changed, removed, repeated or added."""
    content = bytearray(content)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(content))
        match rng.randrange(4):
            case 0:
                content[at] = rng.choice((0, 255, 127, rng.randrange(256)))
            case 1:
                del content[at : at + rng.randint(1, 8)]
            case 2:
                content[at:at] = content[at : at + 8]
            case _:
                content[at:at] = rng.randbytes(rng.randint(1, 8))
        if not content:
            break
    return bytes(content)


def originals(queue):
    values = np.arange(24)
    for dtype in ("?", "i1", "i8", "f4", "c8"):
        x = usm.asarray(values.astype(dtype).reshape(4, 6), sycl_queue=queue)
        yield from (x, x[::2, ::-1], x[:0], x[1, 1])
        yield x.usm_data
    yield usm.empty((2, 0, 3), usm_type="host", sycl_queue=queue)


def whole(found):
    """An array can be printed, read and changed."""
    if isinstance(found, usm.usm_ndarray):
        repr(found)
        usm.asnumpy(found)
        if found.flags.writable:
            found[...] = 0
    elif hasattr(found, "copy_to_host"):
        found.copy_to_host()


def main(cases=100_000, seed=0, queue=None):
    """The number of cases that give an object."""
    rng = random.Random(seed)
    queue = queue or usm.empty(0).sycl_queue
    pickles = [pickled(x, protocol) for x in originals(queue) for protocol in range(2, 6)]
    given = 0
    for _ in range(cases):
        content = damaged(rng, rng.choice(pickles))
        try:
            found = Unpickler(rng, content).load()
        except SystemError as error:
            raise AssertionError(str(error)) from error
        except Exception:
            continue
        try:
            whole(found)
        except (MemoryError, TypeError, AttributeError):  # of a class, which is not called
            assert type(found).__name__ != "usm_ndarray"
        given += 1
    return given


if __name__ == "__main__":
    start = time.time()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    found = main(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{count} cases, {found} objects, {time.time() - start:.0f} s")
