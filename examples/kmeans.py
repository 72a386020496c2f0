"""k-means: finds the centres of clouds of points."""

import usmtensor as usm

CLOUDS, POINTS, STEPS = 5, 100_000, 20


@usm.fuse
def squared_distances(points, centres):
    """Of every point from every centre: one kernel, which stores no differences."""
    return usm.sum(usm.square(points - centres), axis=-1)


def nearest(points, centres):
    return usm.argmin(squared_distances(points[:, None], centres), axis=1)


def first_centres(points):
    """Points far from each other."""
    centres = points[:1]
    while centres.shape[0] < CLOUDS:
        distances = usm.min(squared_distances(points[:, None], centres), axis=1)
        farthest = usm.argmax(distances, keepdims=True)
        centres = usm.concat([centres, points[farthest]])
    return centres


def main():
    rng = usm.random.default_rng(3)
    true = rng.uniform(-10, 10, (CLOUDS, 2))
    members = rng.integers(0, CLOUDS, POINTS)
    points = true[members] + rng.standard_normal((POINTS, 2)) / 2
    centres = first_centres(points)
    for _ in range(STEPS):
        near = nearest(points, centres)
        counts = usm.bincount(near, minlength=CLOUDS)
        sums = [usm.bincount(near, points[:, k], minlength=CLOUDS) for k in range(2)]
        centres = usm.stack(sums, axis=1) / usm.maximum(counts, 1)[:, None]
    # The cloud that each centre has found.
    cloud = nearest(centres, true)
    error = usm.max(usm.abs(centres - true[cloud]))
    print("      x       y  points")
    for (x, y), count in zip(usm.asnumpy(centres), usm.asnumpy(counts), strict=True):
        print(f"{x:7.3f} {y:7.3f} {count:7d}")
    print(f"largest distance from a true centre: {float(error):.4f}")


if __name__ == "__main__":
    main()
