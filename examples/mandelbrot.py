"""The Mandelbrot set: a kernel in C++ with a loop."""

from picture import save

import usmtensor as usm

WIDTH, HEIGHT, MOST = 900, 600, 200

iterations = usm.ElementwiseKernel(
    "complex64 c, int32 most",
    "int32 count",
    """
    // z = z * z + c in two variables, until it leaves the circle of radius 2
    const float a = c.real(), b = c.imag();
    float x = 0, y = 0;
    int k = 0;
    for (; k < most && x * x + y * y <= 4; ++k) {
      const float next = x * x - y * y + a;
      y = 2 * x * y + b;
      x = next;
    }
    count = k;
    """,
    "iterations",
)


def main():
    real = usm.linspace(-2.1, 0.9, WIDTH, dtype="f4")
    imag = usm.linspace(-1, 1, HEIGHT, dtype="f4")
    counts = iterations(real[None, :] + 1j * imag[:, None], MOST)
    inside = counts == MOST
    shades = usm.log(usm.astype(counts, "f4") + 1) / float(usm.log(usm.asarray(MOST + 1.0)))
    save(usm.where(inside, 0, shades), "mandelbrot.png")
    area = float(usm.mean(usm.astype(inside, "f4"))) * 3 * 2
    print(f"area {area:.3f}; the true one is about 1.506")
    assert abs(area - 1.506) < 0.03


if __name__ == "__main__":
    main()
