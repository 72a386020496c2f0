"""k-means: finds the centres of clouds of points. Crosses mark the centres in the picture."""

from picture import save

import usmtensor as usm

CLOUDS, POINTS, STEPS = 5, 100_000, 20
SIDE, HALF = 480, 12  # the picture's side in pixels, and its largest coordinate


def squared_distances(points, centres):
    """The squared distance of every point from every centre."""
    return usm.sum(usm.square(points - centres), axis=-1)


def nearest(points, centres):
    return usm.argmin(squared_distances(points[:, None], centres), axis=1)


def first_centres(points):
    """Points that are far from each other."""
    centres = points[:1]
    while centres.shape[0] < CLOUDS:
        distances = usm.min(squared_distances(points[:, None], centres), axis=1)
        farthest = usm.argmax(distances, keepdims=True)
        centres = usm.concat([centres, points[farthest]])
    return centres


def density(points, centres):
    """The number of points in each pixel, darker where there are more, with a white cross at each
    centre."""
    x, y = (usm.clip((points[:, k] + HALF) * (SIDE / (2 * HALF)), 0, SIDE - 1) for k in range(2))
    pixel = usm.astype(SIDE - 1 - usm.floor(y), "i8") * SIDE + usm.astype(x, "i8")
    counts = usm.reshape(usm.bincount(pixel, minlength=SIDE * SIDE), (SIDE, SIDE))
    picture = 0.9 - 0.9 * usm.sqrt(counts / usm.max(counts))
    for a, b in ((usm.asnumpy(centres) + HALF) * (SIDE / (2 * HALF))).astype(int):
        row = SIDE - 1 - b
        picture[row, a - 8 : a + 9] = 1
        picture[row - 8 : row + 9, a] = 1
    return picture


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
    save(density(points, centres), "kmeans.png")
    # The cloud that each centre has found.
    cloud = nearest(centres, true)
    error = usm.max(usm.abs(centres - true[cloud]))
    print("      x       y  points")
    for (x, y), count in zip(usm.asnumpy(centres), usm.asnumpy(counts), strict=True):
        print(f"{x:7.3f} {y:7.3f} {count:7d}")
    print(f"largest distance from a true centre: {float(error):.4f}")


if __name__ == "__main__":
    main()
