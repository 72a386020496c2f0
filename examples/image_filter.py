"""Filters of a picture: noise, a blur, and edges."""

from picture import save

import usmtensor as usm

SIDE = 256


def scene():
    """A disc and a square on a background that becomes brighter."""
    line = usm.linspace(-1, 1, SIDE, dtype="f4")
    x, y = line[None, :], line[:, None]
    return draw(x, y)


@usm.fuse
def draw(x, y):
    disc = usm.square(x + 0.3) + usm.square(y + 0.2) < 0.16
    square = usm.maximum(usm.abs(x - 0.45), usm.abs(y - 0.4)) < 0.3
    return usm.where(disc, 0.9, usm.where(square, 0.1, 0.4 + 0.2 * x))


@usm.fuse
def binomial(a, b, c, d, e):
    return (a + 4 * b + 6 * c + 4 * d + e) / 16


def blur(picture):
    """The weights 1 4 6 4 1 along both axes; a border of two pixels is lost."""
    for axis in range(2):
        parts = [
            usm.moveaxis(usm.moveaxis(picture, axis, 0)[k : picture.shape[axis] - 4 + k], 0, axis)
            for k in range(5)
        ]
        picture = binomial(*parts)
    return picture


@usm.fuse
def steepness(left, right, above, below):
    return usm.hypot(right - left, below - above)


def edges(picture):
    return 2 * steepness(
        picture[1:-1, :-2], picture[1:-1, 2:], picture[:-2, 1:-1], picture[2:, 1:-1]
    )


def main():
    clean = scene()
    noisy = clean + usm.random.default_rng(5).normal(0, 0.1, clean.shape, dtype="f4")
    smooth = blur(blur(noisy))
    for name, picture in (("noisy", noisy), ("smooth", smooth), ("edges", edges(smooth))):
        save(picture, f"{name}.png")
    inside = clean[4:-4, 4:-4]
    before, after = (float(usm.std(one)) for one in (noisy[4:-4, 4:-4] - inside, smooth - inside))
    print(f"noise: {before:.4f}, after the blur {after:.4f}")
    assert after < before


if __name__ == "__main__":
    main()
