"""Random `__sycl_usm_array_interface__`: `python tests/stress/fuzz_suai.py [CASES] [SEED]`.

A dictionary has random fields near the limits of legal values, of right and wrong types. A model
says whether it is legal, and computes its elements. A legal dictionary must give an array of these
elements, any other a ValueError.
"""

import random
import sys
import time

import numpy as np

import usmtensor as usm

SIZE = 1 << 22  # every driver allocates this by itself, not in a larger block
EDGE = 256
DTYPES = ["|b1", "|i1", "|u1", "<u2", "<i4", "<u8", "<f4", "<f8", "<c8", "<c16"]
TYPESTRS = [*DTYPES, "f4", ">f4", ">u1", "|O", "<U4", "<M8[s]", "<V4", "V", "", "junk", None, 4]
EXTREMES = (-(2**70), -(2**63), -(2**62), -(2**31), 2**31, 2**59, 2**62, 2**63 - 1, 2**63, 2**64)
JUNK = (None, "text", b"3", 1.5, -1, {}, [], object(), 2**70, True, (None,), ("a", "b"))
ABSENT = object()


class Ground:
    """The memory of the random dictionaries, and its content on the host."""

    def __init__(self, usm_type, queue):
        self.host = np.arange(SIZE, dtype="u1") % 2  # a pattern that is a legal bool everywhere
        self.array = usm.asarray(self.host, usm_type=usm_type, sycl_queue=queue)
        self.pointer = self.array._pointer
        context = queue.sycl_context
        self.syclobjs = [
            queue,
            context,
            queue._get_capsule(),
            context._get_capsule(),
            type("Capsule", (), {"_get_capsule": queue._get_capsule})(),
        ]
        if context == queue.sycl_device.sycl_platform.default_context:
            self.syclobjs.append(queue.sycl_device.filter_string)


class Object:
    """An object with the dictionary, and with a buffer if the dictionary has no "data"."""

    def __init__(self, interface):
        self.__sycl_usm_array_interface__ = interface


class Buffered(bytearray):
    __slots__ = ("__sycl_usm_array_interface__",)


def integers(rng, n, draw):
    values = [rng.choice(EXTREMES) if rng.random() < 0.02 else draw() for _ in range(n)]
    if values and rng.random() < 0.02:
        values[0] = rng.choice(JUNK)
    if rng.random() < 0.1:
        values = [np.int64(v) if type(v) is int and abs(v) < 2**31 else v for v in values]
    return tuple(values) if rng.random() < 0.8 else values


def draw(rng, ground):
    typestr = rng.choice(TYPESTRS if rng.random() < 0.05 else DTYPES)
    itemsize = np.dtype(typestr).itemsize if typestr in DTYPES else 4
    ndim = rng.choice((0, 1, 1, 2, 2, 3, 4))
    start = rng.randrange(EDGE) if rng.random() < 0.5 else SIZE - rng.randrange(1, EDGE)
    if rng.random() < 0.9:
        start -= start % itemsize
    case = {
        "shape": integers(rng, ndim, lambda: rng.choice((0, 1, 1, 2, 3, 4))),
        "typestr": typestr,
        "data": rng.choice((tuple, list))((ground.pointer + start, rng.random() < 0.3)),
        "version": 1,
        "syclobj": rng.choice(ground.syclobjs),
    }
    if rng.random() < 0.7:
        case["strides"] = integers(
            rng, ndim if rng.random() < 0.98 else 5, lambda: rng.randint(-6, 6)
        )
    elif rng.random() < 0.5:
        case["strides"] = None
    if rng.random() < 0.5:
        case["offset"] = rng.choice((None, 0, rng.randint(-8, 8), rng.choice(EXTREMES)))
    if rng.random() < 0.3:
        key = rng.choice(("shape", "data", "version", "syclobj", "typestr", "strides", "offset"))
        case[key] = rng.choice(JUNK)
    if rng.random() < 0.03:
        case["data"] = (rng.choice((0, 8, -1, 2**48, 2**64 - 8, 2**64, 1.5, "p")), False)
    if rng.random() < 0.05:
        case.pop(rng.choice(list(case)), None)
    return case


def as_integers(values):
    if isinstance(values, (str, bytes, dict)):
        return None
    try:
        result = [v.__index__() for v in values]
    except (TypeError, AttributeError):
        return None
    return result if all(-(2**63) <= v < 2**63 for v in result) else None


def expected(case, ground):
    """The view, "huge" for a view with too many repeated elements, None if it is not legal."""
    version, typestr, data = case.get("version"), case.get("typestr"), case.get("data")
    syclobj, strides = case.get("syclobj"), case.get("strides")
    if type(version) is not int or version != 1 or type(typestr) is not str:
        return None
    if typestr not in (*DTYPES, "f4", ">u1"):
        return None
    dtype = np.dtype(typestr).newbyteorder("=")
    if not any(syclobj is one for one in ground.syclobjs):
        return None
    shape = as_integers(case.get("shape", 0))
    if shape is None or any(n < 0 for n in shape):
        return None
    total = 1
    for n in shape:
        total *= n or 1
    if total >= 2**63:
        return None
    if strides is None:
        strides, step = [], 1
        for n in reversed(shape):
            strides.insert(0, step)
            step *= n
    else:
        strides = as_integers(strides)
    if strides is None or len(strides) != len(shape):
        return None
    offset = case.get("offset")
    if offset is not None and not isinstance(offset, int):
        return None
    if not (isinstance(data, (tuple, list)) and len(data) == 2 and type(data[0]) is int):
        return "buffer" if "data" not in case else None
    start = data[0] - ground.pointer
    if not 0 <= start < SIZE:
        return None
    start += (offset or 0) * dtype.itemsize
    if start % min(dtype.itemsize, 8) or abs(offset or 0) > 2**57:
        return None
    if 0 in shape:
        return np.empty(0, dtype) if 0 <= start < SIZE else "unknown"
    low = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s < 0)
    high = sum((n - 1) * s for n, s in zip(shape, strides, strict=True) if s > 0)
    if start + low * dtype.itemsize < 0 or start + (high + 1) * dtype.itemsize > SIZE:
        return None
    if total > EDGE**2:
        return "huge"
    return np.ndarray(
        shape,
        dtype,
        ground.host[start + low * dtype.itemsize :][: (high - low + 1) * dtype.itemsize].tobytes(),
        -low * dtype.itemsize,
        [s * dtype.itemsize if n > 1 else 0 for n, s in zip(shape, strides, strict=True)],
    )


def run(rng, ground):
    """One case; True if it gives an array."""
    case = draw(rng, ground)
    want = expected(case, ground)
    if want == "buffer" if isinstance(want, str) else False:
        obj = Buffered(SIZE)
        obj.__sycl_usm_array_interface__ = case
    else:
        obj = Object(case)
    try:
        array = usm.asarray(obj)
    except ValueError as error:
        assert want is None or isinstance(want, str), (case, error)
        return False
    assert want is not None, case
    assert list(array.shape) == as_integers(case["shape"]), case
    if isinstance(want, str):
        return True
    assert array.dtype == want.dtype, case
    assert array.flags.writable == (not case["data"][1]), case
    if want.size:
        assert usm.asnumpy(array).tobytes() == want.tobytes(), case
    return True


def main(cases=1_000_000, seed=0, queue=None):
    rng = random.Random(seed)
    queue = queue or usm.empty(0).sycl_queue
    grounds = [Ground(kind, queue) for kind in ("device", "shared", "host")]
    return sum(run(rng, rng.choice(grounds)) for _ in range(cases))


if __name__ == "__main__":
    start = time.time()
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    found = main(count, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{count} cases, {found} arrays, {time.time() - start:.0f} s")
