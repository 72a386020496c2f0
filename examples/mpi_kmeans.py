"""k-means of points that are divided among MPI ranks: `mpiexec -n 4 python mpi_kmeans.py`.

The ranks exchange only centres, sums and counts. mpi4py adds them in place.
"""

from mpi4py import MPI

import usmtensor as usm

CLOUDS, POINTS, STEPS = 5, 100_000, 20

world = MPI.COMM_WORLD


def squared_distances(points, centres):
    return usm.sum(usm.square(points - centres), axis=-1)


def own_points():
    """The share of this rank. All ranks have one generator, so that the shares make one set."""
    rng = usm.random.default_rng(3)
    true = rng.uniform(-10, 10, (CLOUDS, 2))
    members = rng.integers(0, CLOUDS, POINTS)
    points = true[members] + rng.standard_normal((POINTS, 2)) / 2
    return usm.copy(points[world.rank :: world.size])


def total(x):
    """The sum of the arrays of all ranks. MPI does not wait for the queue, so the rank does."""
    result = usm.empty_like(x)
    x.sycl_queue.wait()
    world.Allreduce(x, result)
    return result


def first_centres(points):
    """Points far from each other: each is sent by the rank that has it."""
    centres = usm.empty((CLOUDS, 2), dtype=points.dtype)
    centres[0] = points[0]
    owner = 0
    for k in range(CLOUDS):
        if k:
            distances = squared_distances(points[:, None], centres[:k])
            distances = usm.min(distances, axis=1)
            farthest = usm.argmax(distances)
            mine = float(distances[farthest]), world.rank
            _, owner = world.allreduce(mine, op=MPI.MAXLOC)
            centres[k] = points[farthest]
        centres.sycl_queue.wait()
        world.Bcast(centres[k], root=owner)
    return centres


def main():
    points = own_points()
    centres = first_centres(points)
    for _ in range(STEPS):
        near = usm.argmin(squared_distances(points[:, None], centres), axis=1)
        counts = total(usm.bincount(near, minlength=CLOUDS))
        sums = [usm.bincount(near, points[:, k], minlength=CLOUDS) for k in range(2)]
        centres = total(usm.stack(sums, axis=1)) / usm.maximum(counts, 1)[:, None]
    if world.rank == 0:
        print("      x       y  points")
        for (x, y), count in zip(usm.asnumpy(centres), usm.asnumpy(counts), strict=True):
            print(f"{x:7.3f} {y:7.3f} {count:7d}")


if __name__ == "__main__":
    main()
