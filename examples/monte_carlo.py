"""Monte Carlo: the price of an option, from random paths, against the formula of Black and
Scholes."""

from math import erf, exp, log, sqrt

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
    print(f"formula  {expected:8.4f}")
    assert abs(price - expected) < 5 * error


if __name__ == "__main__":
    main()
