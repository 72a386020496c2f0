"""The heat equation on a plate: a stencil, from a kernel that indexes its input itself."""

from picture import save

import usmtensor as usm

SIDE, STEPS, RATE = 64, 4000, 0.2

# One time step. `i` is the index of the element in C order, and a raw array is indexed by it.
step = usm.ElementwiseKernel(
    "raw float32 before, int64 side, float32 rate",
    "float32 after",
    """
    const auto row = i / side, column = i % side;
    const float here = before[i];
    const bool inside = row > 0 && row < side - 1 && column > 0 && column < side - 1;
    after = !inside ? here : here + rate * (before[i - side] + before[i + side] +
                                            before[i - 1] + before[i + 1] - 4 * here);
    """,
    "step",
)


def main():
    plate = usm.zeros((SIDE, SIDE), dtype="f4")
    plate[0] = 1  # the border keeps its temperature: one side is hot
    other = usm.empty_like(plate)
    print("  step  mean  centre")
    for number in range(STEPS + 1):
        if number % (STEPS // 4) == 0:
            mean, centre = float(usm.mean(plate)), float(plate[SIDE // 2, SIDE // 2])
            print(f"{number:6d} {mean:5.3f} {centre:7.5f}")
        step(plate, SIDE, RATE, other)
        plate, other = other, plate
    save(plate, "heat.pgm")
    assert 0 < mean < 0.25  # the limit is a quarter


if __name__ == "__main__":
    main()
