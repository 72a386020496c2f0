"""Least squares: fits a line with a periodic part to noisy measurements. Only the import differs
from a program for NumPy."""

from picture import plot

import usmtensor as np


def main():
    rng = np.random.default_rng(1)
    time = np.linspace(0, 10, 1000)
    measured = 2.0 * time + 1.0 + 0.5 * np.sin(3 * time) + rng.normal(0, 0.1, time.shape)

    columns = np.column_stack([time, np.ones_like(time), np.sin(3 * time)])
    found, residuals, rank, _ = np.linalg.lstsq(columns, measured)
    noise = np.sqrt(residuals[0] / len(time))

    print(f"slope {found[0]:.3f}, start {found[1]:.3f}, amplitude {found[2]:.3f}")
    print(f"noise {noise:.3f}, rank {int(rank)}")
    plot(time[::5], measured[::5], (columns @ found)[::5], "least_squares.svg")
    assert np.allclose(found, np.asarray([2.0, 1.0, 0.5]), atol=0.05)


if __name__ == "__main__":
    main()
