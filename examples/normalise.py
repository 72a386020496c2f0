"""A table: reads a CSV file, gives every column the mean 0 and the deviation 1, and writes a file.
Only the import differs from a program for NumPy."""

import sys
from pathlib import Path

import usmtensor as np


def write_measurements(path):
    """Write a file like that of an instrument: a row of names, then numbers."""
    rng = np.random.default_rng(3)
    table = np.column_stack([rng.normal(20, 4, 500), rng.gamma(2, 50, 500), rng.random(500)])
    np.savetxt(path, table, delimiter=",", fmt="%.3f", header="celsius,pascal,share", comments="")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    write_measurements(folder / "measurements.csv")

    table = np.loadtxt(folder / "measurements.csv", delimiter=",", skiprows=1)
    normalised = (table - table.mean(axis=0)) / table.std(axis=0)
    np.savetxt(folder / "normalised.csv", normalised, delimiter=",", fmt="%.4f")

    print("rows and columns", table.shape)
    print("means before    ", table.mean(axis=0).round(2))
    print("means after     ", np.abs(normalised.mean(axis=0)).round(2))
    print("deviations after", normalised.std(axis=0).round(2))
    assert np.allclose(normalised.mean(axis=0), 0, atol=1e-4)
    assert np.allclose(normalised.std(axis=0), 1, rtol=1e-4)


if __name__ == "__main__":
    main()
