"""Small operations on arrays that come and go: the memory of the process must not grow.

    python tests/stress/soak.py [--operations 1000000] [--seed 0] [--threads 2]
                                [--in-order 2] [--out-of-order 2]

It runs allocations of all kinds that the device has, casts, strided copies, fills, transfers and
views, on so many queues and in so many threads, and drops each result at random some time later. It
prints the resident memory twenty times. The exit status is 1 if the memory grows by more than 16
MiB after the first of these times (the caches are warm then), or if blocks are in use after all
arrays are gone.
"""

import argparse
import gc
import random
import sys
import threading

import numpy as np

import usmtensor as usm
from usmtensor import memory

ALLOWED = 16 << 20
PARTS = 20


def resident():
    """The resident bytes of the process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def live():
    gc.collect()
    return sum(kind["live"] for kinds in memory.statistics().values() for kind in kinds.values())


class Worker:
    """One thread, which keeps some arrays and replaces them at random."""

    def __init__(self, seed, queues, kinds):
        self.random = random.Random(seed)
        self.queues = queues
        self.kinds = kinds
        self.kept = [None] * 64

    def new(self):
        size = self.random.choice((1, 7, 64, 300, 1000))
        queue, kind = self.random.choice(self.queues), self.random.choice(self.kinds)
        return usm.full(size, size, dtype="i4", usm_type=kind, sycl_queue=queue)

    def some(self):
        x = self.random.choice(self.kept)
        return self.new() if x is None else x

    def step(self):
        x = self.some()
        match self.random.randrange(8):
            case 0:
                x = self.new()
            case 1:
                x = usm.astype(x, self.random.choice(("f4", "f8", "i2", "c8")))
            case 2:
                x = usm.copy(x[::-2])
            case 3:
                x[1:] = 5
            case 4:
                x = x.to_device(self.random.choice(self.queues))
            case 5:
                x = usm.from_numpy(np.ones(x.size, "f4"), sycl_queue=x.sycl_queue)
            case 6:
                x[...] = usm.asnumpy(x)[:1]
            case 7:
                x = x[1:]
        self.kept[self.random.randrange(len(self.kept))] = x if self.random.random() < 0.5 else None

    def run(self, steps):
        for _ in range(steps):
            self.step()


def soak(operations, seed, threads, in_order, out_of_order):
    """Runs the threads; returns the growth of the process and the live memory, in bytes."""
    device = usm.select_default_device()
    queues = [usm.get_device_cached_queue(device)][:in_order]
    queues += [usm.SyclQueue(device, property="in_order") for _ in range(in_order - 1)]
    queues += [usm.SyclQueue(device) for _ in range(out_of_order)]
    kinds = [
        kind
        for kind in ("device", "shared", "host")
        if getattr(device, f"has_aspect_usm_{kind}_allocations")
    ]
    before = live()
    workers = [Worker(seed + number, queues, kinds) for number in range(threads)]
    warm = None
    for part in range(1, PARTS + 1):
        running = [
            threading.Thread(target=worker.run, args=(operations // PARTS // threads,))
            for worker in workers
        ]
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        for queue in queues:
            queue.wait()
        now = resident()
        print(f"{100 * part // PARTS:3d} %  {now / 2**20:8.1f} MiB", flush=True)
        if part == 2:
            warm = now
    del workers, running, thread
    return now - warm, live() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--operations", type=int, default=10**6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--in-order", type=int, default=2, help="queues")
    parser.add_argument("--out-of-order", type=int, default=2, help="queues")
    grown, left = soak(**vars(parser.parse_args()))
    print(f"grown by {grown / 2**20:.1f} MiB (allowed {ALLOWED >> 20}), {left} bytes still in use")
    return int(grown > ALLOWED or left != 0)


if __name__ == "__main__":
    sys.exit(main())
