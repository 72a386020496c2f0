"""Monte Carlo: the price of an option from random paths, compared with the formula of Black and
Scholes. The picture shows how often each payoff above zero occurs."""

from math import erf, exp, log, sqrt

from picture import save

import usmtensor as usm

SPOT, STRIKE, YEARS, RATE, VOLATILITY = 100.0, 105.0, 1.0, 0.03, 0.2


@usm.fuse
def payoffs(normal, drift, spread, discount):
    """What the option is worth today for each path, in one kernel."""
    price = SPOT * usm.exp(drift + spread * normal)
    return discount * usm.maximum(price - STRIKE, 0)


def formula():
    spread = VOLATILITY * sqrt(YEARS)
    d1 = log(SPOT / STRIKE) / spread + RATE * YEARS / spread + spread / 2
    below = [(1 + erf(d / sqrt(2))) / 2 for d in (d1, d1 - spread)]
    return SPOT * below[0] - STRIKE * exp(-RATE * YEARS) * below[1]


def bars(values, rows=240, columns=480):
    """A histogram of the payoffs above zero as a picture."""
    counts, _ = usm.histogram(values[values > 0], bins=columns // 8, range=(0, 80))
    heights = usm.repeat(counts / usm.max(counts), 8) * (rows - 10)
    level = usm.arange(rows, 0, -1)
    return usm.where(level[:, None] <= heights, 0.25, 1.0)


def main():
    rng = usm.random.default_rng(7)
    drift = (RATE - VOLATILITY**2 / 2) * YEARS
    spread, discount = VOLATILITY * sqrt(YEARS), exp(-RATE * YEARS)
    expected = formula()
    print("   paths    price  standard error")
    for paths in (10_000, 100_000, 1_000_000, 4_000_000):
        values = payoffs(rng.standard_normal(paths, dtype="f4"), drift, spread, discount)
        price = float(usm.mean(values))
        error = float(usm.std(values)) / sqrt(paths)
        print(f"{paths:8d} {price:8.4f} {error:15.4f}")
    save(bars(values), "monte_carlo.png")
    print(f"formula  {expected:8.4f}")
    assert abs(price - expected) < 5 * error


if __name__ == "__main__":
    main()
