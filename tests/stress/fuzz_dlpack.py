"""Random DLPack structures: `python tests/stress/fuzz_dlpack.py [CASES] [SEED]`.

A case is a tensor with random fields near the limits of legal values. A model says whether the
tensor is legal, and computes its elements. A legal tensor must give an array of these elements, any
other a Python error, and the deleter must run once. Fields that a consumer cannot check, such as
the length of the shape, are always right.
"""

import ctypes
import math
import random
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dlpack_structs import K_CPU, K_ONE_API, READ_ONLY, DataType, Producer

import usmtensor as usm

SIZE = 1 << 22  # every driver allocates this by itself, not in a larger block
EDGE = 256
DTYPES = [np.dtype(c) for c in ("?", "i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16")]
EXTREMES = (-(2**63), -(2**62), -(2**31), 2**31, 2**59, 2**62, 2**63 - 1)


class Ground:
    """The memory of the random tensors, and its content on the host."""

    def __init__(self, usm_type, queue):
        self.host = np.arange(SIZE, dtype="u1") % 2  # a pattern that is a legal bool everywhere
        self.array = usm.asarray(self.host, usm_type=usm_type, sycl_queue=queue)
        self.pointer = self.array._pointer
        self.device = self.array.__dlpack_device__()


def extent(rng):
    return rng.choice(EXTREMES) if rng.random() < 0.03 else rng.choice((0, 1, 1, 2, 3, 4, -1))


def stride(rng):
    return rng.choice(EXTREMES) if rng.random() < 0.03 else rng.randint(-6, 6)


def draw(rng, ground):
    dtype = rng.choice(DTYPES)
    shape = [
        abs(extent(rng)) if rng.random() < 0.9 else extent(rng)
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4)))
    ]
    shape = [min(n, 2**63 - 1) for n in shape]
    strides = None if rng.random() < 0.3 else [stride(rng) for _ in shape]
    offset = rng.choice(EXTREMES[3:]) if rng.random() < 0.03 else rng.randrange(EDGE + 8)
    if rng.random() < 0.5:
        offset += SIZE - EDGE
    if rng.random() < 0.8:
        offset -= offset % dtype.itemsize
    device = ground.device
    if rng.random() < 0.08:
        device = rng.choice(
            ((K_ONE_API, -1), (K_ONE_API, 2**31 - 1), (K_ONE_API, 99), (0, 0), (2, 0), (-1, 0))
        )
    elif rng.random() < 0.1:
        device = (K_CPU, 0)
    fields = DataType.of(dtype)
    if rng.random() < 0.05:
        fields = DataType(rng.randrange(256), rng.randrange(256), rng.choice((0, 1, 2, 65535)))
    version = rng.choice((None, (1, 0), (1, 3), (1, 99)))
    if rng.random() < 0.05:
        version = rng.choice(((0, 8), (2, 0), (2**32 - 1, 0)))
    return {
        "data": None if rng.random() < 0.03 else ground.pointer,
        "shape": None if not shape and rng.random() < 0.5 else shape,
        "dtype": fields,
        "strides": strides,
        "device": device,
        "byte_offset": offset,
        "version": version,
        "flags": rng.choice((0, READ_ONLY, 2, 3, 2**63)),
        "deleter": rng.random() < 0.9,
    }


def c_strides(shape):
    strides, step = [], 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= n
    return strides


# Results: the elements leave the memory; too many repeated elements.
OUTSIDE, REPEATED = object(), object()


def expected(case, ground):
    """The elements of the array, None if the tensor is not legal, or one of the above."""
    fields = case["dtype"]
    dtype = next(
        (
            d
            for d in (*DTYPES, *map(np.dtype, ("u1", "i2", "u4", "i8", "f2")))
            if bytes(DataType.of(d)) == bytes(fields)
        ),
        None,
    )
    shape = case["shape"] or []
    if dtype is None or any(n < 0 for n in shape):
        return None
    if case["version"] is not None and case["version"][0] != 1:
        return None
    if case["device"] not in (ground.device, (K_CPU, 0)):
        return None
    total = 1
    for n in shape:
        total *= n or 1  # strides must fit 64 bits too
    if total * (dtype.itemsize if case["device"] == (K_CPU, 0) else 1) >= 2**63:
        return None
    if math.prod(shape) > 2**57:  # more than the library takes, repeated or not
        return None
    strides = c_strides(shape) if case["strides"] is None else case["strides"]
    if 0 in shape:
        return np.empty(0, dtype)  # the caller compares the shape
    if case["data"] is None:
        return None
    low = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s < 0)
    high = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s > 0)
    start = case["byte_offset"]
    if start + low * dtype.itemsize < 0 or start + (high + 1) * dtype.itemsize > SIZE:
        return OUTSIDE
    if case["device"][0] == K_ONE_API and start % min(dtype.itemsize, 8):
        return None
    if total > EDGE**2:
        return REPEATED
    view = np.ndarray(
        shape,
        dtype,
        ground.host[start + low * dtype.itemsize :][: (high - low + 1) * dtype.itemsize].tobytes(),
        -low * dtype.itemsize,
        [
            s * dtype.itemsize
            for s in (s if n > 1 else 0 for n, s in zip(shape, strides, strict=True))
        ],
    )
    return view


def run(rng, ground, host):
    """One case; True if it gives an array."""
    case = draw(rng, ground)
    want = expected(case, ground)
    given = dict(case)
    if case["device"] == (K_CPU, 0):
        if want is OUTSIDE or want is REPEATED:  # the bounds of host memory are unknown
            return False
        given["data"] = None if case["data"] is None else host
    producer = Producer(**given)
    capsule = producer.capsule()
    deleter = case["deleter"]

    class Once:
        def __dlpack__(self, **keywords):
            return capsule

        def __dlpack_device__(self):
            return case["device"]

    try:
        array = usm.from_dlpack(Once())
    except (BufferError, TypeError, ValueError) as error:
        assert want is None or want is OUTSIDE, (case, error)
        assert not producer.deleted
        Producer.alive.clear()
        return False
    assert want is not None and want is not OUTSIDE, case
    assert list(array.shape) == (case["shape"] or [])
    assert bytes(DataType.of(array.dtype)) == bytes(case["dtype"])
    if case["device"] != (K_CPU, 0):
        writable = case["version"] is None or not case["flags"] & READ_ONLY
        assert array.flags.writable == writable, case
    if want is not REPEATED and want.size:
        assert usm.asnumpy(array).tobytes() == want.tobytes(), (case, array, want)
    del array
    assert len(producer.deleted) == deleter, case
    Producer.alive.clear()
    return True


def main(cases=1_000_000, seed=0, queue=None):
    rng = random.Random(seed)
    queue = queue or usm.empty(0).sycl_queue
    grounds = [Ground(kind, queue) for kind in ("device", "shared", "host")]
    host = (ctypes.c_char * SIZE).from_buffer_copy(grounds[0].host)
    arrays = sum(run(rng, rng.choice(grounds), ctypes.addressof(host)) for _ in range(cases))
    return arrays


if __name__ == "__main__":
    start = time.time()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    found = main(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{count} cases, {found} arrays, {time.time() - start:.0f} s")
