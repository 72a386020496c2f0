"""The heat equation on a plate, divided among MPI ranks: `mpiexec -n 4 python mpi_heat.py`.

Each rank has a band of rows and one more row on each side, its halo, which holds rows of the
neighbours. mpi4py reads and writes the arrays in place.
"""

import sys
import time

from mpi4py import MPI
from picture import save

import usmtensor as usm

SIDE, STEPS = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) > 3 else (64, 2000)
RATE = 0.2

world = MPI.COMM_WORLD
first, last = world.rank == 0, world.rank == world.size - 1
above = MPI.PROC_NULL if first else world.rank - 1
below = MPI.PROC_NULL if last else world.rank + 1


@usm.fuse
def changed(here, up, down, left, right):
    return here + RATE * (up + down + left + right - 4 * here)


def step(plate, out):
    inner = slice(1, -1)
    neighbours = plate[:-2, inner], plate[2:, inner], plate[inner, :-2], plate[inner, 2:]
    changed(plate[inner, inner], *neighbours, out=out[inner, inner])


def exchange(plate):
    """Fills the halo. MPI does not wait for the queue, so the rank does."""
    plate.sycl_queue.wait()
    world.Sendrecv(plate[1], above, recvbuf=plate[-1], source=below)
    world.Sendrecv(plate[-2], below, recvbuf=plate[0], source=above)


def main():
    assert SIDE % world.size == 0, "every rank has equally many rows"
    rows = SIDE // world.size
    plate = usm.zeros((rows + 2, SIDE), dtype="f4")
    # The plate's own border keeps its temperature; its top is hot.
    if first:
        plate[:2] = 1
    other = usm.copy(plate)
    begin = time.perf_counter()
    for _ in range(STEPS):
        exchange(plate)
        step(plate, other)
        if first:
            other[1] = 1
        if last:
            other[-2] = 0
        plate, other = other, plate
    plate.sycl_queue.wait()
    world.Barrier()
    seconds = time.perf_counter() - begin
    band = plate[1:-1]
    whole = usm.empty((SIDE, SIDE), dtype="f4") if first else None
    band.sycl_queue.wait()
    world.Gather(band, whole)
    if first:
        print(f"mean {float(usm.mean(whole)):.5f}, centre {float(whole[SIDE // 2, SIDE // 2]):.5f}")
        print(f"{world.size} ranks: {seconds / STEPS * 1e6:.0f} µs a step", file=sys.stderr)
        save(whole, "heat.png")


if __name__ == "__main__":
    main()
