"""Means of groups: the mean of the values of each label. Only the import differs from a program for
NumPy."""

import usmtensor as np


def main():
    rng = np.random.default_rng(5)
    cities = np.asarray([101, 205, 333, 478])
    city = cities[rng.integers(0, 4, 100_000)]  # a label for each measurement
    temperature = city / 50 + rng.normal(0, 3, 100_000)

    names, group = np.unique(city, return_inverse=True)
    means = np.bincount(group, weights=temperature) / np.bincount(group)

    print("city  measurements  mean temperature")
    for name, count, mean in zip(names, np.bincount(group), means, strict=True):
        print(f"{name:4d} {count:13d} {mean:17.3f}")
        assert abs(mean - temperature[city == name].mean()) < 1e-3


if __name__ == "__main__":
    main()
