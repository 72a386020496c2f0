"""`python -m benchmarks.einsum [DTYPE]`: common subscripts against numpy.einsum(optimize=True).

The operands have about a million elements. The times are the least of calls that alternate; the
ratio is NumPy's time over usmtensor's."""

import sys
import time

import numpy as np

import usmtensor as usm

REPETITIONS = 25
CASES = [
    ("ij->i", (1000, 1000)),
    ("ij->j", (1000, 1000)),
    ("ii->", (1000, 1000)),
    ("i,i->", (10**6,), (10**6,)),
    ("ij,ij->", (1000, 1000), (1000, 1000)),
    ("ij,ij->i", (1000, 1000), (1000, 1000)),
    ("ij,ij->j", (1000, 1000), (1000, 1000)),
    ("ij,ij->ij", (1000, 1000), (1000, 1000)),
    ("ij,ji->", (1000, 1000), (1000, 1000)),
    ("i,j->ij", (1000,), (1000,)),
    ("ij,j->i", (1000, 1000), (1000,)),
    ("ij,i->j", (1000, 1000), (1000,)),
    ("ij,j->ij", (1000, 1000), (1000,)),
    ("ij,jk->ik", (1000, 1000), (1000, 1000)),
    ("ij,kj->ik", (1000, 1000), (1000, 1000)),
    ("bij,bjk->bik", (100, 100, 100), (100, 100, 100)),
    ("bij,bj->bi", (100, 100, 100), (100, 100)),
    ("bqhd,bkhd->bhqk", (10, 100, 10, 100), (10, 100, 10, 100)),
    ("abc,bd->acd", (100, 100, 100), (100, 100)),
    ("abc,abd->cd", (100, 100, 100), (100, 100, 100)),
    ("bi,bij,bj->b", (100, 100), (100, 100, 100), (100, 100)),
    ("i,ij,j->", (1000,), (1000, 1000), (1000,)),
    ("i,i,i->", (10**6,), (10**6,), (10**6,)),
    ("ij,jk,kl->il", (1000, 1000), (1000, 100), (100, 1000)),
]


def seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main(dtype="f8"):
    random = np.random.default_rng(0)
    for subscripts, *shapes in CASES:
        hosts = [random.random(shape).astype(dtype) for shape in shapes]
        arrays = [usm.asarray(x) for x in hosts]
        queue = arrays[0].sycl_queue

        def ours(subscripts=subscripts, arrays=arrays, queue=queue):
            usm.einsum(subscripts, *arrays)
            queue.wait()

        def theirs(subscripts=subscripts, hosts=hosts):
            np.einsum(subscripts, *hosts, optimize=True)

        pairs = [(seconds(ours), seconds(theirs)) for _ in range(REPETITIONS)]
        own, other = (min(times) * 1e6 for times in zip(*pairs, strict=True))
        print(f"{subscripts:18} {own:10.1f} µs  NumPy {other:10.1f} µs  {other / own:6.2f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
